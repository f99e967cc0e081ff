#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Times of different CPUs: of two calls on two CPUs of which the second happened because of
# the first, the second has the later time; and lines are in the order of their times.
#
# By how much times may contradict, fargs info says: CPUs are asked for their clocks one
# by one, and the asking takes time. 0 where the kernel trusts the TSC.
. "$(dirname "$0")/lib/ktap.sh"

times=600

# in_us FILE: of each call its offset and its time in microseconds, as the lines are.
in_us()
{
	sed -n 's/^.* \([0-9]*\)\.\([0-9]\{6\}\): shmem_file_llseek(.*offset=\([0-9]*\),.*/\3 \1\2/p' "$1"
}

# contradicts US FILE: the pairs of calls that do by more than that, of what in_us says.
contradicts()
{
	sort -n "$2" | awk -v us="$1" '
		NR > 1 && $1 == nr + 1 && $2 < time - us {
			print "call " $1 " is " time - $2 " us before the one that it waited for"
		}
		{ nr = $1; time = $2 }'
}

# how_exact FILE: microseconds.
how_exact()
{
	local us
	us=$(fargs info "$1" | sed -n 's/^clock .* times of CPUs agree to \([0-9]*\) us.*/\1/p')
	# What is cut off behind a microsecond is another part of each.
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
check "no time contradicts what happened, by more than $us us" [ ! -s "$tmp/wrong" ] ||
	note "$(wc -l <"$tmp/wrong") do: $(head -n 10 "$tmp/wrong")"
check "report's lines are in the order of their times" sort -c -n -k2,2 "$tmp/got"
check "with any number of threads" cmp "$tmp/lines-1" "$tmp/lines-2"
check "with more than there are CPUs, too" cmp "$tmp/lines-1" "$tmp/lines-7"

# The same while it runs. A CPU that the machine below keeps from its work for longer than trace
# waits brings a record late. That is rare, and lines in an order of their own are not: one run
# of three has to be right.
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
check "trace's lines are in the order of their times" [ ! -s "$tmp/late" ]
test_end
