/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The return probes of a session, from START to STOP. Process context. init, deinit, arm and
 * disarm: under session->call_lock, and take session->lock where they need it; the others under
 * session->lock.
 */
#ifndef FARGS_RET_SESSION_H
#define FARGS_RET_SESSION_H

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
	struct list_head late;		/* of modules that came since START */
	u64 nr_missed;			/* by the kernel, when it was last asked */
	u32 nr_slots;			/* at the last start */
	u64 nr_pending;			/* at the last stop */
	u64 nr_unmarked, nr_untold;	/* up to the last stop (under.h) */
};

/* What can be said of START without looking at the session. */
int fargs_ret_verify_start(const struct fargs_start *start, struct fargs_refusal *refusal);
/*
 * Before anything is registered: memory for the calls, if the session has functions
 * that are to have a return probe. 0 or -errno with the reason.
 */
int fargs_ret_init(struct fargs_session *session, u32 maxactive, struct fargs_refusal *refusal);
/* After everything has been unregistered; not if the session is stuck. */
void fargs_ret_deinit(struct fargs_session *session);

/*
 * Registers their probes, if there are any. 0, or -errno with the reason, and nothing
 * registered; if ftrace broke on the way, the session is stuck afterwards.
 */
int fargs_ret_arm(struct fargs_session *session, struct fargs_refusal *refusal);
/*
 * Unregisters them. When it returns, and the session is not stuck, no callback runs
 * any more; calls in flight are counted and forgotten.
 */
void fargs_ret_disarm(struct fargs_session *session);
/*
 * Of a running session: probes for functions of @mod, which comes, that are new to it
 * (is_new). 0 or -errno, and none of them has one; if ftrace broke on the way, the
 * session is stuck.
 */
int fargs_ret_extend(struct fargs_session *session, const struct module *mod);
/*
 * The same of a session that is being started, which then arms those that came meanwhile. 0 or
 * -errno: of expect(), none will be armed; of arm_late(), those of some modules are not.
 */
int fargs_ret_expect(struct fargs_session *session, const struct module *mod);
int fargs_ret_arm_late(struct fargs_session *session);
bool fargs_ret_is_armed(const struct fargs_session_func *func);
/* Unregisters those of functions in its init memory, or all. */
void fargs_ret_leave(struct fargs_session *session, const struct module *mod, bool is_init_only);
/* Before @func is dropped: it has no calls any more, whatever comes of its probe. */
void fargs_ret_forget(struct fargs_session *session, const struct fargs_session_func *func);
/* Takes what the session has dropped, but not all it has, out of the probes of START. */
void fargs_ret_refilter(struct fargs_session *session);

/* Calls missed by the kernel itself, of any task. */
u64 fargs_ret_nr_missed(struct fargs_session *session);
u64 fargs_ret_nr_pending(const struct fargs_session *session);
u64 fargs_ret_nr_unmarked(const struct fargs_session *session);
u64 fargs_ret_nr_untold(const struct fargs_session *session);

#endif
