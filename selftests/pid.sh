#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# --pid and --tid: only these tasks are traced; with --follow also those that they create.
. "$(dirname "$0")/lib/ktap.sh"
. "$(dirname "$0")/lib/whose.sh"

# start_waiter COMMAND: starts a shell that already has a child; both wait for a line.
start_waiter()
{
	local name
	for name in ready go child_go 'done' child_done; do
		[ -p "$tmp/$name" ] || mkfifo "$tmp/$name"
	done
	cat >"$tmp/waiter" <<-END
		( echo >$tmp/ready; read x <$tmp/child_go
		  echo fargs_t_uint >$target; echo >$tmp/child_done ) &
		read x <$tmp/go
		echo fargs_t_none >$target
		sh -c 'echo fargs_t_short >$target; :'
		$1
	END
	sh "$tmp/waiter" &
	waiter=$!
	read -r _ <"$tmp/ready"
}

# traced_waiter: traces by options, while a command makes a call itself and wakes the shell.
traced_waiter()
{
	traced "echo fargs_t_ulong >$target
		echo >$tmp/child_go; read x <$tmp/child_done
		echo >$tmp/go; read x <$tmp/done"
	wait "$waiter"
}

test_begin
thread_exec=$(program thread_exec) || skip_all "thread_exec is not built"
want fargs_t_none
begin_noise

# Without --follow the shell alone is traced; with it also tasks that it creates from then on, but
# not the child that it already has.
start_waiter "echo >$tmp/done"
options=(-a --pid "$waiter")
want fargs_t_none
traced_waiter
check_same "--pid traces a process, but not its children" "$tmp/wanted" "$tmp/got"
start_waiter "echo >$tmp/done"
options=(--pid "$waiter" --follow)
want fargs_t_none fargs_t_short
traced_waiter
check_same "--pid --follow also traces new children, but not the command" \
	"$tmp/wanted" "$tmp/got"

# A thread of the process makes a call and executes a shell, which makes a call.
thread="exec $thread_exec fargs_t_none sh -c 'echo fargs_t_short >$target; echo >$tmp/done'"
start_waiter "$thread"
options=(-a --pid "$waiter")
want fargs_t_none fargs_t_none fargs_t_short
traced_waiter
check_same "--pid traces all threads of a process" "$tmp/wanted" "$tmp/got"
start_waiter "$thread"
options=(-a --tid "$waiter")
want fargs_t_none fargs_t_short
traced_waiter
check_same "--tid traces one thread" "$tmp/wanted" "$tmp/got"
start_waiter "$thread"
options=(--tid "$waiter" --follow)
want fargs_t_none fargs_t_short fargs_t_none fargs_t_short
traced_waiter
check_same "--tid --follow also traces what the thread creates" "$tmp/wanted" "$tmp/got"

timeout -s INT 100 fargs trace --count 1 --pid "$noise_pid" -f 'fargs_t_*' >"$tmp/lines" 2>"$tmp/err"
check "--pid needs neither -a nor a command" grep -q -- "-$noise_pid .*fargs_t_ulong(" "$tmp/lines" ||
	note "$(cat "$tmp/err")"
check "--pid shows no other process" [ "$(grep -vc -- "-$noise_pid " "$tmp/lines")" = 0 ]
fargs trace --pid 4194305 --follow -f fargs_t_none -- true >"$tmp/lines" 2>"$tmp/err"
check "--follow of a process that does not exist is refused" \
	[ "$? $(cat "$tmp/err")" = "1 fargs: there is no process 4194305 to follow" ] ||
	note "$(cat "$tmp/err")"
for option in pid tid; do
	# Without the check, it would wait until the time limit.
	timeout 60 fargs trace --$option 1,4194305 -f fargs_t_none >"$tmp/lines" 2>"$tmp/err"
	check "--$option of a task that does not exist is refused" \
		[ "$? $(sed 's/process/thread/' "$tmp/err")" = \
		  "1 fargs: '--$option': there is no thread 4194305" ] || note "$(cat "$tmp/err")"
done
end_noise
test_end
