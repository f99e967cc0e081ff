#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# What an unprivileged user with some capabilities can trace, what is refused (in one line), and
# what 'fargs check' reports.
. "$(dirname "$0")/lib/ktap.sh"

cleanup()
{
	chmod "$mode" /dev/fargs
	test_cleanup
}

# as CAPABILITIES COMMAND...: runs it as nobody, with CAP_SYSLOG, which only shows addresses.
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
	check "$1" [ "$status $(wc -l <"$tmp/err") $(wc -l <"$tmp/out")" = "1 1 0" ]
	check "$1: the message says what is missing" grep -q -- "^fargs: $2" "$tmp/err"
	note "$(head -n 5 "$tmp/err")"
}

says()
{
	as "$2" fargs check >"$tmp/out"
	status=$?
	check "$1" grep -qx -- "$3" "$tmp/out" || note "$(head -n 5 "$tmp/out")"
}

test_begin setpriv
mode=$(stat -c %a /dev/fargs)
trap cleanup EXIT
# As if udev gave access to a group.
chmod 666 /dev/fargs
chmod 755 "$tmp"
need='reading memory also needs CAP_BPF or CAP_SYS_ADMIN'

says "check reports missing capabilities" -all "no   capabilities: neither CAP_PERFMON nor CAP_SYS_ADMIN: run as root"
says "check reports CAP_PERFMON and CAP_BPF" +perfmon,+bpf "ok   capabilities: CAP_PERFMON and CAP_BPF"
says "check warns about CAP_PERFMON without CAP_BPF" +perfmon "warn capabilities: CAP_PERFMON without CAP_BPF: .*memory.*"
check "check succeeds with CAP_PERFMON" [ $status = 0 ] || note "$(cat "$tmp/out")"

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
limited 2048 -m 4M >"$tmp/out" 2>"$tmp/err"
status=$?
check "buffers of a given size are refused in one line" [ "$status $(wc -l <"$tmp/err") $(wc -l <"$tmp/out")" = "1 1 0" ]
check "the message names the limit and how to raise it" \
	grep -q '^fargs: cannot allocate the buffers: .* exceed RLIMIT_MEMLOCK .*ulimit -l.*CAP_IPC_LOCK' "$tmp/err" ||
	note "$(cat "$tmp/err")"
check "nothing stays charged" eval 'for i in 1 2 3 4 5 6 7 8; do limited 2048 -m 128K >"$tmp/out" 2>&1 || break; done; [ $i = 8 ]' ||
	note "$(cat "$tmp/out")"

refused "CAP_BPF alone is refused" "tracing is not permitted: it needs CAP_PERFMON" +bpf fargs_t_4
test_end
