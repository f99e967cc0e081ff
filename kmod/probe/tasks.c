// SPDX-License-Identifier: GPL-2.0-only
/*
 * Context of the probes: that of the tracepoint. fork, exec and rename run in a
 * task; free runs in softirq (RCU). From 7.x on the caller no longer disables
 * preemption, so each probe does. Bits are changed atomically: probes of several
 * CPUs share the words of the map.
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

#include "probe/capture.h"
#include "probe/pool.h"
#include "probe/scope.h"
#include "ring/record.h"

struct linux_binprm;

/* Whether what happens to a task that is not traced is told, too: it may be in a SWITCH. */
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

	if (capture->tids) {
		/*
		 * A new thread is what its process is; a new process of one that is excepted is
		 * traced: a reader's own command. Its ids are set, and nobody else sees it: it
		 * runs only after this.
		 */
		bool is_in = (capture->is_except && child->tgid != parent->tgid) ||
			     test_bit(parent->pid, capture->tids);

		/* Either way: the number may have been another task's before. */
		if (test_bit(child->pid, capture->tids) != is_in)
			assign_bit(child->pid, capture->tids, is_in);
		if (!is_in && !names_all(capture))
			return;
	}
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

	if (capture->tids) {
		/* A thread that execs takes over its leader's number. */
		if (old_tid != task->pid) {
			assign_bit(task->pid, capture->tids, test_bit(old_tid, capture->tids));
			assign_bit(old_tid, capture->tids, capture->is_except);
		}
		if (!test_bit(task->pid, capture->tids) && !names_all(capture))
			return;
	}
	write_task(capture, &(struct fargs_record_task){
		.event = "exec",
		.event_tid = old_tid,
		.tgid = task->tgid,
		.comm = task->comm,
	});
}

/* Called before the name changes; @comm is the new one. */
static void probe_rename(void *data, struct task_struct *task, const char *comm)
{
	struct fargs_capture *capture = data;

	if (capture->tids && !test_bit(task->pid, capture->tids) && !names_all(capture))
		return;
	write_task(capture, &(struct fargs_record_task){
		.event = "rename",
		.event_tid = task->pid,
		.tgid = task->tgid,
		.comm = comm,
	});
}

/*
 * Whether @task was the leader of a thread that is executing a program, and has got that
 * one's number for its own: what the number's bit says is still to become the thread's, in
 * probe_exec(). Before that the old program's memory is let go, which may well take longer
 * than RCU. Pointers of @task may be stale, and are only compared; in_execve was set by the
 * task that has released @task, before it did.
 */
static bool has_given_number(const struct task_struct *task)
{
	const struct task_struct *now = pid_task(find_pid_ns(task->tgid, &init_pid_ns),
						 PIDTYPE_PID);

	return now && now != task && task->group_leader == now && now->in_execve;
}

/*
 * Not at exit: a task closes its files after that. By now its number may be
 * another task's already, whose bit is not ours to clear. (A task that gets the
 * number between the question and the answer could lose its bit; the number would
 * have to come round within this grace period and this instant.)
 */
static void probe_free(void *data, struct task_struct *task)
{
	struct fargs_capture *capture = data;
	struct task_struct *now;

	if (capture->pool)
		fargs_pool_abandon(capture->pool, task);
	if (capture->scope)
		fargs_scope_forget(capture->scope, task);
	if (!capture->tids || test_bit(task->pid, capture->tids) == capture->is_except)
		return;
	rcu_read_lock();
	now = pid_task(find_pid_ns(task->pid, &init_pid_ns), PIDTYPE_PID);
	if ((!now || now == task) && !has_given_number(task))
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
	{ "sched_process_free", probe_free },
	{ "task_rename", probe_rename },
};

/*
 * points[] has pointers without a type, and the tracepoints are found by name: so this asks the
 * kernel's declarations whether each probe is one of that tracepoint. Another prototype does
 * not compile.
 */
static inline void check_task_probes(void)
{
	check_trace_callback_type_sched_process_fork(probe_fork);
	check_trace_callback_type_sched_process_exec(probe_exec);
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
			pr_err("this kernel has no tracepoint %s\n", points[i].name);
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
