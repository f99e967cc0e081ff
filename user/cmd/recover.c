// SPDX-License-Identifier: GPL-2.0-only
/*
 * fargs recover: makes a complete trace file from a truncated one.
 */
#include "cmd/screen/cmd.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

#include "cmd/verbs.h"
#include "file/recover.h"

static int recover_file(const char *path, const char *out)
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

struct options {
	const char *out;	/* NULL: not given */
};

static int run(int argc, char **argv)
{
	struct fargs_operands operands;
	struct options o = { };
	enum fargs_parsed parsed;
	const char *path;

	parsed = fargs_options_parse(&fargs_verb_recover, &o, argc, argv, &operands);
	if (parsed != FARGS_PARSED)
		return parsed == FARGS_PARSED_WRONG;
	path = fargs_operands_file(&operands, &fargs_verb_recover, "no trace file is given");
	return path ? recover_file(path, o.out) : 1;
}

static const struct fargs_option options[] = {
	{ 'o', "output", "OUT", "where to, replaced if it is there; else FILE.recovered, which "
	  "must not be there",
	  .offer = FARGS_OFFER_FILES, FARGS_OPTION_KEEPS(struct options, out) },
	{ 'h', "help", NULL, "print this", .kind = FARGS_OPTION_HELP },
	FARGS_OPTION_END
};

static const struct fargs_option_group groups[] = {
	{ "Options", .options = options },
	{ }
};

const struct fargs_verb fargs_verb_recover = {
	.name = "recover",
	.what = "make a file whole that was cut off",
	.usage = "[OPTION...] FILE",
	.about = "Writes a whole trace file from one whose recording was killed, or that was\n"
		 "damaged. FILE stays as it is. fargs report and info read it without that, too.",
	.groups = groups,
	.run = run,
};
