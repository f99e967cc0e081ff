// SPDX-License-Identifier: GPL-2.0-only
#include "cmd/report/pt_call_setup.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "source/pt/input/guests.h"
#include "source/pt/join/learn.h"
#include "source/pt/join/with.h"

static int write_nothing(void *arg, const char *text, size_t bytes)
{
	return 0;
}

static int learn_calls(const struct fargs_pt_input *in, struct fargs_pt_join *join,
		       const struct fargs_pt_trace_options *how, struct fargs_error_text *err)
{
	struct fargs_pt_learner *l = fargs_pt_learner_create(in, join);
	struct fargs_pt_view view;
	int ret;

	if (!l)
		return fargs_fail(err, ENOMEM, "out of memory");
	view = fargs_pt_learner_view(l);
	ret = fargs_pt_trace_run(in, how, &view, write_nothing, NULL, err);
	fargs_pt_learner_destroy(l);
	if (ret)
		return ret;
	return fargs_pt_join_run(join) ? fargs_fail(err, ENOMEM, "out of memory") : 0;
}

/* Finds the guest to which --with-guest refers. */
static int find_guest(const struct fargs_pt_input *in, const struct fargs_pt_report_options *o,
		      struct fargs_pt_join_guest *guest, struct fargs_error_text *err)
{
	const struct fargs_pt_guest *g;
	char *end;
	long pid;

	*guest = (struct fargs_pt_join_guest){
		.has_tsc = o->has_guest_tsc, .offset = o->guest_tsc_offset,
		.ratio = o->guest_tsc_ratio,
	};
	pid = strtol(o->with_guest, &end, 10);
	if (*end)
		pid = 0;
	for (g = in->guests; g < in->guests + in->nr_guests; g++) {
		if (pid > 0 ? g->pid == pid : *g->name && !strcmp(g->name, o->with_guest)) {
			guest->guest = g - in->guests;
			return 0;
		}
	}
	return fargs_fail(err, ENOENT, "'--with-guest': nothing is known of the guest '%s': give "
			  "its symbols, and beside them its code, with '--guest %s=FILE'%s",
			  o->with_guest, o->with_guest, pid > 0 ? " or '--guestmount'" : "");
}

void fargs_pt_call_setup_deinit(struct fargs_pt_call_setup *c)
{
	fargs_pt_join_destroy(c->wanted.join);
	fargs_pt_funcs_destroy(c->roots);
}

int fargs_pt_call_setup_init(struct fargs_pt_call_setup *c,
			     const struct fargs_pt_report_options *o, const char *path,
			     struct fargs_pt_input *in, const struct fargs_pt_trace_options *how,
			     struct fargs_error_text *err)
{
	struct fargs_pt_trace_options all = *how;
	struct fargs_pt_join_guest guest;
	int ret = 0;

	c->wanted = (struct fargs_pt_shown_options){
		.has_returns = o->has_returns, .window = o->window, .has_tracer = o->has_tracer,
		.depth_max = o->depth_max,
	};
	if (o->nr_graph_functions)
		ret = fargs_pt_funcs_create(&c->roots, in, o->graph_functions,
					    o->nr_graph_functions, err);
	c->wanted.roots = c->roots;
	if (!ret && o->with_guest)
		ret = find_guest(in, o, &guest, err);
	if (!ret && o->with)
		ret = fargs_pt_with_read(in, path, o->with, o->with_guest ? &guest : NULL, err);
	if (!ret)
		ret = fargs_pt_join_create(&c->wanted.join, in, o->with ? o->with : path,
					   o->with_guest ? &guest : NULL, err);
	if (ret || !c->wanted.join)
		return ret;
	all.cpus = NULL;
	c->wanted.cpus = how->cpus;
	return learn_calls(in, c->wanted.join, &all, err);
}
