// SPDX-License-Identifier: GPL-2.0-only
/*
 * Context: as the capture paths, any, NMI included. Not traced itself (Kbuild).
 *
 * Who frees: the set lives until the probes are unregistered, which waits for
 * whoever is in a callback (session/probes.c), and the tracepoints, too.
 */
#include "probe/under.h"

#include <linux/log2.h>
#include <linux/mm.h>
#include <linux/overflow.h>
#include <linux/slab.h>

#include "probe/capture.h"

/* Of a set that is a quarter full, hardly a mark is farther off than ten. */
#define SCAN_MAX	64u

struct fargs_under *fargs_under_create(u32 nr)
{
	u32 bits = max(order_base_2(4 * nr), ilog2(SCAN_MAX));
	struct fargs_under *under;

	under = kvzalloc(struct_size(under, marks, 1ul << bits), GFP_KERNEL_ACCOUNT);
	if (under) {
		under->bits = bits;
		under->nr_scan = 1;
	}
	return under;
}

void fargs_under_destroy(struct fargs_under *under)
{
	kvfree(under);
}

void fargs_under_close(struct fargs_under *under)
{
	/* Atomic, as reach_mark() is: it must not open it again. */
	xchg(&under->nr_scan, 0);
}

/* Before there is a mark so far off: who put it there will look for it. */
static notrace bool reach_mark(struct fargs_under *under, u32 nr)
{
	u32 old = READ_ONCE(under->nr_scan);

	while (old && old < nr) {
		if (try_cmpxchg(&under->nr_scan, &old, nr))
			return true;
	}
	return old;
}

u32 notrace fargs_under_enter(struct fargs_under *under)
{
	unsigned long key = fargs_under_key();
	u32 nr, place = fargs_under_place(under, key);

	for (nr = 1; nr <= SCAN_MAX; nr++, place++) {
		unsigned long *mark = fargs_under_mark(under, place);

		if (READ_ONCE(*mark))
			continue;
		if (!reach_mark(under, nr))
			return 0;
		if (!cmpxchg(mark, 0, key))
			return mark - under->marks + 1;
	}
	atomic64_inc(&under->nr_unmarked);
	return 0;
}

void notrace fargs_under_forget(struct fargs_under *under, const struct task_struct *task)
{
	unsigned long *mark = fargs_under_find(under, (unsigned long)task);

	if (mark)
		WRITE_ONCE(*mark, 0);
}

/*
 * The callbacks of a session that has such functions, in front of the usual ones:
 * what is not inside takes no number, as what the filter of tasks keeps out. What it
 * looks at stays while a task is in here, preempted or not.
 */
void notrace fargs_under_entry_plain(unsigned long ip, unsigned long parent_ip,
				     struct ftrace_ops *ops, struct ftrace_regs *fregs)
{
	if (fargs_under_is_inside(container_of(ops, struct fargs_capture, plain.ops)->under))
		fargs_entry_plain(ip, parent_ip, ops, fregs);
}

void notrace fargs_under_entry_fetch(unsigned long ip, unsigned long parent_ip,
				     struct ftrace_ops *ops, struct ftrace_regs *fregs)
{
	if (fargs_under_is_inside(container_of(ops, struct fargs_capture, fetch.ops)->under))
		fargs_entry_fetch(ip, parent_ip, ops, fregs);
}
