#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# -g with calls that never return, since their task exits or executes another program in them.
# Later calls must be shown at the right depth.
. "$(dirname "$0")/lib/ktap.sh"

# nested [TASK]: the names of that task's (or all) calls, indented by depth. A call without nested
# calls takes one line or two, depending on other tasks; here it is always two.
nested()
{
	sed -n "s/^ *.*-\(${1:-[0-9]*}\) *\[[0-9]*\] .* | //p" "$tmp/lines" |
		sed -E 's/^( *)\}.*<([a-z_]*)>$/\1} \2/; s/\(.*\{$/ {/
			s/^( *)([a-z_]*)\(.*/\1\2 {\n\1} \2/'
}

# next_pid PID: makes the next task get this number. Uses a builtin, because a program would get
# the number.
next_pid()
{
	echo $(($1 - 1)) >/proc/sys/kernel/ns_last_pid
}

# reuse PID FILE: a kernel thread exits inside nested calls, then a task is created with its
# number. No command is run in between, since it would get the number.
reuse()
{
	local pid=$1
	next_pid "$pid"
	echo "die 1" >"$target"
	while [ -e "/proc/$pid" ]; do :; done
	next_pid "$pid"
	( echo "$BASHPID" >"$2"; echo fargs_r_depth >"$target" )
}
export -f reuse next_pid
export target

test_begin
thread_exec=$(program thread_exec) || skip_all "thread_exec is not built"

if [ -w /proc/sys/kernel/ns_last_pid ]; then
	for pid in 4000 5000 6000; do
		fargs trace -g -a -f 'fargs_r_*' -- bash -c "reuse $pid $tmp/pid" \
			>"$tmp/lines" 2>"$tmp/err" || note "$(cat "$tmp/err")"
		[ "$(cat "$tmp/pid")" != "$pid" ] || break
	done
	cat >"$tmp/truth" <<-'END'
		fargs_r_die {
		  fargs_r_die {
		    fargs_r_die {
		fargs_r_depth {
		  fargs_r_depth {
		    fargs_r_depth {
		      fargs_r_depth {
		      } fargs_r_depth
		    } fargs_r_depth
		  } fargs_r_depth
		} fargs_r_depth
	END
	nested "$pid" >"$tmp/got"
	check_same "a task that exits inside calls, and a new task with its number, are shown" \
		"$tmp/truth" "$tmp/got" || note "$(cat "$tmp/lines" "$tmp/err")"
	check "the number of calls that never returned is reported" \
		grep -q '^fargs: 3 calls had not returned' "$tmp/err" || note "$(cat "$tmp/err")"
else
	skip "a task that exits inside calls, and a new task with its number, are shown" \
			"task numbers cannot be chosen on this kernel"
fi

# The program's first thread dies in the second thread's exec, which then gets its number.
fargs trace --with-exec -g -f bprm_execve -f begin_new_exec -f do_exit -- \
	"$thread_exec" fargs_t_none /bin/true >"$tmp/lines" 2>"$tmp/err" ||
	note "$(cat "$tmp/err")"
cat >"$tmp/truth" <<-'END'
	bprm_execve {
	  begin_new_exec {
	  } begin_new_exec
	} bprm_execve
	bprm_execve {
	  begin_new_exec {
	do_exit {
	  } begin_new_exec
	} bprm_execve
	do_exit {
END
nested >"$tmp/got"
check_same "the exec of a thread, and the exit of the first thread, are shown" "$tmp/truth" "$tmp/got" ||
	note "$(cat "$tmp/lines")"

# A task killed in its sleep: the sleep returns to a caller that does not. 230 is clock_nanosleep.
kill_sleeper()
{
	local pid
	sleep 100 &
	pid=$!
	until grep -q '^230 ' /proc/$pid/syscall; do :; done
	kill -KILL $pid
	wait $pid 2>/dev/null
	echo $pid >"$1"
}
export -f kill_sleeper
fargs trace -g -f hrtimer_nanosleep -f do_nanosleep -f get_signal -f do_group_exit -f do_exit -- \
	bash -c "kill_sleeper $tmp/pid" >"$tmp/lines" 2>"$tmp/err"
cat >"$tmp/truth" <<-'END'
	hrtimer_nanosleep {
	  do_nanosleep {
	  } do_nanosleep
	} hrtimer_nanosleep
	get_signal {
	  do_group_exit {
	    do_exit {
END
nested "$(cat "$tmp/pid")" >"$tmp/got"
check_same "a task killed in its sleep is shown" "$tmp/truth" "$tmp/got" || note "$(cat "$tmp/lines")"
test_end
