// SPDX-License-Identifier: GPL-2.0-only
#include "session.h"

#include <linux/err.h>
#include <linux/log2.h>
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/slab.h>
#include <linux/uaccess.h>

#include "deferred_resolve.h"
#include "probes.h"
#include "refusal.h"
#include "ring.h"
#include "ring_over.h"
#include "session_add.h"
#include "switches.h"
#include "tasks.h"

#define TIDS_MAX	(1u << 16)

static DEFINE_MUTEX(fargs_sessions_lock);
static LIST_HEAD(fargs_sessions);

struct fargs_session *fargs_session_create(void)
{
	struct fargs_session *session = kzalloc(sizeof(*session), GFP_KERNEL_ACCOUNT);

	if (!session)
		return NULL;
	mutex_init(&session->lock);
	INIT_LIST_HEAD(&session->batches);
	INIT_LIST_HEAD(&session->returns.late);
	INIT_LIST_HEAD(&session->tpoints.all);
	session->state = FARGS_STATE_PREPARED;
	fargs_probes_init(session);
	mutex_lock(&fargs_sessions_lock);
	list_add(&session->node, &fargs_sessions);
	mutex_unlock(&fargs_sessions_lock);
	return session;
}

static int register_switches(struct fargs_capture *capture, bool is_wanted)
{
	int ret = is_wanted ? fargs_switches_register(capture) : 0;

	capture->has_switches = is_wanted && !ret;
	return ret;
}

static void unregister_switches(struct fargs_capture *capture)
{
	if (capture->has_switches)
		fargs_switches_unregister(capture);
	capture->has_switches = false;
}

/* What only callbacks needed; none of them runs any more. */
static void release_capture(struct fargs_session *session)
{
	fargs_ret_deinit(session);
	kvfree(session->capture.tids);
	session->capture.tids = NULL;
	if (session->rings->is_overwrite)
		fargs_rings_settle(session->rings);
}

static void stop(struct fargs_session *session)
{
	if (session->state != FARGS_STATE_RUNNING)
		return;
	fargs_tpoints_disarm(session);
	fargs_ret_disarm(session);
	fargs_probes_disarm(session);
	fargs_tasks_unregister(&session->capture);
	unregister_switches(&session->capture);
	if (!session->is_stuck)
		release_capture(session);
	/* Pairs with the acquire in poll: who is told so finds the rings as they will be. */
	smp_store_release(&session->state, FARGS_STATE_STOPPED);
	wake_up_interruptible(&session->rings->wait);
}

/*
 * It stops while it is in the list: a module that goes meanwhile finds it there, and waits,
 * or its tracepoints would be gone when their probes are unregistered.
 */
void fargs_session_destroy(struct fargs_session *session)
{
	mutex_lock(&session->lock);
	stop(session);
	mutex_unlock(&session->lock);

	mutex_lock(&fargs_sessions_lock);
	list_del(&session->node);
	mutex_unlock(&fargs_sessions_lock);
	if (session->is_stuck)
		return;
	fargs_probes_deinit(session);
	fargs_rings_destroy(session->rings);
	fargs_session_free_funcs(session);
	fargs_deferred_deinit(&session->deferred);
	mutex_destroy(&session->lock);
	kfree(session);
}

int fargs_session_buffer(struct fargs_session *session, const struct fargs_buffer *buffer,
			 struct fargs_refusal *refusal)
{
	struct fargs_rings *rings;

	if (buffer->mode != FARGS_MODE_DROP && buffer->mode != FARGS_MODE_OVERWRITE)
		return fargs_refuse(refusal, EINVAL, FARGS_NONE,
				    offsetof(struct fargs_buffer, mode),
				    "there is no buffer mode %u", buffer->mode);
	if (buffer->bytes < FARGS_BUFFER_MIN || buffer->bytes > FARGS_BUFFER_MAX ||
	    !is_power_of_2(buffer->bytes))
		return fargs_refuse(refusal, EINVAL, FARGS_NONE,
				    offsetof(struct fargs_buffer, bytes),
				    "%llu bytes a CPU are not a power of two from %u to %u",
				    buffer->bytes, FARGS_BUFFER_MIN, FARGS_BUFFER_MAX);
	if (buffer->watermark && buffer->mode == FARGS_MODE_OVERWRITE)
		return fargs_refuse(refusal, EINVAL, FARGS_NONE,
				    offsetof(struct fargs_buffer, watermark),
				    "a buffer that overwrites has no watermark");
	if (buffer->watermark && (buffer->watermark < FARGS_WATERMARK_MIN ||
				  buffer->watermark > buffer->bytes / 2))
		return fargs_refuse(refusal, EINVAL, FARGS_NONE,
				    offsetof(struct fargs_buffer, watermark),
				    "the watermark %u is not from %u to half of the buffer",
				    buffer->watermark, FARGS_WATERMARK_MIN);
	/* Not too much to ask for, but more than there is: say so before OOM does. */
	if (buffer->bytes >> PAGE_SHIFT > si_mem_available() / num_possible_cpus())
		return fargs_refuse(refusal, ENOMEM, FARGS_NONE,
				    offsetof(struct fargs_buffer, bytes),
				    "%llu bytes for each of %u CPUs are more than the free memory",
				    buffer->bytes, num_possible_cpus());

	if (READ_ONCE(session->rings))
		goto busy;
	rings = fargs_rings_create(buffer->bytes, buffer->watermark,
				   buffer->mode == FARGS_MODE_OVERWRITE);
	if (!rings)
		return fargs_refuse(refusal, ENOMEM, FARGS_NONE, FARGS_NONE,
				    "no memory for the buffers");
	mutex_lock(&session->lock);
	if (session->rings) {
		mutex_unlock(&session->lock);
		fargs_rings_destroy(rings);
		goto busy;
	}
	session->capture.rings = rings->cpu;
	/* Pairs with the acquire in mmap and poll, which take no lock. */
	smp_store_release(&session->rings, rings);
	mutex_unlock(&session->lock);
	return 0;
busy:
	return fargs_refuse(refusal, EBUSY, FARGS_NONE, FARGS_NONE,
			    "the session has its buffer already");
}

static unsigned long *make_tids(const struct fargs_start *start, struct fargs_refusal *refusal)
{
	const __s32 __user *tids = u64_to_user_ptr(start->tids);
	bool is_except = start->flags & FARGS_START_EXCEPT;
	unsigned long *map = fargs_tasks_create_map(is_except);
	__s32 tid;
	u32 i;

	if (!map)
		return ERR_PTR(-ENOMEM);
	for (i = 0; i < start->nr_tids; i++) {
		if (get_user(tid, tids + i)) {
			kvfree(map);
			return ERR_PTR(-EFAULT);
		}
		if (fargs_tasks_assign(map, tid, !is_except)) {
			kvfree(map);
			return ERR_PTR(fargs_refuse(refusal, ESRCH, FARGS_NONE,
						    offsetof(struct fargs_start, tids),
						    "there is no task %d", tid));
		}
	}
	return map;
}

/* What can be said without looking at the session. */
static int verify_start(const struct fargs_start *start, struct fargs_refusal *refusal)
{
	const u32 choices = FARGS_START_TASKS | FARGS_START_EXCEPT;
	const u32 others = FARGS_START_FREEZE | FARGS_START_SWITCHES | FARGS_START_NO_FUNCS;
	const u32 chosen = start->flags & choices;

	if ((start->flags & ~(choices | others)) || chosen == choices)
		return fargs_refuse(refusal, EINVAL, FARGS_NONE,
				    offsetof(struct fargs_start, flags),
				    "unknown flags %#x", start->flags);
	if (!!chosen != !!start->nr_tids || start->nr_tids > TIDS_MAX)
		return fargs_refuse(refusal, EINVAL, FARGS_NONE,
				    offsetof(struct fargs_start, nr_tids),
				    "%u tasks, with flags %#x", start->nr_tids, start->flags);
	return fargs_ret_verify_start(start, refusal);
}

/* Anything to trace, there now or to come? */
static bool has_any(const struct fargs_session *session)
{
	return session->nr_funcs != session->nr_dropped || session->deferred.nr ||
	       fargs_tpoints_are_any(session);
}

static int verify_state(const struct fargs_session *session, const struct fargs_start *start,
			struct fargs_refusal *refusal)
{
	if (session->state == FARGS_STATE_RUNNING)
		return fargs_refuse(refusal, EBUSY, FARGS_NONE, FARGS_NONE,
				    "the session is running");
	if (session->is_stuck)
		return fargs_refuse(refusal, EBUSY, FARGS_NONE, FARGS_NONE,
				    "ftrace has broken down; reboot");
	if (!session->rings)
		return fargs_refuse(refusal, EINVAL, FARGS_NONE, FARGS_NONE,
				    "the session has no buffer yet");
	if ((start->flags & FARGS_START_FREEZE) && !session->rings->is_overwrite)
		return fargs_refuse(refusal, EINVAL, FARGS_NONE,
				    offsetof(struct fargs_start, flags),
				    "the session's buffer does not overwrite: it cannot be frozen");
	if (!has_any(session) && !(start->flags & FARGS_START_NO_FUNCS))
		return fargs_refuse(refusal, EINVAL, FARGS_NONE, FARGS_NONE,
				    "there is no function to trace");
	return 0;
}

/*
 * Everything the callbacks use is in place before the first of them can run:
 * registering orders that for us (ftrace and tracepoints publish with barriers
 * of their own). Takes over *@tids when it succeeds, or breaks ftrace.
 */
static int start_locked(struct fargs_session *session, const struct fargs_start *start,
			unsigned long **tids, struct fargs_refusal *refusal)
{
	struct fargs_capture *capture = &session->capture;
	int ret;

	fargs_rings_thaw(session->rings);
	session->rings->is_trigger_freezing = start->flags & FARGS_START_FREEZE;
	session->goes_on = start->flags & (FARGS_START_SWITCHES | FARGS_START_NO_FUNCS);
	capture->tids = *tids;
	capture->is_except = start->flags & FARGS_START_EXCEPT;
	ret = fargs_ret_init(session, start->maxactive, refusal);
	if (ret)
		goto reset_tids;
	/* Before any other: what is recorded next runs in a task that is known. */
	ret = register_switches(capture, start->flags & FARGS_START_SWITCHES);
	if (ret)
		goto deinit_ret;
	ret = fargs_tasks_register(capture);
	if (ret)
		goto unregister_switches;
	ret = fargs_probes_arm(session, refusal);
	if (ret)
		goto unregister_tasks;
	ret = fargs_tpoints_arm(session, refusal);
	if (ret)
		goto disarm_probes;
	/* Last: it takes longest, and most often fails. */
	ret = fargs_ret_arm(session, refusal);
	if (ret)
		goto disarm_tpoints;
	*tids = NULL;
	WRITE_ONCE(session->state, FARGS_STATE_RUNNING);
	return 0;

disarm_tpoints:
	fargs_tpoints_disarm(session);
disarm_probes:
	fargs_probes_disarm(session);
unregister_tasks:
	fargs_tasks_unregister(capture);
	if (session->is_stuck) {
		*tids = NULL;
		unregister_switches(capture);
		return ret;
	}
unregister_switches:
	unregister_switches(capture);
deinit_ret:
	fargs_ret_deinit(session);
reset_tids:
	capture->tids = NULL;
	return ret;
}

/*
 * User memory is touched before the lock is taken, here and in the other calls: a
 * fault may wait for another process for ever, and with the lock held every
 * module that goes, and so the whole machine, would wait, too.
 */
int fargs_session_start(struct fargs_session *session, const struct fargs_start *start,
			struct fargs_refusal *refusal)
{
	unsigned long *tids = NULL;
	int ret;

	ret = verify_start(start, refusal);
	if (ret)
		return ret;
	if (start->nr_tids) {
		tids = make_tids(start, refusal);
		if (IS_ERR(tids))
			return PTR_ERR(tids);
	}
	mutex_lock(&session->lock);
	ret = verify_state(session, start, refusal) ?:
	      start_locked(session, start, &tids, refusal);
	mutex_unlock(&session->lock);
	kvfree(tids);
	return ret;
}

int fargs_session_stop(struct fargs_session *session, struct fargs_refusal *refusal)
{
	int ret = 0;

	mutex_lock(&session->lock);
	/* It may have stopped by itself, when the last module it traced went. */
	if (session->state != FARGS_STATE_PREPARED)
		stop(session);
	else
		ret = fargs_refuse(refusal, EINVAL, FARGS_NONE, FARGS_NONE,
				   "the session is not running");
	if (session->is_stuck)
		ret = fargs_refuse(refusal, EIO, FARGS_NONE, FARGS_NONE,
				   "ftrace does not unregister; reboot");
	mutex_unlock(&session->lock);
	return ret;
}

static int freeze_locked(struct fargs_session *session, bool is_frozen,
			 struct fargs_refusal *refusal)
{
	if (session->state != FARGS_STATE_RUNNING)
		return fargs_refuse(refusal, EINVAL, FARGS_NONE, FARGS_NONE,
				    "the session is not running");
	if (!session->rings->is_overwrite)
		return fargs_refuse(refusal, EINVAL, FARGS_NONE, FARGS_NONE,
				    "the session's buffer does not overwrite");
	if (is_frozen)
		return fargs_rings_freeze(session->rings);
	fargs_rings_thaw(session->rings);
	return 0;
}

int fargs_session_freeze(struct fargs_session *session, const struct fargs_freeze *freeze,
			 struct fargs_refusal *refusal)
{
	int ret;

	if (freeze->is_frozen > 1 || freeze->reserved)
		return fargs_refuse(refusal, EINVAL, FARGS_NONE,
				    freeze->reserved ? offsetof(struct fargs_freeze, reserved) :
				    offsetof(struct fargs_freeze, is_frozen),
				    "is_frozen is %u, reserved %u", freeze->is_frozen,
				    freeze->reserved);
	mutex_lock(&session->lock);
	ret = freeze_locked(session, freeze->is_frozen, refusal);
	mutex_unlock(&session->lock);
	return ret;
}

/*
 * Has a running session nothing to do any more? TASK and SWITCH records that it was started for
 * are about more than the functions that went.
 */
static bool is_idle(const struct fargs_session *session)
{
	return !has_any(session) && !session->goes_on;
}

/*
 * In place, without allocating: the lookup finds nothing from now on, whatever
 * comes of the filter. Callbacks that found the template before may still write
 * their record; the templates stay until the session ends.
 */
static void drop_module(struct fargs_session *session, const struct module *mod,
			bool is_init_only)
{
	u32 i, nr = 0;

	for (i = 0; i < session->nr_funcs; i++) {
		struct fargs_session_func *func = &session->funcs[i];

		if (func->is_dropped ||
		    !(within_module_init(func->ip, mod) ||
		      (!is_init_only && within_module_core(func->ip, mod))))
			continue;
		fargs_ret_forget(session, func);
		func->is_dropped = true;
		fargs_probes_forget(session, func->ip);
		nr++;
	}
	session->nr_dropped += nr;
	if (!nr || session->state != FARGS_STATE_RUNNING || session->is_stuck)
		return;
	fargs_ret_leave(session, mod, is_init_only);
	/*
	 * The addresses must leave the filters, or what is loaded there next is
	 * traced. With nothing left, and nothing to come, the session stops, but stays
	 * in the hands of its owner.
	 */
	if (is_idle(session)) {
		stop(session);
	} else {
		fargs_probes_refilter(session);
		fargs_ret_refilter(session);
	}
}

void fargs_sessions_drop_module(const struct module *mod, bool is_init_only)
{
	struct fargs_session *session;

	mutex_lock(&fargs_sessions_lock);
	list_for_each_entry(session, &fargs_sessions, node) {
		mutex_lock(&session->lock);
		drop_module(session, mod, is_init_only);
		mutex_unlock(&session->lock);
	}
	mutex_unlock(&fargs_sessions_lock);
}

void fargs_sessions_resolve_module(const struct module *mod)
{
	struct fargs_session *session;

	mutex_lock(&fargs_sessions_lock);
	list_for_each_entry(session, &fargs_sessions, node) {
		mutex_lock(&session->lock);
		fargs_deferred_resolve(session, mod);
		mutex_unlock(&session->lock);
	}
	mutex_unlock(&fargs_sessions_lock);
}

void fargs_sessions_take_tpoints(const struct module *mod)
{
	struct fargs_session *session;

	mutex_lock(&fargs_sessions_lock);
	list_for_each_entry(session, &fargs_sessions, node) {
		mutex_lock(&session->lock);
		fargs_tpoints_take(session, mod);
		mutex_unlock(&session->lock);
	}
	mutex_unlock(&fargs_sessions_lock);
}

void fargs_sessions_drop_tpoints(const struct module *mod)
{
	struct fargs_session *session;

	mutex_lock(&fargs_sessions_lock);
	list_for_each_entry(session, &fargs_sessions, node) {
		mutex_lock(&session->lock);
		if (fargs_tpoints_drop(session, mod) &&
		    session->state == FARGS_STATE_RUNNING && is_idle(session))
			stop(session);
		mutex_unlock(&session->lock);
	}
	mutex_unlock(&fargs_sessions_lock);
}
