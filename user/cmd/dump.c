// SPDX-License-Identifier: GPL-2.0-only
/* fargs dump: what a file holds, byte by byte. */
#include "cmd/screen/cmd.h"

#include <errno.h>
#include <getopt.h>
#include <stdbool.h>
#include <string.h>

#include "source/pt/decode/packets.h"
#include "source/pt/input/read.h"

struct options {
	bool has_pt;
	bool is_one_cpu;
	uint32_t cpu;
};

static void print_help(void)
{
	printf("Usage: fargs dump --pt [OPTION]... FILE\n"
	       "Print the packets of an Intel PT trace, each with its offset in the trace of its CPU.\n"
	       "FILE is one of fargs record --pt or perf record -e intel_pt//.\n"
	       "\n"
	       "      --pt        packets\n"
	       "  -C, --cpu CPU   only those of this CPU\n"
	       "  -h, --help      print this\n");
}

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
		if (o->is_one_cpu && in->streams[i].cpu != o->cpu)
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
	if (o->is_one_cpu && !nr)
		return cmd_fail("%s: it holds no trace of CPU %u", path, o->cpu);
	if (nr_errors)
		fprintf(stderr, "fargs: %llu places in the trace hold no packets that are known\n",
			(unsigned long long)nr_errors);
	return 0;
}

int cmd_dump(int argc, char **argv)
{
	static const struct option options[] = {
		{ "cpu", required_argument, NULL, 'C' },
		{ "pt", no_argument, NULL, 'p' },
		{ "help", no_argument, NULL, 'h' },
		{ }
	};
	struct options o = { };
	struct fargs_pt_input in;
	int opt, status;

	opterr = 0;
	optind = 1;
	while ((opt = getopt_long(argc, argv, ":C:h", options, NULL)) != -1) {
		switch (opt) {
		case 'C':
			if (cmd_take_cpu("dump", optarg, &o.cpu))
				return 1;
			o.is_one_cpu = true;
			break;
		case 'p':
			o.has_pt = true;
			break;
		case 'h':
			print_help();
			return 0;
		default:
			return cmd_bad_option("dump", opt, argv);
		}
	}
	if (!o.has_pt)
		return cmd_usage_fail("dump", "say what to print: --pt");
	if (optind == argc)
		return cmd_usage_fail("dump", "no file is given");
	if (optind + 1 < argc)
		return cmd_usage_fail("dump", "one file at a time: '%s' is too much",
				      argv[optind + 1]);
	fargs_pt_input_init(&in);
	status = dump(&o, argv[optind], &in);
	fargs_pt_input_deinit(&in);
	return status;
}
