#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Functions and tracepoints of modules that are loaded when tracing begins are traced again each
# time the same build of their module is loaded again. Their arguments are in samples/late/main.c
# and samples/tracepoint/event.c.
. "$(dirname "$0")/lib/ktap.sh"

test_begin objcopy modinfo
call=/sys/module/fargs_late/parameters/call
file=/proc/fargs_tp
before=$(nr_traced)
rmmod fargs_tp_probe fargs_tp_event fargs_late 2>/dev/null

# Modules that differ in the build ID only.
for module in fargs_late fargs_tp_event; do
	ko=$(modinfo -n $module) || skip_all "module $module is not installed"
	[[ $ko = *.ko ]] || skip_all "$ko is compressed"
	objcopy --dump-section ".note.gnu.build-id=$tmp/id" "$ko" "$tmp/copy.ko"
	# The last bytes of the note are those of the ID.
	{ head -c -8 "$tmp/id"; printf 'changed!'; } >"$tmp/changed_id"
	objcopy --update-section ".note.gnu.build-id=$tmp/changed_id" "$ko" "$tmp/$module.ko"
done

# A life: what happens from the loading of the modules to their unloading.
cat >"$tmp/use" <<-END
	echo 2 >$call
	echo 5 >$file
	sed -n 's/^\([0-9a-f]*\) . fargs_late_work\t.*/\1/p' /proc/kallsyms >>$tmp/addresses
	rmmod fargs_late fargs_tp_event
END
cat >"$tmp/lives" <<-END
	. $tmp/use
	# The modules change places.
	modprobe -a fargs_tp_event fargs_late
	. $tmp/use
	modprobe -a fargs_late fargs_tp_event
	. $tmp/use
	modprobe -a fargs_tp_event fargs_late
	. $tmp/use
END
cat >"$tmp/two" <<-END
	. $tmp/use
	modprobe -a fargs_tp_event fargs_late
	. $tmp/use
END
cat >"$tmp/others" <<-END
	. $tmp/use
	insmod $tmp/fargs_tp_event.ko
	insmod $tmp/fargs_late.ko
	. $tmp/use
	modprobe -a fargs_late fargs_tp_event
	. $tmp/use
END

# calls_in FILE: the calls, in their order.
calls_in()
{
	sed -nE 's/.*[0-9]: (fargs_(late|tp)_[a-z0-9_]*\(.*\)) \[fargs_(late|tp_event)\].*/\1/p' "$1"
}

# used, bye: the calls of a life; reloaded: the calls of a life that begins while fargs traces.
# Functions in init memory do not exist when tracing begins.
used()
{
	printf 'fargs_late_work(number=%d, flags=7)\n' 0 1
	printf 'fargs_tp_tick(nr=%d)\n' 0 1 2 3 4
	echo "fargs_late_bye(code=65534)"
}

reloaded()
{
	echo "fargs_late_call_twin()"
	echo "fargs_late_work(number=-1000000000000, flags=3735928559)"
	used
}

both=(-f 'fargs_late:fargs_late_*' -n '*fill*' -t 'fargs_tp_event:fargs_tp_tick')
modprobe -a fargs_late fargs_tp_event
fargs record "${both[@]}" -o "$tmp/lives.dat" -- bash "$tmp/lives" 2>"$tmp/err"
check "record continues while modules are unloaded and loaded three times" [ $? = 0 ] || note "$(cat "$tmp/err")"
note "$(sort -u "$tmp/addresses" | wc -l) addresses of fargs_late_work"
{ used; reloaded; reloaded; reloaded; } >"$tmp/wanted"
fargs report "$tmp/lives.dat" >"$tmp/lines"
calls_in "$tmp/lines" >"$tmp/got"
check_same "every call of every life is recorded, with its name and arguments" "$tmp/wanted" "$tmp/got" ||
	note "$(cat "$tmp/err")"
check "every record is accounted for" is_whole "$tmp/lives.dat" || note "$(cat "$tmp/verify")"
# The symbols in the file have the addresses of the first life.
grep -oE '(work\(number=[01],|tick\().* <-.*' "$tmp/lines" | sed 's/.* <-//' | sort | uniq -c | sed 's/^ *//' >"$tmp/got"
printf '%s\n' "8 call [fargs_late]" "20 write_ticks [fargs_tp_event]" >"$tmp/wanted_callers"
check_same "callers in the modules have their names in every life" "$tmp/wanted_callers" "$tmp/got" ||
	note "$(cat "$tmp/lines")"
check "no function is reported as unloaded for good" [ "$(grep -c unloaded "$tmp/err")" = 0 ] || note "$(cat "$tmp/err")"
fargs report --summary "$tmp/lives.dat" >"$tmp/summary"
check "a summary has one line for the function of all lives" \
	[ "$(grep -c fargs_late_work "$tmp/summary")" = 1 ] || note "$(cat "$tmp/summary")"

# The return path, fetches and conditions.
modprobe -a fargs_late fargs_tp_event
fargs record -f 'fargs_late:fargs_late_work(number != 0) -> ret' -t 'fargs_tp_event:fargs_tp_tick(nr > 3)' \
	-o "$tmp/return.dat" -- bash "$tmp/two" 2>"$tmp/err" || note "$(cat "$tmp/err")"
fargs report "$tmp/return.dat" >"$tmp/lines"
grep -oE 'number=.*|nr=[0-9]+' "$tmp/lines" | sed -E 's/, flags.*\] =/ ->/; s/ \(.*//' >"$tmp/got"
{
	printf '%s\n' "number=1 -> 2" nr=4
	printf '%s\n' "number=-1000000000000 -> -2000000000000" "number=1 -> 2" nr=4
} >"$tmp/wanted"
check_same "returns and conditions hold in every life" "$tmp/wanted" "$tmp/got" || note "$(cat "$tmp/lines")"
check "every record with a return is accounted for" is_whole "$tmp/return.dat" || note "$(cat "$tmp/verify")"

modprobe -a fargs_late fargs_tp_event
fargs record -g "${both[@]}" -o "$tmp/graph.dat" -- bash "$tmp/two" 2>"$tmp/err" || note "$(cat "$tmp/err")"
fargs report --json "$tmp/graph.dat" >"$tmp/json"
nr=$(grep -c '"fargs_late_work"' "$tmp/json")
check "-g records each call and its return" [ "$nr" = $((2 * 5)) ] || note "$nr; $(head -n 30 "$tmp/json")"
check "every record of -g is accounted for" is_whole "$tmp/graph.dat" || note "$(cat "$tmp/verify")"

# --under and --trigger. The module's init function calls fargs_late_work() outside of call().
modprobe -a fargs_late fargs_tp_event
fargs trace -f fargs_late:fargs_late_work --under fargs_late:call -o "$tmp/lines" -- bash "$tmp/two" 2>"$tmp/err"
calls_in "$tmp/lines" >"$tmp/got"
printf 'fargs_late_work(number=%d, flags=7)\n' 0 1 0 1 >"$tmp/wanted"
check_same "--under holds in every life" "$tmp/wanted" "$tmp/got" || note "$(cat "$tmp/err")"
modprobe -a fargs_late fargs_tp_event
fargs trace -f fargs_late:fargs_late_bye --trigger 'fargs_late:fargs_late_work(number == 1)' \
	--trigger-tracepoint 'fargs_tp_event:fargs_tp_tick(nr == 2)' -o "$tmp/lines" -- bash "$tmp/two" 2>"$tmp/err"
nr=$(grep -c '# trigger' "$tmp/lines")
check "--trigger and --trigger-tracepoint hold in every life" [ "$nr" = 4 ] || note "$nr; $(cat "$tmp/err" "$tmp/lines")"

# Another build between two lives.
modprobe -a fargs_late fargs_tp_event
fargs trace "${both[@]}" -o "$tmp/lines" -- bash "$tmp/others" 2>"$tmp/err" || note "$(cat "$tmp/err")"
{ used; reloaded; } >"$tmp/wanted"
calls_in "$tmp/lines" >"$tmp/got"
check_same "another build is not traced, but the next load of the same one is" "$tmp/wanted" "$tmp/got" ||
	note "$(cat "$tmp/err")"
check "the other build is reported in one line" \
	[ "$(grep -c "module 'fargs_late' was loaded, but as a different build" "$tmp/err")" = 1 ] ||
	note "$(cat "$tmp/err")"
check "another build of a tracepoint's module is reported" \
	[ "$(grep -c "module 'fargs_tp_event' was loaded, but as a different build" "$tmp/err")" = 1 ] ||
	note "$(cat "$tmp/err")"

# Tracepoints only, of modules that are loaded and that are not.
for is_loaded in yes no; do
	rmmod fargs_late fargs_tp_event 2>/dev/null
	[ $is_loaded = no ] || modprobe fargs_tp_event
	cat >"$tmp/builds" <<-END
		rmmod fargs_tp_event 2>/dev/null
		insmod $tmp/fargs_tp_event.ko
		echo 3 >$file
		rmmod fargs_tp_event
		modprobe fargs_tp_event
		echo 2 >$file
	END
	fargs trace -t 'fargs_tp_event:fargs_tp_[ot]*' -o "$tmp/lines" -- bash "$tmp/builds" 2>"$tmp/err"
	nr=$(calls_in "$tmp/lines" | grep -c tick)
	check "loaded: $is_loaded: ticks of another build are not traced, those of the same build are" [ "$nr" = 2 ] ||
		note "$nr; $(cat "$tmp/lines" "$tmp/err")"
	check "loaded: $is_loaded: the other build is reported in one line" \
		[ "$(grep -c "module 'fargs_tp_event' was loaded, but as a different build" "$tmp/err")" = 1 ] ||
		note "$(cat "$tmp/err")"
done

# Without a build ID, it is unknown whether it is the same build.
rmmod fargs_late fargs_tp_event 2>/dev/null
objcopy --remove-section=.note.gnu.build-id "$(modinfo -n fargs_late)" "$tmp/fargs_late.ko"
insmod "$tmp/fargs_late.ko"
cat >"$tmp/nameless" <<-END
	echo 2 >$call
	rmmod fargs_late
	insmod $tmp/fargs_late.ko
	echo 2 >$call
END
fargs trace -f fargs_late:fargs_late_work -o "$tmp/lines" -- bash "$tmp/nameless" 2>"$tmp/err"
nr=$(calls_in "$tmp/lines" | wc -l)
check "a module without build ID is traced until it is unloaded" [ "$nr" = 2 ] || note "$nr; $(cat "$tmp/err")"
check "it is reported that a module will not be traced again" \
	grep -q 'fargs_late:fargs_late_work: not traced again if the module is reloaded: the build ID' "$tmp/err" ||
	note "$(cat "$tmp/err")"
check "it is reported once that nothing is left to trace" \
	[ "$(grep -c 'because their modules were unloaded' "$tmp/err")" = 1 ] || note "$(cat "$tmp/err")"

rmmod fargs_late fargs_tp_event 2>/dev/null
check "no function is traced afterwards" nr_traced_is "$before"
modprobe -r fargs
check "fargs can be unloaded afterwards" [ $? = 0 ]
modprobe fargs
test_end
