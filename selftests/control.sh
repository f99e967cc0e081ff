#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Commands of another process: what is recorded while recording is enabled is in the file, and what
# happens meanwhile is not; perf record acknowledges the same commands.
. "$(dirname "$0")/lib/ktap.sh"

test_begin mkfifo perf
mkfifo "$tmp/ctl" "$tmp/ack"
exec {ack}<>"$tmp/ack"
cp /bin/true "$tmp/fargs_ctl"

# start OPTION...: starts a recorder that obeys the FIFO, and waits until it answers.
start()
{
	fargs record -a -o "$tmp/trace" --control "fifo:$tmp/ctl,$tmp/ack" "$@" 2>"$tmp/err" &
	recorder=$!
	send ping
}

# send COMMAND: sends it, and waits for its acknowledgement.
send()
{
	local answer
	timeout 60 sh -c "echo '$1' >'$tmp/ctl'" && read -r -t 60 -u "$ack" answer && [ "$answer" = ack ]
}

# is_kept PATTERN N: the pattern is in N lines.
is_kept()
{
	local nr
	nr=$(grep -c "$1" "$tmp/lines")
	[ "$nr" = "$2" ] || { note "$nr lines with $1, not $2"; note "$(head -n 30 "$tmp/lines" "$tmp/err")"; false; }
}

calls()
{
	echo "fargs_t_4 $1" >"$target"
}

lines()
{
	fargs report "$tmp/trace" 2>"$tmp/report-err" >"$tmp/lines"
}

check "the recorder answers" start -f fargs_t_4 -e sched:sched_process_exec
calls 3
"$tmp/fargs_ctl"
check "disable is acknowledged" send disable
calls 5
"$tmp/fargs_ctl"
"$tmp/fargs_ctl"
# A task that gets its name meanwhile has it afterwards.
mkfifo "$tmp/go"
bash -c 'echo -n fargs_late >/proc/$$/comm; : <"$1"; echo "fargs_t_4 1" >"$2"' - "$tmp/go" "$target" &
late=$!
wait_until 60 eval '[ "$(cat /proc/$late/comm)" = fargs_late ]'
check "disable may be repeated" send disable
check "enable is acknowledged" send enable
calls 7
"$tmp/fargs_ctl"
: >"$tmp/go"
wait "$late"
check "evlist is acknowledged" send evlist
check "stop is acknowledged" send stop
wait "$recorder"
check "stop ends the recording with exit status 0" [ $? = 0 ] || note "$(cat "$tmp/err")"
lines
check "calls are recorded while recording is enabled" is_kept ' fargs_t_4(' 11
check "events are recorded while recording is enabled" is_kept 'sched_process_exec.*/fargs_ctl ' 2
check "a name that was set meanwhile is known" is_kept '^ *fargs_late-.* fargs_t_4(' 1
check "every record is accounted for" is_whole "$tmp/trace" || note "$(cat "$tmp/verify")"
check "evlist names what is recorded" [ "$(grep -cxE 'fargs: (fargs_t_4|sched:sched_process_exec)' "$tmp/err")" = 2 ] ||
	note "$(cat "$tmp/err")"

# Without the module.
check "events alone: the recorder answers" start -e sched:sched_process_exec
"$tmp/fargs_ctl"
send disable
"$tmp/fargs_ctl"
send enable
"$tmp/fargs_ctl"
send stop
wait "$recorder"
lines
check "events alone: they are recorded while recording is enabled" is_kept 'sched_process_exec.*/fargs_ctl ' 2

# The flight recorder.
check "the flight recorder answers" start --flight -f fargs_t_4
calls 3
check "snapshot is acknowledged" send snapshot
calls 4
send disable
calls 50
check "snapshot is acknowledged while recording is disabled" send snapshot
calls 60
send enable
calls 5
check "a third snapshot is acknowledged" send snapshot
check "each snapshot is reported" [ "$(grep -c '^fargs: trigger [123]: kept the last calls$' "$tmp/err")" = 3 ] ||
	note "$(cat "$tmp/err")"
calls 6
send stop
wait "$recorder"
check "stop ends the flight recorder with exit status 0" [ $? = 0 ] || note "$(cat "$tmp/err")"
lines
check "each call while recording was enabled is in the file once" is_kept ' fargs_t_4(' 18
check "flight: every record is accounted for" is_whole "$tmp/trace" || note "$(cat "$tmp/verify")"

# acknowledged PROGRAM COMMAND...: prints how many of the commands, and of stop, the program
# acknowledges, besides the first ping.
acknowledged()
{
	local program=$1 command line nr=0
	shift
	case $program in
	fargs)	fargs record -a -f fargs_t_4 -o "$tmp/trace" --control "fifo:$tmp/ctl,$tmp/ack" 2>"$tmp/err" & ;;
	perf)	perf record -q -a -e dummy -o "$tmp/perf.data" --control "fifo:$tmp/ctl,$tmp/ack" 2>/dev/null & ;;
	esac
	send ping
	for command in "$@" stop; do
		timeout 60 sh -c "echo '$command' >'$tmp/ctl'"
	done
	wait $!
	# All acknowledgements are there now.
	echo end >&"$ack"
	while read -r -u "$ack" line && [ "$line" = ack ]; do
		nr=$((nr + 1))
	done
	echo "$nr"
}

# perf also takes a command with text after it.
commands=(ping disable disable nonsense enable enable STOP evlist 'evlist -v')
check "the commands are acknowledged that perf record acknowledges" \
	[ "$(acknowledged fargs "${commands[@]}") $(acknowledged perf "${commands[@]}")" = "8 8" ]
check "a wrong command has one line" [ "$(grep -c "'--control': '.*' is not a command" "$tmp/err")" = 2 ] ||
	note "$(cat "$tmp/err")"

fargs record -a -f fargs_t_4 -o "$tmp/none" --control "fifo:$tmp/none" -- true 2>"$tmp/err"
check "a FIFO that is not there is refused with one line" \
	[ "$? $(wc -l <"$tmp/err") $(grep -c "^fargs: '--control': cannot open" "$tmp/err")" = "1 1 1" ] ||
	note "$(cat "$tmp/err")"
test_end
