#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Functions of a module that is loaded while it is traced, its init function included.
# What they are called with is in samples/late/main.c.
. "$(dirname "$0")/lib/ktap.sh"

test_begin
modprobe -n -q fargs_late || skip_all "module fargs_late is not installed"
rmmod fargs_late 2>/dev/null
call=/sys/module/fargs_late/parameters/call
before=$(nr_traced)

# Calls in the order of their lines, without what only the machine decides.
calls_late()
{
	sed -nE 's/.*[0-9]: (fargs_late_[a-z0-9_]*\(.*\)) \[fargs_late\] .*/\1/p' "$1" |
		sed -E 's/name=0xffff[0-9a-f]{12}/name=POINTER/'
}

# What init calls, as lines show it; without fargs_late_twin: which one's arguments are
# whose BTF does not tell, so they are refused.
of_init()
{
	cat <<-END
		fargs_late_setup(number=-2, name=POINTER, flags=81985529216486895, small=-3)
		fargs_late_static(a=1, b=20, c=300)
		fargs_late_call_twin()
		fargs_late_work(number=-1000000000000, flags=3735928559)
	END
}

cat >"$tmp/life" <<-END
	modprobe fargs_late || exit
	echo 2 >$call
	rmmod fargs_late
END
{
	of_init
	echo "fargs_late_work(number=0, flags=7)"
	echo "fargs_late_work(number=1, flags=7)"
	echo "fargs_late_bye(code=65534)"
} >"$tmp/wanted"
cat "$tmp/wanted" "$tmp/wanted" >"$tmp/wanted_twice"

# says WHAT PATTERN COMMAND...: it fails, and says one line.
says()
{
	local what=$1 pattern=$2
	shift 2
	if "$@" >"$tmp/out" 2>"$tmp/err"; then
		fail "$what: it should fail"
	elif [ "$(wc -l <"$tmp/err")" = 1 ] && grep -qE -- "$pattern" "$tmp/err"; then
		pass "$what"
	else
		fail "$what"
	fi
	note "$(cat "$tmp/err")"
}

# Both ways on, as they are written in the line.
ways="modprobe fargs_late first, or ask for 'fargs_late:"
says "a function of a module that is not loaded" "module fargs_late, not loaded, has it: ${ways}fargs_late_work'" \
	fargs trace -a -f fargs_late_work -- true
says "functions of a module that is not loaded" "[1-9] of module fargs_late, not loaded, do: ${ways}fargs_late_\\*'" \
	fargs record -a -f 'fargs_late_*' -o "$tmp/none" -- true
says "the same to list them" "module fargs_late, not loaded, has it: ${ways}fargs_late_work'" \
	fargs list -f fargs_late_work
# It cannot be awaited to be inside of it.
says "a function to be inside of" "has it: modprobe fargs_late first\$" \
	fargs trace -a -f vfs_read --under fargs_late_work -- true
says "a function of no module" "\(inlined everywhere, or misspelt\), nor in [1-9][0-9]* modules? not loaded and called alike" \
	fargs trace -a -f fargs_qqqqqqqqqqqqqqqq -- true
# One of the kernel's own, whose file may be compressed.
if modprobe -n -q xfs && [ ! -e /sys/module/xfs ]; then
	says "a function of the kernel's own modules" "module xfs, not loaded, has it: modprobe xfs first" \
		fargs trace -a -f xfs_file_fsync -- true
	says "a tracepoint of the kernel's own modules" "module xfs, not loaded, has it: modprobe xfs first" \
		fargs trace -a -t xfs_file_fsync -- true
fi

fargs list -f 'fargs_late:fargs_late_[sw]*' --proto >"$tmp/list" 2>"$tmp/err"
check "list shows a module that is not loaded" [ $? = 0 ] || note "$(cat "$tmp/err")"
cat >"$tmp/list_wanted" <<-END
	int fargs_late_setup(int number, const char *name, u64 flags, s8 small) [fargs_late, not loaded]
	int fargs_late_static(u32 a, u32 b, u32 c) [fargs_late, not loaded]
	s64 fargs_late_work(s64 number, u32 flags) [fargs_late, not loaded]
END
sort -k2 "$tmp/list" >"$tmp/list_sorted"
check_same "with prototypes, and says so" "$tmp/list_wanted" "$tmp/list_sorted"

fargs trace -a -f 'fargs_late:fargs_late_*' -n '*fill*' -o "$tmp/lines" -- bash "$tmp/life" 2>"$tmp/err"
check "trace waits for the module" [ $? = 0 ] || note "$(cat "$tmp/err")"
check "and says that it is not loaded" grep -q 'module fargs_late is not loaded yet' "$tmp/err"
calls_late "$tmp/lines" >"$tmp/got"
check_same "arguments of init functions, of others, and of the last one" \
	"$tmp/wanted" "$tmp/got" || note "$(cat "$tmp/lines" "$tmp/err")"

cat "$tmp/life" "$tmp/life" >"$tmp/lives"
fargs record -a -f 'fargs_late:fargs_late_*' -f vfs_read -n '*fill*' -o "$tmp/trace" -- bash "$tmp/lives" 2>"$tmp/err"
check "record follows it through two lives" [ $? = 0 ] || note "$(cat "$tmp/err")"
fargs report "$tmp/trace" >"$tmp/lines"
calls_late "$tmp/lines" >"$tmp/got"
check_same "both are in the file" "$tmp/wanted_twice" "$tmp/got"
check "with the kernel's own calls" grep -q ' vfs_read(' "$tmp/lines"
check "the file is whole" is_whole "$tmp/trace"

fargs trace -a -f 'fargs_late:fargs_late_setup(name:str | number < 0) -> ret' \
	-f 'fargs_late:fargs_late_work(number > 0)' -o "$tmp/lines" -- bash "$tmp/life" 2>"$tmp/err"
check "conditions, fetches and returns" [ $? = 0 ] || note "$(cat "$tmp/err")"
check "the string, and what an init function returned" \
	grep -qF 'name="late", flags=81985529216486895, small=-3) [fargs_late] = -2 (ENOENT)' "$tmp/lines" || note "$(cat "$tmp/lines")"
check "of the other only calls that qualify" \
	[ "$(calls_late "$tmp/lines" | grep work)" = "fargs_late_work(number=1, flags=7)" ]

fargs trace -a -f 'fargs_late:fargs_late_*' -n '*fill*' -o "$tmp/lines" -- modprobe fargs_late fail=1 2>"$tmp/err"
calls_late "$tmp/lines" >"$tmp/got"
of_init >"$tmp/wanted"
check_same "a module whose init fails" "$tmp/wanted" "$tmp/got"
check "it is gone" [ ! -e /sys/module/fargs_late ]

fargs trace -a -f 'fargs_no_such:*' -- true >"$tmp/lines" 2>"$tmp/err"
check "a module that there is not is refused" [ $? = 1 ]
check "in one line" [ "$(wc -l <"$tmp/err")" = 1 ]
check "that says so" grep -q "there is no module 'fargs_no_such'" "$tmp/err" || note "$(cat "$tmp/err")"
fargs trace -a -f 'fargs_late:fargs_late_wrok' -- true >"$tmp/lines" 2>"$tmp/err"
check "a function that it has not is refused, and a near one told" \
	grep -q "did you mean.*fargs_late_work" "$tmp/err" || note "$(cat "$tmp/err")"
check "nothing is traced afterwards" nr_traced_is "$before"
test_end
