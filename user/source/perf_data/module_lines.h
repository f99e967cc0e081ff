/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Source lines of kernel modules, from their files with debug information, which are found by the
 * build ID. The files are not linked: addresses are those of sections.
 */
#ifndef FARGS_SOURCE_PERF_DATA_MODULE_LINES_H
#define FARGS_SOURCE_PERF_DATA_MODULE_LINES_H

#include "source/perf_data/kernel_maps.h"
#include "source/perf_data/locate.h"

/* Not for threads. */
struct fargs_module_lines;

/* @maps and @locator must outlive the result. Returns NULL if out of memory. */
struct fargs_module_lines *fargs_module_lines_create(const struct fargs_kernel_maps *maps,
						     const struct fargs_locator *locator);
void fargs_module_lines_destroy(struct fargs_module_lines *lines);

/*
 * Returns the source file of the code at @offset in the function @symbol of @module, which is at
 * @addr, and sets *@line. NULL: unknown. The result is valid as long as @lines.
 */
const char *fargs_module_lines_find(struct fargs_module_lines *lines, const char *module,
				    const char *symbol, uint64_t addr, uint64_t offset,
				    unsigned int *line);

#endif
