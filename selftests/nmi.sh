#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Functions called in an NMI, with fetches and returns: SysRq's backtrace of all CPUs sends an NMI
# to the other CPUs. The kernel log shows what it interrupted there.
. "$(dirname "$0")/lib/ktap.sh"

cpu=$(($(nproc) - 1))

# Keeps the last CPU in user space while CPU 0 requests the backtraces.
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

# choose [GRAPH]: sets selectors, of the functions that are traceable here; with GRAPH only those
# whose return can be traced.
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
[ "$cpu" != 0 ] || skip_all "there is only one CPU"
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
	check "calls in an NMI are recorded" \
		grep -q '^.* \[[0-9]*\] ..[zZ].*[:| ]show_iret_regs(.* regs->ip:x=0x' "$tmp/lines"
	note "$(sed -n 's/^.* \[[0-9]*\] ..[zZ].*[:|] *\([a-z_]*\)(.*/\1/p' "$tmp/lines" |
		sort | uniq -c | tr -s ' \n' ' ')"

	# "RIP: 0033:0x55d5..." is an address in user space; for the kernel a symbol is printed.
	dmesg | sed -n "/fargs nmi${graph}: begin\$/,\$p" |
		sed -n 's/.*RIP: 0033:\(0x[0-9a-f]*\)$/\1/p' >"$tmp/wanted"
	sed -n 's/^.*[:| ]show_iret_regs(.*regs->ip:x=\(0x[0-9a-f]*\), regs->cs=51\b.*/\1/p' \
		"$tmp/lines" >"$tmp/got"
	check "NMIs interrupted user space" [ -s "$tmp/wanted" ]
	check_same "the fetched instruction pointers are those of the kernel log" "$tmp/wanted" "$tmp/got" ||
		note "$(grep 'show_iret_regs(' "$tmp/lines" | head -n 20)"
done
graph_check=$(program graph_check) && {
	"$graph_check" "$tmp/trace" >"$tmp/sums"
	check "every return belongs to the innermost open call of its task" [ $? = 0 ]
	note "$(head -n 20 "$tmp/sums")"
}
test_end
