// SPDX-License-Identifier: GPL-2.0-only
/* A dlfilter that fails at the third event, or before all events, in the way that FAULT selects. */
#include <limits.h>
#include <perf/perf_dlfilter.h>
#include <stdlib.h>
#include <string.h>

enum { SEGV, ABORT, STACK, NEWER, ERROR, START, STOP, EXIT, DIVIDE };

/* Macros instead of enumerators, because the preprocessor compares them with FAULT. */
#define MISSING_SYMBOL	100
#define NO_FILTER	101

struct perf_dlfilter_fns perf_dlfilter_fns;
int missing_function(void);

/* Recurses until the stack overflows, which happens long before @nr is 0. */
static __attribute__((unused)) int recurse(unsigned int nr)
{
	volatile char page[4096];

	memset((void *)page, nr, sizeof(page));
	return nr ? recurse(nr - 1) + page[nr % sizeof(page)] : 0;
}

static __attribute__((unused)) int fault(void *ctx)
{
	int *volatile low = (int *)16;
	volatile int zero = 0;

	if (FAULT == SEGV)
		*low = 1;
	if (FAULT == ABORT)
		abort();
	if (FAULT == STACK)
		return recurse(UINT_MAX);
	if (FAULT == NEWER)
		perf_dlfilter_fns.reserved[60](ctx);
	if (FAULT == EXIT)
		exit(0);
	if (FAULT == DIVIDE)
		return 12345 / zero;
	return FAULT == ERROR ? -5 : 0;
}

#if FAULT == MISSING_SYMBOL
int filter_event(void *data, const struct perf_dlfilter_sample *sample, void *ctx)
{
	return missing_function();
}
#elif FAULT != NO_FILTER
int start(void **data, void *ctx)
{
	return FAULT == START ? -7 : 0;
}

int filter_event(void *data, const struct perf_dlfilter_sample *sample, void *ctx)
{
	static unsigned int nr;

	return ++nr == 3 ? fault(ctx) : 0;
}

int stop(void *data, void *ctx)
{
	return FAULT == STOP ? -9 : 0;
}
#endif
