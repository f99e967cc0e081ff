/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * How x86-64 passes a struct or union by value, told from its members
 * (section 3.2.3 of the System V ABI).
 */
#ifndef FARGS_LAYOUT_PASSING_H
#define FARGS_LAYOUT_PASSING_H

#include <stdbool.h>
#include <stdint.h>

#include <bpf/btf.h>

#include "abi/refusal.h"

enum fargs_passing_way {
	FARGS_PASSING_NOTHING,		/* it is empty */
	FARGS_PASSING_REGISTERS,	/* one for every 8 bytes, if there are so many */
	FARGS_PASSING_MEMORY,
};

struct fargs_passing {
	enum fargs_passing_way way;
	uint32_t bytes;
	uint32_t align;		/* in memory, in bytes: at least this, at least 8 */
	uint32_t align_max;	/* at most this: attributes are not in BTF */
};

/*
 * Fills *@pass for the struct or union @type_id, without qualifiers. Returns why
 * it cannot be told, or NONE.
 */
enum fargs_refusal fargs_passing_init(struct fargs_passing *pass, const struct btf *btf,
				      uint32_t type_id);

/*
 * Is a value of @type_id returned to memory whose address the caller gives in
 * rdi? Sets *@in_memory, or returns why it cannot be told.
 */
enum fargs_refusal fargs_passing_is_returned(bool *in_memory, const struct btf *btf,
					     uint32_t type_id);

#endif
