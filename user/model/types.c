// SPDX-License-Identifier: GPL-2.0-only
#include "model/types.h"

#include <stddef.h>
#include <string.h>

#include "model/event.h"

/*
 * Maximum number of typedefs, qualifiers or arrays in a row. A longer chain is considered a cycle.
 */
#define CHAIN_MAX	64

uint32_t fargs_types_base(const struct btf *btf, uint32_t id)
{
	const struct btf_type *t;
	int i;

	for (i = 0; i < CHAIN_MAX; i++) {
		t = btf__type_by_id(btf, id);
		if (!t)
			return 0;
		switch (btf_kind(t)) {
		case BTF_KIND_TYPEDEF:
		case BTF_KIND_CONST:
		case BTF_KIND_VOLATILE:
		case BTF_KIND_RESTRICT:
		case BTF_KIND_TYPE_TAG:
			id = t->type;
			break;
		default:
			return id;
		}
	}
	return 0;
}

uint8_t fargs_types_shape(const struct btf *btf, uint32_t base_id)
{
	const struct btf_type *t = btf__type_by_id(btf, base_id);

	if (!base_id || !t)
		return FARGS_SHAPE_PLAIN;
	if (btf_kind(t) == BTF_KIND_ENUM || btf_kind(t) == BTF_KIND_ENUM64)
		return FARGS_SHAPE_ENUM;
	if (btf_kind(t) == BTF_KIND_STRUCT || btf_kind(t) == BTF_KIND_UNION ||
	    btf_kind(t) == BTF_KIND_ARRAY)
		return FARGS_SHAPE_AGGREGATE;
	if (btf_kind(t) == BTF_KIND_PTR) {
		t = btf__type_by_id(btf, fargs_types_base(btf, t->type));
		if (t && btf_kind(t) == BTF_KIND_FUNC_PROTO)
			return FARGS_SHAPE_FUNC;
	}
	return FARGS_SHAPE_PLAIN;
}

const struct btf_type *fargs_types_proto(const struct btf *btf, uint32_t func_id)
{
	const struct btf_type *t = btf__type_by_id(btf, func_id);

	if (!t || btf_kind(t) != BTF_KIND_FUNC)
		return NULL;
	t = btf__type_by_id(btf, t->type);
	return t && btf_kind(t) == BTF_KIND_FUNC_PROTO ? t : NULL;
}

/*
 * Returns a mask of the enum's width: masked values compare equal whether they were sign-extended
 * or not. Returns 0 if @t is not an enum.
 */
static uint64_t enum_mask(const struct btf_type *t)
{
	if (!t || !t->size || (btf_kind(t) != BTF_KIND_ENUM && btf_kind(t) != BTF_KIND_ENUM64))
		return 0;
	return t->size >= 8 ? UINT64_MAX : (1ull << 8 * t->size) - 1;
}

/* Returns the value of enumerator @i, truncated to the enum's width. */
static uint64_t enumerator(const struct btf_type *t, unsigned int i, uint64_t mask)
{
	if (btf_kind(t) == BTF_KIND_ENUM)
		return (uint64_t)(int64_t)btf_enum(t)[i].val & mask;
	return btf_enum64_value(&btf_enum64(t)[i]) & mask;
}

static const char *enumerator_name(const struct btf *btf, const struct btf_type *t, unsigned int i)
{
	return btf__name_by_offset(btf, btf_kind(t) == BTF_KIND_ENUM ? btf_enum(t)[i].name_off :
				   btf_enum64(t)[i].name_off);
}

const char *fargs_types_enumerator(const struct btf *btf, uint32_t base_id, uint64_t value)
{
	const struct btf_type *t = btf__type_by_id(btf, base_id);
	uint64_t mask = enum_mask(t);
	unsigned int i;

	for (i = 0; mask && i < btf_vlen(t); i++)
		if (enumerator(t, i, mask) == (value & mask))
			return enumerator_name(btf, t, i);
	return NULL;
}

int fargs_types_flags(const struct btf *btf, uint32_t base_id, uint64_t value,
		      const char *names[FARGS_TYPES_FLAGS], uint64_t *rest)
{
	const struct btf_type *t = btf__type_by_id(btf, base_id);
	const char *of_bit[FARGS_TYPES_FLAGS] = { NULL };
	uint64_t mask = enum_mask(t), bits = 0, low = 0, top = 0, v;
	unsigned int i, nr_bits = 0, nr_masks = 0, n = 0;
	const char *name;

	for (i = 0; mask && i < btf_vlen(t); i++) {
		v = enumerator(t, i, mask);
		if (v < 64)
			low |= 1ull << v;
		if (v > top)
			top = v;
		if (!v || v & (v - 1) || bits & v)
			continue;
		name = enumerator_name(btf, t, i);
		if (!name || !*name)
			return -1;
		of_bit[__builtin_ctzll(v)] = name;
		bits |= v;
		nr_bits++;
	}
	if (nr_bits < 2)
		return -1;
	/*
	 * Consecutive numbers 1, 2, 3 and so on are not flags. The loop below rejects 63 or more of
	 * them, because most have more than one bit set.
	 */
	if (top >= 3 && top < 63 && (low | 1) == (2ull << top) - 1)
		return -1;
	for (i = 0; i < btf_vlen(t); i++) {
		v = enumerator(t, i, mask);
		if (v & ~bits)
			return -1;
		if (v & (v - 1) && ++nr_masks > nr_bits)
			return -1;
	}
	value &= mask;
	*rest = value & ~bits;
	for (i = 0; i < FARGS_TYPES_FLAGS; i++)
		if (value & bits & 1ull << i)
			names[n++] = of_bit[i];
	return n;
}

int64_t fargs_types_size(const struct btf *btf, uint32_t id)
{
	const struct btf_type *t;
	uint64_t nr = 1;
	int i;

	for (i = 0; i < CHAIN_MAX; i++) {
		id = fargs_types_base(btf, id);
		t = btf__type_by_id(btf, id);
		if (!id || !t)
			return -1;
		switch (btf_kind(t)) {
		case BTF_KIND_ARRAY:
			/* No overflow: both factors fit into 32 bits. */
			nr *= btf_array(t)->nelems;
			if (nr > UINT32_MAX)
				return -1;
			id = btf_array(t)->type;
			break;
		case BTF_KIND_PTR:
			nr *= sizeof(uint64_t);
			return nr > UINT32_MAX ? -1 : (int64_t)nr;
		case BTF_KIND_INT:
		case BTF_KIND_ENUM:
		case BTF_KIND_ENUM64:
		case BTF_KIND_FLOAT:
		case BTF_KIND_STRUCT:
		case BTF_KIND_UNION:
			nr *= t->size;
			return nr > UINT32_MAX ? -1 : (int64_t)nr;
		default:
			return -1;
		}
	}
	return -1;
}

bool fargs_types_is_char(const struct btf *btf, uint32_t base_id)
{
	const struct btf_type *t = btf__type_by_id(btf, base_id);
	const char *name;

	if (!t || btf_kind(t) != BTF_KIND_INT || t->size != 1 || btf_int_bits(t) != 8 ||
	    btf_int_offset(t) || btf_int_encoding(t) & BTF_INT_BOOL)
		return false;
	if (btf_int_encoding(t) & BTF_INT_CHAR)
		return true;
	/* pahole does not set BTF_INT_CHAR, so char is also recognized by its name. */
	name = btf__name_by_offset(btf, t->name_off);
	return name && !strcmp(name, "char");
}

bool fargs_types_is_signed(const struct btf *btf, uint32_t base_id)
{
	const struct btf_type *t = btf__type_by_id(btf, base_id);

	return t && btf_kind(t) == BTF_KIND_INT && btf_int_encoding(t) & BTF_INT_SIGNED;
}
