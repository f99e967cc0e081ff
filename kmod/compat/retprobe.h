/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Return probes on a set of functions: one interface to kretprobe, which every
 * kernel has, and fprobe, which registers a whole set at once.
 *
 * retprobe_kprobe.c and retprobe_fprobe.c describe which calls the kernel misses, and
 * what happens if probes are unregistered while calls have not returned.
 */
#ifndef FARGS_KMOD_COMPAT_RETPROBE_H
#define FARGS_KMOD_COMPAT_RETPROBE_H

#include <linux/ptrace.h>
#include <linux/types.h>

struct fargs_retprobe;
struct fargs_template;

struct fargs_retprobe_func {
	unsigned long ip;	/* fentry address of the function */
	struct fargs_template *template;
};

/**
 * fargs_retprobe_call() - handle a call of a function of a set
 * @owner: the @owner passed to fargs_retprobe_create()
 * @ip: fentry address of the function
 * @parent_ip: return address of the call
 * @template: template of the function
 * @regs: argument registers, and the stack pointer, which points to the return address
 * @depth: how often the kernel's tracing code has disabled preemption in this context
 *
 * The user of return probes (probe/ret.c) implements this function and the next three. They are
 * called directly, since a call through a pointer costs more.
 *
 * Context: Context of the traced function, NMI included. Preemption is disabled; RCU is watching.
 * Return: Data for fargs_retprobe_return(), which begins with a struct fargs_retprobe_own; NULL if
 *	the return need not be reported.
 */
void *fargs_retprobe_call(void *owner, unsigned long ip, unsigned long parent_ip,
			  struct fargs_template *template, struct pt_regs *regs,
			  u32 depth);

/* First member of the data that fargs_retprobe_call() returns; used only by compat/retprobe*.c. */
struct fargs_retprobe_own {
	/* task_struct.trace_overrun at the call, plus what fargs_retprobe_too_deep() has added. */
	u32 overruns;
};

/**
 * fargs_retprobe_too_deep() - count nested calls for which the kernel's shadow stack was full
 * @owner: the @owner passed to fargs_retprobe_create()
 * @call: data that fargs_retprobe_call() returned for the enclosing call
 * @nr: number of nested calls
 *
 * The nested calls were made by the task that made the enclosing call, and fargs_retprobe_call()
 * was not called for them. This function adds @nr to the overruns of all calls of the task that
 * have not returned. It is called before fargs_retprobe_return().
 *
 * Context: Same as fargs_retprobe_call().
 */
void fargs_retprobe_too_deep(void *owner, void *call, u32 nr);

/**
 * fargs_retprobe_return() - handle the return of a call
 * @owner: the @owner passed to fargs_retprobe_create()
 * @call: data that fargs_retprobe_call() returned
 * @regs: registers at the return, of which only those of the return value are valid
 * @depth: how often the kernel's tracing code has disabled preemption in this context
 *
 * Context: Same as fargs_retprobe_call().
 */
void fargs_retprobe_return(void *owner, void *call, const struct pt_regs *regs, u32 depth);

/**
 * fargs_retprobe_missed() - count calls of a function that the kernel's return probes missed
 * @template: template of the function
 * @nr: number of calls missed, of any task, since they were last counted
 *
 * Context: Same as fargs_retprobe_count_missed(), which calls it.
 */
void fargs_retprobe_missed(struct fargs_template *template, u64 nr);

/**
 * fargs_retprobe_max() - get the maximum size of a set on this kernel
 *
 * Context: Any context.
 * Return: The maximum number of functions; 0 if there is no limit.
 */
u32 fargs_retprobe_max(void);

/**
 * fargs_retprobe_test() - find the functions for which the kernel refuses return probes
 * @ips: fentry addresses of functions that ftrace can trace
 * @nr: number of addresses
 * @bad: bitmap, initially clear; bit i is set if @ips[i] cannot have a return probe
 *
 * Context: Process context. May sleep.
 * Return: 0 or -errno; -EINTR if a fatal signal is pending.
 */
int fargs_retprobe_test(const unsigned long *ips, u32 nr, unsigned long *bad);

/**
 * fargs_retprobe_bytes() - estimate the memory that a set needs
 * @nr: number of functions
 * @nr_calls: as in fargs_retprobe_register()
 *
 * Most of it is allocated by the kernel when the set is registered, and is not charged to any
 * cgroup or user. The shadow stacks of the function graph tracer (4 KiB for each task of the
 * machine) are not counted: they are shared by all tracers.
 *
 * Context: Any context.
 * Return: The size in bytes of the set, its instances and ftrace's hashes, within a third of the
 *	true size.
 */
u64 fargs_retprobe_bytes(u32 nr, u32 nr_calls);

/**
 * fargs_retprobe_create() - create a set of return probes
 * @owner: passed to fargs_retprobe_call() and the other callbacks
 * @funcs: the functions, in ascending order of address
 * @nr: number of functions; not 0
 *
 * Does not register the probes, and does not wait for ftrace.
 *
 * Context: Process context. May sleep.
 * Return: The set, or NULL if out of memory.
 */
struct fargs_retprobe *fargs_retprobe_create(void *owner, const struct fargs_retprobe_func *funcs,
					     u32 nr);

/**
 * fargs_retprobe_destroy() - free a set
 * @set: the set, which was never registered, or was unregistered without an error
 *
 * Context: Process context. May sleep.
 */
void fargs_retprobe_destroy(struct fargs_retprobe *set);

/**
 * fargs_retprobe_register() - register a set
 * @set: the set
 * @nr_calls: maximum number of calls that wait for their return at the same time
 * @failed: set to the index of the function that the kernel refused, or to the number of functions
 *	if it refused none of them
 *
 * Registers either all functions or none, except for those dropped by fargs_retprobe_forget() in
 * the meantime. Callbacks may run before this function returns, even if it fails.
 *
 * Context: Process context. May sleep.
 * Return: 0 or -errno; -ENODEV if ftrace has disabled itself after an error.
 */
int fargs_retprobe_register(struct fargs_retprobe *set, u32 nr_calls, u32 *failed);

/**
 * fargs_retprobe_unregister() - unregister a set
 * @set: the set
 *
 * After this function has returned 0, fargs_retprobe_call() and fargs_retprobe_return() are not
 * running, and will not be called again: calls in flight return without a callback.
 *
 * Context: Process context. May sleep.
 * Return: 0, or -errno if ftrace has disabled itself after an error; in that case the set, and
 *	everything that callbacks use, must never be freed.
 */
int fargs_retprobe_unregister(struct fargs_retprobe *set);

/**
 * fargs_retprobe_forget() - drop a function whose module is being unloaded
 * @set: the set
 * @ip: fentry address of the function
 *
 * No call that begins at @ip after this is reported, even if another function is loaded there.
 * Allocates no memory. Can be called at any time between fargs_retprobe_create() and
 * fargs_retprobe_destroy(), even while the set is being registered or unregistered on another CPU.
 *
 * Context: Process context, from the notifier of the module. Callers are serialized.
 */
void fargs_retprobe_forget(struct fargs_retprobe *set, unsigned long ip);

/**
 * fargs_retprobe_keep() - remove forgotten functions from the kernel's filters
 * @set: the set
 * @ips: fentry addresses of the remaining functions, in any order
 * @nr: number of remaining functions
 *
 * Context: Process context. May sleep.
 */
void fargs_retprobe_keep(struct fargs_retprobe *set, unsigned long *ips, u32 nr);

/**
 * fargs_retprobe_is_inside() - check whether the current task is inside a call with a return probe
 *
 * Return probes of other users count as well, and so do other hooks of the same mechanism, such as
 * those of the function graph tracer.
 *
 * Context: Process context.
 * Return: True if the return of a call in flight is hooked, by any user. If false, the current task
 *	has no call in flight whose return would be reported to fargs_retprobe_return().
 */
bool fargs_retprobe_is_inside(void);

/**
 * fargs_retprobe_deinit() - release resources shared by all sets
 *
 * Called when this module is unloaded. All sets have been destroyed.
 *
 * Context: Process context. May sleep.
 */
void fargs_retprobe_deinit(void);

/**
 * fargs_retprobe_count_missed() - count calls missed by the kernel since the last count
 * @set: the set
 *
 * The kernel counts missed calls of any task, and runs no callback for them. If it counts them per
 * function (kretprobe), the calls are also passed to fargs_retprobe_missed().
 *
 * Context: Process context. The caller holds the lock of the owner.
 * Return: The number of missed calls.
 */
u64 fargs_retprobe_count_missed(struct fargs_retprobe *set);

#endif
