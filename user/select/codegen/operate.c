// SPDX-License-Identifier: GPL-2.0-only
#include "select/codegen/operate.h"

#include <errno.h>

#include "select/codegen/load.h"
#include "select/typing/arith.h"
#include "select/typing/offset.h"
#include "select/typing/operation.h"

#define TEXT_MAX	96

/* An address that can never be read: the element of an array at an index outside of it. */
#define OUTSIDE		0x8000000000000000ull

static void add_reg(struct fargs_gen *gen, enum fargs_op op, unsigned int dst, unsigned int src)
{
	fargs_code_add(gen->code, (struct fargs_insn){ .op = op, .dst = dst, .src = src });
}

static int set(struct fargs_gen *gen, const struct fargs_node *node, unsigned int reg,
	       uint64_t value)
{
	if (reg >= FARGS_PROG_REGS)
		return fargs_gen_fail(gen, node, "this needs more than %d registers: simplify the "
				      "expression", FARGS_PROG_REGS);
	fargs_code_add(gen->code, (struct fargs_insn){
		.op = FARGS_OP_IMM, .dst = reg, .imm = value,
	});
	return 0;
}

/* Truncates r[reg] to the type @s, and extends the result. */
static void truncate_to(struct fargs_gen *gen, const struct fargs_scalar *s, unsigned int reg)
{
	if (s->is_signed) {
		fargs_code_op(gen->code, FARGS_OP_SHL, reg, 64 - s->bits);
		fargs_code_op(gen->code, FARGS_OP_SAR, reg, 64 - s->bits);
	} else if (s->bits < 64) {
		fargs_code_op(gen->code, FARGS_OP_AND, reg, (1ull << s->bits) - 1);
	}
}

/* Can the type @to represent all values of the type @from? */
static bool has_all(const struct fargs_scalar *to, const struct fargs_scalar *from)
{
	return fargs_scalar_min(to) <= fargs_scalar_min(from) &&
	       fargs_scalar_max(to) >= fargs_scalar_max(from);
}

void fargs_operate_make_bool(struct fargs_gen *gen, unsigned int reg)
{
	/* An unreadable register must not be overwritten: jump over the IMM. */
	fargs_code_add(gen->code, (struct fargs_insn){
		.op = FARGS_OP_JIF, .dst = reg, .arg = FARGS_COND_NE, .off = 1,
	});
	fargs_code_add(gen->code, (struct fargs_insn){ .op = FARGS_OP_JMP, .off = 1 });
	set(gen, NULL, reg, 1);
}

/* Converts r[reg] from the type @from to @to. A bool may be any number that fits into a byte. */
static void convert(struct fargs_gen *gen, const struct fargs_scalar *from,
		    const struct fargs_scalar *to, unsigned int reg)
{
	if (to->is_bool || from->is_bool)
		fargs_operate_make_bool(gen, reg);
	else if (to->bits < 64 && !has_all(to, from))
		truncate_to(gen, to, reg);
}

int fargs_operate_load(struct fargs_gen *gen, const struct fargs_node *node, unsigned int reg,
		       struct fargs_scalar *scalar)
{
	const struct fargs_typing typing = fargs_gen_typing(gen);
	struct fargs_fetch fetch;
	char text[TEXT_MAX];
	int ret;

	if (fargs_node_is_condition(node) && node->kind != FARGS_NODE_BITAND)
		return fargs_gen_fail(gen, node, "this is true or false, not a number");
	if (node->kind == FARGS_NODE_RANGE)
		return fargs_gen_fail(gen, node, "a range cannot be compared");
	if (node->kind == FARGS_NODE_STRING || node->kind == FARGS_NODE_TIME)
		return fargs_gen_fail(gen, node, node->kind == FARGS_NODE_TIME ?
					"only $duration can be compared with a time" :
					"a string can only be compared using == or !=");
	ret = fargs_fetch_init(&fetch, &typing, node);
	if (ret)
		return ret;
	*scalar = fetch.scalar;
	if (fetch.kind == FARGS_FETCH_SCALAR)
		return fargs_load_scalar(gen, &fetch.path, scalar, node, reg);
	fargs_node_text(node, text, sizeof(text));
	if (fetch.kind == FARGS_FETCH_STRING)
		return fargs_gen_fail(gen, node, "'%s' is a string: compare it with a pattern in "
					"\"\", using == or !=", text);
	return fargs_gen_fail(gen, node, "'%s' is not a single value: compare its members", text);
}

/* Returns a constant operand, converted to the type of the operation. */
static uint64_t constant_of(const struct fargs_operation *op, const struct fargs_operand *operand)
{
	return (uint64_t)fargs_arith_convert(operand->value, &op->common) * operand->scale;
}

/* Generates r[reg] = the operand, converted to the type of the operation. */
static int load_operand(struct fargs_gen *gen, const struct fargs_operation *op,
			const struct fargs_operand *operand, unsigned int reg)
{
	struct fargs_scalar own;
	int ret;

	if (operand->is_constant)
		return set(gen, operand->node, reg, constant_of(op, operand));
	ret = fargs_operate_load(gen, operand->node, reg, &own);
	if (ret)
		return ret;
	convert(gen, &own, &op->common, reg);
	fargs_code_op(gen->code, FARGS_OP_MUL, reg, operand->scale);
	return 0;
}

static bool is_commutative(enum fargs_node_kind kind)
{
	return kind != FARGS_NODE_SUB && kind != FARGS_NODE_SHL && kind != FARGS_NODE_SHR;
}

/* Generates r[reg] = r[reg] op constant. */
static void apply_constant(struct fargs_gen *gen, enum fargs_node_kind kind,
			   const struct fargs_scalar *type, unsigned int reg, uint64_t value)
{
	static const uint8_t ops[] = {
		[FARGS_NODE_MUL] = FARGS_OP_MUL, [FARGS_NODE_ADD] = FARGS_OP_ADD,
		[FARGS_NODE_SUB] = FARGS_OP_ADD, [FARGS_NODE_SHL] = FARGS_OP_SHL,
		[FARGS_NODE_SHR] = FARGS_OP_SHR, [FARGS_NODE_BITAND] = FARGS_OP_AND,
		[FARGS_NODE_BITXOR] = FARGS_OP_XOR, [FARGS_NODE_BITOR] = FARGS_OP_OR,
	};
	bool is_sar = kind == FARGS_NODE_SHR && type->is_signed;

	fargs_code_op(gen->code, is_sar ? FARGS_OP_SAR : ops[kind], reg,
		      kind == FARGS_NODE_SUB ? -value : value);
}

/* Generates r[reg] = r[reg] op r[reg + 1]. */
static int apply(struct fargs_gen *gen, const struct fargs_node *node, unsigned int reg)
{
	switch (node->kind) {
	case FARGS_NODE_ADD:
		add_reg(gen, FARGS_OP_ADD_REG, reg, reg + 1);
		return 0;
	case FARGS_NODE_SUB:
		add_reg(gen, FARGS_OP_SUB_REG, reg, reg + 1);
		return 0;
	case FARGS_NODE_BITAND:
		add_reg(gen, FARGS_OP_AND_REG, reg, reg + 1);
		return 0;
	case FARGS_NODE_BITOR:
		add_reg(gen, FARGS_OP_OR_REG, reg, reg + 1);
		return 0;
	default:
		/* a ^ b is (a | b) - (a & b) */
		if (reg + 2 >= FARGS_PROG_REGS)
			return set(gen, node, FARGS_PROG_REGS, 0);
		add_reg(gen, FARGS_OP_MOV, reg + 2, reg);
		add_reg(gen, FARGS_OP_AND_REG, reg + 2, reg + 1);
		add_reg(gen, FARGS_OP_OR_REG, reg, reg + 1);
		add_reg(gen, FARGS_OP_SUB_REG, reg, reg + 2);
		return 0;
	}
}

static bool can_leave_type(enum fargs_node_kind kind)
{
	return kind == FARGS_NODE_ADD || kind == FARGS_NODE_SUB || kind == FARGS_NODE_MUL ||
	       kind == FARGS_NODE_SHL;
}

static int put_binary(struct fargs_gen *gen, const struct fargs_node *node, unsigned int reg)
{
	const struct fargs_operand *a, *b;
	struct fargs_operation op;
	int ret = fargs_operation_init(&op, gen->constants, gen->func, node, gen->diagnostic);

	if (ret)
		return ret;
	a = &op.a;
	b = &op.b;
	if (a->is_constant && is_commutative(node->kind)) {
		a = &op.b;
		b = &op.a;
	}
	ret = load_operand(gen, &op, a, reg);
	if (!ret && b->is_constant) {
		apply_constant(gen, node->kind, &op.common, reg, node->kind == FARGS_NODE_SHL ||
			       node->kind == FARGS_NODE_SHR ? b->value : constant_of(&op, b));
	} else if (!ret) {
		ret = load_operand(gen, &op, b, reg + 1);
		if (!ret)
			ret = apply(gen, node, reg);
	}
	if (can_leave_type(node->kind))
		truncate_to(gen, &op.common, reg);
	fargs_code_op(gen->code, FARGS_OP_SAR, reg, op.shift);
	return ret;
}

static int put_unary(struct fargs_gen *gen, const struct fargs_node *node, unsigned int reg)
{
	struct fargs_operation op;
	int ret = fargs_operation_init(&op, gen->constants, gen->func, node, gen->diagnostic);

	if (!ret)
		ret = load_operand(gen, &op, &op.a, reg);
	if (ret)
		return ret;
	fargs_code_op(gen->code, node->kind == FARGS_NODE_NEGATIVE ? FARGS_OP_MUL : FARGS_OP_XOR,
		      reg, UINT64_MAX);
	truncate_to(gen, &op.common, reg);
	return 0;
}

static int put_cast(struct fargs_gen *gen, const struct fargs_node *node, unsigned int reg)
{
	struct fargs_scalar from, to;
	struct fargs_path path;
	__int128 value;
	int ret;

	if (fargs_constant_is(gen->func, node)) {
		ret = fargs_constant_eval(gen->constants, gen->func, node, 0, &value,
					  gen->diagnostic);
		return ret ? ret : set(gen, node, reg, value);
	}
	ret = fargs_path_init(&path, gen->constants, gen->func, node, gen->diagnostic);
	if (!ret)
		ret = fargs_operate_load(gen, node->a, reg, &from);
	if (ret)
		return ret;
	fargs_path_scalar(&path, gen->func->btf, &to);
	convert(gen, &from, &to, reg);
	return 0;
}

static int put_address(struct fargs_gen *gen, const struct fargs_node *node, unsigned int reg)
{
	const struct fargs_typing typing = fargs_gen_typing(gen);
	struct fargs_path path;
	int ret = fargs_path_init(&path, gen->constants, gen->func, node, gen->diagnostic);

	if (!ret)
		ret = fargs_fetch_check_time(&path, &typing, node);
	return ret ? ret : fargs_load_address(gen, &path, node, reg);
}

static int put_container(struct fargs_gen *gen, const struct fargs_node *node, unsigned int reg)
{
	struct fargs_offset offset;
	struct fargs_scalar s;
	int ret = fargs_offset_init(&offset, gen->constants, gen->func, node, gen->diagnostic);

	if (!ret)
		ret = fargs_operate_load(gen, node->a, reg, &s);
	fargs_code_op(gen->code, FARGS_OP_ADD, reg, -offset.bytes);
	return ret;
}

/* Makes r[reg], an index, one whose element cannot be read unless it is below @nr. */
static void limit_index(struct fargs_gen *gen, unsigned int base, unsigned int reg, uint32_t nr)
{
	fargs_code_add(gen->code, (struct fargs_insn){
		.op = FARGS_OP_JIF, .dst = reg, .arg = FARGS_COND_GE, .off = 1, .imm = nr,
	});
	/* Also if the index is unreadable, which makes the address unreadable. */
	fargs_code_add(gen->code, (struct fargs_insn){ .op = FARGS_OP_JMP, .off = 2 });
	set(gen, NULL, base, OUTSIDE);
	set(gen, NULL, reg, 0);
}

/* Generates r[reg] = the address of the element. */
static int put_element(struct fargs_gen *gen, const struct fargs_node *node, unsigned int reg)
{
	const struct fargs_typing typing = fargs_gen_typing(gen);
	const struct fargs_scalar word = { .bits = 64 };
	struct fargs_ctype element;
	const struct btf_type *t;
	struct fargs_scalar index;
	struct fargs_path path;
	uint64_t bytes;
	bool is_array;
	int ret = fargs_path_init(&path, gen->constants, gen->func, node->a, gen->diagnostic);

	if (!ret)
		ret = fargs_fetch_check_time(&path, &typing, node->a);
	if (!ret)
		ret = fargs_path_element(&path, gen->func, node->a, &element, &bytes,
					 gen->diagnostic);
	if (ret)
		return ret;
	t = btf__type_by_id(gen->func->btf, path.base_id);
	is_array = path.base_id && btf_is_array(t);
	ret = is_array ? fargs_load_address(gen, &path, node->a, reg) :
			 fargs_load_scalar(gen, &path, &word, node->a, reg);
	if (!ret)
		ret = fargs_operate_load(gen, node->b, reg + 1, &index);
	if (ret)
		return ret;
	if (is_array && btf_array(t)->nelems)
		limit_index(gen, reg, reg + 1, btf_array(t)->nelems);
	fargs_code_op(gen->code, FARGS_OP_MUL, reg + 1, bytes);
	add_reg(gen, FARGS_OP_ADD_REG, reg, reg + 1);
	return 0;
}

int fargs_operate(struct fargs_gen *gen, const struct fargs_node *node, unsigned int reg)
{
	switch (node->kind) {
	case FARGS_NODE_CAST:
		return put_cast(gen, node, reg);
	case FARGS_NODE_ADDRESS:
		return put_address(gen, node->a, reg);
	case FARGS_NODE_CONTAINER:
		return put_container(gen, node, reg);
	case FARGS_NODE_INDEX:
		return put_element(gen, node, reg);
	case FARGS_NODE_NEGATIVE:
	case FARGS_NODE_INVERT:
		return put_unary(gen, node, reg);
	default:
		return put_binary(gen, node, reg);
	}
}
