// SPDX-License-Identifier: GPL-2.0-only
/*
 * Context: as the capture paths, any, NMI included. Not traced itself (Kbuild).
 *
 * Who frees: the set lives until the probes are unregistered, which waits for
 * whoever is in a callback (session/probes.c), and the tracepoints, too.
 */
#include "probe/scope.h"

#include <linux/log2.h>
#include <linux/mm.h>
#include <linux/overflow.h>
#include <linux/slab.h>

#include "probe/capture.h"

/* Of a set that is a quarter full, hardly a mark is farther off than ten. */
#define SCAN_MAX	64u

struct fargs_scope *fargs_scope_create(u32 nr)
{
	u32 bits = max(order_base_2(4 * nr), ilog2(SCAN_MAX));
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
	/* Atomic, as reach_mark() is: it must not open it again. */
	xchg(&scope->nr_scan, 0);
}

/* Before there is a mark so far off: who put it there will look for it. */
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

/*
 * The callbacks of a session that has such functions, in front of the usual ones:
 * what is not inside takes no number, as what the filter of tasks keeps out. What it
 * looks at stays while a task is in here, preempted or not.
 */
void notrace fargs_scope_entry_plain(unsigned long ip, unsigned long parent_ip,
				     struct ftrace_ops *ops, struct ftrace_regs *fregs)
{
	if (fargs_scope_is_inside(container_of(ops, struct fargs_capture, plain.ops)->scope))
		fargs_entry_plain(ip, parent_ip, ops, fregs);
}

void notrace fargs_scope_entry_fetch(unsigned long ip, unsigned long parent_ip,
				     struct ftrace_ops *ops, struct ftrace_regs *fregs)
{
	if (fargs_scope_is_inside(container_of(ops, struct fargs_capture, fetch.ops)->scope))
		fargs_entry_fetch(ip, parent_ip, ops, fregs);
}
