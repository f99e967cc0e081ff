#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# --under: only calls made inside a function are shown. Known calls of the target and of the
# kernel. abi_scope tests the ioctl interface.
. "$(dirname "$0")/lib/ktap.sh"

call()
{
	sh -c "for f in $*; do echo \$f >$target; done"
}
export -f call
export target

# trace_scope OPTION...: traces while the target's functions in $calls are called.
trace_scope()
{
	fargs trace -a "$@" -- bash -c "call $calls" >"$tmp/lines" 2>"$tmp/err"
	calls_of "$tmp/lines" | sed 's/ \[.*//' >"$tmp/got"
}

# check_calls WHAT CALL...
check_calls()
{
	local what=$1
	shift
	printf '%s\n' "$@" >"$tmp/truth"
	check_same "$what" "$tmp/truth" "$tmp/got" || note "$(cat "$tmp/err")"
}

# is_refused WHAT TEXT OPTION...: fargs fails, and its message contains TEXT.
is_refused()
{
	local what=$1 text=$2
	shift 2
	fargs trace -a -f fargs_r_int "$@" -- true >"$tmp/lines" 2>"$tmp/err"
	check "$what" [ $? = 1 ] && check "$what: the message says why" grep -qF -- "$text" "$tmp/err" ||
		note "$(cat "$tmp/err")"
}

test_begin dd

calls="fargs_r_depth fargs_r_int fargs_r_tail"
trace_scope -f 'fargs_r_*' --under 'fargs_r_depth(a == 1)' --under fargs_r_tail
check_calls "with several functions, calls inside any of them are shown" 'fargs_r_depth(a=1)' 'fargs_r_depth(a=0)' \
	'fargs_r_tail(a=4)' 'fargs_r_int(a=5)'
trace_scope -f fargs_r_depth --under 'fargs_r_depth(a == 0)' --under 'fargs_r_*(a == 2)'
check_calls "with several conditions on one function, any of them is enough" 'fargs_r_depth(a=2)' \
	'fargs_r_depth(a=1)' 'fargs_r_depth(a=0)'
trace_scope -f 'fargs_r_*' -n fargs_r_tail --under fargs_r_tail
check_calls "a function excluded by -n is not shown, but calls inside it are" 'fargs_r_int(a=5)'

calls=fargs_r_depth
fargs record -g -a -f fargs_r_depth --under 'fargs_r_depth(a == 1)' -o "$tmp/trace" -- \
	bash -c "call $calls" 2>"$tmp/err"
check "record exits with 0" [ $? = 0 ] || note "$(cat "$tmp/err")"
check "every call is accounted for" is_whole "$tmp/trace" || note "$(cat "$tmp/verify")"
fargs report "$tmp/trace" | sed -n 's/^.* | //p' >"$tmp/got"
check_calls "a graph shows the calls inside the function" 'fargs_r_depth(a=1) [fargs_target] {' \
	'  fargs_r_depth(a=0) [fargs_target] = 0' '} = 1 <fargs_r_depth>'

# Two of six nodes can be read, and only one of them meets the condition.
calls=fargs_m_node
trace_scope -f fargs_m_node --under 'fargs_m_node(node->flags != 2)'
check "a condition on an unreadable value is false" [ "$(wc -l <"$tmp/got")" = 1 ] ||
	note "$(cat "$tmp/lines")"
check "the number of calls with an unreadable value is reported" grep -q "^fargs: skipped everything called inside 4 calls of '--under'," "$tmp/err" ||
	note "$(cat "$tmp/err")"

# Two tasks read the same file at the same time, in pieces of different sizes.
head -c 20480 /dev/zero >"$tmp/data"
read_both()
{
	local i
	for i in 1 2 3 4 5; do
		dd if="$1" of=/dev/null bs=4096 status=none &
		dd if="$1" of=/dev/null bs=512 status=none
		wait
	done
}
export -f read_both
fargs trace -f 'rw_verify_area(file->f_path.dentry->d_name.name == "data")' \
	--under 'vfs_read(count == 4096)' -- bash -c "read_both $tmp/data" >"$tmp/lines" 2>"$tmp/err"
# Five whole pieces and the end of the file, five times.
check "calls inside vfs_read are shown for reads of one size" \
	[ "$(grep -c 'rw_verify_area(.*count=4096)' "$tmp/lines")" = 30 ] ||
	note "$(head -n 40 "$tmp/lines" "$tmp/err")"
check "calls of another task that reads meanwhile are not shown" [ "$(wc -l <"$tmp/lines")" = 30 ] ||
	note "$(grep -v 'count=4096)' "$tmp/lines" | head -n 20)"

is_refused "a value without comparison is refused" "column 13: calls of this function are not recorded" \
	--under 'fargs_r_int(a)'
is_refused "a condition on the return value is refused" "column 20: the condition is evaluated at the call" \
	--under 'fargs_r_int -> ret < 0'
is_refused "a condition on the duration is refused" "column 23: the condition is evaluated at the call" \
	--under 'fargs_r_int($duration > 1us)'
is_refused "an unknown function is refused" "did you mean fargs_r_int," --under fargs_r_imt
test_end
