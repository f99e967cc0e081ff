/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Functions that are asked for, and which of them ftrace can trace. Of a few the module
 * knows it at once; tracefs lists all there are, which takes a kernel as long as everything
 * else that is done before tracing begins.
 */
#ifndef FARGS_CTL_TRACEABLE_H
#define FARGS_CTL_TRACEABLE_H

#include <stdbool.h>

#include "kernel/kernel.h"
#include "select/resolve/select.h"
#include "base/error.h"

/*
 * fargs_select_create(), or with @is_survey fargs_select_survey(), with kernel->avail as
 * it is needed for that: of a mistake more is told than of a few functions can be known.
 */
struct fargs_select *fargs_traceable_select(struct fargs_kernel *kernel,
					    const struct fargs_patterns *patterns, bool is_survey,
					    struct fargs_error_text *err);

#endif
