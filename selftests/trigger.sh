#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# --trigger: the flight recorder keeps what happened before the trigger on every CPU, and the
# trigger's record is marked. Calls are numbered, so that missing ones are noticed:
# fargs_n_number(number) returns three times its argument.
. "$(dirname "$0")/lib/ktap.sh"

test_begin taskset perl
before=$(nr_traced)
cpus=$(nproc)
mark=' # trigger'

# number CPU FIRST N: makes N calls on that CPU, numbered from FIRST.
number()
{
	taskset -c "$1" sh -c "echo number $2 $3 >$target"
}

# start OPTION...: starts a recorder of all tasks, and waits until it traces.
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

# numbers CPU: prints the numbers of that CPU's calls, one a line, with the mark if there is one.
numbers()
{
	cpu=$1 perl -ne 'print "$1$2\n"
		if /\[0*$ENV{cpu}\] .* fargs_n_number\(number=(\d+)\).*?( # trigger)?$/' "$tmp/lines"
}

# is_series CPU: that CPU's numbers increase by one, without a gap.
is_series()
{
	numbers "$1" | awk 'NR > 1 && $1 != last + 1 { exit 1 } { last = $1 }
			    END { if (!NR) exit 1 }'
}

# number_on CPU: makes calls on that CPU until $tmp/over exists.
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

# Calls on all CPUs at once. Number 5000 on CPU 0 triggers, which ends the recording.
check "a recorder with a trigger starts" start --flight=64K -f fargs_n_number --trigger 'fargs_n_number(number == 5000)'
for ((cpu = 1; cpu < cpus; cpu++)); do
	number_on $cpu &
done
for ((cpu = 1; cpu < cpus; cpu++)); do
	check "CPU $cpu makes calls" wait_until 60 [ -e "$tmp/begun.$cpu" ]
done
number 0 1 6000 &
wait "$recorder"
check "a trigger ends the recording with exit status 0" [ $? = 0 ] || note "$(cat "$tmp/err")"
touch "$tmp/over"
wait
lines
check "only the trigger's line is marked" [ "$(grep -nF "$mark" "$tmp/lines" | wc -l)" = 1 ] ||
	note "$(grep -F "$mark" "$tmp/lines" | head)"
check "the trigger is the last call of its CPU" [ "$(numbers 0 | tail -n 1)" = "5000$mark" ] ||
	note "$(numbers 0 | tail -n 3)" "$(cat "$tmp/err")"
first=$(numbers 0 | head -n 1)
note "CPU 0: from $first"
# A record has 64 to 80 bytes. At worst the newest sixteenth of the ring is nearly empty.
check "calls before the trigger are kept, up to the ring's size" \
	[ $((5000 - first > 60 * 1024 / 80 - 64 && 5000 - first < 1024)) = 1 ]
right=0
for ((cpu = 0; cpu < cpus; cpu++)); do
	is_series $cpu && right=$((right + 1)) || note "CPU $cpu: $(numbers $cpu | head)"
done
check "on every CPU calls are in order and without a gap" [ $right = "$cpus" ]
check "every record is accounted for" is_whole "$tmp/trace" || note "$(cat "$tmp/verify")"
fargs info "$tmp/trace" | sed -nE 's/^(triggers?) +(.* s )?/\1 /p' >"$tmp/got"
printf '%s\n' 'triggers 1' 'trigger on CPU 0: fargs_n_number' >"$tmp/wanted"
check_same "info shows the trigger" "$tmp/wanted" "$tmp/got"

# A trigger on a function that is not selected otherwise, with a condition on its return value;
# and calls after the trigger.
start --flight -f 'fargs_t_u8' --trigger 'fargs_n_number(number > 7) -> ret < 30' --after 100s
u8=$(grep -c '^fargs_t_u8(' "$target")
echo fargs_t_u8 2 >"$target"
number 0 1 20
echo fargs_t_u8 >"$target"
kill -INT "$recorder"
wait "$recorder"
check "--after: record exits with 0" [ $? = 0 ] || note "$(cat "$tmp/err")"
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
check_same "of a function that is only a trigger, no other call is recorded" \
	"$tmp/wanted" "$tmp/got"

# Two triggers with a file each: no event is in both files or missing.
start --flight --split --count 2 -f fargs_n_number --trigger 'fargs_n_number(number == 10)'
number 0 1 10
is_split()
{
	grep -q "events* in '$tmp/trace.1' " "$tmp/err"
}
check "--split: the first file is written at the first trigger" wait_until 60 is_split
number 0 7 4
wait "$recorder"
check "--split: record exits with 0 after the second trigger" [ $? = 0 ] || note "$(cat "$tmp/err")"
for i in 1 2; do
	fargs report "$tmp/trace.$i" >"$tmp/lines" 2>/dev/null
	numbers 0 | tr '\n' ,
	fargs report --verify "$tmp/trace.$i" >/dev/null 2>&1 && echo right || echo wrong
done >"$tmp/got"
printf '%s\n' "1,2,3,4,5,6,7,8,9,10$mark,right" "7,8,9,10$mark,right" >"$tmp/wanted"
check_same "--split: each file has the calls before its trigger" "$tmp/wanted" "$tmp/got"
check "--split: no other file is written" [ "$(cd "$tmp" && echo trace.*)" = "trace.1 trace.2" ]

# trace marks calls without a flight recorder, too.
fargs trace -f fargs_n_number --trigger 'fargs_n_number(number == 3)' \
	--trigger 'fargs_n_number(number == 5)' -- sh -c "echo number 1 6 >$target" \
	>"$tmp/lines" 2>"$tmp/err"
note "$(cat "$tmp/err")"
check "trace marks calls that trigger" [ "$(numbers '[0-9]*' | tr '\n' ,)" = "1,2,3$mark,4,5$mark,6," ] ||
	note "$(cat "$tmp/lines")"

# 70 tasks wait in calls that may trigger, and there is room for 1 call, and for 64 such calls.
cat >"$tmp/wait.pl" <<'EOF'
push @tasks, fork || do { sleep 1000; exit } for 1 .. 70;
for my $task (@tasks) {
	my $call = "";
	while ($call !~ /^230 /) {	# clock_nanosleep
		select(undef, undef, undef, 0.01);
		open my $file, "<", "/proc/$task/syscall" or die;
		$call = <$file>;
	}
}
kill TERM => @tasks;
1 while wait > 0;
EOF
fargs trace -f fargs_t_u8 --maxactive 1 --trigger '__x64_sys_clock_nanosleep -> ret == 1' \
	-- perl "$tmp/wait.pl" >"$tmp/lines" 2>"$tmp/err"
check "calls that may have triggered but were missed are reported" \
	grep -q '^fargs: missed 5 calls that may have triggered: ' "$tmp/err" ||
	note "$(cat "$tmp/err")"

# selftests/unit/select and expr_errors test other errors in selectors.
fargs record -f fargs_t_u8 --flight --trigger 'fargs_n_number(nmbr == 1)' -o "$tmp/none" -- true \
	>"$tmp/out" 2>"$tmp/err"
check "an unknown argument in a trigger is reported" [ "$? $(grep -c "'nmbr' is neither" "$tmp/err")" = "1 1" ] ||
	note "$(cat "$tmp/err" "$tmp/out")"
fargs record -f fargs_t_u8 --flight -o "$tmp/trace" --trigger 'fargs_n_number(number == 1)' -- true \
	2>"$tmp/err"
check "that no call has triggered is reported, and the events are kept" \
	[ "$? $(grep -c "no call matched '--trigger'" "$tmp/err") $(fargs info "$tmp/trace" >/dev/null; echo $?)" = "0 1 0" ] ||
	note "$(cat "$tmp/err")"
check "no function is traced afterwards" wait_until 30 nr_traced_is "$before"
test_end
