/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Reports on standard error what was selected for tracing, and what was left out.
 */
#ifndef FARGS_CMD_SCREEN_SELECTION_H
#define FARGS_CMD_SCREEN_SELECTION_H

#include <stdbool.h>
#include <stddef.h>

#include "select/resolve/deferred.h"
#include "select/resolve/select.h"

/* Reports which selectors with globs match the same functions. */
void fargs_selection_print_overlaps(const struct fargs_select *sel);
/*
 * Reports how many functions are traced (@nr_traced); with @is_verbose also each function that is
 * not.
 */
void fargs_selection_print_functions(const struct fargs_select *sel, size_t nr_traced,
				     bool is_verbose);
/* Reports how many tracepoints are traced; with @is_verbose also each tracepoint that is not. */
void fargs_selection_print_tpoints(const struct fargs_select *sel, bool is_verbose);
/* Reports functions or tracepoints of modules that are not loaded. */
void fargs_selection_print_deferred(const struct fargs_deferred *deferred, bool is_tpoint,
				    bool is_verbose);

#endif
