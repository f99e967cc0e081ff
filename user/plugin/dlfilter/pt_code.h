/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Reads code as it was at a given time of an Intel PT trace, including changes made by then.
 */
#ifndef FARGS_PLUGIN_DLFILTER_PT_CODE_H
#define FARGS_PLUGIN_DLFILTER_PT_CODE_H

#include <stddef.h>
#include <stdint.h>

#include "source/pt/input/input.h"

struct fargs_pt_code_reader;

/* Returns NULL if out of memory. @in must outlive the reader. */
struct fargs_pt_code_reader *fargs_pt_code_reader_create(const struct fargs_pt_input *in);
void fargs_pt_code_reader_destroy(struct fargs_pt_code_reader *r);

/* Finds the file that contains @addr, in the kernel or in process @pid; NULL: unknown. */
const struct fargs_pt_code *fargs_pt_code_find(const struct fargs_pt_input *in, int32_t pid,
					       uint64_t addr);

/*
 * Reads up to @bytes of the code at @addr as it was at time @ns. Returns the number of bytes read.
 */
size_t fargs_pt_code_read(struct fargs_pt_code_reader *r, int32_t pid, uint64_t ns,
			  uint64_t addr, void *buf, size_t bytes);

#endif
