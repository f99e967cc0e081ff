/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * How x86-64 passes a struct or union by value (System V ABI, section 3.2.3), derived from its
 * members.
 */
#ifndef FARGS_LAYOUT_PASSING_H
#define FARGS_LAYOUT_PASSING_H

#include <stdbool.h>
#include <stdint.h>

#include <bpf/btf.h>

#include "abi/refusal.h"

enum fargs_passing_way {
	FARGS_PASSING_NOTHING,		/* empty */
	FARGS_PASSING_REGISTERS,	/* one for each 8 bytes, if enough are free */
	FARGS_PASSING_MEMORY,
};

struct fargs_passing {
	enum fargs_passing_way way;
	uint32_t bytes;
	uint32_t align;		/* minimum alignment in memory in bytes, >= 8 */
	uint32_t align_max;	/* maximum alignment: BTF lacks attributes */
};

/*
 * Fills *@pass for the struct or union @type_id, without qualifiers. Returns why this is
 * impossible, or NONE.
 */
enum fargs_refusal fargs_passing_init(struct fargs_passing *pass, const struct btf *btf,
				      uint32_t type_id);

/*
 * Is a value of @type_id returned in memory, at an address that the caller passes in rdi? Sets
 * *@in_memory, or returns why this is unknown.
 */
enum fargs_refusal fargs_passing_is_returned(bool *in_memory, const struct btf *btf,
					     uint32_t type_id);

#endif
