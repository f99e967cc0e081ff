// SPDX-License-Identifier: GPL-2.0-only
/*
 * fargs trace: live lines.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "capture_verb.h"
#include "cmd.h"
#include "decode/decoder.h"
#include "out/graph.h"
#include "out/text.h"
#include "ring/merge.h"

static const char usage[] =
	"Usage: fargs trace -f SELECTOR... [-n GLOB]... [-a] [-g] [-m SIZE] [-o FILE] [-v]\n"
	"                   [--comm GLOB]... [-D 1] [-s BYTES] [--btf FILE]... [-- COMMAND...]\n"
	"Shows calls of kernel functions with their arguments, as they happen.\n\n"
	"  -f SELECTOR  trace the functions that match, like 'vfs_*' or\n"
	"            'vfs_read(count > 4096) -> ret < 0': see fargs-select(7)\n"
	"  -n GLOB   but not those that match\n"
	"  -a        calls of all tasks, not only of COMMAND and what it starts;\n"
	"            without a COMMAND until Ctrl-C\n"
	"  -m SIZE   buffer for each CPU, a power of two (default 4M)\n"
	"  -o FILE   write there instead of to stdout\n"
	"  --comm GLOB, --cpu LIST, --pid LIST, --tid LIST, --uid LIST\n"
	"            only calls by such tasks, or on such CPUs; LIST: like 0-3,7\n"
	"  --min-duration TIME  only calls that took as long, like 100us\n"
	"  --stack[=N]  and N callers (default 16)\n"
	"  --maxactive N  calls whose return can be waited for at a time\n"
	"  -D 1      and one level of each pointer to a struct\n"
	"  -g, --graph  calls inside each other, with what they return and how long they\n"
	"            take\n"
	"  -s BYTES  of each string, struct and range at most (default 256)\n"
	"  --btf FILE  BTF of the kernel or of a module that has none, or a directory\n"
	"            of such files by kernel release\n"
	"  -v        list functions that match but cannot be traced\n"
	"  -h        this text";

struct live {
	const char *path;	/* NULL: stdout */
	FILE *out;
	struct fargs_meta *meta;
	struct fargs_decoder *decoder;
	struct fargs_merge *merge;
	struct fargs_graph *graph;	/* NULL: a line for each event */
};

static int fail_write(const struct live *live, int why, struct fargs_error_text *err)
{
	return fargs_fail(err, why, "cannot write to %s: %s", live->path ? live->path : "stdout",
			  strerror(why));
}

static int on_merged(void *arg, unsigned int cpu, const struct fargs_record *rec)
{
	struct live *live = arg;
	struct fargs_event ev;
	int ret = fargs_decoder_event(live->decoder, cpu, rec, &ev);

	/* What makes no sense was counted, and is told at the end. */
	if (ret == -EIO)
		return 0;
	if (ret)
		return ret;
	return live->graph ? fargs_graph_event(live->graph, live->out, &ev)
			   : fargs_text_event(live->out, live->decoder, &ev);
}

static int begin(void *arg, const struct fargs_capture_options *options, struct fargs_meta *meta,
		 struct fargs_error_text *err)
{
	struct live *live = arg;

	live->path = options->output;
	live->meta = meta;
	live->out = live->path ? fopen(live->path, "we") : stdout;
	if (!live->out)
		return fargs_fail(err, errno, "cannot open '%s': %s", live->path, strerror(errno));
	live->decoder = fargs_decoder_create(meta, err);
	if (!live->decoder)
		return -EINVAL;
	if (fargs_meta_has_graph(meta)) {
		live->graph = fargs_graph_create(live->decoder);
		if (!live->graph)
			return fargs_fail(err, ENOMEM, "no memory for a graph");
	}
	live->merge = fargs_merge_create(meta->info.nr_cpus, on_merged, live);
	if (!live->merge)
		return fargs_fail(err, ENOMEM, "no memory to merge CPUs");
	return 0;
}

static int take_records(void *arg, unsigned int cpu, const void *records, size_t bytes,
			struct fargs_error_text *err)
{
	struct live *live = arg;
	int ret = fargs_merge_add(live->merge, cpu, records, bytes);

	if (ret == -EIO)
		return fargs_fail(err, EIO,
				  "records of CPU %u make no sense: the module is broken", cpu);
	return ret ? fargs_fail(err, -ret, "no memory for records: trace fewer functions") : 0;
}

static int take_clock(void *arg, const struct fargs_clock_sample *samples,
		      struct fargs_error_text *err)
{
	struct live *live = arg;

	if (fargs_meta_add_clock(live->meta, samples))
		return fargs_fail(err, ENOMEM, "no memory for the clocks");
	return 0;
}

static int drained(void *arg, uint64_t safe_tsc, struct fargs_error_text *err)
{
	struct live *live = arg;
	int ret = fargs_merge_flush(live->merge, safe_tsc);

	/* A call that waits for what comes next is not held back for long. */
	if (!ret && live->graph)
		ret = fargs_graph_flush(live->graph, live->out,
					safe_tsc == FARGS_CAPTURE_END);
	if (!ret && fflush(live->out))
		ret = -errno;
	if (ret == -ENOMEM)
		return fargs_fail(err, ENOMEM, "no memory to decode records");
	return ret ? fail_write(live, -ret, err) : 0;
}

static int end(void *arg, struct fargs_error_text *err)
{
	struct live *live = arg;
	FILE *out = live->out;

	live->out = NULL;
	if (live->path && fclose(out))
		return fail_write(live, errno, err);
	return 0;
}

/* What -o names was emptied, and stays. */
static void cancel(void *arg)
{
}

static void live_deinit(struct live *live)
{
	if (live->path && live->out)
		fclose(live->out);
	fargs_merge_destroy(live->merge);
	fargs_graph_destroy(live->graph);
	if (live->decoder)
		fargs_decoder_destroy(live->decoder);
}

int cmd_trace(int argc, char **argv)
{
	static const struct fargs_capture_verb verb = {
		.usage = usage,
		.sink = {
			.begin = begin,
			.records = take_records,
			.clock = take_clock,
			.drained = drained,
			.end = end,
			.cancel = cancel,
		},
	};
	struct live live = { };
	int status = fargs_capture_verb_run(&verb, argc, argv, &live);

	live_deinit(&live);
	return status;
}
