// SPDX-License-Identifier: GPL-2.0-only
/*
 * Tests branch samples of known calls, as perf passes them to dlfilters, and the records joined to
 * these calls: if more than one record is possible, none must be joined.
 */
#include <fcntl.h>
#include <unistd.h>

#include "base/put.h"
#include "plugin/dlfilter/sample_calls.h"
#include "plugin/dlfilter/perf/spool.h"
#include "unit/join_world.h"
#include "unit/ktap.h"

#define BRANCH	FARGS_DLFILTER_BRANCH
#define CALL	(FARGS_DLFILTER_BRANCH | FARGS_DLFILTER_CALL)
#define RETURN	(FARGS_DLFILTER_BRANCH | FARGS_DLFILTER_RETURN)
#define COND	(FARGS_DLFILTER_BRANCH | FARGS_DLFILTER_CONDITIONAL)
#define HW_INT	(CALL | FARGS_DLFILTER_ASYNC | FARGS_DLFILTER_INTERRUPT)
#define IRET	(RETURN | FARGS_DLFILTER_INTERRUPT)

/* Samples to be processed. They are collected, because the recording must be written first. */
static struct fargs_dlfilter_sample samples[4096];
static unsigned int nr_samples;
static uint64_t now;
static struct fargs_sample_calls *calls;
/* Call number of each sample that enters a function. */
static uint64_t entered[256];
static unsigned int nr_entered;

static struct fargs_dlfilter_sample *show(uint64_t ip, uint64_t addr, uint32_t flags)
{
	struct fargs_dlfilter_sample *s = &samples[nr_samples++];

	*s = (struct fargs_dlfilter_sample){
		.size = sizeof(*s), .ip = ip, .addr = addr, .flags = flags, .time = now,
		.cpu = 0, .tid = 7, .pid = 7, .event = "branches",
	};
	return s;
}

static void begin(void)
{
	join_begin(1000);
	nr_samples = 0;
	now = 1000000;
	show(0, JOIN_LOOP, BRANCH | FARGS_DLFILTER_TRACE_BEGIN);
}

static void show_callback(uint64_t from, bool takes_number)
{
	show(from, JOIN_FTRACE, CALL);
	show(JOIN_FTRACE, JOIN_TRACER, CALL);
	if (!takes_number)
		show(JOIN_TRACER, JOIN_TRACER + 3, COND);
	show(JOIN_TRACER + 3, JOIN_FTRACE + 5, RETURN);
	show(JOIN_FTRACE + 5, from + 5, RETURN);
}

static void show_f(uint64_t from, bool takes_number)
{
	show(from, JOIN_F, CALL);
	show_callback(JOIN_F, takes_number);
	show(JOIN_F + 5, from + 5, RETURN);
}

static void again(void)
{
	show(JOIN_LOOP + 0x14, JOIN_LOOP, BRANCH);
}

static void f(bool takes_number)
{
	show_f(JOIN_LOOP, takes_number);
	again();
}

static void g(bool takes_number, bool takes_inner)
{
	show(JOIN_LOOP + 5, JOIN_G, CALL);
	show_callback(JOIN_G, takes_number);
	show_f(JOIN_G + 5, takes_inner);
	show(JOIN_G + 0xa, JOIN_LOOP + 0xa, RETURN);
	again();
}

/* Adds samples with later times, so that the times of previous calls are certain. */
static void pass_time(void)
{
	int i;

	for (i = 0; i < 3; i++) {
		now += 10000;
		again();
	}
}

/* Adds a branch that does not continue the path, as after a decoding error. */
static void tear(void)
{
	show(JOIN_LOOP + 0x100000, JOIN_LOOP, BRANCH);
}

/* Writes the recording, and processes all samples. */
static void end(void)
{
	char path[] = "/tmp/fargs-samples-XXXXXX";
	struct fargs_error_text err = { "" };
	int fd = mkstemp(path);
	unsigned int i;
	uint64_t call;

	REQUIRE(fd >= 0);
	close(fd);
	join_put_tnt();
	join_put_pieces();
	CHECK(join_write(path, &err));
	fargs_sample_calls_destroy(calls);
	calls = fargs_sample_calls_create(path, &err);
	unlink(path);
	CHECK_STR(err.text, "");
	REQUIRE(calls);
	nr_entered = 0;
	for (i = 0; i < nr_samples; i++) {
		CHECK_INT(fargs_sample_calls_take(calls, &samples[i], &call), 0);
		if (call != FARGS_SAMPLE_NO_CALL)
			entered[nr_entered++] = call;
	}
	CHECK_INT(fargs_sample_calls_finish(calls), 0);
}

/* Returns the argument of the record of the @nr-th entered function; -1: unknown. */
static int64_t argument(unsigned int nr)
{
	struct fargs_decoder *d;
	struct fargs_event ev;
	int ret;

	if (nr >= nr_entered)
		return -3;
	ret = fargs_sample_calls_get(calls, entered[nr], &ev, &d);
	if (ret != 1)
		return ret ? -2 : -1;
	return ev.nr_args == 1 ? fargs_value_s64(&ev.args[0].val) : -4;
}

static void knows_each(void)
{
	begin();
	f(true);
	join_add_record(JOIN_F, 11, 1000100);
	g(true, true);
	join_add_record(JOIN_G, 12, 1000200);
	join_add_record(JOIN_F, 13, 1000300);
	end();
	CHECK_INT(nr_entered, 3);
	CHECK_INT(argument(0), 11);
	CHECK_INT(argument(1), 12);
	CHECK_INT(argument(2), 13);
	CHECK_INT(fargs_sample_calls_nr_taken(calls), 3);
}

/* Tests calls of the same function at the same time: they are joined by their order. */
static void knows_a_run(void)
{
	int i;

	begin();
	for (i = 0; i < 20; i++) {
		f(true);
		join_add_record(JOIN_F, 100 + i, 1000100 + i);
	}
	end();
	CHECK_INT(nr_entered, 20);
	for (i = 0; i < 20; i++)
		CHECK_INT(argument(i), 100 + i);
}

static void passes_over_those_without(void)
{
	begin();
	f(false);
	f(true);
	join_add_record(JOIN_F, 1, 1000100);
	g(false, true);
	join_add_record(JOIN_F, 2, 1000200);
	f(true);
	join_seq++;
	f(true);
	join_add_record(JOIN_F, 3, 1000300);
	end();
	CHECK_INT(nr_entered, 6);
	CHECK_INT(argument(0), -1);
	CHECK_INT(argument(1), 1);
	CHECK_INT(argument(2), -1);
	CHECK_INT(argument(3), 2);
	CHECK_INT(argument(4), -1);
	CHECK_INT(argument(5), 3);
}

/* Tests a call in an unknown part of the path: no record is joined. */
static void never_guesses(void)
{
	begin();
	tear();
	f(true);
	join_add_record(JOIN_F, 1, 1000100);
	join_add_record(JOIN_F, 2, 1000200);
	tear();
	end();
	CHECK_INT(nr_entered, 1);
	CHECK_INT(argument(0), -1);
	CHECK_INT(fargs_sample_calls_counts(calls)->unmatched, 2);
	CHECK_INT(fargs_sample_calls_counts(calls)->joined, 0);
}

static void knows_by_the_time(void)
{
	begin();
	f(true);
	join_add_record(JOIN_F, 1, 1000100);
	pass_time();
	tear();
	join_add_record(JOIN_F, 2, 500000000);
	now = 1000000000;
	pass_time();
	f(true);
	join_add_record(JOIN_F, 3, 1000040000);
	now = 2000000000;
	pass_time();
	g(true, true);
	join_add_record(JOIN_G, 4, 2000000100);
	join_add_record(JOIN_F, 5, 2000000200);
	end();
	CHECK_INT(nr_entered, 4);
	CHECK_INT(argument(0), 1);
	CHECK_INT(argument(1), 3);
	CHECK_INT(argument(2), 4);
	CHECK_INT(argument(3), 5);
}

/*
 * Tests an interrupt between a call and its seq site. The interrupt handler calls the same
 * function.
 */
static void knows_the_interrupted(void)
{
	begin();
	show(JOIN_LOOP, JOIN_F, CALL);
	show(JOIN_F, JOIN_FTRACE, CALL);
	show(JOIN_FTRACE, JOIN_LOOP, HW_INT);
	show_f(JOIN_LOOP, true);
	join_add_record(JOIN_F, 1, 1000100);
	show(JOIN_LOOP + 0xa, JOIN_FTRACE, IRET);
	show(JOIN_FTRACE, JOIN_TRACER, CALL);
	show(JOIN_TRACER + 3, JOIN_FTRACE + 5, RETURN);
	join_add_record(JOIN_F, 2, 1000200);
	show(JOIN_FTRACE + 5, JOIN_F + 5, RETURN);
	show(JOIN_F + 5, JOIN_LOOP + 5, RETURN);
	end();
	CHECK_INT(nr_entered, 2);
	CHECK_INT(argument(0), 2);
	CHECK_INT(argument(1), 1);
}

/* Tests an interrupt directly before the seq site, which is executed after the interrupt. */
static void counts_once(void)
{
	const uint64_t site = JOIN_TRACER + JOIN_SITE_BYTES;

	begin();
	show(JOIN_LOOP, JOIN_F, CALL);
	show(JOIN_F, JOIN_FTRACE, CALL);
	show(JOIN_FTRACE, JOIN_TRACER, CALL);
	show(site, JOIN_LOOP, HW_INT);
	show(JOIN_LOOP + 0xa, site, IRET);
	show(JOIN_TRACER + 3, JOIN_FTRACE + 5, RETURN);
	join_add_record(JOIN_F, 1, 1000200);
	show(JOIN_FTRACE + 5, JOIN_F + 5, RETURN);
	show(JOIN_F + 5, JOIN_LOOP + 5, RETURN);
	end();
	CHECK_INT(fargs_sample_calls_nr_taken(calls), 1);
	CHECK_INT(argument(0), 1);
}

/* Tests records from before and after the trace, which belong to no call in the trace. */
static void leaves_out_the_untraced(void)
{
	join_begin(1000);
	nr_samples = 0;
	join_add_record(JOIN_F, 1, 1000000);
	now = 1000000000;
	show(0, JOIN_LOOP, BRANCH | FARGS_DLFILTER_TRACE_BEGIN);
	pass_time();
	f(true);
	join_add_record(JOIN_F, 2, 1000030100);
	f(true);
	join_add_record(JOIN_F, 3, 1000030200);
	pass_time();
	show(JOIN_LOOP + 0xf, 0, BRANCH | FARGS_DLFILTER_TRACE_END);
	now = 2000000000;
	show(0, JOIN_LOOP, BRANCH | FARGS_DLFILTER_TRACE_BEGIN);
	pass_time();
	join_add_record(JOIN_F, 4, 3000000000);
	end();
	CHECK_INT(nr_entered, 2);
	CHECK_INT(argument(0), 2);
	CHECK_INT(argument(1), 3);
}

/* Tests samples of calls only: they do not show whether a call allocated a sequence number. */
static void knows_nothing_of_calls_alone(void)
{
	unsigned int i, nr = 0;

	begin();
	f(true);
	join_add_record(JOIN_F, 1, 1000100);
	for (i = 0; i < nr_samples; i++)
		if (samples[i].flags == CALL)
			samples[nr++] = samples[i];
	nr_samples = nr;
	end();
	CHECK_INT(nr_entered, 1);
	CHECK_INT(argument(0), -1);
	CHECK_INT(fargs_sample_calls_nr_taken(calls), 0);
}

/*
 * Tests samples that are not branches, CPUs that the recording does not have, and returns to the
 * beginning of a function.
 */
static void passes_over_others(void)
{
	struct fargs_dlfilter_sample *s;

	begin();
	s = show(JOIN_LOOP, JOIN_F, CALL);
	s->cpu = 1;
	s = show(JOIN_LOOP, JOIN_F, CALL);
	s->cpu = -1;
	show(JOIN_LOOP, JOIN_F, 0);
	show(JOIN_LOOP, JOIN_LOOP + 0x300, HW_INT);
	show(JOIN_LOOP + 0x300, JOIN_LOOP, IRET);
	f(true);
	join_add_record(JOIN_F, 1, 1000100);
	end();
	CHECK_INT(nr_entered, 1);
	CHECK_INT(argument(0), 1);
}

static int tell(void *arg, uint64_t id, struct fargs_buf *out)
{
	fargs_put(out, " #");
	fargs_put_u64(out, id, 0, ' ');
	return id != 2;
}

static void fills_in_lines(void)
{
	char path[] = "/tmp/fargs-spool-XXXXXX", text[256];
	struct fargs_error_text err = { "" };
	int fd = mkstemp(path), saved = dup(STDOUT_FILENO);
	struct fargs_spool *s;
	ssize_t n;
	int ret;

	REQUIRE(fd >= 0 && saved >= 0);
	unlink(path);
	fflush(stdout);
	dup2(fd, STDOUT_FILENO);
	s = fargs_spool_create(&err);
	if (s) {
		printf("a\n");
		fargs_spool_mark(s, 1);
		printf("b\nmore\n");
		fargs_spool_mark(s, 2);
		printf("c\nmore\n");
		fargs_spool_mark(s, 3);
		printf("d");
		ret = fargs_spool_release(s, tell, NULL);
		printf("\ne\n");
		fargs_spool_destroy(s);
	}
	fflush(stdout);
	dup2(saved, STDOUT_FILENO);
	close(saved);
	CHECK_STR(err.text, "");
	REQUIRE(s);
	CHECK_INT(ret, 0);
	n = pread(fd, text, sizeof(text) - 1, 0);
	close(fd);
	text[n > 0 ? n : 0] = '\0';
	CHECK_STR(text, "a\nb #1\nmore\nd #3\ne\n");
}

int main(void)
{
	static const struct ktap_test tests[] = {
		{ "each call has its record", knows_each },
		{ "calls at the same time get their records by order", knows_a_run },
		{ "calls without a number, and calls of lost records, have none",
		  passes_over_those_without },
		{ "a call with several possible records has none", never_guesses },
		{ "times determine on which side of a hole a record is", knows_by_the_time },
		{ "an interrupt may call the same function before the number is allocated",
		  knows_the_interrupted },
		{ "a number that an interrupt delays is used once", counts_once },
		{ "records from before and after the trace belong to no call",
		  leaves_out_the_untraced },
		{ "calls alone determine no record", knows_nothing_of_calls_alone },
		{ "other samples are not calls", passes_over_others },
		{ "lines that were held back are completed, or dropped", fills_in_lines },
	};
	int status = KTAP_RUN(tests);

	fargs_sample_calls_destroy(calls);
	return status;
}
