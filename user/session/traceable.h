/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Selects functions among those that ftrace can trace. A few candidates are checked by the module,
 * which is fast. The complete list in tracefs takes the kernel as long to produce as everything
 * else before tracing starts.
 */
#ifndef FARGS_SESSION_TRACEABLE_H
#define FARGS_SESSION_TRACEABLE_H

#include <stdbool.h>

#include "base/error.h"
#include "kernel/kernel.h"
#include "select/resolve/select.h"

/*
 * fargs_select_by_rules(), which sets kernel->avail: only the candidates if that suffices, or the
 * complete list, which error messages need.
 */
struct fargs_select *fargs_traceable_select(struct fargs_kernel *kernel,
					    const struct fargs_rules *rules, bool is_survey,
					    struct fargs_error_text *err);

#endif
