#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Calls that are lost since the ring is full: the program that reads the ring is stopped meanwhile.
# Each is counted at its place among the events. And --realtime.
. "$(dirname "$0")/lib/ktap.sh"

burst=3000

# The command: twice it makes more calls than fit, while fargs is stopped. In between it makes
# single calls, at least one of which is read; at the end none, so no later record carries the
# number of lost ones.
lose()
{
	local i
	stopped()
	{
		grep -q '^State:.*T' "/proc/$PPID/status"
	}
	chrt -p "$PPID" >"$tmp/policy"
	chrt -p $$ >>"$tmp/policy"
	for i in first second; do
		kill -STOP "$PPID"
		until stopped; do sleep 0.01; done
		taskset -c 0 sh -c "echo fargs_t_4 $burst >$target"
		kill -CONT "$PPID"
		[ $i = second ] || sleep 1
		[ $i = second ] || taskset -c 0 sh -c "echo fargs_r_void 5 >$target"
	done
}
export -f lose
export target tmp burst

# check_losses WHAT: checks the calls in $tmp/lines and the messages in $tmp/err.
check_losses()
{
	local kept lost reported
	kept=$(grep -cE 'fargs_(t_4|r_void)\(' "$tmp/lines")
	lost=$(awk '$1 == "[000]" && $2 == "lost" { n += $3 } END { print n + 0 }' "$tmp/lines")
	reported=$(sed -n 's/^fargs: lost \([0-9]*\) of \([0-9]*\) [a-z]* (CPU 0: \([0-9]*\)).*/\1 \2 \3/p' \
		"$tmp/err")
	note "$1: kept $kept, lost $lost"
	check "$1: kept and lost calls are all calls" [ $((kept + lost)) = $((2 * burst + 5)) ]
	check "$1: the losses in lines add up to the reported sum" [ "$reported" = "$lost $((2 * burst + 5)) $lost" ]
	check "$1: the first loss is shown after calls that were kept" \
		[ "$(grep -n -m 1 ' lost ' "$tmp/lines" | cut -d: -f1)" -gt 1 ]
	check "$1: the last loss is shown at the end" \
		grep -q '\[000\] lost [0-9]* records$' <<<"$(tail -n 1 "$tmp/lines")"
}

test_begin taskset chrt
lines=(-m 16K -f fargs_r_void -f fargs_t_4)

fargs record --realtime=7 "${lines[@]}" -o "$tmp/trace" -- bash -c lose >"$tmp/out" 2>"$tmp/err"
check "record exits with 0" [ $? = 0 ] || note "$(cat "$tmp/out" "$tmp/err")"
check "--realtime makes the recorder a realtime task" [ "$(sed -n 's/.*policy: //p' "$tmp/policy" | head -n 1)" = SCHED_FIFO\|SCHED_RESET_ON_FORK ] ||
	note "$(cat "$tmp/policy")"
check "--realtime sets the requested priority" [ "$(sed -n 's/.*priority: //p' "$tmp/policy" | head -n 1)" = 7 ]
check "the command of --realtime is not a realtime task" [ "$(sed -n 's/.*policy: //p' "$tmp/policy" | tail -n 1)" = SCHED_OTHER ]
check "every call is accounted for" is_whole "$tmp/trace" || note "$(cat "$tmp/verify")"
fargs report "$tmp/trace" >"$tmp/lines" 2>"$tmp/err"
check_losses report
check "info shows the losses of the CPU" grep -q "^lost  *CPU 0: $(awk '/ lost / { n += $3 } END { print n }' "$tmp/lines")$" \
	<<<"$(fargs info "$tmp/trace")"

fargs trace "${lines[@]}" -- bash -c lose >"$tmp/lines" 2>"$tmp/err"
check "trace exits with 0" [ $? = 0 ]
check_losses trace

setpriv --inh-caps=-sys_nice --bounding-set=-sys_nice -- bash -c 'ulimit -r 0
	fargs trace --realtime -f fargs_r_void -- true' >"$tmp/out" 2>"$tmp/err"
check "--realtime fails without CAP_SYS_NICE" [ $? != 0 ]
check "the missing permission for --realtime is reported in one line" [ "$(grep -c -- "'--realtime': not permitted" "$tmp/err")" = 1 ] ||
	note "$(cat "$tmp/err")"
test_end
