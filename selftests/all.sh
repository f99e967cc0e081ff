#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# All functions of the kernel at once: no record is corrupt, and what was kept,
# lost and rejected is what was produced, on each CPU.
. "$(dirname "$0")/lib/ktap.sh"

test_begin dd
before=$(nr_traced)

fargs record -a -f '*' -o "$tmp/trace" -- \
	sh -c "wc -l <$tracing/enabled_functions >$tmp/nr
	       dd if=/dev/zero of=/dev/null bs=1 count=20000 2>$tmp/dd" 2>"$tmp/err"
check "record exits with 0" [ $? = 0 ] || note "$(cat "$tmp/err")"
check "the command ran to its end" grep -q '^20000+0 records out' "$tmp/dd"
traceable=$(wc -l <"$tracing/available_filter_functions")
note "$(cat "$tmp/nr") functions were traced, of $traceable"
# Some have arguments that are refused, or none that BTF tells.
check "most functions were traced" [ "$(cat "$tmp/nr")" -gt $((traceable * 6 / 10)) ]
check "none is traced any more" nr_traced_is "$before"

fargs report --verify "$tmp/trace" >"$tmp/verify" 2>&1
check "every record is right, and accounted for" [ $? = 0 ]
note "$(tail -n 20 "$tmp/verify")"

fargs report "$tmp/trace" >"$tmp/lines" 2>"$tmp/err"
check "report exits with 0" [ $? = 0 ] || note "$(cat "$tmp/err")"
note "$(wc -l <"$tmp/lines") lines"
check "dd's own calls are there" grep -q '^ *dd-.* vfs_read(.* count=1, ' "$tmp/lines"
check "every line is a call, or tells of a loss" \
	[ "$(grep -cvE '^ .*[0-9]: [A-Za-z_][A-Za-z0-9_.]*\(.*\)( \[[^]]*\])? <-|lost [0-9]+' "$tmp/lines")" = 0 ] ||
	note "$(grep -vE '^ .*[0-9]: [A-Za-z_][A-Za-z0-9_.]*\(.*\)( \[[^]]*\])? <-|lost [0-9]+' "$tmp/lines" | head -n 5)"
test_end
