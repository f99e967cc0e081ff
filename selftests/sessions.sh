#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Sessions are independent of each other, and a session whose tracer is killed is removed.
. "$(dirname "$0")/lib/ktap.sh"

is_unused()
{
	[ "$(cat /sys/module/fargs/refcnt)" = 0 ]
}

# check_killed WHAT OPTION...: kills a tracer with these options while it is busy.
check_killed()
{
	local what=$1 before pid
	shift
	before=$(nr_traced)
	setsid fargs "$@" -- sh -c "while :; do echo 'fargs_t_4 1000' >$target; done" \
		>/dev/null 2>&1 &
	pid=$!
	check "$what: tracing begins" wait_until 60 nr_traced_above "$before"
	kill -9 "$pid"
	wait "$pid" 2>/dev/null
	check "$what: its probes are removed" wait_until 30 nr_traced_is "$before"
	check "$what: its session is removed" wait_until 30 is_unused
	check "$what: the module can be unloaded" wait_until 30 rmmod fargs 2>/dev/null
	kill -9 -- "-$pid" 2>/dev/null
	need_module fargs
}

test_begin setsid
before=$(nr_traced)

# One recorder is the command of the other, so both run while the calls are made.
fargs record -a -f fargs_t_int -f fargs_t_uint -o "$tmp/outer" -- \
	fargs record -a -f fargs_t_int -f fargs_t_long -o "$tmp/inner" -- \
		sh -c "echo fargs_t_int >$target; echo fargs_t_uint >$target
		       echo fargs_t_long >$target" 2>"$tmp/err"
check "two sessions can record at once" [ $? = 0 ] || note "$(cat "$tmp/err")"
{ truth_of fargs_t_int; truth_of fargs_t_uint; } >"$tmp/wanted"
fargs report "$tmp/outer" | calls_of >"$tmp/got"
check_same "the first session has calls of its own functions" "$tmp/wanted" "$tmp/got"
{ truth_of fargs_t_int; truth_of fargs_t_long; } >"$tmp/wanted"
fargs report "$tmp/inner" | calls_of >"$tmp/got"
check_same "the second session has calls of its own functions" "$tmp/wanted" "$tmp/got"
check "no function is traced afterwards" nr_traced_is "$before"

fargs record -a -f fargs_t_int -o "$tmp/trace" -- \
	sh -c "rmmod fargs 2>/dev/null; echo \$? >$tmp/rmmod; echo fargs_t_int >$target" 2>"$tmp/err"
check "rmmod while tracing is refused" [ "$(cat "$tmp/rmmod")" != 0 ]
truth_of fargs_t_int >"$tmp/wanted"
fargs report "$tmp/trace" | calls_of >"$tmp/got"
check_same "a refused rmmod does not disturb tracing" "$tmp/wanted" "$tmp/got"

check_killed "record of some functions is killed" record -a -f 'fargs_t_*' -o "$tmp/killed"
check_killed "record of one task is killed" record -f 'fargs_t_*' -o "$tmp/killed"
check_killed "record of all functions is killed" record -a -f '*' -o "$tmp/killed"
check_killed "trace is killed" trace -a -f 'fargs_t_*'
test_end
