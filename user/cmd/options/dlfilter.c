// SPDX-License-Identifier: GPL-2.0-only
#include "cmd/options/dlfilter.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/put.h"
#include "cmd/screen/cmd.h"
#include "plugin/dlfilter/find.h"
#include "plugin/dlfilter/guard.h"

/* Width of the column of names, as in the output of perf script --list-dlfilters. */
#define NAME_WIDTH	36

void fargs_dlfilter_options_deinit(struct fargs_dlfilter_options *o)
{
	fargs_dlfilters_destroy(o->filters);
	o->filters = NULL;
}

static int create(struct fargs_dlfilter_options *o)
{
	if (!o->filters)
		o->filters = fargs_dlfilters_create();
	return o->filters ? 0 : -ENOMEM;
}

static int take_filter(void *to, const char *value, struct fargs_error_text *err)
{
	struct fargs_dlfilter_options *o = to;

	return create(o) || fargs_dlfilters_add(o->filters, value) ? -ENOMEM : 0;
}

static int take_arg(void *to, const char *value, struct fargs_error_text *err)
{
	struct fargs_dlfilter_options *o = to;

	return create(o) || fargs_dlfilters_add_arg(o->filters, value) ? -ENOMEM : 0;
}

const struct fargs_option fargs_dlfilter_option_table[] = {
	{ 0, "dlfilter", "FILE.so", "filter events with this dlfilter (perf-dlfilter(1)); several "
	  "are applied in the order given", FARGS_OPTION_REPEATS,
	  .offer = FARGS_OFFER_DLFILTERS, .take = take_filter },
	{ 0, "dlarg", "TEXT", "an argument for the preceding dlfilter", FARGS_OPTION_REPEATS,
	  .take = take_arg },
	{ 0, "list-dlfilters", NULL, "list available dlfilters",
	  FARGS_OPTION_SETS(struct fargs_dlfilter_options, is_list) },
	FARGS_OPTION_END
};

bool fargs_dlfilter_options_lacks_filter(const struct fargs_dlfilter_options *o)
{
	return o->filters && !fargs_dlfilters_nr(o->filters);
}

struct fargs_dlfilters *fargs_dlfilter_options_get(const struct fargs_dlfilter_options *o)
{
	return o->filters;
}

/* If a filter ended the process by exit(), reports that the output is incomplete. */
static void print_exit_hint(void)
{
	if (fargs_guard_is_running())
		cmd_fail("a dlfilter called exit(): the output is incomplete");
}

int fargs_dlfilter_options_start(struct fargs_dlfilter_options *o)
{
	struct fargs_error_text err, ignored;

	if (!o->filters)
		return 0;
	atexit(print_exit_hint);
	if (!fargs_dlfilters_start(o->filters, &err))
		return 0;
	/* Stop those filters that were started before another one failed to start. */
	fargs_dlfilters_stop(o->filters, &ignored);
	fflush(stdout);
	return cmd_fail("%s", err.text);
}

int fargs_dlfilter_options_stop(struct fargs_dlfilter_options *o, int status)
{
	struct fargs_error_text err;

	if (!o->filters)
		return status;
	if (fargs_dlfilters_stop(o->filters, &err))
		status = cmd_fail("%s", err.text);
	errno = 0;
	/* Report only the first error. A trace with errors, whose status is 2, is none. */
	if ((fflush(stdout) || ferror(stdout)) && status != 1)
		status = cmd_fail("cannot write: %s", strerror(errno ? errno : EIO));
	return status;
}

static int is_library(const struct dirent *entry)
{
	size_t n = strlen(entry->d_name);

	return entry->d_type != DT_DIR && n > 3 && !strcmp(entry->d_name + n - 3, ".so");
}

/* Prints each line of @text, indented to the column of descriptions. */
static void print_long(char *text)
{
	char *line;

	while (text && (line = strsep(&text, "\n"))) {
		printf("%*s", NAME_WIDTH + 3, "");
		fargs_print_escaped(stdout, line);
		putchar('\n');
	}
}

static void list(const char *dir, const char *name)
{
	char *path, *text, *long_text;
	int width;

	if (asprintf(&path, "%s/%s", dir, name) < 0)
		return;
	if (!fargs_dlfilter_describe(path, &text, &long_text)) {
		fputs("  ", stdout);
		fargs_print_escaped(stdout, name);
		width = NAME_WIDTH - (int)strlen(name);
		if (text) {
			printf("%*s ", width > 0 ? width : 0, "");
			fargs_print_escaped(stdout, text);
		}
		putchar('\n');
		print_long(long_text);
		free(text);
		free(long_text);
	}
	free(path);
}

static void list_dir(const char *dir)
{
	struct dirent **entries;
	int nr = scandir(dir, &entries, is_library, alphasort), i;

	for (i = 0; i < nr; i++) {
		list(dir, entries[i]->d_name);
		free(entries[i]);
	}
	if (nr >= 0)
		free(entries);
}

int fargs_dlfilter_options_list(void)
{
	const char *dir;
	size_t i;

	printf("List of available dlfilters:\n");
	list_dir(".");
	for (i = 0; (dir = fargs_dlfilter_dir(i)); i++)
		list_dir(dir);
	return 0;
}
