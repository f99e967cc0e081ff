// SPDX-License-Identifier: GPL-2.0-only
/*
 * fargs: traces kernel functions with their arguments.
 */
#include <stdio.h>
#include <string.h>

#include "cmd/screen/cmd.h"
#include "source/pt/decode/libipt.h"
#include "base/near.h"

static const struct verb {
	const char *name;
	int (*run)(int argc, char **argv);
	const char *what;
} verbs[] = {
	{ "list", cmd_list, "show what can be traced" },
	{ "trace", cmd_trace, "trace, and show it live" },
	{ "top", cmd_top, "show the busiest functions, as they are called" },
	{ "record", cmd_record, "trace into a file" },
	{ "report", cmd_report, "show a file" },
	{ "export", cmd_export, "write a file in another tool's format" },
	{ "dump", cmd_dump, "show the packets of an Intel PT trace" },
	{ "info", cmd_info, "show what a file holds" },
	{ "recover", cmd_recover, "make a file whole that was cut off" },
	{ "check", cmd_check, "show what this machine can do" },
};

#define NR_VERBS	(sizeof(verbs) / sizeof(verbs[0]))

static int print_overview(void)
{
	size_t i;

	puts("Usage: fargs VERB [OPTION...]\n"
	     "Traces kernel functions with their arguments.\n");
	for (i = 0; i < NR_VERBS; i++)
		printf("  %-8s %s\n", verbs[i].name, verbs[i].what);
	puts("\n"
	     "fargs VERB --help tells more, as does fargs-VERB(1). To begin with:\n\n"
	     "  fargs trace -f vfs_read -- cat /etc/hostname");
	return 0;
}

static int fail_unknown(const char *name)
{
	struct fargs_near near = { .wanted = name };
	char names[64];
	size_t i;

	for (i = 0; i < NR_VERBS; i++)
		fargs_near_offer(&near, verbs[i].name);
	fargs_near_text(&near, names, sizeof(names));
	if (near.nr)
		return cmd_fail("there is no verb '%s': did you mean %s?", name, names);
	return cmd_fail("there is no verb '%s': see fargs --help", name);
}

/* What Intel PT is decoded with decides what is shown of it. */
static int print_version(void)
{
	char libipt[FARGS_PT_LIBIPT_TEXT];

	puts("fargs " FARGS_VERSION);
	printf("libipt %s\n", fargs_pt_libipt_text(libipt));
	return 0;
}

int main(int argc, char **argv)
{
	size_t i;

	if (argc < 2)
		return cmd_fail("a verb is needed: see fargs --help");
	if (!strcmp(argv[1], "--help") || !strcmp(argv[1], "-h"))
		return print_overview();
	if (!strcmp(argv[1], "--version") || !strcmp(argv[1], "-V"))
		return print_version();
	for (i = 0; i < NR_VERBS; i++)
		if (!strcmp(argv[1], verbs[i].name))
			return verbs[i].run(argc - 1, argv + 1);
	return fail_unknown(argv[1]);
}
