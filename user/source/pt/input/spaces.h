/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The user-space code of processes, over time. A space is all code of a process from its beginning,
 * or from an exec, to its next exec. A fork creates a space with the current code of the parent.
 *
 * The exact time of an instruction is unknown: the decoder uses the last time in the trace before
 * it. So code may seem to be executed before it was mapped. Therefore code that overlaps no other
 * code of its space is valid from the beginning of the space. Only code that replaces other code is
 * valid from the time of its record.
 */
#ifndef FARGS_SOURCE_PT_INPUT_SPACES_H
#define FARGS_SOURCE_PT_INPUT_SPACES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "source/pt/input/input.h"

struct fargs_pt_space {
	int32_t pid;
	/* The space is valid from @from_ns (0: the beginning) until @from_ns of space @next. */
	uint64_t from_ns;
	int32_t next;		/* index of the process's next space; -1: none */
	int32_t base;		/* index of the space from which this one was forked; -1: none */
	size_t nr_base;		/* inherits the first @nr_base elements of the own code of @base */
	unsigned int depth;	/* number of spaces that can be reached by following @base */
	size_t first, nr;	/* own code: @nr elements of in->codes, beginning with @first */
	/*
	 * Order of all spaces, by pid, then time: the i-th space in this order is
	 * in->spaces[in->spaces[i].by_pid].
	 */
	int32_t by_pid;
};

/*
 * Builds in->spaces from in->mappings, which must be sorted, and appends the mapped code to
 * in->codes. Before the call, in->codes must contain only kernel code. Returns 0 or -ENOMEM.
 */
int fargs_pt_spaces_build(struct fargs_pt_input *in);

/* Returns the number of elements with kernel code, which are first in in->codes. */
size_t fargs_pt_spaces_nr_kernel(const struct fargs_pt_input *in);

/* Returns the space of @pid at @ns, or its first space if @ns is earlier; -1 if it has none. */
int32_t fargs_pt_spaces_at(const struct fargs_pt_input *in, int32_t pid, uint64_t ns);

/*
 * Returns the pid whose code task @tid executes at @ns: the pid of its process, if the recording
 * has code of that process; else the only pid that has code, if there is only one; else the pid of
 * its process, or @tid if that pid is unknown.
 */
int32_t fargs_pt_spaces_pid(const struct fargs_pt_input *in, int32_t tid, uint64_t ns);

/* The space of a task at a time, cached. Initialize with zeroes. */
struct fargs_pt_task_space {
	bool is_set;
	int32_t tid;
	int32_t space;
	uint64_t ns;
};

/* Returns the space of task @tid at @ns; -1: none. */
static inline int32_t fargs_pt_task_space(const struct fargs_pt_input *in,
					  struct fargs_pt_task_space *kept, int32_t tid,
					  uint64_t ns)
{
	if (!in->nr_spaces)
		return -1;
	if (!kept->is_set || kept->tid != tid || kept->ns != ns)
		*kept = (struct fargs_pt_task_space){
			.is_set = true, .tid = tid, .ns = ns,
			.space = fargs_pt_spaces_at(in, fargs_pt_spaces_pid(in, tid, ns), ns),
		};
	return kept->space;
}

/* Returns whether @addr is inside code of @space at some time. */
bool fargs_pt_spaces_has(const struct fargs_pt_input *in, int32_t space, uint64_t addr);

/*
 * Calls @fn for each element of in->codes in @space, with the element's index. If elements overlap,
 * a later one replaces an earlier one. Returns 0, or the first nonzero result of @fn, which ends
 * the iteration.
 */
int fargs_pt_spaces_each(const struct fargs_pt_input *in, int32_t space,
			 int (*fn)(void *arg, size_t code), void *arg);

#endif
