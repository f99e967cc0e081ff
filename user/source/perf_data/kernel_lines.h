/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Source lines of the kernel, from its debug information, which is found by the build ID: the file
 * vmlinux in perf's cache, or among installed debug files. Modules' are not read: their files are
 * not linked.
 */
#ifndef FARGS_SOURCE_PERF_DATA_KERNEL_LINES_H
#define FARGS_SOURCE_PERF_DATA_KERNEL_LINES_H

#include <stdint.h>

#include "source/perf_data/build_id.h"

/* Threads may share the struct. */
struct fargs_kernel_lines;

/*
 * @root: the directory with the files of the recorded machine; NULL: this machine's. The file is
 * read when a line is first needed. Returns NULL if out of memory.
 */
struct fargs_kernel_lines *fargs_kernel_lines_create(const struct fargs_build_id *id,
						     const char *root);
void fargs_kernel_lines_destroy(struct fargs_kernel_lines *k);

/*
 * Returns the source file of the code at @offset in the function @symbol, and sets *@line. The
 * address would not do: the kernel may be elsewhere than it was linked to. NULL: there is no debug
 * information, or not exactly one function of this name. The result is valid as long as @k.
 */
const char *fargs_kernel_lines_find(struct fargs_kernel_lines *k, const char *symbol,
				    uint64_t offset, unsigned int *line);

#endif
