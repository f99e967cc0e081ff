// SPDX-License-Identifier: GPL-2.0-only
#include "select/typing/fetch.h"

#include <errno.h>

#include "abi/syscalls.h"
#include "select/typing/context.h"
#include "select/typing/printer.h"
#include "select/typing/typename.h"
#include "uapi/fargs_prog.h"
#include "uapi/fargs_record.h"

#define TEXT_MAX	96

/* Limit for the start of a range, in elements: more than fit into a record. */
#define ELEMENTS_MAX	INT32_MAX

static const struct btf_type *type_of(const struct fargs_path *path, const struct btf *btf)
{
	return path->base_id ? btf__type_by_id(btf, path->base_id) : NULL;
}

/* Is the type a byte: char, unsigned char, u8? */
static bool is_byte(const struct btf *btf, uint32_t id)
{
	const struct btf_type *t = btf__type_by_id(btf, fargs_param_strip(btf, id));

	return t && btf_is_int(t) && t->size == 1 && !(btf_int_encoding(t) & BTF_INT_BOOL);
}

/* Is the type C's plain char? An array of char is a string unless another format is requested. */
static bool is_char(const struct btf *btf, uint32_t id)
{
	struct fargs_scalar s;

	return fargs_scalar_init(&s, btf, fargs_param_strip(btf, id), 0) &&
	       s.type == FARGS_TYPE_CHAR;
}

static int fail_string(const struct fargs_fetch *f, const struct fargs_typing *typing)
{
	char text[TEXT_MAX], name[FARGS_TYPENAME_MAX];

	fargs_node_text(f->node, text, sizeof(text));
	return fargs_typing_fail(typing, f->node, "'%s' is of type %s, not the address "
				"of a string", text,
				fargs_path_typename(&f->path, typing->func->btf, name));
}

static bool is_wanted_string(const struct fargs_fetch *f)
{
	return f->format == FARGS_FORMAT_STR || f->format == FARGS_FORMAT_USTR;
}

static int init_context(struct fargs_fetch *f, const struct fargs_typing *typing)
{
	if (f->path.index == FARGS_CTX_COMM) {
		f->kind = FARGS_FETCH_STRING;
		f->space = FARGS_SPACE_KERNEL;
		f->bytes = FARGS_COMM_LEN;
		return 0;
	}
	if (is_wanted_string(f) || fargs_format_is_object(f->format))
		return fargs_typing_fail(typing, f->node, "this is a number, not a string");
	fargs_context_scalar(f->path.index, &f->scalar);
	if (f->scalar.is_duration && !typing->is_return)
		return fargs_typing_fail(typing, f->node, "the duration is known only at the "
					"return: write it after '->'");
	return 0;
}

/* Initializes a number that is computed, and may be the address of a string. */
static int init_number(struct fargs_fetch *f, const struct fargs_typing *typing)
{
	f->scalar = f->path.scalar;
	if (fargs_format_is_object(f->format) &&
	    (f->format != FARGS_FORMAT_INET || f->scalar.bits != 32))
		return fargs_typing_fail(typing, f->node, "this is a number: cast it to a pointer");
	if (!is_wanted_string(f))
		return 0;
	if (f->scalar.bits < 64)
		return fargs_typing_fail(typing, f->node, "this is a number, not a string");
	f->kind = FARGS_FETCH_STRING;
	return 0;
}

/*
 * Initializes a string whose address is the pointer, or the integer of the same width, at the end
 * of the path.
 */
static int init_pointed_string(struct fargs_fetch *f, const struct fargs_typing *typing,
			       const struct btf_type *t)
{
	const struct btf *btf = typing->func->btf;
	uint32_t to = t && btf_is_ptr(t) ? t->type : 0;

	if (f->path.pointers) {
		to = f->path.type_id;
		if (f->path.pointers > 1 || (fargs_param_strip(btf, to) && !is_byte(btf, to)))
			return fail_string(f, typing);
	} else if (f->path.bitfield_bits ||
		   (btf_is_ptr(t) ? fargs_param_strip(btf, to) && !is_byte(btf, to)
				  : !btf_is_int(t) || t->size != sizeof(uint64_t))) {
		return fail_string(f, typing);
	}
	f->kind = FARGS_FETCH_STRING;
	return 0;
}

static int init_array(struct fargs_fetch *f, const struct fargs_typing *typing,
		      const struct btf_type *t)
{
	const struct btf *btf = typing->func->btf;
	uint32_t of = btf_array(t)->type;

	if (is_wanted_string(f) ? is_byte(btf, of) : is_char(btf, of) && !f->format) {
		f->kind = FARGS_FETCH_STRING;
		f->is_there = true;
		f->bytes = btf_array(t)->nelems;
		return 0;
	}
	return is_wanted_string(f) ? fail_string(f, typing) : 1;
}

static int init_object(struct fargs_fetch *f, const struct fargs_typing *typing)
{
	int64_t size = btf__resolve_size(typing->func->btf, f->path.type_id);
	char name[FARGS_TYPENAME_MAX];

	f->kind = FARGS_FETCH_OBJECT;
	f->bytes = size;
	if (size > 0)
		return 0;
	fargs_typename(typing->func->btf, f->path.type_id, name);
	return fargs_typing_fail(typing, f->node, "the length of %s is not known%s", name,
				size ? "" : ": give a range, [0..n]");
}

static int init_typed(struct fargs_fetch *f, const struct fargs_typing *typing)
{
	const struct btf *btf = typing->func->btf;
	const struct btf_type *t = type_of(&f->path, btf);
	char name[FARGS_TYPENAME_MAX];
	int ret;

	if (f->path.pointers && fargs_format_is_object(f->format))
		return fargs_printer_init(f, typing);
	if (f->path.pointers && is_wanted_string(f))
		return init_pointed_string(f, typing, t);
	if (f->path.pointers) {
		fargs_path_scalar(&f->path, btf, &f->scalar);
		return 0;
	}
	if (fargs_path_is_undescribed(&f->path))
		return fargs_path_fail_undescribed(f->node, typing->diagnostic);
	if (f->path.base == FARGS_PATH_VARIABLE && f->path.scalar.bits)
		return init_number(f, typing);
	if (!t)
		return fargs_typing_fail(typing, f->node, "BTF does not describe its type");
	if (fargs_format_is_object(f->format))
		return fargs_printer_init(f, typing);
	if (btf_is_array(t)) {
		ret = init_array(f, typing, t);
		return ret > 0 ? init_object(f, typing) : ret;
	}
	if (is_wanted_string(f))
		return init_pointed_string(f, typing, t);
	if (btf_is_composite(t))
		return init_object(f, typing);
	f->kind = FARGS_FETCH_SCALAR;
	if (fargs_scalar_init(&f->scalar, btf, f->path.base_id, f->path.bitfield_bits))
		return 0;
	if (btf_is_fwd(t))
		return fargs_typing_fail(typing, f->node, "BTF does not describe %s",
					fargs_typename(btf, f->path.type_id, name));
	return fargs_typing_fail(typing, f->node, "values of type %s cannot be shown",
				fargs_typename(btf, f->path.type_id, name));
}

int fargs_fetch_check_time(const struct fargs_path *path, const struct fargs_typing *typing,
			   const struct fargs_node *node)
{
	if (path->base != FARGS_PATH_RETURN || typing->is_return)
		return 0;
	return fargs_typing_fail(typing, node, "the return value is known only at the return: "
				"write it after '->'");
}

static int init_range(struct fargs_fetch *f, const struct fargs_typing *typing,
		      const struct fargs_node *node)
{
	const struct btf *btf = typing->func->btf;
	const struct btf_type *t;
	struct fargs_ctype element;
	__int128 from = 0;
	int ret = fargs_path_init(&f->path, typing->constants, typing->func, node->a,
				  typing->diagnostic);

	if (!ret)
		ret = fargs_fetch_check_time(&f->path, typing, f->node);
	if (!ret)
		ret = fargs_path_element(&f->path, typing->func, node->a, &element,
					 &f->element_bytes, typing->diagnostic);
	if (!ret && fargs_constant_is(typing->func, node->b))
		ret = fargs_constant_eval(typing->constants, typing->func, node->b, 0, &from,
					  typing->diagnostic);
	else if (!ret)
		f->start = node->b;
	if (ret)
		return ret;
	if (element.pointers)
		return fargs_typing_fail(typing, node, "a range of pointers needs a type that BTF "
					"has: fetch the elements one by one");
	f->kind = FARGS_FETCH_RANGE;
	f->element_id = fargs_param_strip(btf, element.id) ? element.id : 0;
	t = type_of(&f->path, btf);
	f->is_there = t && btf_is_array(t);
	f->end = node->c;
	f->from = from;
	if (from > ELEMENTS_MAX || from < -ELEMENTS_MAX || !f->element_bytes)
		return fargs_typing_fail(typing, node->b, "this range is invalid");
	if (is_wanted_string(f) || fargs_format_is_object(f->format))
		return fargs_typing_fail(typing, node, "a range is not a string");
	return 0;
}

static int init(struct fargs_fetch *f, const struct fargs_typing *typing,
		const struct fargs_node *node, enum fargs_format format)
{
	int ret;

	*f = (struct fargs_fetch){ .node = node, .format = format };
	if (node->kind == FARGS_NODE_FORMAT) {
		f->format = node->format;
		node = node->a;
		f->node = node;
	}
	f->space = f->format == FARGS_FORMAT_USTR ? FARGS_SPACE_USER : FARGS_SPACE_ANY;
	if (node->kind == FARGS_NODE_RANGE)
		return init_range(f, typing, node);
	ret = fargs_path_init(&f->path, typing->constants, typing->func, node, typing->diagnostic);
	if (!ret)
		ret = fargs_fetch_check_time(&f->path, typing, f->node);
	if (ret)
		return ret;
	if (fargs_path_is_untyped(&f->path))
		return f->path.base == FARGS_PATH_VALUE ? init_number(f, typing) :
							  init_context(f, typing);
	return init_typed(f, typing);
}

/* Is the value the number of a system call, as "id" of the tracepoint sys_enter is? */
static bool is_syscall(const struct fargs_signature *func, const struct fargs_node *node)
{
	return func->is_tpoint && fargs_syscalls_has_number(func->name) &&
	       (node->kind == FARGS_NODE_MEMBER ? fargs_node_is(node, "orig_ax") :
		node->kind == FARGS_NODE_NAME && fargs_node_is(node, "id"));
}

int fargs_fetch_init(struct fargs_fetch *fetch, const struct fargs_typing *typing,
		     const struct fargs_node *node)
{
	int ret = init(fetch, typing, node, FARGS_FORMAT_NONE);

	if (!ret && is_syscall(typing->func, node))
		fetch->scalar.enum_id = FARGS_SCALAR_SYSCALL;
	return ret;
}

int fargs_fetch_init_string(struct fargs_fetch *fetch, const struct fargs_typing *typing,
			    const struct fargs_node *node)
{
	int ret = init(fetch, typing, node, FARGS_FORMAT_STR);

	/*
	 * Check whether the value is a string: a format in the expression takes precedence over
	 * FARGS_FORMAT_STR.
	 */
	return ret || fetch->kind == FARGS_FETCH_STRING || fargs_format_is_object(fetch->format) ?
	       ret : fail_string(fetch, typing);
}
