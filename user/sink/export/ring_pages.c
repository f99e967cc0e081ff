// SPDX-License-Identifier: GPL-2.0-only
#include "sink/export/ring_pages.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/array.h"

/* Fields of an event's first word: type or length in words, and time since the last event. */
#define TYPE_BITS	5
#define TIME_BITS	27
#define TIME_MASK	((1u << TIME_BITS) - 1)
#define TYPE_EXTEND	30
/* Maximum length, in words, that the first word can hold; otherwise, the second word holds it. */
#define WORDS_MAX	28
/* Maximum time between two events of a page: a time extend stores TIME_BITS + 32 bits. */
#define DELTA_MAX	((1ull << (TIME_BITS + 32)) - 1)

/*
 * Flags in the commit field of a page's header. MISSED: events were lost before the page.
 * MISSED_STORED: the number of these events follows the page's data.
 */
#define MISSED		(1ull << 31)
#define MISSED_STORED	(1ull << 30)

/* Maximum size of what precedes an event's data: a time extend, the first word, the length. */
#define EVENT_HEAD	16
/* Maximum size of a page's data; leaves room for the number of lost events after the data. */
#define DATA_BYTES	(FARGS_RING_PAGE_BYTES - FARGS_RING_PAGE_HEAD - 8)

_Static_assert(FARGS_RING_EVENT_MAX + 3 + EVENT_HEAD <= DATA_BYTES, "an event fits into a page");

struct loss {
	bool is_some;
	bool is_unsure;		/* more events were lost than @nr counts */
	uint64_t nr;
};

/* The page of a CPU that is being filled. */
struct page {
	uint8_t *bytes;		/* NULL: not allocated yet */
	size_t used;		/* size of the page's data in bytes */
	uint64_t last_ns;	/* time of the last event */
	struct loss before;	/* events lost before the page's first event */
	struct loss after;	/* events lost after the page's last event */
	uint64_t nr;		/* number of the CPU's pages in the file */
};

struct fargs_ring_pages {
	int fd;
	struct page *cpus;	/* array, indexed by CPU */
	size_t nr_cpus;
	uint32_t *owners;	/* CPU of each page in the file */
	size_t nr_owners;
};

struct fargs_ring_pages *fargs_ring_pages_create(int fd)
{
	struct fargs_ring_pages *p = calloc(1, sizeof(*p));

	if (p)
		p->fd = fd;
	else
		close(fd);
	return p;
}

void fargs_ring_pages_destroy(struct fargs_ring_pages *p)
{
	size_t i;

	if (!p)
		return;
	for (i = 0; i < p->nr_cpus; i++)
		free(p->cpus[i].bytes);
	close(p->fd);
	free(p->cpus);
	free(p->owners);
	free(p);
}

static struct page *page_of(struct fargs_ring_pages *p, unsigned int cpu)
{
	struct page *page;

	while (p->nr_cpus <= cpu) {
		page = fargs_array_add(p->cpus, p->nr_cpus);
		if (!page)
			return NULL;
		*page = (struct page){ };
	}
	return &p->cpus[cpu];
}

static int write_all(int fd, const uint8_t *data, size_t bytes)
{
	ssize_t n;

	while (bytes) {
		n = write(fd, data, bytes);
		if (n < 0 && errno != EINTR)
			return -errno;
		if (n > 0) {
			data += n;
			bytes -= n;
		}
	}
	return 0;
}

/* Appends the page of @cpu to the file, and begins an empty one. */
static int write_page(struct fargs_ring_pages *p, unsigned int cpu)
{
	struct page *page = &p->cpus[cpu];
	uint8_t *end = page->bytes + FARGS_RING_PAGE_HEAD + page->used;
	size_t left = FARGS_RING_PAGE_BYTES - FARGS_RING_PAGE_HEAD - page->used;
	uint64_t commit = page->used;
	uint32_t *owner;

	memset(end, 0, left);
	if (page->before.is_some)
		commit |= MISSED;
	if (page->before.is_some && !page->before.is_unsure) {
		commit |= MISSED_STORED;
		memcpy(end, &page->before.nr, sizeof(page->before.nr));
	}
	memcpy(page->bytes + 8, &commit, sizeof(commit));
	owner = fargs_array_add(p->owners, p->nr_owners);
	if (!owner)
		return -ENOMEM;
	*owner = cpu;
	page->used = 0;
	page->nr++;
	return write_all(p->fd, page->bytes, FARGS_RING_PAGE_BYTES);
}

static int begin_page(struct page *page, uint64_t ns)
{
	if (!page->bytes)
		page->bytes = malloc(FARGS_RING_PAGE_BYTES);
	if (!page->bytes)
		return -ENOMEM;
	memcpy(page->bytes, &ns, sizeof(ns));
	page->last_ns = ns;
	page->before = page->after;
	page->after = (struct loss){ };
	return 0;
}

static void put(struct page *page, const void *data, size_t bytes)
{
	memcpy(page->bytes + FARGS_RING_PAGE_HEAD + page->used, data, bytes);
	page->used += bytes;
}

static void put_word(struct page *page, uint32_t v)
{
	put(page, &v, sizeof(v));
}

static void put_event(struct page *page, uint64_t ns, const void *data, size_t bytes)
{
	uint32_t words = (bytes + 3) / 4, zero = 0;
	uint64_t delta = ns - page->last_ns;

	if (delta > TIME_MASK) {
		put_word(page, (uint32_t)(delta & TIME_MASK) << TYPE_BITS | TYPE_EXTEND);
		put_word(page, delta >> TIME_BITS);
		delta = 0;
	}
	if (words && words <= WORDS_MAX) {
		put_word(page, (uint32_t)delta << TYPE_BITS | words);
	} else {
		/* The length in the second word includes the second word. */
		put_word(page, (uint32_t)delta << TYPE_BITS);
		put_word(page, 4 * words + 4);
	}
	put(page, data, bytes);
	put(page, &zero, 4 * words - bytes);
	page->last_ns = ns;
}

int fargs_ring_pages_add(struct fargs_ring_pages *p, unsigned int cpu, uint64_t ns,
			 const void *data, size_t bytes)
{
	struct page *page = page_of(p, cpu);
	int ret = 0;

	if (!page)
		return -ENOMEM;
	if (bytes > FARGS_RING_EVENT_MAX)
		return -E2BIG;
	/*
	 * Start a new page if the event does not fit, or if events were lost before it, because a
	 * page can store only losses before its first event. Also start one if the time went back
	 * or advanced by more than DELTA_MAX: a page stores the times between its events.
	 */
	if (page->used && (page->after.is_some || ns < page->last_ns ||
			   ns - page->last_ns > DELTA_MAX ||
			   page->used + EVENT_HEAD + bytes + 3 > DATA_BYTES))
		ret = write_page(p, cpu);
	if (!ret && !page->used)
		ret = begin_page(page, ns);
	if (!ret)
		put_event(page, ns, data, bytes);
	return ret;
}

int fargs_ring_pages_lose(struct fargs_ring_pages *p, unsigned int cpu, uint64_t nr)
{
	struct page *page = page_of(p, cpu);

	if (!page)
		return -ENOMEM;
	page->after.is_some = true;
	page->after.is_unsure |= !nr;
	page->after.nr += nr;
	return 0;
}

bool fargs_ring_pages_has_lost(const struct fargs_ring_pages *p, unsigned int cpu, uint64_t *nr)
{
	const struct loss *after = &p->cpus[cpu].after;

	*nr = after->is_unsure ? 0 : after->nr;
	return after->is_some;
}

int fargs_ring_pages_finish(struct fargs_ring_pages *p)
{
	unsigned int cpu;
	int ret = 0;

	for (cpu = 0; cpu < p->nr_cpus && !ret; cpu++)
		if (p->cpus[cpu].used)
			ret = write_page(p, cpu);
	return ret;
}

unsigned int fargs_ring_pages_nr_cpus(const struct fargs_ring_pages *p)
{
	return p->nr_cpus;
}

uint64_t fargs_ring_pages_bytes(const struct fargs_ring_pages *p, unsigned int cpu)
{
	return cpu < p->nr_cpus ? p->cpus[cpu].nr * FARGS_RING_PAGE_BYTES : 0;
}

static int read_page(struct fargs_ring_pages *p, size_t i, uint8_t *to)
{
	size_t at = 0;
	ssize_t n;

	while (at < FARGS_RING_PAGE_BYTES) {
		n = pread(p->fd, to + at, FARGS_RING_PAGE_BYTES - at,
			  (off_t)(i * FARGS_RING_PAGE_BYTES + at));
		if (!n || (n < 0 && errno != EINTR))
			return n ? -errno : -EIO;
		if (n > 0)
			at += n;
	}
	return 0;
}

int fargs_ring_pages_write(struct fargs_ring_pages *p, unsigned int cpu, FILE *to)
{
	uint8_t *bytes = cpu < p->nr_cpus ? p->cpus[cpu].bytes : NULL;
	size_t i;
	int ret;

	for (i = 0; i < p->nr_owners; i++) {
		if (p->owners[i] != cpu)
			continue;
		ret = read_page(p, i, bytes);
		if (ret)
			return ret;
		errno = 0;
		if (fwrite(bytes, 1, FARGS_RING_PAGE_BYTES, to) != FARGS_RING_PAGE_BYTES)
			return errno ? -errno : -EIO;
	}
	return 0;
}
