// SPDX-License-Identifier: GPL-2.0-only
#include "cmd/screen/choice.h"

#include <stdio.h>

static void print_refused(const struct fargs_pick *picks, size_t nr)
{
	size_t i;

	for (i = 0; i < nr; i++) {
		const char *module = picks[i].sym->module;

		if (picks[i].why)
			fprintf(stderr, "fargs: not traced: %s%s%s: %s\n", module ? module : "",
				module ? ":" : "", picks[i].sym->name,
				fargs_refusal_text(picks[i].why));
	}
}

void fargs_choice_tell_overlaps(const struct fargs_select *sel)
{
	size_t i;

	for (i = 0; i < sel->nr_overlaps; i++)
		fprintf(stderr, "fargs: of those that '%s' matches, %zu are traced as "
			"'%s' says, which comes first\n", sel->overlaps[i].text,
			sel->overlaps[i].nr, sel->overlaps[i].by);
}

void fargs_choice_tell_functions(const struct fargs_select *sel, size_t nr_traced,
				 bool is_verbose)
{
	size_t i, nr = sel->nr_refused, nr_no_error = 0;

	fargs_choice_tell_overlaps(sel);
	for (i = 0; i < sel->nr_picks; i++)
		nr += sel->picks[i].why != FARGS_REFUSAL_NONE;
	for (i = 0; i < sel->nr_refused; i++)
		nr_no_error += sel->refused[i].why == FARGS_REFUSAL_NO_ERROR;
	if (is_verbose) {
		print_refused(sel->refused, sel->nr_refused);
		print_refused(sel->picks, sel->nr_picks);
		fprintf(stderr, "fargs: tracing %zu functions, %zu left out\n", nr_traced, nr);
	} else if (nr_no_error) {
		fprintf(stderr, "fargs: tracing %zu functions; %zu more match but cannot be "
			"traced, %zu of them because they return no error (-v lists them)\n",
			nr_traced, nr, nr_no_error);
	} else if (nr) {
		fprintf(stderr, "fargs: tracing %zu functions; "
			"%zu more match but cannot be traced (-v lists them)\n", nr_traced, nr);
	}
}

void fargs_choice_tell_tpoints(const struct fargs_select *sel, bool is_verbose)
{
	size_t i, nr = 0;

	fargs_choice_tell_overlaps(sel);
	for (i = 0; i < sel->nr_picks; i++)
		nr += sel->picks[i].why == FARGS_REFUSAL_NONE;
	/* The error that follows reports this. */
	if (!nr && sel->nr_picks)
		return;
	if (is_verbose) {
		print_refused(sel->refused, sel->nr_refused);
		print_refused(sel->picks, sel->nr_picks);
	}
	if (is_verbose || sel->nr_refused || nr < sel->nr_picks)
		fprintf(stderr, "fargs: tracing %zu tracepoints, %zu left out%s\n", nr,
			sel->nr_refused + sel->nr_picks - nr,
			is_verbose ? "" : " (-v lists them)");
}

void fargs_choice_tell_deferred(const struct fargs_late *late, bool is_tpoint, bool is_verbose)
{
	size_t i;

	for (i = 0; i < late->nr_modules; i++) {
		const struct fargs_select *sel = late->modules[i].sel;

		if (is_verbose)
			print_refused(sel->refused, sel->nr_refused);
		fprintf(stderr, "fargs: module %s is not loaded yet: %zu of its %s will be "
			"traced when it is\n", late->modules[i].name, sel->nr_picks,
			is_tpoint ? "tracepoints" : "functions");
	}
}
