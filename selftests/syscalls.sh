#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# System calls that succeed or fail: file names and errors shown by fargs are those that strace
# shows for the same run. And where the calls of a traced command begin.
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

# numbers FILE: the numbers of the system calls in a file with lines of fargs trace.
numbers()
{
	sed -n -e 's/.* sys_enter(.*id=\([0-9]*\).*/\1/p' -e 's/.*sys_enter: NR \([0-9]*\).*/\1/p' "$1"
}

# begins OPTION...: writes the system calls of a command to the file got. The file wanted has those
# that strace shows, the first of which is the execve that loads the command's program.
begins()
{
	fargs trace "$@" -- true >"$tmp/lines" 2>"$tmp/err" || note "$(cat "$tmp/err")"
	numbers "$tmp/lines" >"$tmp/got"
}

check_begin()
{
	strace -n -qq -o "$tmp/first" true
	sed 's/^\[ *\([0-9]*\)\].*/\1/' "$tmp/first" >"$tmp/whole"
	tail -n +2 "$tmp/whole" >"$tmp/wanted"
	begins -t sys_enter
	check_same "a command's calls begin after its exec, with the first" "$tmp/wanted" "$tmp/got"
	begins -e raw_syscalls:sys_enter
	check_same "a command's events begin after its exec, with the first" "$tmp/wanted" "$tmp/got"
	begins -t sys_enter --with-exec
	tail -n "$(wc -l <"$tmp/whole")" "$tmp/got" >"$tmp/last"
	check_same "with --with-exec, the exec is shown, too" "$tmp/whole" "$tmp/last"
	check "with --with-exec, calls before the exec are shown" \
		[ "$(wc -l <"$tmp/got")" -gt "$(wc -l <"$tmp/whole")" ] || note "$(cat "$tmp/lines")"
	begins -t sys_enter -a --comm fargs
	check "with -a, calls of the command before its exec are not shown" [ ! -s "$tmp/lines" ] ||
		note "$(cat "$tmp/lines")"
	begins -t sys_enter -a --comm fargs --with-exec
	check "with -a --with-exec, they are" grep -q . "$tmp/lines"
	fargs trace -t sched_process_exec -- true >"$tmp/lines" 2>"$tmp/err"
	check "the tracepoint of the exec is shown" \
		[ "$(grep -c '^ *true-.* sched_process_exec(' "$tmp/lines")" = 1 ] || note "$(cat "$tmp/lines")"
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
check_begin
test_end
