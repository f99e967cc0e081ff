#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Times of different CPUs: if a call on one CPU causes a call on another CPU, the second has the
# later time; and lines are in order of time.
#
# Clocks of CPUs are read one by one, which takes time. fargs info shows by how much times may be
# wrong: 0 if the kernel trusts the TSC.
. "$(dirname "$0")/lib/ktap.sh"

times=600

# in_us FILE: each call's offset and its time in microseconds, in the order of the lines.
in_us()
{
	sed -n 's/^.* \([0-9]*\)\.\([0-9]\{6\}\): shmem_file_llseek(.*offset=\([0-9]*\),.*/\3 \1\2/p' "$1"
}

# contradicts US FILE: pairs of calls in in_us's output whose times are in the wrong order by more
# than US.
contradicts()
{
	sort -n "$2" | awk -v us="$1" '
		NR > 1 && $1 == nr + 1 && $2 < time - us {
			print "call " $1 " is " time - $2 " us before the one that it waited for"
		}
		{ nr = $1; time = $2 }'
}

# how_exact FILE: by how many microseconds times may be wrong.
how_exact()
{
	local us
	us=$(fargs info "$1" | sed -n 's/^clock .* times of CPUs agree to \([0-9]*\) us.*/\1/p')
	# One more, since times are truncated to microseconds.
	echo $((${us:--1} + 1))
}

test_begin
[ "$(nproc)" -gt 1 ] || skip_all "there is one CPU only"
handover=$(program handover) || skip_all "handover is not built"
note "$(fargs check | grep ' clock: ')"

fargs record -f shmem_file_llseek -o "$tmp/trace" -- \
	"$handover" $times 0 $(($(nproc) - 1)) 2>"$tmp/err"
check "record exits with 0" [ $? = 0 ] || note "$(cat "$tmp/err")"
us=$(how_exact "$tmp/trace")
note "$(fargs info "$tmp/trace" | grep '^clock ')"
for threads in 1 2 7; do
	fargs report --threads $threads "$tmp/trace" >"$tmp/lines-$threads" 2>"$tmp/err" ||
		fail "report exits with 0"
done
in_us "$tmp/lines-1" >"$tmp/got"
seq 0 $((times - 1)) >"$tmp/wanted"
cut -d' ' -f1 "$tmp/got" | sort -n >"$tmp/numbers"
check_same "report has every call" "$tmp/wanted" "$tmp/numbers"
contradicts "$us" "$tmp/got" >"$tmp/wrong"
check "no call is more than $us us earlier than the call that caused it" [ ! -s "$tmp/wrong" ] ||
	note "$(wc -l <"$tmp/wrong") calls: $(head -n 10 "$tmp/wrong")"
check "report's lines are in order of time" sort -c -n -k2,2 "$tmp/got"
check "report prints the same with two threads" cmp "$tmp/lines-1" "$tmp/lines-2"
check "report prints the same with more threads than CPUs" cmp "$tmp/lines-1" "$tmp/lines-7"

# date reads the same CLOCK_REALTIME, before and after.
before=$(date +%s%N)
fargs record --label role=test --label who=clock.sh -f shmem_file_llseek -o "$tmp/dated" -- \
	"$handover" $times 0 $(($(nproc) - 1)) 2>"$tmp/err"
after=$(date +%s%N)
fargs info "$tmp/dated" >"$tmp/info"
check "info shows machine, boot and labels" [ "$(grep -cxE "(machine +$(cat /etc/machine-id 2>/dev/null)\
|boot +$(cat /proc/sys/kernel/random/boot_id)|label +role=test|label +who=clock.sh)" "$tmp/info") \
$(grep -c ^machine "$tmp/info")" = "$([ -s /etc/machine-id ] && echo 4 1 || echo 3 0)" ] ||
	note "$(cat "$tmp/info")"
fargs export --format csv --table calls "$tmp/dated" 2>/dev/null >"$tmp/calls"
check "exported calls have times of day" awk -F, -v before="${before:0:16}" -v after="${after:0:16}" '
	NR > 1 { us = substr($7, 1, 16) + 0; error = $8 / 1000 }
	NR > 1 && (us < before - error || us > after + error || error > 4000) { bad++ }
	END { print "#", NR - 1, "calls, known to", error, "us,", bad + 0, "outside"; exit bad || NR < 2 }' \
	"$tmp/calls" || note "$(head -n 3 "$tmp/calls") between $before and $after"

# The loop calls all the time. Without --at, recording would begin within the 20 s that have begun.
while :; do echo fargs_r_int >$target; sleep 0.1; done &
caller=$!
until [ $(($(date +%s) % 20)) -lt 2 ]; do sleep 0.2; done
next=$((($(date +%s) / 20 + 1) * 20))
fargs record --at /20s --duration 2s -a -f fargs_r_int -o "$tmp/at" 2>"$tmp/err"
check "record waits for its time and ends" [ $? = 0 ] || note "$(cat "$tmp/err")"
fargs export --format csv --table calls "$tmp/at" 2>/dev/null >"$tmp/calls"
check "no call is from before this time" awk -F, -v next_ms=${next}000 '
	NR > 1 && substr($7, 1, 13) + $8 / 1e6 + 0 < next_ms { print "#", $7; bad++ }
	END { print "#", NR - 1, "calls"; exit bad || NR < 2 }' "$tmp/calls"
rm "$tmp/at"
fargs record --at /86400s --duration 2s -a -f fargs_r_int -o "$tmp/at" 2>"$tmp/err" & recorder=$!
wait_until 60 [ -e "$tmp/at" ]
kill -INT $recorder
wait $recorder
check "a signal ends the wait" [ $? = 0 ] || note "$(cat "$tmp/err")"
kill $caller
wait $caller 2>/dev/null
for at in 10s /10 /500ms /90000s; do
	fargs record --at $at -a -f fargs_r_int -o "$tmp/at" 2>"$tmp/err" >&2
	check "--at $at is refused" [ "$? $(grep -c "^fargs record: '--at'" "$tmp/err")" = "1 1" ] ||
		note "$(cat "$tmp/err")"
done

# The same live. If the host does not run a CPU for longer than trace waits, that CPU's record
# arrives too late. That is rare, unlike lines that trace does not sort: one run of three must be
# in order.
for ((try = 1; try <= 3; try++)); do
	fargs trace -f shmem_file_llseek -o "$tmp/live" -- \
		"$handover" $times 0 $(($(nproc) - 1)) 2>"$tmp/err"
	status=$?
	in_us "$tmp/live" >"$tmp/got"
	cut -d' ' -f1 "$tmp/got" | sort -n >"$tmp/numbers"
	awk '$2 < time { print } { time = $2 }' "$tmp/got" >"$tmp/late"
	[ $status = 0 ] && cmp -s "$tmp/wanted" "$tmp/numbers" && [ -s "$tmp/late" ] || break
	note "$(wc -l <"$tmp/late") lines are late: $(sed -n 1,10p "$tmp/late")"
done
check "trace exits with 0" [ $status = 0 ] || note "$(cat "$tmp/err")"
check_same "trace has every call" "$tmp/wanted" "$tmp/numbers"
check "trace's lines are in order of time" [ ! -s "$tmp/late" ]
test_end
