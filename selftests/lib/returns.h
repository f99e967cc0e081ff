/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * For tests of return probes: makes layouts with return bodies, and reads the records of all CPUs.
 */
#ifndef FARGS_SELFTESTS_RETURNS_H
#define FARGS_SELFTESTS_RETURNS_H

#include <sched.h>

#include "session.h"
#include "uapi/fargs_prog.h"

/* The parts of a layout under construction. */
struct maker {
	struct fargs_layout layout;
	struct fargs_store stores[16];
	struct fargs_insn insns[FARGS_PROGS][16];
	uint8_t body[512];
	uint8_t return_body[512];
	uint8_t consts[128];
	uint32_t body_len, return_body_len, const_len;
};

static inline void maker_init(struct maker *m, uint64_t addr, uint32_t flags)
{
	memset(m, 0, sizeof(*m));
	m->layout.addr = addr;
	m->layout.flags = flags;
}

/* Appends a value without data to a body. Returns the offset of its data. */
static inline uint16_t maker_value_in(uint8_t *body, uint32_t *len, const char *name, uint8_t type)
{
	uint32_t at = *len;

	memcpy(body + at, name, strlen(name) + 1);
	at += strlen(name) + 1;
	body[at++] = type;
	*len = at + (type == FARGS_TYPE_U128 || type == FARGS_TYPE_S128 ? 16 : 8);
	return at;
}

static inline void maker_store(struct maker *m, uint16_t offset, uint8_t source, uint8_t index)
{
	m->stores[m->layout.nr_stores++] = (struct fargs_store){
		.offset = offset, .source = source, .index = index,
	};
}

/* Adds a value that is read from register @index at the call. */
static inline void maker_reg(struct maker *m, const char *name, uint8_t type, uint8_t index)
{
	maker_store(m, maker_value_in(m->body, &m->body_len, name, type), FARGS_SOURCE_REG, index);
}

/* Adds a value that is read at the return. */
static inline void maker_return(struct maker *m, const char *name, uint8_t type, uint8_t source,
				uint8_t index)
{
	uint16_t at = maker_value_in(m->return_body, &m->return_body_len, name, type);

	maker_store(m, at, source, index);
	if (type == FARGS_TYPE_U128 || type == FARGS_TYPE_S128)
		maker_store(m, at + 8, source, index + 1);
}

static inline void maker_insn(struct maker *m, enum fargs_prog which, struct fargs_insn insn)
{
	m->insns[which][m->layout.nr_insns[which]++] = insn;
}

static inline uint32_t maker_round(uint32_t bytes)
{
	return (bytes + 7) & ~7u;
}

static inline void maker_copy(uint8_t **to, const void *from, size_t bytes)
{
	memcpy(*to, from, bytes);
	*to += bytes;
}

/* Writes the layout to @to in the form that FARGS_IOC_ADD requires. Returns its size. */
static inline uint32_t maker_pack(struct maker *m, uint8_t *to)
{
	struct fargs_layout *layout = &m->layout;
	uint8_t *at = to;
	uint32_t i;

	layout->body_len = maker_round(m->body_len + 2);
	layout->return_body_len = layout->flags & FARGS_LAYOUT_RETURN ?
				  maker_round(m->return_body_len + 2) : 0;
	layout->const_len = maker_round(m->const_len);
	layout->size = sizeof(*layout) + layout->nr_stores * sizeof(*m->stores) +
		       layout->body_len + layout->return_body_len + layout->const_len;
	for (i = 0; i < FARGS_PROGS; i++)
		layout->size += layout->nr_insns[i] * sizeof(struct fargs_insn);
	maker_copy(&at, layout, sizeof(*layout));
	maker_copy(&at, m->stores, layout->nr_stores * sizeof(*m->stores));
	for (i = 0; i < FARGS_PROGS; i++)
		maker_copy(&at, m->insns[i], layout->nr_insns[i] * sizeof(struct fargs_insn));
	maker_copy(&at, m->body, layout->body_len);
	maker_copy(&at, m->return_body, layout->return_body_len);
	maker_copy(&at, m->consts, layout->const_len);
	return at - to;
}

static inline int maker_add(int fd, struct maker *m)
{
	static uint8_t packed[sizeof(struct maker)];
	int ret = session_add(fd, packed, maker_pack(m, packed), 1, 0, NULL);

	memcpy(&m->layout, packed, sizeof(m->layout));
	return ret;
}

/* A session and its rings, one on each CPU. */
struct reader {
	int fd;
	uint32_t nr_cpus, page;
	uint64_t bytes;
	struct reader_ring {
		const struct fargs_ring_head *head;
		const uint8_t *data;
		struct fargs_ring_tail *tail;
	} rings[64];
};

static inline void *reader_map(const struct reader *r, int prot, uint64_t offset, size_t bytes)
{
	void *map = mmap(NULL, bytes, prot, MAP_SHARED, r->fd, offset);

	must(map == MAP_FAILED ? -errno : 0, "mmap");
	return map;
}

static inline void reader_open(struct reader *r, uint64_t bytes)
{
	struct fargs_info info = { 0 };
	uint32_t cpu;

	memset(r, 0, sizeof(*r));
	r->fd = session_open(bytes);
	r->page = sysconf(_SC_PAGESIZE);
	r->bytes = bytes;
	must(call(r->fd, FARGS_IOC_INFO, &info), "INFO");
	r->nr_cpus = info.nr_cpus < 64 ? info.nr_cpus : 64;
	for (cpu = 0; cpu < r->nr_cpus; cpu++) {
		uint8_t *map = reader_map(r, PROT_READ, FARGS_MMAP_DATA(cpu), r->page + 2 * bytes);

		r->rings[cpu].head = (void *)map;
		r->rings[cpu].data = map + r->page;
		r->rings[cpu].tail = reader_map(r, PROT_READ | PROT_WRITE, FARGS_MMAP_TAIL(cpu),
						r->page);
	}
}

static inline void reader_close(struct reader *r)
{
	uint32_t cpu;

	for (cpu = 0; cpu < r->nr_cpus; cpu++) {
		munmap((void *)r->rings[cpu].head, r->page + 2 * r->bytes);
		munmap(r->rings[cpu].tail, r->page);
	}
	close(r->fd);
}

/*
 * Gets up to @max unread records of entries, returns and tracepoints, ring by ring, and leaves them
 * in the rings. Returns their number. A malformed record ends the test.
 */
static inline uint32_t reader_peek(const struct reader *r, const struct fargs_record **records,
				   uint32_t max)
{
	uint32_t cpu, nr = 0;

	for (cpu = 0; cpu < r->nr_cpus; cpu++) {
		const struct reader_ring *ring = &r->rings[cpu];
		uint64_t head = __atomic_load_n(&ring->head->data_head, __ATOMIC_ACQUIRE);
		uint64_t pos = ring->tail->data_tail;

		while (pos < head) {
			const struct fargs_record *rec =
				(const void *)(ring->data + (pos & (r->bytes - 1)));

			must(rec->len < sizeof(*rec) || rec->len % FARGS_RECORD_ALIGN ||
			     rec->len > FARGS_RECORD_MAX ? -EBADMSG : 0, "record");
			pos += rec->len;
			if (rec->kind <= FARGS_KIND_TPOINT &&
			    nr < max)
				records[nr++] = rec;
		}
	}
	return nr;
}

/*
 * Releases all records that are in the rings now. Returns how many of them were entries, returns or
 * tracepoints.
 */
static inline uint64_t reader_skip(struct reader *r)
{
	uint64_t nr = 0;
	uint32_t cpu;

	for (cpu = 0; cpu < r->nr_cpus; cpu++) {
		struct reader_ring *ring = &r->rings[cpu];
		uint64_t head = __atomic_load_n(&ring->head->data_head, __ATOMIC_ACQUIRE);
		uint64_t pos = ring->tail->data_tail;

		while (pos < head) {
			const struct fargs_record *rec =
				(const void *)(ring->data + (pos & (r->bytes - 1)));

			nr += rec->kind <= FARGS_KIND_TPOINT;
			pos += rec->len;
		}
		__atomic_store_n(&ring->tail->data_tail, head, __ATOMIC_RELEASE);
	}
	return nr;
}

/* A value of a record. */
struct value {
	const char *name;
	uint8_t type;
	uint64_t low, high;	/* for str and bytes: length, and the first 8 bytes */
};

/* Reads the value at *@at, and moves *@at past it. Returns false at the end of the values. */
static inline bool record_value(const struct fargs_record *rec, uint32_t *at, struct value *value)
{
	const uint8_t *body = (const uint8_t *)(rec + 1);
	uint32_t max = rec->len - sizeof(*rec);
	uint32_t len;
	uint16_t n;

	value->name = (const char *)body + *at;
	len = strnlen(value->name, max - *at);
	if (*at + len + 2 > max)
		return false;
	value->type = body[*at + len + 1];
	*at += len + 2;
	if (!value->type)
		return false;
	value->high = 0;
	switch (value->type & ~(FARGS_TYPE_FAULT | FARGS_TYPE_CUT)) {
	case FARGS_TYPE_STR:
	case FARGS_TYPE_BYTES:
		memcpy(&n, body + *at, 2);
		value->low = n;
		memcpy(&value->high, body + *at + 2, 8);
		*at += 2 + (n < 8 ? 8 : maker_round(n));
		break;
	case FARGS_TYPE_U128:
	case FARGS_TYPE_S128:
		memcpy(&value->high, body + *at + 8, 8);
		memcpy(&value->low, body + *at, 8);
		*at += 16;
		break;
	default:
		memcpy(&value->low, body + *at, 8);
		*at += 8;
	}
	return true;
}

/* Returns the value with this name; its type is 0 if the record has no such value. */
static inline struct value record_find(const struct fargs_record *rec, const char *name)
{
	struct value value;
	uint32_t at = 0;

	while (record_value(rec, &at, &value)) {
		if (!strcmp(value.name, name))
			return value;
	}
	return (struct value){ .name = name };
}

/* Returns the names of a record's values, each followed by a comma. */
static inline const char *record_names(const struct fargs_record *rec)
{
	static char names[512];
	struct value value;
	uint32_t at = 0;

	names[0] = '\0';
	while (record_value(rec, &at, &value)) {
		strncat(names, value.name, 64);
		strcat(names, ",");
	}
	return names;
}

/* Sums of the counters of all CPUs. */
struct totals {
	uint64_t produced, lost, rejected, unreadable, missed;
	uint64_t nr_missed, nr_pending;
	uint32_t state, nr_dropped;
};

static inline struct totals reader_totals(const struct reader *r)
{
	struct fargs_cpu_stats cpus[64] = { 0 };
	struct fargs_stats stats = { .cpus = (uintptr_t)cpus, .nr_cpus = 64 };
	struct totals totals = { 0 };
	uint32_t cpu;

	must(call(r->fd, FARGS_IOC_STATS, &stats), "STATS");
	for (cpu = 0; cpu < r->nr_cpus; cpu++) {
		totals.produced += cpus[cpu].produced;
		totals.lost += cpus[cpu].lost;
		totals.rejected += cpus[cpu].rejected;
		totals.unreadable += cpus[cpu].unreadable;
		totals.missed += cpus[cpu].missed;
	}
	totals.nr_missed = stats.nr_missed;
	totals.nr_pending = stats.nr_pending;
	totals.state = stats.state;
	totals.nr_dropped = stats.nr_dropped;
	return totals;
}

#endif
