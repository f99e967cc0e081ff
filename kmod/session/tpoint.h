/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The tracepoints of a session. Process context. arm and disarm: under session->call_lock, and
 * take session->lock for each of them; the others under session->lock.
 */
#ifndef FARGS_TPOINT_SESSION_H
#define FARGS_TPOINT_SESSION_H

#include <linux/list.h>
#include <linux/types.h>

struct fargs_batch;
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
	struct fargs_batch *batch;
};

/* Can this kernel's tracepoints be traced at all? 0, or -EOPNOTSUPP with the reason. */
int fargs_tpoints_check(u32 layout, struct fargs_refusal *refusal);

/* -ENOMEM: no room for @nr. To be deinitialised in either case. */
int fargs_tpoint_add_init(struct fargs_tpoint_add *add, u32 nr);
void fargs_tpoint_add_deinit(struct fargs_tpoint_add *add);
void fargs_tpoint_add_layout(struct fargs_tpoint_add *add, struct fargs_layout *layout);

/*
 * Finds the tracepoints of what is to be added. Marks (status) those that are not there,
 * and those that the session, or an earlier one, has already.
 */
void fargs_tpoints_mark(const struct fargs_session *session, struct fargs_tpoint_add *add);
/* Makes what those without a status need, *@nr of them. 0 or -ENOMEM. Then: */
int fargs_tpoints_prepare(struct fargs_tpoint_add *add, u32 *nr);
/* The session gets them, and they their numbers, into fargs_layout.ip. Unless cancelled: */
void fargs_tpoints_commit(struct fargs_session *session, struct fargs_tpoint_add *add);
void fargs_tpoints_cancel(struct fargs_tpoint_add *add);

/* Forgets those whose module went for good. */
void fargs_tpoints_purge(struct fargs_session *session);

/*
 * Registers the probes of those that are there. 0, or -errno with the reason, and none is
 * registered.
 */
int fargs_tpoints_arm(struct fargs_session *session, struct fargs_refusal *refusal);
/* Of a session that is being started: those whose modules came while it was. */
void fargs_tpoints_arm_late(struct fargs_session *session);
/* When it returns no probe runs any more. */
void fargs_tpoints_disarm(struct fargs_session *session);

/* @mod comes: finds tracepoints that were waited for, and traces them if it is running. */
void fargs_tpoints_take(struct fargs_session *session, const struct module *mod);
/* @mod goes. Returns if some are dropped for good. */
bool fargs_tpoints_drop(struct fargs_session *session, const struct module *mod);

/* Is there any, or may there be? */
bool fargs_tpoints_are_any(const struct fargs_session *session);
/* Adds their numbers to @stats. */
void fargs_tpoints_count(const struct fargs_session *session, struct fargs_stats *stats);

#endif
