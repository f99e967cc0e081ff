#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# bpf_fentry_test1() and others, which a test run of a BPF program calls with known arguments, are
# shown with these arguments.
. "$(dirname "$0")/lib/ktap.sh"

test_begin
grep -q '^bpf_fentry_test1$' "$tracing/available_filter_functions" ||
	skip_all "this kernel has no bpf_fentry_test1"
run=$(program bpf_fentry) || skip_all "bpf_fentry is not built"
"$run" 2>"$tmp/err"
status=$?
[ $status != 4 ] || skip_all "$(head -n 1 "$tmp/err")"
check "a BPF program can be run" [ $status = 0 ] || note "$(cat "$tmp/err")"

# The calls that net/bpf/test_run.c makes.
cat >"$tmp/wanted" <<-EOT
	bpf_fentry_test1(a=1)
	bpf_fentry_test2(a=2, b=3)
	bpf_fentry_test3(a=4, b=5, c=6)
	bpf_fentry_test4(a=0x7, b=8, c=9, d=10)
	bpf_fentry_test5(a=11, b=0xc, c=13, d=14, e=15)
	bpf_fentry_test6(a=16, b=0x11, c=18, d=19, e=0x14, f=21)
	bpf_fentry_test7(arg=0x0)
EOT

fargs record -a -f 'bpf_fentry_test*' -o "$tmp/trace" -- "$run" 2>"$tmp/err"
check "record exits with 0" [ $? = 0 ] || note "$(cat "$tmp/err")"
fargs report "$tmp/trace" | calls_of | grep '^bpf_fentry_test[1-7](' >"$tmp/got"
check_same "record shows every call as the kernel makes it" "$tmp/wanted" "$tmp/got"

fargs trace -a -f 'bpf_fentry_test*' -- "$run" 2>"$tmp/err" | calls_of |
	grep '^bpf_fentry_test[1-7](' >"$tmp/got"
check_same "trace shows every call as the kernel makes it" "$tmp/wanted" "$tmp/got"
test_end
