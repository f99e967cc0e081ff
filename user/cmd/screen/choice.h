/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Reports on standard error what was selected for tracing, and what was left out.
 */
#ifndef FARGS_CHOICE_SCREEN_H
#define FARGS_CHOICE_SCREEN_H

#include <stdbool.h>
#include <stddef.h>

#include "select/resolve/late.h"
#include "select/resolve/select.h"

/* Reports overlaps of selectors with globs. */
void fargs_choice_tell_overlaps(const struct fargs_select *sel);
/* Reports functions, @nr_traced of which are traced; with @is_verbose each one that is not. */
void fargs_choice_tell_functions(const struct fargs_select *sel, size_t nr_traced,
				 bool is_verbose);
/* The same for tracepoints. */
void fargs_choice_tell_tpoints(const struct fargs_select *sel, bool is_verbose);
/* Reports functions or tracepoints of modules that are not loaded. */
void fargs_choice_tell_deferred(const struct fargs_late *late, bool is_tpoint, bool is_verbose);

#endif
