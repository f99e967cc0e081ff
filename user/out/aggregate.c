// SPDX-License-Identifier: GPL-2.0-only
#include "out/aggregate.h"

#include <errno.h>
#include <string.h>

#include "decode/types.h"
#include "out/escape.h"
#include "sym/ksyms.h"

/* Structs, unions and arrays inside each other. */
#define DEPTH_MAX	32
/* Types looked at for one value: anonymous members can be many and print nothing. */
#define STEPS_MAX	8192

/* A place where the text could be cut, and what has to follow there. */
struct place {
	size_t n;
	unsigned int nr_open;
	bool is_first;
	bool is_string;
};

struct walk {
	const struct btf *btf;
	struct fargs_decoder *d;
	const uint8_t *data;
	struct fargs_span *text;
	bool is_sparse;		/* members of only zeroes are left out */
	unsigned int nr_steps;
	unsigned int depth;
	unsigned int nr_open;	/* braces */
	bool is_first;		/* nothing since the last opening brace */
	struct place cut;	/* the last one with room for the end */
};

static void mark(struct walk *w, bool is_string)
{
	size_t tail = strlen("…") + (is_string ? 1 : w->is_first ? 0 : 2) + w->nr_open;

	if (w->text->is_over || w->text->n + tail > FARGS_SPAN_MAX)
		return;
	w->cut = (struct place){ w->text->n, w->nr_open, w->is_first, is_string };
}

static void open_brace(struct walk *w)
{
	fargs_span_text(w->text, "{");
	w->nr_open++;
	w->is_first = true;
	mark(w, false);
}

static void close_brace(struct walk *w)
{
	fargs_span_text(w->text, "}");
	w->nr_open--;
	w->is_first = false;
}

static void finish_cut(struct walk *w)
{
	struct fargs_span *text = w->text;
	unsigned int i;

	text->n = w->cut.n;
	text->is_over = false;
	fargs_span_text(text, w->cut.is_string ? "\"…" : w->cut.is_first ? "…" : ", …");
	for (i = 0; i < w->cut.nr_open; i++)
		fargs_span_text(text, "}");
}

/* @width bits from bit @bit on, as little endian has them. */
static unsigned __int128 take_bits(const uint8_t *data, uint64_t bit, unsigned int width)
{
	unsigned __int128 v = 0;
	unsigned int i, n;

	for (i = 0; i < width; i += n, bit += n) {
		n = 8 - bit % 8;
		if (n > width - i)
			n = width - i;
		v |= (unsigned __int128)(data[bit / 8] >> bit % 8 & ((1u << n) - 1)) << i;
	}
	return v;
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

static void add_enum(struct walk *w, uint32_t base_id, __int128 v)
{
	const char *name = fargs_types_enumerator(w->btf, base_id, (uint64_t)v);
	const char *names[FARGS_TYPES_FLAGS];
	uint64_t rest;
	int i, n;

	if (name && *name) {
		add_name(w->text, name);
		return;
	}
	n = v ? fargs_types_flags(w->btf, base_id, (uint64_t)v, names, &rest) : -1;
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

static void add_pointer(struct walk *w, uint32_t base_id, uint64_t addr)
{
	const struct fargs_ksym *sym = NULL;

	if (w->d && fargs_types_shape(w->btf, base_id) == FARGS_SHAPE_FUNC)
		sym = fargs_decoder_symbol(w->d, addr);
	if (!sym) {
		fargs_span_hex(w->text, addr);
		return;
	}
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

/*
 * All put_* below: a value whose first bit is @bit, and which must not reach
 * beyond bit @end, both counted from the start of the whole. 0, also when the
 * text is full, or -EIO.
 */
static int put_scalar(struct walk *w, uint32_t base_id, uint64_t bit, uint64_t end,
		      unsigned int bitfield)
{
	const struct btf_type *t = btf__type_by_id(w->btf, base_id);
	unsigned int kind = btf_kind(t), encoding = 0;
	unsigned int bits = kind == BTF_KIND_PTR ? 64 : 8 * t->size;
	bool is_signed = kind != BTF_KIND_PTR && btf_kflag(t);
	unsigned int width = bitfield ? bitfield : bits;
	unsigned __int128 v;

	if (kind == BTF_KIND_INT) {
		encoding = btf_int_encoding(t);
		is_signed = encoding & BTF_INT_SIGNED;
		/* Before bitfields had a size of their own, their integer type had it. */
		if (!bitfield) {
			width = btf_int_bits(t);
			if (btf_int_offset(t) + width > bits)
				return -EIO;
			bit += btf_int_offset(t);
		}
	} else if (kind == BTF_KIND_PTR ? bitfield : bits > 64) {
		return -EIO;
	}
	if (t->size > 16 && kind != BTF_KIND_PTR)
		return -EIO;
	if (bits & (bits - 1) || !width || width > bits || bit + width > end)
		return -EIO;
	/* Only integers can be bitfields without saying so. */
	if (kind != BTF_KIND_INT && !bitfield && bit % 8)
		return -EIO;

	v = take_bits(w->data, bit, width);
	if (is_signed && width < 128 && v >> (width - 1))
		v |= ~(unsigned __int128)0 << width;
	if (kind == BTF_KIND_PTR)
		add_pointer(w, base_id, (uint64_t)v);
	else if (kind != BTF_KIND_INT)
		add_enum(w, base_id, (__int128)v);
	else if (encoding & BTF_INT_BOOL)
		fargs_span_text(w->text, v ? "true" : "false");
	else if (width == 8 && fargs_types_is_char(w->btf, base_id))
		add_char(w->text, (int)v);
	else if (is_signed)
		fargs_span_s128(w->text, (__int128)v);
	else
		fargs_span_u128(w->text, v);
	return 0;
}

/* Puts an array of chars as a string, unless there is a control or invalid byte in it. */
static bool put_string(struct walk *w, const uint8_t *p, size_t bytes)
{
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

static int put_value(struct walk *w, uint32_t id, uint64_t bit, uint64_t end,
		     unsigned int bitfield);

static int put_array(struct walk *w, const struct btf_type *t, uint64_t bit)
{
	const struct btf_array *array = btf_array(t);
	int64_t bytes = fargs_types_size(w->btf, array->type);
	uint32_t base_id = fargs_types_base(w->btf, array->type), i;
	bool is_char = fargs_types_is_char(w->btf, base_id);
	bool is_signed = is_char && fargs_types_is_signed(w->btf, base_id);
	int ret;

	if (bytes < 0)
		return -EIO;
	if (is_char && array->nelems && put_string(w, w->data + bit / 8, array->nelems))
		return 0;
	open_brace(w);
	for (i = 0; i < array->nelems && !w->text->is_over; i++) {
		if (i)
			fargs_span_text(w->text, ", ");
		if (is_char) {
			fargs_span_s128(w->text, is_signed ? (int8_t)w->data[bit / 8]
							   : w->data[bit / 8]);
		} else {
			ret = put_value(w, array->type, bit, bit + 8 * bytes, 0);
			if (ret)
				return ret;
		}
		bit += 8 * bytes;
		w->is_first = false;
		mark(w, false);
	}
	close_brace(w);
	return 0;
}

static bool is_aggregate(const struct btf_type *t)
{
	return t && (btf_kind(t) == BTF_KIND_STRUCT || btf_kind(t) == BTF_KIND_UNION);
}

/* @width bits from @bit on, which are within the data. */
static bool is_zero(const struct walk *w, uint64_t bit, uint64_t width)
{
	for (; width && bit % 8; bit++, width--)
		if (w->data[bit / 8] >> bit % 8 & 1)
			return false;
	for (; width >= 8; bit += 8, width -= 8)
		if (w->data[bit / 8])
			return false;
	return !width || !(w->data[bit / 8] & ((1u << width) - 1));
}

/* Is the member @i at @bit to be left out? One that reaches out of its struct is not. */
static bool is_left_out(const struct walk *w, const struct btf_type *t, unsigned int i,
			uint64_t bit, uint64_t end)
{
	unsigned int bits = btf_member_bitfield_size(t, i);
	int64_t bytes;

	if (!w->is_sparse)
		return false;
	if (bits)
		return bit <= end && bits <= end - bit && is_zero(w, bit, bits);
	bytes = fargs_types_size(w->btf, btf_members(t)[i].type);
	return bytes > 0 && bit <= end && 8 * (uint64_t)bytes <= end - bit &&
	       is_zero(w, bit, 8 * bytes);
}

/* The members alone, so that those of anonymous members can stand beside them. */
static int put_members(struct walk *w, const struct btf_type *t, uint64_t bit)
{
	uint64_t end = bit + 8 * (uint64_t)t->size, at;
	const struct btf_member *m = btf_members(t);
	const struct btf_type *inner;
	const char *name;
	unsigned int i;
	int ret = 0;

	if (++w->depth > DEPTH_MAX)
		return -EIO;
	for (i = 0; i < btf_vlen(t) && !ret && !w->text->is_over; i++) {
		if (++w->nr_steps > STEPS_MAX)
			return -EIO;
		at = bit + btf_member_bit_offset(t, i);
		name = btf__name_by_offset(w->btf, m[i].name_off);
		if (!name || !*name) {
			inner = btf__type_by_id(w->btf, fargs_types_base(w->btf, m[i].type));
			/* Else a bitfield without a name: padding. */
			if (!is_aggregate(inner))
				continue;
			if (at % 8 || at + 8 * (uint64_t)inner->size > end)
				return -EIO;
			ret = put_members(w, inner, at);
			continue;
		}
		if (is_left_out(w, t, i, at, end))
			continue;
		fargs_span_text(w->text, w->is_first ? "." : ", .");
		add_name(w->text, name);
		fargs_span_text(w->text, "=");
		ret = put_value(w, m[i].type, at, end, btf_member_bitfield_size(t, i));
		w->is_first = false;
		mark(w, false);
	}
	w->depth--;
	return ret;
}

static int put_whole(struct walk *w, const struct btf_type *t, uint64_t bit)
{
	int ret;

	switch (btf_kind(t)) {
	case BTF_KIND_STRUCT:
	case BTF_KIND_UNION:
		open_brace(w);
		ret = put_members(w, t, bit);
		close_brace(w);
		return ret;
	case BTF_KIND_ARRAY:
		return put_array(w, t, bit);
	case BTF_KIND_FLOAT:
		fargs_span_bytes(w->text, w->data + bit / 8, t->size);
		return 0;
	default:
		return -EIO;
	}
}

static int put_value(struct walk *w, uint32_t id, uint64_t bit, uint64_t end,
		     unsigned int bitfield)
{
	uint32_t base_id = fargs_types_base(w->btf, id);
	const struct btf_type *t = btf__type_by_id(w->btf, base_id);
	int64_t bytes;
	int ret;

	if (!base_id || !t || ++w->nr_steps > STEPS_MAX)
		return -EIO;
	switch (btf_kind(t)) {
	case BTF_KIND_INT:
	case BTF_KIND_ENUM:
	case BTF_KIND_ENUM64:
	case BTF_KIND_PTR:
		return put_scalar(w, base_id, bit, end, bitfield);
	}
	bytes = fargs_types_size(w->btf, base_id);
	if (bytes < 0 || bitfield || bit % 8 || bit > end || 8 * (uint64_t)bytes > end - bit)
		return -EIO;
	if (++w->depth > DEPTH_MAX)
		return -EIO;
	ret = put_whole(w, t, bit);
	w->depth--;
	return ret;
}

static void put_raw(struct fargs_span *text, const struct fargs_value *val)
{
	/* A brace and two digits for each byte, with a space or the brace behind them. */
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

/* As many elements as the value has bytes for. */
static int put_range(struct walk *w, const struct fargs_arg *arg)
{
	int64_t bytes = fargs_types_size(w->btf, arg->btf_id);
	uint64_t at;
	int ret;

	if (bytes <= 0 || arg->val.bytes % bytes)
		return -EIO;
	if (fargs_types_is_char(w->btf, arg->base_id) &&
	    put_string(w, arg->val.data, arg->val.bytes))
		return 0;
	open_brace(w);
	for (at = 0; at < arg->val.bytes && !w->text->is_over; at += bytes) {
		if (at)
			fargs_span_text(w->text, ", ");
		ret = put_value(w, arg->btf_id, 8 * at, 8 * (at + bytes), 0);
		if (ret)
			return ret;
		w->is_first = false;
		mark(w, false);
	}
	if (arg->val.is_cut)
		fargs_span_text(w->text, w->is_first ? "…" : ", …");
	close_brace(w);
	return 0;
}

static int put_typed(struct walk *w, const struct fargs_arg *arg)
{
	int64_t bytes;

	if (!arg->btf || !arg->base_id)
		return -EIO;
	if (arg->is_range)
		return put_range(w, arg);
	bytes = fargs_types_size(w->btf, arg->base_id);
	if (arg->shape != FARGS_SHAPE_AGGREGATE || bytes != arg->val.bytes)
		return -EIO;
	return put_value(w, arg->base_id, 0, 8 * (uint64_t)bytes, 0);
}

void fargs_aggregate_text(struct fargs_span *text, struct fargs_decoder *d,
			  const struct fargs_arg *arg)
{
	struct walk w = {
		.btf = arg->btf,
		.d = d,
		.data = arg->val.data,
		.text = text,
		.is_sparse = arg->is_fetched && !(d && fargs_decoder_has_zeros(d)),
	};

	fargs_span_init(text);
	if (put_typed(&w, arg))
		put_raw(text, &arg->val);
	else if (text->is_over)
		finish_cut(&w);
}
