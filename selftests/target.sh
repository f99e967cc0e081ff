#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# trace and report print every argument of every target function with the value that the target
# lists.
. "$(dirname "$0")/lib/ktap.sh"

call_all()
{
	sh -c "echo all >$target"
}
export -f call_all
export target

refusal_is_reported()
{
	fargs trace -a -f "$1" -- true >"$tmp/refused" 2>"$tmp/why"
	[ $? = 1 ] && [ "$(wc -l <"$tmp/why")" = 1 ] && [ ! -s "$tmp/refused" ] &&
		grep -q "$1" "$tmp/why"
}

test_begin
while read -r name; do
	skip "$name" "the BTF of fargs_target does not have it"
done < <(undescribed)
truth_of '*' >"$tmp/truth"
check "the target has calls" [ -s "$tmp/truth" ]

fargs trace -a -f 'fargs_t_*' -- bash -c call_all >"$tmp/lines" 2>"$tmp/err"
check "trace exits with 0" [ $? = 0 ] || note "$(cat "$tmp/err")"
calls_of "$tmp/lines" >"$tmp/got"
check_same "trace shows every call as it was made" "$tmp/truth" "$tmp/got"
check "each line has the task, and the caller in this module" \
	[ "$(grep -c '^ *sh-[0-9]* .* \[fargs_target\] <-target_walk_.* \[fargs_target\]$' \
		"$tmp/lines")" = "$(wc -l <"$tmp/truth")" ]

fargs record -a -f 'fargs_t_*' -o "$tmp/trace" -- bash -c call_all 2>"$tmp/err"
check "record exits with 0" [ $? = 0 ] || note "$(cat "$tmp/err")"
check "every record is accounted for" is_whole "$tmp/trace"
rmmod fargs_target
fargs report "$tmp/trace" >"$tmp/lines"
calls_of "$tmp/lines" >"$tmp/got"
check_same "report shows the same after the traced module was unloaded" "$tmp/truth" "$tmp/got"
need_module fargs_target

# Selected by name instead of a pattern; also functions with garbage in the registers' unused bits.
for name in fargs_t_int fargs_t_none fargs_t_6 fargs_t_dirty_6 fargs_t_dirty_int fargs_t_12 \
	    fargs_t_dirty_12; do
	truth_of "$name" >"$tmp/truth"
	fargs trace -a -f "$name" -- bash -c call_all 2>"$tmp/err" | calls_of >"$tmp/got"
	check_same "$name is traced by its name" "$tmp/truth" "$tmp/got"
done

truth_of 'fargs_t_dirty_*' | grep -v '^fargs_t_dirty_int(' >"$tmp/truth"
fargs trace -a -f 'fargs_t_dirty_*' -n fargs_t_dirty_int -- bash -c call_all 2>"$tmp/err" |
	calls_of >"$tmp/got"
check_same "a function excluded by -n is not traced" "$tmp/truth" "$tmp/got"

while read -r name; do
	check "$name is refused, with its name, in one line" refusal_is_reported "$name" ||
		note "$(cat "$tmp/why" "$tmp/refused")"
done < <(sed -n 's/^refused //p' "$target")
# The program's own list of the calls it makes.
sed -n 's/^refused //p' "$target" | sort >"$tmp/wanted"
fargs trace -g --any -f 'fargs_t_refused_*' -- bash -c "while read -r name; do echo \$name >$target; done" \
	<"$tmp/wanted" >"$tmp/lines" 2>"$tmp/err" || note "$(cat "$tmp/err")"
sed -n 's/.* us | \(fargs_t_refused_[a-z_0-9]*\)(?) \[fargs_target\]$/\1/p' "$tmp/lines" >"$tmp/got"
check_same "--any traces each refused function, without arguments" "$tmp/wanted" "$tmp/got" ||
	note "$(cat "$tmp/lines")"
test_end
