// SPDX-License-Identifier: GPL-2.0-only
/*
 * Tests joining records with the calls of a trace. The files are generated, so the expected output
 * is known.
 */
#include <fcntl.h>
#include <unistd.h>

#include "cmd/report/pt_calls.h"
#include "source/pt/input/read.h"
#include "source/pt/join/join.h"
#include "source/pt/join/learn.h"
#include "source/pt/trace/trace.h"
#include "unit/join_world.h"
#include "unit/ktap.h"

static struct fargs_error_text err;
static struct fargs_pt_join_counts counts;
/* Output lines without their times. */
static char text[1 << 16];
static size_t text_bytes;

static int add_text(void *arg, const char *from, size_t bytes)
{
	const char *end = from + bytes, *line, *next;

	for (line = from; line < end; line = next) {
		next = memchr(line, '\n', end - line);
		next = next ? next + 1 : end;
		for (; line + 2 < next && memcmp(line, ": ", 2); line++)
			;
		if (text_bytes + (next - line) < sizeof(text)) {
			memcpy(text + text_bytes, line + 2, next - line - 2);
			text_bytes += next - line - 2;
		}
	}
	text[text_bytes] = '\0';
	return 0;
}

static const struct fargs_pt_trace_options how = { .nr_threads = 1 };

static int learn(struct fargs_pt_input *in, struct fargs_pt_join *join)
{
	struct fargs_pt_learner *l = fargs_pt_learner_create(in, join);
	struct fargs_pt_view view = fargs_pt_learner_view(l);
	int ret = fargs_pt_trace_run(in, &how, &view, add_text, NULL, &err);

	fargs_pt_learner_destroy(l);
	return ret;
}

static int run_calls(struct fargs_pt_input *in, struct fargs_pt_join *join)
{
	const struct fargs_pt_shown_options wanted = {
		.join = join,
	};
	struct fargs_pt_call_lines *c = fargs_pt_call_lines_create(in, &wanted);
	struct fargs_pt_view view = fargs_pt_call_lines_view(c);
	int ret = fargs_pt_trace_run(in, &how, &view, add_text, NULL, &err);

	fargs_pt_call_lines_destroy(c);
	return ret;
}

static void show(const char *path)
{
	struct fargs_pt_join *join = NULL;
	struct fargs_pt_input in;

	fargs_pt_input_init(&in);
	CHECK_INT(fargs_pt_read(&in, path, NULL, &err), 0);
	CHECK_INT(fargs_pt_join_create(&join, &in, path, NULL, &err), 0);
	CHECK(join != NULL);
	if (join) {
		CHECK_INT(learn(&in, join), 0);
		CHECK_INT(text_bytes, 0);
		CHECK_INT(fargs_pt_join_run(join), 0);
		counts = *fargs_pt_join_counts(join);
		CHECK_INT(run_calls(&in, join), 0);
	}
	fargs_pt_join_destroy(join);
	fargs_pt_input_deinit(&in);
}

/* Writes the generated recording to a file, reads it, and joins the records. */
static void end(void)
{
	char path[] = "/tmp/fargs-join-XXXXXX";
	int fd = mkstemp(path);

	text_bytes = 0;
	err.text[0] = '\0';
	REQUIRE(fd >= 0);
	close(fd);
	join_put_tnt();
	join_put_pieces();
	CHECK(join_write(path, &err));
	show(path);
	CHECK_STR(err.text, "");
	unlink(path);
}

static void check_counts(uint64_t joined, uint64_t filtered, uint64_t unmatched,
			 uint64_t untraced)
{
	CHECK_INT(counts.joined, joined);
	CHECK_INT(counts.filtered, filtered);
	CHECK_INT(counts.unmatched, unmatched);
	CHECK_INT(counts.untraced, untraced);
	CHECK_INT(counts.contradictions, 0);
}

/* Adds one call of each function, with a record of each. */
static void put_round(uint64_t first, uint64_t tsc)
{
	join_put_tsc(tsc);
	join_put_f(true);
	join_add_record(JOIN_F, first, tsc + 10);
	join_put_tsc(tsc + 20);
	join_put_g(true, true);
	join_add_record(JOIN_G, first + 1, tsc + 30);
	join_add_record(JOIN_F, first + 2, tsc + 40);
	join_put_p(true);
	join_add_record(JOIN_P, first + 3, tsc + 50);
	join_put_t(true, true);
	join_add_record(JOIN_P, first + 4, tsc + 60);
	join_add_record(JOIN_T, first + 5, tsc + 70);
}

/* Adds calls of g, p and t without records. */
static void put_rest(void)
{
	join_put_g(false, false);
	join_put_p(false);
	join_put_t(false, false);
}

static void shows_each_on_its_call(void)
{
	join_begin(1000);
	put_round(1, 1100);
	put_round(7, 1200);
	join_put_tsc(2000);
	end();
	CHECK_STR(text, "loop\n"
			"  f(n=1)\n"
			"  g(n=2)\n"
			"    f(n=3)\n"
			"  p(n=4) (0.000 us)\n"
			"  t(n=6) (0.000 us)\n"
			"  p(n=5) (0.000 us)\n"
			"  f(n=7)\n"
			"  g(n=8)\n"
			"    f(n=9)\n"
			"  p(n=10) (0.000 us)\n"
			"  t(n=12) (0.000 us)\n"
			"  p(n=11) (0.000 us)\n");
	check_counts(12, 0, 0, 0);
}

/* Tests filtered calls, which execute the same code, but allocate no sequence number. */
static void passes_over_the_filtered(void)
{
	join_begin(1000);
	join_put_f(false);
	join_put_g(true, false);
	join_add_record(JOIN_G, 1, 1010);
	join_put_p(false);
	join_put_t(false, true);
	join_add_record(JOIN_T, 2, 1020);
	join_put_f(true);
	join_add_record(JOIN_F, 3, 1030);
	join_put_tsc(2000);
	end();
	CHECK_STR(text, "loop\n"
			"  f\n"
			"  g(n=1)\n"
			"    f\n"
			"  p\n"
			"  t(n=2) (0.000 us)\n"
			"  p\n"
			"  f(n=3)\n");
	check_counts(3, 2, 0, 0);
}

/* Tests lost and rejected calls, which have sequence numbers. */
static void passes_over_the_lost(void)
{
	join_begin(1000);
	join_put_f(true);
	join_seq++;
	join_put_g(true, true);
	join_seq++;
	join_add_record(JOIN_F, 1, 1010);
	join_put_p(true);
	join_seq++;
	join_put_t(true, true);
	join_add_record(JOIN_P, 2, 1020);
	join_seq++;
	join_put_f(true);
	join_seq++;
	join_put_tsc(2000);
	end();
	CHECK_STR(text, "loop\n"
			"  f\n"
			"  g\n"
			"    f(n=1)\n"
			"  p\n"
			"  t\n"
			"  p(n=2) (0.000 us)\n"
			"  f\n");
	check_counts(2, 0, 0, 0);
}

/* Adds three executions without records, so that preceding executions have certainly ended. */
static void pass(uint64_t tsc)
{
	unsigned int i;

	for (i = 0; i < 3; i++) {
		join_put_tsc(tsc + i);
		join_put_f(false);
		put_rest();
	}
}

/* Tests lost trace: the times show that a record belongs to a call in the gap. */
static void leaves_out_what_was_not_traced(void)
{
	join_begin(1000);
	pass(1100);
	join_put_f(true);
	join_add_record(JOIN_F, 1, 1110);
	put_rest();
	pass(1200);
	join_put_overflow();
	join_add_record(JOIN_F, 2, 1250);
	pass(1300);
	join_put_f(true);
	join_add_record(JOIN_F, 3, 1310);
	put_rest();
	pass(1400);
	end();
	CHECK(strstr(text, "  f(n=1)\n") != NULL);
	CHECK(strstr(text, "(n=2)") == NULL);
	CHECK(strstr(text, "  f(n=3)\n") != NULL);
	CHECK_INT(counts.joined, 2);
	CHECK_INT(counts.unmatched, 0);
	CHECK_INT(counts.untraced, 1);
	CHECK_INT(counts.contradictions, 0);
}

/* Tests lost trace with times that do not show to which call a record belongs. */
static void does_not_guess(void)
{
	join_begin(1000);
	join_put_f(true);
	join_add_record(JOIN_F, 1, 1000);
	join_put_overflow();
	join_add_record(JOIN_F, 2, 1000);
	join_put_f(true);
	join_add_record(JOIN_F, 3, 1000);
	end();
	CHECK(strstr(text, "  f\n") != NULL);
	CHECK(strstr(text, "(n=") == NULL);
	check_counts(0, 0, 3, 0);
}

/*
 * Tests a record of g where the trace contains only a call of f: no record is joined, and the
 * contradiction is reported.
 */
static void tells_a_contradiction(void)
{
	join_begin(1000);
	pass(1100);
	join_put_f(true);
	join_add_record(JOIN_G, 1, 1110);
	put_rest();
	pass(1200);
	end();
	CHECK(strstr(text, "(n=") == NULL);
	CHECK_INT(counts.joined, 0);
	CHECK_INT(counts.contradictions, 1);
}

int main(void)
{
	static const struct ktap_test tests[] = {
		{ "each record is joined to its call, and fargs' own code is hidden",
		  shows_each_on_its_call },
		{ "calls that were filtered have no record", passes_over_the_filtered },
		{ "calls whose records are missing have no record", passes_over_the_lost },
		{ "a record of a call that was not traced is not joined",
		  leaves_out_what_was_not_traced },
		{ "a record that may belong to several calls is not joined", does_not_guess },
		{ "a record that fits no call is reported", tells_a_contradiction },
	};

	return KTAP_RUN(tests);
}
