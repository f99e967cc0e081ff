// SPDX-License-Identifier: GPL-2.0-only
/*
 * Context of the probe: in the scheduler, with interrupts off and the run queue locked. An NMI may
 * interrupt it, but an NMI never switches tasks. Up to 6.12 the caller also disables preemption;
 * the probe does so on every kernel. Not traced (Kbuild). A probe with the run queue locked must
 * not wake a task directly: the reader is woken by irq_work, as in the other probes.
 *
 * Order: the tracepoint fires for each switch, on the CPU that switches, right before the switch.
 * So the number "nr" of a SWITCH record, which also counts dropped records, is the number of times
 * that the CPU has executed __switch_to_asm.
 *
 * Lifetime: the rings are freed after fargs_switches_unregister() has returned (session/run.c).
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include "probe/switches.h"

#include <linux/percpu.h>
#include <linux/preempt.h>
#include <linux/printk.h>
#include <linux/sched.h>
#include <linux/string.h>
#include <linux/tracepoint.h>
#include <trace/events/sched.h>

#include "probe/capture.h"
#include "ring/record.h"
#include "ring/ring.h"

static struct tracepoint *point;

/* The sched_switch tracepoint has had this prototype since 5.18. */
static void notrace probe_switch(void *data, bool is_preempted, struct task_struct *prev,
				 struct task_struct *next, unsigned int prev_state)
{
	struct fargs_capture *capture = data;

	preempt_disable_notrace();
	fargs_record_write_switch(this_cpu_ptr(capture->rings), next,
				  is_preempted ? 0 : prev_state);
	preempt_enable_notrace();
}

static void find_switch_point(struct tracepoint *tp, void *unused)
{
	if (!strcmp(tp->name, "sched_switch"))
		point = tp;
}

int fargs_switches_init(void)
{
	/*
	 * The tracepoint is looked up only by name, so check its prototype: if it differs from that
	 * of probe_switch(), this does not compile.
	 */
	check_trace_callback_type_sched_switch(probe_switch);
	for_each_kernel_tracepoint(find_switch_point, NULL);
	if (point)
		return 0;
	pr_err("cannot load: this kernel has no tracepoint sched_switch\n");
	return -ENOENT;
}

int fargs_switches_register(struct fargs_capture *capture)
{
	return tracepoint_probe_register(point, probe_switch, capture);
}

void fargs_switches_unregister(struct fargs_capture *capture)
{
	tracepoint_probe_unregister(point, probe_switch, capture);
	tracepoint_synchronize_unregister();
}
