// SPDX-License-Identifier: GPL-2.0-only
/*
 * fargs record: into a trace file.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "capture_verb.h"
#include "cmd.h"
#include "file/writer.h"

static const char usage[] =
	"Usage: fargs record -f SELECTOR... -o FILE [-n GLOB]... [-a] [-g] [-m SIZE] [-v]\n"
	"                    [--comm GLOB]... [-D 1] [-s BYTES] [--btf FILE]... [-- COMMAND...]\n"
	"Writes calls of kernel functions with their arguments into a file, for fargs report.\n\n"
	"  -f SELECTOR  trace the functions that match, like 'vfs_*' or\n"
	"            'vfs_read(count > 4096) -> ret < 0': see fargs-select(7)\n"
	"  -n GLOB   but not those that match\n"
	"  -o FILE   where to; replaced if it is there\n"
	"  -a        calls of all tasks, not only of COMMAND and what it starts;\n"
	"            without a COMMAND until Ctrl-C\n"
	"  -m SIZE   buffer for each CPU, a power of two (default 4M)\n"
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

struct recording {
	const char *path;
	const struct fargs_meta *meta;
	struct fargs_writer *writer;
};

static int begin(void *arg, const struct fargs_capture_options *options, struct fargs_meta *meta,
		 struct fargs_error_text *err)
{
	struct recording *r = arg;

	r->path = options->output;
	r->meta = meta;
	r->writer = fargs_writer_create(r->path, meta, err);
	return r->writer ? 0 : -EINVAL;
}

static int take_records(void *arg, unsigned int cpu, const void *records, size_t bytes,
			struct fargs_error_text *err)
{
	struct recording *r = arg;

	return fargs_writer_records(r->writer, cpu, records, bytes, err);
}

static int take_clock(void *arg, const struct fargs_clock_sample *samples,
		      struct fargs_error_text *err)
{
	struct recording *r = arg;

	return fargs_writer_clock(r->writer, samples, err);
}

static int drained(void *arg, uint64_t safe_tsc, struct fargs_error_text *err)
{
	return 0;
}

static int end(void *arg, struct fargs_error_text *err)
{
	struct recording *r = arg;
	uint64_t kept = 0;
	unsigned int cpu;
	int ret = fargs_writer_finish(r->writer, err);

	if (ret)
		return ret;
	for (cpu = 0; cpu < r->meta->info.nr_cpus; cpu++) {
		const struct fargs_cpu_stats *stats = &r->meta->stats[cpu];

		kept += stats->produced - stats->lost - stats->rejected;
	}
	fprintf(stderr, "fargs: %" PRIu64 " events in %s (%.1f MB)\n", kept, r->path,
		fargs_writer_bytes(r->writer) / 1e6);
	return 0;
}

static void cancel(void *arg)
{
	struct recording *r = arg;
	struct stat st;

	/* Not what -o may name else: a device, a pipe. */
	if (r->writer && !lstat(r->path, &st) && S_ISREG(st.st_mode))
		unlink(r->path);
}

int cmd_record(int argc, char **argv)
{
	static const struct fargs_capture_verb verb = {
		.usage = usage,
		.is_output_needed = true,
		.sink = {
			.begin = begin,
			.records = take_records,
			.clock = take_clock,
			.drained = drained,
			.end = end,
			.cancel = cancel,
		},
	};
	struct recording r = { };
	int status = fargs_capture_verb_run(&verb, argc, argv, &r);

	fargs_writer_destroy(r.writer);
	return status;
}
