// SPDX-License-Identifier: GPL-2.0-only
/*
 * Tests calls that trigger: FARGS_LAYOUT_TRIGGER and FARGS_START_FREEZE of
 * include/uapi/fargs_layout.h and fargs.h.
 *
 * Calls are numbered: fargs_n_number(unsigned long number) returns three times its number. So the
 * expected triggers, and the calls before them, are known.
 */
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <sys/wait.h>

#include "lib/calls.h"

#define FUNCTION	"fargs_n_number"
#define RING_BYTES	(64u << 10)
#define RECORDS_MAX	4096
#define CPUS_MAX	64
/* Each CPU uses a range of this many numbers when all CPUs make calls. */
#define CPU_NUMBERS	10000000ull

#define FIELD(name)	offsetof(struct fargs_layout, name)
#define ENTRY_TRIGGER	FARGS_LAYOUT_TRIGGER
#define RETURN_TRIGGER	(FARGS_LAYOUT_TRIGGER | FARGS_LAYOUT_RETURN)
#define GRAPH_TRIGGER	(RETURN_TRIGGER | FARGS_LAYOUT_GRAPH)

static const struct fargs_record *records[RECORDS_MAX];
static uint64_t address;
static struct reader reader;

static void maker_usual(struct maker *m, uint32_t flags)
{
	maker_init(m, address, flags);
	maker_reg(m, "number", FARGS_TYPE_U64, 0);
	if (flags & FARGS_LAYOUT_RETURN) {
		maker_return(m, "ret", FARGS_TYPE_S64, FARGS_SOURCE_RETURN, 0);
		maker_return(m, "entered", FARGS_TYPE_U64, FARGS_SOURCE_ENTRY_TSC, 0);
	}
}

/*
 * Makes a program that accepts calls whose number (at the return: whose return value) meets the
 * condition.
 */
static void maker_if(struct maker *m, enum fargs_prog which, enum fargs_cond cond, uint64_t value)
{
	bool is_return = which == FARGS_PROG_RETURN_PREDICATE ||
			 which == FARGS_PROG_RETURN_TRIGGER;

	maker_insn(m, which, (struct fargs_insn){
		.op = is_return ? FARGS_OP_CTX : FARGS_OP_ARG,
		.arg = is_return ? FARGS_CTX_RETURN : 0 });
	maker_insn(m, which, (struct fargs_insn){ .op = FARGS_OP_JIF, .arg = cond, .off = 1,
						  .imm = value });
	maker_insn(m, which, (struct fargs_insn){ .op = FARGS_OP_REJECT });
	maker_insn(m, which, (struct fargs_insn){ .op = FARGS_OP_ACCEPT });
}

static void maker_never(struct maker *m, enum fargs_prog which)
{
	maker_insn(m, which, (struct fargs_insn){ .op = FARGS_OP_REJECT });
}

static int start(uint32_t flags)
{
	struct fargs_start start = { .flags = flags };

	return call(reader.fd, FARGS_IOC_START, &start);
}

static int freeze(uint32_t is_frozen)
{
	struct fargs_freeze f = { .is_frozen = is_frozen };

	return call(reader.fd, FARGS_IOC_FREEZE, &f);
}

static bool is_triggered(int timeout_ms)
{
	struct pollfd fd = { .fd = reader.fd, .events = POLLPRI };

	return poll(&fd, 1, timeout_ms) == 1 && fd.revents == POLLPRI;
}

static uint64_t number_of(const struct fargs_record *rec)
{
	uint64_t number;

	memcpy(&number, (const uint8_t *)(rec + 1) + sizeof("number") + 1, sizeof(number));
	return number;
}

static struct fargs_stats stats_of(struct fargs_cpu_stats *sum)
{
	static struct fargs_cpu_stats cpus[CPUS_MAX];
	struct fargs_stats stats = { .cpus = (uintptr_t)cpus, .nr_cpus = CPUS_MAX };
	uint32_t i;

	must(call(reader.fd, FARGS_IOC_STATS, &stats), "STATS");
	memset(sum, 0, sizeof(*sum));
	for (i = 0; i < reader.nr_cpus; i++) {
		sum->produced += cpus[i].produced;
		sum->lost += cpus[i].lost;
		sum->rejected += cpus[i].rejected;
		sum->unreadable += cpus[i].unreadable;
	}
	return stats;
}

/* ---- refused layouts ---- */

static void check_refused(struct maker *m, uint32_t field, const char *what)
{
	int fd = session_open(RING_BYTES);

	ktap_ok(maker_add(fd, m) == -EINVAL && last_error.field == field && last_error.text[0],
		"refused: %s", what);
	close(fd);
}

static void test_refused(void)
{
	struct maker m;

	maker_usual(&m, 0);
	maker_if(&m, FARGS_PROG_TRIGGER, FARGS_COND_EQ, 1);
	check_refused(&m, FIELD(nr_insns[FARGS_PROG_TRIGGER]), "a TRIGGER without the flag");
	maker_usual(&m, ENTRY_TRIGGER);
	maker_if(&m, FARGS_PROG_RETURN_TRIGGER, FARGS_COND_EQ, 1);
	check_refused(&m, FIELD(nr_insns[FARGS_PROG_RETURN_TRIGGER]),
		      "a RETURN_TRIGGER program without a return");
	maker_init(&m, address, FARGS_LAYOUT_SCOPE | FARGS_LAYOUT_SILENT | FARGS_LAYOUT_TRIGGER);
	check_refused(&m, FIELD(flags), "a trigger without records");
	maker_usual(&m, ENTRY_TRIGGER);
	maker_insn(&m, FARGS_PROG_TRIGGER, (struct fargs_insn){ .op = FARGS_OP_CTX,
								 .arg = FARGS_CTX_RETURN });
	maker_insn(&m, FARGS_PROG_TRIGGER, (struct fargs_insn){ .op = FARGS_OP_ACCEPT });
	check_refused(&m, sizeof(struct fargs_layout) + sizeof(struct fargs_store) +
		      offsetof(struct fargs_insn, arg), "a TRIGGER that uses the return value");
	reader_open(&reader, RING_BYTES);
	maker_usual(&m, ENTRY_TRIGGER);
	must(maker_add(reader.fd, &m), "ADD");
	ktap_ok(start(FARGS_START_FREEZE) == -EINVAL &&
		last_error.field == offsetof(struct fargs_start, flags),
		"refused: FARGS_START_FREEZE of rings that are not in overwrite mode");
	reader_close(&reader);
}

/* ---- which calls trigger, and what is recorded ---- */

/* Which of the calls 1 to 20 are recorded, and which of their records are marked as triggers. */
struct expected {
	uint32_t entries, returns;		/* one bit per call number */
	uint32_t entry_marks, return_marks;
	uint32_t nr_unreadable;
};

#define NUMBERS		20
#define BIT(n)		(1u << (n))
#define ALL		(BIT(NUMBERS + 1) - BIT(1))

static bool is_as_expected(const struct expected *e, uint32_t nr)
{
	struct expected got = { .nr_unreadable = e->nr_unreadable };
	uint32_t i;

	for (i = 0; i < nr; i++) {
		const struct fargs_record *rec = records[i];
		uint64_t number = rec->kind == FARGS_KIND_ENTRY || !e->entries ?
				  number_of(rec) : 0;
		bool is_entry = rec->kind == FARGS_KIND_ENTRY;

		if (rec->flags & ~FARGS_RECORD_TRIGGER || number > NUMBERS)
			return false;
		/*
		 * A RETURN record of a graph has only the return value, which is three times the
		 * number.
		 */
		if (!number) {
			memcpy(&number, (const uint8_t *)(rec + 1) + sizeof("ret") + 1, 8);
			number /= 3;
		}
		*(is_entry ? &got.entries : &got.returns) |= BIT(number);
		if (rec->flags)
			*(is_entry ? &got.entry_marks : &got.return_marks) |= BIT(number);
	}
	if (memcmp(&got, e, sizeof(got)))
		ktap_note("entries %#x, returns %#x, marked %#x, %#x", got.entries, got.returns,
			  got.entry_marks, got.return_marks);
	return !memcmp(&got, e, sizeof(got));
}

static uint32_t count_bits(uint32_t mask)
{
	return __builtin_popcount(mask);
}

static void check_calls(struct maker *m, const struct expected *e, const char *what)
{
	uint32_t nr_records = count_bits(e->entries) + count_bits(e->returns), nr;
	uint32_t nr_triggers = count_bits(e->entry_marks) + count_bits(e->return_marks);
	struct fargs_cpu_stats sum;
	struct fargs_stats stats;
	bool was_triggered;

	reader_open(&reader, RING_BYTES);
	must(maker_add(reader.fd, m), what);
	must(start(0), "START");
	was_triggered = is_triggered(0);
	must(target_call("number 1 20"), "number");
	nr = reader_peek(&reader, records, RECORDS_MAX);
	stats = stats_of(&sum);
	ktap_ok(is_as_expected(e, nr) && nr == nr_records &&
		sum.produced == sum.rejected + nr_records && !sum.lost &&
		sum.unreadable == e->nr_unreadable,
		"%s: the right calls are recorded and marked", what);
	ktap_ok(!was_triggered && is_triggered(0) == !!nr_triggers &&
		stats.nr_triggers == nr_triggers, "%s: the trigger is reported and counted", what);
	reader_close(&reader);
}

static void test_entry(void)
{
	struct maker m;

	maker_usual(&m, ENTRY_TRIGGER);
	check_calls(&m, &(struct expected){ .entries = ALL, .entry_marks = ALL },
		    "every call triggers");
	maker_usual(&m, ENTRY_TRIGGER);
	maker_if(&m, FARGS_PROG_TRIGGER, FARGS_COND_EQ, 5);
	check_calls(&m, &(struct expected){ .entries = ALL, .entry_marks = BIT(5) },
		    "one of the recorded calls triggers");
	maker_never(&m, FARGS_PROG_ENTRY_PREDICATE);
	check_calls(&m, &(struct expected){ .entries = BIT(5), .entry_marks = BIT(5) },
		    "a call that is not recorded otherwise triggers");
	maker_usual(&m, ENTRY_TRIGGER);
	maker_if(&m, FARGS_PROG_TRIGGER, FARGS_COND_EQ, 21);
	maker_if(&m, FARGS_PROG_ENTRY_PREDICATE, FARGS_COND_LE, 3);
	check_calls(&m, &(struct expected){ .entries = BIT(1) | BIT(2) | BIT(3) }, "none");
	maker_usual(&m, ENTRY_TRIGGER | FARGS_LAYOUT_SCOPE);
	maker_if(&m, FARGS_PROG_TRIGGER, FARGS_COND_EQ, 7);
	maker_if(&m, FARGS_PROG_ENTRY_PREDICATE, FARGS_COND_EQ, 9);
	check_calls(&m, &(struct expected){ .entries = BIT(7) | BIT(9), .entry_marks = BIT(7) },
		    "a call that begins a scope triggers");
}

/* Tests a trigger program that uses the call's number as an address, where nothing is mapped. */
static void test_unreadable(void)
{
	struct maker m;

	maker_usual(&m, ENTRY_TRIGGER);
	maker_if(&m, FARGS_PROG_ENTRY_PREDICATE, FARGS_COND_EQ, 4);
	maker_insn(&m, FARGS_PROG_TRIGGER, (struct fargs_insn){ .op = FARGS_OP_ARG });
	maker_insn(&m, FARGS_PROG_TRIGGER, (struct fargs_insn){ .op = FARGS_OP_LOAD, .arg = 8 });
	maker_insn(&m, FARGS_PROG_TRIGGER, (struct fargs_insn){
		.op = FARGS_OP_JIF, .arg = FARGS_COND_GE, .off = 1 });
	maker_never(&m, FARGS_PROG_TRIGGER);
	maker_insn(&m, FARGS_PROG_TRIGGER, (struct fargs_insn){ .op = FARGS_OP_ACCEPT });
	check_calls(&m, &(struct expected){ .entries = BIT(4), .nr_unreadable = NUMBERS - 1 },
		    "a condition on an unreadable value does not trigger");
}

static void test_return(void)
{
	struct maker m;

	maker_usual(&m, RETURN_TRIGGER);
	maker_if(&m, FARGS_PROG_TRIGGER, FARGS_COND_EQ, 5);
	check_calls(&m, &(struct expected){ .returns = ALL, .return_marks = BIT(5) },
		    "a trigger at the call, recorded at the return");
	maker_usual(&m, RETURN_TRIGGER);
	maker_if(&m, FARGS_PROG_RETURN_TRIGGER, FARGS_COND_GE, 57);
	maker_if(&m, FARGS_PROG_ENTRY_PREDICATE, FARGS_COND_LE, 2);
	check_calls(&m, &(struct expected){
		.returns = BIT(1) | BIT(2) | BIT(19) | BIT(20),
		.return_marks = BIT(19) | BIT(20) }, "a trigger at the return");
	maker_if(&m, FARGS_PROG_TRIGGER, FARGS_COND_EQ, 20);
	maker_if(&m, FARGS_PROG_RETURN_PREDICATE, FARGS_COND_EQ, 6);
	check_calls(&m, &(struct expected){
		.returns = BIT(2) | BIT(20), .return_marks = BIT(20) },
		"triggers at the call and at the return");
	maker_usual(&m, RETURN_TRIGGER);
	maker_if(&m, FARGS_PROG_TRIGGER, FARGS_COND_EQ, 3);
	maker_if(&m, FARGS_PROG_RETURN_TRIGGER, FARGS_COND_EQ, 12);
	maker_never(&m, FARGS_PROG_ENTRY_PREDICATE);
	check_calls(&m, &(struct expected){ .returns = 0 },
		    "two conditions that exclude each other");
}

static void test_graph(void)
{
	const uint32_t wanted = BIT(1) | BIT(8);
	struct maker m;

	maker_usual(&m, GRAPH_TRIGGER);
	maker_if(&m, FARGS_PROG_ENTRY_PREDICATE, FARGS_COND_EQ, 1);
	maker_if(&m, FARGS_PROG_TRIGGER, FARGS_COND_EQ, 8);
	check_calls(&m, &(struct expected){ .entries = wanted, .returns = wanted,
					    .entry_marks = BIT(8) },
					    "graph, a trigger at the call");
	maker_if(&m, FARGS_PROG_RETURN_TRIGGER, FARGS_COND_EQ, 24);
	check_calls(&m, &(struct expected){ .entries = wanted, .returns = wanted,
					    .return_marks = BIT(8) },
					    "graph, a trigger at the return");
}

/* ---- overwrite mode ---- */

static void over_open(uint32_t flags, enum fargs_prog which, enum fargs_cond cond, uint64_t number)
{
	struct fargs_buffer buffer = { .bytes = RING_BYTES, .mode = FARGS_MODE_OVERWRITE };
	struct fargs_info info = { 0 };
	struct maker m;
	uint32_t cpu;

	memset(&reader, 0, sizeof(reader));
	reader.fd = device_open();
	must(reader.fd < 0 ? -errno : 0, "open");
	must(call(reader.fd, FARGS_IOC_BUFFER, &buffer), "BUFFER");
	must(call(reader.fd, FARGS_IOC_INFO, &info), "INFO");
	reader.page = info.page_size;
	reader.bytes = RING_BYTES;
	reader.nr_cpus = info.nr_cpus < CPUS_MAX ? info.nr_cpus : CPUS_MAX;
	for (cpu = 0; cpu < reader.nr_cpus; cpu++) {
		uint8_t *map = reader_map(&reader, PROT_READ, FARGS_MMAP_DATA(cpu),
					  reader.page + 2 * RING_BYTES);

		reader.rings[cpu].head = (void *)map;
		reader.rings[cpu].data = map + reader.page;
	}
	maker_usual(&m, flags);
	maker_if(&m, which, cond, number);
	must(maker_add(reader.fd, &m), "ADD");
}

static void over_close(void)
{
	uint32_t cpu;

	for (cpu = 0; cpu < reader.nr_cpus; cpu++)
		munmap((void *)reader.rings[cpu].head, reader.page + 2 * RING_BYTES);
	close(reader.fd);
}

/* The records of calls in a frozen ring. */
struct view {
	uint32_t nr, nr_gaps, nr_marked;
	uint32_t nr_after;			/* number of calls after the last marked one */
	/* numbers of the first, the last, and the last marked call */
	uint64_t first, last, marked;
	uint64_t last_tsc, marked_tsc;
	uint32_t room;				/* unused bytes in the newest sub-buffer */
	uint32_t bytes;				/* size of the records, from the oldest one on */
	uint32_t record_bytes;	/* size of a call's record; all have the same size */
	const char *wrong;			/* first error; NULL: none */
};

static void view_one(struct view *v, const struct fargs_record *rec)
{
	if (rec->kind != FARGS_KIND_ENTRY && rec->kind != FARGS_KIND_RETURN)
		return;
	v->nr_gaps += v->nr && number_of(rec) != v->last + 1;
	if (rec->tsc < v->last_tsc)
		v->wrong = "the order of time";
	v->last = number_of(rec);
	v->last_tsc = rec->tsc;
	if (!v->nr++)
		v->first = v->last;
	v->nr_after++;
	v->record_bytes = rec->len;
	if (!rec->flags)
		return;
	v->nr_marked++;
	v->nr_after = 0;
	v->marked = v->last;
	v->marked_tsc = rec->tsc;
}

static void view_ring(struct view *v, uint32_t cpu)
{
	const struct reader_ring *ring = &reader.rings[cpu];
	const uint32_t sub = ring->head->sub_bytes;
	uint64_t head = __atomic_load_n(&ring->head->data_head, __ATOMIC_ACQUIRE);
	uint64_t pos = ring->head->data_start;

	memset(v, 0, sizeof(*v));
	v->bytes = head - pos;
	v->room = (sub - head % sub) % sub;
	if (head - pos > RING_BYTES || pos % sub)
		v->wrong = "where the data begins";
	while (pos < head && !v->wrong) {
		const struct fargs_record *rec = (const void *)(ring->data + pos % RING_BYTES);

		if (!rec->len) {
			pos += sub - pos % sub;
			continue;
		}
		if (rec->len < sizeof(*rec) || rec->len % 8 || pos % sub + rec->len > sub)
			v->wrong = "a record's length";
		else
			view_one(v, rec);
		pos += rec->len;
	}
}

static void note_view(uint32_t cpu, const struct view *v)
{
	ktap_note("CPU %u: %u records from %llu to %llu, %u gaps, %u marked, the last %llu; "
		  "%u bytes, room %u; %s", cpu, v->nr, (unsigned long long)v->first,
		  (unsigned long long)v->last, v->nr_gaps, v->nr_marked,
		  (unsigned long long)v->marked, v->bytes, v->room,
		  v->wrong ? v->wrong : "whole");
}

/* Tests a trigger on one CPU: its record is the newest, and earlier calls are kept. */
static void check_frozen(uint32_t flags, enum fargs_prog which, uint64_t value, const char *what)
{
	const uint32_t cpu = sched_getcpu();
	struct fargs_cpu_stats sum;
	struct fargs_stats stats;
	struct view v;
	uint32_t sub;
	bool is_reported;

	over_open(flags, which, FARGS_COND_EQ, value);
	sub = reader.rings[cpu].head->sub_bytes;
	must(start(FARGS_START_FREEZE), "START");
	must(target_call("number 1 20000"), "number");
	is_reported = is_triggered(0);
	stats = stats_of(&sum);
	must(freeze(1), "FREEZE");
	view_ring(&v, cpu);
	note_view(cpu, &v);
	ktap_ok(!v.wrong && v.last == 5000 && v.marked == 5000 && v.nr_marked == 1 &&
		!v.nr_gaps, "%s: call 5000 is the newest, marked, and follows 4999 …", what);
	ktap_ok(v.bytes > RING_BYTES - 2 * sub, "%s: calls before the trigger fill the ring", what);
	ktap_ok(is_reported && stats.nr_triggers == 1 && sum.produced == 20000 && sum.lost == 15000,
		"%s: all calls after the trigger are lost and counted", what);
	must(freeze(0), "thaw");
	is_reported = is_triggered(0);
	must(target_call("number 4999 3"), "number");
	stats = stats_of(&sum);
	ktap_ok(!is_reported && is_triggered(0) && stats.nr_triggers == 2,
		"%s: a second trigger is counted", what);
	must(freeze(1), "FREEZE");
	view_ring(&v, cpu);
	ktap_ok(!v.wrong && v.last == 5000 && v.nr_marked == 2 && v.nr_gaps == 1,
		"%s: a thawed ring continues, without the lost calls", what);
	over_close();
}

/* ---- no slot is free ---- */

#define PAUSE		"__x64_sys_pause"
#define RESERVED_MIN	64	/* slots for calls that may trigger (fargs_start.maxactive) */

static int start_slots(uint32_t flags, uint32_t maxactive)
{
	struct fargs_start start = { .flags = flags, .maxactive = maxactive };

	return call(reader.fd, FARGS_IOC_START, &start);
}

/* Adds pause(2) with a return probe. If @is_trigger is set, the call may trigger at its return. */
static void add_pause(bool is_trigger)
{
	uint64_t addr = symbol_address(PAUSE);
	struct maker m;

	must(addr ? 0 : -ENOENT, PAUSE);
	maker_init(&m, addr, is_trigger ? RETURN_TRIGGER : FARGS_LAYOUT_RETURN);
	maker_reg(&m, "number", FARGS_TYPE_U64, 0);
	if (is_trigger)
		maker_if(&m, FARGS_PROG_RETURN_TRIGGER, FARGS_COND_EQ, 1);
	must(maker_add(reader.fd, &m), PAUSE);
}

/*
 * Tests that a call triggers at its return although a sleeping call occupies the only slot that is
 * not reserved.
 */
static void test_reserved_return(void)
{
	struct fargs_cpu_stats sum;
	struct fargs_stats stats;
	bool is_reported;
	pid_t sleeping;
	struct view v;

	over_open(RETURN_TRIGGER, FARGS_PROG_RETURN_TRIGGER, FARGS_COND_EQ, 150);
	add_pause(false);
	must(start_slots(FARGS_START_FREEZE, 1), "START");
	sleeping = fork_paused();
	must(target_call("number 1 100"), "number");
	is_reported = is_triggered(0);
	stats = stats_of(&sum);
	must(freeze(1), "FREEZE");
	view_ring(&v, sched_getcpu());
	note_view(sched_getcpu(), &v);
	ktap_note("%llu triggers, %llu missed", stats.nr_triggers, stats.nr_missed_triggers);
	ktap_ok(is_reported && stats.nr_triggers == 1 && !stats.nr_missed_triggers,
		"no free slot: a call triggers by its return value");
	ktap_ok(!v.wrong && v.last == 50 && v.marked == 50 && v.nr_marked == 1 && !v.nr_gaps,
		"no free slot: the trigger's record is the newest, after the calls before it");
	wake(sleeping);
	over_close();
}

/* Tests that only calls that the TRIGGER program accepts use reserved slots. */
static void test_reserved_entry(void)
{
	struct totals totals;
	struct maker m;
	pid_t sleeping;
	uint32_t nr;

	reader_open(&reader, RING_BYTES);
	maker_usual(&m, RETURN_TRIGGER);
	maker_if(&m, FARGS_PROG_TRIGGER, FARGS_COND_EQ, 5);
	must(maker_add(reader.fd, &m), "ADD");
	add_pause(false);
	must(start_slots(0, 1), "START");
	sleeping = fork_paused();
	must(target_call("number 1 20"), "number");
	totals = reader_totals(&reader);
	nr = reader_peek(&reader, records, RECORDS_MAX);
	if (!ktap_ok(nr == 1 && number_of(records[0]) == 5 &&
		     records[0]->flags == FARGS_RECORD_TRIGGER && is_triggered(0),
		     "no free slot: the call that triggers is recorded"))
		ktap_note("%u records", nr);
	if (!ktap_ok(totals.produced == 20 && totals.missed == 19 && totals.lost == 19,
		     "no free slot: other calls of its function are missed and counted"))
		ktap_note("produced %lu, missed %lu, lost %lu", totals.produced, totals.missed,
			  totals.lost);
	wake(sleeping);
	reader_close(&reader);
}

/*
 * Tests triggers while sleeping calls that may trigger occupy all slots, including the reserved
 * ones. fargs_r_depth(3) calls itself with 2, 1 and 0.
 */
static void test_reserved_none(void)
{
	pid_t sleeping[RESERVED_MIN + 1];
	const uint64_t number = address;
	struct fargs_stats before, after;
	struct fargs_cpu_stats sum;
	struct totals totals;
	struct maker m;
	uint32_t i;

	reader_open(&reader, RING_BYTES);
	maker_usual(&m, RETURN_TRIGGER);
	maker_if(&m, FARGS_PROG_RETURN_TRIGGER, FARGS_COND_EQ, 15);
	must(maker_add(reader.fd, &m), "ADD");
	address = symbol_address("fargs_r_depth");
	maker_usual(&m, RETURN_TRIGGER);
	maker_if(&m, FARGS_PROG_TRIGGER, FARGS_COND_EQ, 2);
	must(maker_add(reader.fd, &m), "ADD");
	address = number;
	add_pause(true);
	must(start_slots(0, 1), "START");
	for (i = 0; i < RESERVED_MIN + 1; i++)
		sleeping[i] = fork_paused();
	before = stats_of(&sum);
	totals = reader_totals(&reader);
	ktap_ok(!totals.missed && totals.nr_pending == RESERVED_MIN + 1,
		"as many calls that may trigger can wait as there are slots, reserved or not");
	must(target_call("number 1 20"), "number");
	after = stats_of(&sum);
	totals = reader_totals(&reader);
	if (!ktap_ok(!before.nr_missed_triggers && after.nr_missed_triggers == 20 &&
		     !after.nr_triggers && !is_triggered(0) && totals.missed == 20,
		     "no slot at all: calls that may have triggered are counted"))
		ktap_note("%llu, %llu missed triggers, %llu triggers", before.nr_missed_triggers,
			  after.nr_missed_triggers, after.nr_triggers);
	must(target_call("fargs_r_depth"), "fargs_r_depth");
	after = stats_of(&sum);
	totals = reader_totals(&reader);
	if (!ktap_ok(after.nr_triggers == 1 && after.nr_missed_triggers == 20 && is_triggered(0) &&
		     totals.missed == 24 && totals.lost == 24 &&
		     !reader_peek(&reader, records, RECORDS_MAX),
		     "no slot at all: a trigger known at the call fires, without its record"))
		ktap_note("%llu triggers, %llu missed, calls missed %lu, lost %lu",
			  after.nr_triggers, after.nr_missed_triggers, totals.missed, totals.lost);
	for (i = 0; i < RESERVED_MIN + 1; i++)
		wake(sleeping[i]);
	reader_close(&reader);
}

/*
 * Tests a call that may trigger, number 2900, whose ENTRY record is lost because the ring is full.
 */
static void test_full_ring(void)
{
	struct fargs_cpu_stats sum;
	struct fargs_stats stats;
	struct maker m;

	reader_open(&reader, RING_BYTES);
	maker_usual(&m, GRAPH_TRIGGER);
	maker_if(&m, FARGS_PROG_TRIGGER, FARGS_COND_EQ, 2900);
	maker_if(&m, FARGS_PROG_RETURN_TRIGGER, FARGS_COND_EQ, 8700);
	must(maker_add(reader.fd, &m), "ADD");
	must(start(0), "START");
	must(target_call("number 1 3000"), "number");
	stats = stats_of(&sum);
	if (!ktap_ok(sum.lost && stats.nr_missed_triggers == 1 && !stats.nr_triggers,
		     "graph: a call that may have triggered is counted if its ENTRY is lost"))
		ktap_note("lost %llu, %llu missed triggers, %llu triggers", sum.lost,
			  stats.nr_missed_triggers, stats.nr_triggers);
	reader_close(&reader);
}

/* Tests that recording continues after a trigger without FARGS_START_FREEZE. */
static void test_going_on(void)
{
	bool was_triggered;
	struct view v;

	over_open(ENTRY_TRIGGER, FARGS_PROG_TRIGGER, FARGS_COND_EQ, 5000);
	must(start(0), "START");
	must(target_call("number 1 5100"), "number");
	must(freeze(1), "FREEZE");
	view_ring(&v, sched_getcpu());
	ktap_ok(!v.wrong && !v.nr_gaps && v.marked == 5000 && v.nr_after == 100 && is_triggered(0),
		"without FARGS_START_FREEZE later calls are kept");
	must(target_call("number 5000 1"), "number");
	must(freeze(0), "thaw");
	ktap_ok(!is_triggered(0), "calls while rings are frozen do not trigger");
	must(target_call("number 5000 1"), "number");
	must(session_stop(reader.fd), "STOP");
	was_triggered = is_triggered(0);
	must(start(0), "START");
	ktap_ok(was_triggered && !is_triggered(0), "a session that starts again has not triggered");
	over_close();
}

static void bind_to(uint32_t cpu)
{
	cpu_set_t one;

	CPU_ZERO(&one);
	CPU_SET(cpu, &one);
	sched_setaffinity(0, sizeof(one), &one);
}

/* Starts a process that makes numbered calls on @cpu until it is killed. */
static pid_t start_counting(uint32_t cpu)
{
	pid_t pid = fork();
	char command[64];
	uint64_t from;

	if (pid)
		return pid;
	bind_to(cpu);
	for (from = cpu * CPU_NUMBERS; ; from += 1000) {
		snprintf(command, sizeof(command), "number %llu 1000", (unsigned long long)from);
		if (target_call(command))
			_exit(1);
	}
}

static void stop_counting(const pid_t *pids, uint32_t nr)
{
	uint32_t i;

	for (i = 0; i < nr; i++)
		kill(pids[i], SIGKILL);
	for (i = 0; i < nr; i++)
		waitpid(pids[i], NULL, 0);
}

/*
 * Returns whether a CPU's ring has all calls before the trigger, without a gap, at least up to the
 * trigger's time @tsc. The last calls may be missing if their record did not fit in the last
 * sub-buffer.
 */
static bool is_kept(const struct view *v, uint64_t tsc, uint32_t cpu, uint32_t sub)
{
	bool is_up_to_it = v->last_tsc >= tsc || v->room < v->record_bytes;
	/* The ring is full, or has all calls from the CPU's first number on. */
	bool is_full = v->bytes > RING_BYTES - 2 * sub || v->first == cpu * CPU_NUMBERS;

	return !v->wrong && !v->nr_gaps && v->nr && is_up_to_it && is_full;
}

/*
 * Tests that a trigger freezes the rings of all CPUs when the call is made, even if the rings are
 * read much later.
 */
static void test_all_cpus(void)
{
	struct view views[CPUS_MAX];
	pid_t pids[CPUS_MAX];
	uint32_t cpu, nr_kept = 0;
	uint64_t tsc;

	over_open(ENTRY_TRIGGER, FARGS_PROG_TRIGGER, FARGS_COND_EQ, 50000);
	must(start(FARGS_START_FREEZE), "START");
	for (cpu = 0; cpu < reader.nr_cpus; cpu++)
		pids[cpu] = start_counting(cpu);
	ktap_ok(is_triggered(100000), "all CPUs: a trigger wakes poll()");
	usleep(200000);
	must(freeze(1), "FREEZE");
	stop_counting(pids, reader.nr_cpus);
	for (cpu = 0; cpu < reader.nr_cpus; cpu++)
		view_ring(&views[cpu], cpu);
	tsc = views[0].marked_tsc;
	for (cpu = 0; cpu < reader.nr_cpus; cpu++) {
		uint32_t sub = reader.rings[cpu].head->sub_bytes;

		note_view(cpu, &views[cpu]);
		nr_kept += is_kept(&views[cpu], tsc, cpu, sub);
	}
	ktap_ok(views[0].marked == 50000 && !views[0].nr_after,
		"all CPUs: the trigger is the newest call on its CPU");
	ktap_ok(nr_kept == reader.nr_cpus,
		"all CPUs: calls before the trigger are kept, up to the ring's size");
	over_close();
}

/* Tests threads and interrupts that trigger at each call, on all CPUs. */
static void test_storm(void)
{
	struct fargs_cpu_stats sum;
	uint32_t cpu, i, nr_wrong = 0, nr_reported = 0;
	struct view v;
	pid_t pid;

	address = symbol_address("fargs_t_4");
	over_open(ENTRY_TRIGGER, FARGS_PROG_TRIGGER, FARGS_COND_GE, 0);
	address = symbol_address(FUNCTION);
	must(start(FARGS_START_FREEZE), "START");
	pid = fork();
	while (!pid)
		if (target_call("loop fargs_t_4 20000 3"))
			_exit(1);
	for (i = 0; i < 100; i++) {
		uint32_t nr = 0, nr_marked = 0;

		nr_reported += is_triggered(100000);
		must(freeze(1), "FREEZE");
		for (cpu = 0; cpu < reader.nr_cpus; cpu++) {
			view_ring(&v, cpu);
			/*
			 * The number is not checked here: the argument is an address, which is
			 * always the same.
			 */
			nr_wrong += !!v.wrong;
			nr += v.nr;
			nr_marked += v.nr_marked;
		}
		nr_wrong += !nr || nr != nr_marked;
		must(freeze(0), "thaw");
	}
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
	ktap_ok(nr_reported == 100 && stats_of(&sum).nr_triggers >= 100 && !nr_wrong,
		"storm: each trigger is reported, and every record is complete and marked");
	must(session_stop(reader.fd), "STOP");
	over_close();
}

/*
 * Tests triggers in functions that are called when the reader is woken: the trigger must not
 * recurse.
 */
static void test_wakeup(void)
{
	static const char *const names[] = {
		"irq_work_queue", "__irq_work_queue_local", "wake_up_interruptible",
		"__wake_up", "irq_work_single", "irq_work_run",
	};
	struct fargs_cpu_stats sum;
	uint32_t i, nr = 0;

	over_open(ENTRY_TRIGGER, FARGS_PROG_TRIGGER, FARGS_COND_EQ, 3);
	for (i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		struct maker m;

		address = symbol_address(names[i]);
		maker_usual(&m, ENTRY_TRIGGER);
		nr += address && !maker_add(reader.fd, &m);
	}
	address = symbol_address(FUNCTION);
	must(start(0), "START");
	for (i = 0; i < 20; i++) {
		must(target_call("number 1 5"), "number");
		must(freeze(1), "FREEZE");
		must(freeze(0), "thaw");
	}
	must(session_stop(reader.fd), "STOP");
	ktap_ok(nr && stats_of(&sum).nr_triggers >= 20,
		"%u functions that wake the reader trigger, too", nr);
	over_close();
}

int main(void)
{
	struct fargs_info info = { 0 };
	cpu_set_t all;
	int fd;

	ktap_begin("abi_trigger");
	need_session_test();
	fd = device_open();
	must(call(fd, FARGS_IOC_INFO, &info), "INFO");
	close(fd);
	if (!(info.features & FARGS_FEATURE_TRIGGER))
		ktap_skip_all("this module has no FARGS_FEATURE_TRIGGER");
	address = symbol_address(FUNCTION);
	must(address ? 0 : -ENOENT, FUNCTION);
	sched_getaffinity(0, sizeof(all), &all);
	bind_to(sched_getcpu());
	test_refused();
	test_entry();
	test_unreadable();
	test_return();
	test_graph();
	check_frozen(ENTRY_TRIGGER, FARGS_PROG_TRIGGER, 5000, "at the call");
	check_frozen(RETURN_TRIGGER, FARGS_PROG_RETURN_TRIGGER, 15000, "at the return");
	test_going_on();
	test_reserved_return();
	test_reserved_entry();
	test_reserved_none();
	test_full_ring();
	sched_setaffinity(0, sizeof(all), &all);
	test_all_cpus();
	test_storm();
	test_wakeup();
	return ktap_end();
}
