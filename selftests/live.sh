#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# trace's --count, --duration, --json and --color; and the status line at the bottom of a terminal,
# no part of which may remain among the events.
. "$(dirname "$0")/lib/ktap.sh"
. "$(dirname "$0")/lib/whose.sh"

test_begin jq
pty=$(program pty) || skip_all "pty is not built"
unset NO_COLOR
calls="echo fargs_r_int >$target"
# The first two calls, as in return.txt.
wanted=('fargs_r_int(a=0) = 0' 'fargs_r_int(a=-2) = -2 (ENOENT)')

# plain FILE: the calls without colours, durations and module.
plain()
{
	sed $'s/\e\\[[0-9;]*m//g' "$1" | calls_of | sed 's/ ([0-9.]* us)$//; s/ \[fargs_target\]//'
}

fargs trace --count 2 -f 'fargs_r_int -> ret' -- sh -c "$calls; $calls; touch $tmp/went_on; exit 7" \
	>"$tmp/lines" 2>"$tmp/err"
status=$?
plain "$tmp/lines" >"$tmp/got"
printf '%s\n' "${wanted[@]}" >"$tmp/wanted"
check_same "--count shows that many calls" "$tmp/wanted" "$tmp/got"
check "the command runs to its end after --count" [ -e "$tmp/went_on" ]
check "trace exits with the command's status after --count" [ $status = 7 ]

begin_noise
timeout 300 fargs trace -a --count 5 -f fargs_t_ulong >"$tmp/lines" 2>"$tmp/err"
status=$?
check "--count ends a trace of all tasks with status 0" [ $status = 0 ]
check "--count ends a trace of all tasks after that many calls" [ "$(calls_of "$tmp/lines" | wc -l)" = 5 ]
check "no status line is printed if stderr is not a terminal" [ ! -s "$tmp/err" ]
timeout 300 fargs trace -a --duration 200ms -f fargs_t_ulong >"$tmp/lines" 2>"$tmp/err"
status=$?
check "--duration ends a trace of all tasks" [ $status = 0 ]
end_noise
fargs trace --duration 10ms -f fargs_r_int -- sh -c "sleep 2; touch $tmp/slept" >"$tmp/lines" \
	2>"$tmp/err"
check "--duration does not end the command" [ -e "$tmp/slept" ]

fargs trace --json -f 'fargs_r_int -> ret' -- sh -c "$calls" >"$tmp/json" 2>"$tmp/err"
fargs trace -f 'fargs_r_int -> ret' -- sh -c "$calls" >"$tmp/lines" 2>"$tmp/err"
plain "$tmp/lines" | sed 's/ ([A-Z]*)$//' >"$tmp/wanted"
jq -r 'select(.type == "return") |
	"\(.name)(\(.args | map("\(.name)=\(.value)") | join(", "))) = \(.result.value // .result)"' \
	"$tmp/json" >"$tmp/got" 2>"$tmp/err"
check_same "--json shows the same calls" "$tmp/wanted" "$tmp/got" || note "$(head -n 3 "$tmp/json")"
check "trace shows the calls" [ -s "$tmp/wanted" ]
fargs record -o "$tmp/file" -f 'fargs_r_int -> ret' -- sh -c "$calls" 2>"$tmp/err"
fargs report --json "$tmp/file" | jq -c 'select(.type == "return") | keys' | sort -u >"$tmp/wanted"
jq -c 'select(.type == "return") | keys' "$tmp/json" | sort -u >"$tmp/got"
check_same "trace --json has the same keys as report --json" "$tmp/wanted" "$tmp/got"

fargs trace --fields '$func,a,ret' --display-filter 'ret < 0' -f 'fargs_r_int -> ret' -- sh -c "$calls" \
	>"$tmp/got" 2>"$tmp/err"
fargs report --fields '$func,a,ret' --filter 'ret < 0' "$tmp/file" >"$tmp/wanted"
check_same "--fields and --display-filter show what they show of a file" "$tmp/wanted" "$tmp/got"
check "--display-filter selects calls" awk 'NR > 1 && $3 >= 0 { wrong = 1 }
	END { exit wrong || NR < 2 }' "$tmp/got"
fargs trace --count 1 --display-filter 'a == -2' -f 'fargs_r_int -> ret' -- sh -c "$calls; $calls" \
	2>"$tmp/err" | calls_of /dev/stdin | sed 's/ ([0-9.]* us)$//; s/ \[fargs_target\]//' >"$tmp/got"
echo "${wanted[1]}" >"$tmp/wanted"
check_same "--count counts the events for which --display-filter holds" "$tmp/wanted" "$tmp/got"
fargs trace --fields number --count 2 -f 'fargs_r_int -> ret' -f fargs_n_number -- \
	sh -c "$calls; echo number 10 3 >$target" >"$tmp/got" 2>"$tmp/err"
printf '%s\n' number 10 11 >"$tmp/wanted"
check_same "--count counts the lines of --fields" "$tmp/wanted" "$tmp/got"
echo old >"$tmp/old"
fargs trace -o "$tmp/old" --display-filter 'no such' -f fargs_r_int -- true 2>"$tmp/err"
check "a wrong --display-filter leaves an older file of -o as it is" [ "$(cat "$tmp/old")" = old ]
fargs trace --json --fields a -f fargs_r_int -- true >"$tmp/got" 2>"$tmp/err"
check "--json and --fields exclude each other" [ $? = 1 ]

fargs record -o "$tmp/spread" -f 'fargs_r_int -> ret' -- sh -c "$calls; sleep 1; $calls; sleep 1; $calls" \
	2>"$tmp/err"
fargs report "$tmp/spread" >"$tmp/wanted" 2>>"$tmp/err"
for part in {1..20}; do
	fargs report --time "5%/$part" "$tmp/spread" >"$tmp/part" 2>>"$tmp/err"
	[ ! -s "$tmp/part" ] || wc -l <"$tmp/part" >>"$tmp/sizes"
	cat "$tmp/part"
done >"$tmp/got"
check_same "the twenty parts of --time 5%/N together are all events" "$tmp/wanted" "$tmp/got"
check "several of these parts have events" [ "$(wc -l <"$tmp/sizes")" -gt 1 ]

coloured=$'\e[1mfargs_r_int\e[0m(a=\e[36m-2\e[0m) [fargs_target] = \e[1;31m-2 (ENOENT)\e[0m'
shown()
{
	"$@" -f 'fargs_r_int -> ret' -- sh -c "$calls" >"$tmp/raw" 2>"$tmp/err" </dev/null
}
shown fargs trace --color=always
check "--color=always colours functions, values and errors" grep -qF "$coloured" "$tmp/raw"
plain "$tmp/raw" >"$tmp/got"
plain "$tmp/lines" >"$tmp/wanted"
check_same "without the colours lines are the same" "$tmp/wanted" "$tmp/got"
shown fargs trace
check "lines in a file have no colours" [ "$(grep -c $'\e' "$tmp/raw")" = 0 ]

# on_terminal COMMAND...: runs it on a terminal. Its output is in raw, the text that remains visible
# in lines.
on_terminal()
{
	"$pty" -w 200 -r "$tmp/raw" "$@" -f 'fargs_r_int -> ret' -- sh -c "$calls" >"$tmp/lines" \
		</dev/null
}
on_terminal fargs trace
check "lines on a terminal have colours" grep -qF "$coloured" "$tmp/raw"
NO_COLOR=1 on_terminal fargs trace
check "NO_COLOR disables colours on a terminal" [ "$(grep -c $'\e\\[[0-9]' "$tmp/raw")" = 0 ]
on_terminal fargs trace --color=never
check "--color=never disables colours on a terminal" [ "$(grep -c $'\e\\[[0-9]' "$tmp/raw")" = 0 ]
check "the number of functions is shown while probes are attached" grep -qa 'attaching to 1 function' "$tmp/raw"
check "the message about attaching is erased" [ "$(grep -c attaching "$tmp/lines")" = 0 ]
check "a message is shown while symbols and types are read" \
	grep -qa "reading the kernel's symbols and types" "$tmp/raw"
check "this message is erased" [ "$(grep -c 'reading the' "$tmp/lines")" = 0 ]

# begin_terminal COMMAND...: runs it by pty until end_terminal. Keys are written to descriptor 5.
# raw is removed, so that enough_seen does not count the previous command's output: a key typed too
# early would be lost.
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

begin_terminal fargs trace -a -f 'vfs_*'
wait_until 60 grep -qas 'symbols and types' "$tmp/raw"
end_terminal
check "Ctrl-C while symbols and types are read ends at once" \
	[ "$status $(grep -ac attaching "$tmp/raw")" = "130 0" ] || note "$(cat "$tmp/raw")"

# enough_seen NUMBER: the status line was printed NUMBER times.
enough_seen()
{
	[ "$(grep -ao ' events, [0-9,]*/s, ' "$tmp/raw" 2>/dev/null | wc -l)" -ge "$1" ]
}

begin_noise
begin_terminal fargs trace -a -f fargs_t_ulong
check "the status line is updated while trace shows events" wait_until 300 enough_seen 5
end_terminal
check "Ctrl-C ends trace with status 0" [ $status = 0 ]
sed $'s/\e\\[[0-9;]*m//g' "$tmp/lines" | grep -v ' fargs_t_ulong(.*<-' | grep -v '^fargs: lost ' \
	>"$tmp/others"
check "only events remain on the terminal" [ ! -s "$tmp/others" ] ||
	note "$(cat -v "$tmp/others" | head -n 5)"
check "events are shown on the terminal" grep -q ' fargs_t_ulong(' "$tmp/lines"

begin_terminal -e fargs trace -a -f fargs_t_ulong -o "$tmp/out"
check "the status line is updated while trace writes events to a file" wait_until 300 enough_seen 5
end_terminal
grep -v '^fargs: lost ' "$tmp/lines" | grep -v '^$' >"$tmp/others"
check "the status line is erased at the end" [ ! -s "$tmp/others" ] || note "$(cat -v "$tmp/others" | head -n 5)"
check "the file of trace has no colours" [ "$(grep -c $'\e' "$tmp/out")" = 0 ]
check "the file of trace has events" grep -q ' fargs_t_ulong(' "$tmp/out"

begin_terminal fargs record -a -f fargs_t_ulong -o "$tmp/file"
check "the status line of record is updated" wait_until 300 enough_seen 5
end_terminal
check "record's status line shows the size of the file" grep -qaE 'buffers [0-9]+% full, [0-9.]+ MB' "$tmp/raw"
grep -v '^fargs: lost ' "$tmp/lines" >"$tmp/others"
check "record ends with a line about its file" \
	grep -qE "^fargs: [0-9]+ events? in '$tmp/file' \([0-9.]+ MB\)$" "$tmp/others"
check "record leaves no other line" [ "$(wc -l <"$tmp/others")" = 1 ] || note "$(cat -v "$tmp/others" | head -n 5)"
end_noise
test_end
