// SPDX-License-Identifier: GPL-2.0-only
#include "cmd/report/trace_dat.h"

#include <stdio.h>

#include "base/plural.h"
#include "cmd/report/child.h"
#include "cmd/report/show.h"
#include "cmd/screen/cmd.h"
#include "plugin/dlfilter/record_samples.h"
#include "source/trace_dat/trace_dat.h"

static int show_all(struct fargs_show *s, struct fargs_meta *meta)
{
	uint64_t lost;
	int status = fargs_show_begin(s);

	if (status)
		return status;
	status = fargs_show_run(s);
	if (s->write_error || s->ret)
		return status;
	if (!status)
		status = fargs_show_finish(s);
	if (fargs_time_window_is_all(&s->options->window) &&
	    fargs_trace_dat_has_lost(s->source, &lost))
		fprintf(stderr, "fargs: lost at least %llu event%s\n",
			(unsigned long long)lost, fargs_plural(lost));
	fargs_guest_options_tell(&meta->guests);
	return status;
}

static int report(struct fargs_report_request *r, const char *path)
{
	struct fargs_dlfilters *filters = fargs_dlfilter_options_get(&r->dlfilters);
	struct fargs_show show = {
		.path = path, .options = &r->options, .view = &r->view, .is_stdio = filters,
		.is_nested = r->is_graph, .guests = fargs_guest_options_name(&r->guests),
	};
	struct fargs_dlfilter_records *samples = NULL;
	struct fargs_error_text err = { "" };
	struct fargs_meta meta;
	int status;

	show.source = fargs_trace_dat_create(path, &meta, &err);
	if (show.source && filters) {
		samples = fargs_dlfilter_records_create(filters, &meta);
		r->options.hook.arg = samples;
		r->options.hook.ask = fargs_dlfilter_records_ask;
	}
	if (!show.source)
		status = cmd_fail("'%s': %s", path, err.text);
	else if (filters && !samples)
		status = cmd_fail("out of memory");
	else if (fargs_guest_options_read(&r->guests, NULL, &meta.guests))
		status = cmd_fail("no memory for symbols of guests");
	else
		status = show_all(&show, &meta);
	fargs_show_deinit(&show);
	fargs_dlfilter_records_destroy(samples);
	fargs_trace_dat_destroy(show.source);
	fargs_meta_deinit(&meta);
	return status;
}

struct call {
	struct fargs_report_request *request;
	const char *path;
};

static int report_in_child(void *arg)
{
	const struct call *call = arg;
	struct fargs_dlfilter_options *filters = &call->request->dlfilters;

	if (fargs_dlfilter_options_start(filters))
		return 1;
	return fargs_dlfilter_options_stop(filters, report(call->request, call->path));
}

int fargs_trace_dat_report(struct fargs_report_request *r, const char *path)
{
	struct call call = { r, path };

	/* A file that trace-cmd did not write may crash libtracecmd. */
	return fargs_child_run(report_in_child, &call, path);
}
