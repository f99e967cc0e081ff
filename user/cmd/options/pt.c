// SPDX-License-Identifier: GPL-2.0-only
#include "cmd/options/pt.h"

#include <errno.h>
#include <string.h>

#include "base/array.h"
#include "capture/pt_sample.h"
#include "cmd/screen/cmd.h"

static int take_pt(void *to, const char *value, struct fargs_error_text *err)
{
	struct fargs_capture_options *o = to;

	o->request.has_pt = true;
	o->request.pt_terms = value;
	return 0;
}

static int take_pt_filter(void *to, const char *value, struct fargs_error_text *err)
{
	struct fargs_capture_options *o = to;

	return fargs_list_add(&o->request.pt_filters, value);
}

static int take_pt_pause(void *to, const char *value, struct fargs_error_text *err)
{
	struct fargs_capture_options *o = to;

	return fargs_event_rules_add(&o->request.pt_pause, value, err);
}

static int take_pt_resume(void *to, const char *value, struct fargs_error_text *err)
{
	struct fargs_capture_options *o = to;

	return fargs_event_rules_add(&o->request.pt_resume, value, err);
}

static int take_aux_sample(void *to, const char *value, struct fargs_error_text *err)
{
	struct fargs_capture_options *o = to;

	o->request.aux_sample_bytes = FARGS_PT_SAMPLE_BYTES;
	return value ? fargs_pt_sample_size_parse(value, &o->request.aux_sample_bytes, err) : 0;
}

static int take_pt_sample(void *to, const char *value, struct fargs_error_text *err)
{
	struct fargs_capture_options *o = to;
	struct fargs_pt_sample_rule *rule = fargs_array_add(o->request.pt_samples,
							    o->request.nr_pt_samples);

	return rule ? fargs_pt_sample_rule_parse(rule, value, err) : -ENOMEM;
}

const struct fargs_option fargs_pt_options[] = {
	{ 0, "pt", "TERMS", "also record the CPUs' execution with Intel PT; TERMS like "
	  "cyc,mtc_period=3/k",
	  FARGS_OPTION_OPTIONAL, .take = take_pt },
	{ 0, "pt-tasks", NULL, "record Intel PT only of COMMAND and its children, or of --pid, "
	  "--tid, --cgroup or --uid; without privileges, always",
	  FARGS_OPTION_SETS(struct fargs_capture_options, request.is_pt_tasks) },
	{ 0, "pt-filter", "FILTER", "limit Intel PT to ranges of code, like 'filter vfs_read', or "
	  "to the functions of -f by 'traced'", FARGS_OPTION_REPEATS,
	  .offer = FARGS_OFFER_WORDS, .words = "filter tracestop traced",
	  .take = take_pt_filter },
	{ 0, "aux-sample", "SIZE", "of Intel PT, record only the last SIZE bytes (default 4096) at "
	  "each sample of an event, by default of cpu-clock",
	  FARGS_OPTION_OPTIONAL, .take = take_aux_sample },
	{ 0, "pt-sample", "EVENT", "the event to sample with --aux-sample, like cpu-clock, "
	  "'page-faults:u' or 'cpu-clock/freq=100,aux-sample-size=8K/u'; or, with "
	  "'cycles/aux-output,period=10000/ppp', to sample into the whole trace",
	  FARGS_OPTION_REPEATS, .offer = FARGS_OFFER_WORDS,
	  .words = "cpu-clock task-clock page-faults context-switches branch-misses cycles",
	  .take = take_pt_sample },
	{ 0, "pt-pause", "SYSTEM:EVENT", "pause Intel PT of a CPU when this event occurs on it",
	  FARGS_OPTION_REPEATS, .offer = FARGS_OFFER_EVENTS, .take = take_pt_pause },
	{ 0, "pt-resume", "SYSTEM:EVENT", "begin with Intel PT paused, and resume it when this "
	  "event occurs",
	  FARGS_OPTION_REPEATS, .offer = FARGS_OFFER_EVENTS, .take = take_pt_resume },
	FARGS_OPTION_END
};

/* Are tasks selected that '--pt-tasks' can trace? */
static bool has_tasks(const struct fargs_capture_request *r)
{
	return r->pids.nr || r->tids.nr || r->cgroups.nr || r->uids.nr;
}

int fargs_pt_options_check(const struct fargs_capture_options *o)
{
	const struct fargs_capture_request *r = &o->request;

	if (r->has_pt && strcmp(o->verb, "record"))
		return cmd_usage_fail(o->verb, "'--pt' is only for 'fargs record'");
	if (r->is_pt_tasks && !r->has_pt)
		return cmd_usage_fail(o->verb, "'--pt-tasks' limits what '--pt' records: add "
				      "'--pt'");
	if (r->is_pt_tasks && r->has_all && !has_tasks(r))
		return cmd_usage_fail(o->verb, "'--pt-tasks' is for some tasks, but '-a' traces "
				      "all of them: remove one");
	if (r->is_pt_tasks && !r->command && !has_tasks(r))
		return cmd_usage_fail(o->verb, "'--pt-tasks' is for a command, or the tasks of "
				      "'--pid', '--tid', '--cgroup' or '--uid': give one of these");
	if (r->is_pt_tasks && r->cgroups.nr > 1)
		return cmd_usage_fail(o->verb, "'--pt-tasks' is for one '--cgroup': remove the "
				      "others");
	if ((fargs_pt_is_sampled(r) || fargs_pt_has_outputs(r)) && !r->has_pt)
		return cmd_usage_fail(o->verb, "'%s' is for '--pt': add '--pt'",
				      r->nr_pt_samples ? "--pt-sample" : "--aux-sample");
	if (fargs_pt_is_sampled(r) && fargs_pt_has_outputs(r))
		return cmd_usage_fail(o->verb, "'aux-output' is for the whole trace, but "
				      "'--aux-sample' and other events of '--pt-sample' record "
				      "only samples of it: remove one");
	if (fargs_pt_is_sampled(r) && r->flight.is_on)
		return cmd_usage_fail(o->verb, "'--aux-sample' and '--flight' exclude each other: "
				      "remove one");
	if (r->pt_filters.nr && !r->has_pt)
		return cmd_usage_fail(o->verb, "'--pt-filter' limits what '--pt' records: add "
				      "'--pt'");
	return 0;
}
