// SPDX-License-Identifier: GPL-2.0-only
/*
 * Tests the data kept from buffers and rings that wrap. They are compared with a model: a writer
 * whose bytes are known.
 */
#include "ktap.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <stdlib.h>
#include <string.h>

#include "source/pt/capture/sideband_buffer.h"
#include "source/pt/capture/snapshot.h"

#define BYTES	(256u << 10)

static uint8_t buffer[BYTES];
static uint64_t written;	/* number of bytes written in total */

/* Returns byte number @nr of the writer: never 0, and not periodic. */
static uint8_t byte_of(uint64_t nr)
{
	uint64_t x = nr * 0x9e3779b97f4a7c15;

	return 1 + (x >> 40) % 255;
}

static void go_on(size_t bytes)
{
	for (; bytes; bytes--, written++)
		buffer[written % BYTES] = byte_of(written);
}

static void begin(struct fargs_pt_snapshot *s)
{
	memset(buffer, 0, sizeof(buffer));
	written = 0;
	if (fargs_pt_snapshot_init(s, BYTES, BYTES))
		abort();
}

/*
 * Writes @bytes. Checks that the snapshot has the last @want bytes as its new part, and whether it
 * continues the previous one.
 */
static void check(struct fargs_pt_snapshot *s, size_t bytes, size_t want, bool is_next)
{
	size_t from, got, i;

	go_on(bytes);
	CHECK_INT(fargs_pt_snapshot_take(s, buffer, written % BYTES, &from, &got), is_next);
	CHECK_INT(got, want);
	for (i = 0; i < got; i++)
		if (buffer[(from + i) % BYTES] != byte_of(written - got + i))
			break;
	CHECK_INT(i, got);
}

static void test_new_data(void)
{
	struct fargs_pt_snapshot s;

	begin(&s);
	check(&s, 1000, 1000, true);
	check(&s, 0, 0, true);
	check(&s, 1, 1, true);
	check(&s, BYTES - 1001, BYTES - 1001, true);
	check(&s, 5000, 5000, true);
	check(&s, BYTES - 1, BYTES - 1, true);
	fargs_pt_snapshot_deinit(&s);
}

/* Tests snapshots that are smaller than the buffer: they have the last bytes. */
static void keeps_the_end(void)
{
	struct fargs_pt_snapshot s;

	begin(&s);
	s.limit = 10000;
	check(&s, 1000, 1000, true);
	check(&s, 10000, 10000, true);
	check(&s, 10001, 10000, false);
	check(&s, 0, 0, true);
	check(&s, BYTES - 5000, 10000, false);
	check(&s, 9000, 9000, true);
	check(&s, 3 * BYTES + 777, 10000, false);
	fargs_pt_snapshot_deinit(&s);
}

static void finds_that_it_went_round(void)
{
	struct fargs_pt_snapshot s;

	begin(&s);
	check(&s, BYTES + 1, BYTES, false);
	check(&s, 3 * BYTES + 777, BYTES, false);
	check(&s, 10, 10, true);
	check(&s, BYTES + 100, BYTES, false);
	fargs_pt_snapshot_deinit(&s);
}

/*
 * Tests writing exactly as many bytes as the buffer has: nothing is lost, but the result is the
 * same as after a loss.
 */
static void goes_round_exactly(void)
{
	struct fargs_pt_snapshot s;

	begin(&s);
	check(&s, BYTES, BYTES, false);
	check(&s, 2 * BYTES, BYTES, false);
	fargs_pt_snapshot_deinit(&s);
}

static void fits_any_number(void)
{
	struct fargs_pt_snapshot s;
	size_t bytes;
	int i;

	begin(&s);
	srand(1);
	for (i = 0; i < 200; i++) {
		bytes = (size_t)rand() % (2 * BYTES);
		check(&s, bytes, bytes < BYTES ? bytes : BYTES, bytes < BYTES);
	}
	fargs_pt_snapshot_deinit(&s);
}

static uint8_t record[256];

/* Adds a record of @type with @bytes, which contains @nr after its header. */
static void add(struct fargs_pt_sideband_buffer *b, uint32_t type, size_t bytes, uint64_t nr)
{
	const struct perf_event_header head = { type, 0, bytes };

	memcpy(record, &head, sizeof(head));
	memcpy(record + sizeof(head), &nr, sizeof(nr));
	CHECK_INT(fargs_pt_sideband_buffer_add(b, record), 0);
}

static uint64_t taken[100000];
static size_t nr_taken, most_taken;

static int take(void *arg, const void *records, size_t bytes)
{
	struct perf_event_header head;
	size_t at;

	if (bytes > most_taken)
		most_taken = bytes;
	for (at = 0; at < bytes; at += head.size) {
		memcpy(&head, (const char *)records + at, sizeof(head));
		memcpy(&taken[nr_taken++], (const char *)records + at + sizeof(head), 8);
	}
	return 0;
}

static void take_all(struct fargs_pt_sideband_buffer *b)
{
	nr_taken = 0;
	most_taken = 0;
	CHECK_INT(fargs_pt_sideband_buffer_take(b, 1000, take, NULL), 0);
}

/* Tests which records are kept: 64 KiB of them, that is, 2048 records of 32 bytes. */
static void keeps_the_last_records(void)
{
	struct fargs_pt_sideband_buffer *b = fargs_pt_sideband_buffer_create(64 << 10);
	uint64_t i;

	for (i = 0; i < 50000; i++)
		add(b, PERF_RECORD_SWITCH_CPU_WIDE, 32, i);
	take_all(b);
	CHECK_INT(nr_taken, 2048);
	for (i = 0; i < nr_taken && taken[i] == 50000 - 2048 + i; i++)
		;
	CHECK_INT(i, 2048);
	CHECK_INT(most_taken, 992);
	take_all(b);
	CHECK_INT(nr_taken, 0);
	fargs_pt_sideband_buffer_destroy(b);
}

/* Tests that all records about code are kept, and that the order of records is kept. */
static void keeps_what_is_about_code(void)
{
	struct fargs_pt_sideband_buffer *b = fargs_pt_sideband_buffer_create(64 << 10);
	uint64_t i;

	for (i = 0; i < 50000; i++)
		add(b, i % 100 ? PERF_RECORD_COMM : i % 200 ? PERF_RECORD_KSYMBOL :
		    PERF_RECORD_TEXT_POKE, 32, i);
	take_all(b);
	CHECK_INT(nr_taken, 2048 + (50000 - 2048) / 100 + 1);
	for (i = 0; i < 480 && taken[i] == 100 * i; i++)
		;
	CHECK_INT(i, 480);
	for (i = 1; i < nr_taken && taken[i] > taken[i - 1]; i++)
		;
	CHECK_INT(i, nr_taken);
	CHECK_INT(taken[nr_taken - 1], 49999);
	fargs_pt_sideband_buffer_destroy(b);
}

static void goes_on_after_it_was_taken(void)
{
	struct fargs_pt_sideband_buffer *b = fargs_pt_sideband_buffer_create(64 << 10);

	add(b, PERF_RECORD_COMM, 256, 1);
	take_all(b);
	CHECK_INT(nr_taken, 1);
	add(b, PERF_RECORD_COMM, 40, 2);
	add(b, PERF_RECORD_LOST, 48, 3);
	take_all(b);
	CHECK_INT(nr_taken, 2);
	CHECK_INT(taken[0], 2);
	CHECK_INT(taken[1], 3);
	fargs_pt_sideband_buffer_destroy(b);
}

int main(void)
{
	static const struct ktap_test tests[] = {
		{ "keeps new data", test_new_data },
		{ "a snapshot has the end of the new data", keeps_the_end },
		{ "notices that the buffer wrapped", finds_that_it_went_round },
		{ "handles a buffer that is exactly full", goes_round_exactly },
		{ "handles any number of bytes", fits_any_number },
		{ "keeps the last records", keeps_the_last_records },
		{ "keeps records about code", keeps_what_is_about_code },
		{ "continues after data was taken", goes_on_after_it_was_taken },
	};

	return KTAP_RUN(tests);
}
