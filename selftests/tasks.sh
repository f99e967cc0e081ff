#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# --pid, --tid, and fargs' own threads. Two processes of two threads each make calls all the time;
# the first thread of each calls one function, the second another.
. "$(dirname "$0")/lib/ktap.sh"

# start NAME: starts a process, and writes its PID and the TID of its second thread to ids-NAME.
start()
{
	"$callers" fargs_r_int fargs_r_void >"$tmp/ids-$1" &
	pids+=($!)
	check "process $1 starts" wait_until 30 [ -s "$tmp/ids-$1" ]
}

stop_all()
{
	kill "${pids[@]}" 2>/dev/null
	wait "${pids[@]}" 2>/dev/null
}

# seen OPTION...: writes each "TASK FUNCTION" of the calls to got, once.
seen()
{
	fargs trace -a "$@" -- sleep 0.5 >"$tmp/lines" 2>"$tmp/err" || note "$(cat "$tmp/err")"
	sed -n 's/^ *[^ ]*-\([0-9]*\) .* \(fargs_r_[a-z]*\)(.*/\1 \2/p' "$tmp/lines" |
		sort -u >"$tmp/got"
}

# expect WHAT "TASK FUNCTION"...
expect()
{
	local what=$1
	shift
	printf '%s\n' "$@" | sort >"$tmp/wanted"
	check_same "$what" "$tmp/wanted" "$tmp/got"
}

# witness_begin, witness_end: the kernel's own events show which threads fargs creates, and which
# of them sync a file. Polling /proc/PID/task would miss a short-lived thread.
witness_begin()
{
	mkdir "$instance" || return
	echo 1 >"$instance/events/sched/sched_process_fork/enable" || return
	echo 1 >"$instance/events/syscalls/sys_enter_fdatasync/enable"
}

witness_end()
{
	[ ! -d "$instance" ] || rmdir "$instance"
}

# own NR [OPTION...]: records all tasks. Counts the recorder's threads, their syncs as shown by the
# kernel's events and as recorded, and recorded syncs of the command. The command ends once NR
# threads were created and one of them has synced. With options record is a flight recorder, which
# writes a file at each signal, in a new thread.
own()
{
	local nr=$1
	shift
	rm -f "$tmp"/own* "$tmp"/t.fargs*
	check "the kernel's own events are on" witness_begin || return
	# fargs' threads call fdatasync(); so does the command, once.
	fargs record -a --sync 10ms -f __x64_sys_fdatasync "$@" -o "$tmp/t.fargs" -- \
		sh -c '
		tries=0
		made="sched_process_fork: comm=fargs .* child_pid="
		synced="fargs-.* sys_fdatasync("
		# The first child is this command itself.
		until [ "$(grep -c "$made" "$1")" -gt "$2" ] && grep -q "$synced" "$1"; do
			[ $tries -lt 600 ] || break
			[ -z "$3" ] || kill -USR2 "$PPID"
			sleep 0.1
			tries=$((tries + 1))
		done
		echo "$PPID" >"$0/own-main"
		echo x >"$0/own-file"
		echo $$ >"$0/own-command"
		exec sync -d "$0/own-file"' "$tmp" "$instance/trace" "$nr" "$*" 2>"$tmp/err" ||
		note "$(cat "$tmp/err")"
	cat "$instance/trace" >"$tmp/events"
	witness_end
	sed -n 's/.*sched_process_fork: comm=fargs .* child_pid=\([0-9]*\).*/\1/p' "$tmp/events" |
		cat "$tmp/own-main" - | grep -vxf "$tmp/own-command" | sort -u >"$tmp/own"
	sed -n 's/^ *.*-\([0-9]*\) \+\[.* sys_fdatasync(.*/\1/p' "$tmp/events" >"$tmp/synced"
	for file in "$tmp"/t.fargs*; do
		fargs report "$file"
	done >"$tmp/lines" 2>>"$tmp/err"
	sed -n 's/^ *.*-\([0-9]*\) \+\[.*fdatasync(.*/\1/p' "$tmp/lines" >"$tmp/tasks"
	nr_own=$(grep -c . "$tmp/own")
	nr_synced=$(grep -cxf "$tmp/own" "$tmp/synced")
	nr_of_own=$(grep -cxf "$tmp/own" "$tmp/tasks")
	nr_of_command=$(grep -cxf "$tmp/own-command" "$tmp/tasks")
	note "fargs had $nr_own threads, which synced $nr_synced times;" \
		"recorded: $nr_of_own syncs of these threads, $nr_of_command of the command"
}

test_begin sync
callers=$(program callers) || skip_all "callers is not built"
pids=()
instance=$tracing/instances/fargs-tasks
trap 'stop_all; witness_end; test_cleanup' EXIT
start a
start b
read -r a a2 <"$tmp/ids-a"
read -r b b2 <"$tmp/ids-b"
all=(-f fargs_r_int -f fargs_r_void)

seen "${all[@]}"
expect "without a filter calls of all four threads are shown" "$a fargs_r_int" "$a2 fargs_r_void" \
	"$b fargs_r_int" "$b2 fargs_r_void"
seen --pid "$a" "${all[@]}"
expect "--pid shows calls of both threads of the process" "$a fargs_r_int" "$a2 fargs_r_void"
seen --tid "$b2" "${all[@]}"
expect "--tid shows calls of that thread only" "$b2 fargs_r_void"
seen --tid "$a2,$b" "${all[@]}"
expect "--tid accepts two threads, one of them a main thread" "$a2 fargs_r_void" "$b fargs_r_int"
seen --pid "$a,$b" --tid "$a2" "${all[@]}"
expect "--pid and --tid combined show calls that match both" "$a2 fargs_r_void"
seen --pid "$b" -f 'fargs_r_* -> ret'
expect "--pid shows returns of the process" "$b fargs_r_int" "$b2 fargs_r_void"
seen -f "fargs_r_*(\$tid == $b2 || \$pid == $a)"
expect "\$tid and \$pid can be used in a condition" "$a fargs_r_int" "$a2 fargs_r_void" "$b2 fargs_r_void"
# own_left_out NR: fargs had at least NR threads, they synced, and only the command's sync is recorded.
own_left_out()
{
	[ "$((nr_own >= $1)) $((nr_synced > 0)) $nr_of_own $((nr_of_command > 0))" = "1 1 0 1" ]
}

own 1
check "fargs' own threads are not recorded" own_left_out 2
own 2 --flight --split
check "threads that fargs creates later, for the next files, are not recorded" own_left_out 3
test_end
