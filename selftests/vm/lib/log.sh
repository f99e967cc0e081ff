# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash disable=SC2034,SC2154 # names shared with the other files
# Messages in a kernel log that make a run fail.

# Patterns match only at the start of a message: "Spectre V2 : WARNING: ..." at boot is only advice.
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

# log_check FILE: succeeds if the log has none of these messages, else prints the part with the
# first one.
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

# log_splats_of FILE: prints a line for each such message, without times, CPUs, tasks and addresses,
# which differ between runs.
log_splats_of()
{
	local pattern
	pattern=$(IFS='|'; echo "${log_splats[*]}")
	grep -aE "$log_prefix($pattern)" "$1" | tr -d '\r' |
		sed -E "s/$log_prefix//; s/ (CPU|PID): [0-9]+//g; s/\b(0x)?[0-9a-f]{8,}\b/ADDRESS/g; s/ by task .*//" |
		grep -v 'cut here' | sort -u
}

# log_until_asked FILE: prints the log up to the NMI of qemu_ask_why.
log_until_asked()
{
	sed '/NMI received for unknown reason/,$d' "$1"
}

# log_where FILE: reads a log with the NMI of qemu_ask_why. Prints a line for each CPU, and for each
# task that is not a kernel thread or not asleep, with the functions that it was in, innermost
# first.
log_where()
{
	awk '
	function tell() {
		if (who != "")
			print who ":" (frames != "" ? frames : rip != "" ? " " rip : " ?")
		who = frames = rip = ""
	}
	/NMI received for unknown reason/ { is_asked = 1 }
	!is_asked { next }
	{ sub(/^(<[0-9]+>)?\[ *[0-9.]+\] ?(\[ *[CT][0-9]+\] ?)?/, "") }
	/^NMI backtrace for cpu/ { tell(); who = "CPU " $NF; nr = 0; next }
	/^CPU: / && who != "" { sub(/^.* Comm: /, ""); who = who " " $1; next }
	/^task:/ {
		tell()
		match($0, /state:./)
		state = substr($0, RSTART + 6, 1)
		match($0, /ppid:[0-9]+/)
		is_kernel = substr($0, RSTART + 5, RLENGTH - 5) == 2
		match($0, / pid:[0-9]+/)
		if (!is_kernel || state !~ /[SI]/)
			who = substr($1, 6) substr($0, RSTART + 5, RLENGTH - 5) " " state
		sub(/[0-9]+ .$/, "-&", who)
		nr = 0
		next
	}
	# Leave out the functions that handle the NMI, and those in which a task goes to sleep.
	/^RIP: 0010/ { frames = ""; nr = 0 }
	/^RIP: 0033/ { rip = "a program" }
	/^ ? ?[A-Za-z_][A-Za-z0-9_.]*\+0x/ || /^RIP: 0010/ {
		name = /^RIP/ ? $2 : $1
		sub(/^0010:/, "", name)
		sub(/\/.*/, "", name)
		if (name !~ /^(__)?schedule\+/ && ++nr <= 8)
			frames = frames " " name
	}
	END { tell() }' "$1"
}

# log_is_stale_code FILE: whether a CPU of a kernel that hung was at a breakpoint, or at the first
# instruction of a function. The kernel continues if a breakpoint is no longer in memory. But if
# QEMU still executes the old code (emulator.sh), the CPU hits the breakpoint again, forever.
log_is_stale_code()
{
	log_where "$1" | grep -E '^CPU [0-9]+ .*: ([^ ]*\+0x0( |$)|.*exc_int3\+)' >/dev/null
}
