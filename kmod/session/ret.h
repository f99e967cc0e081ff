/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The return probes of a session, from START to STOP. Process context. init, deinit, arm and disarm
 * run under session->call_lock, and take session->lock where they need it; the others run under
 * session->lock.
 */
#ifndef FARGS_KMOD_SESSION_RET_H
#define FARGS_KMOD_SESSION_RET_H

#include <linux/list.h>
#include <linux/types.h>

struct fargs_refusal;
struct fargs_session;
struct fargs_session_func;
struct fargs_start;
struct module;

/* The largest fargs_start.maxactive. */
#define FARGS_MAXACTIVE_MAX	(1u << 16)

/* The return probes of a session, and their counters. */
struct fargs_returns {
	struct fargs_retprobe *probes;	/* the set of START; NULL: none, or not running */
	struct list_head module_sets;	/* sets of modules that were loaded since START */
	u64 nr_missed;			/* by the kernel, as of the last query */
	u32 nr_slots;			/* at the last START */
	u64 nr_pending;			/* at the last STOP */
	u64 nr_unmarked, nr_undecided;	/* up to the last STOP (probe/scope.h) */
};

/**
 * fargs_ret_verify_start() - verify the fields of START that concern return probes
 * @start: argument of the ioctl
 * @refusal: filled in if the call is refused
 *
 * Context: Process context.
 * Return: 0 or -errno, with the reason in @refusal.
 */
int fargs_ret_verify_start(const struct fargs_start *start, struct fargs_refusal *refusal);

/**
 * fargs_ret_init() - allocate memory for calls that wait for their return
 * @session: the session
 * @maxactive: how many calls at a time; 0: the default
 * @refusal: filled in if the call is refused
 *
 * Allocates slots if a function, deferred ones included, has a return probe, and marks if the
 * session has a scope. To be called before anything is registered.
 *
 * Context: Process context. Expects session->call_lock held; takes session->lock.
 * Return: 0 or -errno, with the reason in @refusal.
 */
int fargs_ret_init(struct fargs_session *session, u32 maxactive, struct fargs_refusal *refusal);

/**
 * fargs_ret_deinit() - free what fargs_ret_init() has allocated
 * @session: the session, which is not stuck
 *
 * To be called after everything has been unregistered.
 *
 * Context: Process context. Expects session->call_lock held; takes session->lock.
 */
void fargs_ret_deinit(struct fargs_session *session);

/**
 * fargs_ret_arm() - register the return probes of the session
 * @session: the session
 * @refusal: filled in if the call is refused
 *
 * On failure nothing is registered. If ftrace breaks meanwhile the session is stuck.
 *
 * Context: Process context. Expects session->call_lock held; takes session->lock.
 * Return: 0 or -errno, with the reason in @refusal.
 */
int fargs_ret_arm(struct fargs_session *session, struct fargs_refusal *refusal);

/**
 * fargs_ret_disarm() - unregister all return probes, those of modules included
 * @session: the session
 *
 * When this has returned no callback runs any more, unless the session is stuck. Calls that have
 * not returned are counted.
 *
 * Context: Process context. Expects session->call_lock held; takes session->lock.
 */
void fargs_ret_disarm(struct fargs_session *session);

/**
 * fargs_ret_extend() - register return probes for new functions (is_new) of a module
 * @session: the session, which is running
 * @mod: the module, which is being loaded
 *
 * On failure none of them has a return probe. If ftrace breaks meanwhile the session is stuck.
 *
 * Context: Process context. Expects session->lock held.
 * Return: 0 or -errno.
 */
int fargs_ret_extend(struct fargs_session *session, const struct module *mod);

/**
 * fargs_ret_expect() - leave new functions of a module to fargs_ret_arm_modules()
 * @session: the session
 * @mod: the module, which is being loaded
 *
 * Context: Process context. Expects session->lock held.
 * Return: 0, or -errno and none of them will be armed.
 */
int fargs_ret_expect(struct fargs_session *session, const struct module *mod);

/**
 * fargs_ret_arm_modules() - register the return probes left by fargs_ret_expect()
 * @session: the session
 *
 * Context: Process context. Expects session->lock held.
 * Return: 0, or -errno and those of some modules are not registered.
 */
int fargs_ret_arm_modules(struct fargs_session *session);

/**
 * fargs_ret_is_armed() - check whether a function has its return probe
 * @func: a function of the return path, in a session that has been armed
 *
 * Context: Process context. Expects session->lock held.
 * Return: True if it has.
 */
bool fargs_ret_is_armed(const struct fargs_session_func *func);

/**
 * fargs_ret_leave() - unregister and free the sets of a module that was loaded since START
 * @session: the session
 * @mod: the module
 * @is_init_only: only the set of its init memory
 *
 * Context: Process context. Expects session->lock held.
 */
void fargs_ret_leave(struct fargs_session *session, const struct module *mod, bool is_init_only);

/**
 * fargs_ret_forget() - ignore calls of a function from now on
 * @session: the session
 * @func: the function, which is about to be dropped
 *
 * This holds even if its return probe stays registered.
 *
 * Context: Process context. Expects session->lock held.
 */
void fargs_ret_forget(struct fargs_session *session, const struct fargs_session_func *func);

/**
 * fargs_ret_refilter() - remove dropped functions from the set of START
 * @session: the session, which has functions left
 *
 * Context: Process context. Expects session->lock held.
 */
void fargs_ret_refilter(struct fargs_session *session);

/**
 * fargs_ret_nr_missed() - count calls of any task that the kernel has missed
 * @session: the session
 *
 * Context: Process context. Expects session->lock held.
 * Return: How many since the session was opened.
 */
u64 fargs_ret_nr_missed(struct fargs_session *session);

/**
 * fargs_ret_nr_pending() - count calls that have not returned
 * @session: the session
 *
 * Context: Process context. Expects session->lock held.
 * Return: How many now or, if the session is not running, at the last STOP.
 */
u64 fargs_ret_nr_pending(const struct fargs_session *session);

/**
 * fargs_ret_nr_unmarked() - count calls of a scope that could not be marked as inside
 * @session: the session
 *
 * There was no room for the mark (probe/scope.h), or no slot for the call.
 *
 * Context: Process context. Expects session->lock held.
 * Return: How many since the session was opened.
 */
u64 fargs_ret_nr_unmarked(const struct fargs_session *session);

/**
 * fargs_ret_nr_undecided() - count calls that a SCOPE program could not decide
 * @session: the session
 *
 * The program needed memory that could not be read.
 *
 * Context: Process context. Expects session->lock held.
 * Return: How many since the session was opened.
 */
u64 fargs_ret_nr_undecided(const struct fargs_session *session);

#endif
