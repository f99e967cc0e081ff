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

# own NR [OPTION...]: record of all tasks; counts the threads it had, calls of theirs, and of the
# command, which waits until it has seen NR threads. With options it is a flight recorder, which
# writes the next file at each signal: a thread lives as long as its file is written.
own()
{
	local nr=$1
	shift
	rm -f "$tmp"/own* "$tmp"/t.fargs*
	# fdatasync is what its second thread is for; the command makes one call itself, too.
	fargs record -a --sync 10ms -f __x64_sys_fdatasync "$@" -o "$tmp/t.fargs" -- \
		sh -c '
		seen= nr=0 tries=0
		while [ $nr -lt $1 ] && [ $tries -lt 200000 ]; do
			[ -z "$2" ] || [ $((tries % 1000)) != 0 ] || kill -USR2 "$PPID"
			for task in /proc/$PPID/task/*; do
				case "$seen " in *"/${task##*/} "*) continue ;; esac
				seen="$seen /${task##*/}" nr=$((nr + 1))
			done
			tries=$((tries + 1))
		done
		for task in $seen; do echo "${task#/}"; done >"$0/own-tids"
		echo x >"$0/own-file"
		echo $$ >"$0/own-command"
		exec sync -d "$0/own-file"' "$tmp" "$nr" "$*" 2>"$tmp/err" || note "$(cat "$tmp/err")"
	sort -u "$tmp/own-tids" >"$tmp/own"
	for file in "$tmp"/t.fargs*; do
		fargs report "$file"
	done >"$tmp/lines" 2>>"$tmp/err"
	sed -n 's/^ *.*-\([0-9]*\) \+\[.*fdatasync(.*/\1/p' "$tmp/lines" >"$tmp/tasks"
	nr_own=$(grep -c . "$tmp/own")
	nr_of_own=$(awk 'NR == FNR { own[$1] = 1; next } $1 in own' "$tmp/own" "$tmp/tasks" | grep -c .)
	nr_of_command=$(grep -cxf "$tmp/own-command" "$tmp/tasks")
	note "$nr_own threads of its own, $nr_of_own calls of theirs, $nr_of_command of the command"
}

test_begin sync
callers=$(program callers) || skip_all "callers is not built"
pids=()
trap 'stop_all; test_cleanup' EXIT
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
own 2
check "all but its own threads, one of which syncs" \
	[ "$((nr_own > 1)) $nr_of_own $((nr_of_command > 0))" = "1 0 1" ]
own 3 --flight --split
check "also those that it makes later, for the next files" \
	[ "$((nr_own > 2)) $nr_of_own $((nr_of_command > 0))" = "1 0 1" ]
test_end
