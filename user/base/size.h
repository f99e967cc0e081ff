/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Parses and formats sizes with a unit, such as 4M or 512K.
 */
#ifndef FARGS_BASE_SIZE_H
#define FARGS_BASE_SIZE_H

#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

/*
 * Parses @text, with an optional suffix K M G T P E (powers of 1024), into *@bytes. Returns 0, or
 * -EINVAL with the reason in @err.
 */
int fargs_size_parse(const char *text, uint64_t *bytes, struct fargs_error_text *err);

/*
 * Parses @text, the size of a mapping, into *@bytes: like fargs_size_parse(), but a number without
 * a suffix counts pages of @page bytes, as for perf, and the suffix B stands for bytes.
 */
int fargs_size_parse_mapped(const char *text, uint64_t page, uint64_t *bytes,
			    struct fargs_error_text *err);

/*
 * Parses "SIZE", "SIZE,SIZE" or ",SIZE", which are sizes of buffers and must not be 0, like
 * fargs_size_parse_mapped(). A size that is not given leaves *@first, or *@second, alone.
 */
int fargs_size_parse_pair(const char *text, uint64_t page, uint64_t *first, uint64_t *second,
			  struct fargs_error_text *err);

/*
 * Formats @bytes exactly, in the largest possible unit: 4194304 becomes "4M", 1000 "1000". Returns
 * @buf.
 */
char *fargs_size_exact(uint64_t bytes, char *buf, size_t size);

#endif
