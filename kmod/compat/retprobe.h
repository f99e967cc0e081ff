/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Return probes on a set of functions: one interface over kretprobe, which every
 * kernel has, and fprobe, which registers a whole set at once.
 *
 * What the kernel misses, and what becomes of calls that have not returned when the
 * probes go, is told in retprobe_kprobe.c and retprobe_fprobe.c.
 */
#ifndef FARGS_KMOD_COMPAT_RETPROBE_H
#define FARGS_KMOD_COMPAT_RETPROBE_H

#include <linux/ptrace.h>
#include <linux/types.h>

struct fargs_retprobe;
struct fargs_template;

struct fargs_retprobe_func {
	unsigned long ip;	/* fentry address */
	struct fargs_template *template;
};

/**
 * fargs_retprobe_call() - a function of a set is called
 * @owner: what fargs_retprobe_create() was given
 * @ip: the function's fentry address
 * @parent_ip: return address of the call
 * @template: the function's template
 * @regs: argument registers, and the stack pointer, which points at the return address
 * @depth: how often preemption is disabled, less what the traced function itself did
 *
 * Whoever makes sets provides this and the next three (probe/ret.c). They are called by name,
 * since a pointer costs more.
 *
 * Context: That of the traced function, NMI included, with preemption disabled; RCU is watching.
 * Return: What fargs_retprobe_return() gets at the return, which begins with a struct
 *	fargs_retprobe_own; NULL: the return is none of ours.
 */
void *fargs_retprobe_call(void *owner, unsigned long ip, unsigned long parent_ip,
			  struct fargs_template *template, struct pt_regs *regs,
			  u32 depth);

/* What fargs_retprobe_call() returns begins with this: of whoever made the probes. */
struct fargs_retprobe_own {
	u32 overruns;	/* the task's at the call, and those inside that were counted since */
};

/**
 * fargs_retprobe_too_deep() - calls inside a call found the kernel's shadow stack full
 * @owner: what fargs_retprobe_create() was given
 * @call: what fargs_retprobe_call() returned for the call around them
 * @nr: how many
 *
 * They were made by the same task, and fargs_retprobe_call() was not called for them. @nr is to be
 * added to the overruns of all calls of the task that have not returned. Comes before
 * fargs_retprobe_return().
 *
 * Context: As fargs_retprobe_call().
 */
void fargs_retprobe_too_deep(void *owner, void *call, u32 nr);

/**
 * fargs_retprobe_return() - a call returns
 * @owner: what fargs_retprobe_create() was given
 * @call: what fargs_retprobe_call() returned
 * @regs: the registers that hold its value, and no others
 * @depth: how often preemption is disabled, less what the traced function itself did
 *
 * Context: As fargs_retprobe_call().
 */
void fargs_retprobe_return(void *owner, void *call, const struct pt_regs *regs, u32 depth);

/**
 * fargs_retprobe_missed() - the kernel has missed calls of a function
 * @template: the function's template
 * @nr: how many, of any task, since it was last asked
 *
 * Context: That of fargs_retprobe_count_missed().
 */
void fargs_retprobe_missed(struct fargs_template *template, u64 nr);

/**
 * fargs_retprobe_max() - how many functions a set can have on this kernel
 *
 * Context: Any context.
 * Return: The number; 0: any.
 */
u32 fargs_retprobe_max(void);

/**
 * fargs_retprobe_test() - ask the kernel on which functions it allows a return probe
 * @ips: fentry addresses, all of them traceable by ftrace
 * @nr: how many
 * @bad: bits, all clear; bit i is set if @ips[i] cannot have one
 *
 * Context: Process context. May sleep.
 * Return: 0 or -errno; -EINTR if a fatal signal came.
 */
int fargs_retprobe_test(const unsigned long *ips, u32 nr, unsigned long *bad);

/**
 * fargs_retprobe_create() - make a set of return probes
 * @owner: handed to fargs_retprobe_call() and the others
 * @funcs: in ascending order of their address
 * @nr: how many; not 0
 *
 * Nothing is registered yet. Does not wait for ftrace.
 *
 * Context: Process context. May sleep.
 * Return: The set, or NULL if there is no memory.
 */
struct fargs_retprobe *fargs_retprobe_create(void *owner, const struct fargs_retprobe_func *funcs,
					     u32 nr);

/**
 * fargs_retprobe_destroy() - free a set
 * @set: not registered yet, or unregistered without an error
 *
 * Context: Process context. May sleep.
 */
void fargs_retprobe_destroy(struct fargs_retprobe *set);

/**
 * fargs_retprobe_register() - register a set
 * @set: the set
 * @nr_calls: how many calls may wait for their return at a time
 * @failed: set to the index of the function that the kernel refused, or to their number if it was
 *	none of them
 *
 * All or nothing, but for functions that are forgotten meanwhile. Calls come before it returns,
 * also when it fails.
 *
 * Context: Process context. May sleep.
 * Return: 0 or -errno; -ENODEV: ftrace has broken down.
 */
int fargs_retprobe_register(struct fargs_retprobe *set, u32 nr_calls, u32 *failed);

/**
 * fargs_retprobe_unregister() - unregister a set
 * @set: the set
 *
 * When it has returned without an error neither fargs_retprobe_call() nor fargs_retprobe_return()
 * runs, nor will: calls that are still in flight return without.
 *
 * Context: Process context. May sleep.
 * Return: 0, or -errno if ftrace has broken down: then everything must stay for ever.
 */
int fargs_retprobe_unregister(struct fargs_retprobe *set);

/**
 * fargs_retprobe_forget() - a function goes with its module
 * @set: the set
 * @ip: fentry address of the function
 *
 * Calls that begin from now on, of whatever is at @ip, are none of the set. Needs no memory. At
 * any time from create to destroy, while the set is registered or unregistered on another CPU,
 * too.
 *
 * Context: Process context, from the notifier of the module. One caller at a time.
 */
void fargs_retprobe_forget(struct fargs_retprobe *set, unsigned long ip);

/**
 * fargs_retprobe_keep() - take what was forgotten out of the filters of the kernel
 * @set: the set
 * @ips: the functions that are still there, in any order
 * @nr: how many
 *
 * Context: Process context. May sleep.
 */
void fargs_retprobe_keep(struct fargs_retprobe *set, unsigned long *ips, u32 nr);

/**
 * fargs_retprobe_deinit() - release what sets have in common
 *
 * When this module goes, and no set is left.
 *
 * Context: Process context. May sleep.
 */
void fargs_retprobe_deinit(void);

/**
 * fargs_retprobe_count_missed() - count calls that the kernel has missed since it was last asked
 * @set: the set
 *
 * It counts those of any task, and calls nobody. Where it counts by function (kretprobe),
 * fargs_retprobe_missed() gets them, too.
 *
 * Context: Process context. Expects the lock of the owner held.
 * Return: How many.
 */
u64 fargs_retprobe_count_missed(struct fargs_retprobe *set);

#endif
