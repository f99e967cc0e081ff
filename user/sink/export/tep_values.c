// SPDX-License-Identifier: GPL-2.0-only
#include "sink/export/tep_values.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "base/put.h"
#include "model/types.h"
#include "model/visit.h"
#include "select/syntax/node.h"
#include "select/typing/typename.h"

/* A struct is written as bytes if the event would have more fields than this. */
#define FIELDS_MAX	200
/* Maximum number of enumerators of an enum whose names are written to a format. */
#define NAMES_MAX	32
/* Maximum nesting of the structs and arrays of a value: more than fargs_visit() allows. */
#define DEPTH_MAX	64

/* A struct or an array that is being visited. */
struct level {
	size_t name_bytes;	/* length of its name, with which walk.name begins */
	unsigned int index;	/* array: number of elements so far */
	struct fargs_tep_number number;	/* type of an array's elements; width 0: none yet */
};

struct walk {
	struct fargs_tep_format *f;
	struct fargs_buf name;		/* name of the current member */
	struct fargs_buf elements;	/* data of the current array of numbers */
	struct fargs_buf names;		/* current enum's names, written for the format */
	struct level levels[DEPTH_MAX];
	unsigned int depth;
};

static const char *name_of(struct walk *w)
{
	fargs_put_char(&w->name, '\0');
	if (w->name.is_short)
		return "";
	w->name.n--;
	return w->name.text;
}

static void open_level(void *arg, bool is_array)
{
	struct walk *w = arg;

	if (w->depth < DEPTH_MAX)
		w->levels[w->depth] = (struct level){ .name_bytes = w->name.n };
	w->depth++;
}

static struct level *top(struct walk *w)
{
	return w->depth && w->depth <= DEPTH_MAX ? &w->levels[w->depth - 1] : NULL;
}

static void close_level(void *arg, bool is_array)
{
	struct walk *w = arg;
	struct level *level = top(w);

	if (level && level->number.width) {
		w->name.n = level->name_bytes;
		fargs_tep_format_array(w->f, name_of(w), &level->number,
				       w->elements.n ? w->elements.text : "", w->elements.n);
		w->elements.n = 0;
	}
	w->depth--;
}

static void begin_member(void *arg, const char *name)
{
	struct walk *w = arg;

	fargs_put_char(&w->name, '_');
	fargs_put(&w->name, name);
}

static void begin_element(void *arg)
{
	struct walk *w = arg;
	struct level *level = top(w);

	fargs_put_char(&w->name, '_');
	fargs_put_u64(&w->name, level ? level->index++ : 0, 0, 0);
}

static void end_value(void *arg)
{
	struct walk *w = arg;
	struct level *level = top(w);

	if (level)
		w->name.n = level->name_bytes;
}

static bool is_identifier(const char *name)
{
	if (!name || !*name || strlen(name) > 64)
		return false;
	for (; *name; name++)
		if (!isascii(*name) || !(isalnum((unsigned char)*name) || *name == '_'))
			return false;
	return true;
}

static bool put_enumerator(struct fargs_buf *out, const char *name, uint64_t v, unsigned int width)
{
	if (!is_identifier(name))
		return false;
	if (width < 8)
		v &= (1ull << 8 * width) - 1;
	fargs_put(out, ", { ");
	fargs_put_hex(out, v);
	fargs_put(out, ", \"");
	fargs_put(out, name);
	fargs_put(out, "\" }");
	return true;
}

/*
 * Writes the names of an enum's values as arguments of __print_flags or __print_symbolic, and
 * returns the name of that function. Returns NULL if there are no names, too many, or invalid ones.
 */
static const char *put_enum(struct fargs_buf *out, const struct btf *btf, uint32_t id,
			    unsigned int width)
{
	const struct btf_type *t = btf__type_by_id(btf, id);
	const char *names[FARGS_TYPES_FLAGS], *name;
	unsigned int i, nr = btf_vlen(t);
	bool is_flags, is_good = true;
	uint64_t rest, v;

	if (!nr || nr > NAMES_MAX)
		return NULL;
	is_flags = fargs_types_flags(btf, id, 1, names, &rest) >= 0;
	out->n = 0;
	if (is_flags)
		fargs_put(out, ", \"|\"");
	for (i = 0; i < nr && is_good; i++) {
		if (btf_is_enum64(t)) {
			name = btf__name_by_offset(btf, btf_enum64(t)[i].name_off);
			v = btf_enum64_value(&btf_enum64(t)[i]);
		} else {
			name = btf__name_by_offset(btf, btf_enum(t)[i].name_off);
			v = (int64_t)btf_enum(t)[i].val;
		}
		is_good = put_enumerator(out, name, v, width);
	}
	fargs_put_char(out, '\0');
	return !is_good || out->is_short ? NULL : is_flags ? "__print_flags" : "__print_symbolic";
}

/* Adds a number of 128 bits as two numbers. */
static void add_wide(struct fargs_tep_format *f, const char *name, unsigned __int128 v)
{
	static const struct fargs_tep_number half = {
		.type = "u64", .width = 8, .shown = FARGS_TEP_HEX,
	};
	char low[256], high[256];

	snprintf(low, sizeof(low), "%s_low", name);
	snprintf(high, sizeof(high), "%s_high", name);
	fargs_tep_format_number(f, low, &half, (uint64_t)v);
	fargs_tep_format_number(f, high, &half, (uint64_t)(v >> 64));
}

static unsigned int leaf_width(const struct fargs_leaf *leaf)
{
	const struct btf_type *t = btf__type_by_id(leaf->btf, leaf->base_id);

	return leaf->kind == FARGS_LEAF_PTR ? 8 : t->size;
}

static bool is_leaf_signed(const struct fargs_leaf *leaf)
{
	const struct btf_type *t = btf__type_by_id(leaf->btf, leaf->base_id);

	if (leaf->kind == FARGS_LEAF_ENUM)
		return btf_kflag(t);
	return leaf->kind == FARGS_LEAF_SIGNED ||
	       (leaf->kind == FARGS_LEAF_CHAR && fargs_types_is_signed(leaf->btf, leaf->base_id));
}

/* Adds a number to the current array, all of whose elements have the same type. */
static void add_element(struct walk *w, struct level *level, const struct fargs_leaf *leaf)
{
	unsigned int width = leaf_width(leaf);

	if (!level->number.width)
		level->number = (struct fargs_tep_number){
			.width = width > 8 ? 1 : width, .is_signed = is_leaf_signed(leaf),
		};
	fargs_buf_add(&w->elements, &leaf->v, width);
}

static void add_leaf(void *arg, const struct fargs_leaf *leaf)
{
	struct walk *w = arg;
	struct level *level = top(w);
	struct fargs_tep_number n = {
		.width = leaf_width(leaf), .is_signed = is_leaf_signed(leaf),
	};
	char type[FARGS_TYPENAME_MAX];

	if (level && level->index) {
		add_element(w, level, leaf);
		return;
	}
	if (n.width > 8) {
		add_wide(w->f, name_of(w), leaf->v);
		return;
	}
	n.type = fargs_typename(leaf->btf, leaf->base_id, type);
	if (leaf->kind == FARGS_LEAF_PTR)
		n.shown = fargs_types_shape(leaf->btf, leaf->base_id) == FARGS_SHAPE_FUNC ?
			  FARGS_TEP_SYMBOL : FARGS_TEP_HEX;
	if (leaf->kind == FARGS_LEAF_ENUM && w->f->is_described) {
		n.function = put_enum(&w->names, leaf->btf, leaf->base_id, n.width);
		n.names = w->names.text;
	}
	fargs_tep_format_number(w->f, name_of(w), &n, (uint64_t)leaf->v);
}

static bool add_string(void *arg, const uint8_t *p, size_t bytes)
{
	struct walk *w = arg;

	fargs_tep_format_string(w->f, name_of(w), p, bytes);
	return true;
}

static void add_bytes(void *arg, const uint8_t *p, size_t bytes)
{
	struct walk *w = arg;

	fargs_tep_format_bytes(w->f, name_of(w), p, bytes);
}

/* Writes nothing: trace.dat does not show that only a part of a range was recorded. */
static void cut(void *arg)
{
}

static bool is_full(const void *arg)
{
	const struct walk *w = arg;

	return w->f->nr_fields > FIELDS_MAX || w->depth > DEPTH_MAX;
}

/* Zero members are shown, too: otherwise, the fields would depend on the values. */
static void add_aggregate(struct fargs_tep_format *f, const struct fargs_arg *arg, const char *name)
{
	static const struct fargs_visitor visitor = {
		.open = open_level,
		.close = close_level,
		.member = begin_member,
		.element = begin_element,
		.done = end_value,
		.leaf = add_leaf,
		.chars = add_string,
		.bytes = add_bytes,
		.cut = cut,
		.is_full = is_full,
	};
	struct walk w = { .f = f };
	struct fargs_tep_mark mark;

	fargs_tep_format_mark(f, &mark);
	fargs_put(&w.name, name);
	if (fargs_visit(&visitor, &w, arg, false) || is_full(&w)) {
		fargs_tep_format_reset(f, &mark);
		fargs_tep_format_bytes(f, name, arg->val.data, arg->val.bytes);
	}
	f->data.is_short |= w.name.is_short | w.elements.is_short | w.names.is_short;
	fargs_buf_deinit(&w.name);
	fargs_buf_deinit(&w.elements);
	fargs_buf_deinit(&w.names);
}

static bool is_signed(const struct fargs_arg *arg)
{
	if (arg->val.type == FARGS_TYPE_CHAR && arg->btf)
		return fargs_types_is_signed(arg->btf, arg->base_id);
	return fargs_type_is_signed(arg->val.type);
}

static void add_scalar(struct fargs_tep_format *f, const struct fargs_arg *arg, const char *name)
{
	struct fargs_tep_number n = {
		.type = fargs_type_name(arg->val.type), .width = fargs_type_width(arg->val.type),
		.is_signed = is_signed(arg),
	};
	struct fargs_buf names = { };
	char type[FARGS_TYPENAME_MAX];

	if (arg->val.type == FARGS_TYPE_PTR)
		n.type = NULL;
	if (arg->btf && arg->btf_id && f->is_described)
		n.type = fargs_typename(arg->btf, arg->btf_id, type);
	if (arg->val.type == FARGS_TYPE_PTR) {
		n.shown = arg->shape == FARGS_SHAPE_FUNC ? FARGS_TEP_SYMBOL : FARGS_TEP_HEX;
	} else if (arg->format == FARGS_FORMAT_HEX) {
		n.shown = FARGS_TEP_HEX;
	} else if (arg->shape == FARGS_SHAPE_ENUM && f->is_described) {
		n.function = put_enum(&names, arg->btf, arg->base_id, n.width);
		n.names = names.text;
	}
	fargs_tep_format_number(f, name, &n, fargs_value_u64(&arg->val));
	f->data.is_short |= names.is_short;
	fargs_buf_deinit(&names);
}

static void add_fault(struct fargs_tep_format *f, const struct fargs_arg *arg, const char *name)
{
	static const struct fargs_tep_number addr = { .width = 8, .shown = FARGS_TEP_HEX };
	struct fargs_buf text = { };

	fargs_put(&text, name);
	fargs_buf_add(&text, "_fault", sizeof("_fault"));
	fargs_tep_format_number(f, text.is_short ? "" : text.text, &addr,
				fargs_value_u64(&arg->val));
	f->data.is_short |= text.is_short;
	fargs_buf_deinit(&text);
}

void fargs_tep_values_add(struct fargs_tep_format *f, const struct fargs_arg *arg, const char *name)
{
	const struct fargs_value *val = &arg->val;

	if (val->is_fault)
		add_fault(f, arg, name);
	else if (val->type == FARGS_TYPE_STR)
		fargs_tep_format_string(f, name, val->data, val->bytes);
	else if (val->type == FARGS_TYPE_BYTES)
		add_aggregate(f, arg, name);
	else if (fargs_type_width(val->type) > 8)
		add_wide(f, name, fargs_value_u128(val));
	else
		add_scalar(f, arg, name);
}

/* Do the fields of @arg depend on its size? Those of a range of numbers do not. */
static bool depends_on_size(const struct fargs_arg *arg)
{
	const struct btf_type *t;
	int64_t bytes;

	if (arg->val.type != FARGS_TYPE_BYTES)
		return false;
	if (!arg->is_range || !arg->btf)
		return true;
	bytes = fargs_types_size(arg->btf, arg->btf_id);
	t = btf__type_by_id(arg->btf, arg->base_id);
	return bytes <= 0 || !t || arg->val.bytes % bytes || btf_is_composite(t) ||
	       btf_is_array(t);
}

void fargs_tep_values_put_key(struct fargs_buf *key, const struct fargs_arg *arg)
{
	const uint32_t words[] = {
		arg->val.type | arg->val.is_fault << 8 | arg->is_range << 10 | arg->shape << 16 |
		arg->format << 24,
		arg->btf_id, depends_on_size(arg) ? arg->val.bytes : UINT32_MAX - !arg->val.bytes,
	};

	fargs_buf_add(key, &arg->btf, sizeof(arg->btf));
	fargs_buf_add(key, words, sizeof(words));
}
