#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# CPUs that go offline and come back while calls with returns and fetches are traced; and CPUs that
# come online after START and are offline again when the recording ends.
#
#	hotplug.sh [--times N]		N (4) times, in each of two recordings
. "$(dirname "$0")/lib/ktap.sh"

times=4
[ "$1" != --times ] || times=$2

cpu=$(($(nproc --all) - 1))
online=/sys/devices/system/cpu/cpu$cpu/online

work()
{
	local i
	while :; do
		ls -lR /proc/self/ >/dev/null 2>&1
		echo "loop fargs_r_depth 50 2" >"$target"
	done
}

# Takes the CPU offline and back, repeatedly, while the other CPUs work.
toggle()
{
	local i
	work &
	work &
	for ((i = 0; i < times; i++)); do
		echo 0 >"$online" || exit 1
		[ "$(cat "$online")" = 0 ] || exit 1
		echo fargs_r_depth >"$target"
		sleep 0.2
		echo 1 >"$online" || exit 1
		taskset -c "$cpu" sh -c "echo fargs_r_tail >$target" || exit 1
		sleep 0.2
	done
	kill %1 %2
	wait
}

# The CPU is offline at the beginning and at the end. The calls are made in this order.
come()
{
	taskset -c 0 sh -c "echo fargs_t_uint >$target" || exit 1
	echo 1 >"$online" || exit 1
	taskset -c "$cpu" sh -c "echo fargs_t_int >$target" || exit 1
	taskset -c 0 sh -c "echo fargs_t_short >$target" || exit 1
	taskset -c "$cpu" sh -c "echo fargs_t_long >$target" || exit 1
	echo 0 >"$online" || exit 1
	taskset -c 0 sh -c "echo fargs_t_ulong >$target" || exit 1
}
export -f work toggle come
export target cpu online times

test_begin taskset
[ -w "$online" ] || skip_all "no CPU can be taken offline"
[ "$cpu" != 0 ] || skip_all "there is only one CPU"
graph_check=$(program graph_check) || skip_all "graph_check is not built"
trap 'echo 1 >"$online"; test_cleanup' EXIT

for graph in '' -g; do
	fargs record $graph -a --no-compress -m 16M -f 'vfs_*(file->f_path.dentry->d_name.name:str, file->f_flags:x) -> ret' \
		-f 'fargs_r_*' -f 'hrtimer_* -> ret' -f 'cpu*_up -> ret' -f 'cpu*_down -> ret' \
		-o "$tmp/trace" -- bash -c toggle >"$tmp/out" 2>"$tmp/err"
	check "record${graph:+ of a graph} exits with 0" [ $? = 0 ] || note "$(cat "$tmp/out" "$tmp/err")"
	note "$(cat "$tmp/err")"
	check "every call is accounted for" is_whole "$tmp/trace" || note "$(cat "$tmp/verify")"
	fargs report "$tmp/trace" >"$tmp/lines"
	check "calls on the CPU that came back are recorded" \
		[ "$(grep -c "\[0*$cpu\].*fargs_r_tail(a=4)" "$tmp/lines")" = "$times" ]
	check "calls on the other CPUs are recorded" [ "$(grep -c 'fargs_r_depth(a=3)' "$tmp/lines")" -ge "$times" ]
done
"$graph_check" "$tmp/trace" >"$tmp/sums"
check "every return belongs to the innermost open call of its task" [ $? = 0 ]
note "$(head -n 20 "$tmp/sums")"

# cpu_of FILE: the calls in lines of fargs, each after its CPU. Reports times that go backwards.
cpu_of()
{
	sed -n 's/^.*\[0*\([0-9][0-9]*\)\] .* \([0-9]*\.[0-9]*\): \(fargs_t_[a-z]*(.*)\) \[fargs_target\] <-.*/\2 \1 \3/p' "$1" |
		awk '$1 < last { print "back in time: " $0 } { last = $1; sub(/^[^ ]* /, ""); print }'
}

for name in uint int short long ulong; do
	on=$cpu
	[[ $name = int || $name = long ]] || on=0
	truth_of "fargs_t_$name" | sed "s/^/$on /"
done >"$tmp/wanted"
echo 0 >"$online"
fargs record -a -f 'fargs_t_*' -o "$tmp/trace" -- bash -c come 2>"$tmp/err"
check "record exits with 0 if a CPU comes online after START" [ $? = 0 ] || note "$(cat "$tmp/err")"
check "the CPU is offline again" [ "$(cat "$online")" = 0 ]
check "every call is accounted for" is_whole "$tmp/trace" || note "$(cat "$tmp/verify")"
fargs report "$tmp/trace" >"$tmp/lines"
cpu_of "$tmp/lines" >"$tmp/got"
check_same "calls on the CPU are recorded in order" "$tmp/wanted" "$tmp/got"
fargs trace -a -f 'fargs_t_*' -- bash -c come >"$tmp/lines" 2>"$tmp/err"
check "trace exits with 0 if a CPU comes online after START" [ $? = 0 ] || note "$(cat "$tmp/err")"
cpu_of "$tmp/lines" >"$tmp/got"
check_same "calls on the CPU are shown in order" "$tmp/wanted" "$tmp/got"
test_end
