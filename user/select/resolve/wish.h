/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A rule applied to one set of symbols, with the number of its matches. -f, -t and --trigger
 * select functions or tracepoints, and values and conditions of their calls; --under selects
 * functions and a condition.
 */
#ifndef FARGS_LAYOUT_WISH_H
#define FARGS_LAYOUT_WISH_H

#include <stdbool.h>
#include <stddef.h>

#include "select/codegen/bind.h"
#include "select/resolve/rule.h"
#include "select/resolve/select.h"

struct fargs_wish {
	const struct fargs_rule *rule;
	bool is_matching;		/* its pattern matches the current symbol */
	size_t nr_picked;
	size_t nr_refused;
	size_t nr_unwanted;
	/* Functions on which it is valid, but another rule of its rank, which differs, applies. */
	size_t nr_covered;
	const struct fargs_wish *covered_by;	/* the first such rule */
	enum fargs_refusal why;		/* reason of the first refusal */
	struct fargs_mistake mistake;	/* of all diagnostics, the one with the largest column */
};

/* Replaces layouts by ones with the values and conditions of rules. */
struct fargs_wisher {
	const struct fargs_bind_options *options;
	struct fargs_constants constants;
	struct fargs_bound *bound;
	struct fargs_bound *spare;	/* copy of @bound, to undo failed attempts */
	const struct fargs_wish *winner;	/* applied last; NULL: none, or without types */
};

/* -ENOMEM. @options must outlive it; NULL: the defaults. */
int fargs_wisher_init(struct fargs_wisher *w, const struct fargs_bind_options *options);
void fargs_wisher_deinit(struct fargs_wisher *w);

/*
 * Replaces the last layout, which is that of @pick, by one for the first of @wishes that
 * is_matching and is valid on the function; higher ranks are tried first. If none is valid,
 * removes the layout and sets pick->why. Updates the counts of the rules. 0 or -ENOMEM.
 */
int fargs_wisher_apply(struct fargs_wisher *w, struct fargs_wish *wishes, size_t nr,
		       struct fargs_layouts *layouts, struct fargs_pick *pick);

/* Rules of --under and --trigger. */
struct fargs_extras {
	struct fargs_wish *scopes;
	size_t nr_scopes;
	struct fargs_wish *triggers;
	size_t nr_triggers;
};

/*
 * Applies those of @extras that are is_matching. With @is_recorded adds them to the layout of
 * @pick, which is the last one. Otherwise replaces the layout by one for @extras only, sets
 * pick->is_silent if it records no calls, and pick->why if none of @extras is valid. Updates the
 * counts of the rules. 0 or -ENOMEM.
 */
int fargs_wisher_apply_extras(struct fargs_wisher *w, const struct fargs_extras *extras,
			      struct fargs_layouts *layouts, struct fargs_pick *pick,
			      bool is_recorded);

#endif
