#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# All tracepoints of the kernel at once.
#
#	tracepoint_all.sh [--seconds N]	for N (0) seconds of work
. "$(dirname "$0")/lib/ktap.sh"

seconds=0
[ "$1" != --seconds ] || seconds=$2

test_begin
modprobe -n -q fargs_tp_event || skip_all "module fargs_tp_event is not installed"
file=/proc/fargs_tp
modprobe fargs_tp_event
# Each tracepoint has a symbol __traceiter_NAME.
awk '$3 ~ /^__traceiter_/ && $3 !~ /[.]/' /proc/kallsyms | wc -l >"$tmp/wanted"
fargs list -t '*' >"$tmp/traced" 2>"$tmp/err"
nr=$(wc -l <"$tmp/traced")
nr_refused=$(sed -nE 's/^fargs: ([0-9]+) more cannot be traced .*/\1/p' "$tmp/err")
echo $((nr + nr_refused)) >"$tmp/got"
check_same "list shows every tracepoint, or counts those that it does not show" "$tmp/wanted" "$tmp/got" ||
	note "$(cat "$tmp/err")"
cat >"$tmp/busy" <<-END
	while :; do
		ls -lR /proc/self >/dev/null 2>&1
		echo 1000 >$file
		cp /bin/bash $tmp/copy && sync $tmp/copy
		((SECONDS < $seconds)) || break
	done
END
fargs record -a -m 1M -t '*' -o "$tmp/all.dat" -- bash "$tmp/busy" 2>"$tmp/err"
check "all tracepoints can be traced at once" [ $? = 0 ] || note "$(cat "$tmp/err")"
check "every record is accounted for" is_whole "$tmp/all.dat" || note "$(cat "$tmp/verify")"
check "info shows the number of tracepoints" grep -qE "^functions +0, and $nr tracepoints$" \
	<(fargs info "$tmp/all.dat") || note "$(fargs info "$tmp/all.dat")"
rmmod fargs_tp_event
modprobe -r fargs
check "fargs can be unloaded afterwards" [ $? = 0 ]
modprobe fargs
test_end
