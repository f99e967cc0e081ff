// SPDX-License-Identifier: GPL-2.0-only
#include "select/resolve/unmatched.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/near.h"
#include "base/plural.h"
#include "select/resolve/event_hint.h"
#include "select/resolve/missing.h"
#include "select/resolve/pattern.h"

static const char *noun(const struct fargs_unmatched *u)
{
	return u->is_tpoint ? "tracepoint" : "function";
}

static bool is_module_there(const struct fargs_unmatched *u, const struct fargs_pattern *pattern)
{
	const struct fargs_ksyms *ksyms = u->loaded ? u->loaded : u->ksyms;
	size_t i, nr = fargs_ksyms_count(ksyms);

	for (i = 0; i < nr; i++)
		if (fargs_pattern_match_module(pattern, fargs_ksyms_at(ksyms, i)->module))
			return true;
	return false;
}

/*
 * Finds a symbol "NAME.something" for the exact NAME of @pattern, preferably a clone, else a
 * fragment. Returns NULL if there is none.
 */
static const struct fargs_ksym *find_clone(const struct fargs_unmatched *u,
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

/* Fails because the requested function exists only as @clone. */
static int fail_clone(const struct fargs_unmatched *u, const struct fargs_pattern *pattern,
		      const struct fargs_ksym *clone, struct fargs_error_text *err)
{
	struct fargs_layouts layouts = { };
	struct fargs_match match;
	int ret = fargs_resolver_match(u->resolver, clone, &layouts, &match);

	fargs_layouts_deinit(&layouts);
	if (ret)
		return fargs_fail(err, -ret, "no memory for layouts");
	if (!match.why)
		return fargs_fail(err, ENOENT, "there is no function '%s', only a clone of it: "
				  "write '%s'", pattern->text, clone->name);
	return fargs_fail(err, ENOENT, "'%s' cannot be traced: it exists only as '%s': %s",
			  pattern->text, clone->name, fargs_refusal_text(match.why));
}

/*
 * Writes "module a" or, if there are several, "modules a, b, c and 2 more" to @text; for a glob, "3
 * of module a, 1 of b".
 */
static void put_modules(const struct fargs_unloaded *found, bool is_exact, char *text, size_t size)
{
	size_t i, used = 0, nr = found->nr_modules;

	text[0] = '\0';
	for (i = 0; i < nr && i < FARGS_UNLOADED_NAMED && used < size; i++) {
		const char *front = i ? ", " : is_exact && nr > 1 ? "modules " : "module ";

		if (is_exact)
			used += snprintf(text + used, size - used, "%s%s", front,
					 found->modules[i].name);
		else
			used += snprintf(text + used, size - used, "%s%zu of %s%s", i ? ", " : "",
					 found->modules[i].nr, i ? "" : "module ",
					 found->modules[i].name);
	}
	if (nr > FARGS_UNLOADED_NAMED && used < size)
		snprintf(text + used, size - used, " and %zu more", nr - FARGS_UNLOADED_NAMED);
}

/*
 * Fails, and suggests loading the module that has a match. For a rule that selects calls to record,
 * also suggests naming the module in the selector: recording then begins when the module is loaded.
 */
static int fail_unloaded(const struct fargs_unmatched *u, const struct fargs_pattern *pattern,
			 const struct fargs_unloaded *found, struct fargs_error_text *err)
{
	const char *module = found->modules[0].name;
	char names[256], ways[512];

	put_modules(found, pattern->is_exact, names, sizeof(names));
	if (u->is_recorded)
		snprintf(ways, sizeof(ways), "modprobe %s first, or write '%s:%s' to trace it as "
			 "soon as the module is loaded", module, module, pattern->name);
	else
		snprintf(ways, sizeof(ways), "modprobe %s first", module);
	if (pattern->is_exact)
		return fargs_fail(err, ENOENT, "there is no %s '%s' in the running kernel; %s, not "
				  "loaded, %s it: %s", noun(u), pattern->text, names,
				  found->nr_modules > 1 ? "have" : "has", ways);
	return fargs_fail(err, ENOENT, "no %s of the running kernel matches '%s', but some in "
			  "modules that are not loaded do (%s): %s", noun(u), pattern->text, names,
			  ways);
}

/* Adds to the error message that the search included modules that are not loaded. */
static int add_searched(const struct fargs_unloaded *found, int ret, struct fargs_error_text *err)
{
	size_t used = strlen(err->text);

	if (found->nr_searched)
		snprintf(err->text + used, sizeof(err->text) - used, "; also searched %zu "
			 "module%s with similar names that %s not loaded", found->nr_searched,
			 fargs_plural(found->nr_searched), found->nr_searched == 1 ? "is" : "are");
	return ret;
}

static int fail_unknown(const struct fargs_unmatched *u, const struct fargs_pattern *pattern,
			struct fargs_error_text *err)
{
	size_t i, nr = fargs_ksyms_count(u->ksyms);
	struct fargs_near near = { .wanted = pattern->name };
	struct fargs_unloaded found = { };
	const struct fargs_ksym *clone;
	char names[256];

	if (!is_module_there(u, pattern))
		return fargs_fail(err, ENOENT, "'%s': no module '%s' is loaded", pattern->text,
				  pattern->module);
	clone = pattern->is_exact ? find_clone(u, pattern) : NULL;
	if (clone)
		return fail_clone(u, pattern, clone, err);
	if (u->unloaded && !pattern->module)
		u->unloaded(&found, u->loaded ? u->loaded : u->ksyms, pattern, u->is_tpoint);
	if (found.nr_modules)
		return fail_unloaded(u, pattern, &found, err);
	if (!pattern->is_exact)
		return add_searched(&found, fargs_fail(err, ENOENT, "no %s matches '%s'", noun(u),
						       pattern->text), err);
	for (i = 0; i < nr; i++) {
		const struct fargs_ksym *sym = fargs_ksyms_at(u->ksyms, i);

		if (strchr(sym->name, '.') || !strncmp(sym->name, "__pfx_", 6) ||
		    !fargs_pattern_match_module(pattern, sym->module) ||
		    (u->avail && !fargs_avail_has(u->avail, sym)))
			continue;
		fargs_near_offer(&near, sym->name);
	}
	fargs_near_text(&near, names, sizeof(names));
	if (near.nr)
		return fargs_fail(err, ENOENT, "there is no %s '%s': did you mean %s?", noun(u),
				  pattern->text, names);
	return add_searched(&found, fargs_fail(err, ENOENT, "there is no %s '%s' (%s)", noun(u),
					       pattern->text, u->is_tpoint ? "misspelt?" :
					       "inlined everywhere, or misspelt"), err);
}

/*
 * Two selectors that name the same function must request the same values and conditions; globs may
 * overlap.
 */
static int check_covered(const struct fargs_unmatched *u, const struct fargs_active_rule *active,
			 struct fargs_error_text *err)
{
	struct fargs_overlap *larger;

	if (!active->nr_covered)
		return 0;
	if (active->rule->rank)
		return fargs_fail(err, EINVAL, "'%s' and '%s' name the same %s: combine them into "
				  "one selector, and join their conditions with '||'",
				  active->covered_by->rule->selector.text,
				  active->rule->selector.text, noun(u));
	larger = realloc(u->sel->overlaps, (u->sel->nr_overlaps + 1) * sizeof(*larger));
	if (!larger)
		return fargs_fail(err, ENOMEM, "no memory for patterns");
	u->sel->overlaps = larger;
	larger += u->sel->nr_overlaps++;
	larger->nr = active->nr_covered;
	larger->text = strdup(active->rule->selector.text);
	larger->by = strdup(active->covered_by->rule->selector.text);
	return larger->text && larger->by ? 0 : fargs_fail(err, ENOMEM, "no memory for patterns");
}

static int fail_diagnostic(const struct fargs_unmatched *u, const struct fargs_active_rule *active,
			   struct fargs_error_text *err)
{
	const struct fargs_pattern *pattern = &active->rule->pattern;
	struct fargs_diagnostic m = active->diagnostic;

	if (u->is_tpoint && u->tracefs && pattern->is_exact)
		fargs_event_hint(&m, u->tracefs, pattern->name, active->rule->selector.text);
	return fargs_diagnostic_fail(&m, active->rule->selector.text, err);
}

/* Fails because the kernel has nothing that @active selects. */
static int fail_missing(const struct fargs_unmatched *u, const struct fargs_active_rule *active,
			struct fargs_error_text *err)
{
	const struct fargs_pattern *pattern = &active->rule->pattern;

	if (!active->nr_refused)
		return fail_unknown(u, pattern, err);
	if (pattern->is_exact)
		return fargs_fail(err, EINVAL, "'%s' cannot be traced: %s", pattern->text,
				  fargs_refusal_text(active->why));
	return fargs_fail(err, EINVAL, "no %s that matches '%s' can be traced (matches: %zu); "
			  "reason for the first: %s", noun(u), pattern->text, active->nr_refused,
			  fargs_refusal_text(active->why));
}

static int skip_missing(const struct fargs_unmatched *u, const struct fargs_active_rule *active,
			struct fargs_error_text *err)
{
	const char *why = active->nr_refused ? fargs_refusal_text(active->why) : NULL;

	return fargs_missing_add(u->missing, active->rule->pattern.text, why) ?
	       fargs_fail(err, ENOMEM, "no memory for patterns") : 0;
}

int fargs_unmatched_check(const struct fargs_unmatched *u, const struct fargs_active_rule *active,
			  struct fargs_error_text *err)
{
	const struct fargs_pattern *pattern = &active->rule->pattern;

	if (active->nr_matched)
		return check_covered(u, active, err);
	if (active->diagnostic.code)
		return fail_diagnostic(u, active, err);
	if (!active->nr_refused && active->nr_unwanted)
		return fargs_fail(err, ENOENT, "'-n' excludes everything that '%s' matches",
				  pattern->text);
	if (u->missing && u->missing->is_ok)
		return skip_missing(u, active, err);
	if (u->missing)
		u->missing->has_failed = true;
	return fail_missing(u, active, err);
}
