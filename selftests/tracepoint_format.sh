#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Tracepoints of the kernel, and one of samples/tracepoint, compared with the events that the
# kernel formats for the same hits.
. "$(dirname "$0")/lib/ktap.sh"

test_begin perl
modprobe -n -q fargs_tp_event || skip_all "module fargs_tp_event is not installed"
modprobe fargs_tp_event
# The events are recorded in an instance.
instance=$tracing/instances/fargs_tracepoint
mkdir "$tmp/mnt"
mkdir "$instance"
for event in sched/sched_process_{exec,fork,exit} sched/sched_{wakeup_new,switch,waking} task/task_{rename,newtask} \
	signal/signal_{generate,deliver} raw_syscalls/sys_{enter,exit} irq/softirq_raise \
	rcu/rcu_utilization exceptions/page_fault_user mmap/vm_unmapped_area \
	oom/oom_score_adj_update timer/itimer_state percpu/percpu_alloc_percpu \
	fargs_tp/fargs_tp_formatted; do
	echo 1 >"$instance/events/$event/enable"
done
cat >"$tmp/work" <<-'END'
	trap : USR1
	cat /proc/self/comm >/dev/null
	kill -USR1 $$
	echo 7 >/proc/self/oom_score_adj
	perl -e 'alarm 100'
	cat /proc/fargs_tp
	mount -t tmpfs fargs "$1" && umount "$1"
	exec true
END
fargs record -o "$tmp/kernel.dat" -t 'sched_process_exec(p->pid, bprm->filename:str)' \
	-t 'task_rename(task->comm:str, comm:str)' -t 'task_newtask(task->pid, task->comm:str)' \
	-t 'sched_process_fork(parent->comm:str, parent->pid, child->pid)' \
	-t 'sched_process_exit(p->comm:str, p->pid, p->prio)' \
	-t 'signal_generate(sig:d, task->comm:str, task->pid)' \
	-t 'signal_deliver(sig:d, info->si_code, ka->sa.sa_flags)' \
	-t 'sched_wakeup_new(p->comm:str, p->pid, p->prio)' \
	-t 'sys_enter(regs->di, regs->si, regs->r9)' -t 'sys_exit(regs->orig_ax)' \
	-t 'sched_switch(prev->pid, prev->prio, next->pid, next->comm:str)' \
	-t 'sched_waking(p->comm:str, p->pid, p->prio)' -t softirq_raise \
	-t 'rcu_utilization(s:str)' -t 'page_fault_user(regs->ip)' \
	-t 'vm_unmapped_area(info->length, info->low_limit, info->high_limit)' \
	-t 'oom_score_adj_update(task->pid, task->comm:str, task->signal->oom_score_adj)' \
	-t itimer_state -t percpu_alloc_percpu -t 'fargs_tp_formatted(name:str)' \
	-- bash "$tmp/work" "$tmp/mnt" 2>"$tmp/err"
echo 0 >"$instance/tracing_on"
cat "$instance/trace" >"$tmp/trace"
rmdir "$instance"
check "every record is accounted for" is_whole "$tmp/kernel.dat" || note "$(cat "$tmp/verify" "$tmp/err")"
fargs report "$tmp/kernel.dat" >"$tmp/lines"
perl "$test_dir/lib/tracepoint.pl" "$tmp/lines" "$tmp/trace" >"$tmp/same"
for event in sched_process_{exec,fork,exit} sched_wakeup_new task_{rename,newtask} \
	signal_{generate,deliver} sys_{enter,exit} sched_{switch,waking} softirq_raise \
	rcu_utilization page_fault_user vm_unmapped_area oom_score_adj_update itimer_state \
	percpu_alloc_percpu fargs_tp_formatted; do
	check "$event has the values that the kernel formats" grep -qx "$event: alike" "$tmp/same" ||
		note "$(grep "^$event:" "$tmp/same")"
done
rmmod fargs_tp_event
test_end
