/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Reports conditions and values that are invalid for every event of a trace.
 */
#ifndef FARGS_PIPELINE_FILTER_FILTER_CHECK_H
#define FARGS_PIPELINE_FILTER_FILTER_CHECK_H

#include "model/meta.h"
#include "select/syntax/diagnostic.h"
#include "select/syntax/node.h"
#include "select/typing/constant.h"

/*
 * Checks @condition. Returns 0, or a negative value with the diagnostic in @m. @btf: describes
 * constants that do not depend on a function.
 */
int fargs_filter_check(const struct fargs_node *condition, struct fargs_meta *meta,
		       const struct btf *btf, struct fargs_constants *constants,
		       struct fargs_diagnostic *m);
/* Like fargs_filter_check(), for a single value instead of a condition. */
int fargs_filter_check_value(const struct fargs_node *node, struct fargs_meta *meta,
			     const struct btf *btf, struct fargs_constants *constants,
			     struct fargs_diagnostic *m);

#endif
