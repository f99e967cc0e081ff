// SPDX-License-Identifier: GPL-2.0-only
/*
 * Interrupts the writers of the module's rings (kmod/ring), built for user space, after each of
 * their instructions: the CPU single-steps a writer, and after k instructions another writer runs,
 * or the ring is frozen; for every k. In some cases the second writer is interrupted in turn. At
 * that moment and at the end, every published record must be complete and unchanged, and every
 * record must be found or be counted as lost.
 *
 *	ring_steps [-a]
 *
 * Without -a, most tests skip some values of k.
 */
#include <signal.h>
#include <stdio.h>
#include <ucontext.h>

#include "unit/ktap.h"

#define CPUS		1
#include "unit/ring_machine.h"

#define BYTES		(16ul << 10)
#define RECORDS_MAX	2048
#define STEPS_MAX	3000

void on_each_cpu_mask(const struct cpumask *mask, void (*call)(void *arg), void *arg, bool is_wait)
{
	abort();
}

/* ---- records ---- */

static struct fargs_rings *rings;
static struct fargs_ring *ring;

/* The records written so far; their seq is the index. */
static struct {
	u64 pos;
	bool is_lost;
} written[RECORDS_MAX];

/* What writers count is changed by single instructions, since writers interrupt each other. */
static unsigned long nr_written, nr_lost, nr_others;
static unsigned long nr_wrong, nr_runs;

static u64 word_of(u64 seq, unsigned int i)
{
	return (seq * 31 + i + 1) * 0x9e3779b97f4a7c15ull;
}

/* Reserves room for @reserved values, and keeps that for @nr. */
static void write_values(unsigned int reserved, unsigned int nr)
{
	u32 len = sizeof(struct fargs_record) + 8 * reserved;
	u32 kept = sizeof(struct fargs_record) + 8 * nr;
	unsigned int seq = fargs_arch_next_seq(&nr_written, test_seq_site), i;
	struct fargs_arch_time time;
	struct fargs_record *rec;
	u64 pos;

	if (!fargs_record_reserve(ring, &len, &time, &pos) &&
	    !fargs_record_reserve_slow(ring, len, &time, &pos)) {
		written[seq].is_lost = true;
		fargs_arch_inc(&nr_lost);
		return;
	}
	written[seq].pos = pos;
	rec = fargs_ring_at(ring, pos);
	*rec = (struct fargs_record){
		.len = len, .kind = FARGS_KIND_ENTRY, .seq = seq, .parent_ip = nr,
		.tsc = fargs_arch_time_value(&time),
	};
	for (i = 0; i < nr; i++)
		((u64 *)(rec + 1))[i] = word_of(seq, i);
	if (kept != len && fargs_ring_shrink(ring, pos, len, kept))
		rec->len = kept;
	fargs_ring_publish(ring, pos);
}

static void write_three(void)
{
	write_values(3, 3);
}

static void write_shortened(void)
{
	write_values(20, 2);
}

/* Fills the whole ring. */
static void write_flood(void)
{
	unsigned int i;

	for (i = 0; i < BYTES / 64; i++)
		write_values(i % 9, i % 9);
}

static void write_switch(void)
{
	unsigned long lost = local_read(&ring->lost_switches);

	fargs_record_write_switch(ring, current, 0);
	if (lost == local_read(&ring->lost_switches))
		fargs_arch_inc(&nr_others);
}

static void write_task(void)
{
	unsigned long lost = local_read(&ring->lost_tasks);

	fargs_record_write_task(ring, &(struct fargs_record_task){ .event = "fork", .comm = "x" });
	if (lost == local_read(&ring->lost_tasks))
		fargs_arch_inc(&nr_others);
}

/* ---- the reader ---- */

static struct {
	unsigned int nr, others, lost;
	u64 start, end;
} seen;

static void check_entry(const struct fargs_record *rec, u64 pos)
{
	const u64 *words = (const u64 *)(rec + 1);
	unsigned int i, nr = rec->parent_ip;

	if (rec->seq >= nr_written || written[rec->seq].is_lost || written[rec->seq].pos != pos ||
	    sizeof(*rec) + 8 * nr > rec->len) {
		nr_wrong++;
		return;
	}
	for (i = 0; i < nr; i++)
		nr_wrong += words[i] != word_of(rec->seq, i);
	seen.nr++;
}

/* Checks the published records, as a reader would see them that has read nothing yet. */
static void read_published(void)
{
	u64 pos = rings->is_overwrite ? ring->shared->data_start : ring->tail->data_tail, last = 0;

	memset(&seen, 0, sizeof(seen));
	seen.start = pos;
	seen.end = ring->shared->data_head;
	while (pos < seen.end) {
		const struct fargs_record *rec = fargs_ring_at(ring, pos);

		if (!rec->len && ring->sub_bytes) {
			pos = round_down(pos, ring->sub_bytes) + ring->sub_bytes;
			continue;
		}
		if (rec->len < sizeof(*rec) || rec->len % 8 || rec->tsc < last) {
			nr_wrong++;
			return;
		}
		last = rec->tsc;
		if (rec->kind == FARGS_KIND_ENTRY)
			check_entry(rec, pos);
		else if (rec->kind == FARGS_KIND_LOST)
			seen.lost += *(const u64 *)((const u8 *)(rec + 1) + sizeof("lost") + 1);
		else
			seen.others++;
		pos += rec->len;
	}
	nr_wrong += pos != seen.end;
}

/* The records that must be found if all are complete. */
static unsigned int nr_expected(void)
{
	unsigned int i, nr = 0;

	for (i = 0; i < nr_written; i++)
		nr += !written[i].is_lost && written[i].pos >= seen.start;
	return nr;
}

/* ---- interruptions ---- */

/* Each level runs after @at steps of what it interrupts. */
static struct {
	void (*run)(void);
	unsigned int at, steps;
	bool is_done;
} levels[2];

static unsigned int depth;	/* number of levels that have begun */
/*
 * Interruptions at random, which come in bursts: at first, every 40th step on average is
 * interrupted, and every 4th of the next 12 steps; @nr_left times.
 */
static bool is_random;
static unsigned int burst[3], nr_left;
static unsigned int seed = 1;
static u64 last_head;

static void set_single_step(bool is_on)
{
	if (is_on)
		__asm__ volatile("pushfq\n\torq $0x100, (%%rsp)\n\tpopfq" : : : "memory", "cc");
	else
		__asm__ volatile("pushfq\n\tandq $~0x100, (%%rsp)\n\tpopfq" : : : "memory", "cc");
}

/* The kernel ends single-stepping for a handler, and resumes it after that unless told not to. */
static void step(int signal, siginfo_t *info, void *context)
{
	unsigned int level = depth;

	/* What has been published stays published. */
	nr_wrong += ring->shared->data_head < last_head;
	last_head = ring->shared->data_head;
	if (is_random) {
		unsigned int odds = burst[level] ? 4 : 40;

		seed = seed * 1103515245u + 12345u;
		burst[level] -= !!burst[level];
		if ((seed >> 16) % odds || level == 2 || !nr_left)
			return;
		nr_left--;
		burst[level] = 12;
		depth++;
		burst[depth] = 0;
		set_single_step(true);
		write_values(1 + (seed >> 8) % 3, 1);
		set_single_step(false);
		depth--;
		return;
	}
	if (levels[level].steps++ != levels[level].at)
		return;
	levels[level].is_done = true;
	depth = level + 1;
	levels[level].run();
	depth = level;
	((ucontext_t *)context)->uc_mcontext.gregs[REG_EFL] &= ~0x100;
}

static void run_stepped(void (*run)(void))
{
	depth = 0;
	set_single_step(true);
	run();
	set_single_step(false);
}

/* ---- cases ---- */

struct state {
	const char *name;
	bool is_overwrite;
	void (*prepare)(void);
};

static void prepare_nothing(void)
{
}

/* Writes until @left bytes are left up to the next multiple of @bytes. */
static void write_up_to(u64 bytes, u64 left)
{
	while (bytes - ring->head % bytes > left + 512)
		write_values(9, 9);
	while (bytes - ring->head % bytes > left)
		write_values(2, 2);
}

static void prepare_full(void)
{
	while (!nr_lost)
		write_values(5, 5);
}

static void prepare_read(void)
{
	prepare_full();
	ring->tail->data_tail = ring->shared->data_head;
}

static void prepare_last(void)
{
	write_up_to(BYTES, BYTES / 16 + 64);
}

static void prepare_wrapped(void)
{
	while (ring->head < 2 * BYTES + 100)
		write_values(9, 9);
}

static void prepare_end(void)
{
	prepare_wrapped();
	write_up_to(ring->sub_bytes, 64);
}

static void prepare_exact(void)
{
	u64 left;

	prepare_wrapped();
	write_up_to(ring->sub_bytes, 512);
	left = ring->sub_bytes - ring->head % ring->sub_bytes - sizeof(struct fargs_record);
	write_values(left / 8, left / 8);
}

static const struct state states[] = {
	{ "an empty ring", false, prepare_nothing },
	{ "a ring with room", false, write_three },
	{ "a full ring", false, prepare_full },
	{ "a ring that has been read after losses", false, prepare_read },
	{ "a ring with room for one record", false, prepare_last },
	{ "an empty ring that is overwritten", true, prepare_nothing },
	{ "a ring that is overwritten", true, prepare_wrapped },
	{ "the end of a sub-buffer", true, prepare_end },
	{ "exactly the end of a sub-buffer", true, prepare_exact },
};

/* Rings in drop and overwrite mode, and their initial contents */
static struct {
	struct fargs_rings *rings;
	struct fargs_ring ring;
	struct fargs_ring_head head;
} fresh[2];

static void make_rings(void)
{
	int i;

	for (i = 0; i < 2; i++) {
		fresh[i].rings = fargs_rings_create(BYTES, 0, i);
		if (!fresh[i].rings)
			abort();
		fresh[i].ring = *per_cpu_ptr(fresh[i].rings->cpu, 0);
		fresh[i].head = *fresh[i].ring.shared;
	}
}

static void begin(const struct state *state)
{
	nr_written = 0;
	nr_lost = 0;
	last_head = 0;
	memset(written, 0, sizeof(written));
	rings = fresh[state->is_overwrite].rings;
	fargs_rings_thaw(rings);
	ring = per_cpu_ptr(rings->cpu, 0);
	*ring = fresh[state->is_overwrite].ring;
	*ring->shared = fresh[state->is_overwrite].head;
	ring->tail->data_tail = 0;
	memset(ring->data, 0xee, BYTES);
	state->prepare();
	nr_others = 0;
	nr_runs++;
}

/* The writers have ended. */
static void end(void)
{
	unsigned long lost = local_read(&ring->lost);

	nr_wrong += ring->shared->data_head != ring->head || ring->reserving || lost != nr_lost;
	if (rings->is_overwrite)
		nr_wrong += !settle_ring(ring);
	read_published();
	nr_wrong += seen.nr != nr_expected() ||
		    (!rings->is_overwrite && seen.others != nr_others) ||
		    (!rings->is_overwrite && seen.lost + local_read(&ring->lost_pending) != lost);
}

/* Runs @run from @state with @interrupts after @at steps. Returns false if it has fewer steps. */
static bool run_case(const struct state *state, void (*run)(void), void (*interrupt)(void),
		     unsigned int at)
{
	bool is_done;

	begin(state);
	levels[0].run = interrupt;
	levels[0].at = at;
	levels[0].steps = 0;
	levels[0].is_done = false;
	run_stepped(run);
	is_done = levels[0].is_done;
	if (interrupt && !is_done)
		nr_runs--;
	end();
	return is_done;
}

static void (*interrupting)(void);

static void read_and_interrupt(void)
{
	if (!rings->is_overwrite)
		read_published();
	set_single_step(levels[1].run);
	interrupting();
	set_single_step(false);
	if (!rings->is_overwrite)
		read_published();
}

static void (*const writers[])(void) = { write_three, write_shortened, write_switch, write_task };

static bool is_all;	/* -a */

/* Returns the distance between the steps that are tested. */
static unsigned int stride(bool is_near)
{
	return is_all || is_near ? 1 : 7;
}

/* @every: the second interruption is within so many steps of the first. */
static void test_all(void (*interrupt)(void), void (*second)(void), unsigned int every,
		     bool is_near)
{
	unsigned int i, j, at, by, wrong = nr_wrong;

	interrupting = interrupt;
	nr_runs = 0;
	for (i = 0; i < sizeof(states) / sizeof(*states); i++) {
		for (j = 0; j < sizeof(writers) / sizeof(*writers); j++) {
			by = stride(is_near && j < 2);
			for (at = (i + j) % by; at < STEPS_MAX; at += by) {
				levels[1].run = second;
				levels[1].at = at * 7 % every;
				levels[1].steps = 0;
				levels[1].is_done = false;
				if (!run_case(&states[i], writers[j], read_and_interrupt, at))
					break;
			}
			CHECK(at > 50 && at < STEPS_MAX);
			if (nr_wrong != wrong)
				printf("# writer %u on %s: %lu faults\n", j, states[i].name,
				       nr_wrong - wrong);
			wrong = nr_wrong;
		}
	}
	printf("# %lu interruptions\n", nr_runs);
	CHECK_INT(nr_wrong, 0);
	nr_wrong = 0;
	levels[1].run = NULL;
}

static void test_writer(void)
{
	test_all(write_three, NULL, 1, true);
}

static void test_shortened(void)
{
	test_all(write_shortened, NULL, 1, false);
}

static void test_flood(void)
{
	test_all(write_flood, NULL, 1, false);
}

static void test_two(void)
{
	test_all(write_three, write_three, 80, false);
	test_all(write_shortened, write_three, 173, false);
}

/* Three interruptions at certain instructions are needed for some faults. */
static void test_random(void)
{
	unsigned int i, nr = sizeof(states) / sizeof(*states), rounds = is_all ? 5000 : 500;

	nr_runs = 0;
	is_random = true;
	for (i = 0; i < rounds; i++) {
		begin(&states[i % nr]);
		nr_left = 8;
		run_stepped(writers[i / nr % 4]);
		end();
	}
	is_random = false;
	printf("# %lu runs\n", nr_runs);
	CHECK_INT(nr_wrong, 0);
	nr_wrong = 0;
}

/* ---- freezing ---- */

static struct {
	bool is_settled;
	u64 head, start;
	u8 data[BYTES];
} frozen;

static void keep_frozen(void)
{
	frozen.is_settled = true;
	frozen.head = ring->shared->data_head;
	frozen.start = ring->shared->data_start;
	memcpy(frozen.data, ring->data, BYTES);
}

static void freeze(void)
{
	WRITE_ONCE(rings->is_frozen, true);
	if (settle_ring(ring))
		keep_frozen();
}

static void test_freeze(void)
{
	unsigned int i, j, at, by, settled = 0, refused = 0;

	nr_runs = 0;
	for (i = 0; i < sizeof(states) / sizeof(*states); i++) {
		for (j = 0; states[i].is_overwrite && j < sizeof(writers) / sizeof(*writers); j++) {
			by = stride(!j);
			for (at = i % by; at < STEPS_MAX; at += by) {
				bool is_done;

				begin(&states[i]);
				frozen.is_settled = false;
				levels[0].run = freeze;
				levels[0].at = at;
				levels[0].steps = 0;
				levels[0].is_done = false;
				run_stepped(writers[j]);
				is_done = levels[0].is_done;
				settled += frozen.is_settled;
				refused += is_done && !frozen.is_settled;
				/* The writer has ended: now the ring can always be frozen. */
				if (!frozen.is_settled) {
					WRITE_ONCE(rings->is_frozen, true);
					nr_wrong += !settle_ring(ring);
					keep_frozen();
				}
				write_three();
				nr_wrong += !written[nr_written - 1].is_lost ||
					    ring->shared->data_head != frozen.head ||
					    ring->shared->data_start != frozen.start ||
					    memcmp(ring->data, frozen.data, BYTES);
				read_published();
				nr_wrong += seen.nr != nr_expected();
				fargs_rings_thaw(rings);
				write_three();
				nr_wrong += written[nr_written - 1].is_lost;
				end();
				if (!is_done)
					break;
			}
			CHECK(at > 50 && at < STEPS_MAX);
		}
	}
	printf("# %lu freezes, of which %u at once and %u later\n", nr_runs, settled, refused);
	CHECK(settled && refused);
	CHECK_INT(nr_wrong, 0);
}

static const struct ktap_test tests[] = {
	{ "a writer interrupts writers at each instruction", test_writer },
	{ "a writer interrupts writers and shortens its record", test_shortened },
	{ "a writer interrupts writers and fills the ring", test_flood },
	{ "a writer that interrupts writers is interrupted", test_two },
	{ "writers interrupt writers at random", test_random },
	{ "a ring is frozen at each instruction of a writer", test_freeze },
};

int main(int argc, char **argv)
{
	struct sigaction action = { .sa_sigaction = step, .sa_flags = SA_NODEFER | SA_SIGINFO };

	is_all = argc > 1 && !strcmp(argv[1], "-a");
	make_memory();
	make_rings();
	if (sigaction(SIGTRAP, &action, NULL))
		abort();
	return KTAP_RUN(tests);
}
