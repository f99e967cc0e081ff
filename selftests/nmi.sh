#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Functions called in an NMI, with fetches and returns: the backtrace of all CPUs, which
# comes to the others as an NMI. The kernel log says what was interrupted there.
. "$(dirname "$0")/lib/ktap.sh"

cpu=$(($(nproc) - 1))

# Keeps the last CPU in user space while the others' backtraces are asked for on CPU 0.
ask()
{
	local i busy
	taskset -c "$cpu" bash -c 'while :; do :; done' &
	busy=$!
	for i in 1 2 3 4 5; do
		sleep 0.2
		echo l >/proc/sysrq-trigger
	done
	kill $busy
	wait $busy 2>/dev/null || :
}
export -f ask
export cpu

# Those of them that can be traced here, with what is asked of each; [GRAPH]: whose return
# can be waited for.
choose()
{
	local selector function
	local all=('show_regs(regs->ip:x, regs->cs, $cpu) -> ret'
		'__show_regs(regs->ip:x, regs->cs, $cpu) -> ret'
		'show_iret_regs(regs->ip:x, regs->cs) -> ret'
		'show_opcodes(regs->ip:x) -> ret' 'vprintk* -> ret')
	[ -n "$1" ] || all+=('nmi_handle(regs->ip:x, $comm)' 'nmi_cpu_backtrace(regs->ip:x)'
		'nmi_cpu_backtrace_handler(regs->ip:x)' 'perf_event_nmi_handler(regs->ip:x)')
	selectors=()
	for selector in "${all[@]}"; do
		function=${selector%%[( ]*}
		! grep -q "^${function/%\*/.*}\$" "$tracing/available_filter_functions" ||
			selectors+=(-f "$selector")
	done
}

test_begin taskset
[ "$cpu" != 0 ] || skip_all "there is one CPU"
[ -w /proc/sysrq-trigger ] || skip_all "there is no sysrq"
grep -q '^show_iret_regs$' "$tracing/available_filter_functions" ||
	skip_all "show_iret_regs is not traceable here"
echo 1 >/proc/sys/kernel/sysrq

for graph in '' -g; do
	choose "$graph"
	echo "fargs nmi${graph}: begin" >/dev/kmsg
	fargs record $graph -a --no-compress -m 16M "${selectors[@]}" -o "$tmp/trace" -- \
		taskset -c 0 bash -c ask 2>"$tmp/err"
	check "record${graph:+ of a graph} exits with 0" [ $? = 0 ] || note "$(cat "$tmp/err")"
	note "$(cat "$tmp/err")"
	check "every call is accounted for" is_whole "$tmp/trace" || note "$(cat "$tmp/verify")"
	fargs report "$tmp/trace" >"$tmp/lines"
	check "there are calls in an NMI" \
		grep -q '^.* \[[0-9]*\] ..[zZ].*[:| ]show_iret_regs(.* regs->ip:x=0x' "$tmp/lines"
	note "$(sed -n 's/^.* \[[0-9]*\] ..[zZ].*[:|] *\([a-z_]*\)(.*/\1/p' "$tmp/lines" |
		sort | uniq -c | tr -s ' \n' ' ')"

	# "RIP: 0033:0x55d5..." is where user space was; in the kernel it is a symbol.
	dmesg | sed -n "/fargs nmi${graph}: begin\$/,\$p" |
		sed -n 's/.*RIP: 0033:\(0x[0-9a-f]*\)$/\1/p' >"$tmp/wanted"
	sed -n 's/^.*[:| ]show_iret_regs(.*regs->ip:x=\(0x[0-9a-f]*\), regs->cs=51\b.*/\1/p' \
		"$tmp/lines" >"$tmp/got"
	check "user space was interrupted" [ -s "$tmp/wanted" ]
	check_same "where the log says that it was" "$tmp/wanted" "$tmp/got" ||
		note "$(grep 'show_iret_regs(' "$tmp/lines" | head -n 20)"
done
graph_check=$(program graph_check) && {
	"$graph_check" "$tmp/trace" >"$tmp/sums"
	check "every return is that of the call on top of its task" [ $? = 0 ]
	note "$(head -n 20 "$tmp/sums")"
}
test_end
