// SPDX-License-Identifier: GPL-2.0-only
#include "select/typing/path.h"

#include <errno.h>
#include <string.h>

#include "select/syntax/suggest.h"
#include "select/typing/context.h"
#include "select/typing/member.h"
#include "select/typing/operation.h"
#include "select/typing/variable.h"
#include "uapi/fargs_prog.h"
#include "uapi/fargs_record.h"

#define TEXT_MAX	96

/* Largest offset of a load instruction, in bytes. In bits, the offset still fits into 64 bits. */
#define OFFSET_MAX	INT32_MAX

struct resolver {
	struct fargs_constants *constants;
	const struct fargs_signature *func;
	struct fargs_diagnostic *diagnostic;
};

void fargs_path_set_type(struct fargs_path *path, const struct btf *btf,
			 const struct fargs_ctype *type)
{
	path->type_id = type->id;
	path->pointers = type->pointers;
	path->scalar = type->number;
	path->base_id = type->pointers ? 0 : fargs_param_strip(btf, type->id);
}

static void set_type(struct fargs_path *path, const struct btf *btf, uint32_t id)
{
	fargs_path_set_type(path, btf, &(struct fargs_ctype){ .id = id });
}

static const struct btf_type *type_of(const struct fargs_path *path, const struct btf *btf)
{
	return path->base_id ? btf__type_by_id(btf, path->base_id) : NULL;
}

static bool is_pointer(const struct fargs_path *path, const struct btf *btf)
{
	const struct btf_type *t = type_of(path, btf);

	return path->pointers || (t && btf_is_ptr(t));
}

bool fargs_path_is_untyped(const struct fargs_path *path)
{
	return (path->base == FARGS_PATH_CONTEXT || path->base == FARGS_PATH_VALUE) &&
	       !path->nr_derefs && !path->type_id && !path->pointers;
}

bool fargs_path_is_undescribed(const struct fargs_path *path)
{
	return path->base == FARGS_PATH_VARIABLE && path->nr_derefs == 1 && !path->type_id &&
	       !path->pointers && !path->scalar.bits;
}

int fargs_path_fail_undescribed(const struct fargs_node *node, struct fargs_diagnostic *m)
{
	return fargs_diagnostic_at(m, node->column, "BTF has no type of '@%.*s': cast it to the "
				   "type it is declared with, as in (int)@%.*s",
				   (int)node->len, node->text, (int)node->len, node->text);
}

bool fargs_path_scalar(const struct fargs_path *path, const struct btf *btf,
		       struct fargs_scalar *s)
{
	if (path->pointers) {
		*s = (struct fargs_scalar){
			.type = FARGS_TYPE_PTR, .bits = 64, .is_pointer = true,
		};
		return true;
	}
	if (!fargs_path_is_untyped(path) && !(path->base == FARGS_PATH_VARIABLE &&
					      path->scalar.bits))
		return fargs_scalar_init(s, btf, path->base_id, path->bitfield_bits);
	if (path->base != FARGS_PATH_CONTEXT)
		*s = path->scalar;
	else
		fargs_context_scalar(path->index, s);
	return path->base != FARGS_PATH_CONTEXT || path->index != FARGS_CTX_COMM;
}

const char *fargs_path_typename(const struct fargs_path *path, const struct btf *btf,
				char buf[FARGS_TYPENAME_MAX])
{
	size_t len;
	unsigned int i;

	fargs_typename(btf, path->type_id, buf);
	len = strlen(buf);
	for (i = 0; i < path->pointers && len + 2 < FARGS_TYPENAME_MAX; i++) {
		if (!i && buf[len - 1] != '*')
			buf[len++] = ' ';
		buf[len++] = '*';
	}
	buf[len] = '\0';
	return buf;
}

/* Sets the diagnostic "TEXT is of type TYPE", followed by @what. */
static int fail_type(const struct resolver *r, const struct fargs_path *path,
		     const struct fargs_node *node, unsigned int column, const char *what)
{
	char text[TEXT_MAX], name[FARGS_TYPENAME_MAX];

	fargs_node_text(node, text, sizeof(text));
	if (fargs_path_is_untyped(path))
		return fargs_diagnostic_at(r->diagnostic, column, "'%s' has no members", text);
	return fargs_diagnostic_at(r->diagnostic, column, "'%s' is of type %s%s", text,
				   fargs_path_typename(path, r->func->btf, name), what);
}

int fargs_path_deref(struct fargs_path *path, const struct fargs_signature *func,
		     const struct fargs_node *node, struct fargs_diagnostic *m)
{
	struct fargs_ctype target = { .id = path->type_id };

	if (path->pointers)
		target.pointers = path->pointers - 1;
	else
		target.id = type_of(path, func->btf)->type;
	if (path->nr_derefs == FARGS_PATH_DEREFS_MAX)
		return fargs_diagnostic_at(m, node->column,
					   "there are more than %d pointers in a row",
					   FARGS_PATH_DEREFS_MAX);
	path->bit_offsets[++path->nr_derefs] = 0;
	path->bitfield_bits = 0;
	fargs_path_set_type(path, func->btf, &target);
	return 0;
}

int fargs_path_move(struct fargs_path *path, __int128 bytes, const struct fargs_node *node,
		    struct fargs_diagnostic *m)
{
	int64_t *bits = &path->bit_offsets[path->nr_derefs];

	bytes += *bits / 8;
	if (bytes > OFFSET_MAX || bytes < -OFFSET_MAX)
		return fargs_diagnostic_at(m, node->column,
					   "this offset is too large: the limit is 2 GB");
	*bits = 8 * (int64_t)bytes + *bits % 8;
	return 0;
}

int fargs_path_element(const struct fargs_path *path, const struct fargs_signature *func,
		       const struct fargs_node *node, struct fargs_ctype *element,
		       uint64_t *bytes, struct fargs_diagnostic *m)
{
	const struct btf_type *t = type_of(path, func->btf), *of;
	const struct resolver r = { .func = func, .diagnostic = m };
	int64_t size;

	if (fargs_path_is_undescribed(path))
		return fargs_path_fail_undescribed(node, m);
	if (!path->pointers && (!t || !(btf_is_ptr(t) || btf_is_array(t))))
		return fail_type(&r, path, node, node->column, ", which is neither a pointer nor "
				 "an array");
	*element = (struct fargs_ctype){ .id = path->type_id };
	if (path->pointers)
		element->pointers = path->pointers - 1;
	else
		element->id = btf_is_ptr(t) ? t->type : btf_array(t)->type;
	of = btf__type_by_id(func->btf, fargs_param_strip(func->btf, element->id));
	if (!element->pointers && (!of || btf_is_void(of))) {
		*bytes = 1;
		return 0;
	}
	size = fargs_ctype_size(element, func->btf, node, m);
	*bytes = size;
	return size < 0 ? (int)size : 0;
}

static int resolve(struct resolver *r, struct fargs_path *path, const struct fargs_node *node);

/*
 * Makes the path dereference its base. Used if the base contains the address of the object instead
 * of the object: for an array parameter, and for a struct that is returned in memory.
 */
static void enter_memory(struct fargs_path *path)
{
	path->nr_derefs = 1;
	path->bit_offsets[1] = 0;
}

static int resolve_return(struct resolver *r, struct fargs_path *path,
			  const struct fargs_node *node)
{
	path->base = FARGS_PATH_RETURN;
	set_type(path, r->func->btf, r->func->ret_id);
	if (!path->base_id)
		return fargs_diagnostic_at(r->diagnostic, node->column, "%s returns nothing",
					   r->func->name);
	if (r->func->is_ret_in_memory)
		enter_memory(path);
	return 0;
}

static int fail_argument(struct resolver *r, const struct fargs_node *node)
{
	const struct fargs_signature *func = r->func;
	char unnamed[FARGS_SIGNATURE_UNNAMED], wanted[64], names[FARGS_SUGGEST_MAX];
	struct fargs_near near = { .wanted = wanted };
	size_t i, len = node->len < sizeof(wanted) ? node->len : sizeof(wanted) - 1;

	memcpy(wanted, node->text, len);
	wanted[len] = '\0';
	fargs_context_offer(&near);
	for (i = 0; i < func->nr_params; i++)
		if (*func->params[i].name)
			fargs_near_offer(&near, fargs_signature_param_name(func, i, unnamed));
	r->diagnostic->is_unknown_argument |= !r->diagnostic->code;
	return fargs_diagnostic_at(r->diagnostic, node->column, "%s has no argument '%s'%s",
				   func->name, wanted, fargs_suggest(&near, "", names));
}

static int resolve_name(struct resolver *r, struct fargs_path *path, const struct fargs_node *node)
{
	const struct btf_type *t;
	int i = fargs_expr_param(r->func, node);

	if (fargs_expr_is_return(r->func, node))
		return resolve_return(r, path, node);
	if (i < 0)
		return fail_argument(r, node);
	path->base = FARGS_PATH_PARAM;
	path->index = i;
	set_type(path, r->func->btf, r->func->params[i].type_id);
	t = type_of(path, r->func->btf);
	if (t && btf_is_array(t))
		enter_memory(path);
	return 0;
}

static int resolve_context(struct resolver *r, struct fargs_path *path,
			   const struct fargs_node *node)
{
	int ctx;

	if (fargs_expr_is_return(r->func, node))
		return resolve_return(r, path, node);
	ctx = fargs_context_find(node, r->diagnostic);
	path->base = FARGS_PATH_CONTEXT;
	path->index = ctx;
	if (ctx == FARGS_CTX_TASK) {
		set_type(path, r->func->btf, fargs_constants_task(r->constants, r->func->btf));
		if (!path->base_id)
			return fargs_diagnostic_at(r->diagnostic, node->column,
						   "BTF does not describe struct task_struct");
	}
	return ctx < 0 ? ctx : 0;
}

static int resolve_variable(const struct resolver *r, struct fargs_path *path,
			    const struct fargs_node *node)
{
	struct fargs_variable v;
	int ret = fargs_variable_find(&v, &r->constants->variables, r->constants->ksyms,
				      r->func->btf, node, r->diagnostic);

	if (ret)
		return ret;
	path->base = FARGS_PATH_VARIABLE;
	path->value = node;
	enter_memory(path);
	set_type(path, r->func->btf, v.type_id);
	return 0;
}

static int fail_member(struct resolver *r, const struct fargs_path *path,
		       const struct fargs_node *node)
{
	char type[FARGS_TYPENAME_MAX], wanted[64], names[FARGS_SUGGEST_MAX];
	struct fargs_near near = { .wanted = wanted };
	size_t len = node->len < sizeof(wanted) ? node->len : sizeof(wanted) - 1;

	memcpy(wanted, node->text, len);
	wanted[len] = '\0';
	fargs_member_offer(r->func->btf, path->base_id, &near);
	return fargs_diagnostic_at(r->diagnostic, node->column, "no member '%s' in %s%s", wanted,
				   fargs_typename(r->func->btf, path->type_id, type),
				   fargs_suggest(&near, "", names));
}

/* Moves from the struct or union at the end of the path to its member with the name @node. */
static int step_to_member(struct resolver *r, struct fargs_path *path,
			  const struct fargs_node *node)
{
	const struct btf *btf = r->func->btf;
	const struct btf_type *t = type_of(path, btf);
	struct fargs_member member;
	char type[FARGS_TYPENAME_MAX];

	if (t && btf_is_fwd(t))
		return fargs_diagnostic_at(r->diagnostic, node->column,
					   "BTF does not describe struct %s "
					   "here", btf__name_by_offset(btf, t->name_off));
	if (!t || !btf_is_composite(t))
		return fargs_diagnostic_at(r->diagnostic, node->column, "%s has no members",
					   fargs_path_typename(path, btf, type));
	if (!fargs_member_find(&member, btf, path->base_id, node->text, node->len))
		return fail_member(r, path, node);
	path->bit_offsets[path->nr_derefs] += member.bit_offset;
	path->bitfield_bits = member.bitfield_bits;
	set_type(path, btf, member.type_id);
	return fargs_path_move(path, 0, node, r->diagnostic);
}

static int resolve_member(struct resolver *r, struct fargs_path *path,
			  const struct fargs_node *node)
{
	const struct btf *btf = r->func->btf;
	int ret = resolve(r, path, node->a);

	if (ret)
		return ret;
	if (fargs_path_is_undescribed(path))
		return fargs_path_fail_undescribed(node->a, r->diagnostic);
	if (node->is_arrow && !is_pointer(path, btf))
		return fail_type(r, path, node->a, node->column, ", not a pointer: write '.'");
	if (!node->is_arrow && is_pointer(path, btf))
		return fail_type(r, path, node->a, node->column, ", a pointer: write '->'");
	ret = node->is_arrow ? fargs_path_deref(path, r->func, node->a, r->diagnostic) : 0;
	if (ret)
		return ret;
	if (fargs_path_is_untyped(path))
		return fail_type(r, path, node->a, node->column, "");
	return step_to_member(r, path, node);
}

/* Moves from the pointer or array at the end of the path to its element @index. */
static int step_into(struct resolver *r, struct fargs_path *path, const struct fargs_node *node,
		     __int128 index)
{
	struct fargs_ctype element;
	uint64_t bytes;
	int ret = fargs_path_element(path, r->func, node->a, &element, &bytes, r->diagnostic);

	if (ret)
		return ret;
	if (!element.pointers && !fargs_param_strip(r->func->btf, element.id))
		return fail_type(r, path, node->a, node->column,
				 ", whose target has no known type; [0..n] reads n bytes");
	if (is_pointer(path, r->func->btf))
		ret = fargs_path_deref(path, r->func, node, r->diagnostic);
	if (ret)
		return ret;
	fargs_path_set_type(path, r->func->btf, &element);
	return fargs_path_move(path, index * bytes, node, r->diagnostic);
}

/* Moves from the pointer or array at the end of the path to the element whose index is node->b. */
static int step_to_element(struct resolver *r, struct fargs_path *path,
			   const struct fargs_node *node)
{
	const struct btf_type *t;
	__int128 index;
	int ret = fargs_constant_eval(r->constants, r->func, node->b, 0, &index, r->diagnostic);

	if (ret)
		return ret;
	t = type_of(path, r->func->btf);
	/*
	 * An array declared as [] or [0] may have any number of elements, so its index is not
	 * checked.
	 */
	if (t && btf_is_array(t) && btf_array(t)->nelems &&
	    (index < 0 || index >= btf_array(t)->nelems))
		return fail_type(r, path, node->a, node->b->column, ", which has no such element");
	if (index > OFFSET_MAX || index < -OFFSET_MAX)
		return fargs_diagnostic_at(r->diagnostic, node->b->column,
					   "the index is too large");
	return step_into(r, path, node, index);
}

static int resolve_index(struct resolver *r, struct fargs_path *path,
			 const struct fargs_node *node)
{
	int ret = resolve(r, path, node->a);

	return ret ? ret : step_to_element(r, path, node);
}

static int resolve_deref(struct resolver *r, struct fargs_path *path,
			 const struct fargs_node *node)
{
	int ret = resolve(r, path, node->a);

	return ret ? ret : step_into(r, path, node, 0);
}

static int resolve(struct resolver *r, struct fargs_path *path, const struct fargs_node *node)
{
	switch (node->kind) {
	case FARGS_NODE_NAME:
		return resolve_name(r, path, node);
	case FARGS_NODE_CONTEXT:
		return resolve_context(r, path, node);
	case FARGS_NODE_VARIABLE:
		return resolve_variable(r, path, node);
	case FARGS_NODE_MEMBER:
		return resolve_member(r, path, node);
	case FARGS_NODE_INDEX:
		if (fargs_constant_is(r->func, node->b))
			return resolve_index(r, path, node);
		return fargs_operation_path(path, r->constants, r->func, node, r->diagnostic);
	case FARGS_NODE_DEREF:
		return resolve_deref(r, path, node);
	case FARGS_NODE_CAST:
	case FARGS_NODE_ADDRESS:
	case FARGS_NODE_CONTAINER:
	case FARGS_NODE_NEGATIVE:
	case FARGS_NODE_INVERT:
	case FARGS_NODE_MUL ... FARGS_NODE_BITOR:
		return fargs_operation_path(path, r->constants, r->func, node, r->diagnostic);
	case FARGS_NODE_RANGE:
		return fargs_diagnostic_at(r->diagnostic, node->column,
					   "nothing can follow a range");
	case FARGS_NODE_FORMAT:
		return fargs_diagnostic_at(r->diagnostic, node->column,
					   "a format must follow the whole value");
	default:
		return fargs_diagnostic_at(r->diagnostic, node->column,
					   "this is not a value of a call");
	}
}

int fargs_path_init(struct fargs_path *path, struct fargs_constants *constants,
		    const struct fargs_signature *func, const struct fargs_node *node,
		    struct fargs_diagnostic *m)
{
	struct resolver r = { constants, func, m };

	memset(path, 0, sizeof(*path));
	return resolve(&r, path, node);
}

static int within(struct resolver *r, struct fargs_path *path, const struct fargs_node *node)
{
	bool is_first = node->kind == FARGS_NODE_NAME;
	int ret = 0;

	if (node->kind == FARGS_NODE_MEMBER && node->is_arrow)
		return fargs_diagnostic_at(r->diagnostic, node->column, "'%.*s' is in another "
					   "object: a member of the type itself is expected",
					   node->len > 40 ? 40 : (int)node->len, node->text);
	if (!is_first && node->kind != FARGS_NODE_MEMBER && node->kind != FARGS_NODE_INDEX)
		return fargs_diagnostic_at(r->diagnostic, node->column,
					   "the name of a member is expected here");
	if (!is_first)
		ret = within(r, path, node->a);
	if (ret)
		return ret;
	if (node->kind != FARGS_NODE_INDEX)
		return step_to_member(r, path, node);
	if (is_pointer(path, r->func->btf))
		return fail_type(r, path, node->a, node->column, ", which is not an array");
	return step_to_element(r, path, node);
}

int fargs_path_within(struct fargs_path *path, struct fargs_constants *constants,
		      const struct fargs_signature *func, const struct fargs_node *node,
		      struct fargs_diagnostic *m)
{
	struct resolver r = { constants, func, m };

	return within(&r, path, node);
}
