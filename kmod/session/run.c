// SPDX-License-Identifier: GPL-2.0-only
/* Starts and stops sessions, and freezes and thaws their rings. */
#include "session/run.h"

#include <linux/lockdep.h>
#include <linux/mm.h>
#include <linux/mutex.h>
#include <linux/pid.h>
#include <linux/uaccess.h>
#include <linux/wait.h>

#include "base/refusal.h"
#include "compat/ftrace.h"
#include "probe/switches.h"
#include "probe/tasks.h"
#include "ring/over.h"
#include "ring/ring.h"
#include "session/deferred_resolve.h"
#include "session/probes.h"
#include "session/session.h"

#define TIDS_MAX	(1u << 16)

/* The tasks that START selects. */
struct started_tasks {
	unsigned long *tids;		/* see fargs_capture */
	struct pid *exec_pid;
};

static void release_tasks(const struct started_tasks *tasks)
{
	kvfree(tasks->tids);
	put_pid(tasks->exec_pid);
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

/*
 * Charges the memory that START allocates, and that is freed when the session is disarmed: the
 * exact size of our allocations, and an estimate of the kernel's. Counts deferred functions as if
 * all of their modules were loaded.
 */
static int charge_start(struct fargs_session *session, u32 maxactive,
			struct fargs_refusal *refusal)
{
	u64 bytes = fargs_ret_start_bytes(session, maxactive);
	u32 i, nr = session->deferred.nr;

	lockdep_assert_held(&session->call_lock);
	lockdep_assert_held(&session->lock);
	for (i = 0; i < session->nr_funcs; i++)
		nr += !session->funcs[i].is_deferred && !session->funcs[i].is_dropped;
	bytes += (u64)nr * FARGS_COMPAT_FTRACE_BYTES;
	return fargs_memlock_charge(&session->start_charge, bytes, FARGS_NONE, refusal);
}

/* Frees data that only callbacks use. All callbacks are unregistered, and none is running. */
static void release_capture(struct fargs_session *session)
{
	lockdep_assert_held(&session->call_lock);
	fargs_ret_deinit(session);
	kvfree(session->capture.tids);
	session->capture.tids = NULL;
	put_pid(session->capture.exec_pid);
	session->capture.exec_pid = NULL;
	if (session->rings->is_overwrite)
		fargs_rings_settle(session->rings);
	fargs_memlock_uncharge(&session->start_charge);
}

/*
 * Modules may be loaded and unloaded while this function runs. In FARGS_PHASE_STILL module
 * notifiers drop functions and unregister tracepoint probes of modules that are unloaded, but arm
 * nothing when a module is loaded.
 */
void fargs_session_halt(struct fargs_session *session)
{
	lockdep_assert_held(&session->call_lock);
	if (session->state != FARGS_STATE_RUNNING)
		return;
	mutex_lock(&session->lock);
	session->phase = FARGS_PHASE_STILL;
	session->must_stop = false;
	mutex_unlock(&session->lock);
	fargs_tpoints_disarm(session);
	fargs_ret_disarm(session);
	fargs_probes_disarm(session);
	fargs_tasks_unregister(&session->capture);
	unregister_switches(&session->capture);
	if (!session->is_stuck)
		release_capture(session);
	mutex_lock(&session->lock);
	/*
	 * Pairs with the smp_load_acquire() in dev_poll(): after poll(2) has returned EPOLLRDHUP,
	 * the rings no longer change.
	 */
	smp_store_release(&session->state, FARGS_STATE_STOPPED);
	mutex_unlock(&session->lock);
	wake_up_interruptible(&session->rings->wait);
}

int fargs_session_lock(struct fargs_session *session)
{
	return mutex_lock_killable(&session->call_lock);
}

/*
 * Stops a session that has nothing left to trace. If call_lock is held, its holder stops the
 * session when it releases call_lock:
 *
 *	CPU A (notifier)			CPU B (holder of call_lock)
 *	mutex_lock(lock)			mutex_unlock(call_lock)
 *	sets must_stop				mutex_lock(lock)
 *	mutex_unlock(lock)			reads must_stop, tries to take call_lock
 *	mutex_lock(lock)			mutex_unlock(lock)
 *	tries to take call_lock
 *	mutex_unlock(lock)
 *
 * If CPU A fails to take call_lock, CPU B has not released call_lock yet. CPU B takes lock only
 * after releasing call_lock, and therefore after CPU A has released lock. So CPU B finds must_stop
 * set.
 */
void fargs_session_stop_if_idle(struct fargs_session *session)
{
	bool is_mine;

	mutex_lock(&session->lock);
	is_mine = session->must_stop && mutex_trylock(&session->call_lock);
	mutex_unlock(&session->lock);
	if (!is_mine)
		return;
	fargs_session_halt(session);
	mutex_unlock(&session->call_lock);
}

void fargs_session_unlock(struct fargs_session *session)
{
	mutex_unlock(&session->call_lock);
	fargs_session_stop_if_idle(session);
}

static int read_tids(const struct fargs_start *start, unsigned long *map,
		     struct fargs_refusal *refusal)
{
	const __s32 __user *tids = u64_to_user_ptr(start->tids);
	__s32 tid;
	u32 i;

	for (i = 0; i < start->nr_tids; i++) {
		if (get_user(tid, tids + i))
			return -EFAULT;
		if (fargs_tasks_assign(map, tid, !(start->flags & FARGS_START_EXCEPT)))
			return fargs_refuse(refusal, ESRCH, FARGS_NONE,
					    offsetof(struct fargs_start, tids),
					    "there is no task %d", tid);
	}
	return 0;
}

/* The caller releases @tasks, also after a failure. */
static int make_tasks(const struct fargs_start *start, struct started_tasks *tasks,
		      struct fargs_refusal *refusal)
{
	int ret;

	tasks->tids = fargs_tasks_create_map(!(start->flags & FARGS_START_TASKS));
	if (!tasks->tids)
		return -ENOMEM;
	ret = read_tids(start, tasks->tids, refusal);
	if (ret || !start->exec_tid)
		return ret;
	tasks->exec_pid = fargs_tasks_await_exec(tasks->tids, start->exec_tid);
	return tasks->exec_pid ? 0 :
	       fargs_refuse(refusal, ESRCH, FARGS_NONE, offsetof(struct fargs_start, exec_tid),
			    "there is no process %d", start->exec_tid);
}

/* Checks the parts of @start that can be checked without a session. */
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
				    "nr_tids is %u, but must be from 1 to %u with FARGS_START_TASKS or FARGS_START_EXCEPT, else 0",
				    start->nr_tids, TIDS_MAX);
	if (start->exec_tid < 0 || (start->exec_tid && !chosen))
		return fargs_refuse(refusal, EINVAL, FARGS_NONE,
				    offsetof(struct fargs_start, exec_tid),
				    "exec_tid is %d, but must be the id of a process with FARGS_START_TASKS or FARGS_START_EXCEPT, else 0",
				    start->exec_tid);
	return fargs_ret_verify_start(start, refusal);
}

/* Returns whether there is anything to trace, now or when a module is loaded. */
static bool has_any(const struct fargs_session *session)
{
	lockdep_assert_held(&session->lock);
	return session->nr_funcs != session->nr_dropped || session->deferred.nr ||
	       fargs_tpoints_are_any(session);
}

static int verify_state(const struct fargs_session *session, const struct fargs_start *start,
			struct fargs_refusal *refusal)
{
	lockdep_assert_held(&session->call_lock);
	lockdep_assert_held(&session->lock);
	if (session->state == FARGS_STATE_RUNNING)
		return fargs_refuse(refusal, EBUSY, FARGS_NONE, FARGS_NONE,
				    "the session is running");
	if (session->is_stuck)
		return fargs_refuse(refusal, EBUSY, FARGS_NONE, FARGS_NONE,
				    "ftrace has failed: reboot");
	if (!session->rings)
		return fargs_refuse(refusal, EINVAL, FARGS_NONE, FARGS_NONE,
				    "the session has no buffer yet: call FARGS_IOC_BUFFER first");
	if ((start->flags & FARGS_START_FREEZE) && !session->rings->is_overwrite)
		return fargs_refuse(refusal, EINVAL, FARGS_NONE,
				    offsetof(struct fargs_start, flags),
				    "the session's buffer is not in overwrite mode: it cannot be frozen");
	if (!has_any(session) && !(start->flags & FARGS_START_NO_FUNCS))
		return fargs_refuse(refusal, EINVAL, FARGS_NONE, FARGS_NONE,
				    "there is no function to trace");
	return 0;
}

bool fargs_session_is_idle(const struct fargs_session *session)
{
	lockdep_assert_held(&session->lock);
	return !has_any(session) && !session->goes_on;
}

void fargs_session_refilter(struct fargs_session *session)
{
	lockdep_assert_held(&session->lock);
	session->must_stop = fargs_session_is_idle(session);
	if (session->must_stop)
		return;
	fargs_probes_refilter(session);
	fargs_ret_refilter(session);
}

/*
 * Does the work that module notifiers have left to START, for modules that were loaded or unloaded
 * while START was arming. The caller holds session->lock, so notifiers wait until all probes are
 * armed. @nr_forgotten: session->nr_forgotten when START began to arm.
 */
static int catch_up_start(struct fargs_session *session, u64 nr_forgotten,
			  struct fargs_refusal *refusal)
{
	lockdep_assert_held(&session->call_lock);
	lockdep_assert_held(&session->lock);
	if (fargs_deferred_catch_up(session))
		return fargs_refuse(refusal, EIO, FARGS_NONE, FARGS_NONE,
				    "ftrace failed while it patched the kernel: reboot");
	fargs_tpoints_arm_modules(session);
	session->must_stop = fargs_session_is_idle(session);
	if (session->nr_forgotten != nr_forgotten)
		fargs_session_refilter(session);
	session->phase = FARGS_PHASE_LIVE;
	WRITE_ONCE(session->state, FARGS_STATE_RUNNING);
	return 0;
}

/*
 * Cleans up after a failed START. Functions that notifiers have left to this START will be armed by
 * the next one. May be called twice for the same START.
 */
static void give_up_start(struct fargs_session *session)
{
	u32 i;

	lockdep_assert_held(&session->call_lock);
	mutex_lock(&session->lock);
	session->phase = FARGS_PHASE_STILL;
	for (i = 0; i < session->nr_funcs; i++)
		session->funcs[i].is_new = false;
	mutex_unlock(&session->lock);
	fargs_ret_disarm(session);
}

/*
 * Runs in FARGS_PHASE_STARTING, and takes session->lock only for short times, so that module
 * notifiers can take it. Everything that callbacks use is set up before the first probe is
 * registered; the barriers in ftrace and in tracepoint registration make it visible to callbacks.
 * Clears *@tasks if the session keeps its members: on success, and also on failure if
 * session->is_stuck, since callbacks may still run. @nr_forgotten: session->nr_forgotten when the
 * phase began.
 */
static int start_locked(struct fargs_session *session, const struct fargs_start *start,
			struct started_tasks *tasks, u64 nr_forgotten,
			struct fargs_refusal *refusal)
{
	struct fargs_capture *capture = &session->capture;
	int ret;

	lockdep_assert_held(&session->call_lock);
	fargs_rings_thaw(session->rings);
	session->rings->is_trigger_freezing = start->flags & FARGS_START_FREEZE;
	session->goes_on = start->flags & (FARGS_START_SWITCHES | FARGS_START_NO_FUNCS);
	capture->tids = tasks->tids;
	capture->exec_pid = tasks->exec_pid;
	capture->is_except = !(start->flags & FARGS_START_TASKS);
	ret = fargs_ret_init(session, start->maxactive, refusal);
	if (ret)
		goto reset_tasks;
	/*
	 * Register the switch probe first: switch records identify the task of all later records.
	 */
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
	/* Register return probes last: they take the most time, and fail most often. */
	ret = fargs_ret_arm(session, refusal);
	if (ret)
		goto disarm_tpoints;
	mutex_lock(&session->lock);
	ret = catch_up_start(session, nr_forgotten, refusal);
	mutex_unlock(&session->lock);
	if (ret)
		goto disarm_ret;
	*tasks = (struct started_tasks){ };
	return 0;

disarm_ret:
	give_up_start(session);
disarm_tpoints:
	fargs_tpoints_disarm(session);
disarm_probes:
	fargs_probes_disarm(session);
unregister_tasks:
	fargs_tasks_unregister(capture);
	if (session->is_stuck) {
		*tasks = (struct started_tasks){ };
		unregister_switches(capture);
		return ret;
	}
unregister_switches:
	unregister_switches(capture);
deinit_ret:
	fargs_ret_deinit(session);
reset_tasks:
	capture->tids = NULL;
	capture->exec_pid = NULL;
	return ret;
}

/*
 * No ioctl accesses user memory with a lock held, since a page fault may wait for another process
 * forever. If session->lock were held, loading and unloading modules would wait forever as well,
 * for the whole machine.
 */
int fargs_session_start(struct fargs_session *session, const struct fargs_start *start,
			struct fargs_refusal *refusal)
{
	struct started_tasks tasks = { };
	u64 nr_forgotten;
	int ret;

	ret = verify_start(start, refusal);
	if (ret)
		return ret;
	ret = make_tasks(start, &tasks, refusal) ?: fargs_session_lock(session);
	if (ret)
		goto out;
	mutex_lock(&session->lock);
	ret = verify_state(session, start, refusal) ?:
	      charge_start(session, start->maxactive, refusal);
	if (!ret)
		session->phase = FARGS_PHASE_STARTING;
	nr_forgotten = session->nr_forgotten;
	mutex_unlock(&session->lock);
	if (!ret) {
		ret = start_locked(session, start, &tasks, nr_forgotten, refusal);
		if (ret) {
			give_up_start(session);
			if (!session->is_stuck)
				fargs_memlock_uncharge(&session->start_charge);
		}
	}
	fargs_session_unlock(session);
out:
	release_tasks(&tasks);
	return ret;
}

int fargs_session_stop(struct fargs_session *session, struct fargs_refusal *refusal)
{
	int ret = fargs_session_lock(session);

	if (ret)
		return ret;
	/* The session may have stopped already, when the last traced module was unloaded. */
	if (session->state != FARGS_STATE_PREPARED)
		fargs_session_halt(session);
	else
		ret = fargs_refuse(refusal, EINVAL, FARGS_NONE, FARGS_NONE,
				   "the session is not running");
	if (session->is_stuck)
		ret = fargs_refuse(refusal, EIO, FARGS_NONE, FARGS_NONE,
				   "ftrace failed to unregister the session's callbacks: reboot");
	fargs_session_unlock(session);
	return ret;
}

static int freeze_locked(struct fargs_session *session, bool is_frozen,
			 struct fargs_refusal *refusal)
{
	lockdep_assert_held(&session->call_lock);
	if (session->state != FARGS_STATE_RUNNING)
		return fargs_refuse(refusal, EINVAL, FARGS_NONE, FARGS_NONE,
				    "the session is not running");
	if (!session->rings->is_overwrite)
		return fargs_refuse(refusal, EINVAL, FARGS_NONE, FARGS_NONE,
				    "the session's buffer is not in overwrite mode");
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
				    "is_frozen must be 0 or 1 (is %u), and reserved 0 (is %u)",
				    freeze->is_frozen, freeze->reserved);
	ret = fargs_session_lock(session);
	if (ret)
		return ret;
	ret = freeze_locked(session, freeze->is_frozen, refusal);
	fargs_session_unlock(session);
	return ret;
}
