#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Tracepoints of samples/tracepoint, whose values are in its event.c; of a module that is loaded
# after tracing began, and of one that is unloaded while it is traced. tracepoint_format.sh and
# tracepoint_all.sh test the kernel's own tracepoints.
. "$(dirname "$0")/lib/ktap.sh"

test_begin
modprobe -n -q fargs_tp_event || skip_all "module fargs_tp_event is not installed"
rmmod fargs_tp_probe fargs_tp_event 2>/dev/null
file=/proc/fargs_tp
ticks=/sys/module/fargs_tp_probe/parameters/ticks

# Calls, with addresses replaced.
tp_calls()
{
	sed -nE 's/.*[0-9]: (fargs_tp_[a-z]*\(.*\)) \[fargs_tp_event\] .*/\1/p' "$1" |
		sed -E 's/=0xff[0-9a-f]{14}/=POINTER/g'
}

modprobe fargs_tp_event
fargs list -t 'fargs_tp_event:*' --proto 2>"$tmp/err" | sort >"$tmp/list"
cat >"$tmp/list_wanted" <<-END
	fargs_tp_formatted(s8 tiny, u8 byte, s16 small, u16 port, int number, u32 flags, s64 offset, u64 mask, bool is_on, struct fargs_tp_small both, const char *name, long last) [fargs_tp_event]
	fargs_tp_header(int nr) [fargs_tp_event]
	fargs_tp_many(s8 tiny, u8 byte, s16 small, u16 port, int number, u32 flags, s64 offset, u64 mask, bool is_on, char letter, const char *name, long last) [fargs_tp_event]
	fargs_tp_odd(int nr) [fargs_tp_event]
	fargs_tp_open(struct inode *inode, struct file *file) [fargs_tp_event]
	fargs_tp_site(int nr) [fargs_tp_event]
	fargs_tp_text(const char *text) [fargs_tp_event]
	fargs_tp_tick(u64 nr) [fargs_tp_event]
	fargs_tp_value(struct fargs_tp_pair pair, struct fargs_tp_box box, int number) [fargs_tp_event]
END
check_same "list shows a module's tracepoints with prototypes" "$tmp/list_wanted" "$tmp/list" ||
	note "$(cat "$tmp/err")"

# The condition tests a register; the string is in memory that the stack points to.
cat >"$tmp/fire" <<-END
	cat $file
	echo 100 >$file
END
fargs trace -t 'fargs_tp_[ov]*' -t 'fargs_tp_many(name:str)' -t 'fargs_tp_tick(nr >= 98)' \
	-o "$tmp/lines" -- bash "$tmp/fire" 2>"$tmp/err"
check "trace exits with its command's status" [ $? = 0 ] || note "$(cat "$tmp/err")"
cat >"$tmp/wanted" <<-END
	fargs_tp_open(inode=POINTER, file=POINTER)
	fargs_tp_many(tiny=-100, byte=200, small=-30000, port=60000, number=-2000000000, flags=4000000000, offset=-5000000000, mask=18364758544493064720, is_on=true, letter='x', name=POINTER, name="twelve", last=-12)
	fargs_tp_value(pair={.first=4000000000, .second=-2, .third=-3000000000}, box={.word={1229782938247303441, 22, 18446744073709551615}, .name="boxed"}, number=-7)
	fargs_tp_open(inode=POINTER, file=POINTER)
	fargs_tp_tick(nr=98)
	fargs_tp_tick(nr=99)
END
tp_calls "$tmp/lines" >"$tmp/got"
check_same "twelve arguments, structs by value, a string and a condition are shown" "$tmp/wanted" "$tmp/got" ||
	note "$(cat "$tmp/lines" "$tmp/err")"

# Several selectors on one tracepoint. Each ECHO of N fires fargs_tp_open once, and fargs_tp_tick
# with 0 .. N - 1.
check_several()
{
	local what=$1
	shift
	fargs trace "$@" -o "$tmp/lines" -- bash -c "echo 100 >$file" 2>"$tmp/err"
	tp_calls "$tmp/lines" >"$tmp/got"
	check_same "$what" "$tmp/wanted" "$tmp/got" || note "$(cat "$tmp/err")"
}

printf 'fargs_tp_%s\n' 'open(inode=POINTER, file=POINTER)' 'tick(nr=5)' 'tick(nr=99)' >"$tmp/wanted"
check_several "a selector with a tracepoint's name is used instead of a glob" \
	-t 'fargs_tp_*' -t 'fargs_tp_tick(nr == 5 || nr > 98)'
check_several "of two globs, the first that applies to a tracepoint is used" \
	-t 'fargs_tp_*(nr == 5 || nr > 98)' -t 'fargs_tp_[ot]*(nr > 90)' -t 'fargs_tp_[no]*'
check "the overlap is reported" grep -qF "'fargs_tp_*(nr == 5 || nr > 98)' takes precedence over 'fargs_tp_[ot]*(nr > 90)' for 2 matches" \
	"$tmp/err" || note "$(cat "$tmp/err")"

# Filters, a trigger, and a module that is not loaded yet. Only this test opens the file, and
# each tick has a number.
rmmod fargs_tp_event
cat >"$tmp/late" <<-END
	modprobe fargs_tp_event
	echo 8 >$file
	bash -c 'echo >/proc/self/comm tpfilter; echo 12 >$file; exit'
	rmmod fargs_tp_event
END
fargs list -t 'fargs_tp_event:*tick' --proto >"$tmp/got" 2>"$tmp/err"
echo 'fargs_tp_tick(u64 nr) [fargs_tp_event, not loaded]' >"$tmp/wanted"
check_same "list shows tracepoints of a module that is not loaded" "$tmp/wanted" "$tmp/got" ||
	note "$(cat "$tmp/err")"
fargs record -o "$tmp/late.dat" -t 'fargs_tp_event:fargs_tp_tick(nr > 5 && $comm == "bash")' \
	--switches -- bash "$tmp/late" 2>"$tmp/err"
check "record waits for a tracepoint's module" grep -q \
	"module 'fargs_tp_event' is not loaded yet: 1 tracepoint will" "$tmp/err" || note "$(cat "$tmp/err")"
fargs report "$tmp/late.dat" >"$tmp/lines"
tp_calls "$tmp/lines" >"$tmp/got"
printf 'fargs_tp_tick(nr=%d)\n' 6 7 >"$tmp/wanted"
check_same "a tracepoint is traced, with its filters, once its module is loaded" "$tmp/wanted" "$tmp/got" ||
	note "$(cat "$tmp/err")"
check "report shows context switches" grep -qE ': switch -> [0-9]+$' "$tmp/lines"
fargs report --verify "$tmp/late.dat" >"$tmp/verify"
check "every context switch has a record" grep -qE '^[0-9]+ context switches, 0 of them without a record' "$tmp/verify"
fargs trace -t fargs_target:x -- true 2>"$tmp/err"
check "a loaded module without tracepoints is not reported as missing" \
	grep -q "^fargs: there is no tracepoint 'fargs_target:x'" "$tmp/err" || note "$(cat "$tmp/err")"
fargs trace -e 'irq:*' --switches -- true 2>"$tmp/err"
check "--switches without functions or tracepoints is refused" grep -q "^fargs.*'--switches' needs" "$tmp/err" ||
	note "$(cat "$tmp/err")"
check "every record is accounted for" is_whole "$tmp/late.dat" || note "$(cat "$tmp/verify")"
modprobe fargs_tp_event
fargs trace -t 'fargs_tp_tick(nr < 2)' --trigger-tracepoint 'fargs_tp_tick(nr == 7)' -o "$tmp/lines" \
	-- bash -c "echo 9 >$file" 2>"$tmp/err"
grep -oE '(nr=[0-9]+|# trigger)' "$tmp/lines" >"$tmp/got"
printf '%s\n' nr=0 nr=1 nr=7 '# trigger' >"$tmp/wanted"
check_same "a tracepoint hit that triggers is marked" "$tmp/wanted" "$tmp/got" ||
	note "$(cat "$tmp/lines" "$tmp/err")"

# The sample's own probes are loaded before the module that they wait for.
rmmod fargs_tp_event
modprobe fargs_tp_probe
modprobe fargs_tp_event
echo 30 >$file
check "the sample's probe finds tracepoints of a module loaded later" [ "$(cat $ticks)" = 30 ]

# A module can be unloaded at any time: while its tracepoints fire, and while others probe them.
# Unloading waits for writers of its file.
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
check "every record is accounted for after the module is unloaded" is_whole "$tmp/unload.dat" || note "$(cat "$tmp/verify")"
nr=$(fargs report "$tmp/unload.dat" | grep -c ': fargs_tp_tick(')
check "every tick before the module is unloaded and after it is loaded again is recorded" [ "$nr" = 20005 ] ||
	note "$nr ticks; $(cat "$tmp/err")"
check "the sample's probe also sees ticks after the module is loaded again" [ "$(cat $ticks)" = 20035 ] ||
	note "$(cat $ticks)"
rmmod fargs_tp_probe fargs_tp_event
check "the sample's modules can be unloaded in this order" [ $? = 0 ]

# shellcheck disable=SC2317 # called by check
fails_with()
{
	local text=$1
	shift
	! fargs "$@" -- true >"$tmp/out" 2>&1 && grep -qF "$text" "$tmp/out"
}

# unit/tpoints.c tests more of these errors.
check "--min-duration is refused for a tracepoint" \
	fails_with "a tracepoint has neither a return value nor a duration" trace --min-duration 1us -t 'sched_switch'
check "the system of an event is not mistaken for a module" \
	fails_with "write the name alone, or '-e sched:EVENT'" trace -t sched:sched_switch
check "for two selectors that name a tracepoint, a way to combine them is suggested" \
	fails_with "name the same tracepoint: combine them into one selector, and join their conditions with '||'" \
	trace -t 'sched_switch(prev->pid == 1)' -t 'sched_switch(next->pid == 1)'
check "for a field of the formatted event, '-e' is suggested" \
	fails_with "use '-e sched:sched_switch'" trace -t 'sched_switch(prev_comm)'
check "for a misspelt tracepoint similar names are suggested" \
	fails_with "there is no tracepoint 'sched_swich': did you mean" trace -t sched_swich
modprobe -r fargs
check "fargs can be unloaded afterwards" [ $? = 0 ]
modprobe fargs
test_end
