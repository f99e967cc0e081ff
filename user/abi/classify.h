/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Determines how x86-64 passes a struct or union by value (System V ABI, section 3.2.3), from its
 * members.
 */
#ifndef FARGS_ABI_CLASSIFY_H
#define FARGS_ABI_CLASSIFY_H

#include <stdbool.h>
#include <stdint.h>

#include <bpf/btf.h>

#include "abi/refusal.h"

enum fargs_class_kind {
	FARGS_CLASS_NOTHING,		/* an empty type, which is not passed */
	FARGS_CLASS_REGISTERS,	/* a register for each 8 bytes; in memory if too few are free */
	FARGS_CLASS_MEMORY,
};

struct fargs_value_class {
	enum fargs_class_kind way;
	uint32_t bytes;
	uint32_t align;		/* smallest possible alignment in memory, in bytes; at least 8 */
	uint32_t align_max;	/* largest possible alignment; BTF lacks the actual one */
};

/*
 * Fills *@pass for the struct or union @type_id, which has no qualifiers. Returns
 * FARGS_REFUSAL_NONE, or the reason why this is impossible.
 */
enum fargs_refusal fargs_classify_value(struct fargs_value_class *pass, const struct btf *btf,
					uint32_t type_id);

/*
 * Is a value of @type_id returned in memory, at an address that the caller passes in rdi? Sets
 * *@in_memory and returns FARGS_REFUSAL_NONE, or returns the reason why the answer is unknown.
 */
enum fargs_refusal fargs_classify_returned(bool *in_memory, const struct btf *btf,
					   uint32_t type_id);

#endif
