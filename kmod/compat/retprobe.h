/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Return probes on a set of functions: one interface over kretprobe, which every
 * kernel has, and fprobe, which registers a whole set at once.
 *
 * What the kernel misses, and what becomes of calls that have not returned when the
 * probes go, is told in retprobe_kprobe.c and retprobe_fprobe.c.
 */
#ifndef FARGS_COMPAT_RETPROBE_H
#define FARGS_COMPAT_RETPROBE_H

#include <linux/ptrace.h>
#include <linux/types.h>

struct fargs_retprobe;
struct fargs_template;

struct fargs_retprobe_func {
	unsigned long ip;	/* fentry address */
	const struct fargs_template *template;
};

/*
 * What is called, by its name, since a pointer costs more: whoever registers provides
 * the two (ret.c), and fargs_retprobe_missed(). Context of both: that of the traced
 * function, NMI included, with preemption disabled; RCU is watching. Neither may be traced.
 *
 * @depth: how often preemption is disabled, less what the traced function itself did.
 */

/*
 * A call. @ip, @template: of its function; @regs: argument registers and sp, which
 * points at the return address. Returns what fargs_retprobe_return() gets at
 * the return; NULL: the return is none of ours.
 */
void *fargs_retprobe_call(void *owner, unsigned long ip, unsigned long parent_ip,
			  const struct fargs_template *template, const struct pt_regs *regs,
			  u32 depth);
/* What fargs_retprobe_call() returns begins with this: of whoever made the probes. */
struct fargs_retprobe_own {
	u32 overruns;	/* the task's at the call, and those inside that were counted since */
};

/*
 * @nr calls made inside @call, by the same task, found the kernel's shadow stack full, and
 * fargs_retprobe_call() was not called. To be added to the overruns of all calls of the task
 * that have not returned. As the other two; before fargs_retprobe_return().
 */
void fargs_retprobe_too_deep(void *owner, void *call, u32 nr);
/* Its return. @regs: rax and rdx alone. */
void fargs_retprobe_return(void *owner, void *call, const struct pt_regs *regs, u32 depth);

/* The kernel missed @nr calls of the function. From fargs_retprobe_count_missed(). */
void fargs_retprobe_missed(const struct fargs_template *template, u64 nr);

/* Functions that a set can have on this kernel; 0: any number. */
u32 fargs_retprobe_max(void);

/*
 * Which of @ips[0..@nr), all of them traceable by ftrace, the kernel does not allow
 * a return probe on: bit i of @bad is set. Process context; 0 or -errno.
 */
int fargs_retprobe_test(const unsigned long *ips, u32 nr, unsigned long *bad);

/*
 * A set of @funcs[0..@nr), in ascending order of their address; nothing is registered yet.
 * NULL: no memory. Process context; does not wait for ftrace.
 */
struct fargs_retprobe *fargs_retprobe_create(void *owner, const struct fargs_retprobe_func *funcs,
					     u32 nr);
/* Before it is registered, or after it was unregistered without an error. */
void fargs_retprobe_destroy(struct fargs_retprobe *set);

/*
 * Registers it; @nr_calls is how many calls may wait for their return at a time. All or
 * nothing, but for functions that are forgotten meanwhile: -errno, and in *@failed the index of
 * the function that the kernel refused, or their number if it was none of them. Process
 * context. Calls come before it returns, also when it fails.
 */
int fargs_retprobe_register(struct fargs_retprobe *set, u32 nr_calls, u32 *failed);

/*
 * When it returns neither of the two runs, nor will: calls that are still in flight
 * return without. Process context. 0, or -errno if ftrace has broken down: then everything
 * must stay for ever.
 */
int fargs_retprobe_unregister(struct fargs_retprobe *set);

/*
 * The module of @ip goes: calls that begin from now on, of whatever is there, are none
 * of the set's. In the module's notifier; needs no memory. At any time from create to destroy,
 * while it is registered or unregistered on another CPU, too; one caller at a time.
 */
void fargs_retprobe_forget(struct fargs_retprobe *set, unsigned long ip);
/* Then: only @ips[0..@nr) are still there. */
void fargs_retprobe_keep(struct fargs_retprobe *set, unsigned long *ips, u32 nr);

/* When this module goes, and no set is left. Process context. */
void fargs_retprobe_deinit(void);

/*
 * Calls that the kernel has missed since it was last asked: it counts those of any task, and calls
 * nobody. Where it counts by function (kretprobe), fargs_retprobe_missed() gets them, too. Under
 * the lock of whoever owns the set.
 */
u64 fargs_retprobe_count_missed(struct fargs_retprobe *set);

#endif
