/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The code of processes, over time. A space is all code that a process has from its beginning, or
 * from an exec, to the next exec; a fork begins a space with the code that its parent has then.
 *
 * The last time in the trace is earlier than the execution, so code may seem to run before it was
 * mapped. Therefore code that overlaps no other code of the space is valid from the beginning of
 * the space; only code that replaces other code is valid from the time of its record.
 */
#ifndef FARGS_SOURCE_PT_INPUT_SPACES_H
#define FARGS_SOURCE_PT_INPUT_SPACES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "source/pt/input/input.h"

struct fargs_pt_space {
	int32_t pid;
	uint64_t from_ns;	/* until that of the next space; 0: from the beginning */
	int32_t next;		/* next space of the process; -1: none */
	int32_t base;		/* the space that it was forked from; -1: none */
	size_t nr_base;		/* number of own codes of base that this space has, too */
	unsigned int depth;	/* number of bases above */
	size_t first, nr;	/* its own codes: nr of in->codes from first on */
	/* by_pid of all spaces together are an index sorted by pid, then time: */
	int32_t by_pid;
};

/*
 * Builds in->spaces and their codes from in->mappings, which must be sorted. All of in->codes
 * must be kernel code. Returns 0 or -ENOMEM.
 */
int fargs_pt_spaces_build(struct fargs_pt_input *in);

/* Number of in->codes that are kernel code; they come first. */
size_t fargs_pt_spaces_nr_kernel(const struct fargs_pt_input *in);

/* The space of @pid at @ns, or its first one if that begins later; -1: none. */
int32_t fargs_pt_spaces_at(const struct fargs_pt_input *in, int32_t pid, uint64_t ns);

/* Is @addr inside code of @space, at any time? */
bool fargs_pt_spaces_has(const struct fargs_pt_input *in, int32_t space, uint64_t addr);

/*
 * Calls @fn with the index in in->codes for each code of @space, in an order in which later codes
 * replace earlier ones. Stops at the first nonzero result and returns it, else 0.
 */
int fargs_pt_spaces_each(const struct fargs_pt_input *in, int32_t space,
			 int (*fn)(void *arg, size_t code), void *arg);

#endif
