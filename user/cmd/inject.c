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

#include "base/outfile.h"
#include "base/row.h"
#include "cmd/inject/file.h"
#include "cmd/inject/kcore.h"
#include "cmd/inject/sample.h"
#include "cmd/report/open.h"
#include "cmd/report/part.h"
#include "cmd/report/pt_notes.h"
#include "cmd/screen/cmd.h"
#include "cmd/screen/pt_gaps.h"
#include "cmd/verbs.h"
#include "pipeline/pipeline.h"
#include "plugin/dlfilter/pt_samples.h"

#define DATA	"data"		/* name of the file in a directory */

/* Where is written: a file, or a directory with a file and a copy of the kernel's code. */
struct target {
	struct fargs_outfile file;
	int dir;		/* -1: a file */
	FILE *out;
};

struct command {
	const char *output;
	const char *path;
	bool strips;
	struct fargs_pt_report_options pt;
	struct fargs_pipeline_options pipeline_options;
	struct fargs_opened opened;
	struct fargs_perf_file *from;
	struct fargs_dlfilter_pt *samples;
	struct fargs_pipeline *pipeline;
	struct target target;
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
	ret = fargs_inject_put_sample(&c->record, ev->attr, ev->sample);
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

static int open_target(struct command *c, struct fargs_error_text *err)
{
	const char *kcore = fargs_perf_file_kcore_dir(c->from);
	struct target *t = &c->target;

	if (!kcore) {
		if (fargs_outfile_open(&t->file, c->output, FARGS_OUTFILE_SEEKS, err))
			return -EINVAL;
		if (fargs_outfile_stream(&t->file))
			return fargs_fail(err, ENOMEM, "out of memory");
		t->out = t->file.file;
		return 0;
	}
	t->dir = fargs_outfile_mkdir(c->output, err);
	if (t->dir < 0)
		return -EINVAL;
	t->out = fargs_outfile_in(t->dir, DATA);
	if (!t->out)
		return fargs_fail(err, errno, "cannot create '%s/" DATA "': %s", c->output,
				  strerror(errno));
	return fargs_inject_copy_kcore(kcore, t->dir, err);
}

/* Completes the output. Returns 0 or -errno. */
static int finish_target(struct target *t)
{
	int ret;

	if (t->dir < 0)
		return fargs_outfile_finish(&t->file);
	ret = fclose(t->out) ? -errno : 0;
	t->out = NULL;
	close(t->dir);
	t->dir = -1;
	return ret;
}

/* Removes the output, unless it was completed. */
static void discard_target(struct command *c)
{
	struct target *t = &c->target;

	fargs_outfile_deinit(&t->file);
	if (t->dir < 0)
		return;
	if (t->out)
		fclose(t->out);
	unlinkat(t->dir, DATA, 0);
	fargs_inject_remove_kcore(t->dir);
	close(t->dir);
	rmdir(c->output);
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

static int inject(struct command *c)
{
	struct fargs_error_text err = { "" };
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
	if (open_target(c, &err) ||
	    fargs_inject_file_begin(&c->file, c->target.out, c->from,
				    fargs_dlfilter_pt_events(c->samples), c->opened.pt.event_id,
				    &err))
		return cmd_fail("'%s': %s", c->path, err.text);
	if (copy_records(c, &err))
		return c->write_error ? fail_write(c, c->write_error) : cmd_fail("%s", err.text);
	if (run_pipeline(c))
		return 1;
	ret = fargs_inject_file_end(&c->file);
	if (!ret)
		ret = finish_target(&c->target);
	if (ret)
		return fail_write(c, ret);
	if (c->nr_too_long)
		return cmd_fail("'%s' lacks %llu samples that are longer than 64 KiB: give fewer "
				"callers or branches ('g16', 'l16' of '--itrace')", c->output,
				(unsigned long long)c->nr_too_long);
	return fargs_pt_print_errors(&c->opened.errors, &c->pt.itrace);
}

/* Are the options compatible with each other? */
static int check(const struct command *c)
{
	struct fargs_error_text err;

	if (fargs_pt_report_check(&c->pt, &err))
		return cmd_usage_fail("inject", "%s", err.text);
	if (!c->pt.has_itrace || fargs_pt_report_adds(&c->pt))
		return cmd_usage_fail("inject", "no samples are selected: give '--itrace', such as "
				      "'--itrace=i100us' ('G' and 'L' are for fargs report)");
	if (!c->output)
		return cmd_usage_fail("inject", "no output is given: give '-o OUT'");
	return 0;
}

static int run(int argc, char **argv)
{
	struct command c = {
		.pipeline_options = { .nr_threads = 1 },
		.target = { .file = FARGS_OUTFILE_NONE, .dir = -1 },
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
		status = inject(&c);
	discard_target(&c);
	fargs_pipeline_destroy(c.pipeline);
	fargs_dlfilter_pt_destroy(c.samples);
	fargs_opened_deinit(&c.opened);
	fargs_perf_file_destroy(c.from);
	fargs_buf_deinit(&c.record);
	fargs_pipeline_options_deinit(&c.pipeline_options);
	fargs_pt_report_options_deinit(&c.pt);
	return status;
}

static const struct fargs_option options[] = {
	{ 'o', "output", "OUT", "write to OUT, which is a directory if FILE is one",
	  .offer = FARGS_OFFER_FILES, FARGS_OPTION_KEEPS(struct command, output) },
	{ 0, "strip", NULL, "leave out recorded samples, of which there may be some beside the "
	  "trace", FARGS_OPTION_SETS(struct command, strips) },
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
	.usage = "--itrace=LETTERS -o OUT [OPTION...] FILE",
	.about = "Writes a perf.data file with samples of an Intel PT trace instead of the trace.",
	.groups = groups,
	.run = run,
};
