/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The return probes of a session, from START to STOP. Process context. init, deinit, arm and
 * disarm: under session->call_lock, and take session->lock where they need it; the others under
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

/* Slots there can be, see fargs_start.maxactive. */
#define FARGS_MAXACTIVE_MAX	(1u << 16)

/* Of a session. */
struct fargs_returns {
	struct fargs_retprobe *probes;	/* while running, if there are any */
	struct list_head module_sets;	/* of modules that came since START */
	u64 nr_missed;			/* by the kernel, when it was last asked */
	u32 nr_slots;			/* at the last start */
	u64 nr_pending;			/* at the last stop */
	u64 nr_unmarked, nr_undecided;	/* up to the last stop (probe/scope.h) */
};

/**
 * fargs_ret_verify_start() - verify of START what is about returns
 * @start: the call's argument
 * @refusal: where the reason of a refusal is noted
 *
 * Context: Process context.
 * Return: 0 or -errno, with the reason in @refusal.
 */
int fargs_ret_verify_start(const struct fargs_start *start, struct fargs_refusal *refusal);

/**
 * fargs_ret_init() - allocate memory for calls that wait for their return
 * @session: the session
 * @maxactive: how many calls; 0: as many as is usual
 * @refusal: where the reason of a refusal is noted
 *
 * If the session has, or is to get, functions with a return probe. Before anything is registered.
 *
 * Context: Process context. Expects session->call_lock held; takes session->lock.
 * Return: 0 or -errno, with the reason in @refusal.
 */
int fargs_ret_init(struct fargs_session *session, u32 maxactive, struct fargs_refusal *refusal);

/**
 * fargs_ret_deinit() - free that memory
 * @session: the session, which is not stuck
 *
 * After everything has been unregistered.
 *
 * Context: Process context. Expects session->call_lock held; takes session->lock.
 */
void fargs_ret_deinit(struct fargs_session *session);

/**
 * fargs_ret_arm() - register the return probes of the session
 * @session: the session
 * @refusal: where the reason of a refusal is noted
 *
 * If it fails nothing is registered; if ftrace broke on the way the session is stuck.
 *
 * Context: Process context. Expects session->call_lock held; takes session->lock.
 * Return: 0 or -errno, with the reason in @refusal.
 */
int fargs_ret_arm(struct fargs_session *session, struct fargs_refusal *refusal);

/**
 * fargs_ret_disarm() - unregister them
 * @session: the session
 *
 * When it has returned, and the session is not stuck, no callback runs any more; calls in flight
 * are counted and forgotten.
 *
 * Context: Process context. Expects session->call_lock held; takes session->lock.
 */
void fargs_ret_disarm(struct fargs_session *session);

/**
 * fargs_ret_extend() - register return probes for new functions (is_new) of a module that comes
 * @session: the session, which runs
 * @mod: the module
 *
 * If it fails none of them has one; if ftrace broke on the way the session is stuck.
 *
 * Context: Process context. Expects session->lock held.
 * Return: 0 or -errno.
 */
int fargs_ret_extend(struct fargs_session *session, const struct module *mod);

/**
 * fargs_ret_expect() - leave the new functions of a module to fargs_ret_arm_modules()
 * @session: the session, which is being started
 * @mod: the module
 *
 * Context: Process context. Expects session->lock held.
 * Return: 0 or -errno, and none of them will be armed.
 */
int fargs_ret_expect(struct fargs_session *session, const struct module *mod);

/**
 * fargs_ret_arm_modules() - arm what was left to it
 * @session: the session, which is being started
 *
 * Context: Process context. Expects session->lock held.
 * Return: 0 or -errno, and those of some modules are not armed.
 */
int fargs_ret_arm_modules(struct fargs_session *session);

/**
 * fargs_ret_is_armed() - has a function its return probe?
 * @func: one that is to have one
 *
 * Context: Process context. Expects session->lock held.
 * Return: Whether it has.
 */
bool fargs_ret_is_armed(const struct fargs_session_func *func);

/**
 * fargs_ret_leave() - unregister return probes of a module that came since START
 * @session: the session
 * @mod: the module
 * @is_init_only: only those of its init memory
 *
 * Context: Process context. Expects session->lock held.
 */
void fargs_ret_leave(struct fargs_session *session, const struct module *mod, bool is_init_only);

/**
 * fargs_ret_forget() - a function is about to be dropped
 * @session: the session
 * @func: the function
 *
 * It has no calls any more, whatever comes of its probe.
 *
 * Context: Process context. Expects session->lock held.
 */
void fargs_ret_forget(struct fargs_session *session, const struct fargs_session_func *func);

/**
 * fargs_ret_refilter() - take what the session has dropped out of the probes of START
 * @session: the session, which has some left
 *
 * Context: Process context. Expects session->lock held.
 */
void fargs_ret_refilter(struct fargs_session *session);

/**
 * fargs_ret_nr_missed() - count calls that the kernel has missed, of any task
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
 * Return: How many now, or at the last stop.
 */
u64 fargs_ret_nr_pending(const struct fargs_session *session);

/**
 * fargs_ret_nr_unmarked() - count calls that could not be marked as being inside
 * @session: the session
 *
 * See probe/scope.h.
 *
 * Context: Process context. Expects session->lock held.
 * Return: How many since the session was opened.
 */
u64 fargs_ret_nr_unmarked(const struct fargs_session *session);

/**
 * fargs_ret_nr_undecided() - count calls of which a SCOPE program could not tell
 * @session: the session
 *
 * Since it has met memory that could not be read.
 *
 * Context: Process context. Expects session->lock held.
 * Return: How many since the session was opened.
 */
u64 fargs_ret_nr_undecided(const struct fargs_session *session);

#endif
