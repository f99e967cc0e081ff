/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A session: one open file of /dev/fargs and everything it owns.
 *
 * Locks, in the order in which they nest:
 *
 *	call_lock	Per session. ADD, START, STOP, FREEZE and close hold it from beginning to
 *			end, which may take minutes. Waiting for it can be interrupted by a fatal
 *			signal, except in close. A module notifier only tries to take it; if it is
 *			held, its holder stops the session in the notifier's stead
 *			(fargs_session_unlock()). So notifiers do not wait for it.
 *	lock		Per session. Protects all that notifiers read and change: everything but
 *			the fields described in probe/capture.h, and those that only the holder
 *			of call_lock uses. Ioctls hold it no longer than it takes to walk the
 *			session's functions: ftrace, return probes and RCU do their work without
 *			it. START and STOP take it for each tracepoint, and START holds it for the
 *			work that notifiers have left to it (session/run.c). A notifier holds it
 *			for all of its own work.
 *	list locks	Those of session/list.c and session/tpoint_find.c, each held for a walk.
 *	kernel locks	Of ftrace, kprobes, fprobe, tracepoints and the allocator. Notifiers run
 *			with their chain's rwsem held, those of tracepoints also with
 *			tracepoint_module_list_mutex: nothing done under one of our locks takes
 *			these.
 *
 * So a module that is loaded or unloaded waits for an ioctl of another session only as long as such
 * a walk takes, and for the kernel's locks: START makes ftrace patch under ftrace_lock (seconds, if
 * an emulated CPU patches all functions), which module loading takes before our notifier is
 * called. open() takes only the lock of session/list.c; close also waits for notifiers that use the
 * session. The capture paths take no lock.
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

/* A function of the session. Its template is in one of the session's arenas. */
struct fargs_session_func {
	unsigned long ip;
	struct fargs_template *template;
	enum fargs_path path;
	bool is_dropped;	/* its module was unloaded; never traced again */
	bool is_deferred;	/* its layout is deferred, and survives it */
	bool is_new;		/* not dropped; its module is being loaded; not armed yet */
	/* The set that its return probe is in; NULL: the set of START. */
	struct fargs_module_returns *module_set;
};

/*
 * What a module notifier does to probes, besides updating session->funcs. Hidden: calls are not
 * recorded, even if ftrace or a return probe still reports them.
 */
enum fargs_phase {
	FARGS_PHASE_STILL,	/* not armed, or being disarmed: hide dropped functions */
	FARGS_PHASE_STARTING,	/* START is arming, and will catch up: the same */
	FARGS_PHASE_LIVE,	/* arm new functions, disarm dropped ones */
};

struct fargs_session {
	struct fargs_capture capture;	/* see probe/capture.h for when it may change */
	struct mutex call_lock;		/* both locks: see above */
	struct mutex lock;
	struct list_head node;		/* in the list of sessions */
	u32 nr_users;			/* its file and list walkers; under the list's lock */
	struct completion unused;	/* nr_users is 0 */
	enum fargs_state state;		/* written under both locks; poll(2) reads it without */
	enum fargs_phase phase;		/* written under both locks */
	bool must_stop;			/* nothing is left to trace: see fargs_session_unlock() */
	bool goes_on;			/* runs even with nothing left to trace */
	bool is_scoped;			/* has, or had, a FARGS_LAYOUT_SCOPE */
	bool is_stuck;			/* ftrace broke, and may still call us: never freed */
	struct fargs_rings *rings;	/* NULL before BUFFER, constant after */
	struct fargs_session_func *funcs;	/* sorted by ip */
	u32 nr_funcs;
	u32 nr_dropped;			/* functions with is_dropped */
	u64 nr_forgotten;		/* calls of fargs_probes_forget() */
	struct fargs_add_work *adding;	/* an ADD that checks functions without the lock */
	struct fargs_deferreds deferred;
	struct fargs_tpoints tpoints;
	struct fargs_returns returns;
	struct list_head arenas;	/* struct fargs_arena: templates, symbols */
};

/**
 * fargs_session_create() - create a session and add it to the list
 *
 * Context: Process context. May sleep.
 * Return: The session, or NULL if there is no memory.
 */
struct fargs_session *fargs_session_create(void);

/**
 * fargs_session_destroy() - stop and free a session
 * @session: the session, which has no other users than notifiers
 *
 * Waits for RCU, which may take long.
 *
 * Context: Process context. May sleep.
 */
void fargs_session_destroy(struct fargs_session *session);

/**
 * fargs_session_buffer() - create the ring buffers (FARGS_IOC_BUFFER)
 * @session: the session
 * @buffer: argument of the ioctl
 * @refusal: filled in if the call is refused
 *
 * Context: Process context. May sleep. Takes session->call_lock and session->lock.
 * Return: 0 or -errno, with the reason in @refusal.
 */
int fargs_session_buffer(struct fargs_session *session, const struct fargs_buffer *buffer,
			 struct fargs_refusal *refusal);

#endif
