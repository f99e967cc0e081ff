/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The functions that ftrace can trace, according to tracefs: available_filter_functions_addrs
 * (since 6.5) or available_filter_functions. It allows reporting untraceable functions early and
 * all at once. The final decision is the module's, which asks ftrace by address.
 */
#ifndef FARGS_KERNEL_SYM_FTRACE_AVAIL_H
#define FARGS_KERNEL_SYM_FTRACE_AVAIL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "kernel/sym/ksyms.h"

struct fargs_avail;

/* NULL with the reason in @err, also if tracefs is not mounted: traceability is unknown then. */
struct fargs_avail *fargs_avail_load(struct fargs_error_text *err);
/* Parses @size bytes of either file, distinguished by the first line. */
struct fargs_avail *fargs_avail_parse(const char *text, size_t size, struct fargs_error_text *err);
/* Equals a file with addresses that lists only the @nr in @addrs. NULL: no memory. */
struct fargs_avail *fargs_avail_create(const uint64_t *addrs, size_t nr);
void fargs_avail_destroy(struct fargs_avail *avail);

/*
 * False: @sym cannot be traced. True: it can; but if the kernel lists only names, a different
 * function of that name may be the traceable one.
 */
bool fargs_avail_has(const struct fargs_avail *avail, const struct fargs_ksym *sym);

/* Number of functions listed. */
size_t fargs_avail_count(const struct fargs_avail *avail);

#endif
