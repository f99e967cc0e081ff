// SPDX-License-Identifier: GPL-2.0-only
#include "cmd/report/open.h"

#include <errno.h>

#include "cmd/report/pt_notes.h"
#include "source/fargs_dat/fargs_dat.h"
#include "source/perf_data/file.h"
#include "source/perf_data/perf_data.h"
#include "source/pt/events/calls.h"
#include "source/trace_dat/trace_dat.h"
#include "source/trace_dat/tracecmd.h"

bool fargs_opened_needs_child(const char *path)
{
	return fargs_tracecmd_is_file(path);
}

static int open_pt(struct fargs_opened *o, const char *path,
		   const struct fargs_pt_report_options *pt, struct fargs_error_text *err)
{
	const struct fargs_pt_trace_options how = { .nr_threads = 1, .engine = pt->engine };
	struct fargs_error_text why = { "" };

	o->is_pt = true;
	if (pt->itrace.has_log)
		return fargs_fail(err, EINVAL, "'--itrace': 'd' (a log) is only for 'fargs "
				  "report'");
	o->pt.errors = &o->errors;
	if (fargs_pt_report_read(pt, &o->pt, path, err))
		return -EINVAL;
	fargs_pt_print_missing(&o->pt, path, &pt->itrace, pt->engine == FARGS_PT_ENGINE_LIBIPT);
	o->has_calls = pt->has_calls;
	if (o->has_calls) {
		if (!fargs_pt_call_setup_init(&o->calls, pt, path, &o->pt, &how, &why))
			o->source = fargs_pt_calls_source(&o->pt, &o->calls.wanted, &how,
							  &o->meta, &why);
	} else {
		o->which = fargs_pt_report_which(pt);
		o->source = fargs_pt_branches_source(&o->pt, &o->which, &o->meta, &why);
	}
	return o->source ? 0 : fargs_fail(err, EINVAL, "'%s': %s", path, why.text);
}

static int open_perf(struct fargs_opened *o, const char *path,
		     struct fargs_pt_report_options *pt, struct fargs_error_text *err)
{
	bool has_trace;

	o->recording = fargs_recording_open(path, pt->symfs, pt->has_recorded, err);
	if (!o->recording)
		return -EINVAL;
	has_trace = fargs_recording_has_trace(o->recording);
	if (pt->has_recorded && has_trace) {
		fargs_pt_report_use_default(pt);
	} else if (!fargs_recording_nr_samples(o->recording) && has_trace &&
		   fargs_pt_report_use_default(pt)) {
		fargs_recording_close(o->recording);
		o->recording = NULL;
		return open_pt(o, path, pt, err);
	}
	o->added.errors = &o->errors;
	o->samples = fargs_perf_data_create(o->recording, &o->meta, err);
	o->source = o->samples;
	return o->source ? fargs_report_added_init(&o->added, path, pt, &o->source, err) : -EINVAL;
}

/* Are the events of @path those of its trace alone? */
static bool is_pt_wanted(const struct fargs_pt_report_options *pt, const char *path)
{
	if (pt->has_recorded && !pt->has_calls && fargs_perf_file_is(path))
		return false;
	return (pt->has_itrace || pt->has_calls) && !fargs_pt_report_adds(pt);
}

int fargs_opened_init(struct fargs_opened *o, const char *path,
		      struct fargs_pt_report_options *pt, struct fargs_error_text *err)
{
	struct fargs_error_text why = { "" };

	fargs_meta_init(&o->meta);
	fargs_pt_input_init(&o->pt);
	fargs_pt_input_init(&o->added.in);
	if (is_pt_wanted(pt, path))
		return open_pt(o, path, pt, err);
	if (fargs_perf_file_is(path))
		return open_perf(o, path, pt, err);
	o->is_trace_dat = fargs_tracecmd_is_file(path);
	if (o->is_trace_dat) {
		o->source = fargs_trace_dat_create(path, &o->meta, &why);
	} else {
		o->reader = fargs_reader_open(path, &o->meta, err);
		if (!o->reader)
			return -EINVAL;
		o->source = fargs_dat_source_create(o->reader, &o->meta, &why);
	}
	return o->source ? 0 : fargs_fail(err, EINVAL, "'%s': %s", path, why.text);
}

void fargs_opened_deinit(struct fargs_opened *o)
{
	fargs_report_added_deinit(&o->added);
	if (o->is_pt && o->has_calls)
		fargs_pt_calls_source_destroy(o->source);
	else if (o->is_pt)
		fargs_pt_branches_source_destroy(o->source);
	else if (o->is_trace_dat)
		fargs_trace_dat_destroy(o->source);
	else if (o->recording)
		fargs_perf_data_destroy(o->samples);
	else
		fargs_dat_source_destroy(o->source);
	fargs_recording_close(o->recording);
	fargs_reader_destroy(o->reader);
	fargs_pt_call_setup_deinit(&o->calls);
	fargs_pt_input_deinit(&o->pt);
	fargs_meta_deinit(&o->meta);
}
