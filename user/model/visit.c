// SPDX-License-Identifier: GPL-2.0-only
#include "model/visit.h"

#include <errno.h>
#include <string.h>

#include "model/types.h"

/* Maximum nesting of structs, unions and arrays. */
#define DEPTH_MAX	32
/*
 * Maximum number of members and types visited for one value. is_full() does not always end a visit
 * early, since BTF may describe any number of anonymous members that produce no output.
 */
#define STEPS_MAX	8192

struct walk {
	const struct fargs_visitor *visitor;
	void *arg;
	const struct btf *btf;
	const uint8_t *data;
	uint64_t recorded;	/* number of bits of @data */
	bool is_partial;	/* @data is only the beginning of the value */
	bool is_cut;		/* a member of the current struct was not recorded */
	bool is_sparse;
	/* The member that is visited; NULL: an element. */
	const struct btf_type *of;
	const char *member;
	uint32_t type_id;
	unsigned int nr_steps;
	unsigned int depth;
};

static bool is_full(const struct walk *w)
{
	return w->visitor->is_full && w->visitor->is_full(w->arg);
}

static bool is_recorded(const struct walk *w, uint64_t bit, uint64_t width)
{
	return bit <= w->recorded && width <= w->recorded - bit;
}

/* Returns @width bits of @data, starting with bit @bit, in little-endian order. */
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

/*
 * All functions visit_*() below visit a value that starts at bit @bit and must end by bit @end,
 * both relative to the start of the data. They return 0, even if the visitor is full, or -EIO.
 */
static int visit_scalar(struct walk *w, uint32_t base_id, uint64_t bit, uint64_t end,
			unsigned int bitfield)
{
	const struct btf_type *t = btf__type_by_id(w->btf, base_id);
	unsigned int kind = btf_kind(t), encoding = 0;
	unsigned int bits = kind == BTF_KIND_PTR ? 64 : 8 * t->size;
	bool is_signed = kind != BTF_KIND_PTR && btf_kflag(t);
	unsigned int width = bitfield ? bitfield : bits;
	struct fargs_leaf leaf = {
		.btf = w->btf, .base_id = base_id, .type_id = w->type_id, .of = w->of,
		.member = w->member,
	};
	unsigned __int128 v;

	if (kind == BTF_KIND_INT) {
		encoding = btf_int_encoding(t);
		is_signed = encoding & BTF_INT_SIGNED;
		/* Older BTF describes a bitfield by the size and offset of its integer type. */
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
	/*
	 * If the member has no bitfield size, only an integer may be unaligned: older BTF describes
	 * a bitfield by its integer type.
	 */
	if (kind != BTF_KIND_INT && !bitfield && bit % 8)
		return -EIO;
	if (!is_recorded(w, bit, width))
		return -EIO;

	v = take_bits(w->data, bit, width);
	if (is_signed && width < 128 && v >> (width - 1))
		v |= ~(unsigned __int128)0 << width;
	leaf.kind = kind == BTF_KIND_PTR ? FARGS_LEAF_PTR :
		    kind != BTF_KIND_INT ? FARGS_LEAF_ENUM :
		    encoding & BTF_INT_BOOL ? FARGS_LEAF_BOOL :
		    width == 8 && fargs_types_is_char(w->btf, base_id) ? FARGS_LEAF_CHAR :
		    is_signed ? FARGS_LEAF_SIGNED : FARGS_LEAF_UNSIGNED;
	leaf.v = v;
	w->visitor->leaf(w->arg, &leaf);
	return 0;
}

static int visit_value(struct walk *w, uint32_t id, uint64_t bit, uint64_t end,
		       unsigned int bitfield);

/* Visits a char that is shown as a number. */
static void visit_number(struct walk *w, uint32_t base_id, uint8_t c, bool is_signed)
{
	const struct fargs_leaf leaf = {
		.kind = is_signed ? FARGS_LEAF_SIGNED : FARGS_LEAF_UNSIGNED,
		.btf = w->btf,
		.base_id = base_id,
		.v = is_signed ? (unsigned __int128)(int8_t)c : c,
	};

	w->visitor->leaf(w->arg, &leaf);
}

/*
 * Returns how many chars of the array at @bit to visit: if not all of them were recorded, those
 * that contain its NUL. Returns 0 if that was not recorded either.
 */
static uint32_t recorded_chars(const struct walk *w, uint64_t bit, uint32_t nr)
{
	uint64_t room = bit < w->recorded ? (w->recorded - bit) / 8 : 0;

	if (nr <= room)
		return nr;
	return memchr(w->data + bit / 8, 0, room) ? room : 0;
}

static int visit_array(struct walk *w, const struct btf_type *t, uint64_t bit)
{
	const struct btf_array *array = btf_array(t);
	int64_t bytes = fargs_types_size(w->btf, array->type);
	uint32_t base_id = fargs_types_base(w->btf, array->type), i;
	bool is_char = fargs_types_is_char(w->btf, base_id);
	bool is_signed = is_char && fargs_types_is_signed(w->btf, base_id);
	uint32_t nr_chars = is_char ? recorded_chars(w, bit, array->nelems) : 0;
	int ret;

	if (bytes < 0)
		return -EIO;
	if (nr_chars && w->visitor->chars(w->arg, w->data + bit / 8, nr_chars))
		return 0;
	w->visitor->open(w->arg, true);
	for (i = 0; i < array->nelems && !is_full(w); i++) {
		if (w->is_partial && !is_recorded(w, bit, 8 * (uint64_t)bytes)) {
			w->visitor->cut(w->arg);
			break;
		}
		w->visitor->element(w->arg);
		if (is_char) {
			visit_number(w, base_id, w->data[bit / 8], is_signed);
		} else {
			ret = visit_value(w, array->type, bit, bit + 8 * bytes, 0);
			if (ret)
				return ret;
		}
		bit += 8 * bytes;
		w->visitor->done(w->arg);
	}
	w->visitor->close(w->arg, true);
	return 0;
}

static bool is_aggregate(const struct btf_type *t)
{
	return t && (btf_kind(t) == BTF_KIND_STRUCT || btf_kind(t) == BTF_KIND_UNION);
}

/* Are the @width bits that start at bit offset @bit all zero? They must lie within the data. */
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

/*
 * Should member @i, at bit offset @bit, be skipped because it is zero? A member that exceeds its
 * struct is not skipped, so that visiting it fails.
 */
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
	       is_recorded(w, bit, 8 * (uint64_t)bytes) && is_zero(w, bit, 8 * bytes);
}

/*
 * Should member @i, at bit offset @bit, be visited? Of a value that was cut, structs and arrays are
 * visited if they begin in the recorded part, and other members if they are in it as a whole. A
 * member that exceeds its struct is visited, so that the visit fails.
 */
static bool is_visible(const struct walk *w, const struct btf_type *of, unsigned int i,
		       uint64_t bit, uint64_t end)
{
	uint64_t width = btf_member_bitfield_size(of, i);
	const struct btf_type *t;
	uint32_t base_id;
	int64_t bytes;

	if (!w->is_partial)
		return true;
	base_id = fargs_types_base(w->btf, btf_members(of)[i].type);
	if (!width) {
		bytes = fargs_types_size(w->btf, base_id);
		width = bytes < 0 ? 0 : 8 * (uint64_t)bytes;
	}
	if (is_recorded(w, bit, width) || bit > end || width > end - bit)
		return true;
	t = btf__type_by_id(w->btf, base_id);
	if (bit >= w->recorded || !t)
		return false;
	if (btf_kind(t) != BTF_KIND_ARRAY)
		return is_aggregate(t);
	return !fargs_types_is_char(w->btf, fargs_types_base(w->btf, btf_array(t)->type)) ||
	       recorded_chars(w, bit, btf_array(t)->nelems);
}

/*
 * Visits the members of a struct or union, without open() and close(): members of an anonymous
 * member are shown like those of the outer struct.
 */
static int visit_members(struct walk *w, const struct btf_type *t, uint64_t bit)
{
	uint64_t end = bit + 8 * (uint64_t)t->size, at;
	const struct btf_member *m = btf_members(t);
	const struct btf_type *inner;
	const char *name;
	unsigned int i;
	int ret = 0;

	if (++w->depth > DEPTH_MAX)
		return -EIO;
	for (i = 0; i < btf_vlen(t) && !ret && !is_full(w); i++) {
		if (++w->nr_steps > STEPS_MAX)
			return -EIO;
		at = bit + btf_member_bit_offset(t, i);
		name = btf__name_by_offset(w->btf, m[i].name_off);
		if (!name || !*name) {
			inner = btf__type_by_id(w->btf, fargs_types_base(w->btf, m[i].type));
			/* Skip unnamed bitfields, which are padding. */
			if (!is_aggregate(inner))
				continue;
			if (at % 8 || at + 8 * (uint64_t)inner->size > end)
				return -EIO;
			ret = visit_members(w, inner, at);
			continue;
		}
		if (!is_visible(w, t, i, at, end)) {
			w->is_cut = true;
			continue;
		}
		if (is_left_out(w, t, i, at, end))
			continue;
		w->visitor->member(w->arg, name);
		w->of = t;
		w->member = name;
		ret = visit_value(w, m[i].type, at, end, btf_member_bitfield_size(t, i));
		w->visitor->done(w->arg);
	}
	w->depth--;
	return ret;
}

static int visit_struct(struct walk *w, const struct btf_type *t, uint64_t bit)
{
	bool is_cut = w->is_cut;
	int ret;

	w->visitor->open(w->arg, false);
	w->is_cut = false;
	ret = visit_members(w, t, bit);
	if (w->is_cut)
		w->visitor->cut(w->arg);
	w->is_cut = is_cut;
	w->visitor->close(w->arg, false);
	return ret;
}

static int visit_whole(struct walk *w, const struct btf_type *t, uint64_t bit)
{
	switch (btf_kind(t)) {
	case BTF_KIND_STRUCT:
	case BTF_KIND_UNION:
		return visit_struct(w, t, bit);
	case BTF_KIND_ARRAY:
		return visit_array(w, t, bit);
	case BTF_KIND_FLOAT:
		if (!is_recorded(w, bit, 8 * (uint64_t)t->size))
			return -EIO;
		w->visitor->bytes(w->arg, w->data + bit / 8, t->size);
		return 0;
	default:
		return -EIO;
	}
}

static int visit_value(struct walk *w, uint32_t id, uint64_t bit, uint64_t end,
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
		w->type_id = id;
		return visit_scalar(w, base_id, bit, end, bitfield);
	}
	w->of = NULL;
	bytes = fargs_types_size(w->btf, base_id);
	if (bytes < 0 || bitfield || bit % 8 || bit > end || 8 * (uint64_t)bytes > end - bit)
		return -EIO;
	if (++w->depth > DEPTH_MAX)
		return -EIO;
	ret = visit_whole(w, t, bit);
	w->depth--;
	return ret;
}

/* Visits a range: its number of elements is its size divided by the size of an element. */
static int visit_range(struct walk *w, const struct fargs_arg *arg)
{
	int64_t bytes = fargs_types_size(w->btf, arg->btf_id);
	uint64_t at;
	int ret;

	if (bytes <= 0 || arg->val.bytes % bytes)
		return -EIO;
	if (fargs_types_is_char(w->btf, arg->base_id) &&
	    w->visitor->chars(w->arg, arg->val.data, arg->val.bytes))
		return 0;
	w->visitor->open(w->arg, true);
	for (at = 0; at < arg->val.bytes && !is_full(w); at += bytes) {
		w->visitor->element(w->arg);
		ret = visit_value(w, arg->btf_id, 8 * at, 8 * (at + bytes), 0);
		if (ret)
			return ret;
		w->visitor->done(w->arg);
	}
	if (arg->val.is_cut)
		w->visitor->cut(w->arg);
	w->visitor->close(w->arg, true);
	return 0;
}

int fargs_visit(const struct fargs_visitor *visitor, void *arg, const struct fargs_arg *value,
		bool is_sparse)
{
	struct walk w = {
		.visitor = visitor,
		.arg = arg,
		.btf = value->btf,
		.data = value->val.data,
		.recorded = 8 * (uint64_t)value->val.bytes,
		.is_partial = value->val.is_cut,
		.is_sparse = is_sparse,
	};
	int64_t bytes;

	if (!value->btf || !value->base_id)
		return -EIO;
	if (value->is_range)
		return visit_range(&w, value);
	bytes = fargs_types_size(w.btf, value->base_id);
	if (value->shape != FARGS_SHAPE_AGGREGATE ||
	    (value->val.is_cut ? bytes <= value->val.bytes : bytes != value->val.bytes))
		return -EIO;
	return visit_value(&w, value->base_id, 0, 8 * (uint64_t)bytes, 0);
}
