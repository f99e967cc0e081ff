#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# A graph of more than 500 functions on all CPUs, interrupts included. graph_check, which reads
# the file independently of fargs, must find that every return belongs to its call.
#
#	graph_many.sh [ROUNDS]
#
# ROUNDS: how many times the workload runs on each CPU (1).
. "$(dirname "$0")/lib/ktap.sh"

rounds=${1:-1}
graph_check=$(program graph_check)
thread_exec=$(program thread_exec)

# Some tasks of this workload exit inside calls, others continue.
work()
{
	local i pid
	for ((i = 0; i < rounds; i++)); do
		"$thread_exec" fargs_r_tail true
		echo fargs_r_depth >"$target"
		echo "fargs_r_tail 20" >"$target"
		echo "loop fargs_r_depth 20 2" >"$target"
		ls -lR /proc/self/ >/dev/null 2>&1
		sleep 100 &
		pid=$!
		sleep 0.05
		kill -9 $pid
		wait $pid 2>/dev/null
	done
}

# Runs a workload on each CPU.
work_everywhere()
{
	local cpu
	for cpu in $(seq 0 $(($(nproc) - 1))); do
		taskset -c "$cpu" bash -c work &
	done
	wait
}

# Converts report's lines to the format of graph_check --lines. The depth is the indentation.
lines_of()
{
	awk 'match($0, /-[0-9]+ +\[[0-9]+\]/) {
		split(substr($0, RSTART + 1, RLENGTH - 2), of, / +\[/)
		task = of[1] != 0 ? of[1] : -1 - of[2]
		text = $0
		sub(/^[^|]*\| /, "", text)
		match(text, /^ */)
		depth = RLENGTH / 2
		text = substr(text, RLENGTH + 1)
		if (text ~ /^\}/) {
			sub(/.*</, "", text)
			sub(/>.*/, "", text)
			print task, depth, "}", text
			next
		}
		name = text
		sub(/\(.*/, "", name)
		print task, depth, name, "{"
		if (text !~ /\{$/)
			print task, depth, "}", name
	}' "$1"
}

# sum NAME: a number of graph_check's output.
sum()
{
	sed -n "s/^functions.* $1 \([0-9]*\).*/\1/p; s/^$1 \([0-9]*\) .*/\1/p" "$tmp/sums"
}

# reported WORDS: the number in fargs' message about calls with these words.
reported()
{
	sed -n "s/^fargs: .*\b\([0-9]\+\) calls\{0,1\}.*$1.*/\1/p" "$tmp/err" | tail -n 1
}

test_begin taskset
[ -n "$graph_check" ] && [ -n "$thread_exec" ] || skip_all "graph_check is not built"
export -f work
export target rounds thread_exec

fargs record -g -a --no-compress -m "${RING:-32M}" -f 'fargs_r_*' -f 'do_*' -f 'vfs_*' -f 'tick_*' -f 'hrtimer_*' \
	-f 'sched_*' -f 'kernel_*' -f 'exit_*' -f 'path_*' -f bprm_execve -f begin_new_exec \
	-o "$tmp/trace" -- bash -c "$(declare -f work_everywhere); work_everywhere" 2>"$tmp/err"
check "record exits with 0" [ $? = 0 ] || note "$(cat "$tmp/err")"
note "$(cat "$tmp/err")"
check "every call is accounted for" is_whole "$tmp/trace" || note "$(cat "$tmp/verify")"

"$graph_check" "$tmp/trace" >"$tmp/sums"
check "every return belongs to the innermost open call of its task" [ $? = 0 ]
note "$(head -n 60 "$tmp/sums")"
check "more than 500 functions were called" [ "$(sum functions)" -gt 500 ]
check "calls in interrupts are nested in other calls" [ "$(sum nested_irq)" -gt 0 ]
check "some tasks exited inside a call" [ "$(sum dead)" -gt 0 ]
pending=$(reported 'not returned')
[ "$(sum lost)" != 0 ] || check "each call returned or was still open at the end" \
	[ "$(sum calls)" = $(($(sum returns) + ${pending:-0})) ]

"$graph_check" --lines "$tmp/trace" | sort -s -n -k 1,1 >"$tmp/truth"
fargs report "$tmp/trace" >"$tmp/lines"
lines_of "$tmp/lines" | sort -s -n -k 1,1 >"$tmp/got"
check_same "report shows each task's calls at their depth" "$tmp/truth" "$tmp/got"
[ -z "${KEEP:-}" ] || cp "$tmp"/{trace,sums,truth,got,err} "$KEEP"
test_end
