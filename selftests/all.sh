#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# All functions of the kernel at once: no record is corrupt, on each CPU the records produced are
# those kept, lost and rejected, and lines are in order of time.
#
#	all.sh [READS]
#
# Without READS, dd reads 2,000 blocks, and calls by other tasks are rejected: wc alone, which counts
# the traced functions, makes 2 million calls.
. "$(dirname "$0")/lib/ktap.sh"

reads=${1:-2000} tasks=(--comm dd)
[ $# = 0 ] || tasks=()
test_begin dd
before=$(nr_traced)

fargs record -a -f '*' "${tasks[@]}" -o "$tmp/trace" -- \
	sh -c "wc -l <$tracing/enabled_functions >$tmp/nr
	       dd if=/dev/zero of=/dev/null bs=1 count=$reads 2>$tmp/dd" 2>"$tmp/err"
check "record exits with 0" [ $? = 0 ] || note "$(cat "$tmp/err")"
check "the command ran to its end" grep -q "^$reads+0 records out" "$tmp/dd"
traceable=$(wc -l <"$tracing/available_filter_functions")
note "$(cat "$tmp/nr") functions were traced, of $traceable"
# Some functions have arguments that fargs refuses, or have no prototype in BTF.
check "most functions were traced" [ "$(cat "$tmp/nr")" -gt $((traceable * 6 / 10)) ]
check "no function is traced afterwards" nr_traced_is "$before"

fargs report --verify "$tmp/trace" >"$tmp/verify" 2>&1
check "every record is valid and accounted for" [ $? = 0 ]
note "$(tail -n 20 "$tmp/verify")"

fargs report "$tmp/trace" >"$tmp/lines" 2>"$tmp/err"
check "report exits with 0" [ $? = 0 ] || note "$(cat "$tmp/err")"
note "$(wc -l <"$tmp/lines") lines"
check "calls of dd are shown" grep -q '^ *dd-.* vfs_read(.* count=1, ' "$tmp/lines"
# With millions of lines, grep outside the C locale, or with \(\) groups, takes an emulated CPU minutes.
LC_ALL=C grep -vE '^ .*[0-9]: [A-Za-z_][A-Za-z0-9_.]*\(.*\)( \[[^]]*\])? <-|lost [0-9]+' \
	"$tmp/lines" >"$tmp/form"
check "every line is a call or reports a loss" [ ! -s "$tmp/form" ] || note "$(head -n 5 "$tmp/form")"
LC_ALL=C mawk '
	!match($0, /[0-9]\.[0-9][0-9][0-9][0-9][0-9][0-9]: /) { next }
	{
		time = substr($0, RSTART - 10, 18)
		sub(/^.* /, "", time)
		if (time + 0 < last)
			printf "line %d is of %s, the one before of %.6f\n", NR, time, last
		last = time + 0
		times++
	}
	END { if (times * 2 < NR) print times, "of", NR, "lines have a time" }' \
	"$tmp/lines" >"$tmp/order" 2>&1
check "lines are in order of time" [ ! -s "$tmp/order" ] || note "$(head -n 5 "$tmp/order")"
test_end
