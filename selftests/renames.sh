#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Names of tasks in a flight recorder's file: each call has the name that its task had then, as
# logged by the task, even if the records of its fork, exec or rename were overwritten, and if its
# number was reused.
. "$(dirname "$0")/lib/ktap.sh"

# calls OPTION...: "NUMBER TID NAME" of the lines; NUMBER is the call's argument.
calls()
{
	fargs report "$@" "$tmp/trace" 2>"$tmp/report-err" |
		perl -ne 'print "$3 $2 $1\n" if
			/^ *(.*)-(\d+\??) +\[\d+\] .*: fargs_n_number\(number=(\d+)\)/'
}

# wanted FIELD: the same of all calls in the log, whose field FIELD is the task's number.
wanted()
{
	awk -v field="$1" '/^[0-9]/ { number = $1; tid = $field; sub(/^[^ ]* [^ ]* [^ ]* /, "")
				      print number, tid, $0 }' "$tmp/log" | sort
}

# of_log FILE: calls of the tasks that write a log.
of_log()
{
	awk '$1 < 900000000' "$1" | sort
}

test_begin perl
program=$(program renames) || skip_all "renames is not built"
trap 'touch "$tmp/go1" "$tmp/go2" "$tmp/end"; wait; test_cleanup' EXIT
"$program" "$tmp" 2>"$tmp/program-err" &
check "the test's tasks start" wait_until 60 grep -q ready "$tmp/log" 2>/dev/null ||
	note "$(cat "$tmp/program-err")"
fargs record -a --flight=64K --count 2 -f fargs_n_number -o "$tmp/trace" \
	--trigger 'fargs_n_number(number == 900000000)' 2>"$tmp/err" &
recorder=$!
check "the recorder starts" wait_until 60 is_traced fargs_n_number || note "$(cat "$tmp/err")"
touch "$tmp/go1"
check "calls are kept at the first trigger" wait_until 120 grep -q 'trigger 1 of 2' "$tmp/err" ||
	note "$(cat "$tmp/err" "$tmp/program-err")"
touch "$tmp/go2"
has_ended()
{
	[ ! -e "/proc/$recorder/fd/0" ]
}
check "the recording ends at the second trigger" wait_until 120 has_ended ||
	{ kill -INT "$recorder"; note "$(cat "$tmp/program-err")"; }
wait "$recorder"
check "record exits with 0" [ $? = 0 ] || note "$(cat "$tmp/err")"
touch "$tmp/end"

calls >"$tmp/calls"
of_log "$tmp/calls" >"$tmp/got"
wanted 2 >"$tmp/all"
join <(cut -d' ' -f1 "$tmp/got") "$tmp/all" >"$tmp/wanted"
note "$(wc -l <"$tmp/got") of $(wc -l <"$tmp/all") calls kept, $(wc -l <"$tmp/calls") with the others"
check_same "each call has the name that its task had then" "$tmp/wanted" "$tmp/got"
awk '/^window/ { is_in = 1 } /^over/ { is_in = 0 } is_in && /^[0-9]/ { print $1 }' "$tmp/log" |
	sort >"$tmp/window"
check "all calls shortly before the triggers are kept" \
	[ "$(join -v 1 "$tmp/window" "$tmp/got" | wc -l)" = 0 ]
awk '$1 >= 1000000000 { $1 = $2 = ""; print }' "$tmp/calls" | sort -u >"$tmp/got-flood"
check_same "calls of the task with most calls have its name" <(echo '  flood') "$tmp/got-flood"
check "calls that trigger have their task's name" \
	[ "$(awk '$1 == 900000000 { print $3 }' "$tmp/calls" | tr '\n' ,)" = renames,renames, ] ||
	note "$(grep '^900000000' "$tmp/calls")"
# Each task makes three calls, under three names.
reused=$(awk '$3 ~ /^[abcd]$/ && $4 == "one" { print $2 }' "$tmp/got" | sort | uniq -d | wc -l)
if [ -e /proc/sys/kernel/ns_last_pid ]; then
	check "some tasks have the same number" [ "$reused" -gt 0 ]
else
	skip "some tasks have the same number" "task numbers cannot be chosen on this kernel"
fi

# The number in its own namespace is not shown for a task that exited before it could be read.
calls --ns | of_log /dev/stdin | grep -v '^[0-9]* [0-9]*? ' >"$tmp/got"
wanted 3 | join <(cut -d' ' -f1 "$tmp/got") - >"$tmp/wanted"
check_same "with --ns known tasks have the PIDs of their own namespace" \
	"$tmp/wanted" "$tmp/got"
check "tasks that still exist are known, in the initial namespace or another" \
	[ "$(grep -cE ' (1 inside|[0-9]+ late)$' "$tmp/got")" = 4 ] ||
	note "$(grep -E 'inside|late' "$tmp/got")"
test_end
