/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The file vmlinux, the kernel as it was linked: its symbols. Addresses differ from those of the
 * running kernel if that was relocated (KASLR), and so does code, which the kernel modifies when it
 * boots.
 */
#ifndef FARGS_SOURCE_PERF_DATA_VMLINUX_H
#define FARGS_SOURCE_PERF_DATA_VMLINUX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Does the file contain code? Files with debug information alone do not. */
bool fargs_vmlinux_has_code(const char *path);
/* Sets *@addr to the address of @symbol. Returns false if there is no such symbol. */
bool fargs_vmlinux_find(const char *path, const char *symbol, uint64_t *addr);
/*
 * Returns the symbols in the format of /proc/kallsyms, with @moved added to their addresses, to be
 * freed with free(). NULL: out of memory, or there are none.
 */
char *fargs_vmlinux_symbols(const char *path, uint64_t moved, size_t *size);

#endif
