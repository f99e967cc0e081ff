// SPDX-License-Identifier: GPL-2.0-only
/* fargs recover: a whole trace file from one that was cut off. */
#include "cmd/screen/cmd.h"

#include <getopt.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

#include "file/recover.h"

static void print_help(void)
{
	printf("Usage: fargs recover [-o OUT] FILE\n"
	       "Write a whole trace file from one whose recording was killed, or that was damaged.\n"
	       "FILE stays as it is. fargs report and info read it without that, too.\n"
	       "\n"
	       "  -o, --output OUT  where to, replaced if it is there; else FILE.recovered, which\n"
	       "                    must not be there\n"
	       "  -h, --help        print this\n");
}

static int run(const char *path, const char *out)
{
	struct fargs_recovery found;
	struct fargs_error_text err;
	char *name = NULL;
	int ret;

	if (!out && asprintf(&name, "%s.recovered", path) < 0)
		return cmd_fail("out of memory");
	ret = fargs_recover(path, out ? out : name, !out, &found, &err);
	if (ret)
		cmd_fail("%s", err.text);
	else if (found.was_whole)
		fprintf(stderr, "fargs: %s is whole: there is nothing to recover\n", path);
	else
		fprintf(stderr, "fargs: %s: %" PRIu64 " chunks, up to byte %" PRIu64
			", are in %s (%" PRIu64 " bytes); %" PRIu64
			" bytes were not whole chunks\n", path, found.nr_chunks, found.end,
			out ? out : name, found.bytes, found.left_out);
	free(name);
	return ret != 0;
}

int cmd_recover(int argc, char **argv)
{
	static const struct option options[] = {
		{ "output", required_argument, NULL, 'o' },
		{ "help", no_argument, NULL, 'h' },
		{ }
	};
	const char *out = NULL;
	int opt;

	opterr = 0;
	optind = 1;
	while ((opt = getopt_long(argc, argv, ":o:h", options, NULL)) != -1) {
		switch (opt) {
		case 'o':
			out = optarg;
			break;
		case 'h':
			print_help();
			return 0;
		default:
			return cmd_bad_option("recover", opt, argv);
		}
	}
	if (optind == argc)
		return cmd_usage_fail("recover", "no trace file is given");
	if (optind + 1 < argc)
		return cmd_usage_fail("recover", "one file at a time: '%s' is too much",
				      argv[optind + 1]);
	return run(argv[optind], out);
}
