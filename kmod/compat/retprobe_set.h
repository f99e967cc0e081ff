/* SPDX-License-Identifier: GPL-2.0-only */
/* For retprobe*.c alone: a set, and the two ways to make one. */
#ifndef FARGS_COMPAT_RETPROBE_SET_H
#define FARGS_COMPAT_RETPROBE_SET_H

#include <linux/container_of.h>
#include <linux/cpumask.h>
#include <linux/kconfig.h>
#include <linux/llist.h>
#include <linux/rethook.h>
#include <linux/sched.h>

#include "retprobe.h"

/*
 * fprobe counts if its callbacks get the return address (6.6 and later) and so
 * what to do with it: registers as pt_regs on top of rethook, or as ftrace_regs on top
 * of the function graph tracer (6.14, and backports).
 */
#if IS_ENABLED(CONFIG_FPROBE) && \
	(defined(FARGS_HAS_FPROBE_PT_REGS) || defined(FARGS_HAS_FPROBE_FTRACE_REGS))
#define FARGS_HAS_FPROBE
#endif

/* Constant from create to destroy. One of the two is registered. */
struct fargs_retprobe {
	u32 nr;
	struct fargs_retprobe_kprobes *kprobes;
	struct fargs_retprobe_fprobe *fprobe;
};

/*
 * Instances that the kernel is to keep for a set, beyond those of its calls: for
 * handlers that run now and will refuse the call.
 */
static inline u32 fargs_retprobe_spare(void)
{
	return 4 * num_possible_cpus();
}

/*
 * The return address of the call whose fentry @regs are of. Another return probe may
 * have replaced it already: of a function that jumps to this one at its end, or
 * of this call itself. Then the kernel's list of hooked returns has it.
 */
static __always_inline unsigned long fargs_retprobe_parent(const struct pt_regs *regs)
{
	unsigned long parent_ip = *(unsigned long *)regs->sp;
	const struct llist_node *node = current->rethooks.first;

	while (node) {
		const struct rethook_node *hook = container_of(node, struct rethook_node, llist);

		if (likely(hook->frame != regs->sp))
			break;
		parent_ip = hook->ret_addr;
		node = node->next;
	}
	return parent_ip;
}

struct fargs_retprobe_kprobes *
fargs_retprobe_kprobes_create(void *owner, const struct fargs_retprobe_func *funcs, u32 nr);
void fargs_retprobe_kprobes_destroy(struct fargs_retprobe_kprobes *kprobes);
int fargs_retprobe_kprobes_register(struct fargs_retprobe_kprobes *kprobes, u32 nr_calls,
				    u32 *failed);
void fargs_retprobe_kprobes_unregister(struct fargs_retprobe_kprobes *kprobes);
void fargs_retprobe_kprobes_forget(struct fargs_retprobe_kprobes *kprobes, unsigned long ip);
u64 fargs_retprobe_kprobes_count_missed(struct fargs_retprobe_kprobes *kprobes);
int fargs_retprobe_kprobes_test(const unsigned long *ips, u32 nr, unsigned long *bad);

#ifdef FARGS_HAS_FPROBE
struct fargs_retprobe_fprobe *
fargs_retprobe_fprobe_create(void *owner, const struct fargs_retprobe_func *funcs, u32 nr);
void fargs_retprobe_fprobe_destroy(struct fargs_retprobe_fprobe *fprobe);
int fargs_retprobe_fprobe_register(struct fargs_retprobe_fprobe *fprobe, u32 nr_calls);
int fargs_retprobe_fprobe_unregister(struct fargs_retprobe_fprobe *fprobe);
void fargs_retprobe_fprobe_forget(struct fargs_retprobe_fprobe *fprobe, unsigned long ip);
void fargs_retprobe_fprobe_keep(struct fargs_retprobe_fprobe *fprobe, unsigned long *ips, u32 nr);
u64 fargs_retprobe_fprobe_count_missed(struct fargs_retprobe_fprobe *fprobe);
#endif

#endif
