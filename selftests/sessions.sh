#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Sessions know nothing of each other, and nothing stays behind of one that dies.
. "$(dirname "$0")/lib/ktap.sh"

is_unused()
{
	[ "$(cat /sys/module/fargs/refcnt)" = 0 ]
}

# What a tracer that dies in full flight leaves, given its options.
check_killed()
{
	local what=$1 before pid
	shift
	before=$(nr_traced)
	setsid fargs "$@" -- sh -c "while :; do echo 'fargs_t_4 1000' >$target; done" \
		>/dev/null 2>&1 &
	pid=$!
	check "$what: it gets going" wait_until 60 nr_traced_above "$before"
	kill -9 "$pid"
	wait "$pid" 2>/dev/null
	check "$what: no probe stays" wait_until 30 nr_traced_is "$before"
	check "$what: no session stays" wait_until 30 is_unused
	check "$what: the module goes" wait_until 30 rmmod fargs 2>/dev/null
	kill -9 -- "-$pid" 2>/dev/null
	need_module fargs
}

test_begin setsid
before=$(nr_traced)

# One inside the other: both run while the calls are made.
fargs record -a -f fargs_t_int -f fargs_t_uint -o "$tmp/outer" -- \
	fargs record -a -f fargs_t_int -f fargs_t_long -o "$tmp/inner" -- \
		sh -c "echo fargs_t_int >$target; echo fargs_t_uint >$target
		       echo fargs_t_long >$target" 2>"$tmp/err"
check "two sessions at once" [ $? = 0 ] || note "$(cat "$tmp/err")"
{ truth_of fargs_t_int; truth_of fargs_t_uint; } >"$tmp/wanted"
fargs report "$tmp/outer" | calls_of >"$tmp/got"
check_same "the first has its functions' calls" "$tmp/wanted" "$tmp/got"
{ truth_of fargs_t_int; truth_of fargs_t_long; } >"$tmp/wanted"
fargs report "$tmp/inner" | calls_of >"$tmp/got"
check_same "the second has its own" "$tmp/wanted" "$tmp/got"
check "nothing is traced afterwards" nr_traced_is "$before"

fargs record -a -f fargs_t_int -o "$tmp/trace" -- \
	sh -c "rmmod fargs 2>/dev/null; echo \$? >$tmp/rmmod; echo fargs_t_int >$target" 2>"$tmp/err"
check "rmmod while tracing is refused" [ "$(cat "$tmp/rmmod")" != 0 ]
truth_of fargs_t_int >"$tmp/wanted"
fargs report "$tmp/trace" | calls_of >"$tmp/got"
check_same "and does no harm to it" "$tmp/wanted" "$tmp/got"

check_killed "killed while it traces a few" record -a -f 'fargs_t_*' -o "$tmp/killed"
check_killed "killed while it traces a task" record -f 'fargs_t_*' -o "$tmp/killed"
check_killed "killed while it traces all" record -a -f '*' -o "$tmp/killed"
check_killed "killed while it shows lines" trace -a -f 'fargs_t_*'
test_end
