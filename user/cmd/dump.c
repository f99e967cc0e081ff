// SPDX-License-Identifier: GPL-2.0-only
/*
 * fargs dump: prints the Intel PT packets of a file.
 */
#include "cmd/screen/cmd.h"
#include "cmd/screen/pt_gaps.h"

#include <errno.h>
#include <stdbool.h>
#include <string.h>

#include "base/id_set.h"
#include "cmd/verbs.h"
#include "source/pt/input/read.h"
#include "source/pt/trace/packets.h"

struct options {
	bool has_pt;
	struct fargs_id_set cpus;
};

static int write_text(void *arg, const char *text, size_t bytes)
{
	return fwrite(text, 1, bytes, stdout) == bytes ? 0 : -errno;
}

static int dump_stream(const struct fargs_pt_input *in, const struct fargs_pt_stream *s,
		       uint64_t *nr_errors)
{
	if (s->cpu != UINT32_MAX)
		printf("# CPU %u\n", s->cpu);
	else
		printf("# thread %d\n", s->tid);
	return fargs_pt_packets_dump(&in->config, s, write_text, NULL, nr_errors);
}

static int dump(const struct options *o, const char *path, struct fargs_pt_input *in)
{
	struct fargs_error_text err = { "" };
	uint64_t nr_errors = 0;
	unsigned int nr = 0;
	int ret = 0;
	size_t i;

	if (fargs_pt_read(in, path, NULL, &err))
		return cmd_fail("%s", err.text);
	for (i = 0; !ret && i < in->nr_streams; i++) {
		if (!fargs_id_set_allows(&o->cpus, in->streams[i].cpu))
			continue;
		nr++;
		ret = dump_stream(in, &in->streams[i], &nr_errors);
	}
	if (!ret && fflush(stdout))
		ret = -errno;
	if (ret == -ENOMEM)
		return cmd_fail("out of memory");
	if (ret)
		return cmd_fail("cannot write: %s", strerror(-ret));
	if (o->cpus.nr && !nr)
		return cmd_fail("'%s' has no trace of CPU %u", path,
				fargs_id_set_last(&o->cpus));
	if (nr_errors)
		fprintf(stderr, "fargs: places in the trace with unknown packets: %llu\n",
			(unsigned long long)nr_errors);
	cmd_report_pt_gaps(in);
	return 0;
}

static int take_cpu(void *to, const char *value, struct fargs_error_text *err)
{
	struct options *o = to;

	return fargs_id_set_add(&o->cpus, value, UINT16_MAX, "a CPU", err);
}

static int run(int argc, char **argv)
{
	struct options o = { };
	struct fargs_operands operands;
	struct fargs_pt_input in;
	enum fargs_parsed parsed;
	const char *path;
	int status;

	parsed = fargs_options_parse(&fargs_verb_dump, &o, argc, argv, &operands);
	if (parsed != FARGS_PARSED)
		return parsed == FARGS_PARSED_WRONG;
	if (!o.has_pt)
		return cmd_usage_fail("dump", "nothing to print: give '--pt'");
	path = fargs_operands_file(&operands, &fargs_verb_dump, "no file is given");
	if (!path)
		return 1;
	fargs_pt_input_init(&in);
	status = dump(&o, path, &in);
	fargs_pt_input_deinit(&in);
	return status;
}

static const struct fargs_option options[] = {
	{ 0, "pt", NULL, "print packets", FARGS_OPTION_SETS(struct options, has_pt) },
	{ 'C', "cpu", "LIST", "only packets of these CPUs, like 0-3,8", FARGS_OPTION_UNNAMED,
	  .offer = FARGS_OFFER_CPUS, .take = take_cpu },
	{ 'h', "help", NULL, "print this help", .kind = FARGS_OPTION_HELP },
	FARGS_OPTION_END
};

static const struct fargs_option_group groups[] = {
	{ "Options", .options = options },
	{ }
};

const struct fargs_verb fargs_verb_dump = {
	.name = "dump",
	.what = "show the packets of an Intel PT trace",
	.usage = "--pt [OPTION...] FILE",
	.about = "Prints the packets of an Intel PT trace, each with its offset in the trace of\n"
		 "its CPU. FILE was written by fargs record --pt or perf record -e intel_pt//.",
	.groups = groups,
	.run = run,
};
