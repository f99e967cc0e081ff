/* SPDX-License-Identifier: GPL-2.0-only */
/* For retprobe*.c alone: a set, and the two ways to make one. */
#ifndef FARGS_KMOD_COMPAT_RETPROBE_SET_H
#define FARGS_KMOD_COMPAT_RETPROBE_SET_H

#include <linux/container_of.h>
#include <linux/cpumask.h>
#include <linux/kconfig.h>
#include <linux/llist.h>
#include <linux/rethook.h>
#include <linux/sched.h>

#include "arch/regs.h"
#include "compat/features.h"
#include "compat/retprobe.h"

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
	unsigned long parent_ip = fargs_arch_return_address(regs);
	const struct llist_node *node = current->rethooks.first;

	while (node) {
		const struct rethook_node *hook = container_of(node, struct rethook_node, llist);

		if (likely(hook->frame != fargs_arch_sp(regs)))
			break;
		parent_ip = hook->ret_addr;
		node = node->next;
	}
	return parent_ip;
}

/**
 * fargs_retprobe_kprobes_create() - make a kretprobe for each function
 * @owner: as of fargs_retprobe_create()
 * @funcs: in ascending order of their address
 * @nr: how many
 *
 * Context: Process context. May sleep.
 * Return: They, or NULL if there is no memory.
 */
struct fargs_retprobe_kprobes *
fargs_retprobe_kprobes_create(void *owner, const struct fargs_retprobe_func *funcs, u32 nr);

/**
 * fargs_retprobe_kprobes_destroy() - free them
 * @kprobes: not registered; may be NULL
 *
 * Context: Process context. May sleep.
 */
void fargs_retprobe_kprobes_destroy(struct fargs_retprobe_kprobes *kprobes);

/**
 * fargs_retprobe_kprobes_register() - as fargs_retprobe_register()
 * @kprobes: the kretprobes of a set
 * @nr_calls: how many calls may wait for their return at a time
 * @failed: set to the index of the function that the kernel refused, if it was one
 *
 * Context: Process context. May sleep.
 * Return: 0 or -errno.
 */
int fargs_retprobe_kprobes_register(struct fargs_retprobe_kprobes *kprobes, u32 nr_calls,
				    u32 *failed);

/**
 * fargs_retprobe_kprobes_unregister() - as fargs_retprobe_unregister()
 * @kprobes: the kretprobes of a set
 *
 * Context: Process context. May sleep.
 */
void fargs_retprobe_kprobes_unregister(struct fargs_retprobe_kprobes *kprobes);

/**
 * fargs_retprobe_kprobes_forget() - as fargs_retprobe_forget()
 * @kprobes: the kretprobes of a set
 * @ip: fentry address of the function
 *
 * Context: Process context, from the notifier of the module.
 */
void fargs_retprobe_kprobes_forget(struct fargs_retprobe_kprobes *kprobes, unsigned long ip);

/**
 * fargs_retprobe_kprobes_count_missed() - as fargs_retprobe_count_missed()
 * @kprobes: the kretprobes of a set
 *
 * Context: Process context. Expects the lock of the owner held.
 * Return: How many.
 */
u64 fargs_retprobe_kprobes_count_missed(struct fargs_retprobe_kprobes *kprobes);

/**
 * fargs_retprobe_kprobes_test() - as fargs_retprobe_test()
 * @ips: fentry addresses
 * @nr: how many
 * @bad: bits, all clear; bit i is set if @ips[i] cannot have one
 *
 * Registers them disabled: nothing is patched.
 *
 * Context: Process context. May sleep.
 * Return: 0 or -errno.
 */
int fargs_retprobe_kprobes_test(const unsigned long *ips, u32 nr, unsigned long *bad);

#ifdef FARGS_HAS_FPROBE

/**
 * fargs_retprobe_fprobe_create() - make an fprobe for all functions
 * @owner: as of fargs_retprobe_create()
 * @funcs: in any order
 * @nr: how many
 *
 * Context: Process context. May sleep.
 * Return: It, or NULL if there is no memory.
 */
struct fargs_retprobe_fprobe *
fargs_retprobe_fprobe_create(void *owner, const struct fargs_retprobe_func *funcs, u32 nr);

/**
 * fargs_retprobe_fprobe_destroy() - free it
 * @fprobe: not registered; may be NULL
 *
 * Context: Process context. May sleep.
 */
void fargs_retprobe_fprobe_destroy(struct fargs_retprobe_fprobe *fprobe);

/**
 * fargs_retprobe_fprobe_register() - as fargs_retprobe_register()
 * @fprobe: the fprobe of a set
 * @nr_calls: how many calls may wait for their return at a time
 *
 * Context: Process context. May sleep.
 * Return: 0 or -errno.
 */
int fargs_retprobe_fprobe_register(struct fargs_retprobe_fprobe *fprobe, u32 nr_calls);

/**
 * fargs_retprobe_fprobe_unregister() - as fargs_retprobe_unregister()
 * @fprobe: the fprobe of a set
 *
 * Context: Process context. May sleep.
 * Return: 0, or -errno if ftrace has broken down.
 */
int fargs_retprobe_fprobe_unregister(struct fargs_retprobe_fprobe *fprobe);

/**
 * fargs_retprobe_fprobe_forget() - as fargs_retprobe_forget()
 * @fprobe: the fprobe of a set
 * @ip: fentry address of the function
 *
 * Context: Process context, from the notifier of the module.
 */
void fargs_retprobe_fprobe_forget(struct fargs_retprobe_fprobe *fprobe, unsigned long ip);

/**
 * fargs_retprobe_fprobe_keep() - as fargs_retprobe_keep()
 * @fprobe: the fprobe of a set
 * @ips: the functions that are still there
 * @nr: how many
 *
 * Context: Process context. May sleep.
 */
void fargs_retprobe_fprobe_keep(struct fargs_retprobe_fprobe *fprobe, unsigned long *ips, u32 nr);

/**
 * fargs_retprobe_fprobe_count_missed() - as fargs_retprobe_count_missed()
 * @fprobe: the fprobe of a set
 *
 * Context: Process context. Expects the lock of the owner held.
 * Return: How many.
 */
u64 fargs_retprobe_fprobe_count_missed(struct fargs_retprobe_fprobe *fprobe);
#endif

#endif
