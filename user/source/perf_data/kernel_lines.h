/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Source lines of the kernel, from its debug information, which is found by the build ID: the file
 * vmlinux in perf's cache, or among installed debug files; and of modules.
 */
#ifndef FARGS_SOURCE_PERF_DATA_KERNEL_LINES_H
#define FARGS_SOURCE_PERF_DATA_KERNEL_LINES_H

#include <stdint.h>

#include "model/event.h"
#include "source/perf_data/kernel_maps.h"

/* Threads may share the struct. */
struct fargs_kernel_lines;

/*
 * @maps, which must outlive the result, has the build IDs. @root: the directory with the files of
 * the recorded machine; NULL: this machine's. The file is read when a line is first needed. Returns
 * NULL if out of memory.
 */
struct fargs_kernel_lines *fargs_kernel_lines_create(const struct fargs_kernel_maps *maps,
						     const char *root);
void fargs_kernel_lines_destroy(struct fargs_kernel_lines *k);

/*
 * Sets the source file and the line of @place, if there is debug information, by its module, symbol
 * and offset. The address would not do: the kernel may be elsewhere than it was linked to. Of a
 * symbol of the kernel itself, there must be exactly one. The text is valid as long as @k.
 */
void fargs_kernel_lines_set(struct fargs_kernel_lines *k, struct fargs_event_place *place);

#endif
