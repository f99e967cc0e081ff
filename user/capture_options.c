// SPDX-License-Identifier: GPL-2.0-only
#include "capture_options.h"

#include <getopt.h>
#include <string.h>

#include "cmd.h"
#include "util/error.h"
#include "util/size.h"

/* The filters in the order of enum fargs_call_filter. */
enum { OPT_BTF = 256, OPT_COMM, OPT_CPU, OPT_PID, OPT_TID, OPT_UID,
	OPT_MIN_DURATION, OPT_MAXACTIVE, OPT_STACK };

static int take_call_option(struct fargs_capture_options *o, int opt, const char *name)
{
	struct fargs_error_text err;
	int ret;

	if (opt == 's')
		ret = fargs_call_options_set_bytes(&o->calls, optarg, &err);
	else if (opt == 'D')
		ret = fargs_call_options_set_deref(&o->calls, optarg, &err);
	else if (opt == OPT_STACK)
		ret = fargs_call_options_set_stack(&o->calls, optarg, &err);
	else
		ret = fargs_call_options_add(&o->calls, opt - OPT_COMM, optarg, &err);
	return ret ? cmd_usage_fail(o->verb, "%s: %s", name, err.text) : 0;
}

static int take_maxactive(struct fargs_capture_options *o)
{
	struct fargs_error_text err;
	uint64_t nr;

	if (fargs_size_parse(optarg, &nr, &err) || !nr || nr > INT32_MAX)
		return cmd_usage_fail(o->verb, "--maxactive: '%s' is not a number of calls",
				      optarg);
	o->maxactive = nr;
	return 0;
}

static int parse(struct fargs_capture_options *o, int argc, char **argv)
{
	static const struct option longs[] = {
		{ "all", no_argument, NULL, 'a' },
		{ "btf", required_argument, NULL, OPT_BTF },
		{ "comm", required_argument, NULL, OPT_COMM },
		{ "cpu", required_argument, NULL, OPT_CPU },
		{ "deref", required_argument, NULL, 'D' },
		{ "graph", no_argument, NULL, 'g' },
		{ "help", no_argument, NULL, 'h' },
		{ "maxactive", required_argument, NULL, OPT_MAXACTIVE },
		{ "min-duration", required_argument, NULL, OPT_MIN_DURATION },
		{ "output", required_argument, NULL, 'o' },
		{ "pid", required_argument, NULL, OPT_PID },
		{ "size", required_argument, NULL, 's' },
		{ "stack", optional_argument, NULL, OPT_STACK },
		{ "tid", required_argument, NULL, OPT_TID },
		{ "uid", required_argument, NULL, OPT_UID },
		{ "verbose", no_argument, NULL, 'v' },
		{ }
	};
	struct fargs_error_text err;
	int opt, ret = 0;

	opterr = 0;
	while (!ret && (opt = getopt_long(argc, argv, "+:f:n:agm:o:s:D:vh", longs, NULL)) != -1) {
		switch (opt) {
		case 'f':
			ret = fargs_list_add(&o->wanted, optarg);
			break;
		case 'n':
			ret = fargs_list_add(&o->unwanted, optarg);
			break;
		case 'a':
			o->has_all = true;
			break;
		case 'g':
			o->calls.is_graph = true;
			break;
		case 'm':
			if (fargs_size_parse(optarg, &o->ring_bytes, &err))
				return cmd_usage_fail(o->verb, "-m: %s", err.text);
			if (!o->ring_bytes)
				return cmd_usage_fail(o->verb, "-m: a buffer of 0 is impossible");
			break;
		case 'o':
			o->output = optarg;
			break;
		case OPT_BTF:
			ret = fargs_list_add(&o->btf, optarg);
			break;
		case 's':
		case 'D':
		case OPT_COMM ... OPT_MIN_DURATION:
		case OPT_STACK:
			if (take_call_option(o, opt, argv[optind - 1] == optarg ? argv[optind - 2] :
					     argv[optind - 1]))
				return 1;
			break;
		case OPT_MAXACTIVE:
			if (take_maxactive(o))
				return 1;
			break;
		case 'v':
			o->is_verbose = true;
			break;
		case 'h':
			o->is_help = true;
			return 0;
		default:
			return cmd_bad_option(o->verb, opt, argv);
		}
	}
	return ret ? cmd_fail("no memory for options") : 0;
}

int fargs_capture_options_init(struct fargs_capture_options *o, int argc, char **argv)
{
	struct fargs_error_text err;

	memset(o, 0, sizeof(*o));
	o->verb = argv[0];
	o->argv = argv;
	if (parse(o, argc, argv))
		return 1;
	if (o->is_help)
		return 0;
	if (fargs_call_options_finish(&o->calls, &err))
		return cmd_usage_fail(o->verb, "%s", err.text);

	if (!strcmp(argv[optind - 1], "--")) {
		if (optind == argc)
			return cmd_usage_fail(o->verb, "there is no command behind --");
		o->command = argv + optind;
	} else if (optind < argc) {
		/* Most likely a glob that the shell has expanded. */
		return cmd_usage_fail(o->verb,
				      "what is '%s'? Functions are given with -f (globs in quotes), "
				      "a command behind --", argv[optind]);
	}
	if (!o->wanted.nr)
		return cmd_usage_fail(o->verb, "which functions? Give them with -f");
	if (!o->has_all && !o->command)
		return cmd_usage_fail(o->verb,
				      "whose calls? Give a command behind --, or -a for those of "
				      "all tasks");
	return 0;
}

void fargs_capture_options_deinit(struct fargs_capture_options *o)
{
	fargs_list_deinit(&o->wanted);
	fargs_list_deinit(&o->unwanted);
	fargs_list_deinit(&o->btf);
	fargs_call_options_deinit(&o->calls);
}
