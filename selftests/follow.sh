#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Without -a only the command and its descendants are traced, however they are created; with -a
# all tasks are.
. "$(dirname "$0")/lib/ktap.sh"
. "$(dirname "$0")/lib/whose.sh"

test_begin
thread_exec=$(program thread_exec) || skip_all "thread_exec is not built"
options=()

want fargs_t_none fargs_t_short fargs_t_uint
truth_of fargs_t_none >/dev/null
begin_noise

traced "echo fargs_t_none >$target; echo fargs_t_short >$target; echo fargs_t_uint >$target"
check_same "only the command's calls are traced" "$tmp/wanted" "$tmp/got"

traced "echo fargs_t_none >$target
	sh -c 'echo fargs_t_short >$target; sh -c \"echo fargs_t_uint >$target; :\"; :'; :"
check_same "calls of children and grandchildren are traced" "$tmp/wanted" "$tmp/got"
check "each call has its own task's PID" \
	[ "$(sed -n 's/^ *sh-\([0-9]*\) .*/\1/p' "$tmp/lines" | sort -u | wc -l)" = 3 ]

want fargs_t_short
traced "(( echo fargs_t_short >$target ) & wait) & wait"
check_same "calls of a child whose parent has exited are traced" "$tmp/wanted" "$tmp/got"

traced "exec bash -c 'echo fargs_t_short >$target'"
check_same "calls after an exec are traced" "$tmp/wanted" "$tmp/got"
check "a trace with events does not say that it has none" [ "$(grep -c '0 events' "$tmp/err")" = 0 ]
check "calls after an exec have the task's new name" grep -q '^ *bash-' "$tmp/lines"

want fargs_t_none fargs_t_short
traced "$thread_exec fargs_t_none sh -c 'echo fargs_t_short >$target'"
check_same "calls of a thread, also after its exec, are traced" "$tmp/wanted" "$tmp/got"

want fargs_t_short
traced "exec 3>$target; echo fargs_t_short >&3"
check_same "calls on a file opened before are traced" "$tmp/wanted" "$tmp/got"

traced ":"
check "for a command that makes no call no call is shown" [ ! -s "$tmp/got" ]
check "a trace without events says so" grep -qx 'fargs: 0 events' "$tmp/err"

options=(-a)
traced "echo fargs_t_short >$target; sleep 0.5; echo fargs_t_short >$target"
check "with -a the command's calls are traced" [ "$(grep -c fargs_t_short "$tmp/got")" = 2 ]
check "with -a calls of other tasks are traced" grep -q '^fargs_t_ulong(' "$tmp/got"
end_noise

fargs trace -a -f vfs_write -- sh -c "echo fargs_t_short >$target; echo fargs_t_short >$target" \
	>"$tmp/lines" 2>"$tmp/err" &
pid=$!
wait "$pid" || note "$(cat "$tmp/err")"
check "with -a other tasks' writes are traced" grep -q 'vfs_write(' "$tmp/lines"
check "with -a writes of fargs itself are not traced" [ "$(grep -c -- "-$pid  *\[" "$tmp/lines")" = 0 ]
test_end
