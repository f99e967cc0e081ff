// SPDX-License-Identifier: GPL-2.0-only
#include "select/resolve/select.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "select/resolve/pattern.h"
#include "select/resolve/resolve.h"
#include "select/resolve/unmet.h"
#include "select/resolve/wish.h"
#include "uapi/fargs_layout.h"

struct selection {
	struct fargs_wish *wanted;
	size_t nr_wanted;
	struct fargs_pattern *unwanted;
	size_t nr_unwanted;
	bool is_tpoint;
	struct fargs_extras extras;	/* of --under and --trigger */
	const struct fargs_ksyms *ksyms;
	const struct fargs_avail *avail;
	struct fargs_resolver *resolver;
	struct fargs_wisher wisher;
	struct fargs_select *sel;
	size_t room_picks;
	size_t room_refused;
};

static int append(struct fargs_pick **picks, size_t *nr, size_t *room,
		  const struct fargs_pick *pick)
{
	if (*nr == *room) {
		size_t larger_room = *room ? 2 * *room : 256;
		struct fargs_pick *larger = realloc(*picks, larger_room * sizeof(*larger));

		if (!larger)
			return -ENOMEM;
		*picks = larger;
		*room = larger_room;
	}
	(*picks)[(*nr)++] = *pick;
	return 0;
}

static bool is_unwanted(const struct selection *s, const struct fargs_ksym *sym)
{
	size_t i;

	for (i = 0; i < s->nr_unwanted; i++)
		if (fargs_pattern_match(&s->unwanted[i], sym))
			return true;
	return false;
}

/*
 * Text symbols are not only functions: labels in assembly, padding in front of
 * functions. Those that neither BTF nor ftrace knows are nobody's business,
 * unless asked for by name.
 */
static bool is_function(const struct selection *s, const struct fargs_pick *pick)
{
	return !pick->why || pick->func_id || pick->is_exact || pick->is_tpoint ||
	       (s->avail && fargs_avail_has(s->avail, pick->sym));
}

/* Two names of one address give one probe: the first one, as the kernel itself names it. */
static bool is_alias(const struct fargs_select *sel, const struct fargs_pick *pick)
{
	return !pick->why && sel->nr_picks &&
	       sel->picks[sel->nr_picks - 1].sym->addr == pick->sym->addr;
}

static void drop_last_layout(struct fargs_layouts *layouts, size_t offset)
{
	layouts->bytes = offset;
	layouts->nr--;
}

/* Which of @wishes are of @sym? */
static bool match(struct fargs_wish *wishes, size_t nr, const struct fargs_ksym *sym,
		  bool *is_exact)
{
	bool is_any = false;
	size_t i;

	for (i = 0; i < nr; i++) {
		struct fargs_wish *wish = &wishes[i];

		wish->is_matching = fargs_pattern_match(&wish->pattern, sym);
		is_any |= wish->is_matching;
		*is_exact |= wish->is_matching && wish->pattern.is_exact;
	}
	return is_any;
}

/* The index of the first symbol at the address of @sym. */
static size_t first_name(const struct selection *s, const struct fargs_ksym *sym)
{
	size_t at = sym - fargs_ksyms_at(s->ksyms, 0);

	while (at && fargs_ksyms_at(s->ksyms, at - 1)->addr == sym->addr)
		at--;
	return at;
}

/*
 * Which of @wishes are of @sym, by any of the names of its address? It may be recorded by
 * another one.
 */
static bool match_aliases(const struct selection *s, struct fargs_wish *wishes, size_t nr,
			  const struct fargs_ksym *sym, bool *is_exact)
{
	const struct fargs_ksym *alias;
	bool is_any = false;
	size_t i, at;

	if (!nr)
		return false;
	for (i = 0; i < nr; i++)
		wishes[i].is_matching = false;
	for (at = first_name(s, sym); (alias = fargs_ksyms_at(s->ksyms, at)) &&
				      alias->addr == sym->addr; at++) {
		for (i = 0; i < nr; i++) {
			struct fargs_wish *wish = &wishes[i];

			wish->is_matching |= fargs_pattern_match(&wish->pattern, alias);
			is_any |= wish->is_matching;
			*is_exact |= wish->is_matching && wish->pattern.is_exact;
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

/* Is it recorded by another name of its address? */
static bool is_alias_wanted(const struct selection *s, const struct fargs_ksym *sym)
{
	const struct fargs_ksym *alias;
	size_t i, at;

	for (at = first_name(s, sym); (alias = fargs_ksyms_at(s->ksyms, at)) &&
				      alias->addr == sym->addr; at++)
		for (i = 0; i < s->nr_wanted; i++)
			if (fargs_pattern_match(&s->wanted[i].pattern, alias) &&
			    !is_unwanted(s, alias))
				return true;
	return false;
}

/* Takes a function in, or keeps why it cannot be. */
static int take(struct selection *s, const struct fargs_pick *pick)
{
	struct fargs_select *sel = s->sel;

	if (pick->why)
		return pick->is_silent ? 0 : append(&sel->refused, &sel->nr_refused,
						    &s->room_refused, pick);
	if (!is_alias(sel, pick))
		return append(&sel->picks, &sel->nr_picks, &s->room_picks, pick);
	drop_last_layout(&sel->layouts, pick->offset);
	return 0;
}

/* Takes @sym in if a pattern matches. 0 or -ENOMEM. */
static int consider(struct selection *s, const struct fargs_ksym *sym)
{
	struct fargs_layouts *layouts = &s->sel->layouts;
	bool is_exact = false, is_wanted, is_extra;
	struct fargs_pick pick;
	int ret;

	is_wanted = match(s->wanted, s->nr_wanted, sym, &is_exact);
	if (is_wanted && is_unwanted(s, sym)) {
		count_unwanted(s);
		is_wanted = false;
	}
	is_extra = match_extras(s, sym, &is_exact);
	/* Its other name will be both. */
	if (!is_wanted && (!is_extra || is_alias_wanted(s, sym)))
		return 0;
	ret = fargs_resolver_pick(s->resolver, sym, layouts, &pick);
	if (ret)
		return ret;
	pick.is_exact = is_exact;
	if (!is_function(s, &pick))
		return 0;
	if (is_wanted)
		ret = fargs_wisher_apply(&s->wisher, s->wanted, s->nr_wanted, layouts, &pick);
	if (!ret && is_wanted && (pick.why || !is_extra))
		ret = take(s, &pick);
	if (!ret && is_extra)
		ret = fargs_wisher_apply_extras(&s->wisher, &s->extras, layouts, &pick,
						is_wanted && !pick.why);
	return ret || !is_extra ? ret : take(s, &pick);
}

static int init_wish(const struct selection *s, struct fargs_wish *wish, const char *text,
		     struct fargs_error_text *err)
{
	return s->is_tpoint ? fargs_wish_init_tpoint(wish, text, err) :
			      fargs_wish_init(wish, text, err);
}

static int read_patterns(struct selection *s, const struct fargs_patterns *patterns,
			 struct fargs_error_text *err)
{
	struct fargs_extras *extras = &s->extras;
	int ret = 0;

	s->is_tpoint = patterns->is_tpoint;
	s->wanted = calloc(patterns->nr_wanted + 1, sizeof(*s->wanted));
	s->unwanted = calloc(patterns->nr_unwanted + 1, sizeof(*s->unwanted));
	extras->scopes = calloc(patterns->nr_scopes + 1, sizeof(*extras->scopes));
	extras->triggers = calloc(patterns->nr_triggers + 1, sizeof(*extras->triggers));
	if (!s->wanted || !s->unwanted || !extras->scopes || !extras->triggers)
		return fargs_fail(err, ENOMEM, "no memory for patterns");
	for (; !ret && s->nr_wanted < patterns->nr_wanted; s->nr_wanted++)
		ret = init_wish(s, &s->wanted[s->nr_wanted], patterns->wanted[s->nr_wanted], err);
	for (; !ret && extras->nr_scopes < patterns->nr_scopes; extras->nr_scopes++)
		ret = fargs_wish_init_scope(&extras->scopes[extras->nr_scopes],
					    patterns->scopes[extras->nr_scopes], err);
	for (; !ret && extras->nr_triggers < patterns->nr_triggers; extras->nr_triggers++)
		ret = init_wish(s, &extras->triggers[extras->nr_triggers],
				patterns->triggers[extras->nr_triggers], err);
	for (; !ret && s->nr_unwanted < patterns->nr_unwanted; s->nr_unwanted++)
		ret = fargs_pattern_init(&s->unwanted[s->nr_unwanted],
					 patterns->unwanted[s->nr_unwanted], err);
	return ret;
}

static void free_patterns(struct selection *s)
{
	size_t i;

	for (i = 0; i < s->nr_wanted; i++)
		fargs_wish_deinit(&s->wanted[i]);
	for (i = 0; i < s->extras.nr_scopes; i++)
		fargs_wish_deinit(&s->extras.scopes[i]);
	for (i = 0; i < s->extras.nr_triggers; i++)
		fargs_wish_deinit(&s->extras.triggers[i]);
	for (i = 0; i < s->nr_unwanted; i++)
		fargs_pattern_deinit(&s->unwanted[i]);
	free(s->wanted);
	free(s->extras.scopes);
	free(s->extras.triggers);
	free(s->unwanted);
}

int fargs_select_check(const struct fargs_patterns *patterns, struct fargs_error_text *err)
{
	struct selection s = { };
	int ret = read_patterns(&s, patterns, err);

	free_patterns(&s);
	return ret;
}

static bool is_candidate(struct selection *s, const struct fargs_ksym *sym)
{
	const struct fargs_extras *extras = &s->extras;
	bool is_exact = false;

	return match(s->wanted, s->nr_wanted, sym, &is_exact) ||
	       match(extras->scopes, extras->nr_scopes, sym, &is_exact) ||
	       match(extras->triggers, extras->nr_triggers, sym, &is_exact);
}

int fargs_select_candidates(const struct fargs_patterns *patterns, const struct fargs_ksyms *ksyms,
			    size_t max, uint64_t **addrs, size_t *nr,
			    struct fargs_error_text *err)
{
	struct selection s = { .ksyms = ksyms };
	const struct fargs_ksym *sym;
	size_t i;
	int ret = read_patterns(&s, patterns, err);

	*nr = 0;
	*addrs = calloc(max + 1, sizeof(**addrs));
	if (!ret && !*addrs)
		ret = fargs_fail(err, ENOMEM, "no memory for functions");
	for (i = 0; !ret && (sym = fargs_ksyms_at(ksyms, i)); i++) {
		/* Names of one address are side by side. */
		if (!is_candidate(&s, sym) || (*nr && (*addrs)[*nr - 1] == sym->addr))
			continue;
		if (*nr == max)
			ret = fargs_fail(err, E2BIG, "more than %zu functions match", max);
		else
			(*addrs)[(*nr)++] = sym->addr;
	}
	free_patterns(&s);
	if (ret) {
		free(*addrs);
		*addrs = NULL;
	}
	return ret;
}

static int run(struct selection *s, const struct fargs_patterns *patterns, bool is_survey,
	       struct fargs_error_text *err)
{
	size_t i, nr = fargs_ksyms_count(s->ksyms);
	struct fargs_unmet unmet;
	int ret;

	ret = read_patterns(s, patterns, err);
	if (ret)
		return ret;
	for (i = 0; i < nr; i++)
		if (consider(s, fargs_ksyms_at(s->ksyms, i)))
			return fargs_fail(err, ENOMEM, "no memory for layouts");
	unmet = (struct fargs_unmet){
		.ksyms = s->ksyms, .loaded = patterns->loaded, .avail = s->avail,
		.resolver = s->resolver, .is_tpoint = s->is_tpoint, .sel = s->sel,
		.unloaded = patterns->unloaded, .is_recorded = true,
	};
	ret = 0;
	for (i = 0; i < s->nr_wanted && !is_survey && !ret; i++)
		ret = fargs_unmet_check(&unmet, &s->wanted[i], err);
	unmet.is_recorded = false;
	for (i = 0; i < s->extras.nr_scopes && !is_survey && !ret; i++)
		ret = fargs_unmet_check(&unmet, &s->extras.scopes[i], err);
	for (i = 0; i < s->extras.nr_triggers && !is_survey && !ret; i++)
		ret = fargs_unmet_check(&unmet, &s->extras.triggers[i], err);
	return ret;
}

static struct fargs_select *create(const struct fargs_patterns *patterns,
				   const struct fargs_ksyms *ksyms, struct fargs_btfs *btfs,
				   const struct fargs_avail *avail, bool is_survey,
				   struct fargs_error_text *err)
{
	struct selection s = { .ksyms = ksyms, .avail = avail };
	int ret;

	s.resolver = fargs_resolver_create(ksyms, btfs, avail, patterns->is_tpoint);
	s.sel = calloc(1, sizeof(*s.sel));
	ret = fargs_wisher_init(&s.wisher, patterns->options);
	ret = !ret && s.resolver && s.sel ? run(&s, patterns, is_survey, err)
					  : fargs_fail(err, ENOMEM, "no memory for layouts");
	free_patterns(&s);
	fargs_wisher_deinit(&s.wisher);
	fargs_resolver_destroy(s.resolver);
	if (ret) {
		fargs_select_destroy(s.sel);
		return NULL;
	}
	return s.sel;
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
	free(sel->picks);
	free(sel->refused);
	for (i = 0; i < sel->nr_overlaps; i++) {
		free(sel->overlaps[i].text);
		free(sel->overlaps[i].by);
	}
	free(sel->overlaps);
	free(sel);
}
