/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Names of QEMU's guests: -name [guest=]NAME[,...], as libvirt passes it.
 */
#ifndef FARGS_KERNEL_GUEST_QEMU_H
#define FARGS_KERNEL_GUEST_QEMU_H

#include <stddef.h>
#include <sys/types.h>

/*
 * Extracts the guest's name from @cmdline (@bytes, NUL-terminated words as in /proc/PID/cmdline).
 * The caller frees it. NULL: not QEMU, no name, or no memory.
 */
char *fargs_qemu_name(const char *cmdline, size_t bytes);

/*
 * Finds the processes of guests called @name. @proc: mount point of procfs. Returns their number or
 * -errno. The caller frees *@pids.
 */
ssize_t fargs_qemu_find(const char *proc, const char *name, pid_t **pids);

#endif
