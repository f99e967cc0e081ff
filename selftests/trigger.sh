#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Calls that trigger, by --trigger: with the flight recorder what came before is kept, on
# every CPU, and the trigger's record is marked. Calls count, so that it is known which
# ones must be there: fargs_n_number(number) returns three times its number.
. "$(dirname "$0")/lib/ktap.sh"

test_begin taskset perl
before=$(nr_traced)
cpus=$(nproc)
mark=' # trigger'

# number CPU FIRST N: calls on that CPU.
number()
{
	taskset -c "$1" sh -c "echo number $2 $3 >$target"
}

# start OPTION...: a recorder of all tasks, once it traces.
start()
{
	fargs record -a -o "$tmp/trace" "$@" 2>"$tmp/err" &
	recorder=$!
	wait_until 60 is_traced fargs_n_number
}

lines()
{
	fargs report "$tmp/trace" 2>"$tmp/report-err" >"$tmp/lines"
}

# numbers CPU: those of the lines of that CPU, one a line, with the mark if there is one.
numbers()
{
	cpu=$1 perl -ne 'print "$1$2\n"
		if /\[0*$ENV{cpu}\] .* fargs_n_number\(number=(\d+)\).*?( # trigger)?$/' "$tmp/lines"
}

# is_series CPU: they count, without a gap.
is_series()
{
	numbers "$1" | awk 'NR > 1 && $1 != last + 1 { exit 1 } { last = $1 }
			    END { if (!NR) exit 1 }'
}

# number_on CPU: from then on, until it is all over.
number_on()
{
	local n=$(($1 * 10000000))
	taskset -pc "$1" $BASHPID >/dev/null
	until [ -e "$tmp/over" ]; do
		echo number $n 2000 >$target
		n=$((n + 2000))
		: >"$tmp/begun.$1"
	done
}

# On all CPUs at once; it is the first one's 5000 that triggers, and then it ends by itself.
check "it traces" start --flight=64K -f fargs_n_number --trigger 'fargs_n_number(number == 5000)'
for ((cpu = 1; cpu < cpus; cpu++)); do
	number_on $cpu &
done
for ((cpu = 1; cpu < cpus; cpu++)); do
	check "CPU $cpu makes calls" wait_until 60 [ -e "$tmp/begun.$cpu" ]
done
number 0 1 6000 &
wait "$recorder"
check "a call ends the recording, with 0" [ $? = 0 ] || note "$(cat "$tmp/err")"
touch "$tmp/over"
wait
lines
check "its line is marked, and no other" [ "$(grep -nF "$mark" "$tmp/lines" | wc -l)" = 1 ] ||
	note "$(grep -F "$mark" "$tmp/lines" | head)"
check "it is the last one of its CPU" [ "$(numbers 0 | tail -n 1)" = "5000$mark" ] ||
	note "$(numbers 0 | tail -n 3)" "$(cat "$tmp/err")"
first=$(numbers 0 | head -n 1)
note "CPU 0: from $first"
# A record has 64 to 80 bytes; of the ring's sixteenths, the newest has just begun at worst.
check "what came before is there, up to the ring's size" \
	[ $((5000 - first > 60 * 1024 / 80 - 64 && 5000 - first < 1024)) = 1 ]
right=0
for ((cpu = 0; cpu < cpus; cpu++)); do
	is_series $cpu && right=$((right + 1)) || note "CPU $cpu: $(numbers $cpu | head)"
done
check "on every CPU, in order and without a gap" [ $right = "$cpus" ]
check "every record is right" is_whole "$tmp/trace" || note "$(cat "$tmp/verify")"
fargs info "$tmp/trace" | sed -nE 's/^(triggers?) +(.* s )?/\1 /p' >"$tmp/got"
printf '%s\n' 'triggers 1' 'trigger on CPU 0: fargs_n_number' >"$tmp/wanted"
check_same "info tells it" "$tmp/wanted" "$tmp/got"

# A function that nothing else asks for; told at its return; and what follows.
start --flight -f 'fargs_t_u8' --trigger 'fargs_n_number(number > 7) -> ret < 30' --after 100s
u8=$(grep -c '^fargs_t_u8(' "$target")
echo fargs_t_u8 2 >"$target"
number 0 1 20
echo fargs_t_u8 >"$target"
kill -INT "$recorder"
wait "$recorder"
check "--after: it ends with 0" [ $? = 0 ] || note "$(cat "$tmp/err")"
lines
perl -ne 'print "$1 $2$3$4\n"
	if /: (fargs_\w+)\((?:(number=\d+)|.*)\)(?: \[\w+\])?( = \d+)?.*?( # trigger)?$/' \
	"$tmp/lines" >"$tmp/got"
{
	for ((i = 0; i < 2 * u8; i++)); do echo 'fargs_t_u8 '; done
	echo "fargs_n_number number=8 = 24$mark"
	echo "fargs_n_number number=9 = 27$mark"
	for ((i = 0; i < u8; i++)); do echo 'fargs_t_u8 '; done
} >"$tmp/wanted"
check_same "of a function that is only to trigger, no other call is recorded" \
	"$tmp/wanted" "$tmp/got"

# Two triggers, a file for each: nothing twice, nothing missing.
start --flight --split --count 2 -f fargs_n_number --trigger 'fargs_n_number(number == 10)'
number 0 1 10
is_split()
{
	grep -q "events in $tmp/trace.1 " "$tmp/err"
}
check "--split: the first file is written at the first trigger" wait_until 60 is_split
number 0 7 4
wait "$recorder"
check "--split: it ends after the second, with 0" [ $? = 0 ] || note "$(cat "$tmp/err")"
for i in 1 2; do
	fargs report "$tmp/trace.$i" >"$tmp/lines" 2>/dev/null
	numbers 0 | tr '\n' ,
	fargs report --verify "$tmp/trace.$i" >/dev/null 2>&1 && echo right || echo wrong
done >"$tmp/got"
printf '%s\n' "1,2,3,4,5,6,7,8,9,10$mark,right" "7,8,9,10$mark,right" >"$tmp/wanted"
check_same "--split: each has what came before its trigger" "$tmp/wanted" "$tmp/got"
check "--split: there is no other file" [ "$(cd "$tmp" && echo trace.*)" = "trace.1 trace.2" ]

# Live, without a flight recorder, calls are marked.
fargs trace -f fargs_n_number --trigger 'fargs_n_number(number == 3)' \
	--trigger 'fargs_n_number(number == 5)' -- sh -c "echo number 1 6 >$target" \
	>"$tmp/lines" 2>"$tmp/err"
note "$(cat "$tmp/err")"
check "trace marks calls" [ "$(numbers '[0-9]*' | tr '\n' ,)" = "1,2,3$mark,4,5$mark,6," ] ||
	note "$(cat "$tmp/lines")"

# What else may be wrong with a selector: selftests/unit/select, expr_errors.
fargs record -f fargs_t_u8 --flight --trigger 'fargs_n_number(nmbr == 1)' -o "$tmp/none" -- true \
	>"$tmp/out" 2>"$tmp/err"
check "an unknown argument is told" [ "$? $(grep -c "'nmbr' is neither" "$tmp/err")" = "1 1" ] ||
	note "$(cat "$tmp/err" "$tmp/out")"
fargs record -f fargs_t_u8 --flight -o "$tmp/trace" --trigger 'fargs_n_number(number == 1)' -- true \
	2>"$tmp/err"
check "without a trigger that is told, and what there was is kept" \
	[ "$? $(grep -c 'no call has triggered' "$tmp/err") $(fargs info "$tmp/trace" >/dev/null; echo $?)" = "0 1 0" ] ||
	note "$(cat "$tmp/err")"
check "nothing is traced any more" wait_until 30 nr_traced_is "$before"
test_end
