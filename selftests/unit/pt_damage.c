// SPDX-License-Identifier: GPL-2.0-only
/*
 * Damages bytes of a recording at random. After each error, decoding continues at the next packet
 * with an address, and nothing is shown in between. Branches that were not executed are counted:
 * not all damage can be detected.
 *
 *	pt_damage [SEEDS [FIRST]]
 *
 * Prints for each seed the number of errors, of branches shown, and of wrong ones among them.
 * selftests/ptemu/damage compares these numbers with those of perf.
 */
#include <stdlib.h>

#include "fuzz/random.h"
#include "source/pt/code/memory.h"
#include "source/pt/input/perf_input.h"
#include "unit/pt_recorded.h"
#include "unit/pt_testdata.h"

#define RECORDING	"pt-kernel"
#define NR_DAMAGED	40
/* Of 1000 branches shown, at most this number are wrong. */
#define MAX_WRONG	5

static struct fargs_pt_input in;
static struct fargs_error_text err;
static unsigned long nr_seeds = 10, first_seed = 1;

/* The flows of the undamaged streams, and their bytes. */
static struct fargs_pt_flow *truths;
static const uint8_t **originals;
static struct fargs_pt_view view;

static bool is_branch(const struct fargs_pt_item *item)
{
	return item->kind == FARGS_PT_BRANCH || item->kind == FARGS_PT_INTERRUPT ||
	       item->kind == FARGS_PT_END;
}

/* Returns the first item of @flow that was decoded at or after the packet at @offset. */
static const struct fargs_pt_item *find_item(const struct fargs_pt_flow *flow, uint64_t offset)
{
	size_t low = 0, high = flow->nr, middle;

	while (low < high) {
		middle = low + (high - low) / 2;
		if (flow->items[middle].offset < offset)
			low = middle + 1;
		else
			high = middle;
	}
	return &flow->items[low];
}

/*
 * Counts the branches of @flow that were not executed at their packet: those that @truth does not
 * have there, in order.
 */
static uint64_t count_wrong(const struct fargs_pt_flow *truth, const struct fargs_pt_flow *flow)
{
	const struct fargs_pt_item *item, *at = truth->items, *end = at + truth->nr, *t;
	uint64_t nr = 0;

	for (item = flow->items; item < flow->items + flow->nr; item++) {
		if (!is_branch(item))
			continue;
		if (at == end || at->offset < item->offset)
			at = find_item(truth, item->offset);
		for (t = at; t < end && t->offset == item->offset; t++)
			if (t->kind == item->kind && t->from == item->from && t->to == item->to)
				break;
		if (t < end && t->offset == item->offset)
			at = t + 1;
		else
			nr++;
	}
	return nr;
}

/* Returns whether an item may be between an error and where decoding continues. */
static bool is_without_flow(const struct fargs_pt_item *item)
{
	switch (item->kind) {
	case FARGS_PT_TICK:
	case FARGS_PT_POKED:
	case FARGS_PT_SKIPPED:
	case FARGS_PT_LOST:
		return true;
	case FARGS_PT_VM:
		return !item->to;
	case FARGS_PT_PTWRITE:
		return !item->nr_insns;
	default:
		return false;
	}
}

static bool has_code(uint64_t ip)
{
	uint8_t byte;

	return fargs_pt_view_read(&view, ip, &byte, 1);
}

/* Returns whether libipt has not read the packet at @offset. */
static bool is_unknown(const struct pt_shown_list *shown, uint64_t offset)
{
	size_t i = pt_shown_find(shown, offset + 1);

	return i && shown->all[i - 1].kind == SHOWS_UNKNOWN;
}

/*
 * Checks that @item continues the flow after the error at @error, at the first packet with an
 * address: only FUPs may be passed, which may be without the TIP that they need, and addresses
 * where no code is.
 */
static void check_resync(const struct pt_shown_list *shown, const struct fargs_pt_item *error,
			 const struct fargs_pt_item *item)
{
	/* A PSB may begin in what seems to be a packet before the error. */
	uint64_t from = item->offset < error->offset ? item->offset : error->offset;
	size_t i = pt_shown_find(shown, from);

	CHECK_INT(item->nr_insns, 0);
	CHECK(item->kind == FARGS_PT_BEGIN || item->kind == FARGS_PT_OVERFLOW);
	CHECK(!(item->flags & FARGS_PT_CONTINUES));
	if (item->kind != FARGS_PT_BEGIN || is_unknown(shown, item->offset))
		return;
	/* The packet at the error may have been used before. */
	i += i < shown->nr && shown->all[i].offset == error->offset &&
	     item->offset != error->offset;
	for (; i < shown->nr && shown->all[i].offset < item->offset; i++)
		if (shown->all[i].has_ip && shown->all[i].kind != SHOWS_EVENT &&
		    has_code(shown->all[i].ip))
			ktap_fail(__FILE__, __LINE__, "error at %" PRIu64 ", begin at %" PRIu64
				  " after packet at %" PRIu64, error->offset, item->offset,
				  shown->all[i].offset);
	if (i == shown->nr || shown->all[i].offset != item->offset ||
	    shown->all[i].ip != item->to)
		ktap_fail(__FILE__, __LINE__, "begin at %" PRIu64 " has no packet with %" PRIx64,
			  item->offset, item->to);
}

static uint64_t check_errors(const struct fargs_pt_stream *s, const struct fargs_pt_flow *flow)
{
	struct pt_shown_list shown = pt_list_shown(s->pieces[0].bytes, s->pieces[0].size);
	const struct fargs_pt_item *item, *error = NULL;
	/* A damaged byte may seem to be a VM entry. All of the code of a guest is missing. */
	bool is_guest = false, was_guest = false;
	uint64_t nr = 0;

	for (item = flow->items; item < flow->items + flow->nr; item++) {
		if (item->kind == FARGS_PT_VM)
			is_guest = item->flags & FARGS_PT_IN_GUEST;
		was_guest |= is_guest;
		if (item->kind == FARGS_PT_ERROR) {
			CHECK(!error);
			error = item;
			was_guest = is_guest;
			nr++;
		} else if (error && !is_without_flow(item)) {
			if (!was_guest)
				check_resync(&shown, error, item);
			error = NULL;
		}
	}
	free(shown.all);
	return nr;
}

static void damage(unsigned long seed)
{
	struct fuzz_random random = { .state = seed };
	uint64_t size = 0, at;
	size_t i, k;

	for (i = 0; i < in.nr_streams; i++)
		size += in.streams[i].pieces[0].size;
	for (k = 0; k < NR_DAMAGED; k++) {
		at = fuzz_below(&random, size);
		for (i = 0; at >= in.streams[i].pieces[0].size; i++)
			at -= in.streams[i].pieces[0].size;
		((uint8_t *)in.streams[i].pieces[0].bytes)[at] = fuzz_below(&random, 256);
	}
}

struct counts {
	uint64_t shown, wrong, errors;
};

static uint64_t count_branches(const struct fargs_pt_flow *flow)
{
	uint64_t nr = 0;
	size_t i;

	for (i = 0; i < flow->nr; i++)
		nr += is_branch(&flow->items[i]);
	return nr;
}

static void decode_damaged(unsigned long seed, struct counts *all)
{
	struct counts n = { };
	struct fargs_pt_piece *piece;
	struct fargs_pt_flow flow;
	size_t i;

	for (i = 0; i < in.nr_streams; i++) {
		piece = &in.streams[i].pieces[0];
		memcpy((uint8_t *)piece->bytes, originals[i], piece->size);
	}
	damage(seed);
	for (i = 0; i < in.nr_streams; i++) {
		pt_decode_stream(&in, &in.streams[i], FARGS_PT_ENGINE_FARGS, false, &flow);
		n.errors += check_errors(&in.streams[i], &flow);
		n.shown += count_branches(&flow);
		n.wrong += count_wrong(&truths[i], &flow);
		fargs_pt_flow_deinit(&flow);
	}
	printf("# seed %lu: %" PRIu64 " errors, %" PRIu64 " branches, %" PRIu64 " wrong\n", seed,
	       n.errors, n.shown, n.wrong);
	all->errors += n.errors;
	all->shown += n.shown;
	all->wrong += n.wrong;
}

static void resumes_after_damage(void)
{
	struct fargs_pt_memory *memory;
	struct counts all = { };
	struct fargs_pt_piece *piece;
	unsigned long seed;
	size_t i;

	if (!pt_testdata_unpack(RECORDING))
		return;
	fargs_pt_input_init(&in);
	REQUIRE(!fargs_perf_input_read(&in, pt_testdata_at(RECORDING "/perf.data"), NULL, &err));
	memory = fargs_pt_memory_create(&in, &err);
	REQUIRE(memory && !fargs_pt_view_init(&view, memory, -1));
	truths = calloc(in.nr_streams, sizeof(*truths));
	originals = calloc(in.nr_streams, sizeof(*originals));
	for (i = 0; i < in.nr_streams; i++) {
		CHECK_INT(in.streams[i].nr_pieces, 1);
		pt_decode_stream(&in, &in.streams[i], FARGS_PT_ENGINE_FARGS, false, &truths[i]);
		piece = &in.streams[i].pieces[0];
		originals[i] = piece->bytes;
		piece->bytes = malloc(piece->size);
	}
	for (seed = first_seed; seed < first_seed + nr_seeds; seed++)
		decode_damaged(seed, &all);
	printf("# %lu seeds: %" PRIu64 " errors, %" PRIu64 " branches, %" PRIu64 " wrong\n",
	       nr_seeds, all.errors, all.shown, all.wrong);
	CHECK(all.errors >= 10 * nr_seeds);
	CHECK(all.wrong <= all.shown * MAX_WRONG / 1000);
	for (i = 0; i < in.nr_streams; i++) {
		fargs_pt_flow_deinit(&truths[i]);
		free((uint8_t *)in.streams[i].pieces[0].bytes);
	}
	free(truths);
	free(originals);
	fargs_pt_view_deinit(&view);
	fargs_pt_memory_destroy(memory);
	fargs_pt_input_deinit(&in);
}

int main(int argc, char **argv)
{
	static const struct ktap_test tests[] = {
		{ "after damage, decoding continues at the next address", resumes_after_damage },
	};
	int status;

	if (argc > 1)
		nr_seeds = strtoul(argv[1], NULL, 0);
	if (argc > 2)
		first_seed = strtoul(argv[2], NULL, 0);
	status = KTAP_RUN(tests);
	pt_testdata_clean_up();
	return status;
}
