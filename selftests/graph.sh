#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# -g: nested calls. Known calls of the target; and, with many functions on all CPUs, each return
# belongs to its call.
. "$(dirname "$0")/lib/ktap.sh"

call_some()
{
	sh -c "for f in fargs_r_depth fargs_r_tail fargs_r_void; do echo \$f >$target; done"
}
export -f call_some
export target

# The part of each line after the duration.
nested()
{
	sed -n 's/^.* | //p'
}

# Prints closing braces that do not belong to the open call at their depth in that task (or idle
# task of a CPU). At depth 0 the call may have been made before tracing began.
odd_braces()
{
	awk 'match($0, /-[0-9]+ +\[[0-9]+\]/) {
		task = substr($0, RSTART, RLENGTH)
		if (task !~ /^-0 /)
			sub(/ .*/, "", task)
		text = $0
		sub(/^[^|]*\| /, "", text)
		match(text, /^ */)
		depth = RLENGTH / 2
		text = substr(text, RLENGTH + 1)
		name = text
		if (text ~ /\{$/) {
			sub(/\(.*/, "", name)
			opened[task, depth] = name
		} else if (text ~ /^\}/) {
			sub(/.*</, "", name)
			sub(/>$/, "", name)
			if (opened[task, depth] != name && (depth || opened[task, depth] != ""))
				print
			opened[task, depth] = ""
		}
	}' "$1"
}

test_begin
cat >"$tmp/truth" <<-END
	fargs_r_depth(a=3) [fargs_target] {
	  fargs_r_depth(a=2) [fargs_target] {
	    fargs_r_depth(a=1) [fargs_target] {
	      fargs_r_depth(a=0) [fargs_target] = 0
	    } = 1 <fargs_r_depth>
	  } = 3 <fargs_r_depth>
	} = 6 <fargs_r_depth>
	fargs_r_tail(a=4) [fargs_target] {
	  fargs_r_int(a=5) [fargs_target] = 5
	} = 5 <fargs_r_tail>
	fargs_r_void(a=1) [fargs_target]
END
fargs record -g -a -f 'fargs_r_*' -o "$tmp/trace" -- bash -c call_some 2>"$tmp/err"
check "record exits with 0" [ $? = 0 ] || note "$(cat "$tmp/err")"
fargs report "$tmp/trace" | nested >"$tmp/got"
check_same "report shows nested calls" "$tmp/truth" "$tmp/got"

fargs trace -g -a -f 'fargs_r_*' -- bash -c call_some 2>"$tmp/err" | nested >"$tmp/got"
check_same "trace shows nested calls" "$tmp/truth" "$tmp/got"

# Some of these sleep, others are called by interrupts.
fargs record -g -a -m 16M -f 'vfs_*' -f 'ksys_*' -f 'hrtimer_*' -o "$tmp/trace" -- \
	sh -c 'for i in 1 2 3 4; do ls -lR /proc/self/ >/dev/null & done; wait' 2>"$tmp/err"
check "record exits with 0 with many functions" [ $? = 0 ] || note "$(cat "$tmp/err")"
check "every call is accounted for" is_whole "$tmp/trace" ||
	note "$(cat "$tmp/verify")"
fargs report "$tmp/trace" >"$tmp/lines"
odd_braces "$tmp/lines" >"$tmp/odd"
note "$(wc -l <"$tmp/lines") lines, at most $(awk -F'|' '/\|/ { match($2, /^ */)
	if (RLENGTH > n) n = RLENGTH } END { print (n - 1) / 2 }' "$tmp/lines") deep"
check "every closing brace belongs to the call at its depth" [ ! -s "$tmp/odd" ] ||
	note "$(head -n 20 "$tmp/odd")"
test_end
