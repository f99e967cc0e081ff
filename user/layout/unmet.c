// SPDX-License-Identifier: GPL-2.0-only
#include "layout/unmet.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "layout/pattern.h"
#include "util/near.h"

static const char *noun(const struct fargs_unmet *u)
{
	return u->is_tpoint ? "tracepoint" : "function";
}

static bool is_module_there(const struct fargs_unmet *u, const struct fargs_pattern *pattern)
{
	const struct fargs_ksyms *ksyms = u->loaded ? u->loaded : u->ksyms;
	size_t i, nr = fargs_ksyms_count(ksyms);

	for (i = 0; i < nr; i++)
		if (fargs_pattern_match_module(pattern, fargs_ksyms_at(ksyms, i)->module))
			return true;
	return false;
}

/*
 * A symbol "NAME.something" for the exact NAME of @pattern, or NULL. Rather a clone
 * of the function than a fragment.
 */
static const struct fargs_ksym *find_clone(const struct fargs_unmet *u,
					   const struct fargs_pattern *pattern)
{
	size_t i, nr = fargs_ksyms_count(u->ksyms), len = strlen(pattern->name);
	const struct fargs_ksym *found = NULL;

	for (i = 0; i < nr; i++) {
		const struct fargs_ksym *sym = fargs_ksyms_at(u->ksyms, i);

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
static int fail_clone(const struct fargs_unmet *u, const struct fargs_pattern *pattern,
		      const struct fargs_ksym *clone, struct fargs_error_text *err)
{
	struct fargs_layouts layouts = { };
	struct fargs_pick pick;
	int ret = fargs_resolver_pick(u->resolver, clone, &layouts, &pick);

	fargs_layouts_deinit(&layouts);
	if (ret)
		return fargs_fail(err, -ret, "no memory for layouts");
	if (!pick.why)
		return fargs_fail(err, ENOENT, "there is no function '%s', only a clone of it: "
				  "ask for '%s'", pattern->text, clone->name);
	return fargs_fail(err, ENOENT, "'%s' cannot be traced: it exists only as %s, %s",
			  pattern->text, clone->name, fargs_refusal_text(pick.why));
}

static int fail_unknown(const struct fargs_unmet *u, const struct fargs_pattern *pattern,
			struct fargs_error_text *err)
{
	size_t i, nr = fargs_ksyms_count(u->ksyms);
	struct fargs_near near = { .wanted = pattern->name };
	const struct fargs_ksym *clone;
	char names[256];

	if (!is_module_there(u, pattern))
		return fargs_fail(err, ENOENT, "'%s': no module '%s' is loaded", pattern->text,
				  pattern->module);
	if (!pattern->is_exact)
		return fargs_fail(err, ENOENT, "no %s matches '%s'", noun(u), pattern->text);
	clone = find_clone(u, pattern);
	if (clone)
		return fail_clone(u, pattern, clone, err);
	for (i = 0; i < nr; i++) {
		const struct fargs_ksym *sym = fargs_ksyms_at(u->ksyms, i);

		if (strchr(sym->name, '.') || !strncmp(sym->name, "__pfx_", 6) ||
		    !fargs_pattern_match_module(pattern, sym->module) ||
		    (u->avail && !fargs_avail_has(u->avail, sym)))
			continue;
		fargs_near_offer(&near, sym->name);
	}
	fargs_near_text(&near, names, sizeof(names));
	return fargs_fail(err, ENOENT, "there is no %s '%s'%s%s%s", noun(u), pattern->text,
			  near.nr ? ": did you mean " : u->is_tpoint ? " (misspelt?)" :
			  " (inlined everywhere, or misspelt)", names,
			  near.nr ? "?" : "");
}

/* Who names a function wants what he says of it; globs may well overlap. */
static int check_covered(const struct fargs_unmet *u, const struct fargs_wish *wish,
			 struct fargs_error_text *err)
{
	struct fargs_overlap *larger;

	if (!wish->nr_covered)
		return 0;
	if (wish->rank)
		return fargs_fail(err, EINVAL, "'%s' and '%s' name the same %s: ask for all "
				  "in one selector", wish->covered_by->selector.text,
				  wish->selector.text, noun(u));
	larger = realloc(u->sel->overlaps, (u->sel->nr_overlaps + 1) * sizeof(*larger));
	if (!larger)
		return fargs_fail(err, ENOMEM, "no memory for patterns");
	u->sel->overlaps = larger;
	larger += u->sel->nr_overlaps++;
	larger->nr = wish->nr_covered;
	larger->text = strdup(wish->selector.text);
	larger->by = strdup(wish->covered_by->selector.text);
	return larger->text && larger->by ? 0 : fargs_fail(err, ENOMEM, "no memory for patterns");
}

int fargs_unmet_check(const struct fargs_unmet *u, const struct fargs_wish *wish,
		      struct fargs_error_text *err)
{
	const struct fargs_pattern *pattern = &wish->pattern;

	if (wish->nr_picked)
		return check_covered(u, wish, err);
	if (wish->mistake.code)
		return fargs_mistake_fail(&wish->mistake, wish->selector.text, err);
	if (!wish->nr_refused && wish->nr_unwanted)
		return fargs_fail(err, ENOENT, "all that '%s' matches is left out by -n",
				  pattern->text);
	if (!wish->nr_refused)
		return fail_unknown(u, pattern, err);
	if (pattern->is_exact)
		return fargs_fail(err, EINVAL, "'%s' cannot be traced: %s", pattern->text,
				  fargs_refusal_text(wish->why));
	return fargs_fail(err, EINVAL, "none of the %zu %ss that match '%s' can be traced: "
			  "the first, %s", wish->nr_refused, noun(u), pattern->text,
			  fargs_refusal_text(wish->why));
}
