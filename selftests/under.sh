#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Only what is called inside a function: known calls of the target, and of the kernel.
# The interface below is abi_scope's.
. "$(dirname "$0")/lib/ktap.sh"

call()
{
	sh -c "for f in $*; do echo \$f >$target; done"
}
export -f call
export target

# under SELECTORS OPTION...: what the target's functions in $calls do inside.
under()
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

# mistake WHAT TEXT OPTION...
mistake()
{
	local what=$1 text=$2
	shift 2
	fargs trace -a -f fargs_r_int "$@" -- true >"$tmp/lines" 2>"$tmp/err"
	check "$what" [ $? = 1 ] && check "and why" grep -qF -- "$text" "$tmp/err" ||
		note "$(cat "$tmp/err")"
}

test_begin dd

calls="fargs_r_depth fargs_r_int fargs_r_tail"
under -f 'fargs_r_*' --under 'fargs_r_depth(a == 1)' --under fargs_r_tail
check_calls "of several functions each is enough" 'fargs_r_depth(a=1)' 'fargs_r_depth(a=0)' \
	'fargs_r_tail(a=4)' 'fargs_r_int(a=5)'
under -f fargs_r_depth --under 'fargs_r_depth(a == 0)' --under 'fargs_r_*(a == 2)'
check_calls "as of several conditions on one function" 'fargs_r_depth(a=2)' \
	'fargs_r_depth(a=1)' 'fargs_r_depth(a=0)'
under -f 'fargs_r_*' -n fargs_r_tail --under fargs_r_tail
check_calls "a function that is left out is not shown, what it calls is" 'fargs_r_int(a=5)'

calls=fargs_r_depth
fargs record -g -a -f fargs_r_depth --under 'fargs_r_depth(a == 1)' -o "$tmp/trace" -- \
	bash -c "call $calls" 2>"$tmp/err"
check "record exits with 0" [ $? = 0 ] || note "$(cat "$tmp/err")"
check "every call is accounted for" is_whole "$tmp/trace" || note "$(cat "$tmp/verify")"
fargs report "$tmp/trace" | sed -n 's/^.* | //p' >"$tmp/got"
check_calls "a graph shows what is inside" 'fargs_r_depth(a=1) [fargs_target] {' \
	'  fargs_r_depth(a=0) [fargs_target] = 0' '} = 1 <fargs_r_depth>'

# Of six nodes two can be read, one of them has these flags.
calls=fargs_m_node
under -f fargs_m_node --under 'fargs_m_node(node->flags != 2)'
check "what cannot be read meets no condition" [ "$(wc -l <"$tmp/got")" = 1 ] ||
	note "$(cat "$tmp/lines")"
check "and is told" grep -q '^fargs: left out what was called in 4 calls of --under,' "$tmp/err" ||
	note "$(cat "$tmp/err")"

# Two tasks read the same file at the same time, by pieces of other sizes.
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
# Five whole pieces and the end, five times.
check "what vfs_read calls is shown for reads of one size" \
	[ "$(grep -c 'rw_verify_area(.*count=4096)' "$tmp/lines")" = 30 ] ||
	note "$(head -n 40 "$tmp/lines" "$tmp/err")"
check "and for no other task that reads meanwhile" [ "$(wc -l <"$tmp/lines")" = 30 ] ||
	note "$(grep -v 'count=4096)' "$tmp/lines" | head -n 20)"

mistake "a value is no condition" "column 13: calls of this function are not recorded" \
	--under 'fargs_r_int(a)'
mistake "nor is what is known at the return" "column 20: what is inside a function is told" \
	--under 'fargs_r_int -> ret < 0'
mistake "or was to be" "column 23: what is inside a function is told" \
	--under 'fargs_r_int($duration > 1us)'
mistake "a name that is none is told" "did you mean fargs_r_int," --under fargs_r_imt
test_end
