/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A session: one open file of /dev/fargs and all it owns.
 *
 * Locks, in their order:
 *
 *	call_lock	of a session: held by ADD, START, STOP, FREEZE and close from beginning
 *			to end, which may take minutes. Who waits for it can be killed, but in
 *			close. A module's notifier tries it, and leaves to the holder what it
 *			would have done (fargs_session_unlock()): it waits for none
 *	lock		of a session: what notifiers look at and change, that is all but what
 *			probe/capture.h says and what is of the holder of call_lock alone. Calls
 *			hold it for no longer than it takes to go through the session's functions:
 *			ftrace, return probes and RCU do their work without it. Tracepoints are
 *			armed under it one by one; START does under it what notifiers have left
 *			to it (session/run.c). A notifier holds it over all that it does itself
 *	list locks	that of session/list.c and session/tpoint_find.c's, for a
 *	walk each the kernel's	ftrace's, kprobes', fprobe's, the tracepoints', the allocator's own.
 *			Notifiers are called with their chain's rwsem held, those of tracepoints
 *			with tracepoint_module_list_mutex, too: nothing that is done under one
 *			of our locks takes these
 *
 * So what a module that is loaded or unloaded waits for of another session's call is such a
 * walk, and the kernel's locks: START has ftrace patch under ftrace_lock (seconds, where an
 * emulated CPU patches all functions), which each module takes itself before our notifier is
 * called. open() takes that of session/list.c alone; close also waits for notifiers that are
 * looking at the session. The capture paths take none.
 */
#ifndef FARGS_KMOD_SESSION_SESSION_H
#define FARGS_KMOD_SESSION_SESSION_H

#include <linux/completion.h>
#include <linux/list.h>
#include <linux/mutex.h>

#include "probe/capture.h"
#include "session/deferred.h"
#include "session/ret.h"
#include "session/tpoint.h"
#include "uapi/fargs.h"

struct fargs_add_work;
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
	struct fargs_template *template;
	enum fargs_path path;	/* whose probe it is */
	bool is_dropped;	/* its module went; never traced again */
	bool is_deferred;	/* its layout is, and waits for the module to come again */
	bool is_new;		/* not dropped; while a module comes: its probe is not there yet */
	/* The set that its return probe is in; NULL: the set of START. */
	struct fargs_module_returns *module_set;
};

/* What the notifier of a module that comes or goes has to do besides the session's list. */
enum fargs_phase {
	FARGS_PHASE_STILL,	/* nothing is armed, or it is being disarmed: forget functions */
	FARGS_PHASE_STARTING,	/* START arms, and will catch up: the same */
	FARGS_PHASE_LIVE,	/* arm what comes, disarm what goes */
};

struct fargs_session {
	struct fargs_capture capture;	/* see there for when it may change */
	struct mutex call_lock;		/* both: see above */
	struct mutex lock;
	struct list_head node;		/* in the list of sessions */
	u32 nr_users;			/* its file, and who has found it in there; by that lock */
	struct completion unused;
	enum fargs_state state;		/* changes under both locks; poll(2) takes none */
	enum fargs_phase phase;		/* changes under both */
	bool must_stop;			/* nothing is left to trace: see fargs_session_unlock() */
	bool goes_on;			/* running, with nothing left to trace as well */
	bool is_scoped;			/* it has, or had, a FARGS_LAYOUT_SCOPE */
	bool is_stuck;			/* ftrace would not let go of it: never freed */
	struct fargs_rings *rings;	/* NULL before BUFFER, constant after */
	struct fargs_session_func *funcs;	/* sorted by ip */
	u32 nr_funcs;
	u32 nr_dropped;			/* of them, is_dropped */
	u64 nr_forgotten;		/* functions that modules took with them, ever */
	struct fargs_add_work *adding;	/* while an ADD looks at functions without the lock */
	struct fargs_deferreds deferred;
	struct fargs_tpoints tpoints;
	struct fargs_returns returns;
	struct list_head arenas;	/* struct fargs_arena: templates, symbols */
};

/**
 * fargs_session_create() - make a session
 *
 * Context: Process context. May sleep.
 * Return: The session, or NULL if there is no memory.
 */
struct fargs_session *fargs_session_create(void);

/**
 * fargs_session_destroy() - stop and free a session
 * @session: the session, which nobody else knows any more
 *
 * Waits for RCU, for long.
 *
 * Context: Process context. May sleep.
 */
void fargs_session_destroy(struct fargs_session *session);

/**
 * fargs_session_buffer() - FARGS_IOC_BUFFER
 * @session: the session
 * @buffer: the call's argument
 * @refusal: where the reason of a refusal is noted
 *
 * Context: Process context. May sleep. Takes session->call_lock and session->lock.
 * Return: 0 or -errno, with the reason in @refusal.
 */
int fargs_session_buffer(struct fargs_session *session, const struct fargs_buffer *buffer,
			 struct fargs_refusal *refusal);

#endif
