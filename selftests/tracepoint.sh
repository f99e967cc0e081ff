#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Tracepoints: those of samples/tracepoint, whose values are in its event.c; a module that
# comes late, and one that is unloaded while it is traced. Those of the kernel:
# tracepoint_format.sh and tracepoint_all.sh.
. "$(dirname "$0")/lib/ktap.sh"

test_begin
modprobe -n -q fargs_tp_event || skip_all "module fargs_tp_event is not installed"
rmmod fargs_tp_probe fargs_tp_event 2>/dev/null
file=/proc/fargs_tp
ticks=/sys/module/fargs_tp_probe/parameters/ticks

# Calls without what only the machine decides.
tp_calls()
{
	sed -nE 's/.*[0-9]: (fargs_tp_[a-z]*\(.*\)) \[fargs_tp_event\] .*/\1/p' "$1" |
		sed -E 's/=0xffff[0-9a-f]{12}/=POINTER/g'
}

modprobe fargs_tp_event
fargs list -t 'fargs_tp_event:*' --proto 2>"$tmp/err" | sort >"$tmp/list"
cat >"$tmp/list_wanted" <<-END
	fargs_tp_formatted(s8 tiny, u8 byte, s16 small, u16 port, int number, u32 flags, s64 offset, u64 mask, bool is_on, struct fargs_tp_small both, const char *name, long last) [fargs_tp_event]
	fargs_tp_many(s8 tiny, u8 byte, s16 small, u16 port, int number, u32 flags, s64 offset, u64 mask, bool is_on, char letter, const char *name, long last) [fargs_tp_event]
	fargs_tp_open(struct inode *inode, struct file *file) [fargs_tp_event]
	fargs_tp_tick(u64 nr) [fargs_tp_event]
	fargs_tp_value(struct fargs_tp_pair pair, struct fargs_tp_box box, int number) [fargs_tp_event]
END
check_same "list shows a module's tracepoints, with prototypes" "$tmp/list_wanted" "$tmp/list" ||
	note "$(cat "$tmp/err")"

# The condition is about a register, the string about memory that the stack points to.
cat >"$tmp/fire" <<-END
	cat $file
	echo 100 >$file
END
fargs trace -t 'fargs_tp_[ov]*' -t 'fargs_tp_many(name:str)' -t 'fargs_tp_tick(nr >= 98)' \
	-o "$tmp/lines" -- bash "$tmp/fire" 2>"$tmp/err"
check "trace ends as its command does" [ $? = 0 ] || note "$(cat "$tmp/err")"
cat >"$tmp/wanted" <<-END
	fargs_tp_open(inode=POINTER, file=POINTER)
	fargs_tp_many(tiny=-100, byte=200, small=-30000, port=60000, number=-2000000000, flags=4000000000, offset=-5000000000, mask=18364758544493064720, is_on=true, letter='x', name=POINTER, name="twelve", last=-12)
	fargs_tp_value(pair={.first=4000000000, .second=-2, .third=-3000000000}, box={.word={1229782938247303441, 22, 18446744073709551615}, .name="boxed"}, number=-7)
	fargs_tp_open(inode=POINTER, file=POINTER)
	fargs_tp_tick(nr=98)
	fargs_tp_tick(nr=99)
END
tp_calls "$tmp/lines" >"$tmp/got"
check_same "twelve arguments, structs by value, a string, a condition" "$tmp/wanted" "$tmp/got" ||
	note "$(cat "$tmp/lines" "$tmp/err")"

# Filters, a trigger, and a module that is not loaded yet. Nobody but its reader opens the
# file; a tick is known by its number.
rmmod fargs_tp_event
cat >"$tmp/late" <<-END
	modprobe fargs_tp_event
	echo 8 >$file
	bash -c 'echo >/proc/self/comm tpfilter; echo 12 >$file; exit'
	rmmod fargs_tp_event
END
fargs list -t 'fargs_tp_event:*tick' --proto >"$tmp/got" 2>"$tmp/err"
echo 'fargs_tp_tick(u64 nr) [fargs_tp_event, not loaded]' >"$tmp/wanted"
check_same "list shows those of a module that is not loaded" "$tmp/wanted" "$tmp/got" ||
	note "$(cat "$tmp/err")"
fargs record -o "$tmp/late.dat" -t 'fargs_tp_event:fargs_tp_tick(nr > 5 && $comm == "bash")' \
	--switches -- bash "$tmp/late" 2>"$tmp/err"
check "record waits for a tracepoint's module" grep -q \
	'module fargs_tp_event is not loaded yet: 1 of its tracepoints' "$tmp/err" || note "$(cat "$tmp/err")"
fargs report "$tmp/late.dat" >"$tmp/lines"
tp_calls "$tmp/lines" >"$tmp/got"
printf 'fargs_tp_tick(nr=%d)\n' 6 7 >"$tmp/wanted"
check_same "and traces it when it comes, with its filters" "$tmp/wanted" "$tmp/got" ||
	note "$(cat "$tmp/err")"
check "switches are among the lines" grep -qE ': switch -> [0-9]+$' "$tmp/lines"
fargs report --verify "$tmp/late.dat" >"$tmp/verify"
check "all of them" grep -qE '^[0-9]+ context switches, 0 of them without a record' "$tmp/verify"
fargs trace -t fargs_target:x -- true 2>"$tmp/err"
check "a module that is loaded and has no tracepoints is not said to be missing" \
	grep -q "^fargs: there is no tracepoint 'fargs_target:x'" "$tmp/err" || note "$(cat "$tmp/err")"
fargs trace -e 'irq:*' --switches -- true 2>"$tmp/err"
check "switches go with functions or tracepoints" grep -q '^fargs.*--switches goes with' "$tmp/err" ||
	note "$(cat "$tmp/err")"
check "and every record is accounted for" is_whole "$tmp/late.dat" || note "$(cat "$tmp/verify")"
modprobe fargs_tp_event
fargs trace -t 'fargs_tp_tick(nr < 2)' --trigger-tracepoint 'fargs_tp_tick(nr == 7)' -o "$tmp/lines" \
	-- bash -c "echo 9 >$file" 2>"$tmp/err"
grep -oE '(nr=[0-9]+|# trigger)' "$tmp/lines" >"$tmp/got"
printf '%s\n' nr=0 nr=1 nr=7 '# trigger' >"$tmp/wanted"
check_same "one that triggers is marked" "$tmp/wanted" "$tmp/got" ||
	note "$(cat "$tmp/lines" "$tmp/err")"

# The sample's own probes, loaded first, and the module that they wait for.
rmmod fargs_tp_event
modprobe fargs_tp_probe
modprobe fargs_tp_event
echo 30 >$file
check "the sample's probe finds tracepoints that come later" [ "$(cat $ticks)" = 30 ]

# A module may go at any time: while its tracepoints fire, and others probe them, too. Who
# writes to its file is waited for.
cat >"$tmp/unload" <<-END
	echo 20000 >$file &
	until [ "\$(cat $ticks)" != 30 ]; do :; done
	rmmod fargs_tp_event || exit
	wait
	modprobe fargs_tp_event
	echo 5 >$file
END
fargs record -a -m 8M -t 'fargs_tp_event:*' -o "$tmp/unload.dat" -- bash "$tmp/unload" 2>"$tmp/err"
check "a module whose tracepoints are traced can be unloaded" [ $? = 0 ] || note "$(cat "$tmp/err")"
check "with every record accounted for" is_whole "$tmp/unload.dat" || note "$(cat "$tmp/verify")"
nr=$(fargs report "$tmp/unload.dat" | grep -c ': fargs_tp_tick(')
check "and each of its ticks, up to the last" [ "$nr" = 20000 ] || note "$nr ticks; $(cat "$tmp/err")"
check "the sample's probe has seen the next ones, too" [ "$(cat $ticks)" = 20035 ] ||
	note "$(cat $ticks)"
rmmod fargs_tp_probe fargs_tp_event
check "the sample's modules go, in any order" [ $? = 0 ]

# shellcheck disable=SC2317 # called by check
fails_with()
{
	local text=$1
	shift
	! fargs "$@" -- true >"$tmp/out" 2>&1 && grep -qF "$text" "$tmp/out"
}

# More of these in unit/tpoints.c.
check "a tracepoint has no duration" \
	fails_with "a tracepoint has no return" trace --min-duration 1us -t 'sched_switch'
check "the system of an event is told from a module" \
	fails_with "write the name alone, or -e 'sched:EVENT'" trace -t sched:sched_switch
check "a name that is misspelt finds near ones" \
	fails_with "there is no tracepoint 'sched_swich': did you mean" trace -t sched_swich
modprobe -r fargs
check "nothing is left behind: the module can be unloaded" [ $? = 0 ]
modprobe fargs
test_end
