// SPDX-License-Identifier: GPL-2.0-only
#include "select/typing/constant_type.h"

#include "select/typing/arith.h"
#include "select/typing/constant_op.h"

struct typer {
	struct fargs_constants *constants;
	const struct fargs_signature *func;
	uint32_t enum_id;
	struct fargs_diagnostic *m;
};

/* A decimal literal is never an unsigned int; hexadecimal, octal and binary ones can be. */
static struct fargs_scalar type_of_literal(const struct fargs_node *node)
{
	bool is_decimal = !node->len || node->text[0] != '0';

	if (!is_decimal && node->number > INT32_MAX && node->number <= UINT32_MAX)
		return fargs_arith_integer(32, false);
	return fargs_arith_constant(node->number);
}

/* Makes @value a number of the type @s. */
static int take(const struct typer *t, const struct fargs_node *node, const struct fargs_scalar *s,
		__int128 value, struct fargs_typed_constant *result)
{
	*result = (struct fargs_typed_constant){ .scalar = *s, .value = value };
	if (!s->is_signed) {
		result->value = fargs_arith_convert(value, s);
		return 0;
	}
	if (value > UINT64_MAX || value < INT64_MIN)
		return fargs_diagnostic_at(t->m, node->column, "this does not fit into 64 bits");
	if (value < fargs_scalar_min(s) || value > fargs_scalar_max(s))
		result->scalar = fargs_arith_constant(value);
	return 0;
}

static int type(const struct typer *t, const struct fargs_node *node,
		struct fargs_typed_constant *result);

static int type_unary(const struct typer *t, const struct fargs_node *node,
		      struct fargs_typed_constant *result)
{
	struct fargs_scalar s;
	struct fargs_typed_constant a;
	int ret = type(t, node->a, &a);

	if (ret)
		return ret;
	s = fargs_arith_promote(&a.scalar);
	return take(t, node, &s, node->kind == FARGS_NODE_NEGATIVE ? -a.value : ~a.value, result);
}

static int type_binary(const struct typer *t, const struct fargs_node *node,
		       struct fargs_typed_constant *result)
{
	bool is_shift = node->kind == FARGS_NODE_SHL || node->kind == FARGS_NODE_SHR;
	struct fargs_scalar s;
	struct fargs_typed_constant a, b;
	int ret = type(t, node->a, &a);

	if (!ret)
		ret = type(t, node->b, &b);
	if (ret)
		return ret;
	if (a.scalar.is_pointer || b.scalar.is_pointer)
		return fargs_diagnostic_at(t->m, node->column, "there is no arithmetic with "
					   "constant pointers alone: cast them to u64");
	s = fargs_arith_common(node->kind, &a.scalar, &b.scalar);
	if (is_shift && !s.is_signed && b.value >= s.bits)
		return fargs_diagnostic_at(t->m, node->b->column,
					   "this value can be shifted by 0 to %d bits", s.bits - 1);
	if (!s.is_signed) {
		a.value = fargs_arith_convert(a.value, &s);
		if (!is_shift)
			b.value = fargs_arith_convert(b.value, &s);
	}
	a.value = fargs_constant_operate(node->kind, a.value, b.value, node->b->column, t->m);
	return t->m->code ? -t->m->code : take(t, node, &s, a.value, result);
}

static int type_cast(const struct typer *t, const struct fargs_node *node,
		     struct fargs_typed_constant *result)
{
	int ret = type(t, node->a, result);

	return ret ? ret : fargs_constant_cast(t->constants, t->func->btf, node, &result->scalar,
					       &result->value, t->m);
}

static int type(const struct typer *t, const struct fargs_node *node,
		struct fargs_typed_constant *result)
{
	int ret;

	switch (node->kind) {
	case FARGS_NODE_NEGATIVE:
	case FARGS_NODE_INVERT:
		return type_unary(t, node, result);
	case FARGS_NODE_MUL ... FARGS_NODE_BITOR:
		return type_binary(t, node, result);
	case FARGS_NODE_CAST:
		return type_cast(t, node, result);
	default:
		break;
	}
	ret = fargs_constant_eval(t->constants, t->func, node, t->enum_id, &result->value, t->m);
	if (node->kind == FARGS_NODE_NUMBER)
		result->scalar = type_of_literal(node);
	else if (node->kind == FARGS_NODE_SIZEOF)
		result->scalar = fargs_arith_integer(64, false);
	else
		result->scalar = fargs_arith_constant(result->value);
	return ret;
}

int fargs_constant_type(struct fargs_constants *constants, const struct fargs_signature *func,
			const struct fargs_node *node, uint32_t enum_id,
			struct fargs_typed_constant *result, struct fargs_diagnostic *m)
{
	const struct typer t = { constants, func, enum_id, m };

	*result = (struct fargs_typed_constant){ };
	return type(&t, node, result);
}
