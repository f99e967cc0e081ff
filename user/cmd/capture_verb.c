// SPDX-License-Identifier: GPL-2.0-only
#include "cmd/capture_verb.h"

#include "cmd/screen/cmd.h"

static int run(const struct fargs_capture_verb *verb, const struct fargs_capture_options *o,
	       void *arg)
{
	if (o->is_help) {
		verb->print_help();
		return 0;
	}
	if (verb->is_output_needed && !o->output)
		return cmd_usage_fail(o->verb, "where to? Give a file with -o");
	if (!verb->is_output_needed && o->flight.is_on)
		return cmd_usage_fail(o->verb, "--flight is for fargs record");
	if (verb->is_output_needed && o->has_zeros)
		return cmd_usage_fail(o->verb, "a file holds all there is: give --zeros to report");
	return fargs_capture_run(o, &verb->sink, arg);
}

int fargs_capture_verb_run(const struct fargs_capture_verb *verb, int argc, char **argv, void *arg)
{
	struct fargs_capture_options o;
	int status = fargs_capture_options_init(&o, argc, argv);

	if (!status)
		status = run(verb, &o, arg);
	fargs_capture_options_deinit(&o);
	return status;
}
