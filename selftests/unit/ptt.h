/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * libipt's conformance tests of each Debian release (selftests/ptt/prepare), the expected outputs
 * of its ptdump and ptxed, and the list of those that fargs does not print.
 */
#ifndef SELFTESTS_PTT_H
#define SELFTESTS_PTT_H

#include <ctype.h>
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/file.h"
#include "source/pt/decode/libipt/version.h"
#include "unit/ktap.h"

#define PTT_PREPARE	"selftests/ptt/prepare"
#define PTT_LIST	"Documentation/pt-conformance.md"

/* Tests of a release: version "-" if there are none, and @dir is the reason. */
struct ptt_release {
	char name[32];
	char version[32];
	char dir[256];
};

#define PTT_RELEASES	4

/* Fills in @all. Returns the number of releases; 0: the test has failed. */
static size_t ptt_releases(struct ptt_release all[PTT_RELEASES])
{
	FILE *out = popen(PTT_PREPARE, "r");
	size_t nr = 0;

	while (out && nr < PTT_RELEASES &&
	       fscanf(out, "%31s %31s %255[^\n]", all[nr].name, all[nr].version, all[nr].dir) == 3)
		nr++;
	if (!out || pclose(out) || !nr) {
		ktap_fail(__FILE__, __LINE__, PTT_PREPARE " fails");
		return 0;
	}
	return nr;
}

/*
 * Replaces each run of blanks in a text by one blank, and removes blanks at line ends and empty
 * lines.
 */
static void ptt_squeeze(char *text)
{
	char *to = text, *from;

	for (from = text; *from; from++) {
		bool is_begin = to == text || to[-1] == '\n';

		if (*from == '\r' || (isblank(*from) && (is_begin || isblank(to[-1]))))
			continue;
		if (*from == '\n') {
			while (to > text && isblank(to[-1]))
				to--;
			if (to == text || to[-1] == '\n')
				continue;
		}
		*to++ = isblank(*from) ? ' ' : *from;
	}
	*to = '\0';
}

/* An expected output: TEST-ptdump.exp or TEST-ptdump-cpu_FAMILY_MODEL.exp. */
struct ptt_expected {
	char test[256];		/* path of the test's files, without the suffix */
	const char *name;
	unsigned int family, model;
	char *text;
	char *source;		/* source of the test */
};

static bool ptt_open(struct ptt_expected *e, const char *path, const char *tool)
{
	char suffix[32], file[300];
	const char *at;
	size_t size;

	memset(e, 0, sizeof(*e));
	snprintf(suffix, sizeof(suffix), "-%s", tool);
	at = strrchr(path, '/');
	/* The name of a test may contain that of the tool. */
	while (at && strstr(at + 1, suffix))
		at = strstr(at + 1, suffix);
	if (!at || at - path >= (long)sizeof(e->test))
		return false;
	memcpy(e->test, path, at - path);
	e->name = strrchr(e->test, '/') + 1;
	sscanf(at + strlen(suffix), "-cpu_%u_%u.exp", &e->family, &e->model);
	e->text = fargs_file_read(path, &size);
	snprintf(file, sizeof(file), "%s.ptt", e->test);
	e->source = fargs_file_read(file, &size);
	if (e->text)
		ptt_squeeze(e->text);
	return e->text && e->source;
}

static void ptt_close(struct ptt_expected *e)
{
	free(e->text);
	free(e->source);
}

/*
 * Returns whether a newer release, whose tests of this kind are in @newer, expects another output
 * than the file @path: then libipt has corrected it. @newer is empty for the newest release.
 */
static bool ptt_is_changed(const char *path, const char *newer)
{
	char *ours, *theirs, file[400];
	bool is_changed;
	size_t size;

	snprintf(file, sizeof(file), "%s%s", newer, strrchr(path, '/'));
	theirs = *newer ? fargs_file_read(file, &size) : NULL;
	ours = theirs ? fargs_file_read(path, &size) : NULL;
	is_changed = ours && strcmp(ours, theirs);
	free(ours);
	free(theirs);
	return is_changed;
}

/*
 * The tests of one tool in the list, each a name in the first column of a table. The second column
 * is the tool, which may be followed by "by" and the kind of decoding. Tables below the line with
 * "need a newer libipt" are for libipt 2.0 only.
 */
struct ptt_list {
	char *text;
	char *numbers;		/* the line with the numbers of equal outputs; NULL: none */
	struct {
		const char *name;
		unsigned int nr_different;
	} tests[256];
	size_t nr;
};

static void ptt_list_add_row(struct ptt_list *list, char *row, const char *tool, const char *by)
{
	char *bar = strchr(row, '|'), *name, *save, its_tool[16], its_by[16] = "";

	if (!bar || sscanf(bar + 1, "%15s by %15s", its_tool, its_by) < 1 ||
	    strcmp(its_tool, tool) || (*its_by && strcmp(its_by, by)))
		return;
	*bar = '\0';
	for (name = strtok_r(row, " `", &save); name; name = strtok_r(NULL, " `", &save))
		if (list->nr < sizeof(list->tests) / sizeof(list->tests[0]))
			list->tests[list->nr++].name = name;
}

static bool ptt_list_read(struct ptt_list *list, const char *tool, const char *by)
{
	const struct pt_version version = pt_library_version();
	bool is_for_old = false;
	char *line, *save, start[32];
	size_t size;

	memset(list, 0, sizeof(*list));
	snprintf(start, sizeof(start), "| libipt %u.%u", version.major, version.minor);
	list->text = fargs_file_read(PTT_LIST, &size);
	for (line = list->text ? strtok_r(list->text, "\n", &save) : NULL; line;
	     line = strtok_r(NULL, "\n", &save)) {
		if (!strncmp(line, start, strlen(start)))
			list->numbers = line;
		is_for_old |= !!strstr(line, "need a newer libipt");
		if (!strncmp(line, "| `", 3) && (!is_for_old || !fargs_pt_libipt_is(2, 1)))
			ptt_list_add_row(list, line + 2, tool, by);
	}
	return list->text;
}

/* Checks the numbers of the list, which are those of the tests of 2.1.2. */
static void ptt_list_check(const struct ptt_list *list, const struct ptt_release *release,
			   unsigned int nr_same, unsigned int nr)
{
	char numbers[32];

	snprintf(numbers, sizeof(numbers), "| %u of %u |", nr_same, nr);
	if (!strncmp(release->version, "2.1.2-", 6) && list->numbers &&
	    !strstr(list->numbers, numbers))
		ktap_fail(__FILE__, __LINE__, PTT_LIST " does not have %s in %s", numbers,
			  list->numbers);
}

/* Returns whether the list has the test, with whose expected output fargs differs. */
static bool ptt_list_note(struct ptt_list *list, const char *name)
{
	size_t i;

	for (i = 0; i < list->nr; i++) {
		if (strcmp(list->tests[i].name, name))
			continue;
		list->tests[i].nr_different++;
		return true;
	}
	return false;
}

/* Frees the list. If it @is_checked, fails for each test that does not need to be in it. */
static void ptt_list_close(struct ptt_list *list, bool is_checked)
{
	size_t i;

	for (i = 0; i < list->nr; i++)
		if (is_checked && !list->tests[i].nr_different)
			ktap_fail(__FILE__, __LINE__, "%s is in " PTT_LIST
				  ", but there is no difference", list->tests[i].name);
	free(list->text);
}

#endif
