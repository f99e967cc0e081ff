// SPDX-License-Identifier: GPL-2.0-only
/*
 * Measures the time from a call of a function FROM to the next call of a function TO in the same
 * thread.
 *
 *	fargs report --dlfilter latency.so --dlarg FROM --dlarg TO t.fargs
 *
 * Prints each call of TO that follows a call of FROM, with the time between the calls at the start
 * of the line. At the end, prints the number of these times, and their minimum, maximum and mean.
 *
 * Shows how a filter gets its arguments (in start) and keeps its state (in *data).
 */
#include <perf/perf_dlfilter.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define THREADS	65536

struct perf_dlfilter_fns perf_dlfilter_fns;

/* The last call of FROM in a thread. */
struct thread {
	int is_waiting;			/* the thread has not called TO since it called FROM */
	__s32 tid;
	__u64 time;			/* ns */
};

struct latency {
	const char *from, *to;
	unsigned long long nr, sum, least, greatest;	/* ns */
	/* Index: tid % THREADS. Of threads with the same index, the last to call FROM is stored. */
	struct thread threads[THREADS];
};

/*
 * In start(), @ctx may be passed only to args(). If start() fails, the report ends before the first
 * sample.
 */
int start(void **data, void *ctx)
{
	struct latency *l = calloc(1, sizeof(*l));
	char **args;
	int nr;

	if (!l)
		return -1;
	args = perf_dlfilter_fns.args(ctx, &nr);
	if (nr != 2) {
		fprintf(stderr, "latency.so: name two functions, with --dlarg FROM --dlarg TO\n");
		free(l);
		return -1;
	}
	l->from = args[0];
	l->to = args[1];
	*data = l;
	return 0;
}

/* Is @event the record of a return, "fargs:NAME__return"? With --graph, a call has two records. */
static int is_return(const char *event)
{
	const char *end = strstr(event, "__return");

	return end && !end[strlen("__return")];
}

/* Returns the name of the function that the sample calls, or NULL. See called() in calls.c. */
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

static void take(struct latency *l, __u64 ns)
{
	if (!l->nr || ns < l->least)
		l->least = ns;
	if (ns > l->greatest)
		l->greatest = ns;
	l->sum += ns;
	l->nr++;
	printf("%10llu ns ", (unsigned long long)ns);
}

int filter_event(void *data, const struct perf_dlfilter_sample *sample, void *ctx)
{
	struct latency *l = data;
	struct thread *t = &l->threads[(__u32)sample->tid % THREADS];
	const char *name = called(sample, ctx);
	int is_kept = 0;

	if (!name)
		return 1;
	/* Compare TO first: if FROM is the same function, measure from each call to the next. */
	if (!strcmp(name, l->to) && t->is_waiting && t->tid == sample->tid) {
		take(l, sample->time - t->time);
		t->is_waiting = 0;
		is_kept = 1;
	}
	if (!strcmp(name, l->from)) {
		t->is_waiting = 1;
		t->tid = sample->tid;
		t->time = sample->time;
	}
	return !is_kept;
}

int stop(void *data, void *ctx)
{
	struct latency *l = data;

	if (l->nr)
		printf("%s to %s: %llu times, %llu to %llu ns, mean %llu ns\n", l->from, l->to,
		       l->nr, l->least, l->greatest, l->sum / l->nr);
	else
		printf("%s to %s: never\n", l->from, l->to);
	free(l);
	return 0;
}

const char *filter_description(const char **long_description)
{
	*long_description = "Arguments: two functions. Keeps calls of the second that follow one\n"
			    "of the first in the same thread, and prints the time between.";
	return "Time from calls of a function to calls of another";
}
