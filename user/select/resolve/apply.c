// SPDX-License-Identifier: GPL-2.0-only
#include "select/resolve/apply.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "abi/signature.h"
#include "select/codegen/failure.h"

int fargs_rule_applier_init(struct fargs_rule_applier *w, const struct fargs_bind_options *options,
			    const struct fargs_ksyms *ksyms)
{
	static const struct fargs_bind_options usual = {
		.str_cap = FARGS_BIND_CAP, .mem_cap = FARGS_BIND_CAP, .tsc_khz = 1000000,
	};

	memset(w, 0, sizeof(*w));
	w->options = options ? options : &usual;
	w->bound = malloc(sizeof(*w->bound));
	w->spare = malloc(sizeof(*w->spare));
	w->constants.ksyms = ksyms;
	w->constants.symbolic = fargs_symbolic_create(fargs_symbolic_read_format, NULL);
	return w->bound && w->spare && w->constants.symbolic ? 0 : -ENOMEM;
}

void fargs_rule_applier_deinit(struct fargs_rule_applier *w)
{
	fargs_symbolic_destroy(w->constants.symbolic);
	fargs_constants_deinit(&w->constants);
	free(w->bound);
	free(w->spare);
}

static bool asks_for_types(const struct fargs_rule_applier *w,
			   const struct fargs_active_rule *active)
{
	return w->options->has_derefs || w->options->is_graph || w->options->is_only_errors ||
	       !fargs_selector_is_plain(&active->rule->selector);
}

/*
 * Fails if the type of the function is uncertain, because several functions have its name. Even if
 * their arguments are passed alike, pointers may point to different structs, and the types of the
 * results may differ.
 */
static int check_certain(const struct fargs_match *match, struct fargs_diagnostic *m)
{
	if (match->is_type_certain)
		return 0;
	return fargs_diagnostic_at(m, 1, "several functions are called '%s', and BTF does not show "
				   "which type belongs to which: only the arguments themselves can "
				   "be recorded, without expressions, '-D', '-g' and "
				   "'--only-errors'",
				   match->sym->name);
}

/* Keeps the diagnostic with the largest column: it is the most specific one. */
static void keep_diagnostic(struct fargs_active_rule *active, const struct fargs_diagnostic *m)
{
	if (!active->diagnostic.code || m->column > active->diagnostic.column)
		active->diagnostic = *m;
}

/*
 * Replaces the last layout by one for @active. Returns 0; -EINVAL: @active is invalid on the
 * function; or -ENOMEM.
 */
static int try_active(struct fargs_rule_applier *w, struct fargs_active_rule *active,
		      const struct fargs_signature *func, struct fargs_layouts *layouts,
		      const struct fargs_match *match)
{
	struct fargs_diagnostic diagnostic = { };
	enum fargs_refusal why = FARGS_REFUSAL_NONE;
	size_t bytes = layouts->bytes;
	int ret = 0;

	if (asks_for_types(w, active))
		ret = check_certain(match, &diagnostic);
	if (!ret)
		ret = fargs_bind(w->bound, &active->rule->selector, func, w->options, &w->constants,
				 &diagnostic);
	if (!ret && func->is_tpoint && w->bound->has_return)
		ret = fargs_diagnostic_at(&diagnostic, 1, FARGS_RULE_NO_RETURN);
	if (ret) {
		keep_diagnostic(active, &diagnostic);
		return ret;
	}
	layouts->bytes = match->offset;
	ret = fargs_layout_compile_bound(layouts, func, w->bound, match->sym->addr, &why);
	if (!ret && !why) {
		layouts->nr--;
		return 0;
	}
	/* Keep the old layout: it is overwritten only by a complete new one. */
	layouts->bytes = bytes;
	if (why) {
		ret = fargs_diagnostic_at(&diagnostic, 1,
					  "the record of '%s' would be longer than %d bytes: fetch "
					  "less, or limit the size with '-s'", func->name,
					  w->bound->record_cap);
		keep_diagnostic(active, &diagnostic);
	}
	return ret;
}

static enum fargs_refusal init_signature(struct fargs_signature *func,
					 const struct fargs_match *match)
{
	return match->is_tpoint ? fargs_signature_init_tpoint(func, match->btf, match->func_id) :
				 fargs_signature_init(func, match->btf, match->func_id);
}

static void count(struct fargs_active_rule *active, const struct fargs_match *match)
{
	if (!match->why)
		active->nr_matched++;
	else if (!active->nr_refused++)
		active->why = match->why;
}

/*
 * Counts the function as covered if @active would apply to it, too, and requests something
 * different from the rule that applies, @winner. Returns 0 or -ENOMEM.
 */
static int count_covered(struct fargs_rule_applier *w, struct fargs_active_rule *active,
			 const struct fargs_active_rule *winner, const struct fargs_signature *func,
			 const struct fargs_match *match)
{
	struct fargs_diagnostic ignored = { };
	int ret;

	if (active->rule->rank != winner->rule->rank ||
	    fargs_selector_asks_same(&active->rule->selector, &winner->rule->selector) ||
	    (asks_for_types(w, active) && !match->is_type_certain))
		return 0;
	ret = fargs_bind(w->bound, &active->rule->selector, func, w->options, &w->constants,
			 &ignored);
	if (ret)
		return ret == -ENOMEM ? ret : 0;
	if (!active->nr_covered++)
		active->covered_by = winner;
	return 0;
}

/* Applies the first valid rule of rank @rank and sets *@winner, unless *@winner is set already. */
static int apply_some(struct fargs_rule_applier *w, struct fargs_active_rule *actives, size_t nr,
		      const struct fargs_signature *func, struct fargs_layouts *layouts,
		      struct fargs_match *match, unsigned int rank,
		      const struct fargs_active_rule **winner)
{
	size_t i;
	int ret;

	for (i = 0; i < nr; i++) {
		struct fargs_active_rule *active = &actives[i];

		if (!active->is_matching || active->rule->rank != rank)
			continue;
		/*
		 * Another rule applies to the function, but the function also counts as a match of
		 * this rule.
		 */
		if (*winner) {
			active->nr_matched++;
			ret = count_covered(w, active, *winner, func, match);
			if (ret)
				return ret;
			continue;
		}
		ret = try_active(w, active, func, layouts, match);
		if (ret && ret != -EINVAL)
			return ret;
		if (!ret) {
			match->why = FARGS_REFUSAL_NONE;
			*winner = active;
		}
		count(active, match);
	}
	return 0;
}

/* Refuses the function for all rules that match it. */
static void refuse(struct fargs_active_rule *actives, size_t nr, struct fargs_layouts *layouts,
		   struct fargs_match *match, enum fargs_refusal why)
{
	size_t i;

	match->why = why;
	layouts->bytes = match->offset;
	layouts->nr--;
	for (i = 0; i < nr; i++)
		if (actives[i].is_matching)
			count(&actives[i], match);
}

static bool is_any_needed(const struct fargs_rule_applier *w,
			  const struct fargs_active_rule *actives, size_t nr)
{
	size_t i;

	for (i = 0; i < nr; i++)
		if (actives[i].is_matching && asks_for_types(w, &actives[i]))
			return true;
	return w->options->nr_filters || w->options->nr_stack || w->options->record_cap;
}

int fargs_rule_applier_apply(struct fargs_rule_applier *w, struct fargs_active_rule *actives,
			     size_t nr, struct fargs_layouts *layouts, struct fargs_match *match)
{
	const struct fargs_active_rule *winner = NULL;
	struct fargs_signature func;
	unsigned int rank = FARGS_RULE_RANKS;
	size_t i;
	int ret = 0;

	w->winner = NULL;
	if (match->why || !is_any_needed(w, actives, nr)) {
		for (i = 0; i < nr; i++)
			if (actives[i].is_matching)
				count(&actives[i], match);
		return 0;
	}
	if (init_signature(&func, match))
		return -EINVAL;
	if (w->options->is_only_errors && !fargs_failure_is_possible(&func)) {
		refuse(actives, nr, layouts, match, FARGS_REFUSAL_NO_ERROR);
		return 0;
	}
	match->why = FARGS_REFUSAL_EXPRESSION;
	while (rank-- && !ret)
		ret = apply_some(w, actives, nr, &func, layouts, match, rank, &winner);
	w->winner = winner;
	if (match->why) {
		layouts->bytes = match->offset;
		layouts->nr--;
	}
	return ret;
}

/*
 * Can the function be a scope? Its arguments may be unknown, but return probes must support it, and
 * it must be neither a fragment nor a function that fargs.ko itself calls while fetching.
 */
static bool can_be_followed(enum fargs_refusal why)
{
	return why != FARGS_REFUSAL_NOT_TRACEABLE && why != FARGS_REFUSAL_FRAGMENT &&
	       why != FARGS_REFUSAL_OWN && why != FARGS_REFUSAL_NO_RETURN;
}

static void count_refused(struct fargs_active_rule *active, enum fargs_refusal why)
{
	if (!active->nr_refused++)
		active->why = why;
}

/*
 * Adds @active to w->bound. @func: NULL if the function's types are unknown. Returns 0; -EINVAL:
 * @active is invalid on the function; or -ENOMEM.
 */
static int bind_scope(struct fargs_rule_applier *w, struct fargs_active_rule *active,
		      const struct fargs_signature *func, const struct fargs_match *match)
{
	struct fargs_diagnostic diagnostic = { };
	int ret = 0;

	if (!can_be_followed(match->why) || (active->rule->selector.entry.condition && !func)) {
		count_refused(active, match->why);
		return -EINVAL;
	}
	if (active->rule->selector.entry.condition)
		ret = check_certain(match, &diagnostic);
	if (!ret)
		ret = fargs_bind_scope(w->bound, &active->rule->selector, func, w->options,
				       &w->constants, &diagnostic);
	if (!ret) {
		active->nr_matched++;
		return 0;
	}
	keep_diagnostic(active, &diagnostic);
	count_refused(active, FARGS_REFUSAL_EXPRESSION);
	return ret;
}

/* Initializes @func if the types of the function of @match are known. */
static bool find_types(struct fargs_signature *func, const struct fargs_match *match)
{
	return match->func_id &&
	       (match->why == FARGS_REFUSAL_NONE || match->why == FARGS_REFUSAL_EXPRESSION) &&
	       !init_signature(func, match);
}

/*
 * Adds @active to w->bound. @func: NULL if the function's types are unknown. Returns 0; -EINVAL:
 * @active is invalid on the function; or -ENOMEM.
 */
static int bind_trigger(struct fargs_rule_applier *w, struct fargs_active_rule *active,
			const struct fargs_signature *func, const struct fargs_match *match)
{
	struct fargs_diagnostic diagnostic = { };
	int ret = 0;

	if (!func || (w->options->is_only_errors && !fargs_failure_is_possible(func))) {
		count_refused(active, func ? FARGS_REFUSAL_NO_ERROR : match->why);
		return -EINVAL;
	}
	if (asks_for_types(w, active))
		ret = check_certain(match, &diagnostic);
	*w->spare = *w->bound;
	if (!ret)
		ret = fargs_bind_trigger(w->bound, &active->rule->selector,
					 w->winner ? &w->winner->rule->selector : NULL, func,
					 w->options, &w->constants, &diagnostic);
	if (!ret && func->is_tpoint && w->bound->has_return)
		ret = fargs_diagnostic_at(&diagnostic, 1, FARGS_RULE_NO_RETURN);
	if (!ret) {
		active->nr_matched++;
		return 0;
	}
	*w->bound = *w->spare;
	keep_diagnostic(active, &diagnostic);
	count_refused(active, FARGS_REFUSAL_EXPRESSION);
	return ret;
}

/*
 * Calls @bind for those of @actives whose pattern matches. @func: NULL if the function's types are
 * unknown. Returns true if any of them is valid.
 */
static bool bind_matching(struct fargs_rule_applier *w, struct fargs_active_rule *actives,
			  size_t nr, int (*bind)(struct fargs_rule_applier *w,
				      struct fargs_active_rule *active,
				      const struct fargs_signature *func,
				      const struct fargs_match *match),
			  const struct fargs_signature *func, const struct fargs_match *match)
{
	bool is_any = false;
	size_t i;

	for (i = 0; i < nr; i++)
		if (actives[i].is_matching)
			is_any |= !bind(w, &actives[i], func, match);
	return is_any;
}

/*
 * Starts filling w->bound. With @is_recorded, fills it as for the function's existing layout.
 * Otherwise, fills it for a function whose calls are recorded only if a trigger holds; but if @func
 * is NULL, leaves it unfilled, because a function of unknown types cannot be a trigger.
 */
static int begin_extras(struct fargs_rule_applier *w, const struct fargs_signature *func,
			bool is_recorded, struct fargs_diagnostic *diagnostic)
{
	if (!is_recorded)
		w->winner = NULL;
	if (is_recorded)
		return fargs_bind(w->bound, w->winner ? &w->winner->rule->selector : NULL, func,
				  w->options, &w->constants, diagnostic);
	return func ? fargs_bind_unwanted(w->bound, func, w->options, &w->constants,
					  diagnostic) : 0;
}

/* Refuses the function for all matching triggers, with the same diagnostic. */
static void refuse_triggers(const struct fargs_extras *extras,
			    const struct fargs_diagnostic *diagnostic)
{
	size_t i;

	for (i = 0; i < extras->nr_triggers; i++) {
		if (!extras->triggers[i].is_matching)
			continue;
		keep_diagnostic(&extras->triggers[i], diagnostic);
		count_refused(&extras->triggers[i], FARGS_REFUSAL_EXPRESSION);
	}
}

/* Refuses the function for the matching triggers, whose fetches make the record too long. */
static void refuse_long(const struct fargs_rule_applier *w, const struct fargs_extras *extras,
			const struct fargs_match *match)
{
	struct fargs_diagnostic diagnostic = { };
	size_t i;

	fargs_diagnostic_at(&diagnostic, 1,
			    "the record of '%s' would be longer than %d bytes: fetch less, or "
			    "limit the size with '-s'", match->sym->name, w->bound->record_cap);
	for (i = 0; i < extras->nr_triggers; i++)
		if (extras->triggers[i].is_matching && extras->triggers[i].nr_matched)
			extras->triggers[i].nr_matched--;
	refuse_triggers(extras, &diagnostic);
}

int fargs_rule_applier_apply_extras(struct fargs_rule_applier *w, const struct fargs_extras *extras,
				    struct fargs_layouts *layouts, struct fargs_match *match,
				    bool is_recorded)
{
	enum fargs_refusal why = match->why ? match->why : FARGS_REFUSAL_EXPRESSION;
	struct fargs_signature signature, *func = &signature;
	struct fargs_diagnostic diagnostic = { };
	bool is_trigger = false, is_any;
	int ret;

	if (!find_types(func, match))
		func = NULL;
	ret = begin_extras(w, func, is_recorded, &diagnostic);
	if (ret == -ENOMEM)
		return ret;
	if (ret)
		refuse_triggers(extras, &diagnostic);
	else
		is_trigger = bind_matching(w, extras->triggers, extras->nr_triggers, bind_trigger,
					   func, match);
	ret = 0;
	if (!is_recorded && !is_trigger)
		fargs_bind_silent(w->bound);
	is_any = bind_matching(w, extras->scopes, extras->nr_scopes, bind_scope, func, match) ||
		 is_trigger;
	if (is_recorded && !is_any)
		return 0;
	/* Remove the existing layout of @match, if there is one: the new layout replaces it. */
	if (match->why)
		match->offset = layouts->bytes;
	else
		layouts->nr--;
	layouts->bytes = match->offset;
	if (is_any)
		ret = fargs_layout_compile_bound(layouts, func, w->bound, match->sym->addr, &why);
	if (is_any && why == FARGS_REFUSAL_TOO_LONG)
		refuse_long(w, extras, match);
	match->why = why;
	match->is_silent = !is_recorded && !is_trigger;
	return ret;
}
