// SPDX-License-Identifier: GPL-2.0-only
#include "arch/fentry.h"

#include <linux/bitops.h>
#include <linux/ftrace.h>
#include <linux/minmax.h>
#include <linux/sched/signal.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/uaccess.h>
#include <asm/nops.h>
#include <asm/pgtable.h>

#define CALL_BYTES	5
#define ENDBR_BYTES	4

static bool is_fentry(const u8 *insn)
{
	static const u8 nop[] = { BYTES_NOP5 };

	/*
	 * A call, or (BPF, from 7.x) a jump, while traced; int3 for the moment in
	 * which it is patched. ftrace itself has the last word.
	 */
	return insn[0] == 0xe8 || insn[0] == 0xe9 || insn[0] == 0xcc ||
	       !memcmp(insn, nop, CALL_BYTES);
}

unsigned long fargs_fentry_find(unsigned long addr)
{
	u8 text[ENDBR_BYTES + CALL_BYTES];

	/* Kernel and module text only: reading a device's registers may do things. */
	if (addr < __START_KERNEL_map || addr >= MODULES_END - sizeof(text))
		return 0;
	if (copy_from_kernel_nofault(text, (void *)addr, sizeof(text)))
		return 0;
	if (is_fentry(text))
		return addr;
	/* What comes first is ENDBR, or the nop that a sealed one became. */
	if (is_fentry(text + ENDBR_BYTES))
		return addr + ENDBR_BYTES;
	return 0;
}

/*
 * ftrace_location() is not exported, but setting a filter asks it for each
 * address and fails as a whole for one bad one. So halve until the bad ones
 * stand alone. @scratch is never registered: nothing is patched.
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
	ret = test_range(scratch, ips, first, nr / 2, bad);	/* at most 17 deep */
	if (!ret)
		ret = test_range(scratch, ips, first + nr / 2, nr - nr / 2, bad);
	return ret;
}

int fargs_fentry_test(unsigned long *ips, u32 nr, unsigned long *bad)
{
	struct ftrace_ops *scratch = kzalloc(sizeof(*scratch), GFP_KERNEL);
	u32 first;
	int ret = 0;

	if (!scratch)
		return -ENOMEM;
	/*
	 * ftrace collects a list in a hash of 1,024 buckets: batches keep it
	 * short, and the halving shallow.
	 */
	for (first = 0; !ret && first < nr; first += 1024)
		ret = test_range(scratch, ips, first, min_t(u32, nr - first, 1024), bad);
	ftrace_free_filter(scratch);
	kfree(scratch);
	return ret;
}
