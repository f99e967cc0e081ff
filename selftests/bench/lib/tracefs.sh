# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash disable=SC2154 # names shared with run
# The kernel's own tracers. Each way_* measures one call of fargs_bench_$1.

tracefs_reset()
{
	echo nop >"$tracing/current_tracer"
	echo >"$tracing/set_ftrace_filter"
	[ ! -e "$tracing/options/func-args" ] || echo 0 >"$tracing/options/func-args"
	[ ! -e "$tracing/events/fargs_bench" ] ||
		echo 0 >"$tracing/events/fargs_bench/enable"
	[ ! -e "$tracing/dynamic_events" ] || echo >"$tracing/dynamic_events"
	echo >"$tracing/trace"
}

tracefs_events()
{
	local stats=$tracing/per_cpu/cpu0/stats
	[ "$(sed -n 's/^overrun: //p' "$stats")" = 0 ] || die "$key: the trace buffer is too small"
	sed -n 's/^entries: //p' "$stats"
}

way_function()
{
	echo "fargs_bench_$1" >"$tracing/set_ftrace_filter"
	echo function >"$tracing/current_tracer"
	echo >"$tracing/trace"
	sample "$1" 1 "$tmp/sample"
	expect_events "$(tracefs_events)"
	tracefs_reset
}

way_func_args()
{
	echo 1 >"$tracing/options/func-args"
	way_function "$1"
}

# has_event DEFINITION: whether this kernel accepts the event.
has_event()
{
	echo "$1" 2>/dev/null >"$tracing/dynamic_events" || return
	echo >"$tracing/dynamic_events"
}

# dynamic_event ARGS DEFINITION
dynamic_event()
{
	echo "$2" >"$tracing/dynamic_events" || die "$key: cannot define '$2'"
	echo 1 >"$tracing/events/fargs_bench/enable"
	echo >"$tracing/trace"
	sample "$1" 1 "$tmp/sample"
	expect_events "$(tracefs_events)"
	tracefs_reset
}

event=fargs_bench/event
four_args="\$arg1:x64 \$arg2:x64 \$arg3:x64 \$arg4:s32"
fprobe_4_return="f:$event fargs_bench_4%return $four_args \$retval:s32"
kretprobe_4="r:$event fargs_bench_4 $four_args \$retval:s32"

way_kprobe()
{
	dynamic_event "$1" "p:$event fargs_bench_$1 $four_args"
}

way_fprobe()
{
	dynamic_event "$1" "f:$event fargs_bench_$1 \$arg*"
}

way_fprobe_return()
{
	dynamic_event "$1" "$fprobe_4_return"
}

way_kretprobe()
{
	dynamic_event "$1" "$kretprobe_4"
}

way_kretprobe_value()
{
	dynamic_event "$1" "r:$event fargs_bench_$1 \$retval:s32"
}
