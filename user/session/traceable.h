/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Selects functions that ftrace can trace. If there are few candidates, the module checks them,
 * which is fast. Otherwise the complete list is read from tracefs, which takes as long as
 * all other work before tracing starts.
 */
#ifndef FARGS_SESSION_TRACEABLE_H
#define FARGS_SESSION_TRACEABLE_H

#include <stdbool.h>

#include "base/error.h"
#include "kernel/kernel.h"
#include "select/resolve/select.h"

/*
 * Like fargs_select_by_rules(), but also sets kernel->avail: to the traceable candidates if there
 * are few; or to the complete list if there are many, or if the selection failed, because error
 * messages need that list.
 */
struct fargs_select *fargs_traceable_select(struct fargs_kernel *kernel,
					    const struct fargs_rules *rules, bool is_survey,
					    struct fargs_error_text *err);

#endif
