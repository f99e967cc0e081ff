#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# The kernel's formatted events (-e): each has the text that tracefs prints for the same hit; they
# are in order with calls; filters, losses, and recording without the module.
. "$(dirname "$0")/lib/ktap.sh"

instance=$tracing/instances/fargs-test
events=(sched:sched_switch sched:sched_waking sched:sched_process_exec sched:sched_process_exit
	task:task_rename kmem:kmalloc kmem:mm_page_alloc irq:softirq_entry
	syscalls:sys_enter_openat syscalls:sys_exit_openat)

cleanup()
{
	[ ! -d "$instance" ] || rmdir "$instance"
	test_cleanup
}

# The traced process: a shell that waits for $tmp/go, does some work, and executes another
# program.
work()
{
	echo $BASHPID >"$tmp/pid"
	until [ -e "$tmp/go" ]; do sleep 0.1; done
	for _ in 1 2 3 4 5; do
		read -r _ </proc/version
		read -r -t 0.01 _ <>"$tmp/fifo"
	done
	exec /bin/true
}

# watch PID: records the same events in tracefs, with the same filter.
watch()
{
	local event
	mkdir "$instance" || return
	echo perf >"$instance/trace_clock"
	for event in "${events[@]}"; do
		echo "common_pid == $1" >"$instance/events/${event/://}/filter" || return
		echo 1 >"$instance/events/${event/://}/enable" || return
	done
}

# Converts lines of fargs or of tracefs to "US PID CPU FLAGS EVENT: TEXT", without what the two
# print differently:
#	- the system before the name, 0x, leading zeroes, a symbol's size, brackets of system calls
#	- pages, which libtraceevent prints as numbers, and pointers, which tracefs hides
#	- the modules of symbols, which libtraceevent omits
#	- the preemption count in system calls, since tracefs of 6.1 counts its own
#	- numbers in arguments of system calls, some of which 7.2 prints in decimal or not at all
#	- need-resched, since an interrupt may occur between the two probes of the same hit
#	- the migrate-disable depth: 7.2 disables migration while it reads a system call's file name,
#	  and for a softirq meanwhile tracefs shows that, perf's record of the same hit does not
#	- two columns about lazy rescheduling, which tracefs of 6.1 with PREEMPT_RT has
lazy='s/^( *.{1,16}-[0-9]+ +\[[0-9]+\] [^ ]{2})[^ ]([^ ]{2})[^ ]([^ ]) /\1\2\3 /'
plain()
{
	sed -E "$lazy" |
	sed -nE 's/^ *.{1,16}-([0-9]+) +\[([0-9]+)\] (.{5}) +([0-9]+)\.([0-9]+): (.*)$/\4\5 \1 \2 \3 \6/p' |
		sed -E 's/^(([^ ]+ ){4})[a-z]+:([^ ])/\1\3/; s/ (page|ptr)=[^ ]+//; s/^(([^ ]+ ){3}.)[NnpBbLl]/\1./
			s/^(([^ ]+ ){3}.{4})./\1./
			s/([+][0-9a-fx]+(\/[0-9a-fx]+)?) \[[^ ]+\]/\1/; s/sys_openat\(/sys_enter_openat: /
			s/sys_openat -> /sys_exit_openat: /; s/\)$//; s/0x0*([0-9a-f])/\1/g
			s/dfd: [^,]+/dfd/; s/filename: [0-9a-f]+ "/filename: "/; s/, mode: [^,]*$//
			s/^(([^ ]+ ){3})[^ ]+ sys_/\1- sys_/
			s/([+][0-9a-f]+)\/[0-9a-f]+/\1/; s/\b0+([0-9a-f])/\1/g'
}

# first_us FILE...: the earliest time at which any FILE shows that work() opened its first file.
first_us()
{
	local file
	for file; do sed -n '/openat: .*dfd/{s/ .*//;p;q}' "$file"; done | sort -n | sed -n 1p
}

adds_up()
{
	fargs report --verify "$tmp/file" >"$tmp/out"
}

test_begin unshare
trap cleanup EXIT
mkfifo "$tmp/fifo"

# Hides the module: /dev/null is mounted on its device file.
cat >"$tmp/bare" <<-'EOS'
	mount --bind /dev/null /dev/fargs
	exec "$@"
EOS
bare=(unshare -m bash "$tmp/bare")

work &
pid=$!
wait_until 60 [ -s "$tmp/pid" ]
check "tracefs watches the same events" watch $pid
args=()
for event in "${events[@]}"; do
	args+=(-e "$event" --filter "common_pid == $pid")
done
finish_work()
{
	touch "$tmp/go"
	tail --pid="$1" -f /dev/null
}
export -f finish_work
export tmp
check "events are recorded without the module" "${bare[@]}" fargs record -a -o "$tmp/file" \
	"${args[@]}" -- bash -c "finish_work $pid"
echo 0 >"$instance/tracing_on"
grep -v '^#' "$instance/trace" | plain >"$tmp/wanted"
fargs report "$tmp/file" >"$tmp/lines"
plain <"$tmp/lines" >"$tmp/got"
# fargs and tracefs do not start recording at the same time, so leave out events before the work.
# Compare their times, not their positions: an interrupt at the first hit, between the two probes,
# is after the hit in one recording, and before it in the other.
us=$(first_us "$tmp/wanted" "$tmp/got")
for file in wanted got; do
	awk -v us="$us" 'us && $1 >= us { sub(/^[0-9]+ /, ""); print }' "$tmp/$file" | sort >"$tmp/since"
	mv "$tmp/since" "$tmp/$file"
done
note "$(cut -d' ' -f4 "$tmp/wanted" | sort | uniq -c)"
check "nearly every kind of event is recorded" \
	[ "$(cut -d' ' -f4 "$tmp/wanted" | sort -u | wc -l)" -ge $((${#events[@]} - 1)) ]
check_same "every event and its text is the same as in tracefs" "$tmp/wanted" "$tmp/got"
check "the counts of events add up" adds_up
unshare -m sh -c "umount -a -t tracefs,debugfs 2>/dev/null; umount $tracing
	exec fargs report '$tmp/file'" >"$tmp/offline" 2>"$tmp/err"
check_same "report prints the same without tracefs" "$tmp/lines" "$tmp/offline"

# In order with calls: each vfs_read() of a read(2) is between the two events of that system
# call. If the kernel does not trust the TSC, times agree only to some us, which is longer than
# such a call takes.
fargs trace -f vfs_read -e 'syscalls:sys_*_read' -t 'sys_enter(id == read)' \
	-- cat /proc/version >"$tmp/lines" 2>"$tmp/err"
# The kernel has an event for each system call, and a tracepoint for all of them.
wanted=$(grep -c ' syscalls:sys_enter_read: ' "$tmp/lines")
named=$(grep -c ' sys_enter(regs=' "$tmp/lines")
check "a system call is selected by its name" [ "$named $((wanted > 0))" = "$wanted 1" ] ||
	note "$(cat "$tmp/lines" "$tmp/err")"
awk '
	/ syscalls:sys_enter_read: / { is_in = 1; reads++ }
	/ syscalls:sys_exit_read: / { is_in = 0; exits++ }
	/ vfs_read\(.*<-ksys_read/ { calls++; if (!is_in) wrong++ }
	END { print reads, exits, calls, wrong + 0; exit !(reads && exits >= reads && calls == reads && !wrong) }
' "$tmp/lines" >"$tmp/out"
in_order=$?
fargs record -o "$tmp/file" -f vfs_read -e 'syscalls:sys_*_read' -- cat /proc/version 2>"$tmp/err"
if ! grep -q '^clock.*, stable' < <(fargs info "$tmp/file"); then
	skip "trace shows a call between the events around it" "the kernel does not trust the TSC"
	skip "report shows a call between the events around it" "the kernel does not trust the TSC"
else
check "trace shows a call between the events around it" [ $in_order = 0 ] ||
	note "$(cat "$tmp/out" "$tmp/err")"
fargs report "$tmp/file" | awk '
	/ syscalls:sys_enter_read: / { is_in = 1; reads++ }
	/ syscalls:sys_exit_read: / { is_in = 0 }
	/ vfs_read\(.*<-ksys_read/ { calls++; if (!is_in) wrong++ }
	END { exit !(reads && calls == reads && !wrong) }'
check "report shows a call between the events around it" [ "${PIPESTATUS[1]}" = 0 ] || note "$(fargs report "$tmp/file")"
fi

# More events than fit occur while fargs is stopped. A later event makes the kernel report the
# loss.
lose()
{
	kill -STOP $PPID
	until [[ $(</proc/$PPID/stat) = *') T '* ]]; do :; done
	for ((i = 0; i < 500; i++)); do : </dev/null; done
	kill -CONT $PPID
}
export -f lose
"${bare[@]}" fargs record -m 4k -o "$tmp/file" -e syscalls:sys_enter_openat -- \
	bash -c 'sleep 0.3; lose; exec 3</dev/null' 2>"$tmp/err"
fargs report "$tmp/file" >"$tmp/lines" 2>/dev/null
kept=$(grep -cE 'sys_enter_openat: ' "$tmp/lines")
lost=$(awk '$2 == "lost" && $4 == "events" { n += $3 } END { print n + 0 }' "$tmp/lines")
counted=$(fargs info "$tmp/file" | sed -n 's/^events .* \([0-9]*\) lost$/\1/p')
note "$kept kept, $lost lost"
check "events are lost when the buffer is full" [ "$lost" -gt 300 ]
check "the losses shown are as many as the kernel counts" [ "$lost" = "$counted" ]
check "the counts of a recording with losses add up" adds_up

# fails_with WHAT TEXT OPTION...: trace fails, and prints TEXT alone.
fails_with()
{
	local what=$1
	echo "fargs: $2" >"$tmp/wanted"
	shift 2
	fargs trace "$@" -- true >"$tmp/out" 2>"$tmp/got"
	check "$what fails" [ $? = 1 ]
	check_same "$what is reported" "$tmp/wanted" "$tmp/got"
}
fails_with "a filter with an unknown field" \
	"'--filter': 'sched:sched_switch' rejects 'next_pri < 100': Field not found" \
	-e sched:sched_switch --filter 'next_pri < 100'
fargs trace -e task:task_renam -- true >"$tmp/out" 2>"$tmp/err"
check "an unknown event is reported, with similar names" \
	grep -q "^fargs: there is no event 'task:task_renam': did you mean task:task_rename" "$tmp/err"
unshare -m sh -c "umount -a -t debugfs; umount $tracing; exec fargs trace -e 'sched:*' -- true" \
	2>"$tmp/err"
check "it is reported that tracefs is not mounted" \
	grep -q '^fargs: tracefs, which describes the events, is not mounted' "$tmp/err"

test_end
