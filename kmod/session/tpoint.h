/* SPDX-License-Identifier: GPL-2.0-only */
/* The tracepoints of a session. See session/session.h for the locks. */
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

/* The tracepoints of a session. */
struct fargs_tpoints {
	struct list_head all;	/* struct fargs_session_tpoint, stored in the session's arenas */
	u32 nr;
	u32 nr_deferred;
	u32 nr_dropped;		/* number of tracepoints whose is_dropped is set */
	u32 nr_numbers;		/* how many numbers were assigned to tracepoints */
	bool must_wait;		/* probes that were unregistered may still be running */
};

/* Layouts of tracepoints to be added, from their verification to the end of one ADD. */
struct fargs_tpoint_add {
	struct fargs_tpoint_found *found;	/* an array with room for all layouts of the ADD */
	u32 nr;
	bool has_arrivals;			/* FARGS_ADD_TPOINT_ARRIVALS */
	struct fargs_arena *arena;
};

/**
 * fargs_tpoints_check() - check that the kernel's tracepoints can be traced
 * @layout: index of the layout of a tracepoint, for @refusal
 * @refusal: filled in if they cannot be traced
 *
 * Context: Process context.
 * Return: 0, or -EOPNOTSUPP with the reason in @refusal.
 */
int fargs_tpoints_check(u32 layout, struct fargs_refusal *refusal);

/**
 * fargs_tpoint_add_init() - allocate room for layouts to be added
 * @add: the layouts to be added
 * @nr: maximum number of layouts
 *
 * The caller must call fargs_tpoint_add_deinit() afterwards, even on failure.
 *
 * Context: Process context. May sleep.
 * Return: 0 or -ENOMEM.
 */
int fargs_tpoint_add_init(struct fargs_tpoint_add *add, u32 nr);

/**
 * fargs_tpoint_add_deinit() - free the memory allocated by fargs_tpoint_add_init()
 * @add: the layouts to be added
 *
 * Context: Process context. May sleep.
 */
void fargs_tpoint_add_deinit(struct fargs_tpoint_add *add);

/**
 * fargs_tpoint_add_layout() - append a layout to the layouts to be added
 * @add: the layouts to be added
 * @layout: a verified layout of a tracepoint
 *
 * Context: Process context.
 */
void fargs_tpoint_add_layout(struct fargs_tpoint_add *add, struct fargs_layout *layout);

/**
 * fargs_tpoints_mark() - find the tracepoints of layouts to be added
 * @session: the session
 * @add: the layouts to be added
 *
 * Sets the status of layouts whose tracepoint already has a layout, in the session or earlier in
 * the batch. Also sets the status of layouts without FARGS_LAYOUT_DEFERRED whose tracepoint does
 * not exist, or belongs to another build of the module.
 *
 * Context: Process context. Expects session->lock held.
 */
void fargs_tpoints_mark(const struct fargs_session *session, struct fargs_tpoint_add *add);

/**
 * fargs_tpoints_prepare() - allocate memory for the layouts that have no status
 * @add: the layouts to be added; those with a status are removed
 * @nr: set to the number of layouts left
 *
 * The caller must then call either fargs_tpoints_commit() or fargs_tpoints_cancel().
 *
 * Context: Process context. May sleep.
 * Return: 0 or -ENOMEM.
 */
int fargs_tpoints_prepare(struct fargs_tpoint_add *add, u32 *nr);

/**
 * fargs_tpoints_commit() - add the prepared layouts to the session
 * @session: the session
 * @add: the layouts to be added
 *
 * Sets fargs_layout.ip of each layout to the number that records of the tracepoint have instead of
 * an address.
 *
 * Context: Process context. Expects session->lock held.
 */
void fargs_tpoints_commit(struct fargs_session *session, struct fargs_tpoint_add *add);

/**
 * fargs_tpoints_cancel() - free the memory allocated by fargs_tpoints_prepare()
 * @add: the layouts to be added
 *
 * Context: Process context. May sleep.
 */
void fargs_tpoints_cancel(struct fargs_tpoint_add *add);

/**
 * fargs_tpoints_purge() - remove dropped tracepoints from the session
 * @session: the session
 *
 * Context: Process context. Expects session->lock held.
 */
void fargs_tpoints_purge(struct fargs_session *session);

/**
 * fargs_tpoints_arm() - register the probes of tracepoints whose module is loaded
 * @session: the session
 * @refusal: filled in if the call is refused
 *
 * On failure no probe is registered.
 *
 * Context: Process context. Expects session->call_lock held; takes session->lock.
 * Return: 0 or -errno, with the reason in @refusal.
 */
int fargs_tpoints_arm(struct fargs_session *session, struct fargs_refusal *refusal);

/**
 * fargs_tpoints_arm_modules() - register the probes of modules loaded while START was arming
 * @session: the session, which is being started
 *
 * Context: Process context. Expects session->lock held.
 */
void fargs_tpoints_arm_modules(struct fargs_session *session);

/**
 * fargs_tpoints_disarm() - unregister the probes
 * @session: the session
 *
 * After this has returned, no probe is running.
 *
 * Context: Process context. Expects session->call_lock held; takes session->lock.
 */
void fargs_tpoints_disarm(struct fargs_session *session);

/**
 * fargs_tpoints_take() - find the deferred tracepoints of a module
 * @session: the session
 * @mod: the module, which is being loaded
 *
 * Registers their probes if the session is running.
 *
 * Context: Process context. Expects session->lock held.
 */
void fargs_tpoints_take(struct fargs_session *session, const struct module *mod);

/**
 * fargs_tpoints_drop() - drop the tracepoints of a module
 * @session: the session
 * @mod: the module, which is being unloaded
 *
 * Unregisters their probes. Deferred tracepoints wait for the module to be loaded again.
 *
 * Context: Process context. Expects session->lock held.
 * Return: True if the module had tracepoints that are not deferred.
 */
bool fargs_tpoints_drop(struct fargs_session *session, const struct module *mod);

/**
 * fargs_tpoints_are_any() - check whether the session has tracepoints to trace
 * @session: the session
 *
 * Context: Process context. Expects session->lock held.
 * Return: True if the session has a tracepoint that is not dropped; it may be deferred.
 */
bool fargs_tpoints_are_any(const struct fargs_session *session);

/**
 * fargs_tpoints_count() - add the counts of tracepoints to the statistics
 * @session: the session
 * @stats: the statistics, whose counts of layouts are increased
 *
 * Context: Process context. Expects session->lock held.
 */
void fargs_tpoints_count(const struct fargs_session *session, struct fargs_stats *stats);

#endif
