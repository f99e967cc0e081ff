#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# System calls that succeed or fail: file names and errors shown by fargs are those that strace
# shows for the same run.
. "$(dirname "$0")/lib/ktap.sh"

syscalls_pl=$test_dir/lib/syscalls.pl

# first_traceable FUNCTION...
first_traceable()
{
	local function
	for function in "$@"; do
		if grep -q "^$function$" "$tracing/available_filter_functions"; then
			echo "$function"
			return
		fi
	done
}

# add FETCHES FUNCTION...: adds a selector for the first function that is traceable.
add()
{
	local fetches=$1 function
	shift
	function=$(first_traceable "$@")
	[ -z "$function" ] || selectors+=(-f "$function($fetches) -> ret")
}

# Function names differ between kernels.
choose()
{
	selectors=(-f '__x64_sys_* -> ret')
	add 'filename:ustr' do_sys_openat2
	add 'pathname->name:str' do_filp_open do_file_open
	add 'path->dentry->d_name.name:str | path->dentry->d_name.name == "real-*"' vfs_open
	add 'name->name:str' do_mkdirat filename_mkdirat
	add 'name->name:str' do_rmdir filename_rmdir
	add 'name->name:str' do_unlinkat filename_unlinkat
	add 'old->name:str, new->name:str' do_linkat filename_linkat
	add 'from->name:str, to->name:str' do_symlinkat filename_symlinkat
	add 'from->name:str, to->name:str' do_renameat2 filename_renameat2
}

# Drops system calls that BTF does not describe, or describes in two ways: they are not traceable.
leave_out_unknown()
{
	fargs list -f '__x64_sys_* -> ret' 2>/dev/null | sed -n 's/.*__x64_sys_\([a-z0-9_]*\).*/\1/p' \
		>"$tmp/known"
	awk 'NR == FNR { is_known[$1] = 1; next } is_known[$2] { print; next }
	     { print >(to) }' to="$tmp/unknown" "$tmp/known" "$tmp/wanted" >"$tmp/wanted2"
	mv "$tmp/wanted2" "$tmp/wanted"
	check "the functions listed are sorted" sort -c "$tmp/known"
	note "not known: $(cut -d ' ' -f 2 "$tmp/unknown" | sort | uniq -c | tr -s ' \n' ' ')"
}

# compare WHAT TEXT LEAST: at least LEAST calls, and the same as strace's.
compare()
{
	"$syscalls_pl" strace "$1" "$tmp"/strace.* >"$tmp/wanted" || fail "strace's output can be parsed"
	[ "$1" != all ] || leave_out_unknown
	"$syscalls_pl" fargs "$1" "$tmp/lines" | sort -s -n -k 1,1 >"$tmp/got"
	check "strace shows enough system calls: $1" [ "$(wc -l <"$tmp/wanted")" -ge "$3" ] ||
		note "$(cat "$tmp/wanted")"
	check_same "$2" "$tmp/wanted" "$tmp/got"
}

test_begin strace perl
syscalls=$(program syscalls) || skip_all "syscalls is not built"
mkdir "$tmp/dir"
mount -t tmpfs none "$tmp/dir"
trap 'umount "$tmp/dir"; test_cleanup' EXIT
chmod 755 "$tmp" "$tmp/dir"
choose
note "${selectors[@]}"

fargs record -m 4M -s 512 --comm syscalls "${selectors[@]}" -o "$tmp/trace" -- \
	strace -qq -ff -y -s 1000 -e signal=none -o "$tmp/strace" \
	"$syscalls" fail "$tmp/dir" 2>"$tmp/err"
check "record exits with 0" [ $? = 0 ] || note "$(cat "$tmp/err")"
check "every call is accounted for" is_whole "$tmp/trace" ||
	note "$(cat "$tmp/verify")"
fargs report "$tmp/trace" >"$tmp/lines"

compare all "every system call of each task returns the value that strace shows" 200
check "system calls fail with many different errors" \
	[ "$(sed -n 's/.* = \(E.*\)/\1/p' "$tmp/wanted" | sort -u | tee "$tmp/errors" | wc -l)" -ge 20 ] ||
	note "$(cat "$tmp/errors")"
note "$(wc -l <"$tmp/wanted") system calls, $(wc -l <"$tmp/errors") different errors"
compare open "file names in user memory are those that strace shows" 40
compare walk "file names copied by the kernel are those that strace shows" 40
compare vfs "names of opened files are those that strace shows" 20
compare names "names created, renamed and removed are those that strace shows" 40
test_end
