/* SPDX-License-Identifier: GPL-2.0-only */
/* Finds the addresses of all functions that ftrace can trace, for tests that trace all of them. */
#ifndef FARGS_SELFTESTS_FUNCTIONS_H
#define FARGS_SELFTESTS_FUNCTIONS_H

#include "session.h"

struct functions {
	uint64_t *addrs;	/* ascending */
	uint32_t nr;
};

static inline int functions_compare_names(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

static inline int functions_compare_addrs(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return x < y ? -1 : x > y;
}

/* Reads the names of all functions that ftrace can trace, and sorts them. Returns their number. */
static inline uint32_t functions_names(char ***names)
{
	FILE *file = fopen("/sys/kernel/tracing/available_filter_functions", "re");
	uint32_t nr = 0, room = 1 << 16;
	char line[1024], name[512];

	must(file ? 0 : -errno, "available_filter_functions");
	*names = malloc(room * sizeof(**names));
	while (*names && fgets(line, sizeof(line), file)) {
		if (sscanf(line, "%511s", name) != 1)
			continue;
		if (nr == room)
			*names = realloc(*names, (room *= 2) * sizeof(**names));
		if (*names)
			(*names)[nr++] = strdup(name);
	}
	must(*names ? 0 : -ENOMEM, "available_filter_functions");
	fclose(file);
	qsort(*names, nr, sizeof(**names), functions_compare_names);
	return nr;
}

/*
 * Finds all symbols whose names ftrace lists. If several symbols have the same name, ftrace may not
 * be able to trace all of them: ADD with FARGS_ADD_SKIP skips those.
 */
static inline void functions_find(struct functions *f)
{
	const char *at = symbols_text(), *end;
	char type, line[512], name[512], *key = name, **names;
	uint32_t nr_names = functions_names(&names), room = 1 << 16, i, nr = 0;
	unsigned long long addr;

	f->nr = 0;
	f->addrs = malloc(room * sizeof(*f->addrs));
	for (; f->addrs && *at && (end = strchr(at, '\n')); at = end + 1) {
		/*
		 * Copy each line, because sscanf() looks for the end of the whole text in each
		 * call.
		 */
		snprintf(line, sizeof(line), "%.*s", (int)(end - at), at);
		if (sscanf(line, "%llx %c %511s", &addr, &type, name) != 3 ||
		    !strchr("tTwW", type) ||
		    !bsearch(&key, names, nr_names, sizeof(*names), functions_compare_names))
			continue;
		if (f->nr == room)
			f->addrs = realloc(f->addrs, (room *= 2) * sizeof(*f->addrs));
		if (f->addrs)
			f->addrs[f->nr++] = addr;
	}
	must(f->addrs ? 0 : -ENOMEM, "/proc/kallsyms");
	qsort(f->addrs, f->nr, sizeof(*f->addrs), functions_compare_addrs);
	for (i = 0; i < f->nr; i++) {
		if (!nr || f->addrs[i] != f->addrs[nr - 1])
			f->addrs[nr++] = f->addrs[i];
	}
	f->nr = nr;
	for (i = 0; i < nr_names; i++)
		free(names[i]);
	free(names);
}

#endif
