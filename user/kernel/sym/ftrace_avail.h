/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What ftrace can trace, as tracefs tells it: available_filter_functions_addrs
 * (since 6.5) or available_filter_functions. This is to tell people early and
 * in bulk; the last word has the module, which asks ftrace by address.
 */
#ifndef FARGS_SYM_FTRACE_AVAIL_H
#define FARGS_SYM_FTRACE_AVAIL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "kernel/sym/ksyms.h"
#include "base/error.h"

struct fargs_avail;

/* NULL with the reason in @err, also when there is no tracefs: nothing is known then. */
struct fargs_avail *fargs_avail_load(struct fargs_error_text *err);
/* Parses @size bytes of either file, told apart by their first line. */
struct fargs_avail *fargs_avail_parse(const char *text, size_t size, struct fargs_error_text *err);
/* As the file with addresses would be that lists the @nr at @addrs alone. NULL: no memory. */
struct fargs_avail *fargs_avail_create(const uint64_t *addrs, size_t nr);
void fargs_avail_destroy(struct fargs_avail *avail);

/*
 * False: @sym cannot be traced. True: it can; if the kernel lists names only,
 * then another function of this name may be meant.
 */
bool fargs_avail_has(const struct fargs_avail *avail, const struct fargs_ksym *sym);

/* Number of functions listed. */
size_t fargs_avail_count(const struct fargs_avail *avail);

#endif
