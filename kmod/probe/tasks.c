// SPDX-License-Identifier: GPL-2.0-only
/*
 * Context of the probes: for fork, exec, rename and exit, process context; for free, softirq or
 * process context (an RCU callback). Kernels from 7.x on do not disable preemption around probes,
 * so write_task() does. Bits of the map are changed atomically, since probes on several CPUs change
 * bits of the same words.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include "probe/tasks.h"

#include <linux/bitops.h>
#include <linux/mm.h>
#include <linux/pid.h>
#include <linux/pid_namespace.h>
#include <linux/rcupdate.h>
#include <linux/sched.h>
#include <linux/sched/task.h>
#include <linux/string.h>
#include <linux/threads.h>
#include <linux/tracepoint.h>
#include <trace/events/sched.h>
#include <trace/events/task.h>

#include "compat/retprobe.h"
#include "compat/tracepoint.h"
#include "probe/capture.h"
#include "probe/pool.h"
#include "probe/scope.h"
#include "ring/record.h"

struct linux_binprm;

/*
 * Are TASK records also written for untraced tasks? They are in sessions with SWITCH records, which
 * can contain any task's id.
 */
static bool names_all(const struct fargs_capture *capture)
{
	return capture->has_switches;
}

static void write_task(struct fargs_capture *capture, const struct fargs_record_task *task)
{
	preempt_disable_notrace();
	fargs_record_write_task(this_cpu_ptr(capture->rings), task);
	preempt_enable_notrace();
}

static void probe_fork(void *data, struct task_struct *parent, struct task_struct *child)
{
	struct fargs_capture *capture = data;
	/*
	 * A new thread is traced if its parent is traced. With is_except, a new process is always
	 * traced, for example the command that a reader runs; without is_except, only if its parent
	 * is traced. The child already has its ids, and does not run before this probe returns, so
	 * the bit is up to date at the child's first call.
	 */
	bool is_in = (capture->is_except && child->tgid != parent->tgid) ||
		     test_bit(parent->pid, capture->tids);

	/* The bit may have any value, left by an earlier task with the same id. */
	if (test_bit(child->pid, capture->tids) != is_in)
		assign_bit(child->pid, capture->tids, is_in);
	if (!is_in && !names_all(capture))
		return;
	write_task(capture, &(struct fargs_record_task){
		.event = "fork",
		.event_tid = child->pid,
		.tgid = child->tgid,
		.comm = child->comm,
	});
}

static void probe_exec(void *data, struct task_struct *task, pid_t old_tid,
		       struct linux_binprm *bprm)
{
	struct fargs_capture *capture = data;

	/* A thread that execs takes over the id of its thread group leader. */
	if (old_tid != task->pid) {
		assign_bit(task->pid, capture->tids, test_bit(old_tid, capture->tids));
		assign_bit(old_tid, capture->tids, capture->is_except);
	}
	/*
	 * This probe is registered before those of the session's own tracepoints, which therefore
	 * record the exec.
	 */
	if (capture->exec_pid && task_pid(task) == capture->exec_pid)
		set_bit(task->pid, capture->tids);
	if (!test_bit(task->pid, capture->tids) && !names_all(capture))
		return;
	write_task(capture, &(struct fargs_record_task){
		.event = "exec",
		.event_tid = old_tid,
		.tgid = task->tgid,
		.comm = task->comm,
	});
}

/* Called before the name changes, so the new name is @comm. */
static void probe_rename(void *data, struct task_struct *task, const char *comm)
{
	struct fargs_capture *capture = data;

	if (!test_bit(task->pid, capture->tids) && !names_all(capture))
		return;
	write_task(capture, &(struct fargs_record_task){
		.event = "rename",
		.event_tid = task->pid,
		.tgid = task->tgid,
		.comm = comm,
	});
}

/*
 * Called by do_exit(), for the current task. Calls that the task makes after this, such as those
 * that close its files, are still recorded; probe_free() releases the slots of those that never
 * return.
 */
static FARGS_COMPAT_EXIT_PROBE(probe_exit)
{
	struct fargs_capture *capture = data;

	if (capture->pool && fargs_retprobe_is_inside())
		fargs_pool_release_exiting(capture->pool);
}

/*
 * Does another task still need the bit of @task's id? If a thread other than the group leader
 * execs, the two exchange ids, and the thread releases the leader. probe_exec() then moves the bit
 * of the thread's old id, which the dead leader has now, to the thread's new id. The leader may be
 * freed before probe_exec() runs: in between, exec releases the memory of the old program, which
 * may take longer than an RCU grace period.
 *
 * Pointers in @task may be stale and are not followed. The thread sets in_execve before it releases
 * @task.
 */
static bool has_passed_id_on(const struct task_struct *task)
{
	const struct task_struct *now = pid_task(find_pid_ns(task->tgid, &init_pid_ns),
						 PIDTYPE_PID);

	return now && now != task && task->group_leader == now && now->in_execve;
}

/*
 * Bits are cleared when a task is freed, not at exit, since an exiting task closes its files after
 * the exit tracepoint. When @task is freed, another task may already have the same id; the bit must
 * not be cleared in that case. A task that is assigned the id between the lookup and assign_bit()
 * could lose its bit, but only if ids have wrapped around since @task was released, and reach this
 * id at that moment.
 */
static void probe_free(void *data, struct task_struct *task)
{
	struct fargs_capture *capture = data;
	struct task_struct *now;

	if (capture->pool)
		fargs_pool_release_exited(capture->pool, task);
	if (capture->scope)
		fargs_scope_forget(capture->scope, task);
	if (test_bit(task->pid, capture->tids) == capture->is_except)
		return;
	rcu_read_lock();
	now = pid_task(find_pid_ns(task->pid, &init_pid_ns), PIDTYPE_PID);
	if ((!now || now == task) && !has_passed_id_on(task))
		assign_bit(task->pid, capture->tids, capture->is_except);
	rcu_read_unlock();
}

static struct {
	const char *name;
	void *probe;
	struct tracepoint *tp;
} points[] = {
	{ "sched_process_fork", probe_fork },
	{ "sched_process_exec", probe_exec },
	{ "sched_process_exit", probe_exit },
	{ "sched_process_free", probe_free },
	{ "task_rename", probe_rename },
};

/*
 * Checks that each probe in points[] has the prototype of its tracepoint; otherwise this does not
 * compile. points[] has no types, and tracepoints are looked up by name.
 */
static inline void check_task_probes(void)
{
	check_trace_callback_type_sched_process_fork(probe_fork);
	check_trace_callback_type_sched_process_exec(probe_exec);
	check_trace_callback_type_sched_process_exit(probe_exit);
	check_trace_callback_type_sched_process_free(probe_free);
	check_trace_callback_type_task_rename(probe_rename);
}

static void find_task_point(struct tracepoint *tp, void *unused)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(points); i++) {
		if (!strcmp(tp->name, points[i].name))
			points[i].tp = tp;
	}
}

int fargs_tasks_init(void)
{
	size_t i;

	check_task_probes();
	for_each_kernel_tracepoint(find_task_point, NULL);
	for (i = 0; i < ARRAY_SIZE(points); i++) {
		if (!points[i].tp) {
			pr_err("cannot load: this kernel has no tracepoint %s\n", points[i].name);
			return -ENOENT;
		}
	}
	return 0;
}

unsigned long *fargs_tasks_create_map(bool has_all)
{
	const size_t bytes = BITS_TO_LONGS(PID_MAX_LIMIT) * sizeof(unsigned long);
	unsigned long *map = kvmalloc(bytes, GFP_KERNEL_ACCOUNT);

	if (map)
		memset(map, has_all ? 0xff : 0, bytes);
	return map;
}

int fargs_tasks_assign(unsigned long *map, pid_t tid, bool is_in)
{
	struct task_struct *task;
	int ret = -ESRCH;

	rcu_read_lock();
	task = pid_task(find_vpid(tid), PIDTYPE_PID);
	if (task) {
		assign_bit(task->pid, map, is_in);
		ret = 0;
	}
	rcu_read_unlock();
	return ret;
}

struct pid *fargs_tasks_await_exec(unsigned long *map, pid_t tid)
{
	struct pid *pid = find_get_pid(tid);
	struct task_struct *task;

	rcu_read_lock();
	/* Only a thread group leader has the same id before and after exec. */
	task = pid_task(pid, PIDTYPE_TGID);
	if (task)
		clear_bit(task->pid, map);
	rcu_read_unlock();
	if (task)
		return pid;
	put_pid(pid);
	return NULL;
}

static void unregister_task_points(struct fargs_capture *capture, size_t nr)
{
	while (nr--)
		tracepoint_probe_unregister(points[nr].tp, points[nr].probe, capture);
	tracepoint_synchronize_unregister();
}

int fargs_tasks_register(struct fargs_capture *capture)
{
	size_t i;
	int ret;

	for (i = 0; i < ARRAY_SIZE(points); i++) {
		ret = tracepoint_probe_register(points[i].tp, points[i].probe, capture);
		if (ret) {
			unregister_task_points(capture, i);
			return ret;
		}
	}
	return 0;
}

void fargs_tasks_unregister(struct fargs_capture *capture)
{
	unregister_task_points(capture, ARRAY_SIZE(points));
}
