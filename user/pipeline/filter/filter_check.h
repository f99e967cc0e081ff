/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What of a condition, or of a value, can make no sense on any event of a trace.
 */
#ifndef FARGS_FILTER_CHECK_H
#define FARGS_FILTER_CHECK_H

#include "model/meta.h"
#include "select/typing/constant.h"
#include "select/syntax/mistake.h"
#include "select/syntax/node.h"

/* 0, or negative with the mistake in @m. @btf: of constants that no function decides. */
int fargs_filter_check(const struct fargs_node *condition, struct fargs_meta *meta,
		       const struct btf *btf, struct fargs_constants *constants,
		       struct fargs_mistake *m);
/* The same of what is to be a single value. */
int fargs_filter_check_value(const struct fargs_node *node, struct fargs_meta *meta,
			     const struct btf *btf, struct fargs_constants *constants,
			     struct fargs_mistake *m);

#endif
