#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Makes the recordings of 'join' in the guest.
#
#	join_guest.sh RECORDING...
cd /tmp && cp /host/guest . || exit 1
export target=/proc/fargs_target
modprobe fargs
modprobe fargs_target

# fail WHY: processes that still run end with the VM.
fail()
{
	echo "$*" >&2
	exit 1
}

# record NAME OPTION... -- COMMAND...: fails at once, since other processes may wait for COMMAND.
record()
{
	local name=$1
	shift
	fargs record -o "$name" "$@" >/dev/null 2>"$name.err" || fail "$name: $(cat "$name.err")"
	cp "$name" "$name.err" /host/
}

# until_there FILE
until_there()
{
	until [ -e "$1" ]; do
		sleep 0.05
	done
}

# Numbered calls; NMIs at any time, for backtraces of the CPUs; each of the known calls; and all the
# time system calls, page faults, interrupts and context switches. It starts few programs, since
# their start is traced, too.
mix()
{
	./guest count 3 400 &
	for _ in 1 2 3 4; do
		echo l >/proc/sysrq-trigger
	done
	wait
	echo all >$target
	cat /etc/passwd
}
export -f mix

record_mixed()
{
	local function
	local -a selectors=()
	mount -t tracefs nodev /sys/kernel/tracing 2>/dev/null
	for function in nmi_handle nmi_cpu_backtrace perf_event_nmi_handler show_iret_regs; do
		! grep -q "^$function\$" /sys/kernel/tracing/available_filter_functions ||
			selectors+=(-f "$function")
	done
	[ ${#selectors[@]} != 0 ] || fail "nothing that NMIs call can be traced"
	# Functions that the module's BTF has, which are not all.
	fargs list -f 'fargs_t_*' | sed -E 's/[ (].*//' | sort -u >/host/listed
	grep '^fargs_t_' $target >/host/known
	dmesg -n 1
	record mixed -a --pt -m ,16M -f 'fargs_t_*' -f 'fargs_r_* -> ret' -f fargs_n_number \
		-f vfs_write -f 'vfs_read(count > 100) -> ret' -f 'fargs_m_node(node->flags)' \
		-f 'handle_mm_fault' "${selectors[@]}" -t sched_switch -- bash -c mix
}

record_chosen()
{
	record chosen --pt -m ,8M -f 'fargs_n_number(number & 1) -> ret' -- ./guest count 3 200
}

# one_of_two NAME OPTION...: another process, which is not traced, calls the same function all the
# time.
one_of_two()
{
	local other victim name=$1
	shift
	rm -f go enough
	mkfifo go enough
	while :; do ./guest count 1 50; done &
	other=$!
	bash -c 'read -r _ <go
		for ((i = 0; i < 15; i++)); do echo number $((i * 20)) 20 >$target; done
		echo >enough' &
	victim=$!
	record "$name" "$@" --pid "$victim" --pt -m ,16M -f fargs_n_number -- \
		bash -c 'echo >go; read -r _ <enough'
	kill "$other"
	wait
}

# No sequence numbers are allocated for the other process.
record_filter()
{
	one_of_two filter --follow
}

# Sequence numbers are allocated for it, but there are no records.
record_pid()
{
	one_of_two pid -a
}

# Two other sessions, which end during the recording: of all calls and returns, and of half of the calls.
record_sessions()
{
	mkfifo done.1 done.2
	fargs record -a -o inner.1 -f 'fargs_n_number -> ret' -f vfs_read -- \
		bash -c 'touch on.1; read -r _ <done.1' >/dev/null 2>&1 &
	first=$!
	fargs record -a -o inner.2 -f 'fargs_n_number((number & 1) == 0)' -- \
		bash -c 'touch on.2; read -r _ <done.2' >/dev/null 2>&1 &
	second=$!
	export first second
	until_there on.1
	until_there on.2
	record sessions -a --pt -m ,32M -f fargs_n_number -f 'vfs_read -> ret' -- bash -c '
		./guest count 2 150
		echo >done.1
		./guest count 2 150
		echo >done.2
		tail -f --pid=$first /dev/null
		tail -f --pid=$second /dev/null
		./guest count 2 150'
	wait "$first" || fail "the first of the others failed"
	wait "$second" || fail "the second of the others failed"
}

# Another session that begins during the recording.
record_late()
{
	record late -a --pt -m ,32M -f fargs_n_number -f 'vfs_read -> ret' -- bash -c '
		./guest count 1 200
		fargs record -o inner -f fargs_n_number -f vfs_read -- ./guest count 1 300
		./guest count 1 200' 2>/dev/null
}

record_lost()
{
	record lost --pt -m 16K,8M -f fargs_n_number -- ./guest count 1 3000
}

record_overflow()
{
	modprobe msr
	./guest overflow 4000 20 || fail "no overflows"
	# The calls of a loop are closer than the errors of the emulated CPU's times. Reads are not:
	# they are known again after a hole.
	record overflow --pt -m ,8M -f fargs_n_number -f 'vfs_read -> ret' -- bash -c '
		./guest count 3 300
		for ((i = 0; i < 60; i++)); do
			read -r line </proc/self/stat
		done'
	./guest overflow 0 0
}

# fargs is stopped for a while; after it continues, each CPU has some load.
record_full()
{
	record full --pt=psb_period=0 -m ,64K -f fargs_n_number -f 'vfs_read -> ret' -- bash -c '
		turns()
		{
			sed -n "s/^voluntary_ctxt_switches:[[:space:]]*//p" "/proc/$PPID/status"
		}
		kill -STOP $PPID
		find /proc/self /sys/kernel >/dev/null 2>&1
		begin=$(turns)
		kill -CONT $PPID
		until [ "$(turns)" -gt $((begin + 10)) ]; do sleep 0.1; done
		./guest count 3 200'
}

# perf_record NAME OPTION... -- COMMAND...: NAME is /host/NAME in the end.
perf_record()
{
	local name=$1
	shift
	perf record -q -B -N --no-bpf-event -m ,16M -o "$name" "$@" >/dev/null 2>"$name.err" ||
		fail "$name: $(cat "$name.err")"
	cp -r "$name" /host/
}
export -f perf_record fail

# The trace is perf's, and the records are those of a session that begins before.
record_armed()
{
	record armed.args -a -f fargs_n_number -f 'vfs_read -> ret' -f 'fargs_r_* -> ret' -- \
		bash -c 'perf_record armed --kcore -a -e intel_pt//k -- \
			bash -c "./guest count 3 200; echo all >$target"'
}

# The session begins and ends while perf records.
record_poked()
{
	perf_record poked --kcore -a -e intel_pt//k -- bash -c '
		./guest count 1 50
		fargs record -o poked.args -a -f fargs_n_number -f "vfs_read -> ret" -- \
			./guest count 3 200 >/dev/null 2>&1
		./guest count 1 50'
	cp poked.args /host/
}

# Traces that cannot be joined with the records in refused.args.
record_refused()
{
	record refused.args -a -f fargs_n_number -- bash -c '
		perf_record user -a -e intel_pt//u -- ./guest count 1 1
		perf_record thread --kcore --per-thread -e intel_pt//k -- ./guest count 1 1
		perf_record uncopied -a -e intel_pt//k -- ./guest count 1 1'
	sleep 0.1
	perf_record later --kcore -a -e intel_pt//k -- ./guest count 1 1
}

for name; do
	"record_$name"
done
exit 0
