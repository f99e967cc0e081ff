/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Reads code as it was at a time of an Intel PT trace, changes of it included.
 */
#ifndef FARGS_DLFILTER_PT_CODE_H
#define FARGS_DLFILTER_PT_CODE_H

#include <stddef.h>
#include <stdint.h>

#include "source/pt/input/input.h"

struct fargs_pt_code_reader;

/* NULL: no memory. @in must outlive it. */
struct fargs_pt_code_reader *fargs_pt_code_reader_create(const struct fargs_pt_input *in);
void fargs_pt_code_reader_destroy(struct fargs_pt_code_reader *r);

/* The file that @addr is of, in the kernel or in @pid; NULL: none is known. */
const struct fargs_pt_code *fargs_pt_code_find(const struct fargs_pt_input *in, int32_t pid,
					       uint64_t addr);

/* Up to @bytes of what was at @addr at @ns; how many are known. */
size_t fargs_pt_code_read(struct fargs_pt_code_reader *r, int32_t pid, uint64_t ns,
			  uint64_t addr, void *buf, size_t bytes);

#endif
