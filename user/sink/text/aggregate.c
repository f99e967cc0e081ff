// SPDX-License-Identifier: GPL-2.0-only
#include "sink/text/aggregate.h"

#include <string.h>

#include "base/escape.h"
#include "kernel/sym/ksyms.h"
#include "kernel/value/symbolic.h"
#include "model/types.h"
#include "model/visit.h"

/*
 * A position at which the text can be truncated, with the state needed to add closing characters.
 */
struct place {
	size_t n;
	unsigned int nr_open;
	bool is_first;
	bool is_string;
};

/* State while a value is visited (model/visit.h) and its text is written. */
struct aggregate {
	struct fargs_decoder *d;
	struct fargs_span *text;
	unsigned int nr_open;	/* number of open braces */
	bool is_first;		/* nothing was written since the last opening brace */
	bool has_names;		/* of numbers that are not enums, or of pointers' targets */
	struct place cut;	/* last position after which all closing characters fit */
};

static void mark(struct aggregate *w, bool is_string)
{
	size_t tail = strlen("…") + (is_string ? 1 : w->is_first ? 0 : 2) + w->nr_open;

	if (w->text->is_over || w->text->n + tail > FARGS_SPAN_MAX)
		return;
	w->cut = (struct place){ w->text->n, w->nr_open, w->is_first, is_string };
}

static void open_brace(void *arg, bool is_array)
{
	struct aggregate *w = arg;

	fargs_span_text(w->text, "{");
	w->nr_open++;
	w->is_first = true;
	mark(w, false);
}

static void close_brace(void *arg, bool is_array)
{
	struct aggregate *w = arg;

	fargs_span_text(w->text, "}");
	w->nr_open--;
	w->is_first = false;
}

static void finish_cut(struct aggregate *w)
{
	struct fargs_span *text = w->text;
	unsigned int i;

	text->n = w->cut.n;
	text->is_over = false;
	fargs_span_text(text, w->cut.is_string ? "\"…" : w->cut.is_first ? "…" : ", …");
	for (i = 0; i < w->cut.nr_open; i++)
		fargs_span_text(text, "}");
}

static void add_name(struct fargs_span *text, const char *name)
{
	fargs_span_escaped(text, name, strlen(name), NULL);
}

static void add_char(struct fargs_span *text, int c)
{
	const char quoted[] = { '\'', (char)c, '\'' };

	if (c == '\'' || c == '\\')
		fargs_span_text(text, c == '\'' ? "'\\''" : "'\\\\'");
	else if (c >= ' ' && c <= '~')
		fargs_span_add(text, quoted, sizeof(quoted));
	else
		fargs_span_s128(text, c);
}

static void add_enum(struct aggregate *w, const struct btf *btf, uint32_t base_id, __int128 v)
{
	const char *name = fargs_types_enumerator(btf, base_id, (uint64_t)v);
	const char *names[FARGS_TYPES_FLAGS];
	uint64_t rest;
	int i, n;

	if (name && *name) {
		add_name(w->text, name);
		return;
	}
	n = v ? fargs_types_flags(btf, base_id, (uint64_t)v, names, &rest) : -1;
	for (i = 0; i < n; i++) {
		if (i)
			fargs_span_text(w->text, "|");
		add_name(w->text, names[i]);
	}
	if (n > 0 && rest)
		fargs_span_text(w->text, "|");
	if (n >= 0 && rest)
		fargs_span_hex(w->text, rest);
	if (n < 0)
		fargs_span_s128(w->text, v);
}

static void add_pointer(struct aggregate *w, const struct btf *btf, uint32_t base_id,
			uint64_t addr)
{
	const struct fargs_ksym *sym = NULL;

	if (w->d && fargs_types_shape(btf, base_id) == FARGS_SHAPE_FUNC)
		sym = fargs_decoder_symbol(w->d, addr);
	else if (w->d)
		sym = fargs_decoder_target(w->d, addr);
	if (!sym) {
		fargs_span_hex(w->text, addr);
		return;
	}
	w->has_names = true;
	add_name(w->text, sym->name);
	if (addr != sym->addr) {
		fargs_span_text(w->text, "+");
		fargs_span_hex(w->text, addr - sym->addr);
	}
	if (sym->module) {
		fargs_span_text(w->text, " [");
		add_name(w->text, sym->module);
		fargs_span_text(w->text, "]");
	}
}

/* Adds the name of a number. Returns false if it has none. */
static bool add_named(struct aggregate *w, const struct fargs_leaf *leaf)
{
	const struct btf_type *t = btf__type_by_id(leaf->btf, leaf->base_id);
	const struct fargs_naming *naming;
	char text[FARGS_NAMING_TEXT];
	const char *of;
	size_t n;

	if (!w->d || !t)
		return false;
	of = leaf->of ? btf__name_by_offset(leaf->btf, leaf->of->name_off) : NULL;
	naming = of ? fargs_symbolic_of_member(fargs_decoder_symbolic(w->d), leaf->btf,
					       leaf->type_id, of, leaf->member) :
		      fargs_symbolic_of_type(fargs_decoder_symbolic(w->d), leaf->btf,
					     leaf->type_id);
	n = naming ? fargs_naming_text(naming, (uint64_t)leaf->v, t->size, text) : 0;
	fargs_span_add(w->text, text, n);
	w->has_names |= n;
	return n;
}

static void add_leaf(void *arg, const struct fargs_leaf *leaf)
{
	struct aggregate *w = arg;

	if ((leaf->kind == FARGS_LEAF_UNSIGNED || leaf->kind == FARGS_LEAF_SIGNED) &&
	    add_named(w, leaf))
		return;
	switch (leaf->kind) {
	case FARGS_LEAF_PTR:
		add_pointer(w, leaf->btf, leaf->base_id, (uint64_t)leaf->v);
		break;
	case FARGS_LEAF_ENUM:
		add_enum(w, leaf->btf, leaf->base_id, (__int128)leaf->v);
		break;
	case FARGS_LEAF_BOOL:
		fargs_span_text(w->text, leaf->v ? "true" : "false");
		break;
	case FARGS_LEAF_CHAR:
		add_char(w->text, (int)leaf->v);
		break;
	case FARGS_LEAF_SIGNED:
		fargs_span_s128(w->text, (__int128)leaf->v);
		break;
	default:
		fargs_span_u128(w->text, leaf->v);
	}
}

/*
 * Writes an array of chars as a string. Returns false if it contains control characters or invalid
 * bytes.
 */
static bool add_string(void *arg, const uint8_t *p, size_t bytes)
{
	struct aggregate *w = arg;
	size_t len = strnlen((const char *)p, bytes), i, n;

	for (i = 0; i < len; i += n) {
		n = fargs_escape_printable(p + i, len - i);
		if (!n)
			return false;
	}
	fargs_span_text(w->text, "\"");
	for (i = 0; i < len && !w->text->is_over; i += n) {
		n = fargs_escape_printable(p + i, len - i);
		fargs_span_escaped(w->text, p + i, n, "\"");
		mark(w, true);
	}
	fargs_span_text(w->text, "\"");
	return true;
}

static void add_member(void *arg, const char *name)
{
	struct aggregate *w = arg;

	fargs_span_text(w->text, w->is_first ? "." : ", .");
	add_name(w->text, name);
	fargs_span_text(w->text, "=");
}

static void add_element(void *arg)
{
	struct aggregate *w = arg;

	if (!w->is_first)
		fargs_span_text(w->text, ", ");
}

static void end_value(void *arg)
{
	struct aggregate *w = arg;

	w->is_first = false;
	mark(w, false);
}

static void add_bytes(void *arg, const uint8_t *p, size_t bytes)
{
	struct aggregate *w = arg;

	fargs_span_bytes(w->text, p, bytes);
}

static void add_cut(void *arg)
{
	struct aggregate *w = arg;

	fargs_span_text(w->text, w->is_first ? "…" : ", …");
}

static bool is_full(const void *arg)
{
	const struct aggregate *w = arg;

	return w->text->is_over;
}

static void put_raw(struct fargs_span *text, const struct fargs_value *val)
{
	/*
	 * A byte needs three columns: two digits and a brace or blank before them. The closing
	 * brace needs one column.
	 */
	const size_t most = (FARGS_SPAN_MAX - 1) / 3;
	const size_t cut = (FARGS_SPAN_MAX - 1 - strlen("…}")) / 3;

	fargs_span_init(text);
	if (val->bytes <= most) {
		fargs_span_bytes(text, val->data, val->bytes);
		return;
	}
	fargs_span_bytes(text, val->data, cut);
	text->n--;
	fargs_span_text(text, " …}");
}

bool fargs_aggregate_text(struct fargs_span *text, struct fargs_decoder *d,
			  const struct fargs_arg *arg)
{
	static const struct fargs_visitor visitor = {
		.open = open_brace,
		.close = close_brace,
		.member = add_member,
		.element = add_element,
		.done = end_value,
		.leaf = add_leaf,
		.chars = add_string,
		.bytes = add_bytes,
		.cut = add_cut,
		.is_full = is_full,
	};
	struct aggregate w = { .d = d, .text = text };

	fargs_span_init(text);
	if (fargs_visit(&visitor, &w, arg, arg->is_fetched && !(d && fargs_decoder_has_zeros(d))))
		put_raw(text, &arg->val);
	else if (text->is_over)
		finish_cut(&w);
	return w.has_names;
}
