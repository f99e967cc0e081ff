/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Which modules that are not loaded have a function or tracepoint that what is loaded lacks.
 */
#ifndef FARGS_CTL_UNLOADED_H
#define FARGS_CTL_UNLOADED_H

#include <stdbool.h>

#include "select/resolve/pattern.h"
#include "select/resolve/unmet.h"

/*
 * Looks for @pattern, which names no module, in modules of the running kernel below @dir
 * (/lib/modules) of which none of @loaded is. Reading all of their files would take minutes:
 * those that export what matches, and those called like the first word of its name, a few dozen at
 * most. What cannot be read is left out.
 */
void fargs_unloaded_find(struct fargs_unloaded *u, const char *dir,
			 const struct fargs_ksyms *loaded, const struct fargs_pattern *pattern,
			 bool is_tpoint);

/* For struct fargs_patterns. */
void fargs_unloaded_ask(struct fargs_unloaded *u, const struct fargs_ksyms *loaded,
			const struct fargs_pattern *pattern, bool is_tpoint);

#endif
