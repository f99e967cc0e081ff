// SPDX-License-Identifier: GPL-2.0-only
#include "cmd/report/added.h"

#include <errno.h>
#include <stdlib.h>

#include "base/array.h"
#include "cmd/report/pt_notes.h"
#include "source/perf_data/perf_data.h"
#include "source/pt/events/beside.h"

/* Lists the samples of @path, in the order in which they become events. */
static int list_samples(struct fargs_report_added *a, const char *path, const char *root,
			struct fargs_error_text *err)
{
	struct fargs_recording *recording = fargs_recording_open(path, root, false, err);
	struct fargs_recorded recorded;
	struct fargs_pt_sample *to;
	int ret;

	if (!recording)
		return -EINVAL;
	while ((ret = fargs_recording_next(recording, &recorded, err)) > 0) {
		to = fargs_array_add(a->samples, a->nr);
		if (!to) {
			ret = fargs_fail(err, ENOMEM, "out of memory");
			break;
		}
		*to = (struct fargs_pt_sample){
			.ns = recorded.sample.ns, .ip = recorded.sample.ip,
			.tid = recorded.sample.tid, .cpu = recorded.sample.cpu,
		};
	}
	fargs_recording_close(recording);
	return ret;
}

static void add(void *arg, uint64_t nr, struct fargs_event *ev)
{
	const struct fargs_report_added *a = arg;

	fargs_pt_added_set(a->added, nr, ev);
}

/* Makes @samples add what letters G and L ask for. */
static int add_to_samples(struct fargs_report_added *a, const char *path,
			  const struct fargs_pt_report_options *o,
			  struct fargs_event_source *samples, struct fargs_error_text *err)
{
	const struct fargs_itrace *itrace = &o->itrace;
	const struct fargs_pt_trace_options how = {
		.nr_threads = o->nr_threads ? o->nr_threads : 1, .engine = o->engine,
	};

	if (list_samples(a, path, o->symfs, err))
		return -EINVAL;
	a->added = fargs_pt_added_create(&a->in, &how, a->samples, a->nr,
					 itrace->adds_chain ? itrace->chain_max : 0,
					 itrace->adds_last_branches ? itrace->branches_max : 0,
					 err);
	if (!a->added)
		return -EINVAL;
	fargs_perf_data_set_adder(samples, add, a);
	return 0;
}

int fargs_report_added_init(struct fargs_report_added *a, const char *path,
			    const struct fargs_pt_report_options *o,
			    struct fargs_event_source **source, struct fargs_error_text *err)
{
	const struct fargs_itrace *itrace = &o->itrace;
	bool is_beside = fargs_pt_report_selects(itrace) && o->has_itrace;

	fargs_pt_input_init(&a->in);
	if (!fargs_pt_report_adds(o) && !(is_beside && o->has_recorded))
		return 0;
	if (itrace->has_log)
		return fargs_fail(err, EINVAL, "'--itrace': 'd' (a log) is only for 'fargs "
				  "report'");
	a->in.errors = a->errors;
	if (fargs_pt_report_read(o, &a->in, path, err))
		return -EINVAL;
	if (fargs_pt_report_adds(o) && add_to_samples(a, path, o, *source, err))
		return -EINVAL;
	if (!is_beside)
		return 0;
	fargs_pt_print_missing(&a->in, path, itrace, o->engine == FARGS_PT_ENGINE_LIBIPT);
	a->which = fargs_pt_report_which(o);
	a->beside = fargs_pt_beside_create(*source, &a->in, &a->which, err);
	if (!a->beside)
		return -EINVAL;
	*source = a->beside;
	return 0;
}

void fargs_report_added_deinit(struct fargs_report_added *a)
{
	fargs_pt_beside_destroy(a->beside);
	fargs_pt_added_destroy(a->added);
	free(a->samples);
	fargs_pt_input_deinit(&a->in);
}
