// SPDX-License-Identifier: GPL-2.0-only
/*
 * Context: same as the capture paths: any context, NMI included. Not traced (Kbuild).
 *
 * Lifetime: the set is freed after all probes, including those of tracepoints, have been
 * unregistered, which waits for running callbacks (session/probes.c).
 */
#include "probe/scope.h"

#include <linux/log2.h>
#include <linux/mm.h>
#include <linux/overflow.h>
#include <linux/slab.h>

#include "probe/capture.h"

/*
 * Maximum number of places to search for a free place. In a set that is a quarter full, marks are
 * rarely more than ten places away from the first place of their key.
 */
#define SCAN_MAX	64u

static u32 bits_of(u32 nr)
{
	return max(order_base_2(4 * nr), ilog2(SCAN_MAX));
}

u64 fargs_scope_bytes(u32 nr)
{
	return sizeof(struct fargs_scope) + (sizeof(long) << bits_of(nr));
}

struct fargs_scope *fargs_scope_create(u32 nr)
{
	u32 bits = bits_of(nr);
	struct fargs_scope *scope;

	scope = kvzalloc(struct_size(scope, marks, 1ul << bits), GFP_KERNEL_ACCOUNT);
	if (scope) {
		scope->bits = bits;
		scope->nr_scan = 1;
	}
	return scope;
}

void fargs_scope_destroy(struct fargs_scope *scope)
{
	kvfree(scope);
}

void fargs_scope_close(struct fargs_scope *scope)
{
	/* Atomic, so that the cmpxchg in reach_mark() cannot set nr_scan again. */
	xchg(&scope->nr_scan, 0);
}

/*
 * Raises nr_scan to at least @nr, before a mark is set at that distance: lookups must be able to
 * find the mark. Returns false if the set is closed.
 */
static notrace bool reach_mark(struct fargs_scope *scope, u32 nr)
{
	u32 old = READ_ONCE(scope->nr_scan);

	while (old && old < nr) {
		if (try_cmpxchg(&scope->nr_scan, &old, nr))
			return true;
	}
	return old;
}

u32 notrace fargs_scope_enter(struct fargs_scope *scope)
{
	unsigned long key = fargs_scope_key();
	u32 nr, place = fargs_scope_place(scope, key);

	for (nr = 1; nr <= SCAN_MAX; nr++, place++) {
		unsigned long *mark = fargs_scope_mark(scope, place);

		if (READ_ONCE(*mark))
			continue;
		if (!reach_mark(scope, nr))
			return 0;
		if (!cmpxchg(mark, 0, key))
			return mark - scope->marks + 1;
	}
	atomic64_inc(&scope->nr_unmarked);
	return 0;
}

void notrace fargs_scope_forget(struct fargs_scope *scope, const struct task_struct *task)
{
	unsigned long *mark = fargs_scope_find(scope, (unsigned long)task);

	if (mark)
		WRITE_ONCE(*mark, 0);
}
