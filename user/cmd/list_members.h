/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * fargs list --members: lists possible continuations of an expression.
 */
#ifndef FARGS_CMD_LIST_MEMBERS_H
#define FARGS_CMD_LIST_MEMBERS_H

#include <stdbool.h>

#include "base/list.h"
#include "kernel/kernel.h"

/*
 * For each of @selectors, prints the arguments of the function (with @is_tpoint: of the
 * tracepoint); or, if it contains an expression, the members of the struct that the last expression
 * yields or points to. Each line is "NAME<TAB>DECLARATION". Returns the exit status.
 */
int fargs_list_members(const struct fargs_list *selectors, bool is_tpoint,
		       struct fargs_kernel *kernel);

#endif
