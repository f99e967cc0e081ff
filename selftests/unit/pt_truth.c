// SPDX-License-Identifier: GPL-2.0-only
/*
 * Compares a recording of a kernel, made by perf on emulated Intel PT, with the emulator's log:
 * each branch that fargs decodes, and the number of instructions before it.
 */
#include "unit/pt_testdata.h"

#include "base/file.h"
#include "cmd/report/pt_branches.h"
#include "source/pt/code/insn.h"
#include "source/pt/input/perf_input.h"
#include "source/pt/trace/decoder.h"
#include "source/pt/trace/trace.h"
#include "unit/add_text.h"

#define RECORDING	"pt-kernel"
/* Number of branches that perf script shows, according to testdata/README.md. */
#define BRANCHES	320740

/* The format of the emulator's log, from before selftests/ptemu had its own format. */
enum { RUN_BRANCH, RUN_LEAVES, ENTERS, RUN_ENDS, RUN_INTERRUPTED, INTERRUPTED, DISABLED };

struct run {
	uint64_t pc;
	uint32_t nr;		/* number of consecutive instructions from pc on */
	uint32_t kind;
};

static struct fargs_pt_input in;
static struct fargs_error_text err;

/* The branches of a stream, and the other items that the log contains. */
struct path {
	struct fargs_pt_item *items;
	size_t nr;
	uint64_t nr_insns;
	size_t nr_segments;
	uint64_t *ips;		/* addresses of instructions, decoded one by one */
	size_t nr_ips, ips_room;
};

static bool open_recording(void)
{
	if (!pt_testdata_unpack(RECORDING))
		return false;
	fargs_pt_input_init(&in);
	if (!fargs_perf_input_read(&in, pt_testdata_at(RECORDING "/perf.data"), NULL, &err))
		return true;
	ktap_fail(__FILE__, __LINE__, "%s", err.text);
	fargs_pt_input_deinit(&in);
	return false;
}

static void add_insn(struct path *path, const struct fargs_pt_item *item)
{
	if (path->nr_ips == path->ips_room) {
		path->ips_room = 2 * path->ips_room + 65536;
		path->ips = realloc(path->ips, path->ips_room * sizeof(*path->ips));
	}
	path->ips[path->nr_ips++] = item->from;
}

static void append(struct path *path, const struct fargs_pt_flow *flow, uint32_t *carried)
{
	size_t i;

	for (i = 0; i < flow->nr; i++) {
		struct fargs_pt_item item = flow->items[i];

		*carried += item.nr_insns;
		if (item.kind == FARGS_PT_EXECUTED)
			add_insn(path, &item);
		if (item.kind == FARGS_PT_SWITCH || item.kind == FARGS_PT_EXECUTED ||
		    item.flags & FARGS_PT_CONTINUES)
			continue;
		item.nr_insns = *carried;
		*carried = 0;
		path->items[path->nr++] = item;
	}
	*carried += flow->nr_rest;
	path->nr_insns += flow->nr_insns;
}

/* Decodes the whole stream in segments of at least @bytes. */
static struct path decode_by(const struct fargs_pt_stream *s, uint64_t bytes, bool is_by_insn)
{
	struct fargs_pt_text *text = fargs_pt_text_create(&in, FARGS_PT_ENGINE_FARGS, &err);
	struct fargs_pt_decoder *d = fargs_pt_decoder_create(&in, text, 0);
	struct fargs_pt_flow flow = { };
	struct fargs_pt_segments segs;
	struct path path = { };
	uint32_t carried = 0;
	size_t i;

	CHECK(d && !fargs_pt_segments_init(&segs, s, bytes));
	if (is_by_insn)
		fargs_pt_decoder_step_by_insn(d);
	for (i = 0; i < segs.nr; i++) {
		CHECK(!fargs_pt_decoder_run(d, &segs.all[i], &flow));
		path.items = realloc(path.items, (path.nr + flow.nr) * sizeof(*path.items));
		append(&path, &flow, &carried);
	}
	path.nr_segments = segs.nr;
	fargs_pt_flow_deinit(&flow);
	fargs_pt_segments_deinit(&segs);
	fargs_pt_decoder_destroy(d);
	fargs_pt_text_destroy(text);
	return path;
}

static struct path decode(const struct fargs_pt_stream *s, uint64_t bytes)
{
	return decode_by(s, bytes, false);
}

/* Position in the log and in the decoded path. */
struct place {
	const struct path *path;
	size_t at;
	uint64_t ip;		/* address of the next instruction */
	uint32_t nr_before;	/* number of instructions of a run that was interrupted */
	size_t nr_ips;		/* number of instructions compared so far */
};

static bool is_next(struct place *p, enum fargs_pt_item_kind kind, uint32_t nr, uint8_t flags)
{
	const struct fargs_pt_item *item = &p->path->items[p->at];

	if (p->at == p->path->nr || item->kind != kind || item->nr_insns != nr ||
	    (item->flags & FARGS_PT_ENDS) != flags)
		return false;
	p->ip = item->to;
	p->at++;
	return true;
}

static bool rises(const struct place *p, uint32_t nr)
{
	const uint64_t *ips = p->path->ips + p->nr_ips;
	uint32_t i;

	for (i = 1; i < nr; i++)
		if (ips[i] - ips[i - 1] - 1 >= FARGS_PT_INSN_MAX)
			return false;
	return true;
}

static bool agrees(struct place *p, const struct run *run)
{
	const struct fargs_pt_item *item = &p->path->items[p->at];

	if (run->nr && run->pc != p->ip)
		return false;
	/*
	 * The decoded instructions of a run begin at its address, and continue up to its last
	 * instruction.
	 */
	if (run->nr && p->path->ips) {
		if (p->nr_ips + run->nr > p->path->nr_ips ||
		    p->path->ips[p->nr_ips] != run->pc || !rises(p, run->nr))
			return false;
		p->nr_ips += run->nr;
	}
	switch (run->kind) {
	case ENTERS:
		return is_next(p, FARGS_PT_BEGIN, 0, 0) && p->ip == run->pc;
	case RUN_BRANCH:
		return is_next(p, FARGS_PT_BRANCH, run->nr, 0);
	case RUN_LEAVES:
		return is_next(p, FARGS_PT_BRANCH, run->nr, FARGS_PT_ENDS);
	case RUN_INTERRUPTED:
		p->nr_before = run->nr;
		return true;
	case INTERRUPTED:
		if (p->at == p->path->nr || item->from != run->pc ||
		    !is_next(p, FARGS_PT_INTERRUPT, p->nr_before, 0))
			return false;
		p->nr_before = 0;
		return true;
	case DISABLED:
		return is_next(p, FARGS_PT_END, run->nr, 0);
	}
	return false;
}

/*
 * Compares a stream with the log up to the point where tracing was first disabled: perf recorded
 * only this part.
 */
static uint64_t compare_cpu(const struct fargs_pt_stream *s, uint64_t segment_bytes,
			    bool is_by_insn)
{
	struct path path = decode_by(s, segment_bytes, is_by_insn);
	struct place p = { .path = &path };
	char name[64];
	struct run *runs;
	size_t size, i;

	snprintf(name, sizeof(name), RECORDING "/truth/log.%u", s->cpu);
	runs = (void *)fargs_file_read(pt_testdata_at(name), &size);
	CHECK(runs != NULL);
	for (i = 0; runs && i < size / sizeof(*runs); i++) {
		if (!agrees(&p, &runs[i])) {
			ktap_fail(__FILE__, __LINE__,
				  "CPU %u: run %zu at %" PRIx64 " is not item %zu", s->cpu, i,
				  runs[i].pc, p.at);
			break;
		}
		if (runs[i].kind == DISABLED)
			break;
	}
	CHECK_INT(p.at, path.nr);
	CHECK_INT(p.nr_ips, path.nr_ips);
	CHECK_INT(path.nr_ips, is_by_insn ? path.nr_insns : 0);
	printf("# CPU %u: %zu branches, %" PRIu64 " instructions, %zu segments\n", s->cpu, p.at,
	       path.nr_insns, path.nr_segments);
	free(runs);
	free(path.items);
	free(path.ips);
	return p.at;
}

static void equals_truth(uint64_t segment_bytes, bool is_by_insn)
{
	uint64_t nr = 0;
	size_t i;

	if (!open_recording())
		return;
	CHECK_INT(in.nr_streams, 2);
	for (i = 0; i < in.nr_streams; i++)
		nr += compare_cpu(&in.streams[i], segment_bytes, is_by_insn);
	CHECK_INT(nr, BRANCHES);
	fargs_pt_input_deinit(&in);
}

static void whole(void)
{
	equals_truth(UINT64_MAX, false);
}

static void at_each_psb(void)
{
	equals_truth(1, false);
}

static void as_usual(void)
{
	equals_truth(FARGS_PT_SEGMENT_BYTES, false);
}

static void one_by_one(void)
{
	equals_truth(1, true);
	equals_truth(UINT64_MAX, true);
}

static bool is_same(const struct fargs_pt_item *a, const struct fargs_pt_item *b)
{
	return a->kind == b->kind && a->from == b->from && a->to == b->to &&
	       a->nr_insns == b->nr_insns;
}

/*
 * Compares the whole trace that the emulated CPU generated: it is several times longer, and
 * includes user space.
 */
static void compare_cuts(uint32_t cpu)
{
	struct fargs_pt_piece piece = { .begins = true };
	struct fargs_pt_stream s = { .cpu = cpu, .tid = -1, .pieces = &piece, .nr_pieces = 1 };
	struct path one, many;
	char name[64];
	size_t size, i;

	snprintf(name, sizeof(name), RECORDING "/truth/pt.%u", cpu);
	piece.bytes = (void *)fargs_file_read(pt_testdata_at(name), &size);
	REQUIRE(piece.bytes != NULL);
	piece.size = size;
	one = decode(&s, UINT64_MAX);
	many = decode(&s, 1);
	printf("# CPU %u: %zu branches, %" PRIu64 " instructions, %zu segments\n", cpu, many.nr,
	       many.nr_insns, many.nr_segments);
	CHECK_INT(one.nr_segments, 1);
	CHECK(many.nr_segments > 50);
	CHECK_INT(many.nr_insns, one.nr_insns);
	CHECK_INT(many.nr, one.nr);
	for (i = 0; i < one.nr && i < many.nr && is_same(&one.items[i], &many.items[i]);)
		i++;
	CHECK_INT(i, one.nr);
	free(one.items);
	free(many.items);
	free((void *)piece.bytes);
}

static void cuts_lose_nothing(void)
{
	if (!open_recording())
		return;
	compare_cuts(0);
	compare_cuts(1);
	fargs_pt_input_deinit(&in);
}

static void write_wanted(struct fargs_buf *out, const struct fargs_pt_branches_options *wanted,
			 unsigned int nr_threads, uint64_t segment_bytes)
{
	const struct fargs_pt_trace_options how = {
		.nr_threads = nr_threads, .segment_bytes = segment_bytes,
		.is_by_insn = wanted->insn_period,
	};
	struct fargs_pt_branches *b = fargs_pt_branches_create(&in, wanted, nr_threads);
	struct fargs_pt_view view = fargs_pt_branches_view(b);
	struct fargs_pt_error_counts errors = { .nr = 0 };

	in.errors = &errors;
	CHECK_INT(fargs_pt_trace_run(&in, &how, &view, add_text, out, &err), 0);
	in.errors = NULL;
	CHECK_INT(errors.nr, 0);
	fargs_pt_branches_destroy(b);
}

static void write_lines(struct fargs_buf *out, unsigned int nr_threads, uint64_t segment_bytes)
{
	static const struct fargs_pt_branches_options wanted = {
		.has_branches = true, .has_errors = true,
	};

	write_wanted(out, &wanted, nr_threads, segment_bytes);
}

static size_t count_lines(const struct fargs_buf *text)
{
	size_t nr = 0, i;

	for (i = 0; i < text->n; i++)
		nr += text->text[i] == '\n';
	return nr;
}

static void threads_change_nothing(void)
{
	static const struct { unsigned int nr_threads; uint64_t bytes; } ways[] = {
		{ 1, 0 }, { 2, 0 }, { 3, 1 }, { 7, 1 }, { 2, UINT64_MAX },
	};
	struct fargs_buf first = { }, other = { };
	size_t i;

	if (!open_recording())
		return;
	write_lines(&first, ways[0].nr_threads, ways[0].bytes);
	CHECK_INT(count_lines(&first), BRANCHES);
	for (i = 1; i < sizeof(ways) / sizeof(ways[0]); i++) {
		other.n = 0;
		write_lines(&other, ways[i].nr_threads, ways[i].bytes);
		CHECK(other.n == first.n && !memcmp(other.text, first.text, first.n));
	}
	fargs_buf_deinit(&first);
	fargs_buf_deinit(&other);
	fargs_pt_input_deinit(&in);
}

/* Returns the reported number of errors, for any kind of output. */
static uint64_t count_errors(struct fargs_buf *out, const struct fargs_pt_branches_options *wanted)
{
	const struct fargs_pt_trace_options how = {
		.nr_threads = 2, .is_by_insn = wanted->insn_period,
	};
	struct fargs_pt_branches *b = fargs_pt_branches_create(&in, wanted, 2);
	struct fargs_pt_view view = fargs_pt_branches_view(b);
	struct fargs_pt_error_counts errors = { .window = &wanted->window };

	out->n = 0;
	in.errors = &errors;
	CHECK_INT(fargs_pt_trace_run(&in, &how, &view, add_text, out, &err), 0);
	in.errors = NULL;
	fargs_pt_branches_destroy(b);
	return errors.nr;
}

/* Damages some bytes of the trace, in copies that the caller frees. */
static void damage(uint8_t **copies, size_t nr)
{
	uint64_t seed = 1;
	size_t i, k;

	for (i = 0; i < nr && i < in.nr_streams; i++) {
		struct fargs_pt_piece *piece = &in.streams[i].pieces[0];

		copies[i] = malloc(piece->size);
		memcpy(copies[i], piece->bytes, piece->size);
		for (k = 0; k < 20; k++) {
			seed = seed * 6364136223846793005ull + 1442695040888963407ull;
			copies[i][(seed >> 20) % piece->size] = seed >> 56;
		}
		piece->bytes = copies[i];
	}
}

/* Returns the time in the line of an error, in ns. */
static uint64_t time_of(const char *line)
{
	unsigned long long s, ns;

	return sscanf(strstr(line, " time "), " time %llu.%llu", &s, &ns) == 2 ?
	       s * 1000000000 + ns : 0;
}

/*
 * Tests that the reported number of errors is the same for all kinds of output, and equals the
 * number of lines of --itrace=e.
 */
static void counts_errors(void)
{
	struct fargs_time_range range = { 0, UINT64_MAX };
	struct fargs_pt_branches_options errors = { .has_errors = true }, ways[] = {
		{ .has_branches = true },
		{ .insn_period = 1000 },
	};
	struct fargs_buf shown = { }, text = { };
	uint8_t *copies[2] = { };
	size_t i, k, nr;

	if (!open_recording())
		return;
	damage(copies, 2);
	for (k = 0; k < 2; k++) {
		CHECK_INT(count_errors(&shown, &errors), count_lines(&shown));
		printf("# %zu errors\n", count_lines(&shown));
		CHECK(k ? count_lines(&shown) < nr : count_lines(&shown) >= 20);
		nr = count_lines(&shown);
		for (i = 0; i < sizeof(ways) / sizeof(ways[0]); i++)
			CHECK_INT(count_errors(&text, &ways[i]), nr);
		/* Repeat with a time window that begins at the third error. */
		fargs_buf_add_char(&shown, '\0');
		range.from_ns = time_of(strchr(strchr(shown.text, '\n') + 1, '\n') + 1) + 1;
		errors.window = (struct fargs_time_window){ .ranges = &range, .nr = 1 };
		for (i = 0; i < sizeof(ways) / sizeof(ways[0]); i++)
			ways[i].window = errors.window;
	}
	fargs_buf_deinit(&shown);
	fargs_buf_deinit(&text);
	fargs_pt_input_deinit(&in);
	free(copies[0]);
	free(copies[1]);
}

/* Appends those lines of @from to @out whose words are among @words. */
static void match(struct fargs_buf *out, const struct fargs_buf *from, const char *const *words)
{
	const char *line = from->text, *end, *word;
	const char *const *w;

	for (; line < from->text + from->n; line = end) {
		end = (const char *)memchr(line, '\n', from->text + from->n - line) + 1;
		word = memmem(line, end - line, "branches:k:", 11);
		REQUIRE(word);
		for (w = words; *w; w++)
			if (!strncmp(word + 13, *w, strlen(*w)))
				break;
		if (*w)
			fargs_buf_add(out, line, end - line);
	}
}

static void matches_branches(void)
{
	static const char *const calls[] = { "call ", "int ", "syscall ", "hw int ", "tr end ",
					     NULL };
	static const char *const returns[] = { "return ", "iret ", "sysret ", "tr strt ",
					       "tr end  iret ", "tr end  sysret ", NULL };
	static const struct fargs_pt_branches_options only_calls = {
		.has_calls = true,
	}, only_returns = {
		.has_returns = true,
	};
	struct fargs_buf all = { }, expected = { }, text = { };

	if (!open_recording())
		return;
	write_lines(&all, 2, 0);
	match(&expected, &all, calls);
	write_wanted(&text, &only_calls, 2, 0);
	/* perf script --itrace=c shows the same number of lines. */
	CHECK_INT(count_lines(&text), 70883);
	CHECK(text.n == expected.n && !memcmp(text.text, expected.text, text.n));
	text.n = 0;
	expected.n = 0;
	match(&expected, &all, returns);
	write_wanted(&text, &only_returns, 2, 0);
	CHECK_INT(count_lines(&text), 70349);
	CHECK(text.n == expected.n && !memcmp(text.text, expected.text, text.n));
	fargs_buf_deinit(&all);
	fargs_buf_deinit(&expected);
	fargs_buf_deinit(&text);
	fargs_pt_input_deinit(&in);
}

/* Tests the number of executed instructions, which is also that of perf script --itrace=i0ns. */
static void matches_instructions(void)
{
	struct fargs_pt_branches_options wanted = {
		.insn_period = 1,
	};
	struct fargs_buf first = { }, other = { };

	if (!open_recording())
		return;
	write_wanted(&first, &wanted, 2, 0);
	CHECK_INT(count_lines(&first), 393362 + 1882919);
	wanted.has_branches = true;
	first.n = 0;
	write_wanted(&first, &wanted, 2, 0);
	CHECK_INT(count_lines(&first), 393362 + 1882919 + BRANCHES);
	wanted.has_branches = false;
	wanted.insn_period = 1000;
	first.n = 0;
	write_wanted(&first, &wanted, 1, UINT64_MAX);
	CHECK_INT(count_lines(&first), 393 + 1882);
	write_wanted(&other, &wanted, 3, 1);
	CHECK(other.n == first.n && !memcmp(other.text, first.text, first.n));
	fargs_buf_deinit(&first);
	fargs_buf_deinit(&other);
	fargs_pt_input_deinit(&in);
}

int main(void)
{
	static const struct ktap_test tests[] = {
		{ "every branch was executed, decoded in one piece", whole },
		{ "every branch was executed, cut at each PSB", at_each_psb },
		{ "every branch was executed, cut as usual", as_usual },
		{ "every instruction was executed, decoded one by one", one_by_one },
		{ "cuts of longer traces lose no instruction", cuts_lose_nothing },
		{ "lines are the same with any number of threads", threads_change_nothing },
		{ "calls and returns can be shown alone", matches_branches },
		{ "the number of errors is that of the lines", counts_errors },
		{ "every or every thousandth instruction can be shown", matches_instructions },
	};
	int status = KTAP_RUN(tests);

	pt_testdata_clean_up();
	return status;
}
