/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A session: one open file of /dev/fargs and all it owns.
 *
 * Locks, in their order: fargs_sessions_lock (session.c; the list of sessions),
 * session->lock (everything in a session but what capture.h says), tpoint_find.c's, then
 * ftrace's, the tracepoints' and the allocator's own. The capture paths take none.
 */
#ifndef FARGS_SESSION_H
#define FARGS_SESSION_H

#include <linux/list.h>
#include <linux/mutex.h>

#include "capture.h"
#include "deferred.h"
#include "ret_session.h"
#include "tpoint_session.h"
#include "uapi/fargs.h"

struct fargs_refusal;
struct fargs_rings;
struct module;

#define FARGS_BUFFER_MIN	(16u << 10)
#define FARGS_BUFFER_MAX	(1u << 30)
#define FARGS_WATERMARK_MIN	4096u
#define FARGS_LAYOUTS_MAX	(1u << 17)
#define FARGS_ADD_BYTES_MAX	(64u << 20)

/* A function of the session. Its template lies in a batch. */
struct fargs_session_func {
	unsigned long ip;
	const struct fargs_template *template;
	enum fargs_path path;	/* whose probe it is */
	bool is_dropped;	/* its module went; never traced again */
	bool is_deferred;	/* its layout is, and waits for the module to come again */
	bool is_new;		/* while a module comes: its probe is not there yet */
	struct fargs_late_returns *late;	/* set of return probes; NULL: that of START */
};

struct fargs_session {
	struct fargs_capture capture;	/* see there for when it may change */
	struct mutex lock;
	struct list_head node;		/* in the list of sessions */
	enum fargs_state state;		/* poll(2) looks at it without the lock */
	bool goes_on;			/* running, with nothing left to trace as well */
	bool is_scoped;			/* it has, or had, a FARGS_LAYOUT_SCOPE */
	bool is_stuck;			/* ftrace would not let go of it: never freed */
	struct fargs_rings *rings;	/* NULL before BUFFER, constant after */
	struct fargs_session_func *funcs;	/* sorted by ip */
	u32 nr_funcs;
	u32 nr_dropped;			/* of them, is_dropped */
	struct fargs_deferreds deferred;
	struct fargs_tpoints tpoints;
	struct fargs_returns returns;
	struct list_head batches;	/* struct fargs_batch: templates, symbols */
};

struct fargs_session *fargs_session_create(void);
/* Nobody else knows it any more. May sleep for long (RCU). */
void fargs_session_destroy(struct fargs_session *session);

/* The ioctls; process context; 0 or -errno, with the reason in @refusal. */
int fargs_session_buffer(struct fargs_session *session, const struct fargs_buffer *buffer,
			 struct fargs_refusal *refusal);
int fargs_session_add(struct fargs_session *session, struct fargs_add *add,
		      struct fargs_refusal *refusal);
int fargs_session_start(struct fargs_session *session, const struct fargs_start *start,
			struct fargs_refusal *refusal);
int fargs_session_stop(struct fargs_session *session, struct fargs_refusal *refusal);
int fargs_session_freeze(struct fargs_session *session, const struct fargs_freeze *freeze,
			 struct fargs_refusal *refusal);
int fargs_session_stats(struct fargs_session *session, struct fargs_stats *stats,
			struct fargs_refusal *refusal);

int fargs_session_arrivals(struct fargs_session *session, struct fargs_arrivals *arrivals,
			   struct fargs_refusal *refusal);

/* @mod comes: finds functions of deferred layouts in it, and traces them, in every session. */
void fargs_sessions_resolve_module(const struct module *mod);
/* Drops functions of @mod from every session: those in init memory, or all. */
void fargs_sessions_drop_module(const struct module *mod, bool is_init_only);
/* The same two for its tracepoints. */
void fargs_sessions_take_tpoints(const struct module *mod);
void fargs_sessions_drop_tpoints(const struct module *mod);

#endif
