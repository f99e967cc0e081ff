/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * How many of the selected functions have a return probe.
 */
#ifndef FARGS_SELECT_RESOLVE_RETURNS_H
#define FARGS_SELECT_RESOLVE_RETURNS_H

#include <stddef.h>

#include <stdbool.h>

#include "base/error.h"
#include "kernel/sym/ftrace_avail.h"
#include "kernel/sym/ksyms.h"
#include "select/resolve/rule.h"
#include "select/resolve/select.h"

/*
 * Called before BTF is read. Returns true if @rules certainly select more than @max functions with
 * return probes. Sets *@nr to the number of traceable functions whose return the rules certainly
 * request. Some of these functions will have no layout (6 % of all functions on 6.1), but only BTF
 * shows which. The comparison with @max therefore subtracts a quarter of all functions that ftrace
 * can trace, and ignores functions of modules, whose BTF may be missing.
 */
bool fargs_returns_are_many(const struct fargs_rules *rules, const struct fargs_ksyms *ksyms,
			    const struct fargs_avail *avail, size_t max, size_t *nr);
/*
 * Can fargs_returns_are_many() return true for @rules and @ksyms? This check is fast, and needs no
 * list of functions that ftrace can trace.
 */
bool fargs_returns_may_be_many(const struct fargs_rules *rules, const struct fargs_ksyms *ksyms,
			       size_t max);

/* Returns the number of matches of @sel that get a return probe. */
size_t fargs_returns_count(const struct fargs_select *sel);
/*
 * Limits the matches of @sel that get a return probe to @max; of the other matches, only the entry
 * is recorded. Matches that need the return for more than values to record
 * (fargs_layout_needs_return()) keep their return probe. The remaining return probes are assigned
 * in the order of fargs_match.order, then by address. Sets has_return and is_entry_only of the
 * matches. Returns 0, or -errno with the reason in @err; -E2BIG: more than @max matches need the
 * return.
 */
int fargs_returns_limit(struct fargs_select *sel, size_t max, struct fargs_error_text *err);

#endif
