// SPDX-License-Identifier: GPL-2.0-only
#include "session.h"

#include <linux/err.h>
#include <linux/log2.h>
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/slab.h>
#include <linux/uaccess.h>

#include "probes.h"
#include "refusal.h"
#include "ring.h"
#include "session_add.h"
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
	session->state = FARGS_STATE_PREPARED;
	fargs_probes_init(session);
	mutex_lock(&fargs_sessions_lock);
	list_add(&session->node, &fargs_sessions);
	mutex_unlock(&fargs_sessions_lock);
	return session;
}

static void stop(struct fargs_session *session)
{
	if (session->state != FARGS_STATE_RUNNING)
		return;
	fargs_ret_disarm(session);
	fargs_probes_disarm(session);
	fargs_tasks_unregister(&session->capture);
	session->state = FARGS_STATE_STOPPED;
	if (session->is_stuck)
		return;
	fargs_ret_deinit(session);
	kvfree(session->capture.tids);
	session->capture.tids = NULL;
}

void fargs_session_destroy(struct fargs_session *session)
{
	mutex_lock(&fargs_sessions_lock);
	list_del(&session->node);
	mutex_unlock(&fargs_sessions_lock);

	stop(session);
	if (session->is_stuck)
		return;
	fargs_probes_deinit(session);
	fargs_rings_destroy(session->rings);
	fargs_session_free_funcs(session);
	mutex_destroy(&session->lock);
	kfree(session);
}

int fargs_session_buffer(struct fargs_session *session, const struct fargs_buffer *buffer,
			 struct fargs_refusal *refusal)
{
	struct fargs_rings *rings;

	if (buffer->mode != FARGS_MODE_DROP)
		return fargs_refuse(refusal, EINVAL, FARGS_NONE,
				    offsetof(struct fargs_buffer, mode),
				    "there is no buffer mode %u", buffer->mode);
	if (buffer->bytes < FARGS_BUFFER_MIN || buffer->bytes > FARGS_BUFFER_MAX ||
	    !is_power_of_2(buffer->bytes))
		return fargs_refuse(refusal, EINVAL, FARGS_NONE,
				    offsetof(struct fargs_buffer, bytes),
				    "%llu bytes a CPU are not a power of two from %u to %u",
				    buffer->bytes, FARGS_BUFFER_MIN, FARGS_BUFFER_MAX);
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
	rings = fargs_rings_create(buffer->bytes, buffer->watermark);
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
	const u32 known = FARGS_START_TASKS | FARGS_START_EXCEPT;

	if ((start->flags & ~known) || start->flags == known)
		return fargs_refuse(refusal, EINVAL, FARGS_NONE,
				    offsetof(struct fargs_start, flags),
				    "unknown flags %#x", start->flags);
	if (!!start->flags != !!start->nr_tids || start->nr_tids > TIDS_MAX)
		return fargs_refuse(refusal, EINVAL, FARGS_NONE,
				    offsetof(struct fargs_start, nr_tids),
				    "%u tasks, with flags %#x", start->nr_tids, start->flags);
	return fargs_ret_verify_start(start, refusal);
}

static int verify_state(const struct fargs_session *session, struct fargs_refusal *refusal)
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
	if (session->nr_funcs == session->nr_dropped)
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

	capture->tids = *tids;
	capture->is_except = start->flags & FARGS_START_EXCEPT;
	ret = fargs_ret_init(session, start->maxactive, refusal);
	if (ret)
		goto reset_tids;
	ret = fargs_tasks_register(capture);
	if (ret)
		goto deinit_ret;
	ret = fargs_probes_arm(session, refusal);
	if (ret)
		goto unregister_tasks;
	/* Last: it takes longest, and most often fails. */
	ret = fargs_ret_arm(session, refusal);
	if (ret)
		goto disarm_probes;
	*tids = NULL;
	session->state = FARGS_STATE_RUNNING;
	return 0;

disarm_probes:
	fargs_probes_disarm(session);
unregister_tasks:
	fargs_tasks_unregister(capture);
	if (session->is_stuck) {
		*tids = NULL;
		return ret;
	}
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
	ret = verify_state(session, refusal) ?:
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

static void fill_stats(const struct fargs_ring *ring, struct fargs_cpu_stats *stats)
{
	/* While running these are a moment's, not one moment's. */
	stats->produced = READ_ONCE(ring->seq);
	stats->lost = local_read(&ring->lost);
	stats->rejected = READ_ONCE(ring->rejected);
	stats->unreadable = READ_ONCE(ring->unreadable);
	stats->lost_pending = local_read(&ring->lost_pending);
	stats->lost_tasks = local_read(&ring->lost_tasks);
	stats->missed = local_read(&ring->missed);
	stats->data_head = READ_ONCE(ring->shared->data_head);
}

int fargs_session_stats(struct fargs_session *session, struct fargs_stats *stats,
			struct fargs_refusal *refusal)
{
	u32 cpu, nr = min_t(u32, stats->nr_cpus, nr_cpu_ids);
	struct fargs_cpu_stats *cpus = NULL;
	int ret = 0;

	if (stats->cpus && nr) {
		cpus = kvcalloc(nr, sizeof(*cpus), GFP_KERNEL);
		if (!cpus)
			return -ENOMEM;
	}
	mutex_lock(&session->lock);
	stats->state = session->state;
	stats->nr_layouts = session->nr_funcs;
	stats->nr_dropped = session->nr_dropped;
	stats->nr_missed = fargs_ret_nr_missed(session);
	stats->nr_pending = fargs_ret_nr_pending(session);
	stats->nr_cpus = session->rings ? nr_cpu_ids : 0;
	nr = min(nr, stats->nr_cpus);
	for (cpu = 0; cpus && cpu < nr; cpu++) {
		if (cpu_possible(cpu))
			fill_stats(per_cpu_ptr(session->rings->cpu, cpu), &cpus[cpu]);
	}
	mutex_unlock(&session->lock);
	if (cpus && copy_to_user(u64_to_user_ptr(stats->cpus), cpus, nr * sizeof(*cpus)))
		ret = -EFAULT;
	kvfree(cpus);
	return ret;
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
		func->is_dropped = true;
		fargs_probes_forget(session, func->ip);
		nr++;
	}
	session->nr_dropped += nr;
	if (!nr || session->state != FARGS_STATE_RUNNING || session->is_stuck)
		return;
	/*
	 * The addresses must leave the filters, or what is loaded there next is
	 * traced. With nothing left the session stops, but stays in the hands of its
	 * owner.
	 */
	if (session->nr_dropped == session->nr_funcs) {
		stop(session);
		wake_up_interruptible(&session->rings->wait);
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
