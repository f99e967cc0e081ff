/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Members of structs and unions, those of anonymous members included.
 */
#ifndef FARGS_EXPR_MEMBER_H
#define FARGS_EXPR_MEMBER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <bpf/btf.h>

#include "base/near.h"

struct fargs_member {
	uint32_t type_id;
	uint32_t bitfield_bits;		/* 0: it is none */
	uint64_t bit_offset;
};

/* Finds the @len bytes at @name in the struct or union @base_id. */
bool fargs_member_find(struct fargs_member *member, const struct btf *btf, uint32_t base_id,
		       const char *name, size_t len);
/* Of a member: its name, its type as declared, and bits if it is a bitfield. Not 0 ends it. */
typedef int fargs_member_fn(void *arg, const char *name, uint32_t type_id,
			    uint32_t bitfield_bits);
/* Calls @each for all, in their order. 0, or what it returned. */
int fargs_member_each(const struct btf *btf, uint32_t base_id, fargs_member_fn *each, void *arg);
/* Offers the names of all. */
void fargs_member_offer(const struct btf *btf, uint32_t base_id, struct fargs_near *near);

#endif
