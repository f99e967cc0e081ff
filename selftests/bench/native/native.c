// SPDX-License-Identifier: GPL-2.0-only
/*
 * Measures on this machine's own CPU what the module does for a call: kmod/probe/entry.c and
 * kmod/ring, built unchanged for user space, with the template of a function with four arguments.
 *
 *	native [ROUNDS]
 *
 * Prints a table in ticks of the TSC. The rows are measured in turn, ROUNDS (301) times. Each row
 * includes a call and its loop, which are the first row.
 *
 * ftrace's trampoline is not measured, since it belongs to the kernel. Per-CPU variables and the
 * current task are ordinary variables here.
 */
#define CPUS	1
#define PAGES	1200

#include <linux/percpu.h>

#include "uapi/fargs.h"	/* before asm/tsc.h, whose tsc_khz is a macro here */

/* Variables of the CPU, which are read and written in memory, as in the kernel. */
static unsigned int preempt_count = 0x80000000;
static unsigned long this_cpu_off;

#undef raw_cpu_read_4
#define raw_cpu_read_4(variable)	READ_ONCE(preempt_count)
#undef this_cpu_ptr
#define this_cpu_ptr(array)	((__typeof__(array))((char *)(array) + READ_ONCE(this_cpu_off)))

#include "unit/ring_machine.h"

static void schedule(void)
{
	abort();
}

#define preempt_disable_notrace()	asm volatile("incl %0" : "+m" (preempt_count) : : "memory")
#define preempt_enable_notrace()						\
do {										\
	bool must_schedule;							\
										\
	asm volatile("decl %[count]" : "=@cce" (must_schedule),			\
		     [count] "+m" (preempt_count) : : "memory");		\
	if (unlikely(must_schedule))						\
		schedule();							\
} while (0)
#define test_bit(bit, map)							\
({										\
	bool is_set;								\
										\
	asm volatile("btq %[nr], %[word]" : "=@ccc" (is_set)			\
		     : [word] "m" (*(map)), [nr] "r" ((unsigned long)(bit)) : "memory");	\
	is_set;									\
})
#define __aligned(n)		__attribute__((__aligned__(n)))

#include "../../../kmod/base/funchash.c"
#include "../../../kmod/probe/entry.c"
#include "../../../kmod/probe/plain.c"

#include <stdio.h>

#include "layout.h"
#include "lib/verifier.h"
#include "lttng.h"

#define EVENTS		512	/* of a round; their records fit into the small buffer */
#define SMALL		(128u << 10)
#define LARGE		(4u << 20)
#define CACHE_BYTES	(64u << 20)	/* more than the caches of a CPU have */
#define ADDR		0xffffffff81234560ul
#define CALLER		0xffffffff81765432ul
#define ROUNDS_MAX	10000

void *fargs_pages_alloc(size_t bytes)
{
	void *p = aligned_alloc(4096, ALIGN(bytes, 4096));

	if (!p)
		abort();
	return memset(p, 0, bytes);
}

void fargs_pages_free(void *p, size_t bytes)
{
	free(p);
}

/* The rings are not frozen. */
void on_each_cpu_mask(const struct cpumask *mask, void (*call)(void *arg), void *arg, bool is_wait)
{
	abort();
}

/* The function has no arguments on the stack. */
void fargs_fill_stack(struct fargs_record *record, const struct fargs_template *t,
		      const struct pt_regs *regs)
{
	abort();
}

/* The function has no programs, and one session traces it. */
struct fargs_capture fargs_several_nobody;

struct tracer {
	struct fargs_tracer tracer;
	struct fargs_capture capture;
	struct fargs_rings *rings;
};

static struct tracer small_ring, large_ring;
static struct ftrace_regs arguments;
static uint8_t record[FARGS_RECORD_MAX], copies[SMALL];
static unsigned int record_bytes;
static uint8_t *cache;

static void make_tracer(struct tracer *tracer, u64 bytes)
{
	size_t layout_bytes;
	const void *layout = layout_of_4(ADDR, &layout_bytes);
	const char *error = verifier_check(layout, layout_bytes);
	struct fargs_capture *capture = &tracer->capture;
	unsigned long *tids = fargs_pages_alloc(4 << 20 >> 3);
	void *template;

	if (error) {
		fprintf(stderr, "native: %s\n", error);
		exit(1);
	}
	memset(tids, 0xff, 4 << 20 >> 3);
	tracer->rings = fargs_rings_create(bytes, 0, false);
	if (!tracer->rings)
		abort();
	capture->rings = tracer->rings->cpu;
	capture->tids = tids;
	tracer->tracer.hash = fargs_funchash_create(1);
	template = fargs_pages_alloc(fargs_template_size(layout));
	fargs_funchash_insert(tracer->tracer.hash, ADDR,
			      fargs_template_make(layout, capture, template));
}

static struct fargs_ring *ring_of(const struct tracer *tracer)
{
	return per_cpu_ptr(tracer->rings->cpu, 0);
}

/* What a reader does when it has read everything. */
static void give_back(const struct tracer *tracer)
{
	struct fargs_ring *ring = ring_of(tracer);

	smp_store_release(&ring->tail->data_tail, smp_load_acquire(&ring->shared->data_head));
}

static noinline void call_fargs(struct tracer *tracer)
{
	fargs_entry_plain(ADDR, CALLER, &tracer->tracer.ops, &arguments);
}

static noinline void call_empty(struct tracer *tracer)
{
	asm volatile("" : : "r" (tracer) : "memory");
}

static noinline void call_copy(struct tracer *tracer)
{
	static unsigned int at;

	memcpy(copies + at, record, record_bytes);
	asm volatile("" : : : "memory");
	at += record_bytes;
	if (at > sizeof(copies) - record_bytes)
		at = 0;
}

static noinline void call_lttng(struct tracer *tracer)
{
	const uint64_t args[] = { arguments.regs.di, arguments.regs.si, arguments.regs.dx,
				  arguments.regs.cx };

	lttng_call(args, ADDR, CALLER);
}

/* Parts of an event that take more than other instructions do. */
static noinline void call_rdtsc(struct tracer *tracer)
{
	volatile u64 ticks = rdtsc();

	(void)ticks;
}

static noinline void call_flags(struct tracer *tracer)
{
	volatile u16 flags = fargs_arch_eflags();

	(void)flags;
}

static noinline void call_cmpxchg(struct tracer *tracer)
{
	static u64 value;
	u64 old = value;

	fargs_arch_try_cmpxchg(&value, &old, old + 1);
}

static u64 now(void)
{
	u64 ticks;

	asm volatile("lfence" : : : "memory");
	ticks = rdtsc();
	asm volatile("lfence" : : : "memory");
	return ticks;
}

static double hot(void (*call)(struct tracer *), struct tracer *tracer)
{
	u64 begin = now();
	unsigned int i;

	for (i = 0; i < EVENTS; i++)
		call(tracer);
	return (double)(now() - begin) / EVENTS;
}

/* Reads memory until nothing that an event needs is left in the caches. */
static void forget(void)
{
	size_t i;

	for (i = 0; i < CACHE_BYTES; i += 64)
		cache[i]++;
}

static double cold(void (*call)(struct tracer *), struct tracer *tracer)
{
	u64 begin;

	forget();
	begin = now();
	call(tracer);
	return now() - begin;
}

static const struct row {
	const char *name;
	void (*call)(struct tracer *tracer);
	struct tracer *tracer;
	bool is_cold;
} rows[] = {
	{ .name = "empty call", .call = call_empty },
	{ .name = "rdtsc", .call = call_rdtsc },
	{ .name = "pushf and pop", .call = call_flags },
	{ .name = "cmpxchg without lock", .call = call_cmpxchg },
	{ .name = "memcpy of the record", .call = call_copy },
	{ .name = "event, buffer of 128 KB", .call = call_fargs, .tracer = &small_ring },
	{ .name = "event, buffer of 4 MB", .call = call_fargs, .tracer = &large_ring },
	{ .name = "event of LTTng-UST", .call = call_lttng },
	{ .name = "empty call, cold", .call = call_empty, .is_cold = true },
	{ .name = "memcpy of the record, cold", .call = call_copy, .is_cold = true },
	{ .name = "event, cold", .call = call_fargs, .tracer = &large_ring, .is_cold = true },
	{ .name = "event of LTTng-UST, cold", .call = call_lttng, .is_cold = true },
};

#define ROWS	(sizeof(rows) / sizeof(rows[0]))

static double results[ROWS][ROUNDS_MAX];

static int compare(const void *a, const void *b)
{
	const double *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

static bool is_measured(const struct row *row)
{
	return row->call != call_lttng || (lttng_is_on && lttng_is_on());
}

static void measure(unsigned int round)
{
	unsigned int i;

	for (i = 0; i < ROWS; i++) {
		const struct row *row = &rows[i];

		if (!is_measured(row))
			continue;
		results[i][round] = (row->is_cold ? cold : hot)(row->call, row->tracer);
		if (row->tracer)
			give_back(row->tracer);
	}
}

static void print(unsigned int rounds)
{
	unsigned int i;

	printf("Ticks of the TSC, %u rounds, record of %u bytes\n%-30s %9s %9s %9s %9s\n", rounds,
	       record_bytes, "", "lowest", "quarter", "median", "3/4");
	for (i = 0; i < ROWS; i++) {
		if (!is_measured(&rows[i])) {
			printf("%-30s not measured: LTTng records nothing\n", rows[i].name);
			continue;
		}
		qsort(results[i], rounds, sizeof(results[i][0]), compare);
		printf("%-30s %9.1f %9.1f %9.1f %9.1f\n", rows[i].name, results[i][0],
		       results[i][rounds / 4], results[i][rounds / 2], results[i][rounds * 3 / 4]);
	}
}

/* Checks that every event has been recorded. */
static void check(const struct tracer *tracer, u64 events)
{
	const struct fargs_ring *ring = ring_of(tracer);

	if (ring->seq == events && !local_read(&ring->lost) &&
	    ring->shared->data_head == events * record_bytes)
		return;
	fprintf(stderr, "native: %llu events in %llu bytes, %ld lost; %llu were made\n",
		(unsigned long long)ring->seq, (unsigned long long)ring->shared->data_head,
		local_read(&ring->lost), (unsigned long long)events);
	exit(1);
}

/* Keeps the first record. */
static void keep(const struct tracer *tracer)
{
	const struct fargs_record *first = (const void *)ring_of(tracer)->data;

	if (first->ip != ADDR || first->parent_ip != CALLER)
		abort();
	record_bytes = first->len;
	memcpy(record, first, record_bytes);
}

int main(int argc, char **argv)
{
	const unsigned long rounds = argc > 1 ? strtoul(argv[1], NULL, 10) : 301;
	unsigned int i;

	if (argc > 2 || !rounds || rounds > ROUNDS_MAX) {
		fprintf(stderr, "usage: native [ROUNDS], at most %u\n", ROUNDS_MAX);
		return 2;
	}
	arguments.regs.di = 0xffff888012345678;
	arguments.regs.si = 0xffff888087654321;
	arguments.regs.dx = 8192;
	arguments.regs.cx = 3;
	make_memory();
	make_tracer(&small_ring, SMALL);
	make_tracer(&large_ring, LARGE);
	cache = fargs_pages_alloc(CACHE_BYTES);
	call_fargs(&small_ring);
	call_fargs(&large_ring);
	keep(&small_ring);
	check(&small_ring, 1);
	check(&large_ring, 1);
	for (i = 0; i < rounds; i++)
		measure(i);
	check(&small_ring, 1 + rounds * EVENTS);
	check(&large_ring, 1 + rounds * (EVENTS + 1));
	print(rounds);
	return 0;
}
