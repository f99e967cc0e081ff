// SPDX-License-Identifier: GPL-2.0-only
/*
 * Tests streams made of copies of the end of a trace (source/pt/input/copies.h): AUX samples and
 * snapshots. The trace is made here, so that the place of each copy in it is known: what can be
 * decoded of any copy must be in the stream, and no byte twice.
 */
#include <stdlib.h>

#include "fuzz/random.h"
#include "source/pt/input/copies.h"
#include "unit/ktap.h"

#define TRACE_BYTES	(64u << 10)
#define COPIES_MAX	200
#define PSB_BYTES	16

/* IDLE: like ALL_TIMES, with long runs of MTCs. They count modulo 256, so that they repeat. */
enum times { NO_TIMES, ONLY_TSC, ALL_TIMES, IDLE };

/* A copy of the trace from @begin to @end, followed by padding. */
struct copy {
	uint8_t *bytes;
	size_t begin, end, size;
};

/* The trace, and where its packets, PSBs and MTCs begin. */
static uint8_t trace[TRACE_BYTES];
static size_t packets[TRACE_BYTES], psbs[TRACE_BYTES], mtcs[TRACE_BYTES];
static size_t nr_packets, nr_psbs, nr_mtcs, nr_bytes;

static struct copy copies[COPIES_MAX];
static size_t nr_copies;
static struct fargs_pt_stream stream;
static struct fuzz_random seed;

static uint64_t below(uint64_t n)
{
	return fuzz_below(&seed, n);
}

static void put(const void *bytes, size_t n)
{
	memcpy(trace + nr_bytes, bytes, n);
	nr_bytes += n;
}

/* PSB, TSC unless there are no times, CBR, PSBEND. */
static void put_psb(bool has_tsc, uint64_t tsc)
{
	uint64_t packet = 0x19 | tsc << 8;
	int i;

	psbs[nr_psbs++] = nr_bytes;
	for (i = 0; i < PSB_BYTES / 2; i++)
		put("\x02\x82", 2);
	if (has_tsc)
		put(&packet, 8);
	put("\x02\x03\x10\x00\x02\x23", 6);
}

/* Makes a trace of TNT and TIP packets. With @is_loop, they repeat. */
static void make_trace(enum times times, bool is_loop)
{
	size_t next_psb = 0, nr_idle = 0;
	uint64_t nr = 0;
	uint8_t packet[3];

	nr_packets = 0;
	nr_psbs = 0;
	nr_mtcs = 0;
	for (nr_bytes = 0; nr_bytes < TRACE_BYTES - 64; nr++) {
		packets[nr_packets++] = nr_bytes;
		if (nr_bytes >= next_psb) {
			put_psb(times != NO_TIMES, 1000 + nr);
			next_psb = nr_bytes + 500 + below(2500);
		} else if (times >= ALL_TIMES && (nr_idle || !below(8))) {
			if (times == IDLE && !nr_idle && !below(20))
				nr_idle = below(600);
			nr_idle -= nr_idle > 0;
			mtcs[nr_mtcs++] = nr_bytes;
			packet[0] = 0x59;
			packet[1] = nr_mtcs;
			put(packet, 2);
		} else if (is_loop) {
			put("\x0c", 1);
		} else if (below(4)) {
			packet[0] = 4 + 2 * below(126);
			put(packet, 1);
		} else {
			packet[0] = 0x2d;
			packet[1] = below(256);
			packet[2] = below(256);
			put(packet, 3);
		}
	}
}

/* Copies @size bytes that end at @end, or fewer at the beginning of the trace. */
static void add_copy(struct fargs_pt_copies *c, size_t end, size_t size, size_t padding,
		     uint64_t offset)
{
	struct copy *copy = &copies[nr_copies++];
	struct fargs_pt_piece piece = { .offset = offset };

	size = size < end ? size : end;
	*copy = (struct copy){ .begin = end - size, .end = end, .size = size + padding };
	copy->bytes = calloc(1, copy->size + 1);
	memcpy(copy->bytes, trace + copy->begin, size);
	piece.bytes = copy->bytes;
	piece.size = copy->size;
	if (fargs_pt_copies_add(c, &stream, &piece))
		ktap_fail(__FILE__, __LINE__, "out of memory");
}

static void free_copies(void)
{
	while (nr_copies)
		free(copies[--nr_copies].bytes);
	free(stream.pieces);
	stream = (struct fargs_pt_stream){ .tid = -1 };
}

/* Returns the copy of which a piece is a part; NULL if there is none. */
static const struct copy *copy_of(const struct fargs_pt_piece *piece)
{
	size_t i;

	for (i = 0; i < nr_copies; i++)
		if (piece->bytes >= copies[i].bytes &&
		    piece->bytes + piece->size <= copies[i].bytes + copies[i].size)
			return &copies[i];
	return NULL;
}

/* Returns the first of the @nr sorted @places that is at or after @from. */
static size_t first_from(const size_t *places, size_t nr, size_t from)
{
	size_t i;

	for (i = 0; i < nr; i++)
		if (places[i] >= from)
			return places[i];
	return SIZE_MAX;
}

/* How often each byte of the trace can be decoded, from a PSB on, in the stream. */
static uint8_t nr_decoded[TRACE_BYTES];

/*
 * Counts in nr_decoded what is decoded of the stream. Returns false if its pieces are not as they
 * are to be: offsets that grow, and padding only where a gap follows.
 */
static bool count_decoded(void)
{
	size_t i, at, end = 0, offset = 0, from = 0;
	const struct fargs_pt_piece *piece;
	const struct copy *copy;

	memset(nr_decoded, 0, sizeof(nr_decoded));
	for (i = 0; i < stream.nr_pieces; i++) {
		piece = &stream.pieces[i];
		copy = copy_of(piece);
		if (!copy || !piece->size || piece->offset != offset || piece->is_after_loss)
			return false;
		at = copy->begin + (piece->bytes - copy->bytes);
		if (piece->begins)
			from = at;
		else if (!i || at != end)
			return false;
		offset += piece->size;
		for (end = at + piece->size; at < end && at < copy->end; at++)
			if (first_from(psbs, nr_psbs, from) <= at)
				nr_decoded[at]++;
	}
	return true;
}

/* Returns the byte that is decoded twice; SIZE_MAX if there is none. */
static size_t find_twice(void)
{
	size_t at;

	for (at = 0; at < nr_bytes; at++)
		if (nr_decoded[at] > 1)
			return at;
	return SIZE_MAX;
}

/* Returns the first byte from @begin to @end (exclusive) that is not decoded; SIZE_MAX: none. */
static size_t first_lost(size_t begin, size_t end)
{
	for (; begin < end; begin++)
		if (!nr_decoded[begin])
			return begin;
	return SIZE_MAX;
}

/* Returns a byte that can be decoded in a copy, but not in the stream; SIZE_MAX: none. */
static size_t find_lost(void)
{
	size_t i, at = SIZE_MAX;

	for (i = 0; at == SIZE_MAX && i < nr_copies; i++)
		at = first_lost(first_from(psbs, nr_psbs, copies[i].begin), copies[i].end);
	return at;
}

/*
 * Returns a byte that is not decoded, though it follows an earlier copy that is, with enough of it
 * in common to prove that; SIZE_MAX: none. The later copy needs no PSB of its own then.
 */
static size_t find_gap(void)
{
	size_t i, k, begin, end, nr;

	for (i = 1; i < nr_copies; i++) {
		begin = copies[i].begin;
		end = copies[i - 1].end;
		for (k = 0, nr = 0; k < nr_mtcs; k++)
			nr += mtcs[k] >= begin && mtcs[k] + 2 <= end;
		if (nr >= 20 && end >= begin + 64 && first_lost(begin, end) == SIZE_MAX &&
		    first_lost(end, copies[i].end) != SIZE_MAX)
			return first_lost(end, copies[i].end);
	}
	return SIZE_MAX;
}

/* Copies of @size bytes, or of any size up to it, each up to @step after the last one. */
static void copy_at_random(size_t size, size_t step, bool is_same_size)
{
	struct fargs_pt_copies c = { };
	size_t i = 1 + below(200), n;

	while (i < nr_packets && nr_copies < COPIES_MAX) {
		n = is_same_size ? size : 1 + below(size);
		add_copy(&c, packets[i], n, below(3) ? 0 : below(8), UINT64_MAX);
		i += below(step);
	}
	fargs_pt_copies_deinit(&c);
}

static void check_random(enum times times, bool is_loop, bool is_same_size, bool is_whole)
{
	size_t size, i;

	for (i = 0; i < 40; i++) {
		seed.state = 1 + i;
		make_trace(times, is_loop);
		size = 64 << below(8);
		copy_at_random(size, 2 + below(size), is_same_size);
		CHECK(count_decoded());
		CHECK_INT(find_twice(), SIZE_MAX);
		CHECK_INT(find_lost(), SIZE_MAX);
		if (is_whole)
			CHECK_INT(find_gap(), SIZE_MAX);
		if (ktap_has_failed)
			printf("# seed %zu, copies of %zu bytes\n", i + 1, size);
		free_copies();
		if (ktap_has_failed)
			return;
	}
}

static void joins_samples(void)
{
	check_random(ALL_TIMES, false, true, true);
}

static void joins_samples_of_any_size(void)
{
	check_random(ALL_TIMES, false, false, false);
}

static void joins_by_psb_only(void)
{
	check_random(ONLY_TSC, false, true, false);
}

static void joins_without_times(void)
{
	check_random(NO_TIMES, false, true, false);
}

/* Tests that MTCs are not enough to find an overlap. */
static void knows_idle_times(void)
{
	check_random(IDLE, false, true, false);
	check_random(IDLE, false, false, false);
}

/* Tests that a loop, of which each part is like the other, is not taken for an overlap. */
static void knows_loops(void)
{
	check_random(ONLY_TSC, true, true, false);
	check_random(ALL_TIMES, true, true, true);
}

/* Adds a copy of the trace between two places. Returns the number of pieces. */
static size_t copy_from(struct fargs_pt_copies *c, size_t begin, size_t end, size_t padding,
			uint64_t offset)
{
	add_copy(c, end, end - begin, padding, offset);
	return stream.nr_pieces;
}

/* Tests each way in which two copies can lie. The first PSBs are at 0 and at psbs[1]. */
static void joins_two(void)
{
	struct fargs_pt_copies c = { };
	size_t a, b;

	seed.state = 7;
	make_trace(ALL_TIMES, false);
	a = packets[nr_packets / 3];
	b = packets[nr_packets / 2];
	/* The same again, once with padding. */
	CHECK_INT(copy_from(&c, 10, a, 5, UINT64_MAX), 1);
	CHECK_INT(copy_from(&c, 10, a, 0, UINT64_MAX), 1);
	/* A smaller one at the end. */
	CHECK_INT(copy_from(&c, a - 6000, a, 3, UINT64_MAX), 1);
	/* A longer one, which replaces all others. */
	CHECK_INT(copy_from(&c, 5, b, 1, UINT64_MAX), 1);
	CHECK_INT(stream.pieces[0].size, b - 5 + 1);
	/* One that continues it: the padding of the last one is dropped. */
	CHECK_INT(copy_from(&c, b - 6000, b + 3000, 0, UINT64_MAX), 2);
	CHECK_INT(stream.pieces[0].size, b - 5);
	CHECK(!stream.pieces[1].begins);
	CHECK_INT(stream.pieces[1].size, 3000);
	/* One that does not. */
	CHECK_INT(copy_from(&c, b + 3100, b + 9000, 0, UINT64_MAX), 3);
	CHECK(stream.pieces[2].begins);
	/* One that contains two runs, and what is between them. */
	CHECK_INT(copy_from(&c, 3000, b + 9100, 0, UINT64_MAX), 3);
	CHECK(!stream.pieces[2].begins);
	CHECK(count_decoded());
	CHECK_INT(find_twice(), SIZE_MAX);
	CHECK_INT(find_lost(), SIZE_MAX);
	free_copies();
	fargs_pt_copies_deinit(&c);
}

/*
 * Tests snapshots of a buffer that was not full: each continues the previous one, though they have
 * nothing in common. Offsets are places in the buffer.
 */
static void continues_snapshots(void)
{
	struct fargs_pt_copies c = { };
	size_t a, b;

	seed.state = 8;
	make_trace(ALL_TIMES, false);
	a = packets[nr_packets / 3];
	b = packets[nr_packets / 2];
	CHECK_INT(copy_from(&c, 0, a, 3, 0), 1);
	CHECK_INT(copy_from(&c, a, b, 0, a), 2);
	CHECK(!stream.pieces[1].begins);
	CHECK_INT(stream.pieces[0].size, a);
	CHECK_INT(stream.pieces[1].offset, a);
	/* The buffer has wrapped: the oldest byte is in its middle. */
	CHECK_INT(copy_from(&c, b + 100, b + 9000, 0, 500), 3);
	CHECK(stream.pieces[2].begins);
	CHECK_INT(copy_from(&c, b + 3100, b + 12000, 0, 300), 4);
	CHECK(!stream.pieces[3].begins);
	CHECK_INT(stream.pieces[3].size, 3000);
	CHECK(count_decoded());
	free_copies();
	fargs_pt_copies_deinit(&c);
	/* Not padding, but trace. */
	CHECK_INT(copy_from(&c, 0, a, 0, 0), 1);
	CHECK_INT(copy_from(&c, a, b, 0, a - 3), 2);
	CHECK(stream.pieces[1].begins);
	free_copies();
	fargs_pt_copies_deinit(&c);
}

/* Tests copies with the same PSB and different bytes: neither is believed to be the other. */
static void compares_bytes(void)
{
	struct fargs_pt_copies c = { };
	size_t a;

	seed.state = 9;
	make_trace(ALL_TIMES, false);
	a = packets[nr_packets / 3];
	CHECK_INT(copy_from(&c, 0, a, 0, UINT64_MAX), 1);
	trace[a - 4000] ^= 2;
	CHECK_INT(copy_from(&c, a - 8000, a + 1000, 0, UINT64_MAX), 2);
	CHECK(stream.pieces[1].begins);
	free_copies();
	fargs_pt_copies_deinit(&c);
}

/* Tests copies of a buffer of which little was written, and copies without any PSB. */
static void begins_anywhere(void)
{
	static uint8_t zeroes[8192], mixed[2][8192];
	struct fargs_pt_copies c = { };
	struct fargs_pt_piece piece = { .offset = UINT64_MAX, .size = sizeof(zeroes) };
	size_t i, n = 1000;

	seed.state = 10;
	make_trace(ALL_TIMES, false);
	piece.bytes = zeroes;
	for (i = 0; i < 3; i++)
		CHECK_INT(fargs_pt_copies_add(&c, &stream, &piece), 0);
	for (i = 0; i < 2; i++, n += 500) {
		memcpy(mixed[i] + sizeof(mixed[i]) - n, trace, n);
		piece.bytes = mixed[i];
		CHECK_INT(fargs_pt_copies_add(&c, &stream, &piece), 0);
	}
	REQUIRE(stream.nr_pieces >= 2);
	CHECK(!stream.pieces[stream.nr_pieces - 1].begins);
	CHECK_INT(stream.pieces[stream.nr_pieces - 1].size, 500);
	CHECK(!memcmp(stream.pieces[stream.nr_pieces - 1].bytes, trace + 1000, 500));
	free_copies();
	fargs_pt_copies_deinit(&c);
}

int main(void)
{
	static const struct ktap_test tests[] = {
		{ "joins copies of one size", joins_samples },
		{ "joins copies of any size", joins_samples_of_any_size },
		{ "joins copies by PSBs alone", joins_by_psb_only },
		{ "joins copies of a trace without times", joins_without_times },
		{ "does not take a loop for an overlap", knows_loops },
		{ "does not take MTCs for an overlap", knows_idle_times },
		{ "joins two copies, wherever they are", joins_two },
		{ "continues snapshots of a buffer that was not full", continues_snapshots },
		{ "compares all bytes", compares_bytes },
		{ "joins copies of an empty buffer", begins_anywhere },
	};

	stream.tid = -1;
	return KTAP_RUN(tests);
}
