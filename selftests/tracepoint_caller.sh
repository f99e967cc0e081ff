#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# The caller of a tracepoint is the function that fired it, regardless of other probes on it:
# another module, ftrace, perf, another session of fargs, return probes on the kernel's function
# that calls the probes. The expected functions are those in samples/tracepoint/event.c and in the
# kernel's sources.
. "$(dirname "$0")/lib/ktap.sh"

test_begin perf awk
modprobe -n -q fargs_tp_event || skip_all "module fargs_tp_event is not installed"
rmmod fargs_tp_probe fargs_tp_event 2>/dev/null
modprobe fargs_tp_event
instance=$tracing/instances/fargs_callers
mkdir "$instance"
events="task/task_rename sched/sched_process_fork sched/sched_process_exit sched/sched_switch
	fargs_tp/fargs_tp_formatted"

clean_up()
{
	[ ! -d "$instance" ] || rmdir "$instance"
	rmmod fargs_tp_probe fargs_tp_event 2>/dev/null
	test_cleanup
}
trap clean_up EXIT

# fire PHASE: fires the tracepoints in a task that is named after the phase, so that task_rename
# shows the name.
cat >"$tmp/fire" <<-'END'
	printf %s "phase_$1" >/proc/self/comm
	cat /proc/fargs_tp
	echo 20 >/proc/fargs_tp
	bash -c 'exit 0' | cat
END
cat >"$tmp/events" <<-END
	for event in ${events//$'\n'/ }; do
		echo \$1 >"$instance/events/\$event/enable"
	done
END
cat >"$tmp/perf" <<-END
	exec perf record -q -a $(printf -- '-e %s ' ${events//\//:}) -o "$tmp/perf.data" -- bash "$tmp/fire" \$1
END
# The second session waits for returns of the functions that call the probes.
cat >"$tmp/session" <<-END
	exec fargs record -o "$tmp/second.dat" -t 'fargs_tp_*' -t task_rename -t sched_process_fork \
		-t sched_process_exit -t sched_switch -f '__traceiter_fargs_tp_* -> ret' \
		-f '__traceiter_task_rename -> ret' -f '__traceiter_sched_process_* -> ret' -- \
		bash "$tmp/in_session" 2>"$tmp/err2"
END
cat >"$tmp/in_session" <<-END
	bash "$tmp/fire" session
	modprobe fargs_tp_probe
	bash "$tmp/events" 1
	bash "$tmp/perf" all
	bash "$tmp/events" 0
	rmmod fargs_tp_probe
END
# Probes are registered and unregistered while tracepoints fire.
cat >"$tmp/toggle" <<-END
	printf %s phase_toggle >/proc/self/comm
	until [ -e "$tmp/stop" ]; do
		read -r line </proc/fargs_tp
	done &
	for ((i = 0; i < 5; i++)); do
		echo 1 >"$instance/events/fargs_tp/fargs_tp_formatted/enable"
		read -r line </proc/fargs_tp
		echo 0 >"$instance/events/fargs_tp/fargs_tp_formatted/enable"
	done
	touch "$tmp/stop"
	wait
END
cat >"$tmp/phases" <<-END
	bash "$tmp/fire" alone
	modprobe fargs_tp_probe
	bash "$tmp/fire" module
	rmmod fargs_tp_probe
	bash "$tmp/events" 1
	bash "$tmp/fire" ftrace
	bash "$tmp/events" 0
	bash "$tmp/perf" perf
	bash "$tmp/session"
	bash "$tmp/toggle"
END
fargs record -m 8M --stack=3 -o "$tmp/dat" -t 'fargs_tp_*' -t 'task_rename(comm:str)' \
	-t sched_process_fork -t sched_process_exit -t sched_switch \
	-- bash "$tmp/phases" >"$tmp/out" 2>"$tmp/err"
check "the commands succeed" [ $? = 0 ] || note "$(tail -n 20 "$tmp/out" "$tmp/err" "$tmp/err2")"
check "every record is accounted for" is_whole "$tmp/dat" || note "$(cat "$tmp/verify" "$tmp/err")"
fargs report "$tmp/dat" >"$tmp/lines"
fargs report "$tmp/second.dat" >"$tmp/second"

# callers FILE: "PHASE TRACEPOINT CALLER NUMBER" of each of these that is in FILE.
callers()
{
	awk '
		match($0, /"phase_[a-z]*"/) { phase = substr($0, RSTART + 7, RLENGTH - 8) }
		match($0, / (fargs_tp|task|sched)_[a-z_]*\(/) && / <-/ {
			name = substr($0, RSTART + 1, RLENGTH - 2)
			sub(/.* <-/, "")
			sub(/[+ ].*/, "")
			nr[phase " " name " " $0]++
		}
		END { for (i in nr) print i, nr[i] }
	' "$1" | sort
}

callers "$tmp/lines" >"$tmp/callers"
check_phase()
{
	cat >"$tmp/wanted" <<-END
		$1 fargs_tp_formatted read_points 1
		$1 fargs_tp_many read_points 1
		$1 fargs_tp_open open_points 2
		$1 fargs_tp_tick write_ticks 20
		$1 fargs_tp_value read_points 1
	END
	grep "^$1 fargs_tp" "$tmp/callers" >"$tmp/got"
	check_same "$2: the callers of a module's tracepoints are the functions that fire them" "$tmp/wanted" "$tmp/got"
	cat >"$tmp/wanted" <<-END
		$1 sched_process_exit do_exit
		$1 sched_process_fork kernel_clone
		$1 sched_switch __schedule
		$1 task_rename __set_task_comm
	END
	sed -n -E "s/^($1 (sched|task)_.*) [0-9]*$/\1/p" "$tmp/callers" >"$tmp/got"
	check_same "$2: the callers of the kernel's tracepoints are the functions that fire them" "$tmp/wanted" "$tmp/got"
}

check_phase alone "without another probe"
check_phase module "with the probes of another module"
check_phase ftrace "with events of ftrace"
check_phase perf "with events of perf"
check_phase session "with a second session and return probes on the iterators"
check_phase all "with all of them"
# How often the reader reads depends on the scheduler.
cat >"$tmp/wanted" <<-END
	toggle fargs_tp_formatted read_points
	toggle fargs_tp_many read_points
	toggle fargs_tp_open open_points
	toggle fargs_tp_value read_points
END
sed -n -E 's/^(toggle fargs_tp.*) [0-9]*$/\1/p' "$tmp/callers" >"$tmp/got"
check_same "while probes are registered and unregistered: the callers are the functions that fire" "$tmp/wanted" "$tmp/got"
check "the second session saw the iterators return" grep -q ' __traceiter_fargs_tp_tick(.* = ' "$tmp/second" ||
	note "$(tail -n 3 "$tmp/second" "$tmp/err2")"
# The stacks of fargs_tp_tick in all phases, each once.
awk '
	/ fargs_tp_tick\(/ { left = 3; stack = ""; next }
	left && /^ *=> / {
		sub(/^ *=> /, "")
		sub(/[+ ].*/, "")
		stack = stack " " $0
		if (!--left)
			print stack
	}
' "$tmp/lines" | sort -u >"$tmp/got"
echo " write_ticks proc_reg_write vfs_write" >"$tmp/wanted"
check_same "call stacks are the same in all phases" "$tmp/wanted" "$tmp/got"
check "call stacks do not contain the iterators" [ "$(grep -c __traceiter "$tmp/lines")" = 0 ] ||
	note "$(grep __traceiter "$tmp/lines" | sort | uniq -c | head)"
test_end
