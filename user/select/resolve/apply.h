/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A rule that is applied to a set of symbols, with the number of its matches. A rule of -f, -t or
 * --trigger selects functions or tracepoints, the values to record, and conditions on the calls. A
 * rule of --under selects functions, and can have a condition on their calls.
 */
#ifndef FARGS_SELECT_RESOLVE_APPLY_H
#define FARGS_SELECT_RESOLVE_APPLY_H

#include <stdbool.h>
#include <stddef.h>

#include "select/codegen/bind.h"
#include "select/resolve/rule.h"
#include "select/resolve/select.h"

struct fargs_active_rule {
	const struct fargs_rule *rule;
	bool is_matching;		/* the rule's pattern matches the current symbol */
	size_t nr_matched;
	size_t nr_refused;
	size_t nr_unwanted;
	/*
	 * Functions on which @rule is valid, but to which a different rule of the same rank
	 * applies.
	 */
	size_t nr_covered;
	/* The rule that applies to the first function that @nr_covered counts. */
	const struct fargs_active_rule *covered_by;
	enum fargs_refusal why;		/* reason for the first refusal that @nr_refused counts */
	/* Of all diagnostics of @rule, the one with the largest column. */
	struct fargs_diagnostic diagnostic;
};

/* Replaces the layouts of functions by layouts that include the rules' values and conditions. */
struct fargs_rule_applier {
	const struct fargs_bind_options *options;
	struct fargs_constants constants;
	struct fargs_bound *bound;
	struct fargs_bound *spare;	/* copy of @bound, to undo failed attempts */
	/* Rule that the last layout was made for; NULL: it was made without a rule, or removed. */
	const struct fargs_active_rule *winner;
};

/*
 * Returns 0 or -ENOMEM. @options must outlive @w; NULL: the defaults. @ksyms, which must also
 * outlive @w, has the variables of the kernel.
 */
int fargs_rule_applier_init(struct fargs_rule_applier *w, const struct fargs_bind_options *options,
			    const struct fargs_ksyms *ksyms);
void fargs_rule_applier_deinit(struct fargs_rule_applier *w);

/*
 * Replaces the last layout, which is that of @match, by a layout for the first of @actives that has
 * is_matching set and is valid on the function; higher ranks are tried first. If none is valid,
 * removes the layout and sets match->why. Updates the counts of the rules. Returns 0 or -ENOMEM.
 */
int fargs_rule_applier_apply(struct fargs_rule_applier *w, struct fargs_active_rule *actives,
			     size_t nr, struct fargs_layouts *layouts, struct fargs_match *match);

/* Rules of --under and --trigger. */
struct fargs_extras {
	struct fargs_active_rule *scopes;
	size_t nr_scopes;
	struct fargs_active_rule *triggers;
	size_t nr_triggers;
};

/*
 * Applies those of @extras that have is_matching set. With @is_recorded, adds them to the layout of
 * @match, which is the last one. Otherwise replaces that layout by one for @extras only, sets
 * match->is_silent if no calls are recorded, and sets match->why if none of @extras is valid.
 * Updates the counts of the rules. Returns 0 or -ENOMEM.
 */
int fargs_rule_applier_apply_extras(struct fargs_rule_applier *w, const struct fargs_extras *extras,
				    struct fargs_layouts *layouts, struct fargs_match *match,
				    bool is_recorded);

#endif
