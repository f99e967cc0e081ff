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

/* Reports overlaps of selectors with globs. */
void fargs_selection_print_overlaps(const struct fargs_select *sel);
/* Reports functions, @nr_traced of which are traced; with @is_verbose each one that is not. */
void fargs_selection_print_functions(const struct fargs_select *sel, size_t nr_traced,
				     bool is_verbose);
/* The same for tracepoints. */
void fargs_selection_print_tpoints(const struct fargs_select *sel, bool is_verbose);
/* Reports functions or tracepoints of modules that are not loaded. */
void fargs_selection_print_deferred(const struct fargs_deferred *deferred, bool is_tpoint,
				    bool is_verbose);

#endif
