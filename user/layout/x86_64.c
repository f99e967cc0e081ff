// SPDX-License-Identifier: GPL-2.0-only
#include "layout/x86_64.h"

#include <stdbool.h>

#include "uapi/fargs_layout.h"

/* What is larger than two registers is in memory, whatever it holds. */
#define REGISTERS_BYTES	16

/* Deeper than any type; broken BTF can contain itself. */
#define NEST_MAX	32

/*
 * Is any field of @type_id at @bit_offset not aligned as its type wants it?
 * Packed structs are passed in memory for that.
 */
static bool is_misaligned(const struct btf *btf, uint32_t type_id, uint64_t bit_offset,
			  unsigned int depth)
{
	uint32_t id = fargs_param_strip(btf, type_id);
	const struct btf_type *t = btf__type_by_id(btf, id);
	unsigned int i;
	int align;

	if (!id || !t || depth > NEST_MAX)
		return true;
	if (btf_is_array(t))
		return btf_array(t)->nelems &&
		       is_misaligned(btf, btf_array(t)->type, bit_offset, depth + 1);
	if (!btf_is_composite(t)) {
		align = btf__align_of(btf, id);
		return align <= 0 || bit_offset % (8u * align);
	}
	for (i = 0; i < btf_vlen(t); i++) {
		/* Bitfields have no alignment to break. */
		if (btf_member_bitfield_size(t, i))
			continue;
		if (is_misaligned(btf, btf_members(t)[i].type,
				  bit_offset + btf_member_bit_offset(t, i), depth + 1))
			return true;
	}
	return false;
}

/* Is a value of that type returned to memory whose address the caller gives in rdi? */
static bool is_returned_in_memory(const struct btf *btf, uint32_t type_id)
{
	uint32_t id = fargs_param_strip(btf, type_id);
	const struct btf_type *t = btf__type_by_id(btf, id);

	if (!id || !t || !btf_is_composite(t))
		return false;
	return t->size > REGISTERS_BYTES || is_misaligned(btf, id, 0, 0);
}

enum fargs_refusal fargs_x86_64_place(struct fargs_place *places, const struct fargs_param *params,
				      size_t nr, const struct btf *btf, uint32_t ret_type_id)
{
	size_t next_reg = is_returned_in_memory(btf, ret_type_id);
	size_t i;

	for (i = 0; i < nr; i++) {
		if (next_reg == FARGS_REGS)
			return FARGS_REFUSAL_MANY;
		places[i] = (struct fargs_place) {
			.source = FARGS_SOURCE_REG,
			.index = next_reg++,
			.nr = 1,
		};
	}
	return FARGS_REFUSAL_NONE;
}
