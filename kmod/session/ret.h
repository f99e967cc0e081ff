/* SPDX-License-Identifier: GPL-2.0-only */
/* The return probes of a session, from START to STOP. See session/session.h for the locks. */
#ifndef FARGS_KMOD_SESSION_RET_H
#define FARGS_KMOD_SESSION_RET_H

#include <linux/list.h>
#include <linux/types.h>

struct fargs_refusal;
struct fargs_session;
struct fargs_session_func;
struct fargs_start;
struct module;

/* Maximum value of fargs_start.maxactive. */
#define FARGS_MAXACTIVE_MAX	(1u << 16)

/* The return probes of a session, and their counters. */
struct fargs_returns {
	/* The set of START: the return probes that START registers. NULL: none, or not running. */
	struct fargs_retprobe *probes;
	/* Return probes of modules that were loaded since START: struct fargs_module_returns. */
	struct list_head module_sets;
	u64 nr_missed;			/* calls missed by the kernel, as of the last query */
	u32 nr_slots;			/* number of slots for calls, as of the last START */
	u64 nr_pending;			/* calls that had not returned at the last STOP */
	/* Counters of struct fargs_scope, added up when a run (START to STOP) ends. */
	u64 nr_unmarked, nr_undecided;
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
 * fargs_ret_start_bytes() - get the memory that START needs for calls that wait for their return
 * @session: the session
 * @maxactive: as in fargs_ret_init()
 *
 * Context: Process context. Expects session->lock held.
 * Return: How many bytes fargs_ret_init() allocates, plus an estimate of those that the kernel
 *	allocates.
 */
u64 fargs_ret_start_bytes(const struct fargs_session *session, u32 maxactive);

/**
 * fargs_ret_init() - allocate memory for calls that wait for their return
 * @session: the session
 * @maxactive: maximum number of such calls at a time; 0: the default
 * @refusal: filled in if the call is refused
 *
 * Allocates slots for calls if any function, loaded or deferred, has a return probe. Allocates
 * marks if the session has a scope (probe/scope.h). To be called before any probe is registered.
 *
 * Context: Process context. Expects session->call_lock held; takes session->lock.
 * Return: 0 or -errno, with the reason in @refusal.
 */
int fargs_ret_init(struct fargs_session *session, u32 maxactive, struct fargs_refusal *refusal);

/**
 * fargs_ret_deinit() - free the memory allocated by fargs_ret_init()
 * @session: the session; session->is_stuck is not set
 *
 * To be called after all probes have been unregistered.
 *
 * Context: Process context. Expects session->call_lock held; takes session->lock.
 */
void fargs_ret_deinit(struct fargs_session *session);

/**
 * fargs_ret_arm() - register the return probes of the session
 * @session: the session
 * @refusal: filled in if the call is refused
 *
 * On failure no return probe is registered, unless ftrace breaks: then session->is_stuck is set.
 *
 * Context: Process context. Expects session->call_lock held; takes session->lock.
 * Return: 0 or -errno, with the reason in @refusal.
 */
int fargs_ret_arm(struct fargs_session *session, struct fargs_refusal *refusal);

/**
 * fargs_ret_disarm() - unregister all return probes of the session
 * @session: the session
 *
 * After this has returned, no callback of the return probes runs, unless session->is_stuck is set.
 * Traced calls that have not returned yet are counted in fargs_returns.nr_pending.
 *
 * Context: Process context. Expects session->call_lock held; takes session->lock.
 */
void fargs_ret_disarm(struct fargs_session *session);

/**
 * fargs_ret_extend() - register return probes for new functions (is_new) of a module
 * @session: the session, which is running
 * @mod: the module, which is being loaded
 *
 * On failure none of these functions has a return probe. If ftrace breaks, session->is_stuck is
 * set.
 *
 * Context: Process context. Expects session->lock held.
 * Return: 0 or -errno.
 */
int fargs_ret_extend(struct fargs_session *session, const struct module *mod);

/**
 * fargs_ret_expect() - have fargs_ret_arm_modules() arm a module's new functions
 * @session: the session
 * @mod: the module, which is being loaded
 *
 * Context: Process context. Expects session->lock held.
 * Return: 0, or -errno, in which case none of these functions will be armed.
 */
int fargs_ret_expect(struct fargs_session *session, const struct module *mod);

/**
 * fargs_ret_arm_modules() - register the return probes that fargs_ret_expect() has prepared
 * @session: the session
 *
 * Context: Process context. Expects session->lock held.
 * Return: 0, or -errno if the return probes of some modules were not registered.
 */
int fargs_ret_arm_modules(struct fargs_session *session);

/**
 * fargs_ret_is_armed() - check whether the return probe of a function is registered
 * @func: a function with FARGS_PATH_RETURN, in a session that has been armed
 *
 * Context: Process context. Expects session->lock held.
 * Return: True if the function's return probe is registered.
 */
bool fargs_ret_is_armed(const struct fargs_session_func *func);

/**
 * fargs_ret_leave() - remove return probes of a module that was loaded since START
 * @session: the session
 * @mod: the module
 * @is_init_only: only those of functions in its init memory
 *
 * Context: Process context. Expects session->lock held.
 */
void fargs_ret_leave(struct fargs_session *session, const struct module *mod, bool is_init_only);

/**
 * fargs_ret_forget() - ignore calls of a function from now on
 * @session: the session
 * @func: the function, which is about to be dropped
 *
 * Calls are ignored even if the function's return probe stays registered.
 *
 * Context: Process context. Expects session->lock held.
 */
void fargs_ret_forget(struct fargs_session *session, const struct fargs_session_func *func);

/**
 * fargs_ret_refilter() - remove dropped functions from fargs_returns.probes
 * @session: the session, which has other functions left to trace
 *
 * Context: Process context. Expects session->lock held.
 */
void fargs_ret_refilter(struct fargs_session *session);

/**
 * fargs_ret_nr_missed() - count calls that the kernel's return probes have missed
 * @session: the session
 *
 * Calls of tasks that the session does not trace are included.
 *
 * Context: Process context. Expects session->lock held.
 * Return: The number of such calls since the session was opened.
 */
u64 fargs_ret_nr_missed(struct fargs_session *session);

/**
 * fargs_ret_nr_pending() - count calls that have not returned
 * @session: the session
 *
 * Context: Process context. Expects session->lock held.
 * Return: The current number or, if the session is not running, the number at the last STOP.
 */
u64 fargs_ret_nr_pending(const struct fargs_session *session);

/**
 * fargs_ret_nr_unmarked() - count calls that should have put a task in scope, but did not
 * @session: the session
 *
 * Either there was no room for the mark (probe/scope.h), or no slot for the call.
 *
 * Context: Process context. Expects session->lock held.
 * Return: The number of such calls since the session was opened.
 */
u64 fargs_ret_nr_unmarked(const struct fargs_session *session);

/**
 * fargs_ret_nr_undecided() - count calls for which a SCOPE program had no result
 * @session: the session
 *
 * The program needed memory that could not be read.
 *
 * Context: Process context. Expects session->lock held.
 * Return: The number of such calls since the session was opened.
 */
u64 fargs_ret_nr_undecided(const struct fargs_session *session);

#endif
