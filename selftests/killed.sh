#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# After a recorder is killed, report and recover find every chunk that it had written to its file.
#
#	killed.sh [--kills N]		N (6) recorders are killed at random times
. "$(dirname "$0")/lib/ktap.sh"
. "$(dirname "$0")/lib/chunks.sh"

kills=6
[ "$1" != --kills ] || kills=$2
test_begin perl dd
begin_load

record()
{
	ulimit -c 0
	exec fargs record -a -f 'vfs_*' -f '*_lock' --sync 100ms -o "$1" 2>"$tmp/err"
}

# is_as_written FILE: fargs finds every chunk of a killed recording. Sets bytes, of its records.
is_as_written()
{
	local chunks found end
	chunks=$(chunks "$1")
	found=$(found "$1")
	read -r end bytes <<<"$chunks"
	if [ "$end" = 0 ]; then
		# Killed before chunk INFO was written.
		! fargs recover -o "$1.whole" "$1" 2>"$tmp/err" && [ ! -e "$1.whole" ]
		return
	fi
	[ "$chunks" = "$found" ] || { note "written: $chunks, shown: $found"; return 1; }
	fargs recover -o "$1.whole" "$1" 2>"$tmp/err" || { note "$(cat "$tmp/err")"; return 1; }
	# Its last chunk is END; the section table follows it.
	read -r end found <<<"$(chunks "$1.whole")"
	[ "$found" = "$bytes" ] && [ "$end" -lt "$(stat -c %s "$1.whole")" ] ||
		{ note "recovered: $end $found"; return 1; }
}

good=0 with_records=0
for ((i = 1; i <= kills; i++)); do
	file=$tmp/trace
	rm -f "$file" "$file.whole"
	(record "$file") &
	pid=$!
	# Kills every second recorder while it records, the others while they start.
	if [ $((i % 2)) = 0 ]; then
		wait_until 60 nr_traced_above 0 && wait_until 60 [ -s "$file" ]
		sleep "$((RANDOM % 2)).$((RANDOM % 10))"
	else
		sleep "$((RANDOM % 5)).$((RANDOM % 10))"
	fi
	signal=KILL
	[ $((i % 3)) != 0 ] || signal=SEGV
	kill -$signal $pid
	wait $pid 2>/dev/null
	bytes=0
	if [ ! -e "$file" ] || is_as_written "$file"; then
		note "killed by SIG$signal: $bytes bytes of records"
		good=$((good + 1))
	else
		note "killed by SIG$signal: $(ls -l "$file")"
	fi
	if [ "$bytes" != 0 ]; then
		with_records=$((with_records + 1))
		mv "$file" "$tmp/last"
		mv "$file.whole" "$tmp/last.whole"
	fi
done
note "$kills killed, $with_records of them after records were written"
check "each of $kills killed recordings has every chunk that was written" [ $good = "$kills" ]
check "some killed recordings have records" [ $with_records -gt 0 ]
check "no function is traced afterwards" wait_until 30 nr_traced_is 0

# The last file that had records.
fargs report "$tmp/last" >"$tmp/lines" 2>"$tmp/err"
check "report of a killed recording exits with 1" [ $? = 1 ]
check "report says where the file ends" grep -q 'is incomplete: the recording did not finish' "$tmp/err"
fargs info "$tmp/last.whole" >"$tmp/info" 2>&1
check "the recovered file has all sections" \
	[ "$(grep -c '^section .* \.fargs\.\|^section .* \.BTF$' "$tmp/info")" = 8 ] ||
	note "$(cat "$tmp/info")"
fargs report "$tmp/last.whole" >"$tmp/lines.whole" 2>"$tmp/err"
check "report of the recovered file exits with 0" [ $? = 0 ]
check_same "report prints the same lines for both files" "$tmp/lines" "$tmp/lines.whole"
check "report prints many lines" [ "$(wc -l <"$tmp/lines")" -gt 100 ]

test_end
