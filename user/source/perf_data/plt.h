/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Finds the entries of the procedure linkage table of x86-64 programs: each jumps to a function of
 * another file, whose address the dynamic linker writes to the global offset table.
 */
#ifndef FARGS_SOURCE_PERF_DATA_PLT_H
#define FARGS_SOURCE_PERF_DATA_PLT_H

#include <stdint.h>

struct Elf;

/*
 * Calls @add for each entry with its offset in the file, its size, and the function's name. Returns
 * 0 or the first nonzero result of @add. The file is not trusted.
 */
int fargs_plt_each(struct Elf *elf,
		   int (*add)(void *arg, uint64_t at, uint64_t bytes, const char *name),
		   void *arg);

#endif
