#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# The flight recorder: what is newest is kept when it is asked for, and nothing else.
. "$(dirname "$0")/lib/ktap.sh"

test_begin taskset
before=$(nr_traced)

# start OPTION...: a recorder of all tasks, once it traces.
start()
{
	fargs record -a --flight -f fargs_t_4 -f fargs_t_u8 -o "$tmp/trace" "$@" 2>"$tmp/err" &
	recorder=$!
	wait_until 60 is_traced fargs_t_u8
}

lines()
{
	fargs report "$tmp/trace" 2>"$tmp/report-err" >"$tmp/lines"
}

nr_lines()
{
	grep -c " $1(" "$tmp/lines"
}

# More than fits, on one CPU; then some that must be the last ones.
fargs record --flight=64K -f fargs_t_4 -f fargs_t_u8 -o "$tmp/trace" -- \
	taskset -c 0 sh -c "echo fargs_t_4 20000 >$target; echo fargs_t_u8 7 >$target" 2>"$tmp/err"
check "record exits with 0" [ $? = 0 ] || note "$(cat "$tmp/err")"
lines
note "$(nr_lines fargs_t_4) of 20000 calls kept"
# A record has 64 to 200 bytes; a sixteenth of the ring is given up for what is new.
nr=$(nr_lines fargs_t_4)
check "about as many calls are kept as fit" [ $((nr > 300 && nr < 1024)) = 1 ]
last=$(grep -c '^fargs_t_u8(' "$target")
check "the last calls are the last lines" \
	[ "$(tail -n $((7 * last)) "$tmp/lines" | grep -c ' fargs_t_u8(')" = $((7 * last)) ]
check "every record is right" is_whole "$tmp/trace" || note "$(cat "$tmp/verify")"

# SIGUSR2 ends it, and what comes then is not kept.
check "it traces" start
echo fargs_t_4 3 >"$target"
kill -USR2 "$recorder"
wait "$recorder"
check "SIGUSR2: it ends by itself, with 0" [ $? = 0 ] || note "$(cat "$tmp/err")"
echo fargs_t_4 5 >"$target"
lines
check "SIGUSR2: what came before is there" [ "$(nr_lines fargs_t_4)" = 3 ] || note "$(cat "$tmp/lines")"

# --after keeps what follows, too.
start --after 100s
echo fargs_t_4 3 >"$target"
kill -USR2 "$recorder"
sleep 0.5
echo fargs_t_u8 >"$target"
kill -INT "$recorder"
wait "$recorder"
lines
check "--after: calls before and after are there" \
	[ "$(nr_lines fargs_t_4) $(nr_lines fargs_t_u8)" = "3 $last" ] || note "$(cat "$tmp/lines" "$tmp/err")"

has_kept()
{
	grep -q 'kept the last calls' "$tmp/err"
}

# Two triggers, one file: nothing twice, nothing missing.
start --count 2
echo fargs_t_4 3 >"$target"
kill -USR2 "$recorder"
check "--count 2: it keeps calls at the first" wait_until 60 has_kept
echo fargs_t_u8 >"$target"
kill -USR2 "$recorder"
wait "$recorder"
check "--count 2: it ends after the second" [ $? = 0 ] || note "$(cat "$tmp/err")"
lines
check "--count 2: each call is there once" \
	[ "$(nr_lines fargs_t_4) $(nr_lines fargs_t_u8)" = "3 $last" ] || note "$(cat "$tmp/lines" "$tmp/err")"
check "--count 2: every record is right" is_whole "$tmp/trace" || note "$(cat "$tmp/verify")"

# A command that goes on after the trigger is left alone.
fargs record --flight -f fargs_t_4 -o "$tmp/trace" -- \
	sh -c "echo fargs_t_4 2 >$target; kill -USR2 \$PPID
	       until grep -q 'no longer traced' $tmp/err; do sleep 0.1; done
	       echo fargs_t_4 2 >$target; exit 7" 2>"$tmp/err"
check "the command runs to its end" [ $? = 7 ] || note "$(cat "$tmp/err")"
lines
check "its calls up to the trigger are there" [ "$(nr_lines fargs_t_4)" = 2 ] || note "$(cat "$tmp/lines")"

# The module goes before what there is of it is kept.
check "it traces" start --count 2
echo fargs_t_4 3 >"$target"
check "a module whose functions are all that is traced can be unloaded" rmmod fargs_target
kill -USR2 "$recorder"
check "its calls are kept" wait_until 60 has_kept
kill -USR2 "$recorder"
wait "$recorder"
check "then it ends with 0" [ $? = 0 ] || note "$(cat "$tmp/err")"
check "that nothing is left to trace is said once" \
	[ "$(grep -c 'has gone with its module' "$tmp/err")" = 1 ] || note "$(cat "$tmp/err")"
need_module fargs_target
lines
check "each of its calls is there once" [ "$(nr_lines fargs_t_4)" = 3 ] || note "$(cat "$tmp/lines")"

fargs trace --flight -f fargs_t_4 -- true 2>"$tmp/err"
check "trace has no flight recorder" [ "$? $(wc -l <"$tmp/err")" = "1 1" ]
check "nothing is traced any more" wait_until 30 nr_traced_is "$before"
test_end
