// SPDX-License-Identifier: GPL-2.0-only
/* Tests reading rings, from a file in memory with the layout of the module's mappings. */
#include "session/rings.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "uapi/fargs_ring.h"
#include "unit/ktap.h"

#define SIZE	8192
#define PAGE	4096

static const struct fargs_info info = { .nr_cpus = 2, .page_size = PAGE };
static struct fargs_error_text err;
static int fd;

static void put(uint64_t at, const void *p, size_t bytes)
{
	if (pwrite(fd, p, bytes, (off_t)at) != (ssize_t)bytes)
		ktap_fail(__FILE__, __LINE__, "cannot write into the memory file");
}

static void set_head(unsigned int cpu, uint64_t data_head)
{
	const struct fargs_ring_head head = {
		.data_head = data_head, .size = SIZE, .version = FARGS_RING_VERSION,
	};

	put(FARGS_MMAP_DATA(cpu), &head, sizeof(head));
}

static uint64_t tail_of(unsigned int cpu)
{
	struct fargs_ring_tail tail = { 1 };

	if (pread(fd, &tail, sizeof(tail), (off_t)FARGS_MMAP_TAIL(cpu)) != sizeof(tail))
		return 1;
	return tail.data_tail;
}

/*
 * Makes two rings whose byte at position p is p / 8. The data are stored twice, as in the mapping.
 */
static struct fargs_rings *fresh(void)
{
	uint8_t data[SIZE];
	unsigned int cpu, i;

	if (fd > 0)
		close(fd);
	fd = memfd_create("rings", MFD_CLOEXEC);
	for (i = 0; i < SIZE; i++)
		data[i] = i / 8;
	for (cpu = 0; cpu < 2; cpu++) {
		set_head(cpu, 0);
		put(FARGS_MMAP_DATA(cpu) + PAGE, data, SIZE);
		put(FARGS_MMAP_DATA(cpu) + PAGE + SIZE, data, SIZE);
	}
	if (ftruncate(fd, (off_t)FARGS_MMAP_TAIL(1) + PAGE))
		return NULL;
	return fargs_rings_map(fd, &info, SIZE, &err);
}

static struct {
	unsigned int cpu, calls;
	size_t bytes;
	uint8_t first, last;
	int ret;
} got;

static int take(void *arg, unsigned int cpu, const void *records, size_t bytes)
{
	const uint8_t *p = records;

	got.calls++;
	got.cpu = cpu;
	got.bytes = bytes;
	got.first = p[0];
	got.last = p[bytes - 1];
	return got.ret;
}

static void hands_out_one_run_and_gives_space_back(void)
{
	struct fargs_rings *r = fresh();

	REQUIRE(r);
	memset(&got, 0, sizeof(got));
	CHECK_INT(fargs_rings_read(r, 1, take, NULL), 0);
	CHECK_INT(got.calls, 0);
	set_head(1, 800);
	CHECK_INT(fargs_rings_unread(r, 1), 800);
	CHECK_INT(fargs_rings_read(r, 1, take, NULL), 0);
	CHECK_INT(got.calls, 1);
	CHECK_INT(got.cpu, 1);
	CHECK_INT(got.bytes, 800);
	CHECK_INT(got.first, 0);
	CHECK_INT(got.last, 99);
	CHECK_INT(tail_of(1), 800);
	CHECK_INT(tail_of(0), 0);
	CHECK_INT(fargs_rings_unread(r, 1), 0);
	fargs_rings_destroy(r);
}

static void reads_over_the_end_without_a_seam(void)
{
	struct fargs_rings *r = fresh();

	REQUIRE(r);
	set_head(0, 8000);
	fargs_rings_read(r, 0, take, NULL);
	set_head(0, 8000 + SIZE);	/* the ring is full */
	CHECK_INT(fargs_rings_read(r, 0, take, NULL), 0);
	CHECK_INT(got.bytes, SIZE);
	CHECK_INT(got.first, (uint8_t)(8000 / 8));
	CHECK_INT(got.last, (uint8_t)(7999 / 8));
	CHECK_INT(tail_of(0), 8000 + SIZE);
	fargs_rings_destroy(r);
}

static void keeps_what_was_not_taken(void)
{
	struct fargs_rings *r = fresh();

	REQUIRE(r);
	set_head(0, 80);
	got.ret = -7;
	CHECK_INT(fargs_rings_read(r, 0, take, NULL), -7);
	CHECK_INT(tail_of(0), 0);
	got.ret = 0;
	CHECK_INT(fargs_rings_read(r, 0, take, NULL), 0);
	CHECK_INT(tail_of(0), 80);
	fargs_rings_destroy(r);
}

static void refuses_impossible_heads(void)
{
	static const uint64_t heads[] = { 72, SIZE + 88, 84, UINT64_MAX, 1ull << 40 };
	struct fargs_rings *r = fresh();
	size_t i;

	REQUIRE(r);
	set_head(0, 80);
	fargs_rings_read(r, 0, take, NULL);
	got.calls = 0;
	for (i = 0; i < sizeof(heads) / sizeof(heads[0]); i++) {
		set_head(0, heads[i]);
		CHECK_INT(fargs_rings_read(r, 0, take, NULL), -EIO);
	}
	CHECK_INT(fargs_rings_read(r, 2, take, NULL), -EINVAL);
	CHECK_INT(got.calls, 0);
	CHECK_INT(tail_of(0), 80);
	fargs_rings_destroy(r);
}

static void refuses_other_rings(void)
{
	const struct fargs_ring_head newer = { .size = SIZE, .version = 99 };
	struct fargs_rings *r = fresh();

	fargs_rings_destroy(r);
	CHECK(!fargs_rings_map(fd, &info, 2 * SIZE, &err));
	CHECK_STR(err.text, "the ring of CPU 0 holds 8192 bytes instead of 16384");
	CHECK(!fargs_rings_map(fd, &info, SIZE + 8, &err));
	CHECK_STR(err.text, "a ring of 8200 bytes is invalid");
	put(FARGS_MMAP_DATA(1), &newer, sizeof(newer));
	CHECK(!fargs_rings_map(fd, &info, SIZE, &err));
	CHECK_STR(err.text, "the module's rings have version 99, but this program supports version "
		  "1");
}

/*
 * Makes a ring in overwrite mode, with two sub-buffers. put_lengths() fills a sub-buffer with
 * records of @len bytes.
 */
static void set_frozen(uint64_t start, uint64_t head)
{
	const struct fargs_ring_head shared = {
		.data_head = head, .size = SIZE, .version = FARGS_RING_VERSION,
		.sub_bytes = SIZE / 2, .data_start = start,
	};

	put(FARGS_MMAP_DATA(0), &shared, sizeof(shared));
}

static void put_lengths(unsigned int sub, uint16_t len, unsigned int nr)
{
	uint64_t at = sub * (SIZE / 2);
	uint16_t zero = 0;
	unsigned int i;

	for (i = 0; i <= nr; i++, at += len) {
		const uint16_t *length = i < nr ? &len : &zero;

		if (at >= (sub + 1) * (SIZE / 2))
			break;
		put(FARGS_MMAP_DATA(0) + PAGE + at, length, sizeof(*length));
		put(FARGS_MMAP_DATA(0) + PAGE + SIZE + at, length, sizeof(*length));
	}
}

static size_t sum;

static int add_up(void *arg, unsigned int cpu, const void *records, size_t bytes)
{
	got.calls++;
	sum += bytes;
	return got.ret;
}

static void reads_a_frozen_ring_by_sub_buffers(void)
{
	struct fargs_rings *r = fresh();
	uint64_t from = 0;

	REQUIRE(r);
	memset(&got, 0, sizeof(got));
	sum = 0;
	put_lengths(0, 128, 10);	/* newer sub-buffer, at position SIZE: partly filled */
	put_lengths(1, 512, 8);		/* older sub-buffer, at position SIZE / 2: full */
	set_frozen(SIZE / 2, SIZE + 256);
	CHECK_INT(fargs_rings_read_frozen(r, 0, &from, add_up, NULL), 0);
	CHECK_INT(sum, SIZE / 2 + 256);
	CHECK_INT(got.calls, 2);
	CHECK_INT(from, SIZE + 256);
	/*
	 * After the last read, the rest of the ten records was written, and the next sub-buffer was
	 * begun.
	 */
	set_frozen(SIZE, SIZE + SIZE / 2 + 512);
	sum = 0;
	CHECK_INT(fargs_rings_read_frozen(r, 0, &from, add_up, NULL), 0);
	CHECK_INT(sum, 8 * 128 + 512);
	sum = 0;
	CHECK_INT(fargs_rings_read_frozen(r, 0, &from, add_up, NULL), 0);
	CHECK_INT(sum, 0);
	/* The position of the last read was overwritten: only the remaining records are read. */
	from = 128;
	CHECK_INT(fargs_rings_read_frozen(r, 0, &from, add_up, NULL), 0);
	CHECK_INT(sum, 10 * 128 + 512);
	got.ret = -7;
	from = 0;
	CHECK_INT(fargs_rings_read_frozen(r, 0, &from, add_up, NULL), -7);
	CHECK_INT(from, 0);
	fargs_rings_destroy(r);
}

static void refuses_impossible_frozen_rings(void)
{
	static const struct { uint64_t start, head; } bad[] = {
		{ 8, SIZE }, { 0, SIZE + 8 }, { SIZE, 0 }, { 0, 12 },
	};
	struct fargs_rings *r = fresh();
	uint64_t from = 0;
	size_t i;

	REQUIRE(r);
	memset(&got, 0, sizeof(got));
	for (i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		set_frozen(bad[i].start, bad[i].head);
		CHECK_INT(fargs_rings_read_frozen(r, 0, &from, add_up, NULL), -EIO);
	}
	/* One record exceeds its sub-buffer, and one is too short. */
	put_lengths(0, 128, 31);
	put(FARGS_MMAP_DATA(0) + PAGE + 31 * 128, &(uint16_t){ 136 }, 2);
	set_frozen(0, SIZE);
	CHECK_INT(fargs_rings_read_frozen(r, 0, &from, add_up, NULL), -EIO);
	put(FARGS_MMAP_DATA(0) + PAGE, &(uint16_t){ 8 }, 2);
	CHECK_INT(fargs_rings_read_frozen(r, 0, &from, add_up, NULL), -EIO);
	set_head(0, 80);	/* a ring that is not in overwrite mode */
	CHECK_INT(fargs_rings_read_frozen(r, 0, &from, add_up, NULL), -EIO);
	CHECK_INT(fargs_rings_read_frozen(r, 2, &from, add_up, NULL), -EINVAL);
	CHECK_INT(got.calls, 0);
	CHECK_INT(from, 0);
	fargs_rings_destroy(r);
}

static const struct ktap_test tests[] = {
	{ "returns one run of records and releases the space",
	  hands_out_one_run_and_gives_space_back },
	{ "reads across the end without a gap", reads_over_the_end_without_a_seam },
	{ "keeps records that were not taken", keeps_what_was_not_taken },
	{ "refuses invalid heads", refuses_impossible_heads },
	{ "refuses rings of another version", refuses_other_rings },
	{ "reads a frozen ring by sub-buffers", reads_a_frozen_ring_by_sub_buffers },
	{ "refuses invalid frozen rings", refuses_impossible_frozen_rings },
};

int main(void)
{
	return KTAP_RUN(tests);
}
