// SPDX-License-Identifier: GPL-2.0-only
#include "select/typing/scalar.h"

#include "abi/param.h"
#include "uapi/fargs_record.h"

/* Returns the enum fargs_type for a bitfield of @bits; 0: such a bitfield is impossible. */
static uint8_t bitfield_type(const struct btf_type *t, uint32_t bits)
{
	bool is_signed = btf_int_encoding(t) & BTF_INT_SIGNED;

	if (!bits || bits > 8 * t->size || t->size > sizeof(uint64_t))
		return 0;
	return fargs_param_int_type(t->size, is_signed);
}

bool fargs_scalar_init(struct fargs_scalar *s, const struct btf *btf, uint32_t base_id,
		       uint32_t bitfield_bits)
{
	const struct btf_type *t = btf__type_by_id(btf, base_id);
	struct fargs_param param;

	*s = (struct fargs_scalar){ };
	/* Arrays and structs can be parameters, but are not scalars. */
	if (!base_id || !t || btf_is_array(t) || btf_is_composite(t))
		return false;
	if (fargs_param_init(&param, btf, NULL, base_id)) {
		if (!bitfield_bits || !btf_is_int(t))
			return false;
		param.type = bitfield_type(t, bitfield_bits);
		if (!param.type)
			return false;
	}
	s->type = param.type;
	s->bits = bitfield_bits ? bitfield_bits : 8 * param.bytes;
	s->is_pointer = btf_is_ptr(t);
	s->is_bool = param.type == FARGS_TYPE_BOOL;
	if (btf_is_any_enum(t)) {
		s->enum_id = base_id;
		s->is_signed = btf_kflag(t);
	} else if (btf_is_int(t)) {
		/*
		 * Whether char is signed depends on the kernel. FARGS_TYPE_CHAR does not encode the
		 * signedness, so use BTF.
		 */
		s->is_signed = btf_int_encoding(t) & BTF_INT_SIGNED;
	}
	return true;
}

__int128 fargs_scalar_min(const struct fargs_scalar *s)
{
	return s->is_signed ? -((__int128)1 << (s->bits - 1)) : 0;
}

__int128 fargs_scalar_max(const struct fargs_scalar *s)
{
	if (s->is_bool)
		return 1;
	return ((__int128)1 << (s->is_signed ? s->bits - 1 : s->bits)) - 1;
}
