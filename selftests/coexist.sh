#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# fargs, trace-cmd, perf, bpftrace and a livepatch on the same function each see all of its
# calls, in whichever order they start.
. "$(dirname "$0")/lib/ktap.sh"

test_begin trace-cmd perf bpftrace
calls=200
name=fargs_t_4
kprobes=$tracing/kprobe_events
patch=/sys/kernel/livepatch/fargs_patch
before=$(nr_traced)

# The livepatch is removed once its directory no longer exists.
unpatch()
{
	[ -d /sys/module/fargs_patch ] || return 0
	[ ! -d $patch ] || echo 0 >$patch/enabled
	wait_until 120 [ ! -d $patch ] && wait_until 60 rmmod fargs_patch
}

clean_up()
{
	unpatch
	echo '-:fargs_coexist/call' 2>/dev/null >>"$kprobes"
	test_cleanup
}
trap clean_up EXIT
echo "p:fargs_coexist/call $name" >>"$kprobes" || skip_all "this kernel has no kprobe events"

# Each tracer starts the command once it is tracing, so the chain needs no synchronization.
cat >"$tmp/make_calls" <<-END
	#!/bin/sh
	echo "$name $calls" >$target
END
cat >"$tmp/with_fargs" <<-'END'
	#!/bin/bash
	exec fargs record -a -f "$name -> ret" -o "$tmp/fargs" -- "$@"
END
cat >"$tmp/with_trace-cmd" <<-'END'
	#!/bin/bash
	exec trace-cmd record -q -p "$tracer" -l "$name" -o "$tmp/trace.dat" "$@"
END
cat >"$tmp/with_perf" <<-'END'
	#!/bin/bash
	exec perf record -q -a -e fargs_coexist:call -o "$tmp/perf.data" -- "$@"
END
# bpftrace -c neither handles quotes nor runs a script.
cat >"$tmp/with_bpftrace" <<-'END'
	#!/bin/bash
	exec bpftrace -e "kprobe:$name { @calls = count(); }" -c "/bin/bash $*" -o "$tmp/bpftrace"
END
chmod +x "$tmp"/with_* "$tmp/make_calls"
export name tmp

# seen TRACER: prints how many calls it recorded.
seen()
{
	case $1 in
	fargs) fargs report "$tmp/fargs" | grep -F ": $truth " | grep -c '([0-9.]* us)' ;;
	trace-cmd) trace-cmd report -i "$tmp/trace.dat" 2>/dev/null | grep -c "[ :]$name\>" ;;
	perf) perf script -i "$tmp/perf.data" 2>/dev/null | grep -c 'fargs_coexist:call' ;;
	bpftrace) sed -n 's/^@calls: //p' "$tmp/bpftrace" ;;
	patch) cat /sys/module/fargs_patch/parameters/calls ;;
	esac
}

truth=$(truth_of "$name")

# run_together WHAT TRACER...: the first tracer starts first and stops last.
run_together()
{
	local what=$1 who got run=()
	shift
	rm -rf "$tmp/fargs" "$tmp/trace.dat" "$tmp/perf.data" "$tmp/bpftrace"
	for who; do
		run+=("$tmp/with_$who")
	done
	"${run[@]}" "$tmp/make_calls" >"$tmp/out" 2>&1
	check "$what: all tracers exit with 0" [ $? = 0 ] || note "$(tail -n 20 "$tmp/out")"
	for who; do
		got=$(seen "$who")
		check "$what: $who recorded each call" [ "$got" = $calls ] || note "$got, not $calls"
	done
}

export tracer=function
run_together "function tracer, fargs starts last" trace-cmd perf bpftrace fargs
tracer=function_graph
run_together "function_graph, fargs starts first" fargs bpftrace perf trace-cmd

if ! modprobe -n -q fargs_patch; then
	skip "all tracers work with a livepatch" "fargs_patch is not built: this kernel has no CONFIG_LIVEPATCH"
else
	modprobe fargs_patch 2>"$tmp/err"
	check "a livepatch is loaded" [ $? = 0 ] || note "$(cat "$tmp/err")"
	check "all tasks make the transition to the livepatch" wait_until 120 grep -qx 0 $patch/transition
	patched=$(seen patch)
	run_together "livepatch, function_graph" fargs bpftrace perf trace-cmd
	check "function_graph: the livepatch's function is called instead" [ "$(seen patch)" = $((patched + calls)) ] ||
		note "$(seen patch), not $((patched + calls))"
	tracer=function
	run_together "livepatch, function tracer" trace-cmd perf bpftrace fargs
	check "function tracer: the livepatch's function is called instead" \
		[ "$(seen patch)" = $((patched + 2 * calls)) ]

	# A livepatch is loaded and removed while the function is traced.
	check "the livepatch is removed" unpatch
	fargs record -a -f "$name -> ret" -o "$tmp/fargs" -- bash -c "
		$tmp/make_calls && modprobe fargs_patch && $tmp/make_calls
		until grep -qx 0 $patch/transition; do sleep 0.1; done
		$tmp/make_calls && echo 0 >$patch/enabled
		until [ ! -d $patch ]; do sleep 0.1; done
		rmmod fargs_patch && $tmp/make_calls" 2>"$tmp/err"
	check "a livepatch can be loaded and removed while fargs traces" [ $? = 0 ] ||
		note "$(cat "$tmp/err")"
	got=$(seen fargs)
	check "fargs records all calls meanwhile" [ "$got" = $((4 * calls)) ] ||
		note "$got, not $((4 * calls))"
fi
echo '-:fargs_coexist/call' >>"$kprobes"
check "no function is traced afterwards" wait_until 60 nr_traced_is "$before"
test_end
