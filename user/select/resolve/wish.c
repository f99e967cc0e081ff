// SPDX-License-Identifier: GPL-2.0-only
#include "select/resolve/wish.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "abi/signature.h"
#include "select/codegen/failure.h"

int fargs_wisher_init(struct fargs_wisher *w, const struct fargs_bind_options *options)
{
	static const struct fargs_bind_options usual = {
		.str_cap = FARGS_BIND_CAP, .mem_cap = FARGS_BIND_CAP, .tsc_khz = 1000000,
	};

	memset(w, 0, sizeof(*w));
	w->options = options ? options : &usual;
	w->bound = malloc(sizeof(*w->bound));
	w->spare = malloc(sizeof(*w->spare));
	return w->bound && w->spare ? 0 : -ENOMEM;
}

void fargs_wisher_deinit(struct fargs_wisher *w)
{
	fargs_constants_deinit(&w->constants);
	free(w->bound);
	free(w->spare);
}

static bool asks_for_types(const struct fargs_wisher *w, const struct fargs_wish *wish)
{
	return w->options->has_derefs || w->options->is_graph || w->options->is_only_errors ||
	       !fargs_selector_is_plain(&wish->rule->selector);
}

/*
 * Types that are passed alike may still point to different structs, and have different results.
 */
static int check_certain(const struct fargs_pick *pick, struct fargs_mistake *m)
{
	if (pick->is_type_certain)
		return 0;
	return fargs_mistake_at(m, 1, "several functions are called %s, and BTF does not tell "
				"which one's types these are: only its arguments can be shown",
				pick->sym->name);
}

/* Keeps the diagnostic with the largest column: it is the most specific one. */
static void keep_mistake(struct fargs_wish *wish, const struct fargs_mistake *m)
{
	if (!wish->mistake.code || m->column > wish->mistake.column)
		wish->mistake = *m;
}

/* Replaces the last layout by one for @wish. -EINVAL: @wish is invalid on the function. */
static int try_wish(struct fargs_wisher *w, struct fargs_wish *wish,
		    const struct fargs_signature *func, struct fargs_layouts *layouts,
		    const struct fargs_pick *pick)
{
	struct fargs_mistake mistake = { };
	enum fargs_refusal why = FARGS_REFUSAL_NONE;
	size_t bytes = layouts->bytes;
	int ret = 0;

	if (asks_for_types(w, wish))
		ret = check_certain(pick, &mistake);
	if (!ret)
		ret = fargs_bind(w->bound, &wish->rule->selector, func, w->options, &w->constants,
				 &mistake);
	if (!ret && func->is_tpoint && w->bound->has_return)
		ret = fargs_mistake_at(&mistake, 1, FARGS_RULE_NO_RETURN);
	if (ret) {
		keep_mistake(wish, &mistake);
		return ret;
	}
	layouts->bytes = pick->offset;
	ret = fargs_layout_compile_bound(layouts, func, w->bound, pick->sym->addr, &why);
	if (!ret && !why) {
		layouts->nr--;
		return 0;
	}
	/* Keep the old layout: it is overwritten only by a complete new one. */
	layouts->bytes = bytes;
	if (why) {
		ret = fargs_mistake_at(&mistake, 1, "the record of %s would be longer than %d "
				       "bytes: fetch less, or smaller parts (-s)", func->name,
				       w->bound->record_cap);
		keep_mistake(wish, &mistake);
	}
	return ret;
}

static enum fargs_refusal init_signature(struct fargs_signature *func,
					 const struct fargs_pick *pick)
{
	return pick->is_tpoint ? fargs_signature_init_tpoint(func, pick->btf, pick->func_id) :
				 fargs_signature_init(func, pick->btf, pick->func_id);
}

static void count(struct fargs_wish *wish, const struct fargs_pick *pick)
{
	if (!pick->why)
		wish->nr_picked++;
	else if (!wish->nr_refused++)
		wish->why = pick->why;
}

/*
 * @winner applies to the function. Counts it if @wish would apply as well, but differs. 0 or
 * -ENOMEM.
 */
static int count_covered(struct fargs_wisher *w, struct fargs_wish *wish,
			 const struct fargs_wish *winner, const struct fargs_signature *func,
			 const struct fargs_pick *pick)
{
	struct fargs_mistake ignored = { };
	int ret;

	if (wish->rule->rank != winner->rule->rank ||
	    fargs_selector_asks_same(&wish->rule->selector, &winner->rule->selector) ||
	    (asks_for_types(w, wish) && !pick->is_type_certain))
		return 0;
	ret = fargs_bind(w->bound, &wish->rule->selector, func, w->options, &w->constants,
			 &ignored);
	if (ret)
		return ret == -ENOMEM ? ret : 0;
	if (!wish->nr_covered++)
		wish->covered_by = winner;
	return 0;
}

/* Applies the first valid rule of a rank, unless *@winner is set. */
static int apply_some(struct fargs_wisher *w, struct fargs_wish *wishes, size_t nr,
		      const struct fargs_signature *func, struct fargs_layouts *layouts,
		      struct fargs_pick *pick, unsigned int rank, const struct fargs_wish **winner)
{
	size_t i;
	int ret;

	for (i = 0; i < nr; i++) {
		struct fargs_wish *wish = &wishes[i];

		if (!wish->is_matching || wish->rule->rank != rank)
			continue;
		/* A function that another rule got is not a failure of this one. */
		if (*winner) {
			wish->nr_picked++;
			ret = count_covered(w, wish, *winner, func, pick);
			if (ret)
				return ret;
			continue;
		}
		ret = try_wish(w, wish, func, layouts, pick);
		if (ret && ret != -EINVAL)
			return ret;
		if (!ret) {
			pick->why = FARGS_REFUSAL_NONE;
			*winner = wish;
		}
		count(wish, pick);
	}
	return 0;
}

/* Refuses the function for all rules that match it. */
static void refuse(struct fargs_wish *wishes, size_t nr, struct fargs_layouts *layouts,
		   struct fargs_pick *pick, enum fargs_refusal why)
{
	size_t i;

	pick->why = why;
	layouts->bytes = pick->offset;
	layouts->nr--;
	for (i = 0; i < nr; i++)
		if (wishes[i].is_matching)
			count(&wishes[i], pick);
}

static bool is_any_needed(const struct fargs_wisher *w, const struct fargs_wish *wishes, size_t nr)
{
	size_t i;

	for (i = 0; i < nr; i++)
		if (wishes[i].is_matching && asks_for_types(w, &wishes[i]))
			return true;
	return w->options->nr_filters || w->options->nr_stack || w->options->record_cap;
}

int fargs_wisher_apply(struct fargs_wisher *w, struct fargs_wish *wishes, size_t nr,
		       struct fargs_layouts *layouts, struct fargs_pick *pick)
{
	const struct fargs_wish *winner = NULL;
	struct fargs_signature func;
	unsigned int rank = FARGS_RULE_RANKS;
	size_t i;
	int ret = 0;

	w->winner = NULL;
	if (pick->why || !is_any_needed(w, wishes, nr)) {
		for (i = 0; i < nr; i++)
			if (wishes[i].is_matching)
				count(&wishes[i], pick);
		return 0;
	}
	if (init_signature(&func, pick))
		return -EINVAL;
	if (w->options->is_only_errors && !fargs_failure_is_possible(&func)) {
		refuse(wishes, nr, layouts, pick, FARGS_REFUSAL_NO_ERROR);
		return 0;
	}
	pick->why = FARGS_REFUSAL_EXPRESSION;
	while (rank-- && !ret)
		ret = apply_some(w, wishes, nr, &func, layouts, pick, rank, &winner);
	w->winner = winner;
	if (pick->why) {
		layouts->bytes = pick->offset;
		layouts->nr--;
	}
	return ret;
}

/* A scope needs no arguments: the function must only be whole and return. */
static bool can_be_followed(enum fargs_refusal why)
{
	return why != FARGS_REFUSAL_NOT_TRACEABLE && why != FARGS_REFUSAL_FRAGMENT &&
	       why != FARGS_REFUSAL_OWN && why != FARGS_REFUSAL_NO_RETURN;
}

static void count_refused(struct fargs_wish *wish, enum fargs_refusal why)
{
	if (!wish->nr_refused++)
		wish->why = why;
}

/* @func: NULL if its types are unknown. 0, or -EINVAL: @wish is invalid on the function. */
static int bind_scope(struct fargs_wisher *w, struct fargs_wish *wish,
		      const struct fargs_signature *func, const struct fargs_pick *pick)
{
	struct fargs_mistake mistake = { };
	int ret = 0;

	if (!can_be_followed(pick->why) || (wish->rule->selector.entry.condition && !func)) {
		count_refused(wish, pick->why);
		return -EINVAL;
	}
	if (wish->rule->selector.entry.condition)
		ret = check_certain(pick, &mistake);
	if (!ret)
		ret = fargs_bind_scope(w->bound, &wish->rule->selector, func, w->options,
				       &w->constants, &mistake);
	if (!ret) {
		wish->nr_picked++;
		return 0;
	}
	keep_mistake(wish, &mistake);
	count_refused(wish, FARGS_REFUSAL_EXPRESSION);
	return ret;
}

/* Initializes @func if the types of the function of @pick are known. */
static bool find_types(struct fargs_signature *func, const struct fargs_pick *pick)
{
	return pick->func_id &&
	       (pick->why == FARGS_REFUSAL_NONE || pick->why == FARGS_REFUSAL_EXPRESSION) &&
	       !init_signature(func, pick);
}

/* @func: NULL if its types are unknown. 0, or -EINVAL: @wish is invalid on the function. */
static int bind_trigger(struct fargs_wisher *w, struct fargs_wish *wish,
			const struct fargs_signature *func, const struct fargs_pick *pick)
{
	struct fargs_mistake mistake = { };
	int ret = 0;

	if (!func || (w->options->is_only_errors && !fargs_failure_is_possible(func))) {
		count_refused(wish, func ? FARGS_REFUSAL_NO_ERROR : pick->why);
		return -EINVAL;
	}
	if (asks_for_types(w, wish))
		ret = check_certain(pick, &mistake);
	*w->spare = *w->bound;
	if (!ret)
		ret = fargs_bind_trigger(w->bound, &wish->rule->selector,
					 w->winner ? &w->winner->rule->selector : NULL, func,
					 w->options, &w->constants, &mistake);
	if (!ret && func->is_tpoint && w->bound->has_return)
		ret = fargs_mistake_at(&mistake, 1, FARGS_RULE_NO_RETURN);
	if (!ret) {
		wish->nr_picked++;
		return 0;
	}
	*w->bound = *w->spare;
	keep_mistake(wish, &mistake);
	count_refused(wish, FARGS_REFUSAL_EXPRESSION);
	return ret;
}

/* Binds those of @wishes that match. @func: NULL if its types are unknown. True if any is valid. */
static bool bind_matching(struct fargs_wisher *w, struct fargs_wish *wishes, size_t nr,
			  int (*bind)(struct fargs_wisher *w, struct fargs_wish *wish,
				      const struct fargs_signature *func,
				      const struct fargs_pick *pick),
			  const struct fargs_signature *func, const struct fargs_pick *pick)
{
	bool is_any = false;
	size_t i;

	for (i = 0; i < nr; i++)
		if (wishes[i].is_matching)
			is_any |= !bind(w, &wishes[i], func, pick);
	return is_any;
}

/* Fills w->bound as for the existing layout of @pick, or for triggers only if types are known. */
static int begin_extras(struct fargs_wisher *w, const struct fargs_signature *func,
			bool is_recorded, struct fargs_mistake *mistake)
{
	if (!is_recorded)
		w->winner = NULL;
	if (is_recorded)
		return fargs_bind(w->bound, w->winner ? &w->winner->rule->selector : NULL, func,
				  w->options, &w->constants, mistake);
	return func ? fargs_bind_unwanted(w->bound, func, w->options, &w->constants, mistake) : 0;
}

/* Refuses the function for all triggers, for one reason. */
static void refuse_triggers(const struct fargs_extras *extras, const struct fargs_mistake *mistake)
{
	size_t i;

	for (i = 0; i < extras->nr_triggers; i++) {
		if (!extras->triggers[i].is_matching)
			continue;
		keep_mistake(&extras->triggers[i], mistake);
		count_refused(&extras->triggers[i], FARGS_REFUSAL_EXPRESSION);
	}
}

/* Refuses the triggers: their fetches make the record too long. */
static void refuse_long(const struct fargs_wisher *w, const struct fargs_extras *extras,
			const struct fargs_pick *pick)
{
	struct fargs_mistake mistake = { };
	size_t i;

	fargs_mistake_at(&mistake, 1, "the record of %s would be longer than %d bytes: fetch less, "
			 "or smaller parts (-s)", pick->sym->name, w->bound->record_cap);
	for (i = 0; i < extras->nr_triggers; i++)
		if (extras->triggers[i].is_matching && extras->triggers[i].nr_picked)
			extras->triggers[i].nr_picked--;
	refuse_triggers(extras, &mistake);
}

int fargs_wisher_apply_extras(struct fargs_wisher *w, const struct fargs_extras *extras,
			      struct fargs_layouts *layouts, struct fargs_pick *pick,
			      bool is_recorded)
{
	enum fargs_refusal why = pick->why ? pick->why : FARGS_REFUSAL_EXPRESSION;
	struct fargs_signature signature, *func = &signature;
	struct fargs_mistake mistake = { };
	bool is_trigger = false, is_any;
	int ret;

	if (!find_types(func, pick))
		func = NULL;
	ret = begin_extras(w, func, is_recorded, &mistake);
	if (ret == -ENOMEM)
		return ret;
	if (ret)
		refuse_triggers(extras, &mistake);
	else
		is_trigger = bind_matching(w, extras->triggers, extras->nr_triggers, bind_trigger,
					   func, pick);
	ret = 0;
	if (!is_recorded && !is_trigger)
		fargs_bind_silent(w->bound);
	is_any = bind_matching(w, extras->scopes, extras->nr_scopes, bind_scope, func, pick) ||
		 is_trigger;
	if (is_recorded && !is_any)
		return 0;
	/* The new layout replaces the existing one. */
	if (pick->why)
		pick->offset = layouts->bytes;
	else
		layouts->nr--;
	layouts->bytes = pick->offset;
	if (is_any)
		ret = fargs_layout_compile_bound(layouts, func, w->bound, pick->sym->addr, &why);
	if (is_any && why == FARGS_REFUSAL_TOO_LONG)
		refuse_long(w, extras, pick);
	pick->why = why;
	pick->is_silent = !is_recorded && !is_trigger;
	return ret;
}
