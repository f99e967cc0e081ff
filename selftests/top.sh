#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# top: the counts with --batch, and the screen with its keys.
. "$(dirname "$0")/lib/ktap.sh"
. "$(dirname "$0")/lib/whose.sh"

test_begin tmux

# sum COLUMN: the sum of that column over the lines of fargs_r_int in all screens.
sum()
{
	awk -v column="$1" '$0 ~ / fargs_r_int / { n += $column } END { print n + 0 }' "$tmp/text"
}

# One of the four calls in return.txt returns an error.
fargs top -b -f 'fargs_r_int -> ret' -- sh -c "echo fargs_r_int >$target" >"$tmp/text" 2>"$tmp/err"
fargs trace -f 'fargs_r_int -> ret' -- sh -c "echo fargs_r_int >$target" >"$tmp/lines" 2>"$tmp/err"
nr=$(calls_of "$tmp/lines" | wc -l)
check "every call is counted" [ "$(sum 2)" = "$nr" ] || note "$nr; $(cat "$tmp/text")"
check "trace shows several calls" [ "$nr" -gt 2 ]
check "the call that returns an error is counted" [ "$(sum 3)" = 1 ]
check "latencies are shown for a function whose return is traced" grep -q ' p50 .* p99 .* max ' "$tmp/text"

# metric NAME: the value of that metric of fargs_r_int, which is in module fargs_target.
metric()
{
	sed -n "s/^$1{function=\"fargs_r_int\",module=\"fargs_target\"} //p" "$tmp/metrics.prom"
}

# bounds_rise: each bound of the durations counts at least as many calls as the one below it.
bounds_rise()
{
	awk '/^fargs_call_duration_seconds_bucket/ { n++; if ($NF + 0 < last) bad = 1; last = $NF + 0 }
		END { exit bad || n < 10 }' "$tmp/metrics.prom"
}

(umask 077; fargs top -b --prometheus "$tmp/metrics.prom" -f 'fargs_r_int -> ret' -- \
	sh -c "echo fargs_r_int >$target" >"$tmp/text" 2>"$tmp/err")
check "metrics have every call" [ "$(metric fargs_calls_total)" = "$nr" ] ||
	note "$(cat "$tmp/metrics.prom")"
check "metrics have the error" [ "$(metric fargs_call_errors_total)" = 1 ]
check "metrics have every duration" [ "$(metric fargs_call_duration_seconds_count)" = "$nr" ]
check "the counts of durations add up" bounds_rise
check "other users may read metrics" [ "$(stat -c %a "$tmp/metrics.prom")" = 644 ]
fargs top -b --prometheus /dev/null/metrics.prom -f fargs_r_int -- true >"$tmp/text" 2>"$tmp/err"
status=$?
check "metrics that cannot be written are refused in one line" \
	[ "$status $(grep -c '/dev/null/metrics.prom' "$tmp/err") $(wc -l <"$tmp/err")" = "1 1 1" ] ||
	note "$status $(cat "$tmp/err")"

begin_noise
value=$(truth_of fargs_t_ulong | head -n 1 | sed 's/^[a-z_]*(\([^,)]*\).*/\1/')
timeout 300 fargs top -b --count 2 --interval 300ms -f 'fargs_t_ulong' >"$tmp/text" 2>"$tmp/err"
status=$?
check "--count ends top with status 0" [ $status = 0 ]
check "--count ends top after that many screens" [ "$(grep -c '^fargs top: ' "$tmp/text")" = 2 ]
check "the most frequent value is $value" grep -qF " $value (" "$tmp/text" ||
	note "$(cat "$tmp/text")"
check "no latencies are shown for a function whose return is not traced" [ "$(grep -c p99 "$tmp/text")" = 0 ]

# The screen is tested in tmux, which is a terminal whose contents can be read.
tmux()
{
	command tmux -f /dev/null -S "$tmp/tmux" "$@"
}
screen()
{
	tmux capture-pane -p -t top
}
# shows TEXT: TEXT is somewhere on the screen.
shows()
{
	grep -qF -e "$1" < <(screen)
}
# press KEY... TEXT: types keys; then the screen shows TEXT.
press()
{
	local text=${*: -1}
	tmux send-keys -t top "${@:1:$# - 1}"
	check "keys '${*:1:$# - 1}' show '$text'" wait_until 300 shows "$text" || note "$(screen)"
}
tmux new-session -d -s top -x 120 -y 30 "echo before; \
	fargs top --interval 200ms -f fargs_t_ulong -f 'fargs_t_*int' 2>$tmp/err; echo status \$?; exec cat"
check "the screen shows the function" wait_until 300 shows fargs_t_ulong || note "$(screen) $(cat "$tmp/err")"
check "the screen shows the sort order" shows 'by count'
check "the screen does not show earlier output of the terminal" [ "$(screen | grep -c '^before')" = 0 ]
press n 'by name'
press h 'previous column'
press h 'fargs_t_ulong'
press / no_such Enter 'only no_such'
check "the screen's filter hides functions that do not match" wait_until 300 eval '! shows fargs_t_ulong' || note "$(screen)"
press / '*ulong' Enter 'fargs_t_ulong'
press ' ' paused
press ' ' 'by name'
tmux resize-window -t top -x 60 -y 12
check "a small screen shows the function" wait_until 300 shows fargs_t_ulong || note "$(screen)"
tmux send-keys -t top q
check "q ends top" wait_until 300 shows 'status 0' || note "$(screen)"
check "top restores the terminal's contents" shows before
tmux kill-server
end_noise

# refuses TEXT OPTION...
refuses()
{
	local text=$1
	shift
	fargs top "$@" >"$tmp/text" 2>"$tmp/err" </dev/null
	[ $? = 1 ] && grep -qF -e "$text" "$tmp/err"
}
check "top without a terminal is refused" refuses "there is no terminal: give '--batch'" -f fargs_t_ulong
check "a command together with the screen is refused" refuses 'write to the screen' -f fargs_t_ulong -- true
check "an unknown column is refused" refuses "there is no column 'nice'" -b --sort nice -f fargs_t_ulong
test_end
