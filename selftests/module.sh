#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# A module whose functions are traced can be unloaded. None of them is traced until the module is
# loaded again, and then all of them are. module_reload.sh tests more of this.
. "$(dirname "$0")/lib/ktap.sh"

test_begin
truth_of '*' >"$tmp/once"
cat "$tmp/once" "$tmp/once" >"$tmp/wanted"
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
	check "round $round: the unloaded module's functions are no longer traced" [ "$(cat "$tmp/left")" = 0 ]
	check "round $round: functions are traced when the module is loaded again" [ "$(cat "$tmp/again")" != 0 ]
	note "loaded again $(cmp -s "$tmp/first" "$tmp/second" &&
		echo "at the same address" || echo "at another address")"
	fargs report "$tmp/trace" >"$tmp/lines"
	calls_of "$tmp/lines" | grep '^fargs_t_' >"$tmp/got"
	check_same "round $round: calls before the unloading and after the loading are recorded" "$tmp/wanted" "$tmp/got"
	check "round $round: calls of the kernel's own functions are recorded" \
		grep -q ' vfs_read(' "$tmp/lines"
	check "round $round: every record is accounted for" is_whole "$tmp/trace"
done

fargs trace -a -f fargs_t_4 -- rmmod fargs_target >"$tmp/lines" 2>"$tmp/err"
check "trace exits with 0 if its only module is unloaded at the end" [ $? = 0 ]
check "that the module is unloaded is not reported" [ "$(cat "$tmp/err")" = "fargs: 0 events" ] ||
	note "$(cat "$tmp/err")"
need_module fargs_target
check "no function is traced afterwards" nr_traced_is "$before"
test_end
