#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Which calls are shown: stacks, missed returns, conditions on unreadable values, --min-duration,
# --only-errors, and filters by task.
. "$(dirname "$0")/lib/ktap.sh"

call()
{
	sh -c "echo $1 >$target"
}
export -f call
export target

# trace FUNCTION OPTION...: traces while the target makes its calls of FUNCTION.
trace()
{
	local name=$1
	shift
	fargs trace -a "$@" -- bash -c "call $name" >"$tmp/lines" 2>"$tmp/err"
}

names_of_stack()
{
	sed -n 's/^ => \([a-z_]*\)+0x.* \[fargs_target\]$/\1/p' "$tmp/lines" | tr '\n' ' '
}

test_begin
trace fargs_r_depth --stack=3 -f 'fargs_r_depth(a == 1)'
check "a stack of three begins with the caller" \
	[ "$(names_of_stack)" = "fargs_r_depth fargs_r_depth target_walk_return " ] ||
	note "$(cat "$tmp/lines" "$tmp/err")"
trace fargs_r_depth --stack -g -f fargs_r_depth
check "in a graph each call's stack follows its line" \
	[ "$(grep -c 'fargs_r_depth(a=[0-3]).*\( {\| = 0\)$' "$tmp/lines")" = 4 ] ||
	note "$(cat "$tmp/lines" "$tmp/err")"

# The call with 3 is the outermost, the one with 2 is inside it; those with 1 and 0 are too many.
trace fargs_r_depth --maxactive 2 -f 'fargs_r_depth -> ret'
calls_of "$tmp/lines" | sed 's/ \[.*//' >"$tmp/got"
printf 'fargs_r_depth(a=%s)\n' 2 3 >"$tmp/truth"
check_same "with --maxactive 2, two of four nested calls are recorded" "$tmp/truth" "$tmp/got"
check "missed calls are reported, with a suggestion to raise --maxactive" grep -q \
	"^fargs: missed 2 calls (fargs_r_depth: 2): more than 2 were pending: raise '--maxactive' " \
	"$tmp/err" || note "$(cat "$tmp/err")"
fargs record -o "$tmp/missed.dat" -a --maxactive 1 -f 'fargs_r_depth -> ret' -f 'fargs_r_int -> ret' -- \
	bash -c 'call fargs_r_depth; call fargs_r_int' >"$tmp/out" 2>"$tmp/err"
fargs info "$tmp/missed.dat" | sed -nE 's/^missed +([0-9]+  )/\1/p' >"$tmp/got"
echo "3  fargs_r_depth [fargs_target]" >"$tmp/truth"
check_same "info shows missed calls by function" "$tmp/truth" "$tmp/got"
fargs report --json "$tmp/missed.dat" 2>/dev/null | grep '"type":"missed"' |
	sed 's/"0x[0-9a-f]*"/A/' >"$tmp/got"
echo '{"type":"missed","name":"fargs_r_depth","module":"fargs_target","address":A,"missed":3}' >"$tmp/truth"
check_same "report --json shows missed calls of that function only" "$tmp/truth" "$tmp/got"
# As if the recorder had been killed before it wrote the counters (chunk STATS, fargs.dat(5)).
at=$(LC_ALL=C grep -obaP 'chn2\x09\x00' "$tmp/missed.dat" | tail -n 1 | cut -d: -f1)
head -c "$at" "$tmp/missed.dat" >"$tmp/cut.dat"
fargs recover -o "$tmp/recovered.dat" "$tmp/cut.dat" >"$tmp/out" 2>&1
check "in a recovered file that was cut off the number of missed calls is unknown" grep -q \
	'^missed     not known: ' <(fargs info "$tmp/recovered.dat") || note "$(cat "$tmp/out")"

# Two of six nodes can be read, and only one of them meets the condition.
trace fargs_m_node -f 'fargs_m_node(node->flags != 2)'
check "a condition on an unreadable value is false" [ "$(wc -l <"$tmp/lines")" = 1 ] ||
	note "$(cat "$tmp/lines")"
check "the number of calls with an unreadable value is reported" grep -q '^fargs: skipped 4 calls, ' "$tmp/err" || note "$(cat "$tmp/err")"

trace fargs_r_int --min-duration 0ns -f 'fargs_r_int'
check "--min-duration 0 shows every call" [ "$(wc -l <"$tmp/lines")" = 4 ]
trace fargs_r_int --min-duration 1000s -f 'fargs_r_int'
check "--min-duration 1000s shows no call" [ ! -s "$tmp/lines" ]

# Calls of return.txt whose return value is an error by type and value: not -1 of fargs_r_s8, nor
# NULL.
trace all --only-errors -f 'fargs_r_*'
calls_of "$tmp/lines" | sed 's/0xffff[0-9a-f]*)/P)/2g; s/out=0x[0-9a-f]*/out=P/
	s/ \[fargs_target\]//; s/ ([0-9.]* us)$//' >"$tmp/got"
cat >"$tmp/truth" <<'END'
fargs_r_int(a=-2) = -2 (ENOENT)
fargs_r_long(a=-512) = -512 (ERESTARTSYS)
fargs_r_ptr(a=0xfffffffffffffff3) = ERR_PTR -13 (EACCES)
fargs_r_out(a=-1, out=P) = -1 (EPERM)
END
check_same "--only-errors shows the returns that are errors by their type" "$tmp/truth" "$tmp/got"
check "--only-errors counts functions that return no error" \
	grep -q "of them because of '--only-errors' ('-v' lists them)\$" "$tmp/err" ||
	note "$(cat "$tmp/err")"
trace all --only-errors -f fargs_r_void
check "--only-errors refuses a named function that returns no error" \
	grep -q "^fargs: 'fargs_r_void' cannot be traced: .*--only-errors" "$tmp/err" ||
	note "$(cat "$tmp/err")"
trace all --only-errors -g -f fargs_r_int
check "--only-errors is refused with -g" grep -q "remove one of them" "$tmp/err" || note "$(cat "$tmp/err")"

trace fargs_r_int --comm 's?' -f fargs_r_int
check "--comm shows calls of tasks whose name matches" [ "$(wc -l <"$tmp/lines")" = 4 ]
trace fargs_r_int --comm 'bash*' -f fargs_r_int
check "--comm shows no calls of other tasks" [ ! -s "$tmp/lines" ]
trace fargs_r_int --uid 0 -f fargs_r_int
check "--uid 0 shows calls of root" [ "$(wc -l <"$tmp/lines")" = 4 ]
trace fargs_r_int --uid 1-4294967294 -f fargs_r_int
check "--uid with all other users shows no call" [ ! -s "$tmp/lines" ]
# Members of task_struct agree with the record's task.
trace fargs_r_int -f 'fargs_r_int($task->pid, $task->comm, $tid, $task->group_leader->pid == $pid)'
check "members of \$task can be fetched" [ "$(sed -n 's/.* sh-\([0-9]*\) .*\$task->pid=\([0-9]*\), \$task->comm="sh", \$tid=\([0-9]*\)).*/\1 \2 \3/p' "$tmp/lines" |
	awk '$1 == $2 && $2 == $3' | wc -l)" = 4 ] || note "$(cat "$tmp/lines" "$tmp/err")"
trace fargs_r_int --cpu 0-1023 -f 'fargs_r_int(a < 0)'
check "--cpu can be combined with a condition" [ "$(wc -l <"$tmp/lines")" = 2 ]
test_end
