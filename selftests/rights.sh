#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# What an unprivileged user with some capabilities can trace, what is refused (in one line), and
# what 'fargs check' reports.
. "$(dirname "$0")/lib/ktap.sh"

cleanup()
{
	chmod "$mode" /dev/fargs
	mount -o remount,"$tracefs" $tracing
	sysctl -q kernel.perf_event_paranoid="$paranoid"
	[ -z "${max-}" ] || echo "$max" >$sessions
	test_cleanup
}

# as CAPABILITIES COMMAND...: runs COMMAND as nobody with these capabilities and CAP_SYSLOG,
# which only permits seeing addresses.
as()
{
	local caps="-all,+syslog,$1"
	shift
	setpriv --reuid=65534 --regid=65534 --clear-groups --inh-caps="$caps" --ambient-caps="$caps" \
		--bounding-set="$caps" -- "$@"
}

# calls CAPABILITIES SELECTOR CALLS [OPTION...]: traces CALLS of the target. Its file, which only
# root can open, is inherited.
calls() { as "$1" fargs trace -a -f "$2" "${@:4}" -- sh -c "echo $3 >&9" 9>$target; }

# refused WHAT PATTERN CAPABILITIES SELECTOR [OPTION...]: one line on stderr that matches.
refused()
{
	local status
	calls "$3" "$4" fargs_m_text "${@:5}" >"$tmp/out" 2>"$tmp/err"
	status=$?
	check "$1" [ "$status $(wc -l <"$tmp/err") $(wc -l <"$tmp/out") $(nr_traced)" = "1 1 0 $before" ]
	check "$1: the message says what is missing" grep -q -- "^fargs: $2" "$tmp/err"
	note "$(head -n 5 "$tmp/err")"
}

# says WHAT CAPABILITIES LINE...: 'fargs check' prints these lines.
says()
{
	as "$2" fargs check >"$tmp/out"
	status=$?
	has "$1" "${@:3}"
}

# has WHAT LINE...: the last output has lines that match.
has()
{
	local what=$1 line
	shift
	for line; do
		grep -qx -- "$line" "$tmp/out" || break
		[ $# != 1 ] || { pass "$what"; return; }
		shift
	done
	fail "$what"
	note "no '$1' in:" "$(cat "$tmp/out")"
}

# says_fast: like says, but without CAP_SYSLOG, so that 'fargs check' does not count functions,
# which takes seconds.
says_fast() { says "$1" "-syslog,$2" "${@:3}"; }

test_begin setpriv
mode=$(stat -c %a /dev/fargs)
tracefs=$(stat -c gid=%g,mode=%a $tracing)
paranoid=$(cat /proc/sys/kernel/perf_event_paranoid)
before=$(nr_traced)
trap cleanup EXIT
# As if udev gave access to a group.
chmod 666 /dev/fargs
chmod 755 "$tmp"
need='reading memory also needs CAP_BPF or CAP_SYS_ADMIN'

says_fast "check reports missing capabilities" -all \
	"no   capabilities: neither CAP_PERFMON nor CAP_SYS_ADMIN: run as root"
says_fast "check reports CAP_PERFMON and CAP_BPF" +perfmon,+bpf "ok   capabilities: CAP_PERFMON and CAP_BPF" \
	"ok   memory: strings, members and stacks can be recorded"
has "check reports that addresses of symbols need CAP_SYSLOG" \
	"no   symbols: the addresses of kernel symbols are hidden: they need CAP_SYSLOG (run as root), .*"
says "check reports CAP_PERFMON, and warns that reading memory needs CAP_BPF" +perfmon \
	"ok   capabilities: CAP_PERFMON" \
	"warn memory: strings, members, stacks, .* they need CAP_BPF or CAP_SYS_ADMIN"
check "check succeeds with CAP_PERFMON" [ $status = 0 ] || note "$(cat "$tmp/out")"
has "check warns if tracefs cannot be read" \
	"warn tracefs: cannot read .*: Permission denied: run as root, or mount -o remount,gid=.*" \
	"warn events: '/sys/kernel/tracing', which describes the events, is not readable: run as root"

# Tracefs for a group, and what perf permits; Debian's kernels have a level 3.
mount -o remount,gid=65534,mode=750 $tracing
for level in 2 3; do
	sysctl -q kernel.perf_event_paranoid=$level
	for caps in -all +perfmon +perfmon,+sys_admin; do
		if as "$caps" fargs trace -e task:task_newtask -- sh -c 'true & wait' >"$tmp/lines" 2>&1; then
			verdict="ok   events: '-e' can record the kernel's formatted events"
			grep -q 'task:task_newtask: ' "$tmp/lines" || verdict="no events"
		else
			verdict="warn events: $(sed -nE "s/^fargs: recording (events|'[^']*') is not/recording events is not/p" "$tmp/lines")"
		fi
		says_fast "check says what trace -e does ($caps, level $level)" "$caps" "$verdict" \
			"ok   tracefs: [0-9]* functions"
		note "${verdict:0:20}..."
	done
done
sysctl -q kernel.perf_event_paranoid="$paranoid"
mount -o remount,"$tracefs" $tracing

calls +perfmon fargs_t_4 fargs_t_4 >"$tmp/out" 2>"$tmp/err"
check "arguments are traced with CAP_PERFMON alone" \
	grep -q 'fargs_t_4(obj=0xffff888012345678, name=0x0, flags=4096, mode=-2)' "$tmp/out" ||
	note "$(cat "$tmp/err" "$tmp/out")"
calls +perfmon 'fargs_t_*' all >"$tmp/out" 2>"$tmp/err"
check "functions are traced by a pattern with CAP_PERFMON alone" [ "$(wc -l <"$tmp/out")" -gt 100 ] || note "$(cat "$tmp/err")"
check "a pattern leaves out a function with too many arguments on the stack" \
	[ "$(grep -c 'fargs_t_struct_40(' "$tmp/out") $(grep -c 'fargs_t_struct_56(' "$tmp/out")" = "1 0" ]

refused "fetching a string needs CAP_BPF" "cannot add functions: $need" +perfmon 'fargs_m_text(text:str)'
refused "a named function with too many arguments on the stack needs CAP_BPF" \
	"'fargs_t_struct_56' cannot be traced: .*needs CAP_BPF" +perfmon fargs_t_struct_56
refused "--stack needs CAP_BPF" "cannot add functions: $need" +perfmon fargs_m_text --stack
calls +perfmon,+bpf 'fargs_m_text(text:str)' fargs_m_text >"$tmp/out" 2>"$tmp/err"
check "a string is fetched with CAP_BPF" grep -q 'text="eth0"' "$tmp/out" ||
	note "$(cat "$tmp/err" "$tmp/out")"
# limited KIB [OPTION...]: traces a call with RLIMIT_MEMLOCK.
limited()
{
	prlimit --memlock=$(($1 * 1024)) setpriv --reuid=65534 --regid=65534 --clear-groups \
		--inh-caps=-all,+syslog,+perfmon --ambient-caps=-all,+syslog,+perfmon \
		--bounding-set=-all,+syslog,+perfmon -- \
		fargs trace -a -f fargs_t_4 "${@:2}" -- sh -c 'echo fargs_t_4 >&9' 9>$target
}
limited 2048 >"$tmp/out" 2>"$tmp/err"
check "the default buffers shrink to RLIMIT_MEMLOCK" grep -q '^fargs: buffers of [0-9]*K instead of [0-9]*[KM] for each CPU, because of RLIMIT_MEMLOCK' "$tmp/err" ||
	note "$(cat "$tmp/err")"
check "calls are traced with small buffers" grep -q 'flags=4096, mode=-2' "$tmp/out"
traced=$(sed -n 's/^fargs: buffers of \(.* for each CPU, because of RLIMIT_MEMLOCK\).*/\1/p' "$tmp/err")
# limited_says WHAT KIB CAPABILITIES LINE: as says_fast, with RLIMIT_MEMLOCK.
limited_says()
{
	local most
	most=$(ulimit -Sl)
	ulimit -Sl "$2"
	says_fast "$1" "${@:3}"
	ulimit -Sl "$most"
}
limited_says "check warns of the same size" 2048 +perfmon \
	"warn buffers: $traced (2M): raise it (ulimit -l), or get CAP_IPC_LOCK"
limited_says "check reports that no buffer fits" 16 +perfmon "no   buffers: .* exceed RLIMIT_MEMLOCK .*ulimit -l.*"
limited_says "check reports that CAP_IPC_LOCK lifts the limit" 16 +perfmon,+ipc_lock \
	"ok   buffers: .* for each CPU by default, not limited by RLIMIT_MEMLOCK"
ulimit -Hl unlimited
limited_says "check reports the size within the limit" $((1 << 20)) +perfmon \
	"ok   buffers: .* for each CPU by default, within RLIMIT_MEMLOCK (1G)"
limited 2048 -m 4M >"$tmp/out" 2>"$tmp/err"
status=$?
check "buffers of a given size are refused in one line" [ "$status $(wc -l <"$tmp/err") $(wc -l <"$tmp/out")" = "1 1 0" ]
check "the message names the limit and how to raise it" \
	grep -q '^fargs: cannot allocate the buffers: .* exceed RLIMIT_MEMLOCK .*ulimit -l.*CAP_IPC_LOCK' "$tmp/err" ||
	note "$(cat "$tmp/err")"
check "no memory stays charged" eval 'for i in 1 2 3 4 5 6 7 8; do limited 2048 -m 128K >"$tmp/out" 2>&1 || break; done; [ $i = 8 ]' ||
	note "$(cat "$tmp/out")"

# A user's sessions.
sessions=/sys/module/fargs/parameters/max_user_sessions
max=$(cat $sessions)
echo 1 >$sessions
says_fast "check reports the number of sessions" +perfmon "ok   sessions: 1 at a time for each user"
# holding CAPABILITIES: 'fargs check' while the user has a session.
holding() { as "-syslog,$1" bash -c 'exec 8<>/dev/fargs; fargs check' >"$tmp/out"; }
holding +perfmon
has "check reports that the user has too many sessions" "no   module: this user has too many sessions: .*max_user_sessions.*"
holding +perfmon,+sys_resource
has "check reports that CAP_SYS_RESOURCE lifts the limit" \
	"ok   sessions: 1 at a time for each user, any number with CAP_SYS_RESOURCE"
echo "$max" >$sessions
limited 2048 -m 64K -g --maxactive 65536 >"$tmp/out" 2>"$tmp/err"
status=$?
check "pending calls that need more than the limit are refused in one line" \
	[ "$status $(wc -l <"$tmp/err") $(wc -l <"$tmp/out") $(nr_traced)" = "1 1 0 $before" ]
check "this message names the limit and how to raise it, too" \
	grep -q '^fargs: cannot start tracing: .* exceed RLIMIT_MEMLOCK .*ulimit -l.*CAP_IPC_LOCK' "$tmp/err" ||
	note "$(cat "$tmp/err")"

refused "CAP_BPF alone is refused" "tracing is not permitted: it needs CAP_PERFMON" +bpf fargs_t_4
test_end
