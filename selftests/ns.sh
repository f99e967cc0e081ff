#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Tasks of PID namespaces, created before and during the recording: shown by their PID in the
# initial namespace, and with --ns by the PID in their own. They live until the recording ends, so
# that the result does not depend on timing.
. "$(dirname "$0")/lib/ktap.sh"

# inside FUNCTION: waits, calls FUNCTION, and logs its own PID: $$, which is set when bash starts,
# so this must run in a bash of its own.
inside()
{
	until [ -e "$tmp/go" ]; do sleep 0.1; done
	echo "$1" >"$target"
	echo "$$ $1" >>"$tmp/truth"
	until [ -e "$tmp/end" ]; do sleep 0.1; done
}

# The recorder's command: two tasks in one new namespace, and itself in the initial one.
run()
{
	unshare --pid --fork bash -c 'bash -c "inside fargs_r_int" & bash -c "inside fargs_t_4"' &
	touch "$tmp/go"
	until [ "$(wc -l <"$tmp/truth")" = 3 ]; do sleep 0.1; done
	echo fargs_t_dirty_s8 >"$target"
	echo "$$ fargs_t_dirty_s8" >>"$tmp/truth"
}

# numbers OPTION...: "PID FUNCTION" of the lines.
numbers()
{
	fargs report "$@" "$tmp/trace" |
		sed -n 's/^ *bash-\([0-9?]*\) .*: \(fargs_[a-z0-9_]*\)(.*/\1 \2/p' | sort -u
}

test_begin unshare
unshare --pid --fork true || skip_all "this kernel has no PID namespaces"
trap 'touch "$tmp/end"; test_cleanup' EXIT
export -f run inside
export target tmp
: >"$tmp/truth"
unshare --pid --fork bash -c 'inside fargs_r_void' &
fargs record -a -f fargs_r_void -f fargs_r_int -f fargs_t_4 -f fargs_t_dirty_s8 \
	-o "$tmp/trace" -- bash -c run >"$tmp/out" 2>"$tmp/err"
check "record exits with 0" [ $? = 0 ] || note "$(cat "$tmp/out" "$tmp/err")"

sort "$tmp/truth" >"$tmp/wanted"
numbers --ns >"$tmp/got"
check_same "with --ns tasks have the PIDs of their own namespace" "$tmp/wanted" "$tmp/got"
check "some tasks have other PIDs than in the initial namespace" grep -q '^1 fargs_r_void' "$tmp/got"

# /proc/PID/status shows which PID a task has in its namespace, while the task exists.
numbers | while read -r tid function; do
	[ ! -e "/proc/$tid" ] || echo "$(awk '/^NSpid:/ { print $NF }' "/proc/$tid/status") $function"
done | sort >"$tmp/got"
grep -v fargs_t_dirty_s8 "$tmp/truth" | sort >"$tmp/wanted"
check_same "without --ns tasks have the PIDs of the initial namespace" "$tmp/wanted" "$tmp/got"
touch "$tmp/end"
wait
test_end
