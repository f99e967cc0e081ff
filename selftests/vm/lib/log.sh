# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash disable=SC2034,SC2154 # names shared with the other files
# What in a kernel log makes a run fail.

# Only at the start of a message: "Spectre V2 : WARNING: ..." at boot is advice.
log_prefix='^(<[0-9]+>)?(\[ *[0-9]+\.[0-9]+\] ?(\[ *[CT][0-9]+\] ?)?)?'
log_splats=(
	'WARNING: '			# WARN(), lockdep, kernel/rcu
	'BUG: '				# oops, KASAN, sleeping in atomic, KFENCE
	'\[ BUG: '			# lockdep: invalid wait context
	'kernel BUG at '
	'Oops'
	'general protection fault'
	'(invalid opcode|divide error|int3|double fault|stack segment|traps: PANIC)[:,]'
	'Kernel panic'
	'UBSAN: '
	'KCSAN: '
	'watchdog: BUG'
	'unchecked MSR access error'
	'INFO: task .* blocked for more than'
	'INFO: (trying to register non-static key|rcu_[a-z_]* )'
	'rcu: INFO: .*(stall|starved)'
	'rcu: .*kthread (starved|timer wakeup)'
	'(list_add|list_del) corruption'
	'refcount_t: '
	'kmemleak: [0-9]+ new suspected memory leaks'
	'NMI watchdog: Watchdog detected hard LOCKUP'
	'Bad page state'
	'kernel tried to execute'
	'-+\[ (cut here|ftrace bug) \]-+'
)

# log_check FILE: succeeds if the log is clean, else prints the part that is not.
log_check()
{
	local file=$1 pattern first
	pattern=$(IFS='|'; echo "${log_splats[*]}")
	first=$(grep -anEm1 "$log_prefix($pattern)" "$file" | cut -d: -f1)
	[ -n "$first" ] || return 0
	say "the kernel log has a warning or worse (line $first of ${file#"$vm_top/"}):"
	sed -n "$((first > 5 ? first - 5 : 1)),$((first + 60))p" "$file" >&2
	return 1
}
