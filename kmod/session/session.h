/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A session: one open file of /dev/fargs and everything it owns.
 *
 * Locks, in the order in which they nest:
 *
 *	call_lock	Per session. ADD, START, STOP, FREEZE and close hold it for nearly their
 *			whole duration, which may be minutes; BUFFER holds it briefly. A fatal
 *			signal interrupts the wait for call_lock, except in close. Module notifiers
 *			never wait for call_lock: they only try to take it. If a notifier has to
 *			stop a session whose call_lock is held, the holder stops the session when
 *			it releases call_lock (fargs_session_unlock()).
 *	lock		Per session. Protects everything that notifiers read or change: all fields
 *			except those described in probe/capture.h and those that only the holder
 *			of call_lock uses. An ioctl holds it at most for one walk of the session's
 *			functions, and not while it waits for ftrace, return probes or RCU. There
 *			are two exceptions: START and STOP register and unregister each tracepoint
 *			probe under it, and START holds it for the work that notifiers have left
 *			to START (session/run.c). A notifier holds it for all of its work on a
 *			session.
 *	tracers locks	tracers_lock and, in it, tables_lock (session/tracers.c): of what all
 *			sessions share to call ftrace. START, STOP and notifiers that arm or disarm
 *			functions hold tracers_lock while they call ftrace; they wait for each
 *			other.
 *	list locks	sessions_lock (session/list.c) and list_lock (session/tpoint_find.c). Each
 *			is held only while its list is read or changed.
 *	kernel locks	The locks of ftrace, kprobes, fprobe, tracepoints and the allocator.
 *
 * Notifiers run with the rwsem of their notifier chain held; tracepoint notifiers also run with
 * tracepoint_module_list_mutex held. No code takes these two locks while it holds one of ours.
 *
 * Loading or unloading a module therefore waits for an ioctl only as long as the ioctl holds
 * session->lock. It may also wait for the kernel's locks: START makes ftrace patch the kernel under
 * ftrace_lock, which module loading takes before it calls our notifier. Patching takes seconds if
 * an emulated CPU patches all functions. open() takes only sessions_lock. close() also waits for
 * notifiers that are using the session. The capture paths take no lock.
 */
#ifndef FARGS_KMOD_SESSION_SESSION_H
#define FARGS_KMOD_SESSION_SESSION_H

#include <linux/completion.h>
#include <linux/list.h>
#include <linux/mutex.h>

#include "base/memlock.h"
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
static_assert(FARGS_BUFFER_MAX < U32_MAX);	/* see fargs_template.fast_len */
#define FARGS_WATERMARK_MIN	4096u
#define FARGS_LAYOUTS_MAX	(1u << 17)
#define FARGS_ADD_BYTES_MAX	(64u << 20)

/* A function of the session. Its template is in one of the session's arenas. */
struct fargs_session_func {
	unsigned long ip;
	struct fargs_template *template;
	enum fargs_path path;
	bool is_dropped;	/* module unloaded, or arming failed; never traced again */
	/* The layout is in fargs_session.deferred, and stays there when the module is unloaded. */
	bool is_deferred;
	bool is_new;		/* found when its module was loaded, but not armed yet */
	/* The set that has the function's return probe; NULL: fargs_returns.probes. */
	struct fargs_module_returns *module_set;
};

/*
 * Determines what a module notifier does to probes of functions, apart from updating
 * session->funcs. In every phase, calls of dropped functions are not recorded, even if ftrace or a
 * return probe still reports them.
 */
enum fargs_phase {
	FARGS_PHASE_STILL,	/* not armed, or being disarmed: do nothing */
	FARGS_PHASE_STARTING,	/* START is arming: leave the work to START */
	FARGS_PHASE_LIVE,	/* arm new functions, disarm dropped ones */
};

struct fargs_session {
	struct fargs_capture capture;	/* see probe/capture.h for when it may change */
	struct mutex call_lock;		/* see the top of this file */
	struct mutex lock;		/* see the top of this file */
	struct list_head node;		/* entry in the list of sessions (session/list.c) */
	/*
	 * Number of references: one for the open file, and one for each walk of the list of
	 * sessions that is at this session. Protected by sessions_lock.
	 */
	u32 nr_users;
	struct completion unused;	/* completed when @nr_users becomes 0 */
	/* Written under @call_lock and @lock; poll(2) reads it without a lock. */
	enum fargs_state state;
	enum fargs_phase phase;		/* written under @call_lock and @lock */
	/* Nothing is left to trace: stop as soon as @call_lock is free (session/run.c). */
	bool must_stop;
	bool goes_on;			/* keep running even with nothing left to trace */
	bool is_scoped;			/* a layout with FARGS_LAYOUT_SCOPE was added */
	/* A layout with FARGS_LAYOUT_TRIGGER, and _RETURN or _SCOPE, was added. */
	bool has_return_trigger;
	bool is_stuck;			/* ftrace broke, and may still call callbacks: never free */
	struct user_struct *user;	/* the user who opened the session */
	struct fargs_memlock rings_charge;	/* charge of BUFFER, until the session is freed */
	struct fargs_memlock start_charge;	/* charge of START, until the session is disarmed */
	struct fargs_rings *rings;	/* NULL before FARGS_IOC_BUFFER, constant after it */
	struct fargs_session_func *funcs;	/* sorted by ip */
	u32 nr_funcs;
	u32 nr_dropped;			/* number of elements of @funcs with is_dropped */
	u64 nr_forgotten;		/* number of calls of fargs_probes_forget() */
	struct fargs_add_work *adding;	/* the ADD that is checking functions; NULL: none */
	struct fargs_deferreds deferred;
	struct fargs_tpoints tpoints;
	struct fargs_returns returns;
	struct list_head arenas;	/* struct fargs_arena: memory of templates and symbols */
};

/**
 * fargs_session_create() - create a session and add it to the list
 *
 * Context: Process context. May sleep.
 * Return: The session; ERR_PTR(-ENOMEM), or ERR_PTR(-EUSERS) if the user has the maximum number of
 *	sessions and lacks CAP_SYS_RESOURCE.
 */
struct fargs_session *fargs_session_create(void);

/**
 * fargs_session_destroy() - stop and free a session
 * @session: the session, which only module notifiers still use
 *
 * Waits for RCU grace periods, which may take a long time.
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
