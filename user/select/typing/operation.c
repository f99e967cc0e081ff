// SPDX-License-Identifier: GPL-2.0-only
#include "select/typing/operation.h"

#include <errno.h>
#include <string.h>

#include "select/typing/arith.h"
#include "select/typing/constant_type.h"
#include "select/typing/offset.h"
#include "uapi/fargs_record.h"

#define TEXT_MAX	96

/* Values of more bits fit into no register. */
#define VALUE_BITS	64

struct checker {
	struct fargs_constants *constants;
	const struct fargs_signature *func;
	struct fargs_diagnostic *diagnostic;
};

#define fail(c, node, ...)	fargs_diagnostic_at((c)->diagnostic, (node)->column, __VA_ARGS__)

static const char *text_of(const struct fargs_node *node, char buf[TEXT_MAX])
{
	fargs_node_text(node, buf, TEXT_MAX);
	return buf;
}

static const char *mark_of(const struct fargs_node *node)
{
	static const char *const marks[] = {
		[FARGS_NODE_MUL] = "*", [FARGS_NODE_ADD] = "+", [FARGS_NODE_SUB] = "-",
		[FARGS_NODE_SHL] = "<<", [FARGS_NODE_SHR] = ">>", [FARGS_NODE_BITAND] = "&",
		[FARGS_NODE_BITXOR] = "^", [FARGS_NODE_BITOR] = "|",
		[FARGS_NODE_NEGATIVE] = "-", [FARGS_NODE_INVERT] = "~",
	};

	return marks[node->kind];
}

/* Sets the target of an operand that is a pointer. */
static int set_target(const struct checker *c, const struct fargs_path *path,
		      struct fargs_operand *operand)
{
	const struct btf *btf = c->func->btf;
	const struct btf_type *t = btf__type_by_id(btf, path->base_id), *to;
	int64_t bytes;

	if (!operand->scalar.is_pointer)
		return 0;
	operand->target = (struct fargs_ctype){ .id = path->type_id };
	if (path->pointers)
		operand->target.pointers = path->pointers - 1;
	else
		operand->target.id = t && btf_is_ptr(t) ? t->type : 0;
	to = btf__type_by_id(btf, fargs_param_strip(btf, operand->target.id));
	operand->target_bytes = 1;
	if (!operand->target.pointers && (!to || btf_is_void(to) || btf_is_func_proto(to) ||
					  btf_is_fwd(to)))
		return 0;
	bytes = fargs_ctype_size(&operand->target, btf, operand->node, c->diagnostic);
	operand->target_bytes = bytes;
	return bytes < 0 ? (int)bytes : 0;
}

static int check_operand(const struct checker *c, const struct fargs_node *node,
			 struct fargs_operand *operand)
{
	char text[TEXT_MAX], name[FARGS_TYPENAME_MAX];
	struct fargs_path path;
	int ret;

	*operand = (struct fargs_operand){ .node = node, .scale = 1 };
	if (node->kind == FARGS_NODE_FORMAT && node->format != FARGS_FORMAT_STR &&
	    node->format != FARGS_FORMAT_USTR)
		node = node->a;
	if (fargs_node_is_condition(node) && node->kind != FARGS_NODE_BITAND)
		return fail(c, node, "this is true or false, not a number");
	if (node->kind == FARGS_NODE_STRING)
		return fail(c, node, "a string can only be compared using == or !=");
	if (node->kind == FARGS_NODE_TIME)
		return fail(c, node, "only $duration can be compared with a time");
	if (node->kind == FARGS_NODE_RANGE)
		return fail(c, node, "a range is not a number");
	ret = fargs_path_init(&path, c->constants, c->func, node, c->diagnostic);
	if (ret)
		return ret;
	if (fargs_path_is_undescribed(&path))
		return fargs_path_fail_undescribed(node, c->diagnostic);
	if (!fargs_path_scalar(&path, c->func->btf, &operand->scalar)) {
		text_of(node, text);
		if (fargs_path_is_untyped(&path))
			return fail(c, node, "'%s' is a string, not a number", text);
		return fail(c, node, "'%s' is of type %s, not a number", text,
			    fargs_path_typename(&path, c->func->btf, name));
	}
	if (operand->scalar.bits > VALUE_BITS)
		return fail(c, node, "there is no arithmetic with values of 128 bits");
	return set_target(c, &path, operand);
}

/* Evaluates a constant operand; its name may be an enumerator of the enum of @other. */
static int check_constant(const struct checker *c, const struct fargs_node *node,
			  const struct fargs_operand *other, struct fargs_operand *operand)
{
	struct fargs_typed_constant constant;
	int ret = fargs_constant_type(c->constants, c->func, node, other->scalar.enum_id,
				      &constant, c->diagnostic);

	*operand = (struct fargs_operand){
		.node = node, .is_constant = true, .scale = 1, .scalar = constant.scalar,
		.value = constant.value,
	};
	if (!ret && constant.scalar.is_pointer)
		return fail(c, node, "there is no arithmetic with constant pointers: cast both "
			    "sides to u64");
	return ret;
}

static int check_operands(const struct checker *c, const struct fargs_node *node,
			  struct fargs_operation *op)
{
	bool is_a_constant = fargs_constant_is(c->func, node->a);
	bool is_b_constant = !node->b || fargs_constant_is(c->func, node->b);
	int ret = 0;

	if (!is_a_constant)
		ret = check_operand(c, node->a, &op->a);
	if (!ret && !is_b_constant)
		ret = check_operand(c, node->b, &op->b);
	if (!ret && is_a_constant)
		ret = check_constant(c, node->a, &op->b, &op->a);
	if (!ret && node->b && is_b_constant)
		ret = check_constant(c, node->b, &op->a, &op->b);
	if (!ret && (op->a.scalar.is_duration || op->b.scalar.is_duration))
		return fail(c, node, "'%s' cannot be applied to a duration", mark_of(node));
	return ret;
}

static int check_difference(const struct checker *c, const struct fargs_node *node,
			    struct fargs_operation *op)
{
	uint64_t bytes = op->a.target_bytes;

	if (bytes != op->b.target_bytes || !bytes || bytes & (bytes - 1))
		return fail(c, node, "the difference of these pointers cannot be computed in "
			    "elements: cast both of them to u64");
	op->shift = __builtin_ctzll(bytes);
	op->common = fargs_arith_integer(64, true);
	op->result = op->common;
	return 0;
}

/* Checks "pointer + number" and the like. */
static int check_pointers(const struct checker *c, const struct fargs_node *node,
			  struct fargs_operation *op)
{
	bool is_a = op->a.scalar.is_pointer, is_b = op->b.scalar.is_pointer;
	char text[TEXT_MAX];

	if (node->kind == FARGS_NODE_SUB && is_a && is_b)
		return check_difference(c, node, op);
	if ((node->kind != FARGS_NODE_ADD && node->kind != FARGS_NODE_SUB) || (is_a && is_b) ||
	    (is_b && node->kind == FARGS_NODE_SUB))
		return fail(c, node, "'%s' is a pointer, to which '%s' cannot be applied: cast it "
			    "to u64", text_of(is_a ? node->a : node->b, text), mark_of(node));
	op->common = fargs_arith_integer(64, false);
	op->type = is_a ? op->a.target : op->b.target;
	op->type.pointers++;
	op->result = (struct fargs_scalar){
		.type = FARGS_TYPE_PTR, .bits = 64, .is_pointer = true,
	};
	if (is_a)
		op->b.scale = op->a.target_bytes;
	else
		op->a.scale = op->b.target_bytes;
	return 0;
}

static int check_shift(const struct checker *c, const struct fargs_node *node,
		       const struct fargs_operation *op)
{
	if (!op->b.is_constant)
		return fail(c, node->b, "the kernel module can only shift by a constant");
	if (op->b.value < 0 || op->b.value >= op->common.bits)
		return fail(c, node->b, "this value can be shifted by 0 to %d bits",
			    op->common.bits - 1);
	return 0;
}

int fargs_operation_init(struct fargs_operation *op, struct fargs_constants *constants,
			 const struct fargs_signature *func, const struct fargs_node *node,
			 struct fargs_diagnostic *m)
{
	const struct checker c = { constants, func, m };
	bool is_unary = !node->b, has_pointer;
	int ret;

	*op = (struct fargs_operation){ };
	ret = check_operands(&c, node, op);
	if (ret)
		return ret;
	has_pointer = op->a.scalar.is_pointer || op->b.scalar.is_pointer;
	if (has_pointer && (node->kind == FARGS_NODE_MUL || node->kind == FARGS_NODE_ADD ||
			    node->kind == FARGS_NODE_SUB || node->kind == FARGS_NODE_NEGATIVE))
		return check_pointers(&c, node, op);
	op->common = is_unary ? fargs_arith_promote(&op->a.scalar) :
				fargs_arith_common(node->kind, &op->a.scalar, &op->b.scalar);
	op->result = op->common;
	/* The names of bits are those of the enum; the value is tested with them. */
	if (node->kind >= FARGS_NODE_BITAND && node->kind <= FARGS_NODE_BITOR)
		op->result.enum_id = op->a.scalar.enum_id ? op->a.scalar.enum_id :
							    op->b.scalar.enum_id;
	if (node->kind == FARGS_NODE_SHL || node->kind == FARGS_NODE_SHR)
		return check_shift(&c, node, op);
	if (node->kind == FARGS_NODE_MUL && !op->a.is_constant && !op->b.is_constant)
		return fail(&c, node, "the kernel module can only multiply by a constant");
	return 0;
}

int fargs_operand_init(struct fargs_operand *operand, struct fargs_constants *constants,
		       const struct fargs_signature *func, const struct fargs_node *node,
		       struct fargs_diagnostic *m)
{
	const struct checker c = { constants, func, m };

	return check_operand(&c, node, operand);
}

static void set_pointer(const struct checker *c, struct fargs_path *path,
			struct fargs_ctype type)
{
	type.pointers++;
	fargs_path_set_type(path, c->func->btf, &type);
}

static int find_result(const struct checker *c, struct fargs_path *path,
		       const struct fargs_node *node)
{
	struct fargs_operation op;
	__int128 ignored;
	int ret;

	/* An unknown name is more likely a misspelt argument than a constant. */
	if (fargs_constant_is(c->func, node)) {
		ret = fargs_constant_eval(c->constants, c->func, node, 0, &ignored, c->diagnostic);
		return ret ? ret : fail(c, node, "this is not a value of a call");
	}
	ret = fargs_operation_init(&op, c->constants, c->func, node, c->diagnostic);
	path->scalar = op.result;
	if (!ret && op.result.is_pointer)
		fargs_path_set_type(path, c->func->btf, &op.type);
	return ret;
}

/* Sets @path to a variable that BTF does not describe, of the type that it is cast to. */
static int find_declared(const struct checker *c, struct fargs_path *path,
			 const struct fargs_node *node, const struct fargs_ctype *type)
{
	int ret = fargs_path_init(path, c->constants, c->func, node->a, c->diagnostic);

	if (ret)
		return ret;
	fargs_path_set_type(path, c->func->btf, type);
	return fargs_path_is_undescribed(path) || (!type->pointers && !type->number.bits &&
						   !path->base_id) ?
	       fail(c, node->b, "no variable is of type void") : 0;
}

static bool is_undescribed(const struct checker *c, const struct fargs_node *node)
{
	struct fargs_path path;

	return node->kind == FARGS_NODE_VARIABLE &&
	       !fargs_path_init(&path, c->constants, c->func, node, c->diagnostic) &&
	       fargs_path_is_undescribed(&path);
}

static int find_cast(const struct checker *c, struct fargs_path *path,
		     const struct fargs_node *node)
{
	struct fargs_operand operand;
	char name[FARGS_TYPENAME_MAX];
	struct fargs_ctype type;
	struct fargs_scalar s;
	__int128 ignored;
	int ret = fargs_ctype_init(&type, &c->constants->types, c->func->btf, node->b,
				   c->diagnostic);

	if (ret)
		return ret;
	if (is_undescribed(c, node->a))
		return find_declared(c, path, node, &type);
	fargs_path_set_type(path, c->func->btf, &type);
	if (!type.pointers && !type.number.bits && !path->base_id)
		return fail(c, node->b, "a value cannot be cast to void");
	if (!fargs_path_scalar(path, c->func->btf, &s) || s.bits > VALUE_BITS)
		return fail(c, node->b, "a value cannot be cast to %s, but its address can: write "
			    "'*(TYPE *)&'",
			    fargs_path_typename(path, c->func->btf, name));
	if (fargs_constant_is(c->func, node->a))
		return fargs_constant_eval(c->constants, c->func, node->a, s.enum_id, &ignored,
					   c->diagnostic);
	ret = check_operand(c, node->a, &operand);
	if (!ret && operand.scalar.is_duration)
		return fail(c, node, "a duration cannot be cast");
	return ret;
}

static int find_address(const struct checker *c, struct fargs_path *path,
			const struct fargs_node *node)
{
	struct fargs_path of;
	char text[TEXT_MAX];
	int ret = fargs_path_init(&of, c->constants, c->func, node->a, c->diagnostic);

	if (ret)
		return ret;
	if (!of.nr_derefs)
		return fail(c, node, "'%s' is not in memory, so it has no address",
			    text_of(node->a, text));
	if (of.bitfield_bits)
		return fail(c, node, "'%s' is a bitfield, which has no address",
			    text_of(node->a, text));
	set_pointer(c, path, (struct fargs_ctype){ .id = of.type_id, .pointers = of.pointers });
	return 0;
}

/* Removes qualifiers, and counts the pointers that BTF has as types of their own. */
static struct fargs_ctype peel(const struct btf *btf, struct fargs_ctype type)
{
	const struct btf_type *t;
	unsigned int i;

	for (i = 0; i < FARGS_PATH_DEREFS_MAX; i++) {
		type.id = fargs_param_strip(btf, type.id);
		t = btf__type_by_id(btf, type.id);
		if (!t || !btf_is_ptr(t))
			break;
		type.pointers++;
		type.id = t->type;
	}
	return type;
}

/* BTF of a module can have types that BTF of vmlinux also has: compare their names. */
static bool is_same_type(const struct btf *btf, struct fargs_ctype a, struct fargs_ctype b)
{
	const struct fargs_ctype x = peel(btf, a), y = peel(btf, b);
	const struct btf_type *t = btf__type_by_id(btf, x.id), *u = btf__type_by_id(btf, y.id);

	if (x.pointers != y.pointers)
		return false;
	return x.id == y.id ||
	       (t && u && btf_kind(t) == btf_kind(u) && t->name_off && u->name_off &&
		!strcmp(btf__name_by_offset(btf, t->name_off),
			btf__name_by_offset(btf, u->name_off)));
}

static int find_container(const struct checker *c, struct fargs_path *path,
			  const struct fargs_node *node)
{
	const struct btf *btf = c->func->btf;
	char text[TEXT_MAX], name[FARGS_TYPENAME_MAX], of[FARGS_TYPENAME_MAX];
	struct fargs_path target = { }, member = { };
	struct fargs_offset offset;
	struct fargs_operand operand;
	int ret = fargs_offset_init(&offset, c->constants, c->func, node, c->diagnostic);

	if (!ret)
		ret = check_operand(c, node->a, &operand);
	if (ret)
		return ret;
	if (!operand.scalar.is_pointer)
		return fail(c, node->a, "'%s' is not a pointer: cast it to one",
			    text_of(node->a, text));
	fargs_path_set_type(&target, btf, &operand.target);
	fargs_path_set_type(&member, btf, &offset.member);
	/* As in the kernel, a pointer to void is one to anything. */
	if ((target.pointers || target.base_id) &&
	    !is_same_type(btf, operand.target, offset.member))
		return fail(c, node->a, "'%s' points to %s, but the member is of type %s",
			    text_of(node->a, text), fargs_path_typename(&target, btf, name),
			    fargs_path_typename(&member, btf, of));
	set_pointer(c, path, offset.container);
	return 0;
}

/* The element of an array or pointer, at an index that is known only at the call. */
static int find_element(const struct checker *c, struct fargs_path *path,
			const struct fargs_node *node)
{
	const struct btf *btf = c->func->btf;
	struct fargs_operand index;
	struct fargs_ctype element;
	struct fargs_path of;
	uint64_t bytes;
	int ret = fargs_path_init(&of, c->constants, c->func, node->a, c->diagnostic);

	if (!ret)
		ret = fargs_path_element(&of, c->func, node->a, &element, &bytes, c->diagnostic);
	if (!ret)
		ret = check_operand(c, node->b, &index);
	if (ret)
		return ret;
	if (index.scalar.is_pointer || index.scalar.is_duration)
		return fail(c, node->b, "this is not an index");
	if (!element.pointers && !fargs_param_strip(btf, element.id))
		return fail(c, node, "the elements have no known type; [i..n] reads bytes");
	path->nr_derefs = 1;
	fargs_path_set_type(path, btf, &element);
	return 0;
}

int fargs_operation_path(struct fargs_path *path, struct fargs_constants *constants,
			 const struct fargs_signature *func, const struct fargs_node *node,
			 struct fargs_diagnostic *m)
{
	const struct checker c = { constants, func, m };

	path->base = FARGS_PATH_VALUE;
	path->value = node;
	switch (node->kind) {
	case FARGS_NODE_CAST:
		return find_cast(&c, path, node);
	case FARGS_NODE_ADDRESS:
		return find_address(&c, path, node);
	case FARGS_NODE_CONTAINER:
		return find_container(&c, path, node);
	case FARGS_NODE_INDEX:
		return find_element(&c, path, node);
	default:
		return find_result(&c, path, node);
	}
}
