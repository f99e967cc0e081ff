// SPDX-License-Identifier: GPL-2.0-only
#include "select/resolve/select.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "select/resolve/any.h"
#include "select/resolve/missing.h"
#include "select/resolve/pattern.h"
#include "select/resolve/resolve.h"
#include "select/resolve/unmatched.h"
#include "select/resolve/apply.h"
#include "uapi/fargs_layout.h"

struct selection {
	const struct fargs_rules *rules;
	struct fargs_active_rule *wanted;
	size_t nr_wanted;
	struct fargs_extras extras;	/* rules of --under and --trigger */
	const struct fargs_ksyms *ksyms;
	const struct fargs_avail *avail;
	const struct btf *btf;		/* BTF of vmlinux; NULL: not needed */
	struct fargs_resolver *resolver;
	struct fargs_rule_applier applier;
	struct fargs_select *sel;
	size_t room_matches;
	size_t room_refused;
};

static int append(struct fargs_match **matches, size_t *nr, size_t *room,
		  const struct fargs_match *match)
{
	if (*nr == *room) {
		size_t larger_room = *room ? 2 * *room : 256;
		struct fargs_match *larger = realloc(*matches, larger_room * sizeof(*larger));

		if (!larger)
			return -ENOMEM;
		*matches = larger;
		*room = larger_room;
	}
	(*matches)[(*nr)++] = *match;
	return 0;
}

static bool is_unwanted(const struct selection *s, const struct fargs_ksym *sym)
{
	size_t i;

	for (i = 0; i < s->rules->nr_unwanted; i++)
		if (fargs_pattern_match(&s->rules->unwanted[i], sym))
			return true;
	return false;
}

/*
 * Is the symbol a function? Not all text symbols are: there are labels in assembly, and padding
 * before functions. Symbols that are neither in BTF nor in ftrace's list of functions are ignored
 * unless a selector names them.
 */
static bool is_function(const struct selection *s, const struct fargs_match *match)
{
	return !match->why || match->func_id || match->is_exact || match->is_tpoint ||
	       (s->avail && fargs_avail_has(s->avail, match->sym));
}

/*
 * Is another name of this address a match already? An address gets only one probe and one layout,
 * under the first of its names that is selected.
 */
static bool is_alias(const struct fargs_select *sel, const struct fargs_match *match)
{
	return !match->why && sel->nr_matches &&
	       sel->matches[sel->nr_matches - 1].sym->addr == match->sym->addr;
}

static void drop_last_layout(struct fargs_layouts *layouts, size_t offset)
{
	layouts->bytes = offset;
	layouts->nr--;
}

/* Marks those of @actives whose pattern matches @sym. Returns true if there are any. */
static bool match_rules(struct fargs_active_rule *actives, size_t nr, const struct fargs_ksym *sym,
			bool *is_exact)
{
	bool is_any = false;
	size_t i;

	for (i = 0; i < nr; i++) {
		struct fargs_active_rule *active = &actives[i];

		active->is_matching = fargs_pattern_match(&active->rule->pattern, sym);
		is_any |= active->is_matching;
		*is_exact |= active->is_matching && active->rule->pattern.is_exact;
	}
	return is_any;
}

/* Returns the index of the first symbol at the address of @sym. */
static size_t first_name(const struct selection *s, const struct fargs_ksym *sym)
{
	size_t at = sym - fargs_ksyms_at(s->ksyms, 0);

	while (at && fargs_ksyms_at(s->ksyms, at - 1)->addr == sym->addr)
		at--;
	return at;
}

/*
 * Marks those of @actives whose pattern matches any of the names at the address of @sym, since the
 * function may be recorded under another of these names. Returns true if there are any.
 */
static bool match_aliases(const struct selection *s, struct fargs_active_rule *actives, size_t nr,
			  const struct fargs_ksym *sym, bool *is_exact)
{
	const struct fargs_ksym *alias;
	bool is_any = false;
	size_t i, at;

	if (!nr)
		return false;
	for (i = 0; i < nr; i++)
		actives[i].is_matching = false;
	for (at = first_name(s, sym); (alias = fargs_ksyms_at(s->ksyms, at)) &&
				      alias->addr == sym->addr; at++) {
		for (i = 0; i < nr; i++) {
			struct fargs_active_rule *active = &actives[i];

			active->is_matching |= fargs_pattern_match(&active->rule->pattern, alias);
			is_any |= active->is_matching;
			*is_exact |= active->is_matching && active->rule->pattern.is_exact;
		}
	}
	return is_any;
}

static bool match_extras(struct selection *s, const struct fargs_ksym *sym, bool *is_exact)
{
	struct fargs_extras *extras = &s->extras;
	bool is_scope = match_aliases(s, extras->scopes, extras->nr_scopes, sym, is_exact);

	return match_aliases(s, extras->triggers, extras->nr_triggers, sym, is_exact) || is_scope;
}

static void count_unwanted(struct selection *s)
{
	size_t i;

	for (i = 0; i < s->nr_wanted; i++)
		s->wanted[i].nr_unwanted += s->wanted[i].is_matching;
}

/* Is the function at the address of @sym recorded under another of its names? */
static bool is_alias_wanted(const struct selection *s, const struct fargs_ksym *sym)
{
	const struct fargs_ksym *alias;
	size_t i, at;

	for (at = first_name(s, sym); (alias = fargs_ksyms_at(s->ksyms, at)) &&
				      alias->addr == sym->addr; at++)
		for (i = 0; i < s->nr_wanted; i++)
			if (fargs_pattern_match(&s->wanted[i].rule->pattern, alias) &&
			    !is_unwanted(s, alias))
				return true;
	return false;
}

/*
 * Returns the value of fargs_match.order. The value does not matter for a function that is only a
 * scope or a trigger, which keeps its return probe in any case.
 */
static size_t order_of(const struct selection *s)
{
	const struct fargs_active_rule *winner = s->applier.winner;

	return winner ? (FARGS_RULE_RANKS - 1 - winner->rule->rank) * s->nr_wanted +
			(winner - s->wanted) : 0;
}

/*
 * Replaces the last match, whose arguments are not proven, by @match, another name of its address,
 * whose arguments are. Its layout is the last one.
 */
static void replace_last(struct fargs_select *sel, const struct fargs_match *match)
{
	struct fargs_match *last = &sel->matches[sel->nr_matches - 1];
	struct fargs_layouts *layouts = &sel->layouts;
	size_t offset = last->offset;

	memmove(layouts->data + offset, layouts->data + match->offset,
		layouts->bytes - match->offset);
	drop_last_layout(layouts, layouts->bytes - (match->offset - offset));
	*last = *match;
	last->offset = offset;
}

/* Adds @match to the matches or, if it has no layout, to the refused functions. */
static int take(struct selection *s, const struct fargs_match *match)
{
	struct fargs_select *sel = s->sel;

	if (match->why)
		return match->is_silent ? 0 : append(&sel->refused, &sel->nr_refused,
						     &s->room_refused, match);
	if (!is_alias(sel, match))
		return append(&sel->matches, &sel->nr_matches, &s->room_matches, match);
	if (!match->is_unproven && sel->matches[sel->nr_matches - 1].is_unproven) {
		replace_last(sel, match);
		return 0;
	}
	drop_last_layout(&sel->layouts, match->offset);
	return 0;
}

/* Can @match, which is refused, be traced without its arguments? */
static bool is_any_possible(const struct selection *s, const struct fargs_match *match)
{
	return s->btf && fargs_any_is_possible(match->why) &&
	       (!s->avail || fargs_avail_has(s->avail, match->sym));
}

/* Applies the selectors that select functions to record. Returns 0 or -ENOMEM. */
static int apply_wanted(struct selection *s, bool is_extra, struct fargs_match *match)
{
	struct fargs_layouts *layouts = &s->sel->layouts;

	/* A scope or trigger needs to know why the function is refused. */
	if (!is_extra && is_any_possible(s, match)) {
		int ret = fargs_any_apply(&s->applier, s->wanted, s->nr_wanted, s->btf, layouts,
					  match);

		if (ret || match->is_unproven)
			return ret;
	}
	return fargs_rule_applier_apply(&s->applier, s->wanted, s->nr_wanted, layouts, match);
}

/* Adds @sym to the selection if a pattern matches it. Returns 0 or -ENOMEM. */
static int consider(struct selection *s, const struct fargs_ksym *sym)
{
	struct fargs_layouts *layouts = &s->sel->layouts;
	bool is_exact = false, is_wanted, is_extra;
	struct fargs_match match;
	int ret;

	is_wanted = match_rules(s->wanted, s->nr_wanted, sym, &is_exact);
	if (is_wanted && is_unwanted(s, sym)) {
		count_unwanted(s);
		is_wanted = false;
	}
	is_extra = match_extras(s, sym, &is_exact);
	/*
	 * If the function is recorded under another name, the scope or trigger is added to the
	 * layout of that name instead.
	 */
	if (!is_wanted && (!is_extra || is_alias_wanted(s, sym)))
		return 0;
	ret = fargs_resolver_match(s->resolver, sym, layouts, &match);
	if (ret)
		return ret;
	match.is_exact = is_exact;
	if (!is_function(s, &match))
		return 0;
	if (is_wanted)
		ret = apply_wanted(s, is_extra, &match);
	match.order = is_wanted ? order_of(s) : 0;
	if (!ret && is_wanted && (match.why || !is_extra))
		ret = take(s, &match);
	if (!ret && is_extra)
		ret = fargs_rule_applier_apply_extras(&s->applier, &s->extras, layouts, &match,
						      is_wanted && !match.why);
	return ret || !is_extra ? ret : take(s, &match);
}

static int make_actives(struct selection *s, struct fargs_error_text *err)
{
	struct fargs_extras *extras = &s->extras;
	const struct fargs_rules *rules = s->rules;

	s->wanted = calloc(rules->nr_wanted + 1, sizeof(*s->wanted));
	extras->scopes = calloc(rules->nr_scopes + 1, sizeof(*extras->scopes));
	extras->triggers = calloc(rules->nr_triggers + 1, sizeof(*extras->triggers));
	if (!s->wanted || !extras->scopes || !extras->triggers)
		return fargs_fail(err, ENOMEM, "no memory for patterns");
	for (; s->nr_wanted < rules->nr_wanted; s->nr_wanted++)
		s->wanted[s->nr_wanted].rule = rules->wanted[s->nr_wanted];
	for (; extras->nr_scopes < rules->nr_scopes; extras->nr_scopes++)
		extras->scopes[extras->nr_scopes].rule = &rules->scopes[extras->nr_scopes];
	for (; extras->nr_triggers < rules->nr_triggers; extras->nr_triggers++)
		extras->triggers[extras->nr_triggers].rule = &rules->triggers[extras->nr_triggers];
	return 0;
}

static void free_actives(struct selection *s)
{
	free(s->wanted);
	free(s->extras.scopes);
	free(s->extras.triggers);
}

static bool is_candidate(const struct fargs_rules *rules, const struct fargs_ksym *sym)
{
	size_t i;

	for (i = 0; i < rules->nr_wanted; i++)
		if (fargs_pattern_match(&rules->wanted[i]->pattern, sym))
			return true;
	for (i = 0; i < rules->nr_scopes; i++)
		if (fargs_pattern_match(&rules->scopes[i].pattern, sym))
			return true;
	for (i = 0; i < rules->nr_triggers; i++)
		if (fargs_pattern_match(&rules->triggers[i].pattern, sym))
			return true;
	return false;
}

int fargs_select_candidates(const struct fargs_rules *rules, const struct fargs_ksyms *ksyms,
			    size_t max, uint64_t **addrs, size_t *nr,
			    struct fargs_error_text *err)
{
	const struct fargs_ksym *sym;
	size_t i;
	int ret = 0;

	*nr = 0;
	*addrs = calloc(max + 1, sizeof(**addrs));
	if (!*addrs)
		return fargs_fail(err, ENOMEM, "no memory for functions");
	for (i = 0; !ret && (sym = fargs_ksyms_at(ksyms, i)); i++) {
		/* The symbols of an address are adjacent: add the address only once. */
		if (!is_candidate(rules, sym) || (*nr && (*addrs)[*nr - 1] == sym->addr))
			continue;
		if (*nr == max)
			ret = fargs_fail(err, E2BIG, "more than %zu functions match", max);
		else
			(*addrs)[(*nr)++] = sym->addr;
	}
	if (ret) {
		free(*addrs);
		*addrs = NULL;
	}
	return ret;
}

static int check_unmatched(const struct fargs_unmatched *u,
			   const struct fargs_active_rule *actives, size_t nr,
			   struct fargs_error_text *err)
{
	size_t i;
	int ret = 0;

	for (i = 0; i < nr && !ret; i++)
		ret = fargs_unmatched_check(u, &actives[i], err);
	return ret;
}

/*
 * Like check_unmatched(), for scopes and triggers. They are skipped only if at least one selects
 * something: without any, the recording would be a different one.
 */
static int check_extras(const struct fargs_unmatched *u, const struct fargs_active_rule *actives,
			size_t nr, struct fargs_error_text *err)
{
	struct fargs_unmatched strict = *u;
	bool is_any = false;
	size_t i;

	for (i = 0; i < nr; i++)
		is_any |= actives[i].nr_matched;
	strict.is_recorded = false;
	if (!is_any)
		strict.missing = NULL;
	return check_unmatched(&strict, actives, nr, err);
}

static int run(struct selection *s, bool is_survey, struct fargs_error_text *err)
{
	size_t i, nr = fargs_ksyms_count(s->ksyms);
	const struct fargs_extras *extras = &s->extras;
	struct fargs_unmatched unmatched;
	int ret;

	ret = make_actives(s, err);
	if (ret)
		return ret;
	for (i = 0; i < nr; i++)
		if (consider(s, fargs_ksyms_at(s->ksyms, i)))
			return fargs_fail(err, ENOMEM, "no memory for layouts");
	if (is_survey)
		return 0;
	unmatched = (struct fargs_unmatched){
		.ksyms = s->ksyms, .loaded = s->rules->loaded, .avail = s->avail,
		.resolver = s->resolver, .is_tpoint = s->rules->is_tpoint, .sel = s->sel,
		.unloaded = s->rules->unloaded, .tracefs = s->rules->tracefs, .is_recorded = true,
		.missing = s->rules->missing,
	};
	if (unmatched.missing)
		unmatched.missing->has_failed = false;
	ret = check_unmatched(&unmatched, s->wanted, s->nr_wanted, err);
	if (!ret)
		ret = check_extras(&unmatched, extras->scopes, extras->nr_scopes, err);
	return ret ? ret : check_extras(&unmatched, extras->triggers, extras->nr_triggers, err);
}

struct fargs_select *fargs_select_by_rules(const struct fargs_rules *rules,
					   const struct fargs_ksyms *ksyms,
					   struct fargs_btfs *btfs,
					   const struct fargs_avail *avail, bool is_survey,
					   struct fargs_error_text *err)
{
	const struct fargs_ksyms *loaded = rules->loaded ? rules->loaded : ksyms;
	struct selection s = { .rules = rules, .ksyms = ksyms, .avail = avail };
	int ret;

	s.resolver = fargs_resolver_create(ksyms, btfs, avail, rules->is_tpoint);
	s.sel = calloc(1, sizeof(*s.sel));
	if (rules->is_any && !rules->is_tpoint)
		s.btf = fargs_btfs_get(btfs, FARGS_BTF_VMLINUX, NULL);
	ret = fargs_rule_applier_init(&s.applier, rules->options,
				      rules->variables ? rules->variables : loaded);
	ret = !ret && s.resolver && s.sel ? run(&s, is_survey, err)
					  : fargs_fail(err, ENOMEM, "no memory for layouts");
	free_actives(&s);
	fargs_rule_applier_deinit(&s.applier);
	fargs_resolver_destroy(s.resolver);
	if (ret) {
		fargs_select_destroy(s.sel);
		return NULL;
	}
	return s.sel;
}

static struct fargs_select *create(const struct fargs_patterns *patterns,
				   const struct fargs_ksyms *ksyms, struct fargs_btfs *btfs,
				   const struct fargs_avail *avail, bool is_survey,
				   struct fargs_error_text *err)
{
	struct fargs_rules rules __cleanup_with(fargs_rules_deinit);

	if (fargs_rules_init(&rules, patterns, err))
		return NULL;
	return fargs_select_by_rules(&rules, ksyms, btfs, avail, is_survey, err);
}

struct fargs_select *fargs_select_create(const struct fargs_patterns *patterns,
					 const struct fargs_ksyms *ksyms, struct fargs_btfs *btfs,
					 const struct fargs_avail *avail,
					 struct fargs_error_text *err)
{
	return create(patterns, ksyms, btfs, avail, false, err);
}

struct fargs_select *fargs_select_survey(const struct fargs_patterns *patterns,
					 const struct fargs_ksyms *ksyms, struct fargs_btfs *btfs,
					 const struct fargs_avail *avail,
					 struct fargs_error_text *err)
{
	return create(patterns, ksyms, btfs, avail, true, err);
}

void fargs_select_destroy(struct fargs_select *sel)
{
	size_t i;

	if (!sel)
		return;
	fargs_layouts_deinit(&sel->layouts);
	free(sel->matches);
	free(sel->refused);
	for (i = 0; i < sel->nr_overlaps; i++) {
		free(sel->overlaps[i].text);
		free(sel->overlaps[i].by);
	}
	free(sel->overlaps);
	free(sel);
}
