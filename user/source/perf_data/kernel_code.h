/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Reads single instructions of the kernel that perf recorded. The decoder of a trace maps all code
 * instead.
 */
#ifndef FARGS_SOURCE_PERF_DATA_KERNEL_CODE_H
#define FARGS_SOURCE_PERF_DATA_KERNEL_CODE_H

#include <stddef.h>

#include "source/perf_data/kernel_files.h"

struct fargs_kernel_code;

/* Opens the code in @files. If there is none, there is nothing to read. NULL: out of memory. */
struct fargs_kernel_code *fargs_kernel_code_create(const struct fargs_kernel_files *files);
void fargs_kernel_code_destroy(struct fargs_kernel_code *code);

/* Reads up to @bytes at @addr. Returns the number of bytes read. */
size_t fargs_kernel_code_read(const struct fargs_kernel_code *code, uint64_t addr, void *buf,
			      size_t bytes);

#endif
