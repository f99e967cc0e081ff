/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Parses durations with a unit, such as 100us or 1s.
 */
#ifndef FARGS_BASE_DURATION_H
#define FARGS_BASE_DURATION_H

#include <stdint.h>

#include "base/error.h"

/*
 * Parses @text, a number followed by ns, us, ms or s, into *@ns. Returns 0, or -EINVAL with the
 * reason in @err.
 */
int fargs_duration_parse(const char *text, uint64_t *ns, struct fargs_error_text *err);

#endif
