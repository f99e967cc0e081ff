// SPDX-License-Identifier: GPL-2.0-only
#include "cmd/screen/choice.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "cmd/screen/cmd.h"
#include "session/traceable.h"
#include "select/resolve/unloaded.h"

static struct fargs_patterns patterns_of(const struct fargs_capture_options *o)
{
	return (struct fargs_patterns){
		.wanted = o->wanted.words, .nr_wanted = o->wanted.nr,
		.unwanted = o->unwanted.words, .nr_unwanted = o->unwanted.nr,
		.scopes = o->under.words, .nr_scopes = o->under.nr,
		.triggers = o->trigger.words, .nr_triggers = o->trigger.nr,
		.unloaded = fargs_unloaded_ask,
	};
}

static struct fargs_patterns tpoint_patterns_of(const struct fargs_capture_options *o)
{
	return (struct fargs_patterns){
		.wanted = o->tpoints.words, .nr_wanted = o->tpoints.nr,
		.unwanted = o->unwanted.words, .nr_unwanted = o->unwanted.nr,
		.triggers = o->trigger_tpoints.words, .nr_triggers = o->trigger_tpoints.nr,
		.is_tpoint = true,
		.unloaded = fargs_unloaded_ask,
	};
}

int fargs_choice_check(const struct fargs_capture_options *o, struct fargs_error_text *err)
{
	const struct fargs_patterns patterns = patterns_of(o);
	const struct fargs_patterns tpoints = tpoint_patterns_of(o);
	int ret = fargs_select_check(&patterns, err);

	return ret ? ret : fargs_select_check(&tpoints, err);
}

static int choose_tpoints(struct fargs_choice *c, const struct fargs_capture_options *o,
			  struct fargs_bind_options bind, struct fargs_error_text *err)
{
	struct fargs_patterns patterns = tpoint_patterns_of(o);
	int ret;

	/* A graph shows them between the calls, as they come. */
	bind.is_graph = false;
	patterns.options = &bind;
	ret = fargs_tpoints_init(&c->tpoints, &patterns, &c->kernel, false, err);
	cmd_complain(c->kernel.btfs);
	return ret;
}

int fargs_choice_init(struct fargs_choice *c, const struct fargs_capture_options *o,
		      uint32_t tsc_khz, struct fargs_error_text *err)
{
	const struct fargs_bind_options bind = fargs_call_options_bind(&o->calls, tsc_khz);
	struct fargs_patterns patterns = patterns_of(o);

	if (fargs_kernel_init(&c->kernel, &o->btf, err))
		return -EINVAL;
	patterns.options = &bind;
	if (fargs_late_init(&c->late, &patterns, &c->kernel, err))
		return -EINVAL;
	if (choose_tpoints(c, o, bind, err))
		return -EINVAL;
	if (!c->late.nr_wanted && !patterns.nr_scopes && !patterns.nr_triggers)
		return 0;
	patterns.wanted = c->late.wanted;
	patterns.nr_wanted = c->late.nr_wanted;
	c->sel = fargs_traceable_select(&c->kernel, &patterns, false, err);
	cmd_complain(c->kernel.btfs);
	return c->sel ? 0 : -EINVAL;
}

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

static void tell_refused(const struct fargs_select *sel, size_t nr_traced, bool is_verbose)
{
	size_t i, nr = sel->nr_refused, nr_no_error = 0;

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

void fargs_choice_tell_overlaps(const struct fargs_select *sel)
{
	size_t i;

	for (i = 0; i < sel->nr_overlaps; i++)
		fprintf(stderr, "fargs: of those that '%s' matches, %zu are traced as "
			"'%s' says, which comes first\n", sel->overlaps[i].text,
			sel->overlaps[i].nr, sel->overlaps[i].by);
}

static void tell_late(const struct fargs_late *late, const char *what, bool is_verbose)
{
	size_t i;

	for (i = 0; i < late->nr_modules; i++) {
		const struct fargs_select *sel = late->modules[i].sel;

		if (is_verbose)
			print_refused(sel->refused, sel->nr_refused);
		fprintf(stderr, "fargs: module %s is not loaded yet: %zu of its %s will be "
			"traced when it is\n", late->modules[i].name, sel->nr_picks, what);
	}
}

static int add_tpoints(struct fargs_choice *c, const struct fargs_capture_options *o,
		       struct fargs_session *session, struct fargs_error_text *err)
{
	const struct fargs_select *sel = c->tpoints.sel;
	int ret = fargs_session_add_tpoints(session, &c->tpoints, err);
	size_t i, nr = 0;

	if (ret || !sel)
		return ret;
	fargs_choice_tell_overlaps(sel);
	for (i = 0; i < sel->nr_picks; i++)
		nr += sel->picks[i].why == FARGS_REFUSAL_NONE;
	if (!nr && sel->nr_picks)
		return fargs_fail(err, ENOENT, "none of the %zu tracepoints that match can be "
				  "traced: the first, %s", sel->nr_picks,
				  fargs_refusal_text(sel->picks[0].why));
	if (o->is_verbose) {
		print_refused(sel->refused, sel->nr_refused);
		print_refused(sel->picks, sel->nr_picks);
	}
	if (o->is_verbose || sel->nr_refused || nr < sel->nr_picks)
		fprintf(stderr, "fargs: tracing %zu tracepoints, %zu left out%s\n", nr,
			sel->nr_refused + sel->nr_picks - nr,
			o->is_verbose ? "" : " (-v lists them)");
	return 0;
}

int fargs_choice_add(struct fargs_choice *c, const struct fargs_capture_options *o,
		     struct fargs_session *session, struct fargs_error_text *err)
{
	int ret = fargs_session_add(session, &c->kernel, c->sel, &c->late, err);

	if (ret)
		return ret;
	if (c->sel) {
		fargs_choice_tell_overlaps(c->sel);
		tell_refused(c->sel, session->meta.nr_funcs, o->is_verbose);
	}
	if (c->tpoints.sel || c->tpoints.late.nr_modules)
		ret = add_tpoints(c, o, session, err);
	if (ret)
		return ret;
	tell_late(&c->late, "functions", o->is_verbose);
	tell_late(&c->tpoints.late, "tracepoints", o->is_verbose);
	return 0;
}

void fargs_choice_deinit(struct fargs_choice *c)
{
	fargs_select_destroy(c->sel);
	c->sel = NULL;
	fargs_tpoints_deinit(&c->tpoints);
	fargs_late_deinit(&c->late);
	fargs_kernel_deinit(&c->kernel);
}
