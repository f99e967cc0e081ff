/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Layouts without arguments, for functions whose arguments are not proven (--any): their calls are
 * recorded by address.
 */
#ifndef FARGS_SELECT_RESOLVE_ANY_H
#define FARGS_SELECT_RESOLVE_ANY_H

#include <stdbool.h>

#include "select/resolve/apply.h"

/* Is @why about the arguments of a function, which could be traced without them? */
bool fargs_any_is_possible(enum fargs_refusal why);
/*
 * Gives @match, which is refused, a layout without arguments, and clears match->why, if one of
 * @actives that has is_matching set requests nothing but calls. @btf: any BTF of the kernel, for
 * the conditions of options. Otherwise changes nothing. Updates the counts of the rules if a layout
 * was added. Returns 0 or -ENOMEM.
 */
int fargs_any_apply(struct fargs_rule_applier *w, struct fargs_active_rule *actives, size_t nr,
		    const struct btf *btf, struct fargs_layouts *layouts,
		    struct fargs_match *match);

#endif
