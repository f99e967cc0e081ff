// SPDX-License-Identifier: GPL-2.0-only
/*
 * Removes pages of code from a recording, one at a time: what is decoded is what was executed, and
 * only that is lost which cannot be known without the page.
 *
 *	pt_holes [PAGES [RECORDING]]
 *
 * What is expected is computed from the whole flow, which pt_truth compares with the emulator's
 * log, and from the packets, which libipt reads: an instruction in the page is lost, and with it
 * what follows up to the next packet with an address. The CPU's stack of calls is not known from
 * there on, so a compressed return that no later call belongs to is the next hole.
 */
#include <stdlib.h>

#include "source/pt/code/insn.h"
#include "source/pt/code/memory.h"
#include "source/pt/input/perf_input.h"
#include "unit/pt_recorded.h"
#include "unit/pt_testdata.h"

#define RECORDING	"pt-kernel"
#define PAGE		4096u
/* The pages were executed this often, in instructions. */
#define MIN_EXECUTED	10
#define MAX_EXECUTED	10000
/* Number of calls that a CPU knows. */
#define DEPTH		64

static struct fargs_pt_input in;
static struct fargs_error_text err;
static unsigned int nr_wanted = 5;
static const char *recording;

/* An instruction that was executed. */
struct step {
	uint64_t ip;
	uint64_t to;			/* target of the branch; 0: no branch was taken */
	uint64_t offset;		/* of the last packet used before it */
	uint8_t size;
	uint8_t insn;			/* enum fargs_pt_insn */
	bool is_compressed;		/* a compressed return */
};

struct truth {
	struct step *steps;
	size_t nr;
	struct pt_shown_list shown;
};

static struct truth *truths;

/* Sets the size of each step. */
static void set_sizes(struct truth *t)
{
	struct fargs_pt_memory *memory = fargs_pt_memory_create(&in, &err);
	struct fargs_pt_decoded insn;
	struct fargs_pt_view view;
	uint8_t code[FARGS_PT_INSN_MAX];
	size_t i, n;

	REQUIRE(memory && !fargs_pt_view_init(&view, memory, -1));
	for (i = 0; i < t->nr; i++) {
		n = fargs_pt_view_read(&view, t->steps[i].ip, code, sizeof(code));
		if (fargs_pt_insn_decode(code, n, FARGS_PT_EXEC_64, &insn))
			t->steps[i].size = insn.size;
		else
			CHECK(!"there is no such instruction");
	}
	fargs_pt_view_deinit(&view);
	fargs_pt_memory_destroy(memory);
}

/* Returns whether the packet at @offset is a TNT. */
static bool is_tnt(const struct truth *t, uint64_t offset)
{
	size_t i = pt_shown_find(&t->shown, offset);

	if (i < t->shown.nr && t->shown.all[i].offset == offset)
		return t->shown.all[i].kind == SHOWS_TNT;
	CHECK(!"no packet is there");
	return false;
}

static void read_truth(const struct fargs_pt_stream *s, struct truth *t)
{
	const struct fargs_pt_item *item;
	struct fargs_pt_flow flow;
	struct step *last = NULL;
	size_t i, nr;

	pt_decode_stream(&in, s, FARGS_PT_ENGINE_FARGS, true, &flow);
	t->shown = pt_list_shown(s->pieces[0].bytes, s->pieces[0].size);
	t->steps = calloc(flow.nr_insns + 1, sizeof(*t->steps));
	for (item = flow.items; item < flow.items + flow.nr; item++) {
		CHECK(item->kind != FARGS_PT_ERROR);
		if (item->kind == FARGS_PT_EXECUTED) {
			last = &t->steps[t->nr++];
			*last = (struct step){
				.ip = item->from, .offset = item->offset, .insn = item->insn,
			};
		} else if (item->kind == FARGS_PT_BRANCH) {
			CHECK(last && last->ip == item->from);
			last->to = item->to;
			last->is_compressed = item->insn == FARGS_PT_INSN_RETURN &&
					      is_tnt(t, item->offset);
		}
	}
	CHECK_INT(t->nr, flow.nr_insns);
	for (nr = 0, i = 0; i < t->nr; i++)
		nr += t->steps[i].is_compressed;
	printf("# CPU %u: %zu instructions, %zu compressed returns\n", s->cpu, t->nr, nr);
	fargs_pt_flow_deinit(&flow);
	set_sizes(t);
}

/* Pages of code, and how many instructions of each were executed. */
struct page {
	uint64_t addr;
	uint64_t nr;
};

static struct page *pages;
static size_t nr_pages;

static int compare_pages(const void *a, const void *b)
{
	const struct page *x = a, *y = b;

	return x->addr < y->addr ? -1 : x->addr > y->addr;
}

static void count_page(uint64_t addr)
{
	struct page key = { .addr = addr }, *page;
	size_t i;

	page = nr_pages ? bsearch(&key, pages, nr_pages, sizeof(*pages), compare_pages) : NULL;
	if (page) {
		page->nr++;
		return;
	}
	pages = realloc(pages, (nr_pages + 1) * sizeof(*pages));
	for (i = nr_pages++; i && pages[i - 1].addr > addr; i--)
		pages[i] = pages[i - 1];
	pages[i] = (struct page){ addr, 1 };
}

/* Finds the pages that were executed neither too rarely nor too often. */
static void find_pages(void)
{
	const struct truth *t;
	const struct step *s;
	size_t i, n = 0;

	for (t = truths; t < truths + in.nr_streams; t++)
		for (s = t->steps; s < t->steps + t->nr; s++) {
			count_page(s->ip / PAGE * PAGE);
			if ((s->ip + s->size - 1) / PAGE != s->ip / PAGE)
				count_page((s->ip / PAGE + 1) * PAGE);
		}
	for (i = 0; i < nr_pages; i++)
		if (pages[i].nr >= MIN_EXECUTED && pages[i].nr <= MAX_EXECUTED)
			pages[n++] = pages[i];
	nr_pages = n;
}

/* An instruction that is expected to be decoded. */
struct expected {
	uint32_t step;
	bool is_after_hole;
};

struct expectation {
	struct expected *all;
	size_t nr, nr_holes;
};

static bool is_missing(const struct step *s, uint64_t page)
{
	return s->ip + s->size > page && s->ip < page + PAGE;
}

/* Returns the step at which the flow is known again after a hole at step @i; t->nr if none is. */
static size_t resume_step(const struct truth *t, size_t i)
{
	const struct pt_shown *next = pt_shown_next(&t->shown, t->steps[i].offset + 1);

	while (next && i < t->nr && t->steps[i].offset < next->offset)
		i++;
	return next ? i : t->nr;
}

/* Computes what can be decoded of @t without @page. */
static struct expectation expect(const struct truth *t, uint64_t page)
{
	struct expectation e = { .all = calloc(t->nr + 1, sizeof(*e.all)) };
	unsigned int depth = DEPTH;	/* as if known: the whole flow has no hole */
	bool is_after_hole = false, is_empty = false;
	const struct step *s;
	size_t i = 0;

	while (i < t->nr) {
		s = &t->steps[i];
		if (!is_missing(s, page)) {
			e.all[e.nr++] = (struct expected){ i, is_after_hole };
			is_after_hole = false;
			if (s->insn == FARGS_PT_INSN_CALL && s->to != s->ip + s->size)
				depth += depth < DEPTH;
			is_empty = s->is_compressed && !depth;
			if (s->is_compressed && depth && e.nr_holes)
				depth--;
			if (!is_empty) {
				i++;
				continue;
			}
		}
		e.nr_holes += !is_after_hole;
		is_after_hole = true;
		depth = 0;
		i = resume_step(t, i);
	}
	return e;
}

/* Returns the index of the code that contains @page; in.nr_codes if there is none after @from. */
static size_t find_code(uint64_t page, size_t from)
{
	const struct fargs_pt_code *c;

	for (; from < in.nr_codes; from++) {
		c = &in.codes[from];
		if (c->pid == -1 && c->addr < page + PAGE && c->addr + c->bytes > page)
			break;
	}
	return from;
}

/* Removes @page from all code. Returns the former code, for restore_code(). */
static struct fargs_pt_code *remove_page(uint64_t page, size_t *nr)
{
	struct fargs_pt_code *former = malloc(in.nr_codes * sizeof(*former)), *c, end;
	size_t i;

	*nr = in.nr_codes;
	memcpy(former, in.codes, in.nr_codes * sizeof(*former));
	for (i = find_code(page, 0); i < in.nr_codes; i = find_code(page, i)) {
		c = &in.codes[i];
		end = *c;
		c->bytes = page > c->addr ? page - c->addr : 0;
		if (end.addr + end.bytes <= page + PAGE)
			continue;
		end.at += page + PAGE - end.addr;
		end.bytes -= page + PAGE - end.addr;
		end.addr = page + PAGE;
		end.path = strdup(end.path);
		CHECK(!fargs_pt_input_add_code(&in, &end));
	}
	return former;
}

static void restore_code(struct fargs_pt_code *former, size_t nr)
{
	while (in.nr_codes > nr)
		free(in.codes[--in.nr_codes].path);
	memcpy(in.codes, former, nr * sizeof(*former));
	free(former);
}

/* Compares a flow with what is expected. */
static void compare(const struct truth *t, const struct expectation *e,
		    const struct fargs_pt_flow *flow)
{
	const struct fargs_pt_item *item;
	const struct step *s = NULL;
	size_t n = 0, nr_holes = 0;
	bool is_after_hole = false;

	for (item = flow->items; item < flow->items + flow->nr; item++) {
		switch (item->kind) {
		case FARGS_PT_ERROR:
			nr_holes += !is_after_hole;
			is_after_hole = true;
			break;
		case FARGS_PT_EXECUTED:
			s = n < e->nr ? &t->steps[e->all[n].step] : NULL;
			if (!s || s->ip != item->from || is_after_hole != e->all[n].is_after_hole) {
				ktap_fail(__FILE__, __LINE__, "instruction %zu is %" PRIx64
					  ", not %" PRIx64 ", %s hole", n, item->from,
					  s ? s->ip : 0, is_after_hole ? "after a" : "without a");
				return;
			}
			is_after_hole = false;
			n++;
			break;
		case FARGS_PT_BRANCH:
			if (!s || s->ip != item->from || s->to != item->to) {
				ktap_fail(__FILE__, __LINE__, "branch from %" PRIx64 " to %" PRIx64
					  ", not %" PRIx64, item->from, item->to, s ? s->to : 0);
				return;
			}
			break;
		default:
			break;
		}
	}
	CHECK_INT(n, e->nr);
	CHECK_INT(nr_holes, e->nr_holes);
}

/*
 * Counts the instructions of a flow that were executed, in order, and those that were not
 * (*@nr_invented).
 */
static uint64_t count_executed(const struct truth *t, const struct fargs_pt_flow *flow,
			       uint64_t *nr_invented)
{
	const struct fargs_pt_item *item;
	uint64_t nr = 0;
	size_t i = 0, k;

	for (item = flow->items; item < flow->items + flow->nr; item++) {
		if (item->kind != FARGS_PT_EXECUTED)
			continue;
		for (k = i; k < t->nr && t->steps[k].ip != item->from; k++)
			;
		if (k < t->nr) {
			i = k + 1;
			nr++;
		} else {
			++*nr_invented;
		}
	}
	return nr;
}

struct losses {
	uint64_t own, libipt, holes, own_invented, libipt_invented;
};

static struct losses lose_page(const struct page *page)
{
	struct losses lost = { };
	struct fargs_pt_code *former;
	struct expectation e;
	struct fargs_pt_flow flow;
	size_t i, nr_codes;

	former = remove_page(page->addr, &nr_codes);
	for (i = 0; i < in.nr_streams; i++) {
		e = expect(&truths[i], page->addr);
		pt_decode_stream(&in, &in.streams[i], FARGS_PT_ENGINE_FARGS, true, &flow);
		compare(&truths[i], &e, &flow);
		lost.holes += e.nr_holes;
		lost.own += truths[i].nr - count_executed(&truths[i], &flow, &lost.own_invented);
		fargs_pt_flow_deinit(&flow);
		pt_decode_stream(&in, &in.streams[i], FARGS_PT_ENGINE_LIBIPT, true, &flow);
		lost.libipt += truths[i].nr - count_executed(&truths[i], &flow,
							     &lost.libipt_invented);
		fargs_pt_flow_deinit(&flow);
		free(e.all);
	}
	restore_code(former, nr_codes);
	return lost;
}

static void loses_what_is_unknown(void)
{
	struct losses lost, all = { };
	size_t i, k, nr;

	if (!recording && !pt_testdata_unpack(RECORDING))
		return;
	fargs_pt_input_init(&in);
	REQUIRE(!fargs_perf_input_read(&in, recording ? recording :
				       pt_testdata_at(RECORDING "/perf.data"), NULL, &err));
	truths = calloc(in.nr_streams, sizeof(*truths));
	for (i = 0; i < in.nr_streams; i++) {
		CHECK_INT(in.streams[i].nr_pieces, 1);
		read_truth(&in.streams[i], &truths[i]);
	}
	find_pages();
	nr = nr_wanted < nr_pages ? nr_wanted : nr_pages;
	CHECK(nr > 0);
	for (k = 0; k < nr; k++) {
		i = k * nr_pages / nr;
		lost = lose_page(&pages[i]);
		printf("# page %" PRIx64 ", %" PRIu64 " instructions: %" PRIu64
		       " holes; lost: fargs %" PRIu64 ", libipt %" PRIu64
		       "; invented: %" PRIu64 ", %" PRIu64 "\n",
		       pages[i].addr, pages[i].nr, lost.holes, lost.own, lost.libipt,
		       lost.own_invented, lost.libipt_invented);
		CHECK(lost.holes > 0);
		CHECK_INT(lost.own_invented, 0);
		all.own += lost.own;
		all.libipt += lost.libipt;
		all.libipt_invented += lost.libipt_invented;
	}
	printf("# %zu of %zu pages: lost: fargs %" PRIu64 ", libipt %" PRIu64 "; libipt invented %"
	       PRIu64 "\n", nr, nr_pages, all.own, all.libipt, all.libipt_invented);
	for (i = 0; i < in.nr_streams; i++) {
		free(truths[i].steps);
		free(truths[i].shown.all);
	}
	free(truths);
	free(pages);
	fargs_pt_input_deinit(&in);
}

int main(int argc, char **argv)
{
	static const struct ktap_test tests[] = {
		{ "only what cannot be known without a page of code is lost",
		  loses_what_is_unknown },
	};
	int status;

	if (argc > 1)
		nr_wanted = strtoul(argv[1], NULL, 0);
	if (argc > 2)
		recording = argv[2];
	status = KTAP_RUN(tests);
	pt_testdata_clean_up();
	return status;
}
