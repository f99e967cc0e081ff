#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# The kernel's formatted events (-e): each one, with its text, as tracefs itself has it of
# the same hits; among calls in their place; filtered, lost, and without the module.
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

# What is traced: a shell that waits until it is told to go, works by itself, and ends as
# another program.
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

# watch PID: tracefs does the same, with the same filter.
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

# Lines of either as "US PID CPU FLAGS EVENT: TEXT", without what the two write differently:
# the system in front of the name, 0x, leading zeroes, a symbol's size, and the brackets of
# system calls. And pages, which libtraceevent tells by their numbers; pointers, which
# tracefs hides; how deep preemption is disabled in system calls, since 6.1 counts its own; and
# numbers in their arguments, of which 7.2 tells some in decimal and some not at all. The
# modules of symbols, which libtraceevent leaves out. That rescheduling is due, since an
# interrupt may come between the two who see the same hit; sorted, for the same reason. How often
# migration is disabled, as 7.2 does while it reads a system call's file name: of a softirq that
# comes meanwhile tracefs tells it, and perf's record of the same hit does not.
plain()
{
	sed -nE 's/^ *.{1,16}-([0-9]+) +\[([0-9]+)\] (.{5}) +([0-9]+)\.([0-9]+): (.*)$/\4\5 \1 \2 \3 \6/p' |
		sed -E 's/^(([^ ]+ ){4})[a-z]+:([^ ])/\1\3/; s/ (page|ptr)=[^ ]+//; s/^(([^ ]+ ){3}.)[NnpBbLl]/\1./
			s/^(([^ ]+ ){3}.{4})./\1./
			s/([+][0-9a-fx]+(\/[0-9a-fx]+)?) \[[^ ]+\]/\1/; s/sys_openat\(/sys_enter_openat: /
			s/sys_openat -> /sys_exit_openat: /; s/\)$//; s/0x0*([0-9a-f])/\1/g
			s/dfd: [^,]+/dfd/; s/filename: [0-9a-f]+ "/filename: "/; s/, mode: [^,]*$//
			s/^(([^ ]+ ){3})[^ ]+ sys_/\1- sys_/
			s/([+][0-9a-f]+)\/[0-9a-f]+/\1/; s/\b0+([0-9a-f])/\1/g'
}

# first_us FILE...: when the first of the work's files was opened, by whom it was seen first.
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

# Whoever opens the module's file finds another one.
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
# By then one of them had begun and the other not: both know the work from its start. By
# time: of an interrupt between the two at that hit, one has it behind the hit, one before.
us=$(first_us "$tmp/wanted" "$tmp/got")
for file in wanted got; do
	awk -v us="$us" 'us && $1 >= us { sub(/^[0-9]+ /, ""); print }' "$tmp/$file" | sort >"$tmp/since"
	mv "$tmp/since" "$tmp/$file"
done
note "$(cut -d' ' -f4 "$tmp/wanted" | sort | uniq -c)"
check "there are all kinds of events" \
	[ "$(cut -d' ' -f4 "$tmp/wanted" | sort -u | wc -l)" -ge $((${#events[@]} - 1)) ]
check_same "they are those of tracefs, one by one" "$tmp/wanted" "$tmp/got"
check "what is counted adds up" adds_up
unshare -m sh -c "umount -a -t tracefs,debugfs 2>/dev/null; umount $tracing
	exec fargs report '$tmp/file'" >"$tmp/elsewhere" 2>"$tmp/err"
check_same "they read the same without tracefs" "$tmp/lines" "$tmp/elsewhere"

# Among calls: each vfs_read that a read(2) makes is between its two events. Where the
# kernel does not trust the TSC their times agree to some us, which is more than there is
# between them.
fargs trace -f vfs_read -e 'syscalls:sys_*_read' -- cat /proc/version >"$tmp/lines" \
	2>"$tmp/err"
awk '
	/ syscalls:sys_enter_read: / { is_in = 1; reads++ }
	/ syscalls:sys_exit_read: / { is_in = 0; exits++ }
	/ vfs_read\(.*<-ksys_read/ { calls++; if (!is_in) wrong++ }
	END { print reads, exits, calls, wrong + 0; exit !(reads && exits >= reads && calls == reads && !wrong) }
' "$tmp/lines" >"$tmp/out"
in_order=$?
fargs record -o "$tmp/file" -f vfs_read -e 'syscalls:sys_*_read' -- cat /proc/version 2>"$tmp/err"
if ! grep -q '^clock.*, stable' < <(fargs info "$tmp/file"); then
	skip "calls are between the events around them" "the kernel does not trust the TSC"
	skip "and out of a file" "the kernel does not trust the TSC"
else
check "calls are between the events around them" [ $in_order = 0 ] ||
	note "$(cat "$tmp/out" "$tmp/err")"
fargs report "$tmp/file" | awk '
	/ syscalls:sys_enter_read: / { is_in = 1; reads++ }
	/ syscalls:sys_exit_read: / { is_in = 0 }
	/ vfs_read\(.*<-ksys_read/ { calls++; if (!is_in) wrong++ }
	END { exit !(reads && calls == reads && !wrong) }'
check "and out of a file" [ "${PIPESTATUS[1]}" = 0 ] || note "$(fargs report "$tmp/file")"
fi

# Nobody reads while there are more events than fit; behind the last nothing tells.
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
told=$(fargs info "$tmp/file" | sed -n 's/^events .* \([0-9]*\) lost$/\1/p')
note "$kept kept, $lost lost"
check "events are lost where there is no room" [ "$lost" -gt 300 ]
check "as many as the kernel counts" [ "$lost" = "$told" ]
check "and a recording with losses adds up" adds_up

# says WHAT TEXT OPTION...
says()
{
	local what=$1
	echo "fargs: $2" >"$tmp/wanted"
	shift 2
	fargs trace "$@" -- true >"$tmp/out" 2>"$tmp/got"
	check "$what fails" [ $? = 1 ]
	check_same "$what is told" "$tmp/wanted" "$tmp/got"
}
says "a filter with a wrong field" \
	"--filter: sched:sched_switch refuses 'next_pri < 100': Field not found" \
	-e sched:sched_switch --filter 'next_pri < 100'
fargs trace -e task:task_renam -- true >"$tmp/out" 2>"$tmp/err"
check "an event that is not there is told, with others that are" \
	grep -q "^fargs: there is no event 'task:task_renam': did you mean task:task_rename" "$tmp/err"
unshare -m sh -c "umount -a -t debugfs; umount $tracing; exec fargs trace -e 'sched:*' -- true" \
	2>"$tmp/err"
check "that tracefs is not mounted is told" grep -q '^fargs: tracefs is not mounted' "$tmp/err"

test_end
