/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * fargs list --members: what an expression may go on with.
 */
#ifndef FARGS_LIST_MEMBERS_H
#define FARGS_LIST_MEMBERS_H

#include <stdbool.h>

#include "kernel/kernel.h"
#include "base/list.h"

/*
 * Prints the arguments of the function, or with @is_tpoint of the tracepoint, that each of
 * @selectors names; of one with an expression the members of what the last one comes to,
 * or points to. "NAME<TAB>DECLARATION" in each line. The program's exit status.
 */
int fargs_list_members(const struct fargs_list *selectors, bool is_tpoint,
		       struct fargs_kernel *kernel);

#endif
