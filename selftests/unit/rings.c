// SPDX-License-Identifier: GPL-2.0-only
/* Reading rings, from a file in memory laid out as the module's mappings are. */
#include "ring/rings.h"

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

/* Two rings whose byte at position p is p / 8, the data being there twice. */
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
	set_head(0, 8000 + SIZE);	/* full */
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
	CHECK_STR(err.text, "a ring of 8200 bytes is not possible");
	put(FARGS_MMAP_DATA(1), &newer, sizeof(newer));
	CHECK(!fargs_rings_map(fd, &info, SIZE, &err));
	CHECK_STR(err.text, "the module's rings are of version 99, this program knows 1");
}

static const struct ktap_test tests[] = {
	{ "hands out one run and gives space back", hands_out_one_run_and_gives_space_back },
	{ "reads over the end without a seam", reads_over_the_end_without_a_seam },
	{ "keeps what was not taken", keeps_what_was_not_taken },
	{ "refuses impossible heads", refuses_impossible_heads },
	{ "refuses other rings", refuses_other_rings },
};

int main(void)
{
	return KTAP_RUN(tests);
}
