/* SPDX-License-Identifier: GPL-2.0-only */
/* Private to retprobe*.c: a set of return probes, implemented with kretprobes or an fprobe. */
#ifndef FARGS_KMOD_COMPAT_RETPROBE_SET_H
#define FARGS_KMOD_COMPAT_RETPROBE_SET_H

#include <linux/container_of.h>
#include <linux/cpumask.h>
#include <linux/kconfig.h>
#include <linux/llist.h>
#include <linux/log2.h>
#include <linux/math.h>
#include <linux/mm.h>
#include <linux/rethook.h>
#include <linux/sched.h>

#include "arch/regs.h"
#include "compat/features.h"
#include "compat/retprobe.h"

/*
 * fprobe is used only if its callbacks get the return address (6.6 and later). Callbacks get
 * struct pt_regs if fprobe is built on rethook, and struct ftrace_regs if it is built on the
 * function graph tracer (6.14, and backports).
 */
#if IS_ENABLED(CONFIG_FPROBE) && \
	(defined(FARGS_HAS_FPROBE_PT_REGS) || defined(FARGS_HAS_FPROBE_FTRACE_REGS))
#define FARGS_HAS_FPROBE
#endif

/*
 * Constant from fargs_retprobe_create() to fargs_retprobe_destroy(). A set that is registered uses
 * either @kprobes or @fprobe.
 */
struct fargs_retprobe {
	u32 nr;
	struct fargs_retprobe_kprobes *kprobes;
	struct fargs_retprobe_fprobe *fprobe;
};

/*
 * Returns how many instances a set gets beyond the nr_calls of fargs_retprobe_register(): a call
 * needs an instance while its entry handler runs, even if the handler then rejects the call.
 */
static inline u32 fargs_retprobe_spare(void)
{
	return 4 * num_possible_cpus();
}

/*
 * Returns how many bytes the kernel allocates for @nr rethook instances of @bytes each. With
 * objpool, each possible CPU has one vmalloc() allocation: an array of pointers with room for all
 * instances, rounded up to a power of two, and the CPU's share of the instances. Without objpool,
 * each instance is allocated by kmalloc().
 */
static inline u64 fargs_retprobe_instances_bytes(u32 nr, u32 bytes)
{
#ifdef FARGS_HAS_RETHOOK_OBJPOOL
	u32 nr_cpus = num_possible_cpus();
	u64 share = (u64)DIV_ROUND_UP(nr, nr_cpus) * bytes;

	return nr_cpus * PAGE_ALIGN(roundup_pow_of_two(nr) * sizeof(void *) + share);
#else
	return (u64)nr * roundup_pow_of_two(bytes);
#endif
}

/*
 * Returns the return address of the call with @regs at fentry. Another return probe may have
 * replaced the address on the stack: a probe on a function that ends in a jump to this one (a
 * tail call), or on this function itself. In that case the kernel's list of hooked returns
 * contains the original address.
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
 * fargs_retprobe_kprobes_create() - create a kretprobe for each function
 * @owner: the @owner of fargs_retprobe_create()
 * @funcs: the functions, in ascending order of address
 * @nr: number of functions
 *
 * Context: Process context. May sleep.
 * Return: The kretprobes, or NULL if out of memory.
 */
struct fargs_retprobe_kprobes *
fargs_retprobe_kprobes_create(void *owner, const struct fargs_retprobe_func *funcs, u32 nr);

/**
 * fargs_retprobe_kprobes_destroy() - free kretprobes
 * @kprobes: the kretprobes, which are not registered; may be NULL
 *
 * Context: Process context. May sleep.
 */
void fargs_retprobe_kprobes_destroy(struct fargs_retprobe_kprobes *kprobes);

/**
 * fargs_retprobe_kprobes_register() - register the kretprobes of a set
 * @kprobes: the kretprobes
 * @nr_calls: maximum number of calls that wait for their return at the same time
 * @failed: set to the index of the function that the kernel refused, if it refused one
 *
 * See fargs_retprobe_register().
 *
 * Context: Process context. May sleep.
 * Return: 0 or -errno.
 */
int fargs_retprobe_kprobes_register(struct fargs_retprobe_kprobes *kprobes, u32 nr_calls,
				    u32 *failed);

/**
 * fargs_retprobe_kprobes_unregister() - unregister the kretprobes of a set
 * @kprobes: the kretprobes
 *
 * See fargs_retprobe_unregister().
 *
 * Context: Process context. May sleep.
 */
void fargs_retprobe_kprobes_unregister(struct fargs_retprobe_kprobes *kprobes);

/**
 * fargs_retprobe_kprobes_forget() - drop a function whose module is being unloaded
 * @kprobes: the kretprobes of a set
 * @ip: fentry address of the function
 *
 * See fargs_retprobe_forget().
 *
 * Context: Process context, from the notifier of the module.
 */
void fargs_retprobe_kprobes_forget(struct fargs_retprobe_kprobes *kprobes, unsigned long ip);

/**
 * fargs_retprobe_kprobes_bytes() - estimate the memory that kretprobes need
 * @nr: number of functions
 * @nr_calls: as in fargs_retprobe_kprobes_register()
 *
 * Context: Any context.
 * Return: The estimate in bytes; see fargs_retprobe_bytes().
 */
u64 fargs_retprobe_kprobes_bytes(u32 nr, u32 nr_calls);

/**
 * fargs_retprobe_kprobes_count_missed() - count calls missed by the kernel since the last count
 * @kprobes: the kretprobes of a set
 *
 * See fargs_retprobe_count_missed().
 *
 * Context: Process context. The caller holds the lock of the owner.
 * Return: The number of missed calls.
 */
u64 fargs_retprobe_kprobes_count_missed(struct fargs_retprobe_kprobes *kprobes);

/**
 * fargs_retprobe_kprobes_test() - find the functions that cannot have a kretprobe
 * @ips: fentry addresses
 * @nr: number of addresses
 * @bad: bitmap, initially clear; bit i is set if @ips[i] cannot have a kretprobe
 *
 * Registers disabled kretprobes, so that no code is patched. See fargs_retprobe_test().
 *
 * Context: Process context. May sleep.
 * Return: 0 or -errno.
 */
int fargs_retprobe_kprobes_test(const unsigned long *ips, u32 nr, unsigned long *bad);

#ifdef FARGS_HAS_FPROBE

/**
 * fargs_retprobe_fprobe_create() - create one fprobe for all functions
 * @owner: the @owner of fargs_retprobe_create()
 * @funcs: the functions, in any order
 * @nr: number of functions
 *
 * Context: Process context. May sleep.
 * Return: The fprobe, or NULL if out of memory.
 */
struct fargs_retprobe_fprobe *
fargs_retprobe_fprobe_create(void *owner, const struct fargs_retprobe_func *funcs, u32 nr);

/**
 * fargs_retprobe_fprobe_destroy() - free an fprobe
 * @fprobe: the fprobe, which is not registered; may be NULL
 *
 * Context: Process context. May sleep.
 */
void fargs_retprobe_fprobe_destroy(struct fargs_retprobe_fprobe *fprobe);

/**
 * fargs_retprobe_fprobe_register() - register the fprobe of a set
 * @fprobe: the fprobe
 * @nr_calls: maximum number of calls that wait for their return at the same time
 *
 * See fargs_retprobe_register().
 *
 * Context: Process context. May sleep.
 * Return: 0 or -errno.
 */
int fargs_retprobe_fprobe_register(struct fargs_retprobe_fprobe *fprobe, u32 nr_calls);

/**
 * fargs_retprobe_fprobe_unregister() - unregister the fprobe of a set
 * @fprobe: the fprobe
 *
 * See fargs_retprobe_unregister().
 *
 * Context: Process context. May sleep.
 * Return: 0, or -errno if ftrace has disabled itself after an error.
 */
int fargs_retprobe_fprobe_unregister(struct fargs_retprobe_fprobe *fprobe);

/**
 * fargs_retprobe_fprobe_forget() - drop a function whose module is being unloaded
 * @fprobe: the fprobe of a set
 * @ip: fentry address of the function
 *
 * See fargs_retprobe_forget().
 *
 * Context: Process context, from the notifier of the module.
 */
void fargs_retprobe_fprobe_forget(struct fargs_retprobe_fprobe *fprobe, unsigned long ip);

/**
 * fargs_retprobe_fprobe_keep() - remove forgotten functions from the kernel's filters
 * @fprobe: the fprobe of a set
 * @ips: fentry addresses of the remaining functions
 * @nr: number of remaining functions
 *
 * See fargs_retprobe_keep().
 *
 * Context: Process context. May sleep.
 */
void fargs_retprobe_fprobe_keep(struct fargs_retprobe_fprobe *fprobe, unsigned long *ips, u32 nr);

/**
 * fargs_retprobe_fprobe_bytes() - estimate the memory that an fprobe needs
 * @nr: number of functions
 * @nr_calls: as in fargs_retprobe_fprobe_register()
 *
 * Context: Any context.
 * Return: The estimate in bytes; see fargs_retprobe_bytes().
 */
u64 fargs_retprobe_fprobe_bytes(u32 nr, u32 nr_calls);

/**
 * fargs_retprobe_fprobe_count_missed() - count calls missed by the kernel since the last count
 * @fprobe: the fprobe of a set
 *
 * See fargs_retprobe_count_missed().
 *
 * Context: Process context. The caller holds the lock of the owner.
 * Return: The number of missed calls.
 */
u64 fargs_retprobe_fprobe_count_missed(struct fargs_retprobe_fprobe *fprobe);
#endif

#endif
