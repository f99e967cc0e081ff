// SPDX-License-Identifier: GPL-2.0-only
#include "cmd/capture_verb.h"

#include "cmd/capture_screen.h"
#include "cmd/screen/cmd.h"

static int capture(const struct fargs_capture_verb *verb, const struct fargs_capture_options *o,
		   void *arg)
{
	struct fargs_capture_screen screen = { .options = o, .is_taken = verb->has_screen };
	const struct fargs_capture_hooks hooks = fargs_capture_screen_hooks(&screen);
	int status, ret;

	verb->set_options(arg, o);
	ret = fargs_capture_run(&o->request, &verb->output, arg, &hooks, &status);
	return ret && !status ? 1 : status;
}

static int run(const struct fargs_capture_verb *verb, const struct fargs_capture_options *o,
	       void *arg)
{
	if (verb->is_output_needed && !o->output)
		return cmd_usage_fail(o->verb, "no output file is given: give one with '-o'");
	if (!verb->is_output_needed && o->request.flight.is_on)
		return cmd_usage_fail(o->verb, "'--flight' is only for 'fargs record'");
	if (verb->is_output_needed && o->has_zeros)
		return cmd_usage_fail(o->verb, "'--zeros': a file always has all members: give the "
				      "option to 'fargs report'");
	return capture(verb, o, arg);
}

int fargs_capture_verb_run(const struct fargs_capture_verb *verb, int argc, char **argv, void *arg)
{
	struct fargs_capture_options o;
	enum fargs_parsed parsed = fargs_capture_options_init(&o, verb->verb, argc, argv);
	int status = parsed == FARGS_PARSED ? run(verb, &o, arg) : parsed == FARGS_PARSED_WRONG;

	fargs_capture_options_deinit(&o);
	return status;
}
