// SPDX-License-Identifier: GPL-2.0-only
#include "layout/select.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "layout/pattern.h"
#include "layout/resolve.h"
#include "layout/wish.h"
#include "uapi/fargs_layout.h"
#include "util/near.h"

struct selection {
	struct fargs_wish *wanted;
	size_t nr_wanted;
	struct fargs_pattern *unwanted;
	size_t nr_unwanted;
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
	return !pick->why || pick->func_id || pick->is_exact ||
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

/* Which wishes are of @sym? */
static bool match(struct selection *s, const struct fargs_ksym *sym, bool *is_exact)
{
	bool is_any = false;
	size_t i;

	*is_exact = false;
	for (i = 0; i < s->nr_wanted; i++) {
		struct fargs_wish *wish = &s->wanted[i];

		wish->is_matching = fargs_pattern_match(&wish->pattern, sym);
		is_any |= wish->is_matching;
		*is_exact |= wish->is_matching && wish->pattern.is_exact;
	}
	return is_any;
}

static void count_unwanted(struct selection *s)
{
	size_t i;

	for (i = 0; i < s->nr_wanted; i++)
		s->wanted[i].nr_unwanted += s->wanted[i].is_matching;
}

/* Takes @sym in if a pattern matches. 0 or -ENOMEM. */
static int consider(struct selection *s, const struct fargs_ksym *sym)
{
	struct fargs_select *sel = s->sel;
	struct fargs_pick pick;
	bool is_exact;
	int ret;

	if (!match(s, sym, &is_exact))
		return 0;
	if (is_unwanted(s, sym)) {
		count_unwanted(s);
		return 0;
	}
	ret = fargs_resolver_pick(s->resolver, sym, &sel->layouts, &pick);
	if (ret)
		return ret;
	pick.is_exact = is_exact;
	if (!is_function(s, &pick))
		return 0;
	ret = fargs_wisher_apply(&s->wisher, s->wanted, s->nr_wanted, &sel->layouts, &pick);
	if (ret)
		return ret;
	if (is_alias(sel, &pick)) {
		drop_last_layout(&sel->layouts, pick.offset);
		return 0;
	}
	return pick.why ? append(&sel->refused, &sel->nr_refused, &s->room_refused, &pick)
			: append(&sel->picks, &sel->nr_picks, &s->room_picks, &pick);
}

static bool is_module_there(const struct selection *s, const struct fargs_pattern *pattern)
{
	size_t i, nr = fargs_ksyms_count(s->ksyms);

	for (i = 0; i < nr; i++)
		if (fargs_pattern_match_module(pattern, fargs_ksyms_at(s->ksyms, i)->module))
			return true;
	return false;
}

/*
 * A symbol "NAME.something" for the exact NAME of @pattern, or NULL. Rather a clone
 * of the function than a fragment.
 */
static const struct fargs_ksym *find_clone(const struct selection *s,
					   const struct fargs_pattern *pattern)
{
	size_t i, nr = fargs_ksyms_count(s->ksyms), len = strlen(pattern->name);
	const struct fargs_ksym *found = NULL;

	for (i = 0; i < nr; i++) {
		const struct fargs_ksym *sym = fargs_ksyms_at(s->ksyms, i);

		if (strncmp(sym->name, pattern->name, len) || sym->name[len] != '.' ||
		    !fargs_pattern_match_module(pattern, sym->module))
			continue;
		if (!strstr(sym->name + len, ".cold") && !strstr(sym->name + len, ".part"))
			return sym;
		if (!found)
			found = sym;
	}
	return found;
}

/* All that there is of the function that was asked for is @clone. */
static int fail_clone(const struct selection *s, const struct fargs_pattern *pattern,
		      const struct fargs_ksym *clone, struct fargs_error_text *err)
{
	struct fargs_layouts layouts = { };
	struct fargs_pick pick;
	int ret = fargs_resolver_pick(s->resolver, clone, &layouts, &pick);

	fargs_layouts_deinit(&layouts);
	if (ret)
		return fargs_fail(err, -ret, "no memory for layouts");
	if (!pick.why)
		return fargs_fail(err, ENOENT, "there is no function '%s', only a clone of it: "
				  "ask for '%s'", pattern->text, clone->name);
	return fargs_fail(err, ENOENT, "'%s' cannot be traced: it exists only as %s, %s",
			  pattern->text, clone->name, fargs_refusal_text(pick.why));
}

static int fail_unknown(const struct selection *s, const struct fargs_pattern *pattern,
			struct fargs_error_text *err)
{
	size_t i, nr = fargs_ksyms_count(s->ksyms);
	struct fargs_near near = { .wanted = pattern->name };
	const struct fargs_ksym *clone;
	char names[256];

	if (!is_module_there(s, pattern))
		return fargs_fail(err, ENOENT, "'%s': no module '%s' is loaded", pattern->text,
				  pattern->module);
	if (!pattern->is_exact)
		return fargs_fail(err, ENOENT, "no function matches '%s'", pattern->text);
	clone = find_clone(s, pattern);
	if (clone)
		return fail_clone(s, pattern, clone, err);
	for (i = 0; i < nr; i++) {
		const struct fargs_ksym *sym = fargs_ksyms_at(s->ksyms, i);

		if (strchr(sym->name, '.') || !strncmp(sym->name, "__pfx_", 6) ||
		    !fargs_pattern_match_module(pattern, sym->module) ||
		    (s->avail && !fargs_avail_has(s->avail, sym)))
			continue;
		fargs_near_offer(&near, sym->name);
	}
	fargs_near_text(&near, names, sizeof(names));
	return fargs_fail(err, ENOENT, "there is no function '%s'%s%s%s", pattern->text,
			  near.nr ? ": did you mean " : " (inlined everywhere, or misspelt)", names,
			  near.nr ? "?" : "");
}

static int check_wish(const struct selection *s, const struct fargs_wish *wish,
		      struct fargs_error_text *err)
{
	const struct fargs_pattern *pattern = &wish->pattern;

	if (wish->nr_picked)
		return 0;
	if (wish->mistake.code)
		return fargs_mistake_fail(&wish->mistake, wish->selector.text, err);
	if (!wish->nr_refused && wish->nr_unwanted)
		return fargs_fail(err, ENOENT, "all that '%s' matches is left out by -n",
				  pattern->text);
	if (!wish->nr_refused)
		return fail_unknown(s, pattern, err);
	if (pattern->is_exact)
		return fargs_fail(err, EINVAL, "'%s' cannot be traced: %s", pattern->text,
				  fargs_refusal_text(wish->why));
	return fargs_fail(err, EINVAL, "none of the %zu functions that match '%s' can be traced: "
			  "the first, %s", wish->nr_refused, pattern->text,
			  fargs_refusal_text(wish->why));
}

static int read_patterns(struct selection *s, const struct fargs_patterns *patterns,
			 struct fargs_error_text *err)
{
	int ret = 0;

	s->wanted = calloc(patterns->nr_wanted + 1, sizeof(*s->wanted));
	s->unwanted = calloc(patterns->nr_unwanted + 1, sizeof(*s->unwanted));
	if (!s->wanted || !s->unwanted)
		return fargs_fail(err, ENOMEM, "no memory for patterns");
	for (; !ret && s->nr_wanted < patterns->nr_wanted; s->nr_wanted++)
		ret = fargs_wish_init(&s->wanted[s->nr_wanted], patterns->wanted[s->nr_wanted],
				      err);
	for (; !ret && s->nr_unwanted < patterns->nr_unwanted; s->nr_unwanted++)
		ret = fargs_pattern_init(&s->unwanted[s->nr_unwanted],
					 patterns->unwanted[s->nr_unwanted], err);
	return ret;
}

static int run(struct selection *s, const struct fargs_patterns *patterns, bool is_survey,
	       struct fargs_error_text *err)
{
	size_t i, nr = fargs_ksyms_count(s->ksyms);
	int ret;

	ret = read_patterns(s, patterns, err);
	if (ret)
		return ret;
	for (i = 0; i < nr; i++)
		if (consider(s, fargs_ksyms_at(s->ksyms, i)))
			return fargs_fail(err, ENOMEM, "no memory for layouts");
	for (i = 0; i < s->nr_wanted && !is_survey; i++) {
		ret = check_wish(s, &s->wanted[i], err);
		if (ret)
			return ret;
	}
	return 0;
}

static struct fargs_select *create(const struct fargs_patterns *patterns,
				   const struct fargs_ksyms *ksyms, struct fargs_btfs *btfs,
				   const struct fargs_avail *avail, bool is_survey,
				   struct fargs_error_text *err)
{
	struct selection s = { .ksyms = ksyms, .avail = avail };
	size_t i;
	int ret;

	s.resolver = fargs_resolver_create(ksyms, btfs, avail);
	s.sel = calloc(1, sizeof(*s.sel));
	ret = fargs_wisher_init(&s.wisher, patterns->options);
	ret = !ret && s.resolver && s.sel ? run(&s, patterns, is_survey, err)
					  : fargs_fail(err, ENOMEM, "no memory for layouts");
	for (i = 0; i < s.nr_wanted; i++)
		fargs_wish_deinit(&s.wanted[i]);
	for (i = 0; i < s.nr_unwanted; i++)
		fargs_pattern_deinit(&s.unwanted[i]);
	free(s.wanted);
	free(s.unwanted);
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
	if (!sel)
		return;
	fargs_layouts_deinit(&sel->layouts);
	free(sel->picks);
	free(sel->refused);
	free(sel);
}
