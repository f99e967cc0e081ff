// SPDX-License-Identifier: GPL-2.0-only
#include "source/perf_event/filter.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>

char *fargs_perf_exclude_self(void)
{
	DIR *dir = opendir("/proc/self/task");
	const char *and = "";
	struct dirent *entry;
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	if (!out || !dir) {
		if (out)
			fclose(out);
		if (dir)
			closedir(dir);
		free(text);
		return NULL;
	}
	while ((entry = readdir(dir))) {
		if (entry->d_name[0] == '.')
			continue;
		fprintf(out, "%scommon_pid != %s", and, entry->d_name);
		and = " && ";
	}
	closedir(dir);
	if (fclose(out)) {
		free(text);
		return NULL;
	}
	return text;
}

char *fargs_perf_join_filters(const char *const *filters, size_t nr)
{
	const char *and = "";
	char *text = NULL;
	size_t size, i;
	FILE *out = open_memstream(&text, &size);

	for (i = 0; out && i < nr; i++) {
		if (!filters[i])
			continue;
		fprintf(out, "%s(%s)", and, filters[i]);
		and = " && ";
	}
	if (out && !fclose(out))
		return text;
	free(text);
	return NULL;
}
