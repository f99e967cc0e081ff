# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash disable=SC2154 # names shared with run
# A tracepoint with four arguments. Each way_* measures one hit.

way_fargs_tracepoint()
{
	local seen
	fargs record -a -t fargs_bench_event -o "$tmp/trace" -- \
		"$self" --sample tracepoint 0 "$tmp/sample" 2>"$tmp/err" ||
		die "$key: $(cat "$tmp/err")"
	fargs report "$tmp/trace" >"$tmp/lines"
	seen=$(grep -cE " fargs_bench_event\(.*flags=(4096|8192), mode=420\)" "$tmp/lines" || :)
	[ "$seen" = "$made" ] || die "$key: $seen right lines of $made: $(tail -n 1 "$tmp/lines")"
}

# The kernel calls two probes in a loop. The result includes the cost of the event.
way_fargs_tracepoint_beside_event()
{
	echo 1 >"$tracing/events/fargs_bench_tp/fargs_bench_event/enable"
	way_fargs_tracepoint
	echo 0 >"$tracing/events/fargs_bench_tp/fargs_bench_event/enable"
	tracefs_reset
}

# A tp_btf program, which reads the arguments directly.
way_raw_tp()
{
	"$loader" --tracepoint fargs_bench fargs_bench_event $((1 << 22)) \
		"$self" --sample tracepoint 0 "$tmp/sample" >"$tmp/out" ||
		die "$key: the loader failed"
	[ "$(sed -n 's/^events=//p' "$tmp/out")" = "$made" ] ||
		die "$key: not $made but $(cat "$tmp/out")"
}

way_event()
{
	echo 1 >"$tracing/events/fargs_bench_tp/fargs_bench_event/enable"
	echo >"$tracing/trace"
	sample tracepoint 0 "$tmp/sample"
	echo 0 >"$tracing/events/fargs_bench_tp/fargs_bench_event/enable"
	expect_events "$(tracefs_events)"
	tracefs_reset
}

# The event as perf record opens it.
way_perf_event()
{
	perf record -q -m 1024 -e fargs_bench_tp:fargs_bench_event -o "$tmp/perf.data" -- \
		"$self" --sample tracepoint 0 "$tmp/sample" 2>"$tmp/err" ||
		die "$key: $(cat "$tmp/err")"
	expect_events "$(perf script -i "$tmp/perf.data" 2>/dev/null | grep -c 'mode=420')"
}
