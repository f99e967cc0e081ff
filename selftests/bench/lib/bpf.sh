# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash disable=SC2154 # names shared with run
# BPF programs, which bench/fentry.c loads and attaches.

# bpf_way ARGS EVENTS [WHAT]
bpf_way()
{
	local args=$1 events=$2
	shift 2
	"$loader" "$@" fargs_bench "fargs_bench_$args" $((1 << 22)) \
		"$self" --sample "$args" 1 "$tmp/sample" >"$tmp/out" ||
		die "$key: the loader failed"
	[ "$(sed -n 's/^events=//p' "$tmp/out")" = "$events" ] ||
		die "$key: not $events but $(cat "$tmp/out")"
}

# way_bpf ARGS [WHAT]
way_bpf()
{
	local args=$1
	shift
	bpf_way "$args" "$made" "$@"
}

way_bpf_reject()
{
	bpf_way "$1" "$accepted" --reject
}
