// SPDX-License-Identifier: GPL-2.0-only
/*
 * fargs: traces kernel functions with their arguments. Dispatches to the verbs.
 */
#include <stdio.h>
#include <string.h>

#include "base/near.h"
#include "cmd/screen/cmd.h"
#include "cmd/verbs.h"
#include "source/pt/decode/libipt/version.h"

static const struct fargs_verb *const verbs[] = {
	&fargs_verb_list, &fargs_verb_trace, &fargs_verb_top, &fargs_verb_record,
	&fargs_verb_report, &fargs_verb_export, &fargs_verb_inject, &fargs_verb_dump,
	&fargs_verb_info, &fargs_verb_recover, &fargs_verb_check,
};

#define NR_VERBS	(sizeof(verbs) / sizeof(verbs[0]))

static const struct fargs_verb *find_verb(const char *name)
{
	size_t i;

	for (i = 0; i < NR_VERBS; i++)
		if (!strcmp(name, verbs[i]->name))
			return verbs[i];
	return NULL;
}

static int print_overview(void)
{
	size_t i;

	puts("Usage: fargs VERB [OPTION...]\n"
	     "Traces kernel functions with their arguments.\n");
	for (i = 0; i < NR_VERBS; i++)
		printf("  %-8s %s\n", verbs[i]->name, verbs[i]->what);
	puts("\n"
	     "See fargs help VERB or fargs-VERB(1) for more; fargs version prints the version.\n"
	     "An example:\n\n"
	     "  fargs trace -f vfs_read -- cat /etc/hostname");
	return 0;
}

static int fail_unknown(const char *name)
{
	struct fargs_near near = { .wanted = name };
	char names[64];
	size_t i;

	for (i = 0; i < NR_VERBS; i++)
		fargs_near_offer(&near, verbs[i]->name);
	fargs_near_offer(&near, "help");
	fargs_near_offer(&near, "version");
	fargs_near_text(&near, names, sizeof(names));
	if (near.nr)
		return cmd_fail("there is no verb '%s': did you mean %s?", name, names);
	return cmd_fail("there is no verb '%s': see 'fargs --help'", name);
}

/* The output includes the version of libipt, because decoded traces depend on it. */
static int print_version(void)
{
	char libipt[FARGS_PT_LIBIPT_TEXT];

	puts("fargs " FARGS_VERSION);
	printf("libipt %s\n", fargs_pt_libipt_text(libipt));
	return 0;
}

/* Handles "help" and "help VERB"; and "help --tables" for user/completion/generate.pl. */
static int run_help(int argc, char **argv)
{
	const struct fargs_verb *verb;
	size_t i;

	if (argc < 2 || !strcmp(argv[1], "--help") || !strcmp(argv[1], "-h"))
		return print_overview();
	if (argc > 2)
		return cmd_usage_fail("help", "only one verb can be given: unexpected argument "
				      "'%s'", argv[2]);
	if (!strcmp(argv[1], "--tables")) {
		for (i = 0; i < NR_VERBS; i++)
			fargs_options_dump(verbs[i]);
		return 0;
	}
	verb = find_verb(argv[1]);
	if (!verb)
		return fail_unknown(argv[1]);
	fargs_options_help(verb);
	return 0;
}

int main(int argc, char **argv)
{
	const struct fargs_verb *verb;

	if (argc < 2)
		return cmd_fail("no verb is given: see 'fargs --help'");
	if (!strcmp(argv[1], "--help") || !strcmp(argv[1], "-h"))
		return print_overview();
	if (!strcmp(argv[1], "--version") || !strcmp(argv[1], "-V") || !strcmp(argv[1], "version"))
		return print_version();
	if (!strcmp(argv[1], "help"))
		return run_help(argc - 1, argv + 1);
	verb = find_verb(argv[1]);
	return verb ? verb->run(argc - 1, argv + 1) : fail_unknown(argv[1]);
}
