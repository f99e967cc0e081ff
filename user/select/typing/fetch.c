// SPDX-License-Identifier: GPL-2.0-only
#include "select/typing/fetch.h"

#include <errno.h>

#include "select/typing/context.h"
#include "select/codegen/load.h"
#include "select/typing/typename.h"
#include "uapi/fargs_record.h"

#define TEXT_MAX	96

/* No range is longer, whatever the type: what a record can hold is less. */
#define ELEMENTS_MAX	INT32_MAX

static const struct btf_type *type_of(const struct fargs_path *path, const struct btf *btf)
{
	return path->base_id ? btf__type_by_id(btf, path->base_id) : NULL;
}

/* char, unsigned char, u8. */
static bool is_byte(const struct btf *btf, uint32_t id)
{
	const struct btf_type *t = btf__type_by_id(btf, fargs_param_strip(btf, id));

	return t && btf_is_int(t) && t->size == 1 && !(btf_int_encoding(t) & BTF_INT_BOOL);
}

/* What C calls char: an array of it is a string, unless asked for otherwise. */
static bool is_char(const struct btf *btf, uint32_t id)
{
	struct fargs_scalar s;

	return fargs_scalar_init(&s, btf, fargs_param_strip(btf, id), 0) &&
	       s.type == FARGS_TYPE_CHAR;
}

static int fail_string(const struct fargs_fetch *f, const struct fargs_gen *gen)
{
	char text[TEXT_MAX], name[FARGS_TYPENAME_MAX];

	fargs_node_text(f->node, text, sizeof(text));
	return fargs_gen_fail(gen, f->node, "'%s' is of type %s, not the address "
				"of a string", text,
				fargs_typename(gen->func->btf, f->path.type_id, name));
}

static bool is_wanted_string(const struct fargs_fetch *f)
{
	return f->format == FARGS_FORMAT_STR || f->format == FARGS_FORMAT_USTR;
}

static int init_context(struct fargs_fetch *f, const struct fargs_gen *gen)
{
	if (f->path.index == FARGS_CTX_COMM) {
		f->kind = FARGS_FETCH_STRING;
		f->space = FARGS_SPACE_KERNEL;
		f->bytes = FARGS_COMM_LEN;
		return 0;
	}
	if (is_wanted_string(f))
		return fargs_gen_fail(gen, f->node, "this is a number, no string");
	fargs_context_scalar(f->path.index, &f->scalar);
	if (f->scalar.is_duration && !gen->is_return)
		return fargs_gen_fail(gen, f->node, "the duration is known only "
					"at the return: write it behind '->'");
	return 0;
}

/* The end of the path is a pointer, or a number as wide as one. */
static int init_pointed_string(struct fargs_fetch *f, const struct fargs_gen *gen,
			       const struct btf_type *t)
{
	uint32_t to = btf_is_ptr(t) ? t->type : 0;

	if (f->path.bitfield_bits)
		return fail_string(f, gen);
	if (btf_is_ptr(t) ? fargs_param_strip(gen->func->btf, to) && !is_byte(gen->func->btf, to)
			  : !btf_is_int(t) || t->size != sizeof(uint64_t))
		return fail_string(f, gen);
	f->kind = FARGS_FETCH_STRING;
	return 0;
}

static int init_array(struct fargs_fetch *f, const struct fargs_gen *gen,
		      const struct btf_type *t)
{
	const struct btf *btf = gen->func->btf;
	uint32_t of = btf_array(t)->type;

	if (is_wanted_string(f) ? is_byte(btf, of) : is_char(btf, of) && !f->format) {
		f->kind = FARGS_FETCH_STRING;
		f->is_there = true;
		f->bytes = btf_array(t)->nelems;
		return 0;
	}
	return is_wanted_string(f) ? fail_string(f, gen) : 1;
}

static int init_object(struct fargs_fetch *f, const struct fargs_gen *gen)
{
	int64_t size = btf__resolve_size(gen->func->btf, f->path.type_id);
	char name[FARGS_TYPENAME_MAX];

	f->kind = FARGS_FETCH_OBJECT;
	f->bytes = size;
	if (size > 0)
		return 0;
	fargs_typename(gen->func->btf, f->path.type_id, name);
	return fargs_gen_fail(gen, f->node, "the length of %s is not known%s", name,
				size ? "" : ": give a range, [0..n]");
}

static int init_typed(struct fargs_fetch *f, const struct fargs_gen *gen)
{
	const struct btf *btf = gen->func->btf;
	const struct btf_type *t = type_of(&f->path, btf);
	char name[FARGS_TYPENAME_MAX];
	int ret;

	if (!t)
		return fargs_gen_fail(gen, f->node, "BTF does not tell its type");
	if (btf_is_array(t)) {
		ret = init_array(f, gen, t);
		return ret > 0 ? init_object(f, gen) : ret;
	}
	if (is_wanted_string(f))
		return init_pointed_string(f, gen, t);
	if (btf_is_composite(t))
		return init_object(f, gen);
	f->kind = FARGS_FETCH_SCALAR;
	if (fargs_scalar_init(&f->scalar, btf, f->path.base_id, f->path.bitfield_bits))
		return 0;
	if (btf_is_fwd(t))
		return fargs_gen_fail(gen, f->node, "BTF does not describe %s",
					fargs_typename(btf, f->path.type_id, name));
	return fargs_gen_fail(gen, f->node, "values of type %s are not shown",
				fargs_typename(btf, f->path.type_id, name));
}

/* What is returned cannot be had before. */
static int check_time(const struct fargs_fetch *f, const struct fargs_gen *gen)
{
	if (f->path.base != FARGS_PATH_RETURN || gen->is_return)
		return 0;
	return fargs_gen_fail(gen, f->node, "what is returned is known only at "
				"the return: write it behind '->'");
}

static int init_range(struct fargs_fetch *f, const struct fargs_gen *gen,
		      const struct fargs_node *node)
{
	const struct btf *btf = gen->func->btf;
	const struct btf_type *t;
	__int128 from;
	int ret = fargs_path_init(&f->path, gen->constants, gen->func, node->a, gen->mistake);

	if (!ret)
		ret = check_time(f, gen);
	if (!ret)
		ret = fargs_path_element(&f->path, gen->func, node->a, &f->element_id,
					 &f->element_bytes, gen->mistake);
	if (!ret)
		ret = fargs_constant_eval(gen->constants, gen->func, node->b, 0, &from,
					  gen->mistake);
	if (ret)
		return ret;
	f->kind = FARGS_FETCH_RANGE;
	f->element_id = fargs_param_strip(btf, f->element_id) ? f->element_id : 0;
	t = type_of(&f->path, btf);
	f->is_there = t && btf_is_array(t);
	f->end = node->c;
	f->from = from;
	if (from > ELEMENTS_MAX || from < -ELEMENTS_MAX || !f->element_bytes)
		return fargs_gen_fail(gen, node->b, "this range makes no sense");
	if (is_wanted_string(f))
		return fargs_gen_fail(gen, node, "a range is no string");
	return 0;
}

static int init(struct fargs_fetch *f, const struct fargs_gen *gen, const struct fargs_node *node,
		enum fargs_format format)
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
		return init_range(f, gen, node);
	ret = fargs_path_init(&f->path, gen->constants, gen->func, node, gen->mistake);
	if (!ret)
		ret = check_time(f, gen);
	if (ret)
		return ret;
	if (f->path.base == FARGS_PATH_CONTEXT && !f->path.nr_derefs && !f->path.type_id)
		return init_context(f, gen);
	return init_typed(f, gen);
}

int fargs_fetch_init(struct fargs_fetch *fetch, const struct fargs_gen *gen,
		     const struct fargs_node *node)
{
	return init(fetch, gen, node, FARGS_FORMAT_NONE);
}

int fargs_fetch_init_string(struct fargs_fetch *fetch, const struct fargs_gen *gen,
			    const struct fargs_node *node)
{
	int ret = init(fetch, gen, node, FARGS_FORMAT_STR);

	/* With a format of its own it can still be something else. */
	return ret || fetch->kind == FARGS_FETCH_STRING ? ret : fail_string(fetch, gen);
}

int fargs_fetch_address(struct fargs_gen *gen, const struct fargs_fetch *fetch, unsigned int reg)
{
	const struct fargs_scalar word = { .bits = 64 };

	if (fetch->is_there)
		return fargs_load_address(gen, &fetch->path, fetch->node, reg);
	return fargs_load_scalar(gen, &fetch->path, &word, fetch->node, reg);
}
