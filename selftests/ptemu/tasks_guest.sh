# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
# Tells the emulator, in the guest, where the kernel keeps the current task.
#
#	tasks_guest.sh GUEST TASKS
#
# GUEST: the program that writes MSRs. TASKS: the value of MSR_TASKS (pt_tasks in lib.sh).
modprobe msr
symbol() { sed -n "s/^0*\([0-9a-f]*\) . $1\$/\1/p" /proc/kallsyms | head -n 1; }
current=$(symbol current_task)
# From 6.2 to 6.14, the pointer is the first member of this.
[ -n "$current" ] || current=$(symbol pcpu_hot)
[ -n "$current" ] && "$1" msr 0x70740003 "0x$current" && "$1" msr 0x70740002 "$2"
