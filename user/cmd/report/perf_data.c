// SPDX-License-Identifier: GPL-2.0-only
#include "cmd/report/perf_data.h"

#include <errno.h>

#include "cmd/report/added.h"
#include "cmd/report/pt.h"
#include "cmd/report/show.h"
#include "cmd/screen/cmd.h"
#include "plugin/dlfilter/perf_samples.h"
#include "source/perf_data/perf_data.h"

/* Passes a sample to the filters. */
static int ask_filters(void *arg, struct fargs_decoder *d, const struct fargs_event *ev,
		       const struct fargs_item *item, bool is_wanted)
{
	return fargs_dlfilter_perf_ask(arg, item->data, is_wanted);
}

static int show_samples(struct fargs_report_request *r, const char *path,
			struct fargs_recording *recording)
{
	struct fargs_dlfilters *filters = fargs_dlfilter_options_get(&r->dlfilters);
	struct fargs_show show = {
		.path = path, .options = &r->options, .view = &r->view,
		.is_nested = r->is_graph, .guests = fargs_guest_options_name(&r->guests),
		.is_stdio = true,
	};
	struct fargs_dlfilter_perf *filtered = NULL;
	struct fargs_event_source *samples;
	struct fargs_report_added added = { };
	struct fargs_error_text err = { "" };
	struct fargs_meta meta;
	int status = 1;

	samples = fargs_perf_data_create(recording, &meta, &err);
	show.source = samples;
	r->pt.nr_threads = r->options.nr_threads;
	if (samples && fargs_report_added_init(&added, path, &r->pt, &show.source, &err))
		show.source = NULL;
	if (show.source && filters && added.beside) {
		fargs_fail(&err, EINVAL, "'--itrace': 'G' and 'L' with letters of other events "
			   "cannot be used with '--dlfilter'");
		show.source = NULL;
	}
	if (show.source && filters) {
		filtered = fargs_dlfilter_perf_create(filters, recording, r->pt.kcore, &err);
		r->options.hook.arg = filtered;
		r->options.hook.ask = ask_filters;
	}
	if (!show.source || (filters && !filtered))
		cmd_fail("'%s': %s", path, err.text);
	else
		status = fargs_show_begin(&show);
	if (show.pipeline)
		status = status ? status : fargs_show_run(&show);
	if (!status)
		status = fargs_show_finish(&show);
	fargs_show_deinit(&show);
	fargs_dlfilter_perf_destroy(filtered);
	fargs_report_added_deinit(&added);
	fargs_perf_data_destroy(samples);
	fargs_meta_deinit(&meta);
	return status;
}

/* Options of guests are for their trace, which is not shown beside samples without --itrace. */
static int check_guests(const struct fargs_report_request *r, const char *path,
			const struct fargs_recording *recording)
{
	const char *option = fargs_guest_options_name(&r->guests);

	if (!option || !fargs_recording_has_trace(recording) || r->pt.has_itrace)
		return 0;
	return cmd_fail("%s is for the Intel PT trace of '%s', which is not shown: add '--itrace'",
			option, path);
}

int fargs_perf_report(struct fargs_report_request *r, const char *path)
{
	struct fargs_recording *recording;
	struct fargs_error_text err;
	bool is_trace;
	int status;

	recording = fargs_recording_open(path, r->pt.symfs, false, &err);
	if (!recording)
		return cmd_fail("%s", err.text);
	is_trace = !fargs_recording_nr_samples(recording) &&
		   fargs_recording_has_trace(recording) && fargs_pt_report_use_default(&r->pt);
	if (is_trace)
		status = 0;
	else if (check_guests(r, path, recording))
		status = 1;
	else
		status = show_samples(r, path, recording);
	fargs_recording_close(recording);
	if (is_trace)
		status = fargs_report_request_check_pt(r) || fargs_pt_report(r, path);
	return status;
}
