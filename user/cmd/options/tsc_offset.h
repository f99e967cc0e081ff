/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Reads the offset of a guest's TSC to the host's, and the ratio of the two: OFFSET[*RATIO].
 */
#ifndef FARGS_CMD_OPTIONS_TSC_OFFSET_H
#define FARGS_CMD_OPTIONS_TSC_OFFSET_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"

/* Returns the first character from @at on that is not blank. */
const char *fargs_tsc_skip_blanks(const char *at);
/* Reads a number of 64 bits, decimal or hexadecimal, which may be negative, and blanks after it. */
bool fargs_tsc_take_number(const char **at, uint64_t *nr);
/*
 * Reads OFFSET[*RATIO], where RATIO is a decimal number or a fraction N/D of integers, and blanks
 * after it. Sets *@offset and *@ratio as in struct fargs_pt_vmcs. Returns 0 or -EINVAL with @err.
 */
int fargs_tsc_offset_take(const char **at, uint64_t *offset, uint64_t *ratio,
			  struct fargs_error_text *err);

#endif
