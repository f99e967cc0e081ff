// SPDX-License-Identifier: GPL-2.0-only
/*
 * fargs record: captures into a trace file.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/duration.h"
#include "base/plural.h"
#include "cmd/capture_verb.h"
#include "cmd/options/file.h"
#include "cmd/options/flight.h"
#include "cmd/options/pt.h"
#include "cmd/screen/cmd.h"
#include "cmd/screen/status_line.h"
#include "cmd/verbs.h"
#include "file/format.h"
#include "file/writer.h"
#include "model/event_record.h"
#include "model/tasks.h"
#include "model/walk.h"
#include "session/nspid.h"

/* Maximum number of pids in an NSPIDS chunk. */
#define NSPIDS	128

struct recording {
	const struct fargs_capture_options *options;
	char *path;			/* path of the output file that was opened last */
	unsigned int nr_files;
	struct fargs_meta *meta;
	struct fargs_writer *writer;	/* NULL: no file is open */
	uint64_t nr_events;		/* number of events in the open file */
	bool has_pt;			/* the open file contains Intel PT */
	/* Pids of forked tasks in their own pid namespaces; not yet written to the file. */
	struct fargs_nspid nspids[NSPIDS];
	size_t nr_nspids;
};

/* Opens the output file; with --split, the next one. */
static int open_file(struct recording *r, struct fargs_error_text *err)
{
	int ret;

	free(r->path);
	r->nr_files++;
	r->nr_events = 0;
	r->has_pt = false;
	if (r->options->request.flight.is_split)
		ret = asprintf(&r->path, "%s.%u", r->options->output, r->nr_files);
	else
		ret = asprintf(&r->path, "%s", r->options->output);
	if (ret < 0) {
		r->path = NULL;
		return fargs_fail(err, ENOMEM, "no memory for the file's name");
	}
	r->writer = fargs_writer_create(r->path, r->meta, &r->options->file, err);
	return r->writer ? 0 : -EINVAL;
}

static int finish_file(struct recording *r, struct fargs_error_text *err)
{
	int ret = fargs_writer_finish(r->writer, err);

	if (ret)
		return ret;
	fargs_status_line_hide();
	fprintf(stderr, "fargs: %" PRIu64 " event%s in '%s' (%.1f MB)\n", r->nr_events,
		fargs_plural(r->nr_events), r->path, fargs_writer_bytes(r->writer) / 1e6);
	fargs_writer_destroy(r->writer);
	r->writer = NULL;
	return 0;
}

static void set_options(void *arg, const struct fargs_capture_options *options)
{
	struct recording *r = arg;

	r->options = options;
}

static int begin(void *arg, struct fargs_meta *meta, struct fargs_error_text *err)
{
	struct recording *r = arg;

	size_t i;

	r->meta = meta;
	for (i = 0; i < r->options->labels.nr_labels; i++)
		if (fargs_origin_add_label(&meta->origin, r->options->labels.labels[i], err))
			return -ENOMEM;
	if (fargs_nspid_take_tasks(meta))
		return fargs_fail(err, ENOMEM, "no memory for the list of tasks");
	return open_file(r, err);
}

static int write_nspids(struct recording *r, struct fargs_error_text *err)
{
	size_t nr = r->nr_nspids;

	r->nr_nspids = 0;
	return fargs_writer_nspids(r->writer, r->nspids, nr, err);
}

/*
 * If @rec reports a fork, looks up the forked task's pid in the task's own pid namespace, unless
 * that is the initial one.
 */
static int take_fork(struct recording *r, const struct fargs_record *rec, bool is_lagging,
		     struct fargs_error_text *err)
{
	int ret = 0;
	struct fargs_nspid nspid = { .from_tsc = rec->tsc };
	struct fargs_task_change change;

	/* The flight recorder looks up pids of forked tasks itself. */
	if (r->options->request.flight.is_on || rec->kind != FARGS_KIND_TASK ||
	    fargs_tasks_read(rec, &change) || !change.new_tid)
		return 0;
	nspid.tid = change.new_tid;
	/* If reading lags behind, skip the lookup: unread records could be lost meanwhile. */
	nspid.ns_tid = is_lagging ? FARGS_NSPID_GONE : fargs_nspid_get(nspid.tid);
	if (!nspid.ns_tid)
		return 0;
	if (r->nr_nspids == NSPIDS)
		ret = write_nspids(r, err);
	r->nspids[r->nr_nspids++] = nspid;
	return ret;
}

static int take_records(void *arg, unsigned int cpu, const void *records, size_t bytes,
			uint64_t unread, struct fargs_error_text *err)
{
	struct recording *r = arg;
	bool is_lagging = unread > r->meta->ring_bytes / 2;
	const struct fargs_record *rec;
	size_t at;
	int ret;

	/*
	 * If the ring fills faster than it is read, reading must not wait for the writer's
	 * compression.
	 */
	fargs_writer_set_uncompressed(r->writer, is_lagging);
	for (at = 0; at < bytes; at += rec->len) {
		rec = (const void *)((const char *)records + at);
		/* Stop at a corrupt record. The writer detects and reports it, too. */
		if (!fargs_walk_len(rec, bytes - at))
			break;
		ret = take_fork(r, rec, is_lagging, err);
		if (ret)
			return ret;
		r->nr_events += rec->kind <= FARGS_KIND_TPOINT;
	}
	ret = write_nspids(r, err);
	return ret ? ret : fargs_writer_records(r->writer, cpu, records, bytes, err);
}

static int take_events(void *arg, unsigned int cpu, const void *records, size_t bytes,
		       struct fargs_error_text *err)
{
	struct recording *r = arg;
	const struct fargs_record *rec;
	size_t at;

	for (at = 0; at < bytes; at += rec->len) {
		rec = (const void *)((const char *)records + at);
		r->nr_events += rec->kind == FARGS_KIND_EVENT;
	}
	return fargs_writer_events(r->writer, cpu, records, bytes, err);
}

static int take_pt(void *arg, unsigned int kind, unsigned int cpu, const struct iovec iov[2],
		   bool is_lagging, struct fargs_error_text *err)
{
	struct recording *r = arg;

	/* After the last trigger, no file is open and nothing is written. */
	if (!r->writer)
		return 0;
	r->has_pt |= kind == FARGS_CHUNK_PT_AUX || kind == FARGS_CHUNK_PT_SAMPLES;
	return fargs_writer_pt(r->writer, kind, cpu, iov, is_lagging, err);
}

static int take_functions(void *arg, const struct fargs_func *funcs, size_t nr,
			  struct fargs_error_text *err)
{
	struct recording *r = arg;

	/* After the last trigger, no file is open and nothing is written. */
	return r->writer ? fargs_writer_funcs(r->writer, funcs, nr, err) : 0;
}

static int take_names(void *arg, const struct fargs_task_name *names, size_t nr,
		      struct fargs_error_text *err)
{
	struct recording *r = arg;

	return fargs_writer_names(r->writer, names, nr, err);
}

static int take_clock(void *arg, const struct fargs_clock_sample *samples,
		      struct fargs_error_text *err)
{
	struct recording *r = arg;

	return fargs_writer_clock(r->writer, samples, err);
}

static int drained(void *arg, uint64_t now_tsc, uint64_t held_ns, struct fargs_error_text *err)
{
	return 0;
}

static void tell(void *arg, struct fargs_capture_taken *taken, bool *is_done)
{
	const struct recording *r = arg;

	taken->nr_events = r->nr_events;
	taken->bytes = r->writer ? fargs_writer_bytes(r->writer) : 0;
}

/* Completes the file of a trigger and, unless @is_last, opens the next one. */
static int split(void *arg, bool is_last, struct fargs_error_text *err)
{
	int ret = finish_file(arg, err);

	return ret || is_last ? ret : open_file(arg, err);
}

/* Completes the open file. Discards it if it was opened after a trigger and contains no data. */
static int end(void *arg, struct fargs_error_text *err)
{
	struct recording *r = arg;

	if (r->writer && (r->nr_events || r->has_pt || r->nr_files == 1))
		return finish_file(r, err);
	fargs_writer_discard(r->writer);
	r->writer = NULL;
	return 0;
}

static void cancel(void *arg)
{
	struct recording *r = arg;

	fargs_writer_discard(r->writer);
	r->writer = NULL;
}

static int run(int argc, char **argv)
{
	static const struct fargs_capture_verb verb = {
		.verb = &fargs_verb_record,
		.set_options = set_options,
		.is_output_needed = true,
		.output = {
			.begin = begin,
			.records = take_records,
			.events = take_events,
			.pt = take_pt,
			.functions = take_functions,
			.names = take_names,
			.clock = take_clock,
			.drained = drained,
			.tell = tell,
			.split = split,
			.end = end,
			.cancel = cancel,
		},
	};
	struct recording r = { };
	int status = fargs_capture_verb_run(&verb, argc, argv, &r);

	fargs_writer_destroy(r.writer);
	free(r.path);
	return status;
}

static const struct fargs_option output_options[] = {
	{ 'o', "output", "FILE", "write to FILE, replacing an existing one",
	  .offer = FARGS_OFFER_FILES,
	  FARGS_OPTION_KEEPS(struct fargs_capture_options, output) },
	FARGS_OPTION_END
};

static const struct fargs_option buffer_options[] = {
	{ 'm', NULL, "[SIZE][,SIZE]", "size of the buffer of each CPU, and of its Intel PT buffer: "
	  "powers of two (default 4M)",
	  .offer = FARGS_OFFER_WORDS, .words = FARGS_CAPTURE_BUFFER_WORDS,
	  .take = fargs_capture_options_take_buffer },
	FARGS_OPTION_END
};

static int take_at(void *to, const char *value, struct fargs_error_text *err)
{
	struct fargs_capture_options *o = to;
	uint64_t *ns = &o->request.at_ns;
	int ret;

	if (*value != '/')
		return fargs_fail(err, EINVAL, "'%s' is not a slash and a time, like /10s", value);
	ret = fargs_duration_parse(value + 1, ns, err);
	if (!ret && (*ns < 1000000000 || *ns > 86400000000000))
		ret = fargs_fail(err, EINVAL, "'%s' is not from /1s to /86400s", value);
	return ret;
}

static const struct fargs_option control_options[] = {
	{ 0, "at", "/TIME", "begin when the time of day is a multiple of TIME, like /10s: with the "
	  "same time and '--duration', machines record at the same time",
	  .offer = FARGS_OFFER_WORDS, .words = "/1s /10s /60s", .take = take_at },
	{ 0, "control", "fifo:FILE[,FILE]", "obey commands from a FIFO, or fd:N[,N], like perf "
	  "record: enable, disable, snapshot, stop, ping, evlist; the second FILE gets 'ack'",
	  .offer = FARGS_OFFER_WORDS, .words = "fifo: fd:",
	  FARGS_OPTION_KEEPS(struct fargs_capture_options, request.control) },
	FARGS_OPTION_END
};

static const struct fargs_option zeros_option[] = {
	{ 0, "zeros", NULL, "", FARGS_OPTION_SETS(struct fargs_capture_options, has_zeros) },
	FARGS_OPTION_END
};

static const struct fargs_option_group groups[] = {
	{ "The file", .options = output_options },
	{ "The file", fargs_file_options, .at = offsetof(struct fargs_capture_options, file) },
	{ "The file", fargs_label_option, .at = offsetof(struct fargs_capture_options, labels) },
	FARGS_CAPTURE_GROUPS(buffer_options),
	{ "How it runs", .options = control_options },
	{ "Intel PT", .options = fargs_pt_options },
	{ "Flight recorder", fargs_flight_options,
	  .at = offsetof(struct fargs_capture_options, request.flight) },
	{ NULL, .options = zeros_option },
	{ NULL, fargs_live_options,
	  .refusal = "is only for 'fargs trace': show a file with 'fargs report'" },
	{ NULL, fargs_top_options, .refusal = "is only for 'fargs top'" },
	{ }
};

const struct fargs_verb fargs_verb_record = {
	.name = "record",
	.what = "record a trace into a file",
	.usage = "-o FILE [-f SELECTOR]... [OPTION...] [-- COMMAND...]",
	.about = "Records calls of kernel functions with their arguments into a file, for fargs\n"
		 "report.",
	.is_in_front = true,
	.groups = groups,
	.run = run,
};
