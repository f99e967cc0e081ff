#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Functions that only soft or hard interrupts call are shown with s or h, on all kernels: with
# PREEMPT_RT, soft interrupts are served by tasks, and the preempt count does not show them.
. "$(dirname "$0")/lib/ktap.sh"

# contexts_of FUNCTION: the fourth column of its flags, each character that occurs once.
contexts_of()
{
	sed -n "s/^.*\[[0-9]*\] \([^ ]*\) .*: $1(.*/\1/p" "$tmp/lines" | cut -c3 | sort -u | tr -d '\n'
}

test_begin
fargs trace -a -f run_timer_softirq -f hrtimer_interrupt -f vfs_write -- \
	sh -c "for i in 1 2 3 4 5; do sleep 0.1; echo; done" >"$tmp/lines" 2>"$tmp/err"
check "trace exits with 0" [ $? = 0 ] || note "$(cat "$tmp/err")"
check_same "the function that serves timers runs in soft interrupts" <(echo s) <(contexts_of run_timer_softirq; echo)
check_same "the timer's interrupt handler runs in hard interrupts" <(echo h) <(contexts_of hrtimer_interrupt | tr -d H; echo)
check_same "a function of a system call runs in neither" <(echo .) <(contexts_of vfs_write; echo)
test_end
