#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# What trace shows, and for how long: --count, --duration, --json, --color; and the line at
# the bottom of a terminal, which leaves nothing behind among the others.
. "$(dirname "$0")/lib/ktap.sh"
. "$(dirname "$0")/lib/whose.sh"

test_begin jq
pty=$(program pty) || skip_all "pty is not built"
unset NO_COLOR
calls="echo fargs_r_int >$target"
# The first two of them: return.txt.
wanted=('fargs_r_int(a=0) = 0' 'fargs_r_int(a=-2) = -2 (ENOENT)')

# plain FILE: without colours, and without what differs from run to run.
plain()
{
	sed $'s/\e\\[[0-9;]*m//g' "$1" | calls_of | sed 's/ ([0-9.]* us)$//; s/ \[fargs_target\]//'
}

fargs trace --count 2 -f 'fargs_r_int -> ret' -- sh -c "$calls; $calls; touch $tmp/went_on; exit 7" \
	>"$tmp/lines" 2>"$tmp/err"
status=$?
plain "$tmp/lines" >"$tmp/got"
printf '%s\n' "${wanted[@]}" >"$tmp/wanted"
check_same "--count ends after as many" "$tmp/wanted" "$tmp/got"
check "and the command goes on to its end" [ -e "$tmp/went_on" ]
check "whose status it is" [ $status = 7 ]

begin_noise
timeout 300 fargs trace -a --count 5 -f fargs_t_ulong >"$tmp/lines" 2>"$tmp/err"
status=$?
check "--count ends a trace of all tasks" [ $status = 0 ]
check "after five" [ "$(calls_of "$tmp/lines" | wc -l)" = 5 ]
check "standard error is no terminal, and nobody is told how it goes" [ ! -s "$tmp/err" ]
timeout 300 fargs trace -a --duration 200ms -f fargs_t_ulong >"$tmp/lines" 2>"$tmp/err"
status=$?
check "--duration ends it, too" [ $status = 0 ]
end_noise
fargs trace --duration 10ms -f fargs_r_int -- sh -c "sleep 2; touch $tmp/slept" >"$tmp/lines" \
	2>"$tmp/err"
check "but not a command" [ -e "$tmp/slept" ]

fargs trace --json -f 'fargs_r_int -> ret' -- sh -c "$calls" >"$tmp/json" 2>"$tmp/err"
fargs trace -f 'fargs_r_int -> ret' -- sh -c "$calls" >"$tmp/lines" 2>"$tmp/err"
plain "$tmp/lines" | sed 's/ ([A-Z]*)$//' >"$tmp/wanted"
jq -r 'select(.type == "return") |
	"\(.name)(\(.args | map("\(.name)=\(.value)") | join(", "))) = \(.result.value // .result)"' \
	"$tmp/json" >"$tmp/got" 2>"$tmp/err"
check_same "--json has the same calls" "$tmp/wanted" "$tmp/got" || note "$(head -n 3 "$tmp/json")"
check "and there are some" [ -s "$tmp/wanted" ]
fargs record -o "$tmp/file" -f 'fargs_r_int -> ret' -- sh -c "$calls" 2>"$tmp/err"
fargs report --json "$tmp/file" | jq -c 'select(.type == "return") | keys' | sort -u >"$tmp/wanted"
jq -c 'select(.type == "return") | keys' "$tmp/json" | sort -u >"$tmp/got"
check_same "objects like those of report" "$tmp/wanted" "$tmp/got"

coloured=$'\e[1mfargs_r_int\e[0m(a=\e[36m-2\e[0m) [fargs_target] = \e[1;31m-2 (ENOENT)\e[0m'
shown()
{
	"$@" -f 'fargs_r_int -> ret' -- sh -c "$calls" >"$tmp/raw" 2>"$tmp/err" </dev/null
}
shown fargs trace --color=always
check "--color=always: functions, values and errors" grep -qF "$coloured" "$tmp/raw"
plain "$tmp/raw" >"$tmp/got"
plain "$tmp/lines" >"$tmp/wanted"
check_same "and else what there is without" "$tmp/wanted" "$tmp/got"
shown fargs trace
check "no colours in a file" [ "$(grep -c $'\e' "$tmp/raw")" = 0 ]

# on_terminal OPTION...: what came is in raw, what could be read in lines.
on_terminal()
{
	"$pty" -w 200 -r "$tmp/raw" "$@" -f 'fargs_r_int -> ret' -- sh -c "$calls" >"$tmp/lines" \
		</dev/null
}
on_terminal fargs trace
check "colours on a terminal" grep -qF "$coloured" "$tmp/raw"
NO_COLOR=1 on_terminal fargs trace
check "none with NO_COLOR" [ "$(grep -c $'\e\\[[0-9]' "$tmp/raw")" = 0 ]
on_terminal fargs trace --color=never
check "nor with --color=never" [ "$(grep -c $'\e\\[[0-9]' "$tmp/raw")" = 0 ]
check "who attaches says to how much" grep -qa 'attaching to 1 function' "$tmp/raw"
check "and nothing of that stays" [ "$(grep -c attaching "$tmp/lines")" = 0 ]

# begin_terminal OPTION... of pty, until end_terminal: keys are typed into descriptor 5. What the
# last one showed is not waited for again: a key that comes too early nobody gets.
mkfifo "$tmp/keys"
begin_terminal()
{
	rm -f "$tmp/raw"
	"$pty" -w 200 -r "$tmp/raw" "$@" <"$tmp/keys" >"$tmp/lines" 2>"$tmp/pty.err" &
	pty_pid=$!
	exec 5>"$tmp/keys"
}
end_terminal()
{
	printf '\003' >&5
	wait $pty_pid
	status=$?
	exec 5>&-
}
# enough_seen NUMBER: that often.
enough_seen()
{
	[ "$(grep -ao ' events, [0-9,]*/s, ' "$tmp/raw" 2>/dev/null | wc -l)" -ge "$1" ]
}

begin_noise
begin_terminal fargs trace -a -f fargs_t_ulong
check "the status line among events, again and again" wait_until 300 enough_seen 5
end_terminal
check "until Ctrl-C" [ $status = 0 ]
sed $'s/\e\\[[0-9;]*m//g' "$tmp/lines" | grep -v ' fargs_t_ulong(.*<-' | grep -v '^fargs: lost ' \
	>"$tmp/others"
check "all that stays is events" [ ! -s "$tmp/others" ] ||
	note "$(cat -v "$tmp/others" | head -n 5)"
check "and there are some" grep -q ' fargs_t_ulong(' "$tmp/lines"

begin_terminal -e fargs trace -a -f fargs_t_ulong -o "$tmp/out"
check "the status line where events go to a file" wait_until 300 enough_seen 5
end_terminal
grep -v '^fargs: lost ' "$tmp/lines" | grep -v '^$' >"$tmp/others"
check "nothing of it stays" [ ! -s "$tmp/others" ] || note "$(cat -v "$tmp/others" | head -n 5)"
check "the file has no colours" [ "$(grep -c $'\e' "$tmp/out")" = 0 ]
check "but events" grep -q ' fargs_t_ulong(' "$tmp/out"

begin_terminal fargs record -a -f fargs_t_ulong -o "$tmp/file"
check "the status line of record" wait_until 300 enough_seen 5
end_terminal
check "it tells how large the file is" grep -qaE 'buffers [0-9]+% full, [0-9.]+ MB' "$tmp/raw"
grep -v '^fargs: lost ' "$tmp/lines" >"$tmp/others"
check "in the end one line tells what was recorded" \
	grep -qE "^fargs: [0-9]+ events in $tmp/file \([0-9.]+ MB\)$" "$tmp/others"
check "and no other" [ "$(wc -l <"$tmp/others")" = 1 ] || note "$(cat -v "$tmp/others" | head -n 5)"
end_noise
test_end
