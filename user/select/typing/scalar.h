/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Scalar values: their width and signedness according to BTF.
 */
#ifndef FARGS_SELECT_TYPING_SCALAR_H
#define FARGS_SELECT_TYPING_SCALAR_H

#include <stdbool.h>
#include <stdint.h>

#include <bpf/btf.h>

struct fargs_scalar {
	uint8_t type;		/* enum fargs_type: type of such values in records */
	uint8_t bits;		/* width of the value: 1 to 64, or 128 */
	bool is_signed;
	bool is_pointer;
	bool is_bool;
	bool is_duration;	/* a duration, in ticks of the TSC */
	uint32_t enum_id;	/* BTF id of the enum; 0: not an enum */
};

/* In place of the BTF id of an enum: the value is the number of a system call (abi/syscalls.h). */
#define FARGS_SCALAR_SYSCALL	UINT32_MAX

/*
 * Describes the type @base_id (without qualifiers and typedefs), or a bitfield of @bitfield_bits
 * (0: none) of that type. Returns false if the type is not a scalar, or is floating point.
 */
bool fargs_scalar_init(struct fargs_scalar *s, const struct btf *btf, uint32_t base_id,
		       uint32_t bitfield_bits);

/* Return the smallest and the largest value of the type @s. */
__int128 fargs_scalar_min(const struct fargs_scalar *s);
__int128 fargs_scalar_max(const struct fargs_scalar *s);

#endif
