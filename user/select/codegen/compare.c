// SPDX-License-Identifier: GPL-2.0-only
#include "select/codegen/compare.h"

#include <errno.h>
#include <string.h>

#include "base/errname.h"
#include "select/codegen/load.h"
#include "select/codegen/operate.h"
#include "select/codegen/set.h"
#include "select/typing/typename.h"

#define TEXT_MAX	96
#define NUMBER_MAX	48

/* The enum fargs_cond values for a comparison of unsigned and of signed numbers. */
struct relation {
	uint8_t cond;		/* for unsigned numbers */
	uint8_t cond_signed;	/* for signed numbers */
};

static const struct relation relations[] = {
	[FARGS_NODE_EQ] = { FARGS_COND_EQ, FARGS_COND_EQ },
	[FARGS_NODE_NE] = { FARGS_COND_NE, FARGS_COND_NE },
	[FARGS_NODE_LT] = { FARGS_COND_LT, FARGS_COND_SLT },
	[FARGS_NODE_LE] = { FARGS_COND_LE, FARGS_COND_SLE },
	[FARGS_NODE_GT] = { FARGS_COND_GT, FARGS_COND_SGT },
	[FARGS_NODE_GE] = { FARGS_COND_GE, FARGS_COND_SGE },
};

static enum fargs_node_kind negated(enum fargs_node_kind kind)
{
	switch (kind) {
	case FARGS_NODE_EQ:
		return FARGS_NODE_NE;
	case FARGS_NODE_NE:
		return FARGS_NODE_EQ;
	case FARGS_NODE_LT:
		return FARGS_NODE_GE;
	case FARGS_NODE_LE:
		return FARGS_NODE_GT;
	case FARGS_NODE_GT:
		return FARGS_NODE_LE;
	default:
		return FARGS_NODE_LT;
	}
}

/* Returns the comparison for swapped operands: a < b is b > a. */
static enum fargs_node_kind turned(enum fargs_node_kind kind)
{
	switch (kind) {
	case FARGS_NODE_LT:
		return FARGS_NODE_GT;
	case FARGS_NODE_LE:
		return FARGS_NODE_GE;
	case FARGS_NODE_GT:
		return FARGS_NODE_LT;
	case FARGS_NODE_GE:
		return FARGS_NODE_LE;
	default:
		return kind;
	}
}

static void jump_if(struct fargs_gen *gen, unsigned int reg, uint8_t cond, uint64_t imm,
		    struct fargs_label *to)
{
	fargs_code_jump(gen->code, (struct fargs_insn){
		.op = FARGS_OP_JIF, .dst = reg, .arg = cond, .imm = imm,
	}, to);
}

static void jump_if_reg(struct fargs_gen *gen, unsigned int a, uint8_t cond, unsigned int b,
			struct fargs_label *to)
{
	fargs_code_jump(gen->code, (struct fargs_insn){
		.op = FARGS_OP_JIF_REG, .dst = a, .arg = cond, .src = b,
	}, to);
}

static const char *number_text(__int128 value, char buf[NUMBER_MAX])
{
	/* @value is any 64-bit integer, signed or unsigned. */
	uint64_t rest = value < 0 ? -(uint64_t)value : (uint64_t)value;
	char *p = buf + NUMBER_MAX - 1;

	*p = '\0';
	do {
		*--p = '0' + rest % 10;
		rest /= 10;
	} while (rest);
	if (value < 0)
		*--p = '-';
	return p;
}

/* Is @s a pointer, and @value a negative errno that a pointer can hold (ERR_PTR)? */
static bool is_error_pointer(const struct fargs_scalar *s, __int128 value)
{
	return s->is_pointer && value < 0 && value >= -FARGS_ERRNO_MAX;
}

int fargs_compare_check(struct fargs_gen *gen, const struct fargs_node *node,
			enum fargs_node_kind kind, const struct fargs_scalar *s,
			const struct fargs_node *side, __int128 value)
{
	__int128 min = fargs_scalar_min(s), max = fargs_scalar_max(s);
	char text[TEXT_MAX], buf[3][NUMBER_MAX];

	fargs_node_text(node, text, sizeof(text));
	if (kind == FARGS_NODE_LT && !value && !s->is_signed)
		return fargs_gen_fail(gen, side, "'%s' is %s, so it is never below 0%s",
					text, s->is_pointer ? "a pointer" : "unsigned",
					s->is_pointer ? ": error pointers are >= -4095" : "");
	if (value >= min && value <= max)
		return 0;
	if (is_error_pointer(s, value))
		return 0;
	if (!s->is_signed && value < 0)
		return fargs_gen_fail(gen, side, "'%s' is %s, so it is never negative",
					text, s->is_pointer ? "a pointer" : "unsigned");
	return fargs_gen_fail(gen, side, "'%s' is never %s: its values range from %s to "
				"%s", text, number_text(value, buf[0]), number_text(min, buf[1]),
				number_text(max, buf[2]));
}

/*
 * Compares a duration in ticks with a time, which need not be a whole number of ticks. Rounds the
 * time such that the result is exact: "> 2.5 ticks" becomes "> 2", ">= 2.5 ticks" becomes ">= 3".
 */
static int compare_duration(struct fargs_gen *gen, const struct fargs_node *side,
			    enum fargs_node_kind kind, struct fargs_label *is_true)
{
	bool is_up = kind == FARGS_NODE_GE || kind == FARGS_NODE_LT;
	__int128 ticks;

	if (side->kind != FARGS_NODE_TIME)
		return fargs_gen_fail(gen, side, "a duration can only be compared with a time and "
					"its unit: 10us, 1.5ms, 2s");
	if (kind == FARGS_NODE_EQ || kind == FARGS_NODE_NE)
		return fargs_gen_fail(gen, side, "no duration is exactly this value: use < or >");
	ticks = (__int128)side->number * gen->tsc_khz + (is_up ? 999999 : 0);
	ticks /= 1000000;
	if (ticks > INT64_MAX)
		return fargs_gen_fail(gen, side, "no call takes this long");
	jump_if(gen, 0, relations[kind].cond, ticks, is_true);
	return 0;
}

static int compare_constant(struct fargs_gen *gen, const struct fargs_node *node,
			    const struct fargs_node *side, enum fargs_node_kind kind,
			    struct fargs_label *is_true)
{
	struct fargs_scalar s;
	__int128 value;
	int ret = fargs_operate_load(gen, node, 0, &s);

	if (ret)
		return ret;
	if (s.is_duration)
		return compare_duration(gen, side, kind, is_true);
	if (side->kind == FARGS_NODE_TIME)
		return fargs_gen_fail(gen, side, "only $duration can be compared with a time");
	ret = fargs_constant_eval(gen->constants, gen->func, side, s.enum_id, &value,
				  gen->diagnostic);
	if (!ret)
		ret = fargs_compare_check(gen, node, kind, &s, side, value);
	if (ret)
		return ret;
	/* Any bool other than 0 is true: compare with 0 instead of 1. */
	if (s.is_bool && value == 1 && (kind == FARGS_NODE_EQ || kind == FARGS_NODE_NE)) {
		kind = negated(kind);
		value = 0;
	}
	jump_if(gen, 0, s.is_signed ? relations[kind].cond_signed : relations[kind].cond,
		(uint64_t)value, is_true);
	return 0;
}

/*
 * Compares a signed number in r[a] with an unsigned 64-bit number in r[b]. A negative r[a]
 * determines the result, but only if r[b] can be read.
 */
static void compare_mixed(struct fargs_gen *gen, unsigned int a, enum fargs_node_kind kind,
			  unsigned int b, struct fargs_label *is_true)
{
	bool is_below = kind == FARGS_NODE_LT || kind == FARGS_NODE_LE || kind == FARGS_NODE_NE;
	struct fargs_label negative = { }, end = { };

	jump_if(gen, a, FARGS_COND_SLT, 0, &negative);
	jump_if_reg(gen, a, relations[kind].cond, b, is_true);
	if (is_below)
		fargs_code_jump(gen->code, (struct fargs_insn){ .op = FARGS_OP_JMP }, &end);
	fargs_code_bind(gen->code, &negative);
	if (is_below)
		jump_if(gen, b, FARGS_COND_GE, 0, is_true);
	fargs_code_bind(gen->code, &end);
}

void fargs_compare_registers(struct fargs_gen *gen, const struct fargs_scalar *sa,
			     const struct fargs_scalar *sb, enum fargs_node_kind kind,
			     struct fargs_label *is_true)
{
	if (!sa->is_signed && !sb->is_signed)
		jump_if_reg(gen, 0, relations[kind].cond, 1, is_true);
	else if ((sa->is_signed || sa->bits < 64) && (sb->is_signed || sb->bits < 64))
		/*
		 * An unsigned number of less than 64 bits is not negative when extended to 64 bits.
		 */
		jump_if_reg(gen, 0, relations[kind].cond_signed, 1, is_true);
	else if (sa->is_signed)
		compare_mixed(gen, 0, kind, 1, is_true);
	else
		compare_mixed(gen, 1, turned(kind), 0, is_true);
}

static int compare_values(struct fargs_gen *gen, const struct fargs_node *a,
			  const struct fargs_node *b, enum fargs_node_kind kind,
			  struct fargs_label *is_true)
{
	struct fargs_scalar sa, sb;
	int ret = fargs_operate_load(gen, a, 0, &sa);

	if (!ret)
		ret = fargs_operate_load(gen, b, 1, &sb);
	if (ret)
		return ret;
	if (sa.is_duration || sb.is_duration)
		return fargs_gen_fail(gen, a, "a duration can only be compared with a time and its "
					"unit: 10us, 1.5ms, 2s");
	fargs_compare_registers(gen, &sa, &sb, kind, is_true);
	return 0;
}

/* Adds a pattern to the pool, without the backslashes that escape quotes. */
static unsigned int add_pattern(struct fargs_gen *gen, const struct fargs_node *string)
{
	char pattern[FARGS_CONST_MAX];
	size_t i, n = 0;

	for (i = 0; i < string->len && n < sizeof(pattern) - 1; i++) {
		if (string->text[i] == '\\' && i + 1 < string->len) {
			if (string->text[i + 1] != '"')
				pattern[n++] = string->text[i];
			i++;
		}
		if (n < sizeof(pattern))
			pattern[n++] = string->text[i];
	}
	return fargs_pool_add(gen->pool, pattern, n);
}

static void jump_if_match(struct fargs_gen *gen, const struct fargs_fetch *fetch,
			  unsigned int pattern, struct fargs_label *to)
{
	gen->code->nr_matches++;
	fargs_code_jump(gen->code, (struct fargs_insn){
		.op = FARGS_OP_JMATCH, .src = 0, .arg = fetch->space, .imm = pattern,
	}, to);
}

int fargs_compare_strings(struct fargs_gen *gen, const struct fargs_node *node,
			  const struct fargs_node *strings, enum fargs_node_kind kind,
			  struct fargs_label *is_true)
{
	struct fargs_label end = { }, *found = kind == FARGS_NODE_EQ ? is_true : &end;
	const struct fargs_typing typing = fargs_gen_typing(gen);
	const struct fargs_node *string;
	struct fargs_fetch fetch;
	int ret;

	if (kind != FARGS_NODE_EQ && kind != FARGS_NODE_NE)
		return fargs_gen_fail(gen, strings, "a string can only be compared using == or !=");
	if (fargs_node_is_condition(node) || fargs_constant_is(gen->func, node))
		return fargs_gen_fail(gen, node, "this is not a string");
	for (string = strings; string; string = string->next)
		if (string->len > FARGS_MATCH_MAX)
			return fargs_gen_fail(gen, string, "this is longer than %d bytes",
					      FARGS_MATCH_MAX);
	ret = fargs_fetch_init_string(&fetch, &typing, node);
	if (!ret && fetch.kind != FARGS_FETCH_STRING)
		return fargs_gen_fail(gen, node, "':%s' can be recorded, but not compared while "
					"recording: use 'report --filter'",
					fargs_format_name(fetch.format));
	if (!ret)
		ret = fargs_load_fetch(gen, &fetch, 0);
	if (ret)
		return ret;
	for (string = strings; string; string = string->next)
		jump_if_match(gen, &fetch, add_pattern(gen, string), found);
	/* Jump only if the string can be read, that is, if it matches "*". */
	if (kind == FARGS_NODE_NE)
		jump_if_match(gen, &fetch, fargs_pool_add(gen->pool, "*", 1), is_true);
	fargs_code_bind(gen->code, &end);
	if (gen->code->nr_matches > FARGS_MATCHES_MAX)
		return fargs_gen_fail(gen, strings, "too many strings: at most %d can be compared "
					"(!= counts as two)", FARGS_MATCHES_MAX);
	return 0;
}

static bool is_literal(const struct fargs_gen *gen, const struct fargs_node *node)
{
	return node->kind == FARGS_NODE_STRING || node->kind == FARGS_NODE_TIME ||
	       fargs_constant_is(gen->func, node);
}

/*
 * Reports an unknown name or, if there is none, that both sides are constants. An unknown name is
 * more likely a misspelt parameter than a constant.
 */
static int fail_constants(struct fargs_gen *gen, const struct fargs_node *node)
{
	const struct fargs_node *sides[] = { node->a, node->b };
	__int128 value;
	int i, ret;

	for (i = 0; i < 2; i++) {
		if (!fargs_constant_is(gen->func, sides[i]))
			continue;
		ret = fargs_constant_eval(gen->constants, gen->func, sides[i], 0, &value,
					  gen->diagnostic);
		if (ret)
			return ret;
	}
	return fargs_gen_fail(gen, node, "both sides of this comparison are constants");
}

/* Jumps to @is_true if @node, "a & b" or a single value, is not 0 (with @is_negated: is 0). */
static int compare_zero(struct fargs_gen *gen, const struct fargs_node *node, bool is_negated,
			struct fargs_label *is_true)
{
	struct fargs_scalar s;
	__int128 ignored;
	int ret;

	if (fargs_constant_is(gen->func, node)) {
		ret = fargs_constant_eval(gen->constants, gen->func, node, 0, &ignored,
					  gen->diagnostic);
		return ret ? ret : fargs_gen_fail(gen, node, "a constant is not a condition");
	}
	ret = fargs_operate_load(gen, node, 0, &s);
	if (!ret && s.is_duration)
		return fargs_gen_fail(gen, node, "compare the duration with a time");
	if (!ret)
		jump_if(gen, 0, is_negated ? FARGS_COND_EQ : FARGS_COND_NE, 0, is_true);
	return ret;
}

int fargs_compare(struct fargs_gen *gen, const struct fargs_node *node, bool is_negated,
		  struct fargs_label *is_true)
{
	const struct fargs_node *a = node->a, *b = node->b;
	enum fargs_node_kind kind = node->kind;

	if (kind == FARGS_NODE_IN)
		return fargs_set(gen, node, is_negated, is_true);
	if (kind < FARGS_NODE_EQ)
		return compare_zero(gen, node, is_negated, is_true);
	if (is_literal(gen, a) && is_literal(gen, b))
		return fail_constants(gen, node);
	if (is_literal(gen, a)) {
		a = node->b;
		b = node->a;
		kind = turned(kind);
	}
	if (is_negated)
		kind = negated(kind);
	if (b->kind == FARGS_NODE_STRING)
		return fargs_compare_strings(gen, a, b, kind, is_true);
	if (is_literal(gen, b))
		return compare_constant(gen, a, b, kind, is_true);
	return compare_values(gen, a, b, kind, is_true);
}
