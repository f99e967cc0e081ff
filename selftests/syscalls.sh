#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# System calls that succeed and that fail: names and errors seen in the kernel are
# those that strace sees, of the same run.
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

# add FETCHES FUNCTION...: a selector for the first that there is.
add()
{
	local fetches=$1 function
	shift
	function=$(first_traceable "$@")
	[ -z "$function" ] || selectors+=(-f "$function($fetches) -> ret")
}

# Functions have other names from one kernel to the next.
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

# Those that BTF does not describe, or in two ways, are none that can be followed.
leave_out_unknown()
{
	fargs list -f '__x64_sys_* -> ret' 2>/dev/null | sed -n 's/.*__x64_sys_\([a-z0-9_]*\).*/\1/p' \
		>"$tmp/known"
	awk 'NR == FNR { is_known[$1] = 1; next } is_known[$2] { print; next }
	     { print >(to) }' to="$tmp/unknown" "$tmp/known" "$tmp/wanted" >"$tmp/wanted2"
	mv "$tmp/wanted2" "$tmp/wanted"
	note "not known: $(cut -d ' ' -f 2 "$tmp/unknown" | sort | uniq -c | tr -s ' \n' ' ')"
}

# compare WHAT TEXT LEAST: there are so many calls, at least.
compare()
{
	"$syscalls_pl" strace "$1" "$tmp"/strace.* >"$tmp/wanted" || fail "strace's words"
	[ "$1" != all ] || leave_out_unknown
	"$syscalls_pl" fargs "$1" "$tmp/lines" | sort -s -n -k 1,1 >"$tmp/got"
	check "strace sees them: $1" [ "$(wc -l <"$tmp/wanted")" -ge "$3" ] ||
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

compare all "every system call of each task returns what strace says" 200
check "some fail, in many ways" \
	[ "$(sed -n 's/.* = \(E.*\)/\1/p' "$tmp/wanted" | sort -u | tee "$tmp/errors" | wc -l)" -ge 20 ] ||
	note "$(cat "$tmp/errors")"
note "$(wc -l <"$tmp/wanted") system calls, $(wc -l <"$tmp/errors") different errors"
compare open "what was to be opened, as the program said" 40
compare walk "what was looked for, as the kernel read it" 40
compare vfs "the names of the files that were opened" 20
compare names "names made, changed and removed" 40
test_end
