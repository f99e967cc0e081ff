// SPDX-License-Identifier: GPL-2.0-only
#include "select/codegen/set.h"

#include "select/codegen/compare.h"
#include "select/codegen/operate.h"

/* A set whose value is in r0. */
struct set {
	struct fargs_gen *gen;
	const struct fargs_node *value;
	struct fargs_scalar scalar;
	struct fargs_label *found;	/* the value is one of the elements */
	/* Not all elements could be read, so it is unknown whether the value is none of them. */
	struct fargs_label *unknown;
};

static void jump_if(const struct set *set, uint8_t cond, uint64_t imm, struct fargs_label *to)
{
	fargs_code_jump(set->gen->code, (struct fargs_insn){
		.op = FARGS_OP_JIF, .dst = 0, .arg = cond, .imm = imm,
	}, to);
}

static int find_constant(const struct set *set, const struct fargs_node *element, __int128 *value)
{
	struct fargs_gen *gen = set->gen;
	int ret = fargs_constant_eval(gen->constants, gen->func, element, set->scalar.enum_id,
				      value, gen->diagnostic);

	return ret ? ret : fargs_compare_check(gen, set->value, FARGS_NODE_EQ, &set->scalar,
					       element, *value);
}

static int put_span(const struct set *set, const struct fargs_node *span)
{
	bool is_signed = set->scalar.is_signed;
	struct fargs_label next = { };
	struct fargs_gen *gen = set->gen;
	__int128 from, to;
	int ret;

	if (!fargs_constant_is(gen->func, span->a) || !fargs_constant_is(gen->func, span->b))
		return fargs_gen_fail(gen, span, "both ends of a range must be constants");
	ret = find_constant(set, span->a, &from);
	if (!ret)
		ret = find_constant(set, span->b, &to);
	if (ret)
		return ret;
	if (is_signed ? from > to : (uint64_t)from > (uint64_t)to)
		return fargs_gen_fail(gen, span, "this range ends before it starts");
	jump_if(set, is_signed ? FARGS_COND_SLT : FARGS_COND_LT, from, &next);
	jump_if(set, is_signed ? FARGS_COND_SLE : FARGS_COND_LE, to, set->found);
	fargs_code_bind(gen->code, &next);
	return 0;
}

/* Compares with a value of the call, which may be unreadable. */
static int put_value(const struct set *set, const struct fargs_node *element)
{
	struct fargs_label different = { };
	struct fargs_scalar s;
	int ret = fargs_operate_load(set->gen, element, 1, &s);

	if (ret)
		return ret;
	if (s.is_duration)
		return fargs_gen_fail(set->gen, element, "a duration can only be compared with a "
				      "time and its unit: 10us, 1.5ms, 2s");
	fargs_compare_registers(set->gen, &set->scalar, &s, FARGS_NODE_EQ, set->found);
	if (!set->unknown)
		return 0;
	fargs_compare_registers(set->gen, &set->scalar, &s, FARGS_NODE_NE, &different);
	fargs_code_jump(set->gen->code, (struct fargs_insn){ .op = FARGS_OP_JMP }, set->unknown);
	fargs_code_bind(set->gen->code, &different);
	return 0;
}

static int put_element(const struct set *set, const struct fargs_node *element)
{
	__int128 value;
	int ret;

	if (element->kind == FARGS_NODE_STRING)
		return fargs_gen_fail(set->gen, element, "a set has either strings or numbers");
	if (element->kind == FARGS_NODE_TIME)
		return fargs_gen_fail(set->gen, element,
				      "only $duration can be compared with a time");
	if (element->kind == FARGS_NODE_SPAN)
		return put_span(set, element);
	if (!fargs_constant_is(set->gen->func, element))
		return put_value(set, element);
	ret = find_constant(set, element, &value);
	if (!ret)
		jump_if(set, FARGS_COND_EQ, value, set->found);
	return ret;
}

static int put_strings(struct fargs_gen *gen, const struct fargs_node *node, bool is_negated,
		       struct fargs_label *is_true)
{
	const struct fargs_node *element;

	for (element = node->b; element; element = element->next)
		if (element->kind != FARGS_NODE_STRING)
			return fargs_gen_fail(gen, element,
					      "a set has either strings or numbers");
	return fargs_compare_strings(gen, node->a, node->b, is_negated ? FARGS_NODE_NE :
				     FARGS_NODE_EQ, is_true);
}

int fargs_set(struct fargs_gen *gen, const struct fargs_node *node, bool is_negated,
	      struct fargs_label *is_true)
{
	struct fargs_label end = { };
	struct set set = {
		.gen = gen, .value = node->a, .found = is_negated ? &end : is_true,
		.unknown = is_negated ? &end : NULL,
	};
	const struct fargs_node *element;
	int ret;

	if (node->b->kind == FARGS_NODE_STRING)
		return put_strings(gen, node, is_negated, is_true);
	if (fargs_constant_is(gen->func, node->a))
		return fargs_gen_fail(gen, node->a, "a constant is not a value of the call");
	ret = fargs_operate_load(gen, node->a, 0, &set.scalar);
	if (!ret && set.scalar.is_duration)
		return fargs_gen_fail(gen, node->a,
				      "no duration is exactly this value: use < or >");
	/* Any bool other than 0 is true. */
	if (set.scalar.is_bool)
		fargs_operate_make_bool(gen, 0);
	for (element = node->b; element && !ret; element = element->next)
		ret = put_element(&set, element);
	if (ret || !is_negated)
		return ret;
	/* The value is none of the elements if it is readable, which makes it equal to itself. */
	fargs_code_jump(gen->code, (struct fargs_insn){
		.op = FARGS_OP_JIF_REG, .dst = 0, .arg = FARGS_COND_EQ, .src = 0,
	}, is_true);
	fargs_code_bind(gen->code, &end);
	return 0;
}
