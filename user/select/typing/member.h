/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Members of structs and unions, including those of anonymous members.
 */
#ifndef FARGS_SELECT_TYPING_MEMBER_H
#define FARGS_SELECT_TYPING_MEMBER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <bpf/btf.h>

#include "base/near.h"

struct fargs_member {
	uint32_t type_id;
	uint32_t bitfield_bits;		/* width of a bitfield; 0: not a bitfield */
	uint64_t bit_offset;
};

/* Finds the member whose name is the @len bytes at @name in the struct or union @base_id. */
bool fargs_member_find(struct fargs_member *member, const struct btf *btf, uint32_t base_id,
		       const char *name, size_t len);
/*
 * Called with a member's name, its declared type, and its width in bits if it is a bitfield, else
 * 0. A return value other than 0 stops the iteration.
 */
typedef int fargs_member_fn(void *arg, const char *name, uint32_t type_id,
			    uint32_t bitfield_bits);
/*
 * Calls @each for all members in order. Returns 0, or the value of @each that stopped the
 * iteration.
 */
int fargs_member_each(const struct btf *btf, uint32_t base_id, fargs_member_fn *each, void *arg);
/* Offers the names of all members to @near. */
void fargs_member_offer(const struct btf *btf, uint32_t base_id, struct fargs_near *near);

#endif
