/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Reads the names of QEMU guests from command lines: -name [guest=]NAME[,...], as passed by
 * libvirt.
 */
#ifndef FARGS_KERNEL_GUEST_QEMU_H
#define FARGS_KERNEL_GUEST_QEMU_H

#include <stddef.h>
#include <sys/types.h>

/*
 * Returns the guest's name in @cmdline, @bytes of NUL-terminated words as in /proc/PID/cmdline. The
 * caller frees it. Returns NULL if the program is not QEMU, has no name, or there is no memory.
 */
char *fargs_qemu_name(const char *cmdline, size_t bytes);

/*
 * Finds the processes of guests with name @name. @proc: mount point of procfs. Returns their
 * number, or -errno. The caller frees *@pids.
 */
ssize_t fargs_qemu_find(const char *proc, const char *name, pid_t **pids);

#endif
