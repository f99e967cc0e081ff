#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Makes the recordings of 'patched' in the guest.
#
#	patched_guest.sh RECORDING...
cd /tmp && cp /host/guest . || exit 1
export tracing=/sys/kernel/tracing
export call=/sys/module/fargs_late/parameters/call
mount -t tracefs nodev "$tracing" 2>/dev/null
modprobe fargs
modprobe fargs_target
# Set the filters now: finding these functions takes more instructions than patching them.
echo 'vfs_*' 'ksys_*' fargs_n_number >$tracing/set_ftrace_filter
echo 'p:patched vfs_write' >$tracing/kprobe_events

# record NAME: records while the function NAME runs.
record()
{
	if ! fargs record -o "$1" -a --no-compress --pt -m ,32M -f fargs_n_number -f 'vfs_read -> ret' -- \
	     bash -c "$1" >"$1.out" 2>"$1.err"; then
		cat "$1.out" "$1.err" >&2
		exit 1
	fi
	cp "$1" "$1.err" /host/
}

# The patched code is executed all the time.
busy()
{
	while :; do
		./guest work 20
		sleep 0.1
	done
}

# Other ftrace users are added and removed, also on the same functions; then a probe.
tracers()
{
	local tracer
	busy &
	for tracer in function_graph nop function nop; do
		echo $tracer >$tracing/current_tracer
		./guest count 2 40
	done
	echo 1 >$tracing/events/kprobes/patched/enable
	./guest count 2 40
	echo 0 >$tracing/events/kprobes/patched/enable
	kill %1
}

# Static keys of the scheduler and of tracepoints, which also have static calls.
keys()
{
	local on
	busy &
	for on in 1 0; do
		echo $on >/proc/sys/kernel/sched_schedstats
		echo $on >$tracing/events/sched/enable
		echo $on >$tracing/events/syscalls/sys_enter_write/enable
		./guest count 2 40
	done
	kill %1
}

# number_of FILE KEY: sets number to the value of KEY in a file of the recorder's /proc directory.
# Like the next functions, it starts no program, which would be traced as well.
number_of()
{
	local key value
	while read -r key value; do
		[ "$key" != "$2" ] || number=$value
	done <"/proc/$PPID/$1"
}

pause()
{
	read -rt 0.5 _ <>nothing
}

# copied COMMAND...: runs COMMAND, and waits until the recorder has read the kernel's symbols and is
# idle again. Then it has copied the code that COMMAND has loaded.
copied()
{
	local begin
	number_of io rchar:
	begin=$number
	"$@"
	until number_of io rchar: && [ "$number" -ge $((begin + symbols)) ]; do pause; done
	number_of status voluntary_ctxt_switches:
	begin=$number
	until number_of status voluntary_ctxt_switches: && [ "$number" -gt $((begin + 10)) ]; do pause; done
}

# The modules are loaded one after the other, so that they get the same address.
modules()
{
	copied modprobe fargs_late
	echo 50 >$call
	rmmod fargs_late
	copied modprobe fargs_tp_event
	./guest count 2 20
	cat /proc/fargs_tp
	rmmod fargs_tp_event
}

# Loads one program for long enough that it is copied, and two programs that may not be copied.
bpf()
{
	./guest count 2 20
	mkfifo lines
	./guest filter 50 <lines &
	exec 3>lines
	# Wait until the recording contains a constant of the program.
	until grep -aq "$(./guest filter)" bpf; do pause; done
	echo >&3
	exec 3>&-
	wait %1
	./guest count 2 20
}
mkfifo nothing
symbols=$(wc -c </proc/kallsyms)
export symbols
export -f busy tracers keys number_of pause copied modules bpf

for name; do
	record "$name"
done
exit 0
