/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The functions that ftrace can trace, according to tracefs: available_filter_functions_addrs
 * (since 6.5) or available_filter_functions. With this list, all untraceable functions can be
 * reported at once, before they are added. fargs.ko makes the final decision: it queries ftrace by
 * address.
 */
#ifndef FARGS_KERNEL_SYM_FTRACE_AVAIL_H
#define FARGS_KERNEL_SYM_FTRACE_AVAIL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "kernel/sym/ksyms.h"

struct fargs_avail;

/*
 * Reads the list from tracefs. Returns NULL with the reason in @err, for example if tracefs is not
 * mounted; it is then unknown which functions can be traced.
 */
struct fargs_avail *fargs_avail_load(struct fargs_error_text *err);
/* Parses @size bytes of either of the two files; the first line shows which one it is. */
struct fargs_avail *fargs_avail_parse(const char *text, size_t size, struct fargs_error_text *err);
/*
 * Creates the list from the @nr addresses at @addrs, as if read from
 * available_filter_functions_addrs. Returns NULL if there is no memory.
 */
struct fargs_avail *fargs_avail_create(const uint64_t *addrs, size_t nr);
void fargs_avail_destroy(struct fargs_avail *avail);

/*
 * Can @sym be traced? If the kernel lists only names, a result of true may be due to a different
 * function of the same name.
 */
bool fargs_avail_has(const struct fargs_avail *avail, const struct fargs_ksym *sym);

/* Number of functions listed. */
size_t fargs_avail_count(const struct fargs_avail *avail);

#endif
