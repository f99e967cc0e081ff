#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# The flight recorder: on a trigger the newest events are kept, and nothing else.
. "$(dirname "$0")/lib/ktap.sh"

test_begin taskset
before=$(nr_traced)

# start OPTION...: starts a recorder of all tasks, and waits until it traces.
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

# More calls than fit, on one CPU, then some that must be the last ones.
fargs record --flight=64K -f fargs_t_4 -f fargs_t_u8 -o "$tmp/trace" -- \
	taskset -c 0 sh -c "echo fargs_t_4 20000 >$target; echo fargs_t_u8 7 >$target" 2>"$tmp/err"
check "record exits with 0" [ $? = 0 ] || note "$(cat "$tmp/err")"
lines
note "$(nr_lines fargs_t_4) of 20000 calls kept"
# A record has 64 to 200 bytes; up to a sixteenth of the ring is discarded to make room.
nr=$(nr_lines fargs_t_4)
check "about as many calls are kept as fit" [ $((nr > 300 && nr < 1024)) = 1 ]
last=$(grep -c '^fargs_t_u8(' "$target")
check "the last calls are the last lines" \
	[ "$(tail -n $((7 * last)) "$tmp/lines" | grep -c ' fargs_t_u8(')" = $((7 * last)) ]
check "every record is accounted for" is_whole "$tmp/trace" || note "$(cat "$tmp/verify")"

# SIGUSR2 ends the recording; later calls are not kept.
check "the recorder starts" start
echo fargs_t_4 3 >"$target"
kill -USR2 "$recorder"
wait "$recorder"
check "SIGUSR2 ends the recording with exit status 0" [ $? = 0 ] || note "$(cat "$tmp/err")"
echo fargs_t_4 5 >"$target"
lines
check "SIGUSR2: only earlier calls are kept" [ "$(nr_lines fargs_t_4)" = 3 ] || note "$(cat "$tmp/lines")"

# --after also keeps later calls.
start --after 100s
echo fargs_t_4 3 >"$target"
kill -USR2 "$recorder"
sleep 0.5
echo fargs_t_u8 >"$target"
kill -INT "$recorder"
wait "$recorder"
lines
check "--after: calls before and after the signal are kept" \
	[ "$(nr_lines fargs_t_4) $(nr_lines fargs_t_u8)" = "3 $last" ] || note "$(cat "$tmp/lines" "$tmp/err")"

has_kept()
{
	grep -q 'kept the last calls' "$tmp/err"
}

# Two triggers, one file: no call is missing or there twice.
start --count 2
echo fargs_t_4 3 >"$target"
kill -USR2 "$recorder"
check "--count 2: calls are kept at the first signal" wait_until 60 has_kept
echo fargs_t_u8 >"$target"
kill -USR2 "$recorder"
wait "$recorder"
check "--count 2: the recording ends after the second signal" [ $? = 0 ] || note "$(cat "$tmp/err")"
lines
check "--count 2: each call is in the file once" \
	[ "$(nr_lines fargs_t_4) $(nr_lines fargs_t_u8)" = "3 $last" ] || note "$(cat "$tmp/lines" "$tmp/err")"
check "--count 2: every record is accounted for" is_whole "$tmp/trace" || note "$(cat "$tmp/verify")"

# The command keeps running after the trigger.
fargs record --flight -f fargs_t_4 -o "$tmp/trace" -- \
	sh -c "echo fargs_t_4 2 >$target; kill -USR2 \$PPID
	       until grep -q 'no longer traced' $tmp/err; do sleep 0.1; done
	       echo fargs_t_4 2 >$target; exit 7" 2>"$tmp/err"
check "the command runs to its end after SIGUSR2" [ $? = 7 ] || note "$(cat "$tmp/err")"
lines
check "the command's calls before the signal are kept" [ "$(nr_lines fargs_t_4)" = 2 ] || note "$(cat "$tmp/lines")"

# The module is unloaded before its events are kept.
check "the recorder starts" start --count 2
echo fargs_t_4 3 >"$target"
check "the only module that is traced can be unloaded" rmmod fargs_target
kill -USR2 "$recorder"
check "the unloaded module's calls are kept" wait_until 60 has_kept
kill -USR2 "$recorder"
wait "$recorder"
check "record exits with 0 after the module was unloaded" [ $? = 0 ] || note "$(cat "$tmp/err")"
check "record waits for the module to be loaded again" \
	[ "$(grep -c 'because their modules were unloaded' "$tmp/err")" = 0 ] || note "$(cat "$tmp/err")"
need_module fargs_target
lines
check "each of the unloaded module's calls is in the file once" [ "$(nr_lines fargs_t_4)" = 3 ] || note "$(cat "$tmp/lines")"

fargs trace --flight -f fargs_t_4 -- true 2>"$tmp/err"
check "trace --flight is refused" [ "$? $(wc -l <"$tmp/err")" = "1 1" ]
check "no function is traced afterwards" wait_until 30 nr_traced_is "$before"
test_end
