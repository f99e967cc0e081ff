// SPDX-License-Identifier: GPL-2.0-only
/*
 * Generates recordings of a simulated kernel (unit/join_world.h) in which random calls are
 * recorded, filtered, lost or not traced. No record may be shown with another call than its own.
 * Then bytes of packets and records are changed, and everything that can still be decoded is shown.
 * This must neither access memory out of bounds nor loop forever, and each record must be counted
 * once.
 *
 *	join [-n TIMES] [-t SECONDS] [-s SEED]
 */
#include <inttypes.h>
#include <time.h>
#include <unistd.h>

#include "fuzz/pt_show.h"
#include "source/pt/input/read.h"
#include "source/pt/join/join.h"
#include "source/pt/join/learn.h"
#include "unit/join_world.h"

#define CALLS_MAX	1024
/* Maximum number of steps, so that their packets and records fit into the buffers. */
#define STEPS_MAX	100

/* Numbers of the calls that are in the trace, in order. */
static uint64_t calls[CALLS_MAX];
static size_t nr_calls;
/* Number of calls in the trace before each overflow. */
static size_t overflows[CALLS_MAX];
static size_t nr_overflows;

static uint64_t nr_made, now;
static char path[32];
static struct fargs_buf text;
static struct fargs_pt_join_counts counts;
static uint64_t nr_shown, nr_of;

/* Makes a call, which is in the trace if @is_traced is set. Returns its number. */
static uint64_t make_one(bool is_traced)
{
	nr_made++;
	if (is_traced)
		calls[nr_calls++] = nr_made;
	now += fuzz_below(&rng, 3);
	return nr_made;
}

/*
 * Runs fargs's code for a call. Returns whether it allocates a sequence number; then its record is
 * added or lost.
 */
static bool takes_number(uint64_t ip, uint64_t call)
{
	now += fuzz_below(&rng, 3);
	if (fuzz_once_in(&rng, 4))
		return false;
	/* The call is lost or rejected: it has a number, but no record. */
	if (fuzz_once_in(&rng, 4))
		join_seq++;
	else
		join_add_record(ip, call, now);
	return true;
}

static void make_f(bool is_traced)
{
	bool takes = takes_number(JOIN_F, make_one(is_traced));

	if (is_traced)
		join_put_f(takes);
}

static void make_g(bool is_traced)
{
	bool takes = takes_number(JOIN_G, make_one(is_traced));
	bool takes_inner = takes_number(JOIN_F, make_one(is_traced));

	if (is_traced)
		join_put_g(takes, takes_inner);
}

static void make_p(bool is_traced)
{
	bool takes = takes_number(JOIN_P, make_one(is_traced));

	if (is_traced)
		join_put_p(takes);
}

static void make_t(bool is_traced)
{
	uint64_t call = make_one(is_traced), inner = make_one(is_traced);
	bool takes_inner = takes_number(JOIN_P, inner), takes = takes_number(JOIN_T, call);

	if (is_traced)
		join_put_t(takes_inner, takes);
}

/* Generators of calls, in the order in which the generated loop calls f, g, p and t. */
static void (*const makers[])(bool is_traced) = { make_f, make_g, make_p, make_t };
#define NR_MAKERS	(sizeof(makers) / sizeof(*makers))

/* Makes a random sequence of calls, and their trace. */
static void make(void)
{
	unsigned int steps = fuzz_below(&rng, STEPS_MAX), ticks = 1 + fuzz_below(&rng, 6);
	unsigned int holes = 1 + fuzz_below(&rng, 40), hidden, next = 0;

	nr_calls = 0;
	nr_overflows = 0;
	nr_made = 0;
	now = 1000;
	join_begin(now);
	while (steps--) {
		if (fuzz_once_in(&rng, ticks)) {
			now += fuzz_below(&rng, 20);
			join_put_tsc(now);
		}
		if (!fuzz_once_in(&rng, holes)) {
			makers[next++ % NR_MAKERS](true);
			continue;
		}
		for (hidden = fuzz_below(&rng, 4); hidden; hidden--)
			makers[next++ % NR_MAKERS](false);
		join_put_overflow();
		overflows[nr_overflows++] = nr_calls;
		next = 0;
	}
	join_put_tnt();
	join_put_pieces();
}

static int keep(void *arg, const char *bytes, size_t n)
{
	fargs_buf_add(&text, bytes, n);
	/* Limit the output: more than a megabyte would not test more. */
	return text.n > 1 << 20 ? -ECANCELED : 0;
}

static const struct fargs_pt_trace_options how = { .nr_threads = 1, .segment_bytes = 1 };

static int learn(struct fargs_pt_input *in, struct fargs_pt_join *join,
	       struct fargs_error_text *err)
{
	struct fargs_pt_learner *l = fargs_pt_learner_create(in, join);
	struct fargs_pt_view view = fargs_pt_learner_view(l);
	int ret = fargs_pt_trace_run(in, &how, &view, keep, NULL, err);

	fargs_pt_learner_destroy(l);
	return ret;
}

static int run(struct fargs_pt_input *in, struct fargs_pt_join *join,
	       struct fargs_error_text *err)
{
	const struct fargs_pt_shown_options wanted = {
		.join = join,
	};
	struct fargs_pt_call_lines *c = fargs_pt_call_lines_create(in, &wanted);
	struct fargs_pt_view view = fargs_pt_call_lines_view(c);
	int ret = fargs_pt_trace_run(in, &how, &view, keep, NULL, err);

	fargs_pt_call_lines_destroy(c);
	return ret;
}

/*
 * Writes and reads the recording. Returns whether its calls were shown: a file that is too damaged
 * is refused.
 */
static bool show_calls(struct fargs_error_text *err)
{
	struct fargs_pt_join *join = NULL;
	struct fargs_pt_input in;
	bool is_shown = false;

	text.n = 0;
	err->text[0] = '\0';
	if (!join_write(path, err)) {
		printf("%s\n", err->text);
		exit(1);
	}
	fargs_pt_input_init(&in);
	if (!fargs_pt_read(&in, path, NULL, err) &&
	    !fargs_pt_join_create(&join, &in, path, NULL, err) && join) {
		is_shown = !learn(&in, join, err) && !fargs_pt_join_run(join);
		counts = *fargs_pt_join_counts(join);
		if (is_shown)
			run(&in, join, err);
	}
	fargs_pt_join_destroy(join);
	fargs_pt_input_deinit(&in);
	fargs_buf_add_char(&text, '\0');
	return is_shown;
}

/* Returns whether each record is shown with the call for which it was written. */
static bool is_right(void)
{
	size_t at = 0, nr_seen = 0, nr_here = 0;
	char *line, *name, *save;

	for (line = strtok_r(text.text, "\n", &save); line; line = strtok_r(NULL, "\n", &save)) {
		if (strstr(line, "lost packets")) {
			/* It is unknown whether the calls directly before the gap were executed. */
			at = overflows[nr_seen++];
			continue;
		}
		name = strstr(line, ": ");
		name = name ? name + 2 + strspn(name + 2, " ") : line;
		if (!strchr("fgpt", *name) || (name[1] != '(' && name[1]))
			continue;
		if (name[1] && (at >= nr_calls || strtoull(name + 4, NULL, 10) != calls[at])) {
			printf("%s: is call %" PRIu64 "\n", line,
			       at < nr_calls ? calls[at] : 0);
			return false;
		}
		nr_here += name[1] != '\0';
		at++;
	}
	nr_shown += nr_here;
	nr_of += join_nr_records;
	return nr_seen == nr_overflows && nr_here == counts.joined && !counts.contradictions &&
	       counts.joined + counts.unmatched + counts.untraced == join_nr_records;
}

/*
 * Changes bytes of records, except for their lengths: records of other lengths would be refused by
 * the reader.
 */
static void change(void)
{
	unsigned int times = 1 + fuzz_below(&rng, 4);
	struct join_record *r;

	while (times-- && join_nr_records) {
		r = &join_records[fuzz_below(&rng, join_nr_records)];
		switch (fuzz_below(&rng, 5)) {
		case 0:
			r->head.seq = fuzz_once_in(&rng, 2) ? fuzz_below(&rng, 200) :
				      1ull << fuzz_below(&rng, 64);
			break;
		case 1:
			r->head.tsc = fuzz_once_in(&rng, 2) ? now - fuzz_below(&rng, 300) :
				      1ull << fuzz_below(&rng, 64);
			break;
		case 2:
			r->head.ip = fuzz_once_in(&rng, 2) ? JOIN_T : JOIN_F;
			break;
		case 3:
			r->head.kind = 1 + fuzz_below(&rng, 3);
			break;
		default:
			r->body[fuzz_below(&rng, sizeof(r->body))] = fuzz_random(&rng);
		}
	}
	if (fuzz_once_in(&rng, 2))
		mutate(pt_pieces[3].w.bytes, &pt_pieces[3].w.n);
	if (fuzz_once_in(&rng, 16))
		mutate(pt_pieces[1].w.bytes, &pt_pieces[1].w.n);
}

static bool try_one(void)
{
	struct fargs_error_text err;

	make();
	if (!show_calls(&err) || !is_right()) {
		printf("shown on the wrong call, or not counted: %s\n", err.text);
		return false;
	}
	change();
	if (!show_calls(&err))
		return true;
	return counts.joined + counts.unmatched + counts.untraced == join_nr_records;
}

int main(int argc, char **argv)
{
	unsigned long times = 1000, seconds = 0, i;
	bool is_wrong = false;
	time_t end;
	int opt, fd;

	rng.state = 1;
	while ((opt = getopt(argc, argv, "n:t:s:")) != -1) {
		if (opt == 'n')
			times = strtoul(optarg, NULL, 0);
		else if (opt == 't')
			seconds = strtoul(optarg, NULL, 0);
		else if (opt == 's')
			rng.state = strtoull(optarg, NULL, 0);
		else
			return 1;
	}
	strcpy(path, "/dev/shm/fargs-fuzz-XXXXXX");
	fd = mkstemp(path);
	if (fd < 0)
		return 1;
	close(fd);
	end = time(NULL) + seconds;
	for (i = 0; !is_wrong && (seconds ? time(NULL) < end : i < times); i++)
		is_wrong = !try_one();
	unlink(path);
	fargs_buf_deinit(&text);
	printf("%lu worlds, %" PRIu64 " of %" PRIu64 " records shown\n", i, nr_shown, nr_of);
	return is_wrong;
}
