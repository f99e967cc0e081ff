/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Patterns [MODULE:]NAME, as in the options -f and -n.
 */
#ifndef FARGS_SELECT_RESOLVE_PATTERN_H
#define FARGS_SELECT_RESOLVE_PATTERN_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"
#include "kernel/sym/ksyms.h"

struct fargs_pattern {
	const char *text;	/* pattern as written; owned by the caller */
	char *module;		/* name or glob; NULL: all modules and vmlinux */
	const char *name;	/* name or glob of functions; points into @text */
	bool is_exact;		/* @name has no special characters */
};

/* Returns 0, or -errno with the reason in @err. @text must outlive @pattern. */
int fargs_pattern_init(struct fargs_pattern *pattern, const char *text,
		       struct fargs_error_text *err);
void fargs_pattern_deinit(struct fargs_pattern *pattern);

/* Does the module of @pattern match @module (NULL: vmlinux)? */
bool fargs_pattern_match_module(const struct fargs_pattern *pattern, const char *module);
bool fargs_pattern_match(const struct fargs_pattern *pattern, const struct fargs_ksym *sym);

#endif
