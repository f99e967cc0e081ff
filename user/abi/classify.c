// SPDX-License-Identifier: GPL-2.0-only
#include "abi/classify.h"

#include <stdbool.h>
#include <stddef.h>

#include "abi/param.h"

#define EIGHTBYTE	8u

/* A type larger than two registers is passed in memory. */
#define REGISTERS_BYTES	16

/*
 * Maximum nesting, and maximum number of members in total; no valid type passed by value exceeds
 * them. In malformed BTF, a type can contain itself, or many copies of another type.
 */
#define NEST_MAX	32
#define MEMBERS_MAX	20000

struct walk {
	const struct btf *btf;
	unsigned int nr_members;	/* number of members visited */
	uint32_t align;			/* largest alignment of a member, in bytes */
	uint64_t end;			/* end of the last member, in bits */
	uint32_t used;			/* bit i (of 32) is set if eightbyte i contains a member */
	bool is_misaligned;		/* a member's offset is not aligned as its type requires */
	/*
	 * It is unknown whether a member is misaligned: the offset of a zero-length array is not a
	 * multiple of its alignment. The array counts as a member if it was declared as [0], but
	 * not if it was declared as []; BTF does not distinguish the two.
	 */
	bool is_unsure;
};

static void use(struct walk *w, uint64_t bit_offset, uint64_t bits)
{
	uint64_t i;

	if (bits && bit_offset + bits > w->end)
		w->end = bit_offset + bits;
	for (i = bit_offset / 64; bits && i <= (bit_offset + bits - 1) / 64 && i < 32; i++)
		w->used |= 1u << i;
}

static enum fargs_refusal walk_scalar(struct walk *w, uint64_t bytes, uint64_t bit_offset,
				      bool is_there)
{
	/* On x86-64 scalars are aligned to their size. */
	if (!bytes || bytes > 16 || bytes & (bytes - 1))
		return FARGS_REFUSAL_MALFORMED;
	if (bytes > w->align)
		w->align = bytes;
	if (bit_offset % (8 * bytes)) {
		if (is_there)
			w->is_misaligned = true;
		else
			w->is_unsure = true;
	}
	if (is_there)
		use(w, bit_offset, 8 * bytes);
	return FARGS_REFUSAL_NONE;
}

static enum fargs_refusal walk_type(struct walk *w, uint32_t type_id, uint64_t bit_offset,
				    bool is_there, unsigned int depth);

static enum fargs_refusal walk_bitfield(struct walk *w, uint32_t type_id, uint64_t bit_offset,
					uint32_t bits, bool is_there)
{
	uint32_t id = fargs_param_strip(w->btf, type_id);
	const struct btf_type *t = btf__type_by_id(w->btf, id);

	if (!id || !t || !(btf_is_int(t) || btf_is_any_enum(t)) || t->size > 16)
		return FARGS_REFUSAL_MALFORMED;
	/*
	 * A bitfield raises the alignment of its struct to that of the bitfield's declared type,
	 * but need not be aligned itself.
	 */
	if (t->size > w->align)
		w->align = t->size;
	if (is_there)
		use(w, bit_offset, bits);
	return FARGS_REFUSAL_NONE;
}

static enum fargs_refusal walk_members(struct walk *w, const struct btf_type *t,
				       uint64_t bit_offset, bool is_there, unsigned int depth)
{
	const struct btf_member *m = btf_members(t);
	enum fargs_refusal why;
	uint32_t i, bits;
	uint64_t at;

	for (i = 0; i < btf_vlen(t); i++) {
		if (++w->nr_members > MEMBERS_MAX)
			return FARGS_REFUSAL_MALFORMED;
		at = bit_offset + btf_member_bit_offset(t, i);
		bits = btf_member_bitfield_size(t, i);
		why = bits ? walk_bitfield(w, m[i].type, at, bits, is_there)
			   : walk_type(w, m[i].type, at, is_there, depth + 1);
		if (why)
			return why;
	}
	return FARGS_REFUSAL_NONE;
}

/*
 * Classifies an array by the type of its first element, and marks the eightbytes of all elements as
 * used.
 */
static enum fargs_refusal walk_array(struct walk *w, const struct btf_array *array,
				     uint64_t bit_offset, bool is_there, unsigned int depth)
{
	enum fargs_refusal why;
	int64_t bytes;

	why = walk_type(w, array->type, bit_offset, is_there && array->nelems, depth + 1);
	if (why || !is_there || array->nelems <= 1)
		return why;
	bytes = btf__resolve_size(w->btf, array->type);
	if (bytes < 0)
		return FARGS_REFUSAL_MALFORMED;
	use(w, bit_offset, 8ull * bytes * array->nelems);
	return FARGS_REFUSAL_NONE;
}

static enum fargs_refusal walk_type(struct walk *w, uint32_t type_id, uint64_t bit_offset,
				    bool is_there, unsigned int depth)
{
	uint32_t id = fargs_param_strip(w->btf, type_id);
	const struct btf_type *t = btf__type_by_id(w->btf, id);

	if (!id || !t || depth > NEST_MAX)
		return FARGS_REFUSAL_MALFORMED;
	switch (btf_kind(t)) {
	case BTF_KIND_INT:
		if (fargs_param_is_float(w->btf, t))
			return FARGS_REFUSAL_FLOAT;
		/* Old BTF encoders describe a bitfield as an integer that has unused bits. */
		if (btf_int_offset(t) || (btf_int_bits(t) != 8 * t->size &&
					  !(btf_int_encoding(t) & BTF_INT_BOOL)))
			return walk_bitfield(w, id, bit_offset + btf_int_offset(t),
					     btf_int_bits(t), is_there);
		return walk_scalar(w, t->size, bit_offset, is_there);
	case BTF_KIND_ENUM:
	case BTF_KIND_ENUM64:
		return walk_scalar(w, t->size, bit_offset, is_there);
	case BTF_KIND_PTR:
		return walk_scalar(w, EIGHTBYTE, bit_offset, is_there);
	case BTF_KIND_ARRAY:
		return walk_array(w, btf_array(t), bit_offset, is_there, depth);
	case BTF_KIND_STRUCT:
	case BTF_KIND_UNION:
		return walk_members(w, t, bit_offset, is_there, depth);
	case BTF_KIND_FLOAT:
		return FARGS_REFUSAL_FLOAT;
	default:
		return FARGS_REFUSAL_MALFORMED;
	}
}

/* Returns the largest power of two that divides @n, but at least 8. */
static uint32_t divisor(uint32_t n)
{
	uint32_t low = n & -n;

	return low > EIGHTBYTE ? low : EIGHTBYTE;
}

enum fargs_refusal fargs_classify_value(struct fargs_value_class *pass, const struct btf *btf,
					uint32_t type_id)
{
	const struct btf_type *t = btf__type_by_id(btf, type_id);
	struct walk w = { .btf = btf, .align = EIGHTBYTE };
	enum fargs_refusal why;
	uint32_t eightbytes;

	if (!t || !btf_is_composite(t))
		return FARGS_REFUSAL_MALFORMED;
	why = walk_members(&w, t, 0, true, 0);
	if (why)
		return why;

	pass->bytes = t->size;
	/*
	 * The size of a type is a multiple of its alignment, which limits the alignment from above.
	 * The lower limit is 8, because a packed type can be less aligned than its members. But if
	 * 8 or more bytes of padding follow the last member, the type is not packed, and is aligned
	 * at least like its members.
	 */
	pass->align_max = divisor(t->size);
	pass->align = EIGHTBYTE;
	if (w.align > EIGHTBYTE && w.align <= pass->align_max && t->size >= w.end / 8 + EIGHTBYTE)
		pass->align = w.align;
	if (!t->size) {
		pass->way = FARGS_CLASS_NOTHING;
		return FARGS_REFUSAL_NONE;
	}
	pass->way = FARGS_CLASS_MEMORY;
	if (t->size > REGISTERS_BYTES || w.is_misaligned)
		return FARGS_REFUSAL_NONE;
	if (w.is_unsure)
		return FARGS_REFUSAL_AGGREGATE;
	/*
	 * An eightbyte without a member is either an unnamed bitfield, which takes a register, or
	 * padding of an aligned type, which takes none; BTF does not distinguish the two. Such an
	 * eightbyte can also belong to a transparent union, whose members GCC omits from debug
	 * information.
	 */
	eightbytes = (t->size + EIGHTBYTE - 1) / EIGHTBYTE;
	if (w.used != (1u << eightbytes) - 1)
		return FARGS_REFUSAL_AGGREGATE;
	pass->way = FARGS_CLASS_REGISTERS;
	return FARGS_REFUSAL_NONE;
}

enum fargs_refusal fargs_classify_returned(bool *in_memory, const struct btf *btf,
					   uint32_t type_id)
{
	const struct btf_type *t = btf__type_by_id(btf, type_id);
	struct walk w = { .btf = btf };
	enum fargs_refusal why;

	*in_memory = t && btf_is_composite(t) && t->size > REGISTERS_BYTES;
	if (!t || !btf_is_composite(t) || *in_memory)
		return FARGS_REFUSAL_NONE;
	why = walk_members(&w, t, 0, true, 0);
	if (why)
		return why;
	*in_memory = w.is_misaligned;
	return w.is_unsure && !w.is_misaligned ? FARGS_REFUSAL_AGGREGATE : FARGS_REFUSAL_NONE;
}
