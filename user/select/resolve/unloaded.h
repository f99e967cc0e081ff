/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Finds modules that are not loaded and have a function or tracepoint that loaded ones lack.
 */
#ifndef FARGS_SELECT_RESOLVE_UNLOADED_H
#define FARGS_SELECT_RESOLVE_UNLOADED_H

#include <stdbool.h>

#include "select/resolve/pattern.h"
#include "select/resolve/unmatched.h"

/*
 * Looks for @pattern, which names no module, in the running kernel's modules below @dir
 * (/lib/modules) that are not in @loaded. Reading all files would take minutes, so only modules
 * are read that export a match or whose name contains the first word of the pattern, at most two
 * dozen. Unreadable files are skipped.
 */
void fargs_unloaded_find(struct fargs_unloaded *u, const char *dir,
			 const struct fargs_ksyms *loaded, const struct fargs_pattern *pattern,
			 bool is_tpoint);

/* The same in /lib/modules, for struct fargs_patterns. */
void fargs_unloaded_ask(struct fargs_unloaded *u, const struct fargs_ksyms *loaded,
			const struct fargs_pattern *pattern, bool is_tpoint);

#endif
