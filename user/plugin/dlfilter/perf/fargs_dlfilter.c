// SPDX-License-Identifier: GPL-2.0-only
/*
 * fargs-dlfilter.so: a dlfilter for perf script (perf-dlfilter(1)) that appends the arguments
 * recorded by fargs to the lines of branches that enter traced functions.
 *
 * Matching a record to a call also depends on later samples. Therefore perf's output is held back
 * until all samples have been processed.
 */
#include <errno.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/plural.h"
#include "base/put.h"
#include "pipeline/filter/filter.h"
#include "plugin/dlfilter/sample_calls.h"
#include "plugin/dlfilter/perf/spool.h"
#include "sink/text/text.h"

#define NAME	"fargs-dlfilter"

struct fargs_dlfilter_fns perf_dlfilter_fns;

int start(void **data, void *ctx);
int stop(void *data, void *ctx);
int filter_event_early(void *data, const struct fargs_dlfilter_sample *sample, void *ctx);
int filter_event(void *data, const struct fargs_dlfilter_sample *sample, void *ctx);
const char *filter_description(const char **long_description);

struct state {
	struct fargs_sample_calls *calls;
	struct fargs_filter *filter;	/* condition of calls to show; NULL: show all calls */
	struct fargs_spool *spool;
	uint64_t call;			/* call number of the sample that perf is about to print */
	bool is_failed;			/* an error message was printed */
	uint64_t nr_known, nr_unknown, nr_held;
};

/* State of the running filter, for the destructor: perf may exit without calling stop(). */
static struct state *running;

static int fail(struct state *s, const char *what)
{
	if (!s || !s->is_failed)
		fprintf(stderr, NAME ": %s\n", what);
	if (s)
		s->is_failed = true;
	return -1;
}

static void destroy(struct state *s)
{
	if (!s)
		return;
	fargs_spool_destroy(s->spool);
	fargs_filter_destroy(s->filter);
	fargs_sample_calls_destroy(s->calls);
	free(s);
}

static int set_up(struct state *s, char **args, int nr, struct fargs_error_text *err)
{
	if (nr < 1 || nr > 2)
		return fargs_fail(err, EINVAL, "give one file, and at most one condition: '--dlarg "
				  "FILE' (written by 'fargs record'), optionally '--dlarg "
				  "CONDITION'");
	s->calls = fargs_sample_calls_create(args[0], err);
	if (!s->calls)
		return -EINVAL;
	if (nr == 2) {
		s->filter = fargs_filter_create(args[1], fargs_sample_calls_meta(s->calls), err);
		if (!s->filter)
			return -EINVAL;
	}
	s->spool = fargs_spool_create(err);
	return s->spool ? 0 : -EINVAL;
}

int start(void **data, void *ctx)
{
	struct fargs_error_text err = { "" };
	struct state *s = calloc(1, sizeof(*s));
	char **args;
	int nr = 0;

	*data = NULL;
	if (!s)
		return fail(NULL, "out of memory");
	args = perf_dlfilter_fns.args(ctx, &nr);
	if (set_up(s, args, args ? nr : 0, &err)) {
		destroy(s);
		return fail(NULL, err.text);
	}
	*data = s;
	running = s;
	return 0;
}

/* Processes every sample: the control flow includes samples that perf does not print. */
int filter_event_early(void *data, const struct fargs_dlfilter_sample *sample, void *ctx)
{
	struct state *s = data;

	s->call = FARGS_SAMPLE_NO_CALL;
	/* Ignore samples of guests. */
	if (sample->size >= offsetof(struct fargs_dlfilter_sample, vcpu) &&
	    sample->machine_pid > 0)
		return 0;
	return fargs_sample_calls_take(s->calls, sample, &s->call) ?
	       fail(s, "out of memory") : 0;
}

int filter_event(void *data, const struct fargs_dlfilter_sample *sample, void *ctx)
{
	struct state *s = data;

	if (s->call == FARGS_SAMPLE_NO_CALL)
		return s->filter != NULL;
	return fargs_spool_mark(s->spool, s->call) ?
	       fail(s, "cannot write to the temporary file") : 0;
}

/*
 * Appends the arguments of @call to its line. Returns 1 to print the line, 0 to drop it, or -errno.
 * Drops the line only if there is a filter, and its condition is false or the record is unknown.
 */
static int put_args(void *arg, uint64_t call, struct fargs_buf *out)
{
	struct state *s = arg;
	struct fargs_decoder *d;
	struct fargs_event ev;
	int ret = fargs_sample_calls_get(s->calls, call, &ev, &d);

	if (ret < 0)
		return ret;
	if (!ret) {
		s->nr_unknown++;
		fargs_put(out, " args=?");
		return !s->filter;
	}
	s->nr_known++;
	if (s->filter) {
		ret = fargs_filter_holds(s->filter, d, &ev);
		if (ret <= 0)
			return ret;
		s->nr_held++;
	}
	fargs_put(out, " args=");
	fargs_text_args(out, d, &ev);
	fargs_text_result(out, d, &ev);
	return 1;
}

static void summarize(const struct state *s)
{
	fflush(stdout);
	fprintf(stderr, NAME ": %llu call%s with arguments, %llu with args=?",
		(unsigned long long)s->nr_known, fargs_plural(s->nr_known),
		(unsigned long long)s->nr_unknown);
	if (s->filter)
		fprintf(stderr, "; the condition holds for %llu, and is not evaluated for calls "
			"with args=?",
			(unsigned long long)s->nr_held);
	fprintf(stderr, "\n");
	if (s->nr_unknown && !fargs_sample_calls_nr_taken(s->calls))
		fprintf(stderr, NAME ": the branches of fargs' own code are missing: run 'perf "
			"record --kcore' on the whole kernel while fargs records, and 'perf script "
			"--itrace=b'\n");
}

int stop(void *data, void *ctx)
{
	struct state *s = data;
	int ret;

	if (!s || s != running)
		return 0;
	running = NULL;
	ret = fargs_sample_calls_finish(s->calls);
	if (!ret)
		ret = fargs_spool_release(s->spool, put_args, s);
	if (ret)
		fail(s, strerror(-ret));
	else
		summarize(s);
	destroy(s);
	return ret ? -1 : 0;
}

/* Ensures that held lines are printed however perf exits. */
static __attribute__((destructor)) void stop_at_exit(void)
{
	if (running)
		stop(running, NULL);
}

const char *filter_description(const char **long_description)
{
	*long_description =
		"  --dlarg FILE         what fargs record wrote while perf recorded Intel PT\n"
		"  --dlarg 'CONDITION'  only calls for which it holds, as in 'count > 4096'\n"
		"Lines are printed after all samples were read. A call whose record is not\n"
		"certain has args=?";
	return "Print the arguments that fargs recorded after each function call";
}
