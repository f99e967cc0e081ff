#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Calls of processes and of threads: two processes of two threads each make calls all the
# time, the first thread of each those of one function, the other those of another.
. "$(dirname "$0")/lib/ktap.sh"

# start: leaves "PID TID" of the process and its second thread in the file.
start()
{
	"$callers" fargs_r_int fargs_r_void >"$tmp/ids-$1" &
	pids+=($!)
	check "process $1 has begun" wait_until 30 [ -s "$tmp/ids-$1" ]
}

stop_all()
{
	kill "${pids[@]}" 2>/dev/null
	wait "${pids[@]}" 2>/dev/null
}

# seen OPTION...: "TASK FUNCTION" of all calls, each once.
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

# witness_begin, witness_end: the kernel's own events say which threads fargs makes, and which of
# them sync a file. Polling /proc/PID/task would miss a thread that lives for a moment.
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

# own NR [OPTION...]: record of all tasks; counts the threads it had, syncs of theirs as the kernel
# saw them and as they were recorded, and recorded ones of the command. That ends once NR threads
# were made and one of them has synced. With options it is a flight recorder, which makes a thread
# for each file, and writes one at each signal.
own()
{
	local nr=$1
	shift
	rm -f "$tmp"/own* "$tmp"/t.fargs*
	check "the kernel's own events are on" witness_begin || return
	# fdatasync is what its threads are for; the command makes one call itself, too.
	fargs record -a --sync 10ms -f __x64_sys_fdatasync "$@" -o "$tmp/t.fargs" -- \
		sh -c '
		tries=0
		made="sched_process_fork: comm=fargs .* child_pid="
		synced="fargs-.* sys_fdatasync("
		# The first child is this command.
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
	note "$nr_own threads of its own, which synced $nr_synced times;" \
		"recorded: $nr_of_own of theirs, $nr_of_command of the command"
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
expect "without a filter, all four threads'" "$a fargs_r_int" "$a2 fargs_r_void" \
	"$b fargs_r_int" "$b2 fargs_r_void"
seen --pid "$a" "${all[@]}"
expect "of a process, both threads'" "$a fargs_r_int" "$a2 fargs_r_void"
seen --tid "$b2" "${all[@]}"
expect "of a thread, its own" "$b2 fargs_r_void"
seen --tid "$a2,$b" "${all[@]}"
expect "of two threads, one of them a first one" "$a2 fargs_r_void" "$b fargs_r_int"
seen --pid "$a,$b" --tid "$a2" "${all[@]}"
expect "of a thread among two processes" "$a2 fargs_r_void"
seen --pid "$b" -f 'fargs_r_* -> ret'
expect "at the return, of a process" "$b fargs_r_int" "$b2 fargs_r_void"
seen -f "fargs_r_*(\$tid == $b2 || \$pid == $a)"
expect "the same as a condition" "$a fargs_r_int" "$a2 fargs_r_void" "$b2 fargs_r_void"
# own_left_out NR: it had NR threads or more, they synced, and of the syncs only the command's is there.
own_left_out()
{
	[ "$((nr_own >= $1)) $((nr_synced > 0)) $nr_of_own $((nr_of_command > 0))" = "1 1 0 1" ]
}

own 1
check "all but its own threads, one of which syncs" own_left_out 2
own 2 --flight --split
check "also those that it makes later, for the next files" own_left_out 3
test_end
