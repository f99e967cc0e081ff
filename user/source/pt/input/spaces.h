/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The code of processes, over time. A space is all code that a process has from its beginning, or
 * from an exec, to the next exec; a fork begins a space with the code that its parent has then.
 *
 * The trace reports times late. So code that overlaps no other code of the space is there from the
 * beginning of the space; only code that replaces other code comes at the time of its record.
 */
#ifndef FARGS_PT_SPACES_H
#define FARGS_PT_SPACES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "source/pt/input/input.h"

struct fargs_pt_space {
	int32_t pid;
	uint64_t from_ns;	/* until the next one of the process; 0: from the beginning */
	int32_t next;		/* of the process; -1: none */
	int32_t base;		/* the space that it was forked from; -1: none */
	size_t nr_base;		/* so many of that one's own codes it has, too */
	unsigned int depth;	/* of forks from forks */
	size_t first, nr;	/* its own codes: in->codes[first...] */
	/* An index by pid, then time, beside this: */
	int32_t by_pid;
};

/*
 * Makes in->spaces and their codes of in->mappings, which are sorted. Until then all of in->codes
 * are the kernel's. -ENOMEM.
 */
int fargs_pt_spaces_build(struct fargs_pt_input *in);

/* How many of in->codes are the kernel's. */
size_t fargs_pt_spaces_nr_kernel(const struct fargs_pt_input *in);

/* The space that @pid has at @ns; its first one, if that begins later; -1: it has none. */
int32_t fargs_pt_spaces_at(const struct fargs_pt_input *in, int32_t pid, uint64_t ns);

/* Is there code at @addr in @space, at any time? */
bool fargs_pt_spaces_has(const struct fargs_pt_input *in, int32_t space, uint64_t addr);

/*
 * Calls @fn for each code of @space, in the order in which later ones cover those before, with its
 * place in in->codes. 0, or what @fn returned first that is not.
 */
int fargs_pt_spaces_each(const struct fargs_pt_input *in, int32_t space,
			 int (*fn)(void *arg, size_t code), void *arg);

#endif
