#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Symbols of addresses in the kernel, its data and its modules, and at their ends, are those that
# the kernel itself prints.
. "$(dirname "$0")/lib/ktap.sh"

nr_addresses=3000

names()
{
	perl "$test_dir/lib/pS_names.pl" "$@"
}

test_begin perl
filter=$(program resolve.so) || skip_all "resolve.so is not built"
[ -e "$tracing/kprobe_events" ] || skip_all "this kernel has no kprobe events"
modprobe -q ext4
names ask $nr_addresses >"$tmp/addresses"
check "the kernel prints symbols of addresses" eval 'names kernel <"$tmp/addresses" >"$tmp/kernel"'
check "the kernel prints a line for each address" [ "$(wc -l <"$tmp/kernel")" = $nr_addresses ]
fargs record -f fargs_n_number -o "$tmp/t.fargs" -- sh -c "echo number 1 1 >$target" 2>"$tmp/err" ||
	note "$(cat "$tmp/err")"
fargs report --dlfilter "$filter" --dlarg "$tmp/addresses" "$tmp/t.fargs" >"$tmp/fargs" 2>"$tmp/err" ||
	note "$(cat "$tmp/err")"
names check "$tmp/kernel" "$tmp/fargs" >"$tmp/wrong"
is_same=$?
head -n 20 "$tmp/wrong"
tail -n +21 "$tmp/wrong" | tail -n 1
check "symbols in a recording are those of the kernel" [ $is_same = 0 ]
test_end
