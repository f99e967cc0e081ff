/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Sizes as people write them: 4M, 512K.
 */
#ifndef FARGS_UTIL_SIZE_H
#define FARGS_UTIL_SIZE_H

#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

/* Bytes from @text, suffixes K M G T P E of 1024; -EINVAL with the reason in @err. */
int fargs_size_parse(const char *text, uint64_t *bytes, struct fargs_error_text *err);

/* The shortest exact form: 4194304 gives "4M", 1000 gives "1000". Returns @buf. */
char *fargs_size_exact(uint64_t bytes, char *buf, size_t size);

#endif
