// SPDX-License-Identifier: GPL-2.0-only
/* Tests the graph of calls and returns with records written by hand. */
#include "sink/text/graph.h"

#include <stdlib.h>

#include "kernel/sym/ksyms.h"
#include "uapi/fargs_layout.h"
#include "unit/bytes.h"
#include "unit/ktap.h"

#define OUTER	0xffffffff81000004
#define INNER	0xffffffff81001004
#define PLAIN	0xffffffff81002004

static struct fargs_meta meta;
static struct fargs_decoder *decoder;
static struct fargs_graph *graph;

static const char symbols[] =
	"ffffffff81000000 T outer\n"
	"ffffffff81001000 T inner\n"
	"ffffffff81002000 T plain\n";

static bool set_up(void)
{
	static const struct fargs_func funcs[] = {
		{ .ip = OUTER, .name = "outer",
		  .layout_flags = FARGS_LAYOUT_RETURN | FARGS_LAYOUT_GRAPH },
		{ .ip = INNER, .name = "inner",
		  .layout_flags = FARGS_LAYOUT_RETURN | FARGS_LAYOUT_GRAPH },
		{ .ip = PLAIN, .name = "plain" },
	};
	struct fargs_clock_sample samples[2] = {
		{ .tsc = 0, .perf_ns = 1000000000, .is_valid = 1 },
		{ .tsc = 0, .perf_ns = 1000000000, .is_valid = 1 },
	};
	size_t i;

	fargs_meta_init(&meta);
	meta.info.nr_cpus = 2;
	meta.info.tsc_khz = 1000000;
	meta.ksyms = fargs_ksyms_parse(symbols, sizeof(symbols) - 1, NULL);
	meta.nr_funcs = 3;
	meta.funcs = malloc(sizeof(funcs));
	memcpy(meta.funcs, funcs, sizeof(funcs));
	for (i = 0; i < 3; i++)
		meta.funcs[i].name = strdup(funcs[i].name);
	fargs_meta_add_clock(&meta, samples);
	decoder = fargs_decoder_create(&meta, NULL);
	return decoder;
}

/*
 * A record: 'c': call, 'r': return, 'f': fork of task @a, 'e': exec in a thread whose tid was @a.
 */
struct step {
	char what;
	uint8_t cpu;
	uint16_t tid;
	uint64_t ip;
	uint16_t tsc;
	uint16_t a;	/* call: value of the argument; return: tsc of the call */
	int8_t ret;
};

static void take(struct fargs_buf *f, const struct step *s)
{
	uint8_t call[] __attribute__((aligned(8))) = {
		HEAD(64, FARGS_KIND_ENTRY, s->tid, s->tsc, s->ip, 0, 0),
		'a', 0, FARGS_TYPE_S32, B64(s->a), 0, 0, 0, 0, 0,
	};
	uint8_t back[] __attribute__((aligned(8))) = {
		HEAD(88, FARGS_KIND_RETURN, s->tid, s->tsc, s->ip, 0, 0),
		'$', 'e', 'n', 't', 'r', 'y', 0, FARGS_TYPE_U64, B64(s->a),
		'$', 'r', 'e', 't', 0, FARGS_TYPE_S32, B64((int64_t)s->ret),
		0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
	};
	uint8_t task[] __attribute__((aligned(8))) = {
		HEAD(112, FARGS_KIND_TASK, s->tid, s->tsc, 0, 0, 0),
		s->what == 'f' ? 'f' : 'e', s->what == 'f' ? 'o' : 'x', s->what == 'f' ? 'r' : 'e',
		s->what == 'f' ? 'k' : 'c', 0, FARGS_TYPE_S32, B64(s->a),
		't', 'g', 'i', 'd', 0, FARGS_TYPE_S32, B64(1),
		'c', 'o', 'm', 'm', 0, FARGS_TYPE_BYTES, B16(16),
		'x', 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
		0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
	};
	const void *rec = s->what == 'c' ? call : s->what == 'r' ? back : task;
	struct fargs_event ev;

	CHECK_INT(fargs_decoder_event(decoder, s->cpu, rec, &ev), 0);
	CHECK_INT(fargs_graph_event(graph, f, &ev), 0);
}

/*
 * Returns the graph of @steps without the columns before the duration, and without blanks before
 * the duration. The string is valid until the next call.
 */
static const char *graph_of(const struct step *steps, size_t nr)
{
	static char text[4096];
	struct fargs_buf whole = { };
	char *line, *at, *next;
	size_t i;

	fargs_graph_destroy(graph);
	graph = fargs_graph_create(decoder);
	for (i = 0; i < nr; i++)
		take(&whole, &steps[i]);
	fargs_graph_flush(graph, &whole, true);
	fargs_buf_add_char(&whole, 0);
	text[0] = 0;
	for (line = whole.text; *line; line = next) {
		next = strchr(line, '\n');
		*next++ = 0;
		at = strstr(line, ": ");
		at += 2;
		at += strspn(at, " ");
		strcat(text, at);
		strcat(text, "\n");
	}
	fargs_buf_deinit(&whole);
	return text;
}

#define GRAPH(...)							\
	graph_of((const struct step[]){ __VA_ARGS__ },			\
		 sizeof((const struct step[]){ __VA_ARGS__ }) / sizeof(struct step))

static void nests_calls(void)
{
	CHECK_STR(GRAPH({ 'c', 0, 7, OUTER, 100, 1, 0 },
			{ 'c', 0, 7, INNER, 200, 2, 0 },
			{ 'r', 0, 7, INNER, 1450, 200, -2 },
			{ 'c', 0, 7, INNER, 1500, 3, 0 },
			{ 'c', 0, 7, INNER, 1600, 4, 0 },
			{ 'r', 0, 7, INNER, 1700, 1600, 4 },
			{ 'r', 0, 7, INNER, 1800, 1500, 3 },
			{ 'r', 0, 7, OUTER, 12445, 100, 0 }),
		  "| outer(a=1) {\n"
		  "1.250 us |   inner(a=2) = -2 (ENOENT)\n"
		  "|   inner(a=3) {\n"
		  "0.100 us |     inner(a=4) = 4\n"
		  "0.300 us |   } = 3 <inner>\n"
		  "12.345 us | } = 0 <outer>\n");
	CHECK_INT(fargs_graph_nr_orphans(graph) + fargs_graph_nr_unreturned(graph), 0);
}

static void keeps_tasks_apart(void)
{
	CHECK_STR(GRAPH({ 'c', 0, 7, OUTER, 100, 1, 0 },
			{ 'c', 1, 8, OUTER, 110, 2, 0 },
			{ 'r', 1, 7, OUTER, 120, 100, 1 },
			{ 'r', 0, 8, OUTER, 130, 110, 2 }),
		  "| outer(a=1) {\n"
		  "| outer(a=2) {\n"
		  "0.020 us | } = 1 <outer>\n"
		  "0.020 us | } = 2 <outer>\n");
	/* The idle tasks of both CPUs have tid 0. */
	CHECK_STR(GRAPH({ 'c', 0, 0, OUTER, 100, 1, 0 },
			{ 'c', 1, 0, INNER, 110, 2, 0 },
			{ 'r', 1, 0, INNER, 120, 110, 1 },
			{ 'r', 0, 0, OUTER, 130, 100, 2 }),
		  "| outer(a=1) {\n"
		  "0.010 us | inner(a=2) = 1\n"
		  "0.030 us | } = 2 <outer>\n");
}

static void survives_what_does_not_return(void)
{
	CHECK_STR(GRAPH({ 'c', 0, 7, OUTER, 100, 1, 0 },
			{ 'c', 0, 7, INNER, 200, 2, 0 },
			{ 'c', 0, 7, INNER, 300, 3, 0 },
			{ 'r', 0, 7, OUTER, 400, 100, 0 },
			{ 'c', 0, 7, INNER, 500, 4, 0 },
			{ 'r', 0, 7, INNER, 600, 500, 0 }),
		  "| outer(a=1) {\n"
		  "|   inner(a=2) {\n"
		  "|     inner(a=3) {\n"
		  "0.300 us | } = 0 <outer>\n"
		  "0.100 us | inner(a=4) = 0\n");
	CHECK_INT(fargs_graph_nr_unreturned(graph), 2);
	/* A new task has the tid of an earlier task, whose call did not return. */
	CHECK_STR(GRAPH({ 'c', 0, 7, OUTER, 100, 1, 0 },
			{ 'f', 0, 1, 0, 200, 7, 0 },
			{ 'c', 0, 7, INNER, 300, 2, 0 },
			{ 'r', 0, 7, INNER, 400, 300, 0 }),
		  "| outer(a=1) {\n"
		  "0.100 us | inner(a=2) = 0\n");
	CHECK_INT(fargs_graph_nr_unreturned(graph), 1);
}

static void tells_returns_without_their_calls(void)
{
	CHECK_STR(GRAPH({ 'r', 0, 7, OUTER, 200, 100, 5 },
			{ 'c', 0, 7, INNER, 300, 2, 0 },
			{ 'r', 0, 7, INNER, 400, 250, 6 },
			{ 'r', 0, 7, INNER, 500, 300, 7 }),
		  "0.100 us | } = 5 <outer>\n"
		  "| inner(a=2) {\n"
		  "0.150 us |   } = 6 <inner>\n"
		  "0.200 us | } = 7 <inner>\n");
	CHECK_INT(fargs_graph_nr_orphans(graph), 2);
}

static void follows_a_thread_that_execs(void)
{
	CHECK_STR(GRAPH({ 'c', 0, 9, OUTER, 100, 1, 0 },
			{ 'c', 0, 7, INNER, 150, 3, 0 },
			{ 'e', 0, 7, 0, 200, 9, 0 },
			{ 'r', 0, 7, OUTER, 300, 100, 0 }),
		  "| outer(a=1) {\n"
		  "| inner(a=3) {\n"
		  "0.200 us | } = 0 <outer>\n");
	/*
	 * After its exec, a thread has its leader's tid. Its return with that tid precedes the
	 * record of the exec.
	 */
	CHECK_STR(GRAPH({ 'c', 0, 9, OUTER, 100, 1, 0 },
			{ 'c', 0, 9, INNER, 150, 2, 0 },
			{ 'c', 1, 7, INNER, 160, 3, 0 },
			{ 'r', 0, 7, INNER, 200, 150, 0 },
			{ 'e', 0, 7, 0, 250, 9, 0 },
			{ 'r', 0, 7, OUTER, 300, 100, 0 }),
		  "| outer(a=1) {\n"
		  "|   inner(a=2) {\n"
		  "| inner(a=3) {\n"
		  "0.050 us |   } = 0 <inner>\n"
		  "0.200 us | } = 0 <outer>\n");
	CHECK_INT(fargs_graph_nr_orphans(graph), 0);
	CHECK_INT(fargs_graph_nr_unreturned(graph), 1);
}

/*
 * The kernel gives the old leader the tid that the thread had, while the leader may still be on its
 * way to its end: its calls with that tid do not belong to the thread.
 */
static void keeps_the_old_leader_apart(void)
{
	/* The leader's last call follows the return that shows the new tid. */
	CHECK_STR(GRAPH({ 'c', 0, 9, OUTER, 100, 1, 0 },
			{ 'c', 0, 9, INNER, 150, 2, 0 },
			{ 'r', 0, 7, INNER, 200, 150, 0 },
			{ 'c', 1, 9, INNER, 210, 3, 0 },
			{ 'e', 0, 7, 0, 250, 9, 0 },
			{ 'r', 0, 7, OUTER, 300, 100, 0 },
			{ 'c', 0, 7, INNER, 310, 4, 0 },
			{ 'r', 0, 7, INNER, 320, 310, 0 }),
		  "| outer(a=1) {\n"
		  "|   inner(a=2) {\n"
		  "0.050 us |   } = 0 <inner>\n"
		  "| inner(a=3) {\n"
		  "0.200 us | } = 0 <outer>\n"
		  "0.010 us | inner(a=4) = 0\n");
	CHECK_INT(fargs_graph_nr_orphans(graph), 0);
	/* It precedes that return. */
	CHECK_STR(GRAPH({ 'c', 0, 9, OUTER, 100, 1, 0 },
			{ 'c', 0, 9, INNER, 150, 2, 0 },
			{ 'c', 1, 9, INNER, 160, 3, 0 },
			{ 'r', 0, 7, INNER, 200, 150, 0 },
			{ 'e', 0, 7, 0, 250, 9, 0 },
			{ 'r', 0, 7, OUTER, 300, 100, 0 }),
		  "| outer(a=1) {\n"
		  "|   inner(a=2) {\n"
		  "|     inner(a=3) {\n"
		  "0.050 us |   } = 0 <inner>\n"
		  "0.200 us | } = 0 <outer>\n");
	CHECK_INT(fargs_graph_nr_orphans(graph), 0);
	/* A later thread with the same tid can exec as well. */
	CHECK_STR(GRAPH({ 'c', 0, 9, OUTER, 100, 1, 0 },
			{ 'r', 0, 7, OUTER, 200, 100, 0 },
			{ 'e', 0, 7, 0, 250, 9, 0 },
			{ 'f', 0, 7, 0, 260, 9, 0 },
			{ 'c', 0, 9, OUTER, 300, 2, 0 },
			{ 'e', 0, 7, 0, 350, 9, 0 },
			{ 'c', 0, 7, INNER, 360, 3, 0 },
			{ 'r', 0, 7, INNER, 370, 360, 0 },
			{ 'r', 0, 7, OUTER, 400, 300, 0 }),
		  "| outer(a=1) {\n"
		  "0.100 us | } = 0 <outer>\n"
		  "| outer(a=2) {\n"
		  "0.010 us |   inner(a=3) = 0\n"
		  "0.100 us | } = 0 <outer>\n");
	CHECK_INT(fargs_graph_nr_orphans(graph), 0);
}

static void shows_calls_that_nobody_waits_for(void)
{
	CHECK_STR(GRAPH({ 'c', 0, 7, OUTER, 100, 1, 0 },
			{ 'c', 0, 7, PLAIN, 200, 2, 0 },
			{ 'c', 0, 7, PLAIN, 300, 3, 0 },
			{ 'r', 0, 7, OUTER, 400, 100, 0 }),
		  "| outer(a=1) {\n"
		  "|   plain(a=2)\n"
		  "|   plain(a=3)\n"
		  "0.300 us | } = 0 <outer>\n");
}

static const struct ktap_test tests[] = {
	{ "nests calls", nests_calls },
	{ "nests each task's calls separately", keeps_tasks_apart },
	{ "handles calls that do not return", survives_what_does_not_return },
	{ "shows returns without their calls", tells_returns_without_their_calls },
	{ "follows a thread that execs", follows_a_thread_that_execs },
	{ "separates the old leader of a thread that execs", keeps_the_old_leader_apart },
	{ "shows calls whose return is not traced", shows_calls_that_nobody_waits_for },
};

int main(void)
{
	int ret;

	if (!set_up()) {
		printf("Bail out! cannot set up\n");
		return 1;
	}
	ret = KTAP_RUN(tests);
	fargs_graph_destroy(graph);
	fargs_decoder_destroy(decoder);
	fargs_meta_deinit(&meta);
	return ret;
}
