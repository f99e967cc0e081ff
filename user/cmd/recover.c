// SPDX-License-Identifier: GPL-2.0-only
/*
 * fargs recover: makes a complete trace file from a truncated one.
 */
#include "base/plural.h"
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
		fprintf(stderr, "fargs: '%s' is complete: there is nothing to recover\n", path);
	else
		fprintf(stderr, "fargs: '%s': recovered %" PRIu64 " chunk%s, up to byte %" PRIu64
			", into '%s' (%" PRIu64 " bytes); bytes outside complete chunks: %" PRIu64
			"\n", path, found.nr_chunks, fargs_plural(found.nr_chunks), found.end,
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
	{ 'o', "output", "OUT", "write to OUT, replacing an existing file (default: "
	  "FILE.recovered, which must not exist)",
	  .offer = FARGS_OFFER_FILES, FARGS_OPTION_KEEPS(struct options, out) },
	{ 'h', "help", NULL, "print this help", .kind = FARGS_OPTION_HELP },
	FARGS_OPTION_END
};

static const struct fargs_option_group groups[] = {
	{ "Options", .options = options },
	{ }
};

const struct fargs_verb fargs_verb_recover = {
	.name = "recover",
	.what = "recover a truncated or damaged file",
	.usage = "[OPTION...] FILE",
	.about = "Writes a complete trace file from one that was damaged or whose recording was\n"
		 "killed. FILE is not changed. fargs report and info can also read it as it is.",
	.groups = groups,
	.run = run,
};
