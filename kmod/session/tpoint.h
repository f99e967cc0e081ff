/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The tracepoints of a session. Process context. arm and disarm: under session->call_lock, and
 * take session->lock for each of them; the others under session->lock.
 */
#ifndef FARGS_KMOD_SESSION_TPOINT_H
#define FARGS_KMOD_SESSION_TPOINT_H

#include <linux/list.h>
#include <linux/types.h>

struct fargs_arena;
struct fargs_layout;
struct fargs_refusal;
struct fargs_session;
struct fargs_stats;
struct fargs_tpoint_found;
struct module;

/* Of a session. */
struct fargs_tpoints {
	struct list_head all;	/* struct fargs_session_tpoint, in the session's batches */
	u32 nr;
	u32 nr_deferred;	/* of them */
	u32 nr_dropped;		/* of the others: their module went */
	u32 nr_numbers;		/* given to them so far */
	bool must_wait;		/* probes that were unregistered may be running */
};

/* Layouts to be added, from their verification to the end of one ADD. */
struct fargs_tpoint_add {
	struct fargs_tpoint_found *found;	/* room for all of the call */
	u32 nr;
	struct fargs_arena *arena;
};

/**
 * fargs_tpoints_check() - can this kernel's tracepoints be traced at all?
 * @layout: index of the layout that asks for it
 * @refusal: where the reason of a refusal is noted
 *
 * Context: Process context.
 * Return: 0, or -EOPNOTSUPP with the reason in @refusal.
 */
int fargs_tpoints_check(u32 layout, struct fargs_refusal *refusal);

/**
 * fargs_tpoint_add_init() - make room for layouts to be added
 * @add: the layouts to be added
 * @nr: how many at most
 *
 * To be deinitialised, also if it fails.
 *
 * Context: Process context. May sleep.
 * Return: 0 or -ENOMEM.
 */
int fargs_tpoint_add_init(struct fargs_tpoint_add *add, u32 nr);

/**
 * fargs_tpoint_add_deinit() - free that room
 * @add: the layouts to be added
 *
 * Context: Process context. May sleep.
 */
void fargs_tpoint_add_deinit(struct fargs_tpoint_add *add);

/**
 * fargs_tpoint_add_layout() - add a layout
 * @add: the layouts to be added
 * @layout: a verified one, of a tracepoint
 *
 * Context: Process context.
 */
void fargs_tpoint_add_layout(struct fargs_tpoint_add *add, struct fargs_layout *layout);

/**
 * fargs_tpoints_mark() - find the tracepoints of what is to be added
 * @session: the session
 * @add: the layouts to be added
 *
 * Those that are not there get a status, and so do those that the session, or an earlier layout of
 * the call, has already.
 *
 * Context: Process context. Expects session->lock held.
 */
void fargs_tpoints_mark(const struct fargs_session *session, struct fargs_tpoint_add *add);

/**
 * fargs_tpoints_prepare() - make what those without a status need
 * @add: the layouts to be added
 * @nr: set to how many they are
 *
 * Then one of fargs_tpoints_commit() and fargs_tpoints_cancel().
 *
 * Context: Process context. May sleep.
 * Return: 0 or -ENOMEM.
 */
int fargs_tpoints_prepare(struct fargs_tpoint_add *add, u32 *nr);

/**
 * fargs_tpoints_commit() - give the session what was prepared
 * @session: the session
 * @add: the layouts to be added
 *
 * The layouts get their numbers, into fargs_layout.ip.
 *
 * Context: Process context. Expects session->lock held.
 */
void fargs_tpoints_commit(struct fargs_session *session, struct fargs_tpoint_add *add);

/**
 * fargs_tpoints_cancel() - free what was prepared
 * @add: the layouts to be added
 *
 * Context: Process context. May sleep.
 */
void fargs_tpoints_cancel(struct fargs_tpoint_add *add);

/**
 * fargs_tpoints_purge() - forget tracepoints whose module went for good
 * @session: the session
 *
 * Context: Process context. Expects session->lock held.
 */
void fargs_tpoints_purge(struct fargs_session *session);

/**
 * fargs_tpoints_arm() - register the probes of tracepoints that are there
 * @session: the session
 * @refusal: where the reason of a refusal is noted
 *
 * If it fails none is registered.
 *
 * Context: Process context. Expects session->call_lock held; takes session->lock.
 * Return: 0 or -errno, with the reason in @refusal.
 */
int fargs_tpoints_arm(struct fargs_session *session, struct fargs_refusal *refusal);

/**
 * fargs_tpoints_arm_modules() - register those whose modules came while START was arming
 * @session: the session, which is being started
 *
 * Context: Process context. Expects session->lock held.
 */
void fargs_tpoints_arm_modules(struct fargs_session *session);

/**
 * fargs_tpoints_disarm() - unregister the probes
 * @session: the session
 *
 * When it has returned no probe runs any more.
 *
 * Context: Process context. Expects session->call_lock held; takes session->lock.
 */
void fargs_tpoints_disarm(struct fargs_session *session);

/**
 * fargs_tpoints_take() - a module comes: find, and trace, tracepoints that were waited for
 * @session: the session
 * @mod: the module
 *
 * They are traced if the session is running.
 *
 * Context: Process context. Expects session->lock held.
 */
void fargs_tpoints_take(struct fargs_session *session, const struct module *mod);

/**
 * fargs_tpoints_drop() - a module goes: forget its tracepoints
 * @session: the session
 * @mod: the module
 *
 * Context: Process context. Expects session->lock held.
 * Return: Whether some are dropped for good.
 */
bool fargs_tpoints_drop(struct fargs_session *session, const struct module *mod);

/**
 * fargs_tpoints_are_any() - is there any tracepoint, or may there be?
 * @session: the session
 *
 * Context: Process context. Expects session->lock held.
 * Return: Whether there is.
 */
bool fargs_tpoints_are_any(const struct fargs_session *session);

/**
 * fargs_tpoints_count() - add how many there are to the statistics
 * @session: the session
 * @stats: what is added to
 *
 * Context: Process context. Expects session->lock held.
 */
void fargs_tpoints_count(const struct fargs_session *session, struct fargs_stats *stats);

#endif
