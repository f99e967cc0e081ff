// SPDX-License-Identifier: GPL-2.0-only
#include "select/typing/constant_op.h"

#include "select/typing/arith.h"
#include "select/typing/path.h"
#include "select/typing/typename.h"

/* Width of values in bits: shift counts must be smaller. */
#define VALUE_BITS	64

__int128 fargs_constant_operate(enum fargs_node_kind kind, __int128 a, __int128 b,
				unsigned int column, struct fargs_diagnostic *m)
{
	switch (kind) {
	case FARGS_NODE_MUL:
		if (__builtin_mul_overflow(a, b, &a))
			fargs_diagnostic_at(m, column, "this does not fit into 64 bits");
		return a;
	case FARGS_NODE_ADD:
		return a + b;
	case FARGS_NODE_SUB:
		return a - b;
	case FARGS_NODE_BITAND:
		return a & b;
	case FARGS_NODE_BITXOR:
		return a ^ b;
	case FARGS_NODE_BITOR:
		return a | b;
	default:
		break;
	}
	if (b < 0 || b >= VALUE_BITS) {
		fargs_diagnostic_at(m, column, "a shift must be by 0 to 63 bits");
		return 0;
	}
	return kind == FARGS_NODE_SHL ? a * ((__int128)1 << (int)b) : a >> (int)b;
}

int fargs_constant_cast(struct fargs_constants *constants, const struct btf *btf,
			const struct fargs_node *node, struct fargs_scalar *scalar,
			__int128 *value, struct fargs_diagnostic *m)
{
	char name[FARGS_TYPENAME_MAX];
	struct fargs_ctype type;
	int ret = fargs_ctype_init(&type, &constants->types, btf, node->b, m);

	if (ret)
		return ret;
	if (!fargs_ctype_scalar(&type, btf, scalar) || scalar->bits > VALUE_BITS)
		return fargs_diagnostic_at(m, node->b->column, "a number cannot be cast to %s",
					   fargs_typename(btf, type.id, name));
	*value = fargs_arith_convert(*value, scalar);
	return 0;
}

/* Is @node a name that only a type can have in @func? */
static bool is_type(const struct fargs_signature *func, const struct fargs_node *node)
{
	return node->kind == FARGS_NODE_TYPE ||
	       (node->kind == FARGS_NODE_NAME && fargs_constant_is(func, node));
}

static int64_t size_of_value(struct fargs_constants *constants, const struct fargs_signature *func,
			     const struct fargs_node *node, struct fargs_diagnostic *m)
{
	struct fargs_ctype type;
	struct fargs_path path;
	struct fargs_scalar s;
	int ret = fargs_path_init(&path, constants, func, node, m);

	if (ret)
		return ret;
	if (path.bitfield_bits)
		return fargs_diagnostic_at(m, node->column, "a bitfield has no size in bytes");
	/* A parameter that is declared as an array is a pointer. */
	if (fargs_path_is_untyped(&path) || fargs_expr_param(func, node) >= 0) {
		if (fargs_path_scalar(&path, func->btf, &s))
			return s.bits / 8;
		if (fargs_path_is_untyped(&path))
			return fargs_diagnostic_at(m, node->column, "this has no fixed size");
		if (path.nr_derefs)
			return sizeof(uint64_t);
	}
	type = (struct fargs_ctype){ .id = path.type_id, .pointers = path.pointers };
	return fargs_ctype_size(&type, func->btf, node, m);
}

int fargs_constant_sizeof(struct fargs_constants *constants, const struct fargs_signature *func,
			  const struct fargs_node *node, __int128 *value,
			  struct fargs_diagnostic *m)
{
	struct fargs_ctype type;
	int64_t size;
	int ret;

	if (is_type(func, node->a)) {
		ret = fargs_ctype_init(&type, &constants->types, func->btf, node->a, m);
		size = ret ? ret : fargs_ctype_size(&type, func->btf, node->a, m);
	} else if (fargs_constant_is(func, node->a)) {
		return fargs_diagnostic_at(m, node->a->column, "a constant has no size");
	} else {
		size = size_of_value(constants, func, node->a, m);
	}
	*value = size;
	return size < 0 ? (int)size : 0;
}
