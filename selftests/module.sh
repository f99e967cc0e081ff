#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# A module whose functions are traced can be unloaded; nothing of it is hit when
# something else, or itself, is loaded at the same place.
. "$(dirname "$0")/lib/ktap.sh"

test_begin
truth_of '*' >"$tmp/wanted"
cat >"$tmp/command" <<-END
	address() { sed -n 's/ [tT] fargs_t_4.*//p' /proc/kallsyms; }
	echo all >$target
	address >$tmp/first
	rmmod fargs_target; echo \$? >$tmp/rmmod
	grep -c fargs_t_ $tracing/enabled_functions >$tmp/left
	. $test_dir/lib/ktap.sh
	need_module fargs_target
	address >$tmp/second
	grep -c '^fargs_t_' $tracing/enabled_functions >$tmp/again
	echo all >$target
END
before=$(nr_traced)

for ((round = 1; round <= 2; round++)); do
	fargs record -a -f 'fargs_t_*' -f vfs_read -o "$tmp/trace" -- bash "$tmp/command" 2>"$tmp/err"
	check "round $round: record exits with 0" [ $? = 0 ] || note "$(cat "$tmp/err")"
	check "round $round: a traced module can be unloaded" [ "$(cat "$tmp/rmmod")" = 0 ]
	check "round $round: its functions are traced no more" [ "$(cat "$tmp/left")" = 0 ]
	check "round $round: nor are they when it is loaded again" [ "$(cat "$tmp/again")" = 0 ]
	note "loaded again $(cmp -s "$tmp/first" "$tmp/second" &&
		echo "at the same place" || echo elsewhere)"
	fargs report "$tmp/trace" >"$tmp/lines"
	calls_of "$tmp/lines" | grep '^fargs_t_' >"$tmp/got"
	check_same "round $round: the calls before, and none after" "$tmp/wanted" "$tmp/got"
	check "round $round: the kernel's own go on" \
		grep -q ' vfs_read(' "$tmp/lines"
	check "round $round: the file is whole" is_whole "$tmp/trace"
done

fargs trace -a -f fargs_t_4 -- rmmod fargs_target >"$tmp/lines" 2>"$tmp/err"
check "trace exits with 0 where nothing is left to trace" [ $? = 0 ]
check "and says so, once" [ "$(grep -c 'has gone with its module' "$tmp/err")" = 1 ] ||
	note "$(cat "$tmp/err")"
need_module fargs_target
check "nothing is traced afterwards" nr_traced_is "$before"
test_end
