// SPDX-License-Identifier: GPL-2.0-only
#include "session/stats.h"

#include <linux/cpumask.h>
#include <linux/lockdep.h>
#include <linux/minmax.h>
#include <linux/mm.h>
#include <linux/percpu.h>
#include <linux/slab.h>
#include <linux/stddef.h>
#include <linux/uaccess.h>

#include "base/refusal.h"
#include "prog/template.h"
#include "ring/ring.h"
#include "session/arrivals.h"
#include "session/session.h"

static void fill_stats(const struct fargs_ring *ring, struct fargs_cpu_stats *stats)
{
	/* While the session is running, these counters may change from one read to the next. */
	stats->produced = READ_ONCE(ring->seq);
	stats->lost = local_read(&ring->lost);
	stats->rejected = READ_ONCE(ring->rejected);
	stats->unreadable = READ_ONCE(ring->unreadable);
	stats->lost_pending = local_read(&ring->lost_pending);
	stats->lost_tasks = local_read(&ring->lost_tasks);
	stats->missed = local_read(&ring->missed);
	stats->data_head = READ_ONCE(ring->shared->data_head);
}

static void count_triggers(const struct fargs_session *session, struct fargs_stats *stats)
{
	int cpu;

	lockdep_assert_held(&session->lock);
	for_each_possible_cpu(cpu) {
		const struct fargs_ring *ring = per_cpu_ptr(session->rings->cpu, cpu);

		stats->nr_triggers += local_read(&ring->triggers);
		stats->nr_missed_triggers += local_read(&ring->missed_triggers);
	}
}

static void count_switches(const struct fargs_session *session, struct fargs_stats *stats)
{
	int cpu;

	lockdep_assert_held(&session->lock);
	stats->nr_switches = 0;
	stats->nr_lost_switches = 0;
	for_each_possible_cpu(cpu) {
		const struct fargs_ring *ring = per_cpu_ptr(session->rings->cpu, cpu);

		stats->nr_switches += READ_ONCE(ring->switches);
		stats->nr_lost_switches += local_read(&ring->lost_switches);
	}
}

static void count_layouts(const struct fargs_session *session, struct fargs_stats *stats)
{
	u32 i;

	lockdep_assert_held(&session->lock);
	stats->nr_deferred = session->deferred.nr;
	stats->nr_layouts = session->deferred.nr;
	stats->nr_dropped = 0;
	stats->nr_here = 0;
	for (i = 0; i < session->nr_funcs; i++) {
		const struct fargs_session_func *func = &session->funcs[i];

		stats->nr_layouts += !func->is_deferred;
		stats->nr_dropped += !func->is_deferred && func->is_dropped;
		stats->nr_here += func->is_deferred && !func->is_dropped;
	}
	fargs_tpoints_count(session, stats);
}

/* Collects the counters of functions with missed calls. */
struct func_room {
	struct fargs_func_stats *funcs;
	u32 room;	/* number of elements in the array @funcs */
	u32 nr;		/* number of functions with missed calls; may exceed @room */
};

static void count_func(struct func_room *room, const struct fargs_template *template, u64 ip,
		       u64 from_tsc)
{
	const struct fargs_missed *missed = &fargs_template_programs(template)->missed;
	u64 nr = atomic64_read(&missed->nr), nr_too_deep = atomic64_read(&missed->nr_too_deep);

	if (!nr && !missed->nr_any && !nr_too_deep)
		return;
	if (room->nr++ >= room->room)
		return;
	room->funcs[room->nr - 1] = (struct fargs_func_stats){
		.ip = ip, .from_tsc = from_tsc, .missed = nr, .missed_any = missed->nr_any,
		.too_deep = nr_too_deep,
	};
}

/*
 * Called after fargs_ret_nr_missed(), which updates @nr_any of struct fargs_missed. The counters of
 * deferred functions are read from the deferred layouts: the session keeps these when the module is
 * unloaded, whereas session->funcs contains deferred functions only while their module is loaded.
 */
static void count_funcs(const struct fargs_session *session, struct func_room *room)
{
	const struct fargs_deferreds *deferred = &session->deferred;
	u32 i;

	lockdep_assert_held(&session->lock);
	for (i = 0; i < session->nr_funcs; i++) {
		const struct fargs_session_func *func = &session->funcs[i];

		if (func->path == FARGS_PATH_RETURN && !func->is_deferred)
			count_func(room, func->template, func->ip, 0);
	}
	for (i = 0; i < deferred->nr; i++) {
		const struct fargs_deferred *layout = &deferred->layouts[i];

		if (layout->path == FARGS_PATH_RETURN)
			count_func(room, layout->template, layout->ip, layout->from_tsc);
	}
}

/* Allocates memory for the statistics that user space has requested. Returns 0 or -ENOMEM. */
static int make_room(const struct fargs_stats *stats, struct fargs_cpu_stats **cpus, u32 nr_cpus,
		     struct func_room *room)
{
	*cpus = NULL;
	if (stats->cpus && nr_cpus) {
		*cpus = kvcalloc(nr_cpus, sizeof(**cpus), GFP_KERNEL);
		if (!*cpus)
			return -ENOMEM;
	}
	if (!stats->funcs || !stats->nr_funcs)
		return 0;
	/* A session has at most FARGS_LAYOUTS_MAX layouts, and no more functions than layouts. */
	room->room = min_t(u32, stats->nr_funcs, FARGS_LAYOUTS_MAX);
	room->funcs = kvcalloc(room->room, sizeof(*room->funcs), GFP_KERNEL_ACCOUNT);
	if (room->funcs)
		return 0;
	kvfree(*cpus);
	return -ENOMEM;
}

int fargs_session_stats(struct fargs_session *session, struct fargs_stats *stats,
			struct fargs_refusal *refusal)
{
	u32 cpu, nr = min_t(u32, stats->nr_cpus, nr_cpu_ids);
	struct fargs_cpu_stats *cpus;
	struct func_room room = { };
	int ret;

	ret = make_room(stats, &cpus, nr, &room);
	if (ret)
		return ret;
	/* Do not take session->call_lock, which another ioctl may hold for a long time. */
	ret = mutex_lock_killable(&session->lock);
	if (ret)
		goto out;
	stats->state = session->state;
	count_layouts(session, stats);
	stats->nr_missed = fargs_ret_nr_missed(session);
	count_funcs(session, &room);
	stats->nr_funcs = room.nr;
	stats->maxactive = session->returns.nr_slots;
	stats->nr_pending = fargs_ret_nr_pending(session);
	stats->nr_unmarked = fargs_ret_nr_unmarked(session);
	stats->nr_untold = fargs_ret_nr_undecided(session);
	stats->nr_triggers = 0;
	stats->nr_missed_triggers = 0;
	stats->nr_switches = 0;
	stats->nr_lost_switches = 0;
	if (session->rings) {
		count_triggers(session, stats);
		count_switches(session, stats);
	}
	stats->nr_cpus = session->rings ? nr_cpu_ids : 0;
	nr = min(nr, stats->nr_cpus);
	for (cpu = 0; cpus && cpu < nr; cpu++) {
		if (cpu_possible(cpu))
			fill_stats(per_cpu_ptr(session->rings->cpu, cpu), &cpus[cpu]);
	}
	mutex_unlock(&session->lock);
	room.nr = min(room.nr, room.room);
	if (cpus && copy_to_user(u64_to_user_ptr(stats->cpus), cpus, nr * sizeof(*cpus)))
		ret = -EFAULT;
	if (room.nr && copy_to_user(u64_to_user_ptr(stats->funcs), room.funcs,
				    room.nr * sizeof(*room.funcs)))
		ret = -EFAULT;
out:
	kvfree(cpus);
	kvfree(room.funcs);
	return ret;
}

int fargs_session_arrivals(struct fargs_session *session, struct fargs_arrivals *arrivals,
			   struct fargs_refusal *refusal)
{
	struct fargs_arrival *copy;
	int ret;

	if (arrivals->reserved)
		return fargs_refuse(refusal, EINVAL, FARGS_NONE,
				    offsetof(struct fargs_arrivals, reserved),
				    "reserved is not 0");
	ret = mutex_lock_killable(&session->lock);
	if (ret)
		return ret;
	ret = fargs_arrival_list_take(&session->deferred.arrivals, arrivals->first, &copy,
				      &arrivals->nr, refusal);
	mutex_unlock(&session->lock);
	if (ret || !arrivals->nr)
		return ret;
	if (copy_to_user(u64_to_user_ptr(arrivals->arrivals), copy,
			 arrivals->nr * sizeof(*copy)))
		ret = -EFAULT;
	kvfree(copy);
	return ret;
}
