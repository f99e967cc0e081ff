// SPDX-License-Identifier: GPL-2.0-only
#include "compat/ftrace.h"

#include <linux/bitops.h>
#include <linux/minmax.h>
#include <linux/sched.h>
#include <linux/sched/signal.h>
#include <linux/slab.h>

/*
 * ftrace_location() is not exported. But setting a filter calls it for each address, and fails as a
 * whole if one address is bad. So test_range() finds each bad address by bisection. @scratch is
 * never registered, so no code is patched.
 */
static int test_range(struct ftrace_ops *scratch, unsigned long *ips, u32 first, u32 nr,
		      unsigned long *bad)
{
	int ret = ftrace_set_filter_ips(scratch, ips + first, nr, 0, 1);

	if (!ret)
		return 0;
	if (ret != -EINVAL && ret != -ENOENT)
		return ret;
	if (nr == 1) {
		__set_bit(first, bad);
		return 0;
	}
	cond_resched();
	if (fatal_signal_pending(current))
		return -EINTR;
	ret = test_range(scratch, ips, first, nr / 2, bad);	/* at most 11 levels of recursion */
	if (!ret)
		ret = test_range(scratch, ips, first + nr / 2, nr - nr / 2, bad);
	return ret;
}

int fargs_compat_ftrace_test(unsigned long *ips, u32 nr, unsigned long *bad)
{
	struct ftrace_ops *scratch = kzalloc(sizeof(*scratch), GFP_KERNEL);
	u32 first;
	int ret = 0;

	if (!scratch)
		return -ENOMEM;
	/*
	 * ftrace collects the addresses of a call in a hash of 1,024 buckets. Batches of
	 * 1,024 addresses keep the buckets short and the recursion shallow.
	 */
	for (first = 0; !ret && first < nr; first += 1024) {
		cond_resched();
		ret = fatal_signal_pending(current) ? -EINTR :
		      test_range(scratch, ips, first, min_t(u32, nr - first, 1024), bad);
	}
	ftrace_free_filter(scratch);
	kfree(scratch);
	return ret;
}
