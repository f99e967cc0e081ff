// SPDX-License-Identifier: GPL-2.0-only
/*
 * Counts the calls of each function, and prints the counts at the end.
 *
 *	fargs report --dlfilter calls.so t.fargs		counts calls that fargs recorded
 *	fargs report --itrace=b --dlfilter calls.so t.fargs	counts calls in an Intel PT trace
 *	perf script --itrace=b --dlfilter calls.so		the same with perf
 *
 * A filter must define at least filter_event and a struct perf_dlfilter_fns, which is filled in
 * when the filter is loaded. This filter drops all samples, so that only the counts are printed.
 */
#include <perf/perf_dlfilter.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CHAINS	4096

struct perf_dlfilter_fns perf_dlfilter_fns;

struct function {
	struct function *next;		/* next function of the hash chain */
	unsigned long long calls;
	char name[];
};

static struct function *chains[CHAINS];
static size_t nr_functions;

static struct function **chain_of(const char *name)
{
	unsigned int hash = 5381;

	while (*name)
		hash = hash * 33 + (unsigned char)*name++;
	return &chains[hash % CHAINS];
}

/* Copies @name, since results of the resolve functions are valid only for the current sample. */
static int count(const char *name)
{
	struct function **chain = chain_of(name), *f;

	for (f = *chain; f; f = f->next) {
		if (!strcmp(f->name, name)) {
			f->calls++;
			return 0;
		}
	}
	f = malloc(sizeof(*f) + strlen(name) + 1);
	if (!f)
		return -1;
	strcpy(f->name, name);
	f->calls = 1;
	f->next = *chain;
	*chain = f;
	nr_functions++;
	return 0;
}

/*
 * Is @event the record of a return, "fargs:NAME__return"? With --graph, a call has two records, and
 * must not be counted twice.
 */
static int is_return(const char *event)
{
	const char *end = strstr(event, "__return");

	return end && !end[strlen("__return")];
}

/*
 * Returns the name of the function that the sample calls, or NULL. If the sample is a fargs record,
 * its address is that of the called function. If it is a branch, it is a call if it has the call
 * flag and its target is the start of a function.
 */
static const char *called(const struct perf_dlfilter_sample *sample, void *ctx)
{
	const struct perf_dlfilter_al *al;

	if (!strncmp(sample->event, "fargs:", 6)) {
		if (is_return(sample->event))
			return NULL;
		al = perf_dlfilter_fns.resolve_ip(ctx);
		return al ? al->sym : NULL;
	}
	if (!(sample->flags & PERF_DLFILTER_FLAG_CALL) || !sample->addr_correlates_sym)
		return NULL;
	al = perf_dlfilter_fns.resolve_addr(ctx);
	return al && !al->symoff ? al->sym : NULL;
}

/* Returns 0 to keep the sample, 1 to drop it, or a negative error, which ends the report. */
int filter_event(void *data, const struct perf_dlfilter_sample *sample, void *ctx)
{
	const char *name = called(sample, ctx);

	return name && count(name) ? -1 : 1;
}

static int compare(const void *a, const void *b)
{
	const struct function *x = *(struct function *const *)a, *y = *(struct function *const *)b;

	if (x->calls != y->calls)
		return x->calls < y->calls ? 1 : -1;
	return strcmp(x->name, y->name);
}

int stop(void *data, void *ctx)
{
	struct function **all = malloc((nr_functions + 1) * sizeof(*all)), *f;
	size_t nr = 0, i;

	if (!all)
		return -1;
	for (i = 0; i < CHAINS; i++)
		for (f = chains[i]; f; f = f->next)
			all[nr++] = f;
	qsort(all, nr, sizeof(*all), compare);
	for (i = 0; i < nr; i++)
		printf("%10llu %s\n", all[i]->calls, all[i]->name);
	for (i = 0; i < nr; i++)
		free(all[i]);
	free(all);
	return 0;
}

/* The description is printed by fargs report --list-dlfilters and perf script --list-dlfilters. */
const char *filter_description(const char **long_description)
{
	*long_description = "Prints the number of calls of each function, and no samples.";
	return "Count the calls of each function";
}
