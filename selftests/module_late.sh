#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Functions of a module that is loaded after tracing began, its init function included. Their
# arguments are in samples/late/main.c.
. "$(dirname "$0")/lib/ktap.sh"

test_begin
modprobe -n -q fargs_late || skip_all "module fargs_late is not installed"
rmmod fargs_late 2>/dev/null
call=/sys/module/fargs_late/parameters/call
before=$(nr_traced)

# Calls in the order of their lines, with addresses replaced.
calls_late()
{
	sed -nE 's/.*[0-9]: (fargs_late_[a-z0-9_]*\(.*\)) \[fargs_late\] .*/\1/p' "$1" |
		sed -E 's/name=0xff[0-9a-f]{14}/name=POINTER/'
}

# The calls of init. Not fargs_late_twin: there are two functions of that name, and BTF does not
# show which arguments belong to which, so fargs refuses them.
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

# fails_with WHAT PATTERN COMMAND...: it fails, and prints one line that matches.
fails_with()
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

# Both suggestions that the message makes.
ways="modprobe fargs_late first, or write 'fargs_late:"
fails_with "a function of a module that is not loaded is reported with its module" "module fargs_late, not loaded, has it: ${ways}fargs_late_work' to trace it as soon as the module is loaded" \
	fargs trace -a -f fargs_late_work -- true
fails_with "a pattern that matches in a module that is not loaded is reported" "modules that are not loaded do \([1-9][0-9]* of module fargs_late\): ${ways}fargs_late_\\*'" \
	fargs record -a -f 'fargs_late_*' -o "$tmp/none" -- true
fails_with "list reports the module that is not loaded, too" "module fargs_late, not loaded, has it: ${ways}fargs_late_work' to trace it as soon as the module is loaded" \
	fargs list -f fargs_late_work
# --under does not wait for a module.
fails_with "a function of --under in a module that is not loaded is reported" "has it: modprobe fargs_late first\$" \
	fargs trace -a -f vfs_read --under fargs_late_work -- true
fails_with "a function that is in no module is reported" "\(inlined everywhere, or misspelt\); also searched [1-9][0-9]* modules? with similar names that (is|are) not loaded" \
	fargs trace -a -f fargs_qqqqqqqqqqqqqqqq -- true
# One of the kernel's own, whose file may be compressed.
if modprobe -n -q xfs && [ ! -e /sys/module/xfs ]; then
	fails_with "a function of one of the kernel's modules is reported" "module xfs, not loaded, has it: modprobe xfs first" \
		fargs trace -a -f xfs_file_fsync -- true
	fails_with "a tracepoint of one of the kernel's modules is reported" "module xfs, not loaded, has it: modprobe xfs first" \
		fargs trace -a -t xfs_file_fsync -- true
fi

fargs list -f 'fargs_late:fargs_late_[sw]*' --proto >"$tmp/list" 2>"$tmp/err"
check "list accepts a module that is not loaded" [ $? = 0 ] || note "$(cat "$tmp/err")"
cat >"$tmp/list_wanted" <<-END
	int fargs_late_setup(int number, const char *name, u64 flags, s8 small) [fargs_late, not loaded]
	int fargs_late_static(u32 a, u32 b, u32 c) [fargs_late, not loaded]
	s64 fargs_late_work(s64 number, u32 flags) [fargs_late, not loaded]
END
sort -k2 "$tmp/list" >"$tmp/list_sorted"
check_same "list shows prototypes, and that the module is not loaded" "$tmp/list_wanted" "$tmp/list_sorted"

fargs trace -a -f 'fargs_late:fargs_late_*' -n '*fill*' -o "$tmp/lines" -- bash "$tmp/life" 2>"$tmp/err"
check "trace waits for the module" [ $? = 0 ] || note "$(cat "$tmp/err")"
check "trace reports that the module is not loaded yet" grep -q "module 'fargs_late' is not loaded yet" "$tmp/err"
calls_late "$tmp/lines" >"$tmp/got"
check_same "calls of init, of other functions and of exit are shown" \
	"$tmp/wanted" "$tmp/got" || note "$(cat "$tmp/lines" "$tmp/err")"

cat "$tmp/life" "$tmp/life" >"$tmp/lives"
fargs record -a -f 'fargs_late:fargs_late_*' -f vfs_read -n '*fill*' -o "$tmp/trace" -- bash "$tmp/lives" 2>"$tmp/err"
check "record continues when the module is loaded a second time" [ $? = 0 ] || note "$(cat "$tmp/err")"
fargs report "$tmp/trace" >"$tmp/lines"
calls_late "$tmp/lines" >"$tmp/got"
check_same "calls after each load are recorded" "$tmp/wanted_twice" "$tmp/got"
check "calls of the kernel's own functions are recorded" grep -q ' vfs_read(' "$tmp/lines"
check "every record is accounted for" is_whole "$tmp/trace"

fargs trace -a -f 'fargs_late:fargs_late_setup(name:str | number < 0) -> ret' \
	-f 'fargs_late:fargs_late_work(number > 0)' -o "$tmp/lines" -- bash "$tmp/life" 2>"$tmp/err"
check "trace accepts conditions, fetches and returns for a module that is not loaded" [ $? = 0 ] || note "$(cat "$tmp/err")"
check "a string and the return value of an init function are shown" \
	grep -qF 'name="late", flags=81985529216486895, small=-3) [fargs_late] = -2 (ENOENT)' "$tmp/lines" || note "$(cat "$tmp/lines")"
check "only calls that meet the condition are shown" \
	[ "$(calls_late "$tmp/lines" | grep work)" = "fargs_late_work(number=1, flags=7)" ]

fargs trace -a -f 'fargs_late:fargs_late_*' -n '*fill*' -o "$tmp/lines" -- modprobe fargs_late fail=1 2>"$tmp/err"
calls_late "$tmp/lines" >"$tmp/got"
of_init >"$tmp/wanted"
check_same "calls of a module whose init fails are shown" "$tmp/wanted" "$tmp/got"
check "the module whose init failed is not loaded" [ ! -e /sys/module/fargs_late ]

fargs trace -a -f 'fargs_no_such:*' -- true >"$tmp/lines" 2>"$tmp/err"
check "an unknown module is refused" [ $? = 1 ]
check "an unknown module is reported in one line" [ "$(wc -l <"$tmp/err")" = 1 ]
check "the message names the unknown module" grep -q "there is no module 'fargs_no_such'" "$tmp/err" || note "$(cat "$tmp/err")"
fargs trace -a -f 'fargs_late:fargs_late_wrok' -- true >"$tmp/lines" 2>"$tmp/err"
check "a misspelt function of the module is refused, with a similar name" \
	grep -q "did you mean.*fargs_late_work" "$tmp/err" || note "$(cat "$tmp/err")"
check "no function is traced afterwards" nr_traced_is "$before"
test_end
