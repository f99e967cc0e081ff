/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * [MODULE:]NAME, as -f and -n take it.
 */
#ifndef FARGS_LAYOUT_PATTERN_H
#define FARGS_LAYOUT_PATTERN_H

#include <stdbool.h>
#include <stddef.h>

#include "kernel/sym/ksyms.h"
#include "base/error.h"

struct fargs_pattern {
	const char *text;	/* as written; the caller's */
	char *module;		/* NULL: any, and vmlinux */
	const char *name;	/* in @text */
	bool is_exact;		/* @name has no special character */
};

/* -EINVAL with the reason in @err, -ENOMEM. @text must outlive it. */
int fargs_pattern_init(struct fargs_pattern *pattern, const char *text,
		       struct fargs_error_text *err);
void fargs_pattern_deinit(struct fargs_pattern *pattern);

/* @module: NULL for vmlinux. */
bool fargs_pattern_match_module(const struct fargs_pattern *pattern, const char *module);
bool fargs_pattern_match(const struct fargs_pattern *pattern, const struct fargs_ksym *sym);

#endif
