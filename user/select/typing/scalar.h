/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Values of up to 64 bits: their width and sign, as BTF has them.
 */
#ifndef FARGS_EXPR_SCALAR_H
#define FARGS_EXPR_SCALAR_H

#include <stdbool.h>
#include <stdint.h>

#include <bpf/btf.h>

struct fargs_scalar {
	uint8_t type;		/* enum fargs_type: how a record holds it */
	uint8_t bits;		/* 1 to 64, or 128 */
	bool is_signed;
	bool is_pointer;
	bool is_bool;
	bool is_duration;	/* ticks of the TSC */
	uint32_t enum_id;	/* its enum; 0: none */
};

/*
 * Of the type @base_id (without qualifiers), or of a bitfield of @bitfield_bits of
 * that type (0: none). False: it is no scalar, or a floating-point one.
 */
bool fargs_scalar_init(struct fargs_scalar *s, const struct btf *btf, uint32_t base_id,
		       uint32_t bitfield_bits);

/* The least and the greatest value that it can have. */
__int128 fargs_scalar_min(const struct fargs_scalar *s);
__int128 fargs_scalar_max(const struct fargs_scalar *s);

#endif
