// SPDX-License-Identifier: GPL-2.0-only
#include "cmd/screen/selection.h"
#include "base/plural.h"

#include <stdio.h>

static void print_refused(const struct fargs_match *matches, size_t nr)
{
	size_t i;

	for (i = 0; i < nr; i++) {
		const char *module = matches[i].sym->module;

		if (matches[i].why)
			fprintf(stderr, "fargs: not traced: %s%s%s: %s\n", module ? module : "",
				module ? ":" : "", matches[i].sym->name,
				fargs_refusal_text(matches[i].why));
	}
}

/*
 * Reports functions and tracepoints of modules that will not be traced again after a reload:
 * without @is_verbose, only those that a selector names.
 */
static void print_not_reloaded(const struct fargs_select *sel, bool is_verbose)
{
	size_t i;

	for (i = 0; i < sel->nr_matches; i++) {
		const struct fargs_match *match = &sel->matches[i];

		if (match->why || match->reload == FARGS_RELOAD_UNUSED ||
		    match->reload == FARGS_RELOAD_YES || (!is_verbose && !match->is_exact))
			continue;
		fprintf(stderr, "fargs: %s:%s: not traced again if the module is reloaded: %s\n",
			match->sym->module, match->sym->name,
			match->reload == FARGS_RELOAD_NO_BUILD_ID ?
			"the build ID of the module is unknown" :
			"the module has several functions of that name");
	}
}

void fargs_selection_print_overlaps(const struct fargs_select *sel)
{
	size_t i;

	for (i = 0; i < sel->nr_overlaps; i++)
		fprintf(stderr, "fargs: '%s' takes precedence over '%s' for %zu match%s\n",
			sel->overlaps[i].by, sel->overlaps[i].text, sel->overlaps[i].nr,
			sel->overlaps[i].nr == 1 ? "" : "es");
}

/*
 * Reports how many functions have their return recorded and, with @is_verbose, which. Called if
 * --returns limits their number.
 */
static void print_returns(const struct fargs_select *sel, bool is_verbose)
{
	size_t i, nr = 0, nr_others = 0;

	for (i = 0; i < sel->nr_matches; i++) {
		const struct fargs_match *match = &sel->matches[i];

		nr += match->has_return && !match->why;
		nr_others += match->is_entry_only && !match->why;
		if (is_verbose && match->has_return && !match->why)
			fprintf(stderr, "fargs: return recorded: %s%s%s\n",
				match->sym->module ? match->sym->module : "",
				match->sym->module ? ":" : "", match->sym->name);
	}
	fprintf(stderr, "fargs: recording the returns of %zu function%s, and only the entries of "
		"%zu more%s\n", nr, fargs_plural(nr), nr_others,
		is_verbose ? "" : " ('-v' lists those with returns)");
}

/* Reports how many functions are traced without arguments. */
static void print_unproven(const struct fargs_select *sel)
{
	size_t i, nr = 0;

	for (i = 0; i < sel->nr_matches; i++)
		nr += sel->matches[i].is_unproven && !sel->matches[i].why;
	if (nr)
		fprintf(stderr, "fargs: %zu function%s without arguments, as 'NAME(?)' ('fargs "
			"list --refused' explains why)\n", nr, fargs_plural(nr));
}

void fargs_selection_print_functions(const struct fargs_select *sel, size_t nr_traced,
				     bool is_verbose)
{
	size_t i, nr = sel->nr_refused, nr_no_error = 0;

	fargs_selection_print_overlaps(sel);
	for (i = 0; i < sel->nr_matches; i++)
		nr += sel->matches[i].why != FARGS_REFUSAL_NONE;
	for (i = 0; i < sel->nr_refused; i++)
		nr_no_error += sel->refused[i].why == FARGS_REFUSAL_NO_ERROR;
	if (is_verbose) {
		print_refused(sel->refused, sel->nr_refused);
		print_refused(sel->matches, sel->nr_matches);
		fprintf(stderr, "fargs: tracing %zu function%s; %zu more matched but cannot be "
			"traced\n", nr_traced, fargs_plural(nr_traced), nr);
	} else if (nr_no_error) {
		fprintf(stderr, "fargs: tracing %zu function%s; %zu more matched but cannot be "
			"traced, %zu of them because of '--only-errors' ('-v' lists them)\n",
			nr_traced, fargs_plural(nr_traced), nr, nr_no_error);
	} else if (nr) {
		fprintf(stderr, "fargs: tracing %zu function%s; %zu more matched but cannot be "
			"traced ('-v' lists them)\n", nr_traced, fargs_plural(nr_traced), nr);
	}
	print_unproven(sel);
	print_not_reloaded(sel, is_verbose);
	if (sel->nr_entry_only)
		print_returns(sel, is_verbose);
}

void fargs_selection_print_tpoints(const struct fargs_select *sel, bool is_verbose)
{
	size_t i, nr = 0;

	fargs_selection_print_overlaps(sel);
	for (i = 0; i < sel->nr_matches; i++)
		nr += sel->matches[i].why == FARGS_REFUSAL_NONE;
	/* If no tracepoint can be traced, the caller prints an error. */
	if (!nr && sel->nr_matches)
		return;
	if (is_verbose) {
		print_refused(sel->refused, sel->nr_refused);
		print_refused(sel->matches, sel->nr_matches);
	}
	if (is_verbose || sel->nr_refused || nr < sel->nr_matches)
		fprintf(stderr, "fargs: tracing %zu tracepoint%s; %zu more matched but cannot be "
			"traced%s\n", nr, fargs_plural(nr),
			sel->nr_refused + sel->nr_matches - nr,
			is_verbose ? "" : " ('-v' lists them)");
	print_not_reloaded(sel, is_verbose);
}

void fargs_selection_print_deferred(const struct fargs_deferred *deferred, bool is_tpoint,
				    bool is_verbose)
{
	size_t i;

	for (i = 0; i < deferred->nr_modules; i++) {
		const struct fargs_select *sel = deferred->modules[i].sel;

		if (is_verbose)
			print_refused(sel->refused, sel->nr_refused);
		fprintf(stderr, "fargs: module '%s' is not loaded yet: %zu %s%s will be traced "
			"once it is\n", deferred->modules[i].name, sel->nr_matches,
			is_tpoint ? "tracepoint" : "function", fargs_plural(sel->nr_matches));
	}
}
