#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Tasks of pid namespaces, those that there were and those that come meanwhile: by the
# numbers of the initial namespace, and with --ns by those that they have in their own.
# They live until all is recorded, so that what is known of them does not hang on time.
. "$(dirname "$0")/lib/ktap.sh"

# inside FUNCTION: waits to be let on, calls it, and says what it is called itself: by the
# number that bash had when it began, so that it is to be a bash of its own.
inside()
{
	until [ -e "$tmp/go" ]; do sleep 0.1; done
	echo "$1" >"$target"
	echo "$$ $1" >>"$tmp/truth"
	until [ -e "$tmp/end" ]; do sleep 0.1; done
}

# The command of the recorder: two tasks in one namespace, and itself in none.
run()
{
	unshare --pid --fork bash -c 'bash -c "inside fargs_r_int" & bash -c "inside fargs_t_4"' &
	touch "$tmp/go"
	until [ "$(wc -l <"$tmp/truth")" = 3 ]; do sleep 0.1; done
	echo fargs_t_dirty_s8 >"$target"
	echo "$$ fargs_t_dirty_s8" >>"$tmp/truth"
}

# numbers OPTION...: "NUMBER FUNCTION" of the lines.
numbers()
{
	fargs report "$@" "$tmp/trace" |
		sed -n 's/^ *bash-\([0-9?]*\) .*: \(fargs_[a-z0-9_]*\)(.*/\1 \2/p' | sort -u
}

test_begin unshare
unshare --pid --fork true || skip_all "there are no pid namespaces"
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
check_same "with --ns, tasks have the numbers they have themselves" "$tmp/wanted" "$tmp/got"
check "some of which are no numbers of the initial namespace" grep -q '^1 fargs_r_void' "$tmp/got"

# What the kernel says of the numbers outside, while the tasks are there.
numbers | while read -r tid function; do
	[ ! -e "/proc/$tid" ] || echo "$(awk '/^NSpid:/ { print $NF }' "/proc/$tid/status") $function"
done | sort >"$tmp/got"
grep -v fargs_t_dirty_s8 "$tmp/truth" | sort >"$tmp/wanted"
check_same "without, those of the initial namespace" "$tmp/wanted" "$tmp/got"
touch "$tmp/end"
wait
test_end
