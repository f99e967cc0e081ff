/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What QEMU calls its guests: -name [guest=]NAME[,...], as libvirt gives each.
 */
#ifndef FARGS_GUEST_QEMU_H
#define FARGS_GUEST_QEMU_H

#include <stddef.h>
#include <sys/types.h>

/*
 * The guest of @cmdline (@bytes, words that end with a NUL, as /proc/PID/cmdline has them);
 * free() it. NULL: it is no QEMU, has no name, or there is no memory.
 */
char *fargs_qemu_name(const char *cmdline, size_t bytes);

/*
 * The processes of the guests called @name, by @proc, which is where procfs is: their number, or
 * -errno. free() *@pids.
 */
ssize_t fargs_qemu_find(const char *proc, const char *name, pid_t **pids);

#endif
