// SPDX-License-Identifier: GPL-2.0-only
/*
 * Tests the module's rings (kmod/ring), built for user space. A thread simulates a CPU. Signals
 * simulate interrupts: one may occur at any instruction, and may itself be interrupted by another
 * one. Meanwhile, a reader reads the rings, or freezes them. Every record must be read once,
 * unchanged and in order, or be counted as lost.
 *
 * ring_model_tsan is this test built with ThreadSanitizer, which reports unordered accesses on any
 * machine. Otherwise, such accesses have visible effects only on some machines.
 */
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "unit/ktap.h"

#define CPUS		2
#include "unit/ring_machine.h"

#ifdef __SANITIZE_THREAD__
#define RECORDS		20000ul
#define FREEZES		20
#else
#define RECORDS		50000ul
#define FREEZES		100
#endif
#define BYTES		(16ul << 10)
#define WORDS_MAX	24
#define SIG_IRQ		SIGUSR1
#define SIG_NMI		SIGUSR2
#define SIG_IPI		SIGRTMIN

/* ---- CPUs ---- */

static struct cpu {
	pthread_t thread;
	timer_t timer;
	bool is_over;
	unsigned long nr_written, nr_interrupted, nr_nested;
	unsigned int seed, depth;
	/* Whether it must call @called; 0: it has returned. */
	enum { CALL_DONE, CALL_WANTED, CALL_RUNS } call;
} cpus[CPUS];

static struct fargs_rings *rings;
static void (*called)(void *arg);
static void *called_arg;

void on_each_cpu_mask(const struct cpumask *mask, void (*call)(void *arg), void *arg, bool is_wait)
{
	unsigned long bits = cpumask_bits(mask) & cpumask_bits(&made_up_online);
	int i;

	called = call;
	called_arg = arg;
	for (i = 0; i < CPUS; i++) {
		if (!(bits >> i & 1))
			continue;
		__atomic_store_n(&cpus[i].call, CALL_WANTED, __ATOMIC_SEQ_CST);
		pthread_kill(cpus[i].thread, SIG_IPI);
	}
	for (i = 0; i < CPUS; i++) {
		while (__atomic_load_n(&cpus[i].call, __ATOMIC_SEQ_CST) != CALL_DONE)
			usleep(10);
	}
}

static void take_call(int signal)
{
	struct cpu *cpu = &cpus[made_up_cpu];
	unsigned int wanted = CALL_WANTED;

	/* If an interrupt here made the call, too, this one would run after its end was told. */
	if (!__atomic_compare_exchange_n(&cpu->call, &wanted, CALL_RUNS, false, __ATOMIC_SEQ_CST,
					 __ATOMIC_SEQ_CST))
		return;
	called(called_arg);
	__atomic_store_n(&cpu->call, CALL_DONE, __ATOMIC_SEQ_CST);
}

static unsigned int chance(struct cpu *cpu, unsigned int of)
{
	cpu->seed = cpu->seed * 1103515245u + 12345u;
	return (cpu->seed >> 16) % of;
}

/*
 * ThreadSanitizer delivers signals only where a thread calls the C library. With it, interrupts are
 * therefore function calls, here and in interrupt_now().
 */
static void interrupt_point(void)
{
#ifdef __SANITIZE_THREAD__
	take_call(0);
#endif
}

static void interrupt(int signal);

static void interrupt_now(int signal)
{
#ifdef __SANITIZE_THREAD__
	interrupt(signal);
#else
	raise(signal);
#endif
}

/* ---- records ---- */

static uint64_t word_of(int cpu, uint64_t seq, unsigned int i)
{
	return (seq * 31 + i) * 0x9e3779b97f4a7c15ull ^ (uint64_t)cpu;
}

/* Writes a record. In some records, an interrupt always occurs while the values are written. */
static void write_record(struct cpu *cpu)
{
	struct fargs_ring *ring = this_cpu_ptr(rings->cpu);
	u64 seq = __atomic_fetch_add(&ring->seq, 1, __ATOMIC_RELAXED), pos;
	struct fargs_arch_time time;
	uint64_t *words;
	unsigned int i, nr = 1 + seq % WORDS_MAX;
	u32 len = sizeof(struct fargs_record) + 8 * nr;
	struct fargs_record *rec;
	bool is_lost = true;

	if (fargs_record_reserve(ring, &len, &time, &pos) ||
	    fargs_record_reserve_slow(ring, len, &time, &pos)) {
		is_lost = false;
		rec = fargs_ring_at(ring, pos);
		*rec = (struct fargs_record){
			.len = len, .kind = FARGS_KIND_ENTRY, .seq = seq,
			.tsc = fargs_arch_time_value(&time),
		};
		words = (uint64_t *)(rec + 1);
		for (i = 0; i < nr; i++) {
			words[i] = word_of(made_up_cpu, seq, i);
			if (!cpu->depth && i == seq % 7 && !(seq % 5))
				interrupt_now(SIG_IRQ);
		}
		interrupt_point();
		fargs_ring_publish(ring, pos);
	}
	cpu->nr_written++;
	/* The ring is full: let the reader read. */
	if (is_lost && !cpu->depth)
		sched_yield();
	interrupt_point();
}

static void interrupt(int signal)
{
	struct cpu *cpu = &cpus[made_up_cpu];
	/*
	 * Occasionally, write enough records to fill the ring, which includes the interrupted
	 * record.
	 */
	unsigned int i, nr = cpu->depth || chance(cpu, 50) ? 1 : BYTES / 64;

	cpu->depth++;
	cpu->nr_interrupted++;
	cpu->nr_nested += cpu->depth > 1;
	write_record(cpu);
	if (signal == SIG_IRQ && !chance(cpu, 3))
		interrupt_now(SIG_NMI);
	for (i = 0; i < nr; i++)
		write_record(cpu);
	cpu->depth--;
}

static void *run_cpu(void *arg)
{
	const struct timespec period = { .tv_nsec = 50000 };
	struct itimerspec when = { period, period };
	struct sigevent event = { .sigev_notify = SIGEV_THREAD_ID, .sigev_signo = SIG_IRQ };
	struct cpu *cpu = arg;
	unsigned long i;

	made_up_cpu = cpu - cpus;
	event._sigev_un._tid = syscall(SYS_gettid);
	if (timer_create(CLOCK_MONOTONIC, &event, &cpu->timer) ||
	    timer_settime(cpu->timer, 0, &when, NULL))
		abort();
	/* In overwrite mode, continue until all freezes are over. */
	for (i = 0; i < RECORDS || (rings->is_overwrite &&
				    !__atomic_load_n(&cpu->is_over, __ATOMIC_ACQUIRE)); i++)
		write_record(cpu);
	timer_delete(cpu->timer);
	__atomic_store_n(&cpu->is_over, true, __ATOMIC_RELEASE);
	/* Execute the function call of a freeze that is still pending. */
	while (__atomic_load_n(&cpu->call, __ATOMIC_SEQ_CST) == CALL_WANTED)
		take_call(0);
	return NULL;
}

static void start_cpus(bool is_overwrite)
{
	int i;

	rings = fargs_rings_create(BYTES, 0, is_overwrite);
	if (!rings)
		abort();
	nr_wakes = 0;
	for (i = 0; i < CPUS; i++) {
		cpus[i] = (struct cpu){ .seed = i + 1 };
		if (pthread_create(&cpus[i].thread, NULL, run_cpu, &cpus[i]))
			abort();
	}
}

static void join_cpus(void)
{
	int i;

	for (i = 0; i < CPUS; i++)
		pthread_join(cpus[i].thread, NULL);
}

/* ---- the reader ---- */

static struct {
	uint64_t nr, lost, last_tsc, wrong;
} seen[CPUS];

/* Checks that the record is one that was written, and is unchanged. Returns its length. */
static u32 check_record(int cpu, const struct fargs_record *rec)
{
	const uint64_t *words = (const uint64_t *)(rec + 1);
	unsigned int i, nr = (rec->len - sizeof(*rec)) / 8;

	seen[cpu].wrong += rec->tsc < seen[cpu].last_tsc;
	seen[cpu].last_tsc = rec->tsc;
	if (rec->kind == FARGS_KIND_LOST) {
		seen[cpu].lost += *(const uint64_t *)((const uint8_t *)(rec + 1) +
						      sizeof("lost") + 1);
		return rec->len;
	}
	seen[cpu].nr++;
	seen[cpu].wrong += rec->kind != FARGS_KIND_ENTRY || nr != 1 + rec->seq % WORDS_MAX;
	for (i = 0; i < nr && i < WORDS_MAX; i++)
		seen[cpu].wrong += words[i] != word_of(cpu, rec->seq, i);
	return rec->len;
}

/* Reads the ring as include/uapi/fargs_ring.h describes. */
static void read_ring(int cpu)
{
	struct fargs_ring *ring = per_cpu_ptr(rings->cpu, cpu);
	uint64_t head = __atomic_load_n(&ring->shared->data_head, __ATOMIC_ACQUIRE);
	uint64_t pos = ring->tail->data_tail;

	while (pos < head && !seen[cpu].wrong) {
		u32 len = check_record(cpu, (const void *)(ring->data + (pos & (BYTES - 1))));

		seen[cpu].wrong += len < sizeof(struct fargs_record) || len % 8;
		pos += len;
	}
	__atomic_store_n(&ring->tail->data_tail, pos, __ATOMIC_RELEASE);
}

static void test_drop(void)
{
	bool is_over = false;
	int i;

	memset(seen, 0, sizeof(seen));
	start_cpus(false);
	while (!is_over) {
		is_over = true;
		for (i = 0; i < CPUS; i++) {
			is_over &= __atomic_load_n(&cpus[i].is_over, __ATOMIC_ACQUIRE);
			read_ring(i);
		}
	}
	join_cpus();
	for (i = 0; i < CPUS; i++) {
		struct fargs_ring *ring = per_cpu_ptr(rings->cpu, i);

		read_ring(i);
		CHECK_INT(seen[i].wrong, 0);
		CHECK(seen[i].nr);
		/*
		 * Each record was read once or counted as lost. Each loss was reported, or is still
		 * pending.
		 */
		CHECK_INT(seen[i].nr + ring->lost.value, cpus[i].nr_written);
		CHECK_INT(seen[i].lost + ring->lost_pending.value, ring->lost.value);
		CHECK(cpus[i].nr_interrupted > 100 && cpus[i].nr_nested > 100);
		printf("# %lu written, %lu read, %ld lost, %lu interrupts, %lu nested\n",
		       cpus[i].nr_written, (unsigned long)seen[i].nr, ring->lost.value,
		       cpus[i].nr_interrupted, cpus[i].nr_nested);
	}
	CHECK(nr_wakes);
	fargs_rings_destroy(rings);
}

/* Checks all records of a frozen ring. Returns their number. */
static unsigned long read_frozen(int cpu)
{
	struct fargs_ring *ring = per_cpu_ptr(rings->cpu, cpu);
	uint64_t head = __atomic_load_n(&ring->shared->data_head, __ATOMIC_ACQUIRE);
	uint64_t pos = ring->shared->data_start;
	unsigned long nr = seen[cpu].nr;

	seen[cpu].last_tsc = 0;
	while (pos < head && !seen[cpu].wrong) {
		const struct fargs_record *rec = (const void *)(ring->data + (pos & (BYTES - 1)));

		if (!rec->len) {
			/* The rest of the sub-buffer is empty. */
			pos = round_down(pos, ring->sub_bytes) + ring->sub_bytes;
			continue;
		}
		pos += check_record(cpu, rec);
	}
	seen[cpu].wrong += pos != head;
	return seen[cpu].nr - nr;
}

static void test_freeze(void)
{
	unsigned long nr, least = ~0ul;
	int i, times, nr_failed = 0, nr_moved = 0;

	memset(seen, 0, sizeof(seen));
	start_cpus(true);
	/* Wait until both rings are full; they stay full from then on. */
	for (i = 0; i < CPUS; i++) {
		while (READ_ONCE(per_cpu_ptr(rings->cpu, i)->shared->data_head) < 2 * BYTES)
			usleep(100);
	}
	for (times = 0; times < FREEZES; times++) {
		usleep(2000);
		nr_failed += !!fargs_rings_freeze(rings);
		for (i = 0; i < CPUS; i++) {
			struct fargs_ring *ring = per_cpu_ptr(rings->cpu, i);
			uint64_t head = READ_ONCE(ring->shared->data_head);

			nr = read_frozen(i);
			least = nr < least ? nr : least;
			nr_moved += READ_ONCE(ring->shared->data_head) != head;
		}
		fargs_rings_thaw(rings);
	}
	for (i = 0; i < CPUS; i++)
		__atomic_store_n(&cpus[i].is_over, true, __ATOMIC_RELEASE);
	join_cpus();
	CHECK_INT(nr_failed, 0);
	CHECK_INT(nr_moved, 0);
	for (i = 0; i < CPUS; i++)
		CHECK_INT(seen[i].wrong, 0);
	/* The longest record has 240 bytes, and a sub-buffer may just have begun. */
	CHECK(least >= (BYTES - 2 * 4096) / 256);
	fargs_rings_destroy(rings);
}

static void handle(int signal, void (*handler)(int signal), bool is_nmi)
{
	struct sigaction action = { .sa_handler = handler, .sa_flags = SA_RESTART };

	sigemptyset(&action.sa_mask);
	sigaddset(&action.sa_mask, SIG_IRQ);
	sigaddset(&action.sa_mask, SIG_IPI);
	if (is_nmi)
		sigaddset(&action.sa_mask, SIG_NMI);
	if (sigaction(signal, &action, NULL))
		abort();
}

static const struct ktap_test tests[] = {
	{ "records are read while interrupted writers write", test_drop },
	{ "rings are frozen while interrupted writers overwrite them", test_freeze },
};

int main(void)
{
	make_memory();
	handle(SIG_IRQ, interrupt, false);
	handle(SIG_IPI, take_call, false);
	handle(SIG_NMI, interrupt, true);
	return KTAP_RUN(tests);
}
