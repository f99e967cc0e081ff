// SPDX-License-Identifier: GPL-2.0-only
/* Tests mappings, rings and records against include/uapi/fargs_ring.h and fargs_record.h. */
#include <sched.h>
#include <signal.h>
#include <stddef.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#include "lib/session.h"

#define RING_BYTES	(64u << 10)

/* The mapped ring of one CPU. Calls are made on that CPU. */
struct ring {
	int fd;
	unsigned int cpu;
	uint32_t page;
	uint8_t *map;
	const struct fargs_ring_head *head;
	const uint8_t *data;
	struct fargs_ring_tail *tail;
};

static void *map_data(const struct ring *ring, int prot, int flags, size_t bytes)
{
	return mmap(NULL, bytes, prot, flags, ring->fd, FARGS_MMAP_DATA(ring->cpu));
}

static void *map_tail(const struct ring *ring)
{
	return mmap(NULL, ring->page, PROT_READ | PROT_WRITE, MAP_SHARED, ring->fd,
		    FARGS_MMAP_TAIL(ring->cpu));
}

static size_t data_bytes(const struct ring *ring)
{
	return ring->page + 2 * RING_BYTES;
}

static void ring_open(struct ring *ring)
{
	memset(ring, 0, sizeof(*ring));
	ring->page = sysconf(_SC_PAGESIZE);
	ring->cpu = sched_getcpu();
	ring->fd = session_open(RING_BYTES);
	ring->map = map_data(ring, PROT_READ, MAP_SHARED, data_bytes(ring));
	ring->tail = map_tail(ring);
	if (ring->map == MAP_FAILED || ring->tail == MAP_FAILED) {
		printf("Bail out! a ring cannot be mapped: %s\n", strerror(errno));
		exit(1);
	}
	ring->head = (void *)ring->map;
	ring->data = ring->map + ring->page;
}

static void ring_close(struct ring *ring)
{
	munmap(ring->map, data_bytes(ring));
	munmap(ring->tail, ring->page);
	close(ring->fd);
}

static uint64_t ring_head(const struct ring *ring)
{
	return __atomic_load_n(&ring->head->data_head, __ATOMIC_ACQUIRE);
}

static const struct fargs_record *record_at(const struct ring *ring, uint64_t pos)
{
	return (const void *)(ring->data + (pos & (RING_BYTES - 1)));
}

/*
 * Returns the next ENTRY record at or after *@pos, and moves *@pos past it. Returns NULL if there
 * is none.
 */
static const struct fargs_record *next_entry(const struct ring *ring, uint64_t *pos)
{
	const struct fargs_record *rec;

	while (*pos < ring_head(ring)) {
		rec = record_at(ring, *pos);
		if (rec->len < sizeof(*rec) || rec->len % FARGS_RECORD_ALIGN ||
		    rec->len > FARGS_RECORD_MAX)
			return NULL;
		*pos += rec->len;
		if (rec->kind == FARGS_KIND_ENTRY)
			return rec;
	}
	return NULL;
}

static void ring_stats(const struct ring *ring, struct fargs_cpu_stats *cpu)
{
	struct fargs_cpu_stats *cpus = calloc(ring->cpu + 1, sizeof(*cpus));
	struct fargs_stats stats = { .cpus = (uintptr_t)cpus, .nr_cpus = ring->cpu + 1 };

	must(call(ring->fd, FARGS_IOC_STATS, &stats), "STATS");
	*cpu = cpus[ring->cpu];
	free(cpus);
}

static bool is_killed_by(void (*function)(void *), void *arg, int signal)
{
	int status;
	pid_t pid = fork();

	if (!pid) {
		function(arg);
		_exit(0);
	}
	return waitpid(pid, &status, 0) == pid && WIFSIGNALED(status) &&
	       WTERMSIG(status) == signal;
}

static void write_byte(void *at)
{
	*(volatile uint8_t *)at = 1;
}

static void read_byte(void *at)
{
	(void)*(volatile uint8_t *)at;
}

static void test_map(void)
{
	const int both = PROT_READ | PROT_WRITE;
	struct fargs_info info = { 0 };
	struct ring ring;
	size_t bytes;
	void *bad;
	int fd;

	fd = device_open();
	ring = (struct ring){ .fd = fd, .page = sysconf(_SC_PAGESIZE) };
	must(call(fd, FARGS_IOC_INFO, &info), "INFO");
	ktap_ok(map_data(&ring, PROT_READ, MAP_SHARED, data_bytes(&ring)) == MAP_FAILED &&
		map_tail(&ring) == MAP_FAILED, "nothing can be mapped before BUFFER");
	close(fd);

	ring_open(&ring);
	bytes = data_bytes(&ring);
	ktap_ok(ring.head->version == FARGS_RING_VERSION && ring.head->size == RING_BYTES &&
		!ring.head->data_head && !ring.tail->data_tail,
		"a new ring's head and tail are right");
	ktap_ok(map_data(&ring, both, MAP_SHARED, bytes) == MAP_FAILED,
		"data cannot be mapped for writing");
	ktap_ok(map_data(&ring, PROT_READ, MAP_PRIVATE, bytes) == MAP_FAILED,
		"data cannot be mapped private");
	ktap_ok(map_data(&ring, PROT_READ | PROT_EXEC, MAP_SHARED, bytes) == MAP_FAILED,
		"data cannot be mapped for execution");
	ktap_ok(map_data(&ring, PROT_READ, MAP_SHARED, bytes - ring.page) == MAP_FAILED,
		"data cannot be mapped a page short");
	ktap_ok(map_data(&ring, PROT_READ, MAP_SHARED, bytes + ring.page) == MAP_FAILED,
		"data cannot be mapped a page long");
	bad = mmap(NULL, ring.page * 2, both, MAP_SHARED, ring.fd, FARGS_MMAP_TAIL(ring.cpu));
	ktap_ok(bad == MAP_FAILED, "a tail cannot be mapped a page long");
	bad = mmap(NULL, bytes, PROT_READ, MAP_SHARED, ring.fd, FARGS_MMAP_DATA(info.nr_cpus));
	ktap_ok(bad == MAP_FAILED, "a ring after the last cannot be mapped");
	bad = mmap(NULL, bytes, PROT_READ, MAP_SHARED, ring.fd, FARGS_MMAP_DATA(0x7fffffffu));
	ktap_ok(bad == MAP_FAILED, "a ring far after the last cannot be mapped");
	bad = mmap(NULL, bytes, PROT_READ, MAP_SHARED, ring.fd,
		   FARGS_MMAP_DATA(ring.cpu) + ring.page);
	ktap_ok(bad == MAP_FAILED, "data cannot be mapped from its middle");
	ktap_ok(mprotect(ring.map, bytes, both) == -1, "data cannot be made writable");
	ktap_ok(mprotect(ring.map, bytes, PROT_READ | PROT_EXEC) == -1,
		"data cannot be made executable");
	bad = mmap(NULL, ring.page, both | PROT_EXEC, MAP_SHARED, ring.fd,
		   FARGS_MMAP_TAIL(ring.cpu));
	ktap_ok(bad == MAP_FAILED, "a tail cannot be mapped for execution");
	ktap_ok(mprotect(ring.tail, ring.page, both | PROT_EXEC) == -1,
		"a tail cannot be made executable");
	ktap_ok(is_killed_by(write_byte, ring.map + ring.page, SIGSEGV),
		"a write to data is SIGSEGV");
	ktap_ok(mremap(ring.map, bytes, 2 * bytes, MREMAP_MAYMOVE) == MAP_FAILED &&
		mremap(ring.tail, ring.page, 2 * ring.page, MREMAP_MAYMOVE) == MAP_FAILED,
		"mappings cannot be grown");
	ktap_ok(is_killed_by(read_byte, ring.map, SIGSEGV), "a child does not inherit data");
	ktap_ok(is_killed_by(read_byte, ring.tail, SIGSEGV), "a child does not inherit a tail");
	ring_close(&ring);
}

static bool has_value(const uint8_t **at, const char *name, uint8_t type, const void *data,
		      size_t bytes)
{
	const uint8_t *body = *at;

	*at += strlen(name) + 2 + 8;
	return !memcmp(body, name, strlen(name) + 1) && body[strlen(name) + 1] == type &&
	       !memcmp(body + strlen(name) + 2, data, bytes);
}

static void test_record(void)
{
	const uint64_t obj = 0xffff888012345678ull, zero = 0, flags = 4096;
	const int32_t mode = -2;
	const struct fargs_record *rec;
	struct piece piece;
	const uint8_t *body;
	struct ring ring;
	uint64_t pos = 0;
	unsigned int i;

	ring_open(&ring);
	piece_target_4(&piece, symbol_address("fargs_t_4"));
	must(piece_add(ring.fd, &piece), "ADD");
	must(target_call("fargs_t_4"), TARGET_PROC);
	must(session_start(ring.fd), "START");
	must(target_call("fargs_t_4 3"), TARGET_PROC);
	must(target_call("fargs_t_2 3"), TARGET_PROC);
	must(session_stop(ring.fd), "STOP");
	must(target_call("fargs_t_4"), TARGET_PROC);

	rec = next_entry(&ring, &pos);
	if (!ktap_ok(!!rec, "a call has a record"))
		goto out;
	ktap_ok(rec->len % FARGS_RECORD_ALIGN == 0 &&
		rec->len >= sizeof(*rec) + piece.body_len, "the record's length is right");
	ktap_ok(rec->flags == 0 && rec->ip == piece.layout.ip && rec->parent_ip >> 63,
		"the record's flags and addresses are right");
	ktap_ok(rec->tid == (uint32_t)syscall(SYS_gettid), "the record's task is right");
	ktap_ok(!(rec->preempt & (FARGS_PREEMPT_HARDIRQ | FARGS_PREEMPT_NMI |
				  FARGS_PREEMPT_SERVING)) &&
		!(rec->preempt & FARGS_PREEMPT_DEPTH) && (rec->eflags & FARGS_EFLAGS_IF),
		"the record's context is that of a task");
	body = (const uint8_t *)(rec + 1);
	ktap_ok(has_value(&body, "obj", FARGS_TYPE_PTR, &obj, 8) &&
		has_value(&body, "name", FARGS_TYPE_PTR, &zero, 8) &&
		has_value(&body, "flags", FARGS_TYPE_U64, &flags, 8) &&
		has_value(&body, "mode", FARGS_TYPE_S32, &mode, 4),
		"the record's values are right");
	for (i = 0; body + i < (const uint8_t *)rec + rec->len && !body[i]; i++)
		;
	ktap_ok(body + i == (const uint8_t *)rec + rec->len && i >= 2,
		"the record's values are followed by zeros up to its length");
	ktap_ok(rec->seq == 0, "the record's sequence number is 0");
	for (i = 1; (rec = next_entry(&ring, &pos)); i++)
		if (rec->seq != i || rec->ip != piece.layout.ip)
			break;
	ktap_ok(i == 3 && !rec,
		"calls of other functions, before START and after STOP are not recorded");
	ktap_ok(!memcmp(ring.data, ring.data + RING_BYTES, RING_BYTES),
		"data is mapped twice in a row");
out:
	ring_close(&ring);
}

/* Tests unusual layouts: stores to halves of a value, values without a store, many names. */
static void test_odd_records(void)
{
	const struct fargs_record *rec;
	struct piece piece;
	struct ring ring;
	const uint8_t *data;
	uint64_t pos = 0;
	uint16_t at;

	ring_open(&ring);
	memset(&piece, 0, sizeof(piece));
	piece.layout.addr = symbol_address("fargs_t_6_wide");
	/* The call is fargs_t_6_wide(a=1, b=0, c=~0, d=1<<32, e=0xffffffff, f=6). */
	at = piece_value(&piece, "wide", FARGS_TYPE_U128, 16);
	piece_store(&piece, at + 8, FARGS_SOURCE_REG, 0);
	piece_store(&piece, at, FARGS_SOURCE_REG, 3);
	piece_value(&piece, "none", FARGS_TYPE_U64, 8);
	piece_reg(&piece, "f", FARGS_TYPE_U64, 5);
	piece_end(&piece);
	must(piece_add(ring.fd, &piece), "ADD");
	must(session_start(ring.fd), "START");
	must(target_call("fargs_t_6_wide"), TARGET_PROC);
	must(session_stop(ring.fd), "STOP");
	rec = next_entry(&ring, &pos);
	data = (const uint8_t *)(rec + 1) + at;
	ktap_ok(rec && *(const uint64_t *)data == 1ull << 32 &&
		*(const uint64_t *)(data + 8) == 1,
		"halves of a 128-bit value are stored at their place");
	ktap_ok(rec && *(const uint64_t *)(data + 16 + 6) == 0, "a value without store is 0");
	ktap_ok(rec && *(const uint64_t *)(data + 16 + 6 + 8 + 3) == 6,
		"the sixth register can be stored without the fifth");
	ring_close(&ring);

	/* The call is fargs_t_7(1, 2, 3, 4, 5, 6, -7), with the last argument on the stack. */
	ring_open(&ring);
	memset(&piece, 0, sizeof(piece));
	piece.layout.addr = symbol_address("fargs_t_7");
	at = piece_value(&piece, "g", FARGS_TYPE_S32, 8);
	piece_store(&piece, at, FARGS_SOURCE_STACK, 0);
	piece_reg(&piece, "f", FARGS_TYPE_S32, 5);
	piece_end(&piece);
	must(piece_add(ring.fd, &piece), "ADD");
	must(session_start(ring.fd), "START");
	must(target_call("fargs_t_7"), TARGET_PROC);
	must(session_stop(ring.fd), "STOP");
	pos = 0;
	rec = next_entry(&ring, &pos);
	data = (const uint8_t *)(rec + 1) + at;
	ktap_ok(rec && *(const int32_t *)data == -7 && *(const int32_t *)(data + 8 + 3) == 6,
		"stack slot 0 is next to the return address");
	ring_close(&ring);
}

static void test_full(void)
{
	struct fargs_cpu_stats stats;
	const struct fargs_record *rec;
	uint64_t pos = 0, kept = 0, lost = 0, last = 0;
	const uint64_t calls = 100000;
	struct piece piece;
	struct ring ring;

	ring_open(&ring);
	piece_target_4(&piece, symbol_address("fargs_t_4"));
	must(piece_add(ring.fd, &piece), "ADD");
	must(session_start(ring.fd), "START");
	must(target_call("fargs_t_4 100000"), TARGET_PROC);
	ring_stats(&ring, &stats);
	while (next_entry(&ring, &pos))
		kept++;
	ktap_ok(stats.produced == calls && stats.lost && kept + stats.lost == calls &&
		stats.lost_pending == stats.lost && ring_head(&ring) <= RING_BYTES,
		"a full ring keeps the first records and counts the rest");

	/* Once the ring has room, the first new record reports the loss. */
	__atomic_store_n(&ring.tail->data_tail, ring_head(&ring), __ATOMIC_RELEASE);
	must(target_call("fargs_t_4 1"), TARGET_PROC);
	rec = record_at(&ring, pos);
	ktap_ok(ring_head(&ring) > pos && rec->kind == FARGS_KIND_LOST &&
		!memcmp(rec + 1, "lost\0\7", 6) &&
		!memcmp((const uint8_t *)(rec + 1) + 6, &stats.lost, 8),
		"once there is room, a LOST record has their number");
	rec = next_entry(&ring, &pos);
	ktap_ok(rec && rec->seq == calls, "sequence numbers continue after the lost records");

	/* Write invalid values to the tail; the ring is not read any more. */
	static const uint64_t bad[] = {
		~0ull, 1ull << 63, 12345, 1, 0, RING_BYTES, 0xffffffff00000000ull,
	};
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		__atomic_store_n(&ring.tail->data_tail, bad[i], __ATOMIC_RELEASE);
		must(target_call("fargs_t_4 3000"), TARGET_PROC);
	}
	__atomic_store_n(&ring.tail->data_tail, ring_head(&ring) + 8, __ATOMIC_RELEASE);
	last = ring_head(&ring);
	must(target_call("fargs_t_4 10"), TARGET_PROC);
	ktap_ok(ring_head(&ring) == last, "a tail ahead of the head counts as a full ring");
	__atomic_store_n(&ring.tail->data_tail, ring_head(&ring) - RING_BYTES - 8,
			 __ATOMIC_RELEASE);
	must(target_call("fargs_t_4 10"), TARGET_PROC);
	ktap_ok(ring_head(&ring) == last,
		"a tail more than a ring behind the head counts as a full ring");
	pos = ring_head(&ring);
	__atomic_store_n(&ring.tail->data_tail, pos, __ATOMIC_RELEASE);
	must(target_call("fargs_t_4 2"), TARGET_PROC);
	rec = record_at(&ring, pos);
	if (rec->kind == FARGS_KIND_LOST)
		memcpy(&lost, (const uint8_t *)(rec + 1) + 6, 8);
	rec = next_entry(&ring, &pos);
	ktap_ok(rec && rec->ip == piece.layout.ip && lost >= 20,
		"after a valid tail the ring continues");
	ring_stats(&ring, &stats);
	ktap_ok(rec && stats.produced == rec->seq + 2, "no sequence number is skipped");
	must(session_stop(ring.fd), "STOP");
	ring_close(&ring);
}

/* A process that makes a call when a byte is written to a pipe. */
struct caller {
	int ask[2], answer[2];
	pid_t pid;
};

static void caller_start(struct caller *caller)
{
	char word;

	if (pipe(caller->ask) || pipe(caller->answer))
		abort();
	caller->pid = fork();
	if (caller->pid)
		return;
	while (read(caller->ask[0], &word, 1) == 1 && word == 'c') {
		if (target_call("fargs_t_4"))
			_exit(1);
		if (write(caller->answer[1], &word, 1) != 1)
			_exit(1);
	}
	_exit(0);
}

static void caller_call(struct caller *caller)
{
	char word = 'c';

	if (write(caller->ask[1], &word, 1) != 1 || read(caller->answer[0], &word, 1) != 1)
		abort();
}

static void caller_stop(struct caller *caller)
{
	if (write(caller->ask[1], "q", 1) != 1)
		abort();
	waitpid(caller->pid, NULL, 0);
	close(caller->ask[0]);
	close(caller->ask[1]);
	close(caller->answer[0]);
	close(caller->answer[1]);
}

static void test_tasks(void)
{
	struct fargs_start start = { .flags = FARGS_START_TASKS, .nr_tids = 1 };
	const struct fargs_record *rec;
	unsigned int own = 0, before = 0, child = 0, nr = 0;
	struct caller stranger, heir;
	struct piece piece;
	struct ring ring;
	uint64_t pos = 0;
	int32_t self = getpid();

	ring_open(&ring);
	piece_target_4(&piece, symbol_address("fargs_t_4"));
	must(piece_add(ring.fd, &piece), "ADD");
	caller_start(&stranger);
	start.tids = (uintptr_t)&self;
	must(call(ring.fd, FARGS_IOC_START, &start), "START");
	caller_start(&heir);
	caller_call(&stranger);
	caller_call(&heir);
	must(target_call("fargs_t_4"), TARGET_PROC);
	caller_stop(&heir);
	caller_stop(&stranger);
	must(session_stop(ring.fd), "STOP");
	while ((rec = next_entry(&ring, &pos))) {
		nr++;
		own += rec->tid == (uint32_t)self;
		before += rec->tid == (uint32_t)stranger.pid;
		child += rec->tid == (uint32_t)heir.pid;
	}
	ktap_ok(own == 1, "tasks: the given task is traced");
	ktap_ok(child == 1, "tasks: a child forked after START is traced");
	ktap_ok(before == 0, "tasks: a child forked before START is not traced");
	ktap_ok(nr == 2, "tasks: no other task is traced");
	ring_close(&ring);
}

static void test_lifetime(void)
{
	struct piece piece;
	struct ring ring;

	ring_open(&ring);
	piece_target_4(&piece, symbol_address("fargs_t_4"));
	must(piece_add(ring.fd, &piece), "ADD");
	must(session_start(ring.fd), "START");
	close(ring.fd);
	munmap(ring.tail, ring.page);
	must(target_call("fargs_t_4"), TARGET_PROC);
	ktap_ok(is_traced("fargs_t_4") && ring_head(&ring) > 0,
		"a mapping keeps the session running after close()");
	munmap(ring.map, data_bytes(&ring));
	ktap_ok(!is_traced("fargs_t_4"), "the session ends with its last mapping");
}

int main(void)
{
	cpu_set_t one;

	ktap_begin("abi_ring");
	need_session_test();
	/* Stay on one CPU, so that one ring has all records. */
	CPU_ZERO(&one);
	CPU_SET(sched_getcpu(), &one);
	sched_setaffinity(0, sizeof(one), &one);
	test_map();
	test_record();
	test_odd_records();
	test_full();
	test_tasks();
	test_lifetime();
	return ktap_end();
}
