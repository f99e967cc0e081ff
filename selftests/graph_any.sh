#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# With --any, the call tree of a command has no holes: each call that ftrace's function_graph shows
# in the same run is there, except calls of functions that fargs list --refused names. On 6.1, where
# the returns of so many functions cannot be traced, fargs says how many are possible.
. "$(dirname "$0")/lib/ktap.sh"

# Becomes "true", traced by function_graph, which has been switched on for another task before: that
# makes the kernel call millions of functions.
trace_self()
{
	echo $$ | tee "$tmp/pid" >"$tracing/set_ftrace_pid"
	exec true
}

# last_exec SKIP: from lines "NAME", those after the last "__x64_sys_execve", and with SKIP 1 also
# those after the system call before. An interrupt between the handlers of two tracers, at the entry
# of a function, precedes the function for one of them, and is in it for the other one.
last_exec()
{
	awk -v is_wide="$1" '{ name[NR] = $1 } /^__x64_sys_/ { before = at; at = NR }
		$1 == "__x64_sys_execve" { exec = at; wide = before }
		END { for (i = is_wide ? wide : exec; i <= NR; i++) print name[i] }'
}

test_begin taskset perl
export tracing tmp
export -f trace_self
fargs list --refused -f '*' 2>/dev/null | sed 's/:.*//' | sort -u >"$tmp/refused"
check "there are functions with and without proven arguments" [ "$(wc -l <"$tmp/refused")" -gt 1000 ]

echo 65536 >"$tracing/buffer_size_kb"
sleep 1000 &
echo $! >"$tracing/set_ftrace_pid"
echo function_graph >"$tracing/current_tracer"
fargs trace -g --any -f '*' -m 128M -o "$tmp/lines" -- taskset -c 1 bash -c trace_self 2>"$tmp/err"
status=$?
kill %1
cat "$tracing/trace" >"$tmp/function_graph"
echo nop >"$tracing/current_tracer"
echo >"$tracing/set_ftrace_pid"
echo 1408 >"$tracing/buffer_size_kb"
note "$(cat "$tmp/err")"

if [ $status != 0 ]; then
	check "the refusal says how many returns are possible" \
		grep -qE '^fargs: [0-9]+ functions .* for at most [0-9]+:' "$tmp/err"
	check "only 6.1 refuses" [ "$(uname -r | cut -d . -f 1,2)" = 6.1 ]
	test_end
fi
perl -ne 'print("$1\n") if !/^#/ && /\| +(\S+?)(?: \[\w+\])?\(\)[ ;]/' "$tmp/function_graph" |
	last_exec 0 >"$tmp/wanted"
pid=$(cat "$tmp/pid")
PID=$pid perl -ne 'print("$1\n") if /^\s+\S+-$ENV{PID} / && /\| +([^\s(]+)\(/' "$tmp/lines" |
	last_exec 1 >"$tmp/got"
note "$(wc -l <"$tmp/wanted") calls by function_graph, $(wc -l <"$tmp/got") by fargs"
check "function_graph has traced the run" [ "$(sort -u "$tmp/wanted" | wc -l)" -gt 300 ]
# Calls that are reported as missed are not holes.
grep -o 'missed .* inside other calls ([^)]*' "$tmp/err" | tr ' (,:' '\n' | sort -u >"$tmp/missed"
awk 'FILENAME == ARGV[1] { wanted[$1]++; next } FILENAME == ARGV[2] { got[$1]++; next } { known[$1] = 1 }
	END { for (name in wanted) if (got[name] < wanted[name] && !known[name])
		print name, wanted[name], got[name] + 0 }' \
	"$tmp/wanted" "$tmp/got" "$tmp/refused" "$tmp/missed" >"$tmp/holes"
check "only refused functions are missing in the call tree" [ ! -s "$tmp/holes" ] ||
	note "$(cat "$tmp/holes")"
comm -12 <(sort -u "$tmp/wanted") "$tmp/refused" >"$tmp/refused_here"
comm -12 <(sort -u "$tmp/got") "$tmp/refused_here" >"$tmp/any_here"
note "$(wc -l <"$tmp/refused_here") refused functions were called, $(wc -l <"$tmp/any_here") of them shown"
check "refused functions are shown without arguments" [ -s "$tmp/any_here" ]
test_end
