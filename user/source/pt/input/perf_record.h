/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Converts the kernel's sideband records, from any file format: tasks, their names and switches,
 * mappings of programs, and changes of code.
 */
#ifndef FARGS_SOURCE_PT_INPUT_PERF_RECORD_H
#define FARGS_SOURCE_PT_INPUT_PERF_RECORD_H

#include "source/perf_data/body.h"
#include "source/pt/input/input.h"

/*
 * Adds the contents of a record to @in. The bytes of @b must remain valid. Ignores records of types
 * that are not needed. Returns 0, -EIO if the record is too short for its type, or -ENOMEM.
 */
int fargs_perf_record_take(struct fargs_pt_input *in, const struct fargs_perf_body *b);

#endif
