// SPDX-License-Identifier: GPL-2.0-only
/*
 * fargs inject: writes a perf.data file with samples of an Intel PT trace instead of the trace.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/row.h"
#include "cmd/inject/file.h"
#include "cmd/inject/guest_data.h"
#include "cmd/inject/sample.h"
#include "cmd/inject/target.h"
#include "cmd/inject/vm_time.h"
#include "cmd/report/open.h"
#include "cmd/report/part.h"
#include "cmd/report/pt_log.h"
#include "cmd/report/pt_notes.h"
#include "cmd/screen/cmd.h"
#include "cmd/screen/pt_gaps.h"
#include "cmd/verbs.h"
#include "pipeline/pipeline.h"
#include "plugin/dlfilter/pt_samples.h"

struct command {
	const char *output;
	const char *path;
	bool strips, is_forced;
	struct fargs_vm_options vm;
	struct fargs_guest_data guest;
	struct fargs_pt_report_options pt;
	struct fargs_pipeline_options pipeline_options;
	struct fargs_opened opened;
	struct fargs_perf_file *from;
	struct fargs_dlfilter_pt *samples;
	struct fargs_pipeline *pipeline;
	struct fargs_inject_target target;
	struct fargs_inject_event added[FARGS_DLFILTER_PT_KINDS];
	struct fargs_inject_file file;
	struct fargs_buf record;
	uint64_t nr_too_long;
	int write_error;		/* 0, or -errno */
};

/* Records about the trace, which is not in the new file; and of rounds: samples are in none. */
static bool is_dropped(const struct command *c, const struct perf_event_header *head)
{
	switch (head->type) {
	case PERF_RECORD_SAMPLE:
		return c->strips && fargs_row(D4);
	case PERF_RECORD_AUX:
	case PERF_RECORD_ITRACE_START:
	case PERF_RECORD_AUX_OUTPUT_HW_ID:
	case FARGS_PERF_FINISHED_ROUND:
	case FARGS_PERF_ID_INDEX:
	case FARGS_PERF_AUXTRACE_INFO:
	case FARGS_PERF_AUXTRACE:
	case FARGS_PERF_AUXTRACE_ERROR:
		return true;
	default:
		return false;
	}
}

static int write_bytes(struct command *c, const void *bytes, size_t n)
{
	c->write_error = fargs_inject_file_write(&c->file, bytes, n);
	return c->write_error;
}

static int copy_records(struct command *c, struct fargs_error_text *err)
{
	struct fargs_perf_record rec;
	int ret;

	while ((ret = fargs_perf_file_next(c->from, &rec, err)) == 1) {
		if (is_dropped(c, rec.head))
			continue;
		ret = write_bytes(c, rec.head, rec.head->size);
		if (!ret)
			ret = write_bytes(c, rec.data, rec.data_bytes);
		if (ret)
			return ret;
	}
	return ret;
}

static int take_sample(void *arg, const struct fargs_dlfilter_event *ev)
{
	struct command *c = arg;
	int ret;

	if (ev->is_left_out || !fargs_row(D3))
		return 0;
	c->record.n = 0;
	ret = fargs_inject_put_sample(&c->record, ev);
	if (ret == -EMSGSIZE) {
		c->nr_too_long++;
		return 0;
	}
	return ret ? ret : write_bytes(c, c->record.text, c->record.n);
}

/* The hook has written the sample. */
static int ignore_event(void *arg, struct fargs_buf *out, struct fargs_decoder *d,
			const struct fargs_event *ev)
{
	return 0;
}

static int ignore_text(void *arg, const char *text, size_t bytes)
{
	return 0;
}

/* Samples that end with a part of the trace would need another form. */
static int check_events(const struct command *c)
{
	const struct fargs_perf_event *events;
	size_t nr = fargs_perf_file_events(c->from, &events), i;

	for (i = 0; i < nr; i++)
		if (events[i].attr.sample_type & PERF_SAMPLE_AUX)
			return cmd_fail("'%s' has parts of the trace in its samples (perf record "
					"--aux-sample), which fargs inject cannot rewrite",
					c->path);
	return 0;
}

static int open_input(struct command *c)
{
	struct fargs_error_text err = { "" };

	if (!fargs_perf_file_is(c->path))
		return cmd_fail("'%s' is not a perf.data file, which fargs inject rewrites",
				c->path);
	c->from = fargs_perf_file_open(c->path, &err);
	if (!c->from)
		return cmd_fail("%s", err.text);
	if (check_events(c))
		return 1;
	c->opened.errors.window = &c->pipeline_options.window;
	if (fargs_opened_init(&c->opened, c->path, &c->pt, &err))
		return cmd_fail("%s", err.text);
	cmd_report_pt_gaps(&c->opened.pt);
	if (fargs_pipeline_options_resolve(&c->pipeline_options, c->opened.source, c->path, &err))
		return cmd_usage_fail("inject", "%s", err.text);
	return 0;
}

static int fail_write(const struct command *c, int error)
{
	return cmd_fail("cannot write to '%s': %s", c->output, strerror(-error));
}

static int run_pipeline(struct command *c)
{
	const struct fargs_sink sink = { .event = ignore_event, .is_in_order = true };
	struct fargs_error_text err = { "" };
	int ret;

	c->pipeline = fargs_pipeline_create(c->opened.source, &sink, &c->pipeline_options, &err);
	if (!c->pipeline)
		return cmd_fail("'%s': %s", c->path, err.text);
	ret = fargs_pipeline_run(c->pipeline, ignore_text, c, &err);
	if (c->write_error)
		return fail_write(c, c->write_error);
	return ret ? cmd_fail("%s", err.text[0] ? err.text : strerror(-ret)) : 0;
}

/* Sets c->added to the events that the trace is made of. Returns their number. */
static size_t add_events(struct command *c)
{
	const struct fargs_dlfilter_pt_event *events = fargs_dlfilter_pt_events(c->samples);
	size_t nr = 0, i;

	for (i = 0; i < FARGS_DLFILTER_PT_KINDS; i++)
		if (events[i].is_there)
			c->added[nr++] = (struct fargs_inject_event){
				.attr = events[i].attr, .ids = &events[i].id, .nr_ids = 1,
				.name = events[i].name,
			};
	return nr;
}

static int inject(struct command *c)
{
	struct fargs_error_text err = { "" };
	struct fargs_inject_code code = { };
	int ret;

	if (cmd_is_same_file(c->output, c->path))
		return cmd_fail("'%s' is the recording itself: give another name", c->output);
	if (open_input(c))
		return 1;
	c->samples = fargs_dlfilter_pt_create(take_sample, c, &c->opened.pt, &c->opened.which);
	if (!c->samples)
		return cmd_fail("out of memory");
	c->pipeline_options.hook = (struct fargs_pipeline_hook){
		.arg = c->samples, .ask = fargs_dlfilter_pt_ask,
		.details = FARGS_DLFILTER_PT_DETAILS,
	};
	code.host = fargs_perf_file_kcore_dir(c->from);
	if (fargs_inject_target_open(&c->target, c->output, &code, &err) ||
	    fargs_inject_file_begin(&c->file, c->target.out, c->from, c->added, add_events(c),
				    c->opened.pt.event_id, &err))
		return cmd_fail("'%s': %s", c->path, err.text);
	if (copy_records(c, &err))
		return c->write_error ? fail_write(c, c->write_error) : cmd_fail("%s", err.text);
	if (run_pipeline(c))
		return 1;
	ret = fargs_inject_file_end(&c->file);
	if (!ret)
		ret = fargs_inject_target_finish(&c->target);
	if (ret)
		return fail_write(c, ret);
	if (c->nr_too_long)
		return cmd_fail("'%s' lacks %llu samples that are longer than 64 KiB: give fewer "
				"callers or branches ('g16', 'l16' of '--itrace')", c->output,
				(unsigned long long)c->nr_too_long);
	return fargs_pt_print_errors(&c->opened.errors, &c->pt.itrace);
}

/* Options about guests concern the whole recording. */
static int check_guests(const struct command *c)
{
	const struct fargs_pipeline_options *o = &c->pipeline_options;

	if (c->vm.is_given && c->guest.guest)
		return cmd_usage_fail("inject", "'--vm-time-correlation' cannot be used with "
				      "'--guest-data': use them one after the other");
	if (c->guest.guest && c->pt.has_itrace)
		return cmd_usage_fail("inject", "'--guest-data' cannot be used with '--itrace'");
	if (c->strips || o->cpus.nr || o->filter || fargs_pipeline_selects_tasks(o) ||
	    !fargs_time_window_is_all(&o->window))
		return cmd_usage_fail("inject", "'%s' concerns the whole trace: leave out options "
				      "that select a part of it", c->vm.is_given ?
				      "--vm-time-correlation" : "--guest-data");
	return 0;
}

static int check_log(const struct fargs_itrace *itrace)
{
	if (!itrace->has_log || fargs_pt_report_selects(itrace))
		return cmd_usage_fail("inject", "'--vm-time-correlation' writes no samples: of "
				      "'--itrace', it knows only 'd' (a log)");
	if (fargs_itrace_has_plus(itrace->log_flags, 'e'))
		return cmd_usage_fail("inject", "'--itrace=d+e' cannot be used with "
				      "'--vm-time-correlation': give 'd'");
	return 0;
}

/* Changes the times of guests. Returns the exit status. */
static int change_times(struct command *c)
{
	bool is_stdout = fargs_itrace_has_plus(c->pt.itrace.log_flags, 'o');
	const struct fargs_vm_time v = {
		.options = &c->vm, .path = c->path, .output = c->output, .is_forced = c->is_forced,
		.log = !c->pt.has_itrace ? NULL : is_stdout ? "" : FARGS_PT_LOG,
	};

	return c->pt.has_itrace && check_log(&c->pt.itrace) ? 1 : fargs_vm_time_run(&v);
}

/* Are the options compatible with each other? */
static int check(const struct command *c)
{
	struct fargs_error_text err;

	if (fargs_pt_report_check(&c->pt, &err))
		return cmd_usage_fail("inject", "%s", err.text);
	if (c->is_forced && !c->vm.is_given)
		return cmd_usage_fail("inject", "'--force' is for '--vm-time-correlation'");
	if (c->vm.is_given || c->guest.guest)
		return check_guests(c);
	if (!c->pt.has_itrace || fargs_pt_report_adds(&c->pt))
		return cmd_usage_fail("inject", "no samples are selected: give '--itrace', such as "
				      "'--itrace=i100us' ('G' and 'L' are for fargs report)");
	if (!c->output)
		return cmd_usage_fail("inject", "no output is given: give '-o OUT'");
	return 0;
}

static int run_checked(struct command *c)
{
	c->guest.path = c->path;
	c->guest.output = c->output;
	return c->vm.is_given ? change_times(c) :
	       c->guest.guest ? fargs_guest_data_run(&c->guest) : inject(c);
}

static int run(int argc, char **argv)
{
	struct command c = {
		.pipeline_options = { .nr_threads = 1 },
		.target = FARGS_INJECT_TARGET_NONE,
	};
	struct fargs_operands operands;
	enum fargs_parsed parsed;
	int status;

	parsed = fargs_options_parse(&fargs_verb_inject, &c, argc, argv, &operands);
	if (parsed == FARGS_PARSED)
		c.path = fargs_operands_file(&operands, &fargs_verb_inject,
					     "no recording of perf is given");
	if (parsed != FARGS_PARSED)
		status = parsed == FARGS_PARSED_WRONG;
	else if (!c.path || check(&c))
		status = 1;
	else
		status = run_checked(&c);
	fargs_inject_target_deinit(&c.target);
	fargs_pipeline_destroy(c.pipeline);
	fargs_dlfilter_pt_destroy(c.samples);
	fargs_opened_deinit(&c.opened);
	fargs_perf_file_destroy(c.from);
	fargs_buf_deinit(&c.record);
	fargs_pipeline_options_deinit(&c.pipeline_options);
	fargs_pt_report_options_deinit(&c.pt);
	fargs_vm_options_deinit(&c.vm);
	fargs_guest_data_deinit(&c.guest);
	return status;
}

static int take_vm_time(void *to, const char *value, struct fargs_error_text *err)
{
	struct command *c = to;

	return fargs_vm_options_parse(&c->vm, value, err);
}

static int take_guest_data(void *to, const char *value, struct fargs_error_text *err)
{
	struct command *c = to;

	return fargs_guest_data_parse(&c->guest, value, err);
}

static const struct fargs_option options[] = {
	{ 'o', "output", "OUT", "write to OUT, which is a directory if FILE is one",
	  .offer = FARGS_OFFER_FILES, FARGS_OPTION_KEEPS(struct command, output) },
	{ 0, "strip", NULL, "leave out recorded samples, of which there may be some beside the "
	  "trace", FARGS_OPTION_SETS(struct command, strips) },
	{ 0, "vm-time-correlation", "OFFSETS", "change times of guests to those of the host: "
	  "'dry-run' only prints TSC offsets; OFFSET[*RATIO][:VMCS[,VMCS]...] gives them",
	  FARGS_OPTION_OPTIONAL, .offer = FARGS_OFFER_WORDS, .words = "dry-run",
	  .take = take_vm_time },
	{ 0, "force", NULL, "with --vm-time-correlation: change FILE itself",
	  FARGS_OPTION_SETS(struct command, is_forced) },
	{ 0, "guest-data", "GUEST", "add what perf recorded in a guest about its tasks and code: "
	  "FILE,PID[,OFFSET[,SCALE]], with the pid of its hypervisor, and its TSC",
	  .offer = FARGS_OFFER_FILES, .take = take_guest_data },
	FARGS_OPTION_END
};

static const struct fargs_option help_option[] = {
	{ 'h', "help", NULL, "print this help", .kind = FARGS_OPTION_HELP },
	FARGS_OPTION_END
};

static const struct fargs_option_group groups[] = {
	{ "Options", .options = options },
	{ "Options", fargs_part_options, .at = offsetof(struct command, pipeline_options) },
	{ "Intel PT", fargs_pt_itrace_option, .at = offsetof(struct command, pt) },
	{ "Intel PT", fargs_pt_how_options, .at = offsetof(struct command, pt) },
	{ "Options", .options = help_option },
	{ NULL, fargs_pt_what_options, .at = offsetof(struct command, pt),
	  .refusal = "is for fargs report and fargs export: fargs inject writes what '--itrace' "
		     "selects" },
	{ }
};

const struct fargs_verb fargs_verb_inject = {
	.name = "inject",
	.what = "write perf's samples of an Intel PT trace",
	.usage = "--itrace=LETTERS -o OUT [OPTION...] FILE\n"
		 "--vm-time-correlation[=OFFSETS] [-o OUT] [--force] FILE\n"
		 "--guest-data=GUEST -o OUT FILE",
	.about = "Writes a perf.data file with samples of an Intel PT trace instead of the trace,\n"
		 "with the times of guests in it changed to those of the host, or with what a\n"
		 "guest recorded about its code.",
	.groups = groups,
	.run = run,
};
