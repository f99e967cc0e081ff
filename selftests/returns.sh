#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# --returns: the returns of some functions, and the entries of the rest. On a kernel with a limit of
# return probes (6.1): more functions than it has are refused at once, with the right numbers.
. "$(dirname "$0")/lib/ktap.sh"

call_some()
{
	sh -c "for f in fargs_r_tail fargs_r_depth fargs_r_void; do echo \$f >$target; done"
}
export -f call_some
export target

nested()
{
	sed -n 's/^.* | //p'
}

# The number of functions that are not clones and that ftrace can trace: addresses of kallsyms with
# a name, without a dot, that is in tracefs' list. sort would read kallsyms itself so slowly that it
# took minutes.
count_traceable()
{
	awk 'NR == FNR { has[$1 $2] = 1; next }
	     $2 ~ /[tTwW]/ && $3 !~ /\./ && ($3 $4) in has && $1 != last { last = $1; nr++ }
	     END { print nr }' "$tracing/available_filter_functions" \
		<(cat /proc/kallsyms | sort -s -k 1,1)
}

# refused WHAT PATTERN OPTION...: trace fails with one line that matches, and traces nothing.
refused()
{
	local before status
	before=$(nr_traced)
	fargs trace "${@:3}" -- true >"$tmp/lines" 2>"$tmp/err"
	status=$?
	check "$1" [ "$status $(wc -l <"$tmp/err") $(grep -c -- "$2" "$tmp/err")" = "1 1 1" ] ||
		note "$status: $(cat "$tmp/err")"
	check "$1: nothing is traced" [ "$(nr_traced) $(wc -l <"$tmp/lines")" = "$before 0" ]
}

test_begin
max=$(fargs check | sed -n 's/.* returns: of at most \([0-9]*\) functions.*/\1/p')

# Only the returns of fargs_r_tail() are recorded: a name is preferred to a glob.
cat >"$tmp/truth" <<-END
	fargs_r_tail(a=4) [fargs_target] {
	  fargs_r_int(a=5) [fargs_target]
	} = 5 <fargs_r_tail>
	fargs_r_depth(a=3) [fargs_target]
	fargs_r_depth(a=2) [fargs_target]
	fargs_r_depth(a=1) [fargs_target]
	fargs_r_depth(a=0) [fargs_target]
	fargs_r_void(a=1) [fargs_target]
END
fargs record -g -a --returns 1 -f 'fargs_r_*' -f fargs_r_tail -o "$tmp/trace" -- \
	bash -c call_some 2>"$tmp/err"
check "record exits with 0" [ $? = 0 ] || note "$(cat "$tmp/err")"
check "record reports how many returns are recorded" grep -q \
	"^fargs: recording the returns of 1 function, and only the entries of [1-9][0-9]* more ('-v' lists those with returns)$" "$tmp/err" ||
	note "$(cat "$tmp/err")"
check "every call is accounted for" is_whole "$tmp/trace" || note "$(cat "$tmp/verify")"
fargs report "$tmp/trace" | nested >"$tmp/got"
check_same "a graph shows the entries of the rest, without nesting" "$tmp/truth" "$tmp/got"
check "a function with its return has a duration, one without has none" [ "$(fargs report \
	"$tmp/trace" | awk -F'|' '/ us \| / { print $2 }' | grep -c .)" = 1 ] ||
	note "$(fargs report "$tmp/trace")"

fargs trace -v -a --returns 2 -f 'fargs_r_* -> ret' -f 'fargs_r_int -> ret' -- bash -c call_some \
	>"$tmp/lines" 2>"$tmp/err"
check "-v lists the functions whose returns are recorded" [ "$(grep -c '^fargs: return recorded: ' \
	"$tmp/err") $(grep -c '^fargs: return recorded: fargs_target:fargs_r_int$' "$tmp/err")" = "2 1" ] ||
	note "$(cat "$tmp/err")"

refused "returns that a condition needs are not left out" \
	"^fargs: '--returns': the returns of [0-9]* functions decide which calls are recorded" \
	--returns 1 -f 'fargs_r_* -> ret < 0'

if [ -z "$max" ]; then
	skip "too many returns are refused" "this kernel has no limit of return probes"
	test_end
fi
# refused_early WHAT OPTION...: as refused, with BTF that cannot be read: it is not needed.
refused_early()
{
	refused "$1" "^fargs: $truth functions that ftrace can trace match, and their returns are to be recorded, but this kernel has return probes for at most $max: .*'--returns $max'" "${@:2}"
}

truth=$(count_traceable)
check "there are more functions than return probes" [ "$truth" -gt $((2 * max)) ]
: >"$tmp/nothing"
mount --bind "$tmp/nothing" /sys/kernel/btf/vmlinux || skip_all "BTF cannot be hidden"
refused_early "too many returns of a graph are refused before BTF is read" -g -f '*'
refused_early "too many return values are refused before BTF is read" -f '* -> ret' -f '*:* -> ret'
umount /sys/kernel/btf/vmlinux
refused "more --returns than the kernel has are refused" \
	"^fargs: '--returns': this kernel has return probes for at most $max functions$" \
	-g --returns $((max + 1)) -f 'fargs_r_*'
test_end
