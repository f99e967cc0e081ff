/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Finds modules that are not loaded and have a function or tracepoint that no loaded module has.
 */
#ifndef FARGS_SELECT_RESOLVE_UNLOADED_H
#define FARGS_SELECT_RESOLVE_UNLOADED_H

#include <stdbool.h>

#include "select/resolve/pattern.h"
#include "select/resolve/unmatched.h"

/*
 * Searches the running kernel's modules below @dir (/lib/modules) that are not in @loaded for
 * @pattern, which names no module. Reading all files would take minutes, so at most two dozen
 * modules are read: those that export a match, or whose name contains the first word of the
 * pattern. Unreadable files are skipped.
 */
void fargs_unloaded_find(struct fargs_unloaded *u, const char *dir,
			 const struct fargs_ksyms *loaded, const struct fargs_pattern *pattern,
			 bool is_tpoint);

/* Like fargs_unloaded_find() in /lib/modules; a callback for struct fargs_patterns. */
void fargs_unloaded_ask(struct fargs_unloaded *u, const struct fargs_ksyms *loaded,
			const struct fargs_pattern *pattern, bool is_tpoint);

#endif
