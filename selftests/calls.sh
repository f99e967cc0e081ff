#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Which calls are shown, and how much of them: stacks, calls that cannot be waited
# for, conditions that cannot be told, filters of tasks.
. "$(dirname "$0")/lib/ktap.sh"

call()
{
	sh -c "echo $1 >$target"
}
export -f call
export target

# trace FUNCTION OPTION...: the calls of one function of the target.
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
check "a stack of three begins with the caller, and goes on to its callers" \
	[ "$(names_of_stack)" = "fargs_r_depth fargs_r_depth target_walk_return " ] ||
	note "$(cat "$tmp/lines" "$tmp/err")"
trace fargs_r_depth --stack -g -f fargs_r_depth
check "in a graph each call has its stack behind its line" \
	[ "$(grep -c 'fargs_r_depth(a=[0-3]).*\( {\| = 0\)$' "$tmp/lines")" = 4 ] ||
	note "$(cat "$tmp/lines" "$tmp/err")"

# The call of 3 is inside nothing, that of 2 inside that; 1 and 0 are too many.
trace fargs_r_depth --maxactive 2 -f 'fargs_r_depth -> ret'
calls_of "$tmp/lines" | sed 's/ \[.*//' >"$tmp/got"
printf 'fargs_r_depth(a=%s)\n' 2 3 >"$tmp/truth"
check_same "of four calls inside each other two are waited for" "$tmp/truth" "$tmp/got"
check "and two are missed, which is reported with what to do about it" grep -q \
	'^fargs: missed 2 calls (fargs_r_depth: 2): more than 2 were waiting to return: raise --maxactive ' \
	"$tmp/err" || note "$(cat "$tmp/err")"
fargs record -o "$tmp/missed.dat" -a --maxactive 1 -f 'fargs_r_depth -> ret' -f 'fargs_r_int -> ret' -- \
	bash -c 'call fargs_r_depth; call fargs_r_int' >"$tmp/out" 2>"$tmp/err"
fargs info "$tmp/missed.dat" | sed -nE 's/^missed +([0-9]+  )/\1/p' >"$tmp/got"
echo "3  fargs_r_depth [fargs_target]" >"$tmp/truth"
check_same "a file has them by function" "$tmp/truth" "$tmp/got"
fargs report --json "$tmp/missed.dat" 2>/dev/null | grep '"type":"missed"' |
	sed 's/"0x[0-9a-f]*"/A/' >"$tmp/got"
echo '{"type":"missed","name":"fargs_r_depth","module":"fargs_target","address":A,"missed":3}' >"$tmp/truth"
check_same "and no other function, nor task" "$tmp/truth" "$tmp/got"
# As if the recorder had been killed before it wrote the counters: the chunk STATS (fargs.dat(5)).
at=$(LC_ALL=C grep -obaP 'chn2\x09\x00' "$tmp/missed.dat" | tail -n 1 | cut -d: -f1)
head -c "$at" "$tmp/missed.dat" >"$tmp/cut.dat"
fargs recover -o "$tmp/recovered.dat" "$tmp/cut.dat" >"$tmp/out" 2>&1
check "of a file that was cut off, also if recovered, they are not known" grep -q \
	'^missed     not known: ' <(fargs info "$tmp/recovered.dat") || note "$(cat "$tmp/out")"

# Of six nodes two can be read, one of them has these flags.
trace fargs_m_node -f 'fargs_m_node(node->flags != 2)'
check "what cannot be read meets no condition" [ "$(wc -l <"$tmp/lines")" = 1 ] ||
	note "$(cat "$tmp/lines")"
check "and is told" grep -q '^fargs: left out 4 calls, ' "$tmp/err" || note "$(cat "$tmp/err")"

trace fargs_r_int --min-duration 0ns -f 'fargs_r_int'
check "every call takes as long as nothing" [ "$(wc -l <"$tmp/lines")" = 4 ]
trace fargs_r_int --min-duration 1000s -f 'fargs_r_int'
check "none takes a quarter of an hour" [ ! -s "$tmp/lines" ]

# The three of return.txt with the types and values of errors, not fargs_r_s8's -1 nor NULL.
trace all --only-errors -f 'fargs_r_*'
calls_of "$tmp/lines" | sed 's/0xffff[0-9a-f]*)/P)/2g; s/out=0x[0-9a-f]*/out=P/
	s/ \[fargs_target\]//; s/ ([0-9.]* us)$//' >"$tmp/got"
cat >"$tmp/truth" <<'END'
fargs_r_int(a=-2) = -2 (ENOENT)
fargs_r_long(a=-512) = -512 (ERESTARTSYS)
fargs_r_ptr(a=0xfffffffffffffff3) = ERR_PTR -13 (EACCES)
fargs_r_out(a=-1, out=P) = -1 (EPERM)
END
check_same "of all returns those that are errors by their type" "$tmp/truth" "$tmp/got"
check "functions that return none are counted" \
	grep -q 'of them because they return no error (-v lists them)$' "$tmp/err" ||
	note "$(cat "$tmp/err")"
trace all --only-errors -f fargs_r_void
check "one that is named is a mistake" \
	grep -q "^fargs: 'fargs_r_void' cannot be traced: .*--only-errors" "$tmp/err" ||
	note "$(cat "$tmp/err")"
trace all --only-errors -g -f fargs_r_int
check "a graph cannot wait for errors" grep -q 'leave out -g' "$tmp/err" || note "$(cat "$tmp/err")"

trace fargs_r_int --comm 's?' -f fargs_r_int
check "by the shell, by a pattern of its name" [ "$(wc -l <"$tmp/lines")" = 4 ]
trace fargs_r_int --comm 'bash*' -f fargs_r_int
check "by another name, none" [ ! -s "$tmp/lines" ]
trace fargs_r_int --uid 0 -f fargs_r_int
check "by root" [ "$(wc -l <"$tmp/lines")" = 4 ]
trace fargs_r_int --uid 1-4294967294 -f fargs_r_int
check "by all others, none" [ ! -s "$tmp/lines" ]
# What the task itself says agrees with what its record says.
trace fargs_r_int -f 'fargs_r_int($task->pid, $task->comm, $tid, $task->group_leader->pid == $pid)'
check "the task, by its type" [ "$(sed -n 's/.* sh-\([0-9]*\) .*\$task->pid=\([0-9]*\), \$task->comm="sh", \$tid=\([0-9]*\)).*/\1 \2 \3/p' "$tmp/lines" |
	awk '$1 == $2 && $2 == $3' | wc -l)" = 4 ] || note "$(cat "$tmp/lines" "$tmp/err")"
trace fargs_r_int --cpu 0-1023 -f 'fargs_r_int(a < 0)'
check "on any CPU, with a condition besides" [ "$(wc -l <"$tmp/lines")" = 2 ]
test_end
