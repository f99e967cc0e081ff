# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
#
# Functions for tests in bash. A test sources this file, calls test_begin, and finally
# test_end. Each check in between tests one behaviour, and prints one line of KTAP. The
# last line is for the kernel log, which must contain no warning since the test began.

export LC_ALL=C

test_dir=$(cd "$(dirname "$0")" && pwd)
test_name=$(basename "$0" .sh)
tracing=/sys/kernel/tracing
target=/proc/fargs_target
test_nr=0
test_failed=0

# The same patterns as in lib/ktap.h. They match only at the start of a message.
test_complaints='^(<[0-9]+>)?(\[ *[0-9.]+\] ?(\[ *[CT][0-9]+\] ?)?)?(WARNING: |BUG: |kernel BUG at |Oops|general protection fault|Kernel panic|UBSAN: |KCSAN: |watchdog: BUG|INFO: task .* blocked for more|INFO: (trying to register non-static key|rcu_)|refcount_t: |(list_add|list_del) corruption|Bad page state|------------\[ cut here)'

# skip_all REASON: this machine cannot run the test.
skip_all()
{
	echo "1..0 # SKIP $*"
	exit 4
}

note()
{
	local line
	while IFS= read -r line; do
		echo "# $line"
	done <<<"$*"
}

pass()
{
	echo "ok $((++test_nr)) $*"
}

fail()
{
	echo "not ok $((++test_nr)) $*"
	test_failed=$((test_failed + 1))
}

# skip WHAT REASON
skip()
{
	echo "ok $((++test_nr)) $1 # SKIP $2"
}

# check WHAT COMMAND...: passes if the command succeeds.
check()
{
	local what=$1
	shift
	if "$@"; then
		pass "$what"
	else
		fail "$what"
		return 1
	fi
}

# check_same WHAT WANTED GOT: passes if the two files are equal.
check_same()
{
	if cmp -s "$2" "$3"; then
		pass "$1"
	else
		fail "$1"
		note "$(diff "$2" "$3" | head -n 40)"
		return 1
	fi
}

# program NAME: prints the path of a program that is built with the tests.
program()
{
	local dir
	for dir in "$test_dir" "$test_dir/build" "$test_dir/../build/selftests"; do
		if [ -x "$dir/$1" ]; then
			echo "$dir/$1"
			return
		fi
	done
	return 1
}

# need_module NAME: loads the module, or skips the test.
need_module()
{
	local dir
	[ ! -e "/sys/module/$1" ] || return 0
	modprobe -q "$1" 2>/dev/null && return
	for dir in "$test_dir/../kmod" "$test_dir/../samples/target"; do
		[ ! -e "$dir/$1.ko" ] || insmod "$dir/$1.ko" 2>/dev/null && return
	done
	skip_all "module $1 cannot be loaded"
}

need_command()
{
	command -v "$1" >/dev/null || skip_all "there is no $1"
}

log_since_begin()
{
	dmesg | sed -n "/fargs selftest: $test_mark\$/,\$p"
}

test_cleanup()
{
	[ ! -d "$tmp" ] || rm -rf "$tmp"
}

# test_begin [COMMAND...]: begins a test that needs these commands besides fargs.
test_begin()
{
	local command
	echo "KTAP version 1"
	[ "$(id -u)" = 0 ] || skip_all "must be run as root"
	command -v fargs >/dev/null || PATH=$PATH:$test_dir/../build
	for command in fargs "$@"; do
		need_command "$command"
	done
	[ -e "$tracing/enabled_functions" ] || mount -t tracefs tracefs "$tracing" 2>/dev/null ||
		skip_all "this kernel has no ftrace"
	test_mark=$test_name-$$
	echo "fargs selftest: $test_mark" >/dev/kmsg
	tmp=$(mktemp -d)
	trap test_cleanup EXIT
	need_module fargs
	need_module fargs_target
}

test_end()
{
	local log
	log=$(log_since_begin)
	if [ -z "$log" ]; then
		fail "the kernel log includes the start of the test"
	elif grep -qaE "$test_complaints" <<<"$log"; then
		fail "the kernel log has no complaint"
		note "$(grep -aE -A 30 "$test_complaints" <<<"$log" | head -n 60)"
	else
		pass "the kernel log has no complaint"
	fi
	echo "1..$test_nr"
	[ $test_failed = 0 ]
	exit
}

# wait_until SECONDS COMMAND...: waits until COMMAND succeeds, but at most SECONDS.
wait_until()
{
	local tries=$(($1 * 10))
	shift
	until "$@"; do
		[ $((tries--)) -gt 0 ] || return 1
		sleep 0.1
	done
}

# is_whole FILE: every record in FILE is valid, and none is missing. It redirects its
# own output, because a redirection of 'check is_whole' would include check's line.
is_whole()
{
	fargs report --verify "$1" >"$tmp/verify" 2>&1
}

# Prints how many functions are traced now, by any tracer, without the module's own
# function, which kmod/compat/fprobe_anchor.c traces after its first use.
nr_traced()
{
	grep -c -v '^[^ ]* \[fargs\]' "$tracing/enabled_functions"
}

nr_traced_is()
{
	[ "$(nr_traced)" = "$1" ]
}

# Where all functions are traced, reading the whole list takes half a minute.
nr_traced_above()
{
	[ "$(grep -v '^[^ ]* \[fargs\]' "$tracing/enabled_functions" | head -n $(($1 + 1)) | wc -l)" -gt "$1" ]
}

is_traced()
{
	grep -q "^$1[ ]" "$tracing/enabled_functions"
}

# calls_of [FILE...]: prints the calls in lines of fargs, as "NAME(ARGS)".
calls_of()
{
	sed -n 's/^.* [0-9]*\.[0-9]*: \([A-Za-z_][A-Za-z0-9_.]*(.*)\)\( \[[^]]*\]\)\{0,1\} <-.*/\1/p' "$@"
}

# undescribed: prints the functions of the target that are not in its BTF. pahole omits
# functions whose arguments may not be in the usual registers.
undescribed()
{
	# Names in BTF end with a NUL. Before the first name there may be bytes of a
	# type.
	awk -F'(' 'NR == FNR { if (sub(/^.*fargs_t_/, "fargs_t_")) has[$0] = 1; next }
		   /^fargs_t_/ && !has[$1] && !seen[$1]++ { print $1 }' \
		<(tr '\0' '\n' </sys/kernel/btf/fargs_target) "$target"
}

# truth_of GLOB...: prints the target's calls as they must be shown, in order.
truth_of()
{
	local line glob name
	local -A without
	while IFS= read -r name; do
		without[$name]=1
	done < <(undescribed)
	while IFS= read -r line; do
		name=${line%%(*}
		[ -z "${without[$name]-}" ] || continue
		for glob in "$@"; do
			# shellcheck disable=SC2053
			[[ $name != $glob ]] || echo "$line"
		done
	done < <(grep -v '^refused ' "$target")
}
