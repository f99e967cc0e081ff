/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Call chains and last branches of tasks, from the branches of a trace. As in perf, the stack of a
 * task remains over the times when it does not run, a return ends the innermost call that returns
 * to its target, and the beginning of the trace may be such a return, too.
 */
#ifndef FARGS_SOURCE_PT_EVENTS_CHAINS_H
#define FARGS_SOURCE_PT_EVENTS_CHAINS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model/event.h"
#include "source/pt/decode/flow.h"

struct fargs_pt_chains;

/*
 * @chain_max: most addresses of a call chain, with that of the sample; @branches_max: most last
 * branches. 0: none are wanted. Returns NULL if out of memory.
 */
struct fargs_pt_chains *fargs_pt_chains_create(unsigned int chain_max, unsigned int branches_max);
void fargs_pt_chains_destroy(struct fargs_pt_chains *c);

/*
 * Chooses the task that executes the items that follow. The idle tasks of all CPUs have the tid 0,
 * and a stack each. Returns 0 or -ENOMEM.
 */
int fargs_pt_chains_switch(struct fargs_pt_chains *c, int32_t tid, uint32_t cpu);

/*
 * Takes an item. @size: of the instruction at item->from, if it is a call. Returns 0 or -ENOMEM.
 */
int fargs_pt_chains_take(struct fargs_pt_chains *c, const struct fargs_pt_item *item,
			 unsigned int size);

/*
 * Writes the callers of the instruction at @ip, innermost first, to @to, which has room for
 * @chain_max. Returns their number.
 */
size_t fargs_pt_chains_callers(const struct fargs_pt_chains *c, uint64_t ip, uint64_t *to);

/*
 * As fargs_pt_chains_callers(), for a sample at @ip that was recorded while tracing went on: leaves
 * out the calls of the kernel since then, down to user space or to a call that returns to @ip.
 */
size_t fargs_pt_chains_callers_late(const struct fargs_pt_chains *c, uint64_t ip, uint64_t *to);

/* Writes the last branches, newest first, to @to, which has room for @branches_max. */
size_t fargs_pt_chains_branches(const struct fargs_pt_chains *c, struct fargs_last_branch *to);

#endif
