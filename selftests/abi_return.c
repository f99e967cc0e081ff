// SPDX-License-Identifier: GPL-2.0-only
/*
 * Tests FARGS_LAYOUT_RETURN and FARGS_LAYOUT_GRAPH with known return values of
 * samples/target/return.c and of system calls, and checks that every call is accounted for. Each
 * test runs with few functions in the session and with many, for which the module uses another
 * kernel mechanism.
 */
#include <stddef.h>
#include <sys/mount.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <x86intrin.h>

#include "lib/calls.h"

#define RING_BYTES	(256u << 10)
#define RECORDS_MAX	1024
/* enough functions for the module to use fprobe, if the kernel has it, instead of kretprobes */
#define MANY		24
#define CLOSES		20
#define CLOSE_US_MAX	20000

static const struct fargs_record *records[RECORDS_MAX];
static uint64_t many_addrs[MANY];
static bool is_many;
static const char *how;

/* Adds functions that are not called during the tests. */
static void add_many(int fd)
{
	static uint8_t packed[MANY * 128];
	struct fargs_add add = { .layouts = (uintptr_t)packed, .nr = MANY };
	struct maker m;
	unsigned int i;

	if (!is_many)
		return;
	for (i = 0; i < MANY; i++) {
		maker_init(&m, many_addrs[i], FARGS_LAYOUT_RETURN);
		add.bytes += maker_pack(&m, packed + add.bytes);
	}
	must(call(fd, FARGS_IOC_ADD, &add), "ADD of many");
}

static void open_session(struct reader *r)
{
	reader_open(r, RING_BYTES);
	add_many(r->fd);
}

static int start_tasks(int fd, uint32_t maxactive, pid_t pid)
{
	int32_t tid = pid;
	struct fargs_start start = {
		.flags = FARGS_START_TASKS, .nr_tids = 1, .tids = (uintptr_t)&tid,
		.maxactive = maxactive,
	};

	return call(fd, FARGS_IOC_START, &start);
}

static void must_start(int fd, uint32_t maxactive)
{
	must(start_tasks(fd, maxactive, getpid()), "START");
}

static void must_stop(int fd)
{
	must(session_stop(fd), "STOP");
}

/* Makes a layout with the values of most tests: "arg", "ret" and "entered". */
static void maker_usual(struct maker *m, const char *function, uint32_t flags)
{
	uint64_t addr = symbol_address(function);

	must(addr ? 0 : -ENOENT, function);
	maker_init(m, addr, flags);
	maker_reg(m, "arg", FARGS_TYPE_S64, 0);
	maker_return(m, "ret", FARGS_TYPE_S64, FARGS_SOURCE_RETURN, 0);
	maker_return(m, "entered", FARGS_TYPE_U64, FARGS_SOURCE_ENTRY_TSC, 0);
}

static void add_usual(int fd, const char *function, uint32_t flags)
{
	struct maker m;

	maker_usual(&m, function, flags);
	must(maker_add(fd, &m), function);
}

static int64_t ret_of(const struct fargs_record *rec)
{
	return record_find(rec, "ret").low;
}

static int64_t arg_of(const struct fargs_record *rec)
{
	return record_find(rec, "arg").low;
}

static void note_totals(const struct totals *t)
{
	ktap_note("produced %lu lost %lu rejected %lu missed %lu nr_missed %lu nr_pending %lu",
		  t->produced, t->lost, t->rejected, t->missed, t->nr_missed, t->nr_pending);
}

/*
 * Returns whether the records, all of the same task, are in order, without gaps between their
 * sequence numbers.
 */
static bool are_in_order(uint32_t nr)
{
	uint32_t i;

	for (i = 1; i < nr; i++) {
		if (records[i]->seq != records[i - 1]->seq + 1 ||
		    records[i]->tsc < records[i - 1]->tsc)
			return false;
	}
	return true;
}

/*
 * Returns whether the record has @ip and @kind, and was written by this task, with interrupts and
 * preemption enabled.
 */
static bool is_of_this_task(const struct fargs_record *rec, uint64_t ip, uint8_t kind)
{
	return rec->kind == kind && rec->ip == ip && rec->tid == (uint32_t)getpid() &&
	       !(rec->preempt & ~FARGS_PREEMPT_NO_RESCHED) && (rec->eflags & FARGS_EFLAGS_IF);
}

struct answer {
	uint64_t ret, ret_high;
};

/*
 * The calls that target_walk_return() makes to each function, and the return values that the C
 * code of samples/target/return.c computes.
 */
static const struct known {
	const char *function;
	uint8_t type;
	uint64_t mask;		/* bits of rax that belong to the value; @mask_high: bits of rdx */
	uint64_t mask_high;
	unsigned int nr;
	struct answer answers[4];
} known[] = {
	{ "fargs_r_void", 0, 0, 0, 1, { { 0, 0 } } },
	{ "fargs_r_int", FARGS_TYPE_S32, 0xffffffff, 0, 4,
	  { { 0, 0 }, { (uint32_t)-2, 0 }, { (uint32_t)-4096, 0 }, { 100000, 0 } } },
	{ "fargs_r_s8", FARGS_TYPE_S8, 0xff, 0, 2, { { 0xff, 0 }, { 0x7f, 0 } } },
	{ "fargs_r_u8", FARGS_TYPE_U8, 0xff, 0, 1, { { 0xff, 0 } } },
	{ "fargs_r_u32", FARGS_TYPE_U32, 0xffffffff, 0, 1, { { 0xfffffffe, 0 } } },
	{ "fargs_r_long", FARGS_TYPE_S64, ~0ull, 0, 2, { { -512ull, 0 }, { 1ull << 40, 0 } } },
	{ "fargs_r_bool", FARGS_TYPE_BOOL, 0xff, 0, 2, { { 1, 0 }, { 0, 0 } } },
	{ "fargs_r_ptr", FARGS_TYPE_PTR, ~0ull, 0, 3,
	  { { 0, 0 }, { -13ull, 0 }, { 0x7ffc12345670ull, 0 } } },
	{ "fargs_r_enum", FARGS_TYPE_S32, 0xffffffff, 0, 3,
	  { { 1, 0 }, { (uint32_t)-3, 0 }, { (uint32_t)-2, 0 } } },
	{ "fargs_r_pair", FARGS_TYPE_U128, ~0ull, 0xffffffff, 1, { { -5ull, 6 } } },
	{ "fargs_r_s128", FARGS_TYPE_S128, ~0ull, ~0ull, 1, { { 5, ~0ull } } },
};

static bool is_answer(const struct fargs_record *rec, const struct known *k,
		      const struct answer *answer)
{
	struct value value = record_find(rec, "ret");

	return value.type == k->type && (value.low & k->mask) == answer->ret &&
	       (value.high & k->mask_high) == answer->ret_high;
}

static void test_value(const struct known *k)
{
	struct reader r;
	struct maker m;
	uint32_t i, nr;
	bool is_right;

	open_session(&r);
	maker_init(&m, symbol_address(k->function), FARGS_LAYOUT_RETURN);
	maker_reg(&m, "a", FARGS_TYPE_S64, 0);
	if (k->type)
		maker_return(&m, "ret", k->type, FARGS_SOURCE_RETURN, 0);
	must(maker_add(r.fd, &m), k->function);
	must_start(r.fd, 0);
	must(target_call(k->function), k->function);
	must_stop(r.fd);
	nr = reader_peek(&r, records, RECORDS_MAX);
	is_right = nr == k->nr && are_in_order(nr);
	for (i = 0; i < nr && i < k->nr; i++) {
		if (!is_of_this_task(records[i], m.layout.ip, FARGS_KIND_RETURN) ||
		    !is_answer(records[i], k, &k->answers[i]) ||
		    strcmp(record_names(records[i]), k->type ? "a,ret," : "a,")) {
			ktap_note("%u: kind %u preempt %#x eflags %#x names %s ret %#lx %#lx",
				  i, records[i]->kind, records[i]->preempt, records[i]->eflags,
				  record_names(records[i]), record_find(records[i], "ret").low,
				  record_find(records[i], "ret").high);
			is_right = false;
		}
	}
	if (!ktap_ok(is_right, "%s: return values of %s are right", how, k->function))
		ktap_note("%u records", nr);
	reader_close(&r);
}

/* Tests a function with six arguments, of which one is not recorded and one is on the stack. */
static void test_arguments(void)
{
	struct reader r;
	struct maker m;
	uint64_t before, after, entered;
	uint32_t nr;

	open_session(&r);
	maker_usual(&m, "fargs_r_pair", FARGS_LAYOUT_RETURN);
	maker_reg(&m, "b", FARGS_TYPE_S32, 1);
	must(maker_add(r.fd, &m), "ADD");
	must_start(r.fd, 0);
	before = __rdtsc();
	must(target_call("fargs_r_pair"), "call");
	after = __rdtsc();
	must_stop(r.fd);
	nr = reader_peek(&r, records, RECORDS_MAX);
	ktap_ok(nr == 1 && arg_of(records[0]) == -5 &&
		(int32_t)record_find(records[0], "b").low == 6 &&
		!strcmp(record_names(records[0]), "arg,b,ret,entered,"),
		"%s: in a record arguments are before the return value", how);
	entered = nr ? record_find(records[0], "entered").low : 0;
	if (!ktap_ok(nr == 1 && before < entered && entered < records[0]->tsc &&
		     records[0]->tsc < after,
		     "%s: times of the call and the return are between the caller's", how))
		ktap_note("%lu: %lu, %lu", before, entered, after);
	reader_close(&r);
}

/*
 * Adds a program that copies the 4 bytes to which the first argument points to the value at @data.
 */
static void maker_load(struct maker *m, enum fargs_prog which, uint16_t data)
{
	maker_insn(m, which, (struct fargs_insn){ .op = FARGS_OP_ARG, .dst = 0, .arg = 0 });
	maker_insn(m, which, (struct fargs_insn){
		.op = FARGS_OP_LOAD, .dst = 1, .src = 0, .arg = 4, .imm = FARGS_SPACE_KERNEL });
	maker_insn(m, which, (struct fargs_insn){ .op = FARGS_OP_ST, .src = 1, .off = data });
}

/* Tests fargs_r_changes(p), which is called with *p == 77, sets *p to -1, and returns 77. */
static void test_changes(uint32_t flags)
{
	struct reader r;
	struct maker m;
	uint16_t was, is;
	uint32_t nr;

	open_session(&r);
	maker_usual(&m, "fargs_r_changes", flags);
	was = maker_value_in(m.body, &m.body_len, "was", FARGS_TYPE_S32);
	is = maker_value_in(m.return_body, &m.return_body_len, "is", FARGS_TYPE_S32);
	maker_load(&m, FARGS_PROG_ENTRY_FETCH, was);
	maker_load(&m, FARGS_PROG_RETURN_FETCH, is);
	must(maker_add(r.fd, &m), "ADD of programs");
	must_start(r.fd, 0);
	must(target_call("fargs_r_changes"), "call");
	must_stop(r.fd);
	nr = reader_peek(&r, records, RECORDS_MAX);
	if (flags & FARGS_LAYOUT_GRAPH)
		ktap_ok(nr == 2 && records[0]->kind == FARGS_KIND_ENTRY &&
			(int32_t)record_find(records[0], "was").low == 77 &&
			!strcmp(record_names(records[0]), "arg,was,") &&
			records[1]->kind == FARGS_KIND_RETURN &&
			(int32_t)record_find(records[1], "is").low == -1 &&
			!strcmp(record_names(records[1]), "ret,entered,is,") &&
			(int32_t)ret_of(records[1]) == 77,
			"%s: graph: memory is read at the call and at the return", how);
	else
		ktap_ok(nr == 1 && (int32_t)record_find(records[0], "was").low == 77 &&
			(int32_t)record_find(records[0], "is").low == -1 &&
			(int32_t)ret_of(records[0]) == 77 &&
			!strcmp(record_names(records[0]), "arg,was,ret,entered,is,"),
			"%s: memory is read at the call and at the return", how);
	reader_close(&r);
}

/* Tests appended values before and after the values of the return. */
static void test_appended(void)
{
	struct reader r;
	struct maker m;
	uint32_t nr, i;

	open_session(&r);
	maker_usual(&m, "fargs_r_changes", FARGS_LAYOUT_RETURN);
	memcpy(m.consts, "first\0second", 13);
	m.const_len = 13;
	for (i = 0; i < 2; i++) {
		enum fargs_prog which = i ? FARGS_PROG_RETURN_FETCH : FARGS_PROG_ENTRY_FETCH;

		maker_insn(&m, which, (struct fargs_insn){ .op = FARGS_OP_ARG, .dst = 0 });
		maker_insn(&m, which, (struct fargs_insn){
			.op = FARGS_OP_IMM, .dst = 1, .imm = 4 });
		maker_insn(&m, which, (struct fargs_insn){
			.op = FARGS_OP_PUT_MEM, .dst = 1, .src = 0, .off = i ? 6 : 0, .imm = 4 });
	}
	m.layout.append_max = FARGS_APPEND_BYTES(5, 4);
	m.layout.return_append_max = FARGS_APPEND_BYTES(6, 4);
	must(maker_add(r.fd, &m), "ADD of programs that append");
	must_start(r.fd, 0);
	must(target_call("fargs_r_changes"), "call");
	must_stop(r.fd);
	nr = reader_peek(&r, records, RECORDS_MAX);
	if (!ktap_ok(nr == 1 &&
		     !strcmp(record_names(records[0]), "arg,first,ret,entered,second,") &&
		     record_find(records[0], "first").low == 4 &&
		     (int32_t)record_find(records[0], "first").high == 77 &&
		     (int32_t)record_find(records[0], "second").high == -1 &&
		     (int32_t)ret_of(records[0]) == 77,
		     "%s: values appended at the call or return follow its other values", how))
		ktap_note("%u records, names %s", nr, nr ? record_names(records[0]) : "");
	reader_close(&r);
}

/* Tests nested calls. @zeros: number of zero bytes after the end of both bodies. */
static void test_nested(uint32_t zeros)
{
	static const int sums[] = { 0, 1, 3, 6 };
	bool is_right;
	struct reader r;
	struct maker m;
	uint32_t i, nr;

	open_session(&r);
	maker_usual(&m, "fargs_r_depth", FARGS_LAYOUT_RETURN);
	m.body_len += zeros;
	m.return_body_len += zeros;
	must(maker_add(r.fd, &m), "ADD");
	must_start(r.fd, 0);
	must(target_call("fargs_r_depth"), "call");
	must_stop(r.fd);
	nr = reader_peek(&r, records, RECORDS_MAX);
	is_right = nr == 4 && are_in_order(nr);
	for (i = 0; i < nr && i < 4; i++)
		is_right &= (int32_t)arg_of(records[i]) == (int)i &&
			    (int32_t)ret_of(records[i]) == sums[i] &&
			    (!i || record_find(records[i], "entered").low <
				   record_find(records[i - 1], "entered").low);
	ktap_ok(is_right, "%s: each nested call has its own argument, value and time%s", how,
		zeros ? ", with bodies that are longer than their values" : "");
	reader_close(&r);
}

static void test_graph(void)
{
	bool is_right;
	struct reader r;
	uint32_t i, nr;

	open_session(&r);
	add_usual(r.fd, "fargs_r_depth", FARGS_LAYOUT_RETURN | FARGS_LAYOUT_GRAPH);
	must_start(r.fd, 0);
	must(target_call("fargs_r_depth"), "call");
	must_stop(r.fd);
	nr = reader_peek(&r, records, RECORDS_MAX);
	is_right = nr == 8 && are_in_order(nr);
	for (i = 0; is_right && i < 4; i++) {
		const struct fargs_record *entry = records[i], *ret = records[7 - i];

		is_right = entry->kind == FARGS_KIND_ENTRY && ret->kind == FARGS_KIND_RETURN &&
			   (int32_t)arg_of(entry) == 3 - (int)i &&
			   !strcmp(record_names(entry), "arg,") &&
			   !strcmp(record_names(ret), "ret,entered,") &&
			   record_find(ret, "entered").low == entry->tsc &&
			   entry->ip == ret->ip && entry->parent_ip == ret->parent_ip;
	}
	ktap_ok(is_right && (int32_t)ret_of(records[7]) == 6 && (int32_t)ret_of(records[4]) == 0,
		"%s: graph: each return has the time of its entry", how);
	reader_close(&r);
}

/*
 * Tests a tail call: fargs_r_tail(4) jumps to fargs_r_int(5), which returns to the caller of
 * fargs_r_tail.
 */
static void test_tail(void)
{
	uint64_t caller = 0;
	struct reader r;
	uint32_t nr;

	open_session(&r);
	add_usual(r.fd, "fargs_r_tail", FARGS_LAYOUT_RETURN);
	add_usual(r.fd, "fargs_r_int", FARGS_LAYOUT_RETURN);
	must_start(r.fd, 0);
	must(target_call("fargs_r_tail"), "call");
	must_stop(r.fd);
	nr = reader_peek(&r, records, RECORDS_MAX);
	ktap_ok(nr == 2 && (int32_t)arg_of(records[0]) == 5 && (int32_t)ret_of(records[0]) == 5 &&
		(int32_t)arg_of(records[1]) == 4 && (int32_t)ret_of(records[1]) == 5 &&
		record_find(records[0], "entered").low > record_find(records[1], "entered").low,
		"%s: both functions of a tail call return", how);
	if (nr == 2)
		caller = records[1]->parent_ip;
	if (!(is_many && access("/sys/kernel/tracing/options/func-args", F_OK) == 0))
		ktap_ok(nr == 2 && caller && records[0]->parent_ip == caller,
			"%s: both functions of a tail call have the same caller", how);
	reader_close(&r);
}

/*
 * Makes a predicate that rejects a call unless the int that @get reads and @value meet the
 * condition.
 */
static void maker_predicate(struct maker *m, enum fargs_prog which, struct fargs_insn get,
			    uint8_t cond, uint64_t value)
{
	maker_insn(m, which, get);
	/* Sign-extend the lower half of the register. */
	maker_insn(m, which, (struct fargs_insn){ .op = FARGS_OP_SHL, .dst = 0, .imm = 32 });
	maker_insn(m, which, (struct fargs_insn){ .op = FARGS_OP_SAR, .dst = 0, .imm = 32 });
	maker_insn(m, which, (struct fargs_insn){ .op = FARGS_OP_JIF, .dst = 0, .arg = cond,
						  .off = 1, .imm = value });
	maker_insn(m, which, (struct fargs_insn){ .op = FARGS_OP_REJECT });
	maker_insn(m, which, (struct fargs_insn){ .op = FARGS_OP_ACCEPT });
}

static const struct fargs_insn get_arg = { .op = FARGS_OP_ARG, .dst = 0, .arg = 0 };
static const struct fargs_insn get_return = {
	.op = FARGS_OP_CTX, .dst = 0, .arg = FARGS_CTX_RETURN,
};

static int32_t kept_args[RECORDS_MAX];

static void check_predicate(struct maker *m, const char *function, uint32_t nr_kept,
			    uint32_t nr_rejected, const char *what)
{
	struct totals totals;
	struct reader r;
	uint32_t i, nr;

	open_session(&r);
	must(maker_add(r.fd, m), what);
	must_start(r.fd, 0);
	must(target_call(function), function);
	must_stop(r.fd);
	nr = reader_peek(&r, records, RECORDS_MAX);
	for (i = 0; i < nr; i++)
		kept_args[i] = arg_of(records[i]);
	totals = reader_totals(&r);
	if (!ktap_ok(nr == nr_kept && totals.rejected == nr_rejected && !totals.lost &&
		     totals.produced == nr_kept + nr_rejected, "%s: %s", how, what))
		note_totals(&totals);
	reader_close(&r);
}

/* Tests fargs_r_depth(3), which calls itself with 2, 1 and 0. These calls return 6, 3, 1 and 0. */
static void test_predicates(void)
{
	struct maker m;

	maker_usual(&m, "fargs_r_depth", FARGS_LAYOUT_RETURN);
	maker_predicate(&m, FARGS_PROG_ENTRY_PREDICATE, get_arg, FARGS_COND_SGE, 2);
	check_predicate(&m, "fargs_r_depth", 2, 2,
			"a predicate on an argument rejects at the call");
	ktap_ok(kept_args[0] == 2 && kept_args[1] == 3,
		"%s: calls that the predicate accepts are recorded", how);

	maker_usual(&m, "fargs_r_depth", FARGS_LAYOUT_RETURN);
	maker_predicate(&m, FARGS_PROG_RETURN_PREDICATE, get_return, FARGS_COND_SGT, 1);
	check_predicate(&m, "fargs_r_depth", 2, 2,
			"a predicate on the return value rejects at the return");

	maker_usual(&m, "fargs_r_int", FARGS_LAYOUT_RETURN);
	maker_predicate(&m, FARGS_PROG_RETURN_PREDICATE, get_return, FARGS_COND_SLT, 0);
	check_predicate(&m, "fargs_r_int", 2, 2, "a predicate accepts errors only");

	maker_usual(&m, "fargs_r_depth", FARGS_LAYOUT_RETURN);
	maker_predicate(&m, FARGS_PROG_ENTRY_PREDICATE, get_arg, FARGS_COND_SLE, 2);
	maker_predicate(&m, FARGS_PROG_RETURN_PREDICATE, get_return, FARGS_COND_SGT, 1);
	check_predicate(&m, "fargs_r_depth", 1, 3, "with both predicates each call has one number");

	maker_usual(&m, "fargs_r_depth", FARGS_LAYOUT_RETURN | FARGS_LAYOUT_GRAPH);
	maker_predicate(&m, FARGS_PROG_RETURN_PREDICATE, get_return, FARGS_COND_SGT, 1);
	check_predicate(&m, "fargs_r_depth", 6, 2, "graph: a rejected return leaves its entry");

	maker_usual(&m, "fargs_r_depth", FARGS_LAYOUT_RETURN | FARGS_LAYOUT_GRAPH);
	maker_predicate(&m, FARGS_PROG_ENTRY_PREDICATE, get_arg, FARGS_COND_SLE, 1);
	check_predicate(&m, "fargs_r_depth", 4, 2, "graph: a rejected entry has no return");

	/* A predicate at the return can use arguments. */
	maker_usual(&m, "fargs_r_depth", FARGS_LAYOUT_RETURN);
	maker_predicate(&m, FARGS_PROG_RETURN_PREDICATE, get_arg, FARGS_COND_EQ, 3);
	check_predicate(&m, "fargs_r_depth", 1, 3, "a predicate at the return can use an argument");

	maker_usual(&m, "fargs_r_depth", FARGS_LAYOUT_RETURN);
	maker_insn(&m, FARGS_PROG_RETURN_PREDICATE,
		   (struct fargs_insn){ .op = FARGS_OP_CTX, .dst = 0, .arg = FARGS_CTX_DURATION });
	maker_insn(&m, FARGS_PROG_RETURN_PREDICATE,
		   (struct fargs_insn){ .op = FARGS_OP_JIF, .dst = 0, .arg = FARGS_COND_GE,
					.off = 1, .imm = 1ull << 60 });
	maker_insn(&m, FARGS_PROG_RETURN_PREDICATE, (struct fargs_insn){ .op = FARGS_OP_REJECT });
	maker_insn(&m, FARGS_PROG_RETURN_PREDICATE, (struct fargs_insn){ .op = FARGS_OP_ACCEPT });
	check_predicate(&m, "fargs_r_depth", 0, 4, "a predicate on the duration rejects calls");
}

/* Tests nested calls with a small maxactive: the outer calls occupy the slots. */
static void test_maxactive_nested(void)
{
	struct totals totals;
	struct reader r;
	uint32_t nr;

	open_session(&r);
	add_usual(r.fd, "fargs_r_depth", FARGS_LAYOUT_RETURN);
	must_start(r.fd, 2);
	must(target_call("fargs_r_depth"), "call");
	must_stop(r.fd);
	nr = reader_peek(&r, records, RECORDS_MAX);
	totals = reader_totals(&r);
	if (!ktap_ok(nr == 2 && (int32_t)ret_of(records[0]) == 3 &&
		     (int32_t)ret_of(records[1]) == 6 &&
		     totals.produced == 4 && totals.lost == 2 && totals.missed == 2 &&
		     !totals.nr_missed && !totals.nr_pending,
		     "%s: with maxactive 2 the inner two of four calls are missed", how))
		note_totals(&totals);
	reader_close(&r);
}

#define ERESTARTNOHAND	514	/* return value of pause(2) inside the kernel */

static void test_maxactive_sleeping(void)
{
	struct totals totals;
	pid_t first, second;
	struct reader r;
	uint32_t nr;

	open_session(&r);
	add_usual(r.fd, "__x64_sys_pause", FARGS_LAYOUT_RETURN);
	must_start(r.fd, 1);
	first = fork_paused();
	second = fork_paused();
	totals = reader_totals(&r);
	if (!ktap_ok(totals.produced == 1 && totals.lost == 1 && totals.missed == 1 &&
		     totals.nr_pending == 1,
		     "%s: with maxactive 1 the second sleeping call is missed at once", how))
		note_totals(&totals);
	wake(second);
	wake(first);
	must_stop(r.fd);
	nr = reader_peek(&r, records, RECORDS_MAX);
	totals = reader_totals(&r);
	if (!ktap_ok(nr == 1 && records[0]->tid == (uint32_t)first &&
		     ret_of(records[0]) == -ERESTARTNOHAND &&
		     totals.produced == 2 && totals.lost == 1 && totals.missed == 1 &&
		     !totals.nr_missed && !totals.nr_pending,
		     "%s: the first sleeping call is recorded when it wakes up", how))
		note_totals(&totals);
	reader_close(&r);
}

static void test_in_flight(void)
{
	pid_t before, during, again;
	struct totals totals;
	struct reader r;
	uint32_t nr;

	open_session(&r);
	add_usual(r.fd, "__x64_sys_pause", FARGS_LAYOUT_RETURN);
	before = fork_paused();
	must_start(r.fd, 0);
	wake(before);
	totals = reader_totals(&r);
	ktap_ok(!totals.produced && !totals.nr_pending && !totals.nr_missed,
		"%s: the return of a call made before START is not recorded", how);

	during = fork_paused();
	again = fork_paused();
	must_stop(r.fd);
	totals = reader_totals(&r);
	if (!ktap_ok(!totals.produced && totals.nr_pending == 2,
		     "%s: STOP counts the calls that have not returned", how))
		note_totals(&totals);
	wake(during);
	totals = reader_totals(&r);
	ktap_ok(!totals.produced && totals.nr_pending == 2 &&
		!reader_peek(&r, records, RECORDS_MAX),
		"%s: calls that return after STOP are not recorded", how);

	/* START creates new probes on the same functions, perhaps in the same memory. */
	must_start(r.fd, 0);
	wake(again);
	totals = reader_totals(&r);
	ktap_ok(!totals.produced && !totals.nr_pending,
		"%s: calls made before are not recorded by new probes", how);
	wake(fork_paused());
	must_stop(r.fd);
	nr = reader_peek(&r, records, RECORDS_MAX);
	totals = reader_totals(&r);
	if (!ktap_ok(nr == 1 && totals.produced == 1 && !totals.nr_pending,
		     "%s: new probes record new calls", how))
		note_totals(&totals);
	reader_close(&r);

	/* Close the session while a task is inside the call. */
	open_session(&r);
	add_usual(r.fd, "__x64_sys_pause", FARGS_LAYOUT_RETURN);
	must_start(r.fd, 0);
	during = fork_paused();
	reader_close(&r);
	wake(during);
	ktap_ok(true, "%s: calls can return after the session was closed", how);
}

#define EXITS	40

/*
 * Tests exit(2), which never returns. There are fewer slots than exits, so each slot must be freed.
 */
static void test_never_returns(void)
{
	struct totals totals;
	struct reader r;
	pid_t pid;
	int i;

	open_session(&r);
	add_usual(r.fd, "__x64_sys_exit_group", FARGS_LAYOUT_RETURN);
	must_start(r.fd, EXITS / 2);
	for (i = 0; i < EXITS; i++) {
		pid = fork();
		if (!pid)
			_exit(0);
		must(pid, "fork");
		must(waitpid(pid, NULL, 0), "waitpid");
		/* The slot is freed only after one or two RCU grace periods. */
		usleep(50000);
	}
	must_stop(r.fd);
	totals = reader_totals(&r);
	if (!ktap_ok(!totals.produced && totals.nr_pending == EXITS && !totals.missed,
		     "%s: a dead task's slot is freed, and its call remains pending", how))
		note_totals(&totals);
	reader_close(&r);
}

static void test_full_ring(uint32_t flags)
{
	struct totals totals;
	uint64_t nr;
	struct reader r;

	reader_open(&r, 16 << 10);
	add_many(r.fd);
	add_usual(r.fd, "fargs_r_depth", FARGS_LAYOUT_RETURN | flags);
	must_start(r.fd, 0);
	must(target_call("fargs_r_depth 5000"), "call");
	must_stop(r.fd);
	totals = reader_totals(&r);
	nr = reader_skip(&r);
	/* If an entry was lost, its return allocates no sequence number. */
	if (!ktap_ok(nr && totals.lost && totals.produced == nr + totals.lost &&
		     !totals.missed && !totals.nr_pending &&
		     (flags ? totals.produced >= 20000 && totals.produced < 40000 :
			      totals.produced == 20000),
		     "%s: a full ring%s loses records and counts them", how,
		     flags ? ", graph" : ""))
		note_totals(&totals);
	reader_close(&r);
}

/* Tests calls from threads and interrupts at the same time: all are recorded or counted. */
static void test_stress(uint32_t flags)
{
	/* each iteration makes 4 calls to fargs_r_int in samples/target */
	const uint64_t calls = 4ull * 3 * 4 * 1000;
	struct fargs_start start = { 0 };
	struct totals totals;
	uint64_t nr, accounted;
	struct reader r;

	open_session(&r);
	add_usual(r.fd, "fargs_r_int", FARGS_LAYOUT_RETURN | flags);
	must(call(r.fd, FARGS_IOC_START, &start), "START");
	must(target_call("loop fargs_r_int 1000 4"), "loop");
	must_stop(r.fd);
	totals = reader_totals(&r);
	nr = reader_skip(&r);
	accounted = flags ? 0 : totals.produced + totals.nr_missed;
	if (!ktap_ok(totals.produced == nr + totals.lost && !totals.nr_pending && !totals.missed &&
		     (flags || accounted == calls),
		     "%s: %lu calls from tasks and interrupts on all CPUs are accounted for%s", how,
		     calls, flags ? ", graph" : "")) {
		ktap_note("%lu records", nr);
		note_totals(&totals);
	}
	reader_close(&r);
}

/*
 * Tests a module that is unloaded: its functions are dropped; those of the kernel are still traced.
 */
static void test_module(void)
{
	const unsigned long traced = nr_traced();
	struct totals totals;
	struct reader r;
	pid_t pid, child;
	int status;

	open_session(&r);
	add_usual(r.fd, "fargs_r_int", FARGS_LAYOUT_RETURN);
	add_usual(r.fd, "fargs_r_tail", FARGS_LAYOUT_RETURN);
	add_usual(r.fd, "__x64_sys_pause", FARGS_LAYOUT_RETURN);
	must_start(r.fd, 0);
	/* Tests calls that are made continuously until the module is unloaded. */
	pid = fork();
	if (!pid) {
		target_call("loop fargs_r_int 2000 2");
		_exit(0);
	}
	usleep(20000);
	do
		status = system("rmmod fargs_target 2>/dev/null");
	while (status && !waitpid(pid, &status, WNOHANG));
	if (!access(TARGET_PROC, F_OK))
		must(system("rmmod fargs_target") ? -EBUSY : 0, "rmmod");
	waitpid(pid, NULL, 0);
	totals = reader_totals(&r);
	ktap_ok(totals.state == FARGS_STATE_RUNNING && totals.nr_dropped == 2,
		"%s: functions of a module that is unloaded are dropped", how);
	reader_skip(&r);
	target_load_again();
	must(target_call("fargs_r_int"), "call");
	child = fork_paused();
	wake(child);
	must_stop(r.fd);
	ktap_ok(reader_peek(&r, records, RECORDS_MAX) == 1 && records[0]->tid == (uint32_t)child,
		"%s: when the module is loaded again, only kernel functions are traced", how);
	if (!ktap_ok(nr_traced() == traced, "%s: no function is traced after STOP", how))
		ktap_note("%lu functions, %lu before", nr_traced(), traced);
	reader_close(&r);

	open_session(&r);
	if (!is_many) {
		add_usual(r.fd, "fargs_r_int", FARGS_LAYOUT_RETURN);
		must_start(r.fd, 0);
		must(system("rmmod fargs_target") ? -EBUSY : 0, "rmmod");
		totals = reader_totals(&r);
		ktap_ok(totals.state == FARGS_STATE_STOPPED,
			"%s: the session stops when no function is left", how);
		target_load_again();
	}
	reader_close(&r);
}

/*
 * Tests a session that is closed while a module is unloaded: before, after and between the
 * notifiers in which the session and the kernel's probes drop the module's functions.
 */
static void test_module_races(void)
{
	const unsigned long traced = nr_traced();
	unsigned int i, nr_left = 0;
	struct reader r;
	int status;
	pid_t pid;

	for (i = 0; i < CLOSES; i++) {
		open_session(&r);
		add_usual(r.fd, "fargs_r_int", FARGS_LAYOUT_RETURN);
		add_usual(r.fd, "__x64_sys_pause", FARGS_LAYOUT_RETURN);
		must_start(r.fd, 0);
		pid = fork();
		must(pid < 0 ? -errno : 0, "fork");
		if (!pid) {
			/* Close the descriptor here, so that the parent's close is the last one. */
			reader_close(&r);
			_exit(syscall(SYS_delete_module, "fargs_target", O_NONBLOCK) ? errno : 0);
		}
		usleep(rand() % CLOSE_US_MAX);
		reader_close(&r);
		must(waitpid(pid, &status, 0) == pid ? 0 : -errno, "waitpid");
		must(-WEXITSTATUS(status), "delete_module");
		if (nr_traced() != traced)
			nr_left++;
		target_load_again();
	}
	if (!ktap_ok(!nr_left,
		     "%s: no function is traced after a close while the module is unloaded", how))
		ktap_note("%u of %u times", nr_left, CLOSES);
}

/* Tests two sessions that trace returns of the same function: each session has its own records. */
static void test_sessions(void)
{
	struct reader a, b;
	uint32_t nr_a, nr_b;

	open_session(&a);
	open_session(&b);
	add_usual(a.fd, "fargs_r_depth", FARGS_LAYOUT_RETURN);
	add_usual(b.fd, "fargs_r_depth", FARGS_LAYOUT_RETURN);
	must_start(a.fd, 0);
	must(target_call("fargs_r_depth"), "call");
	must_start(b.fd, 0);
	must(target_call("fargs_r_depth"), "call");
	must_stop(a.fd);
	must(target_call("fargs_r_depth"), "call");
	must_stop(b.fd);
	nr_a = reader_peek(&a, records, RECORDS_MAX);
	nr_b = reader_peek(&b, records, RECORDS_MAX);
	if (!ktap_ok(nr_a == 8 && nr_b == 8, "%s: two sessions trace returns of one function", how))
		ktap_note("%u and %u records", nr_a, nr_b);
	ktap_ok(nr_b && records[nr_b - 1]->parent_ip &&
		records[nr_b - 1]->parent_ip == records[3]->parent_ip,
		"%s: both sessions record its caller", how);
	reader_close(&a);
	reader_close(&b);
}

static void run_all(void)
{
	size_t i;

	for (i = 0; i < sizeof(known) / sizeof(known[0]); i++)
		test_value(&known[i]);
	test_arguments();
	test_changes(FARGS_LAYOUT_RETURN);
	test_changes(FARGS_LAYOUT_RETURN | FARGS_LAYOUT_GRAPH);
	test_appended();
	test_nested(0);
	test_nested(400);
	test_graph();
	test_tail();
	test_predicates();
	test_maxactive_nested();
	test_maxactive_sleeping();
	test_in_flight();
	test_never_returns();
	test_full_ring(0);
	test_full_ring(FARGS_LAYOUT_GRAPH);
	test_stress(0);
	test_stress(FARGS_LAYOUT_GRAPH);
	test_sessions();
	test_module();
	test_module_races();
}

/* Tests the limit on functions with return probes: 1,000 without fprobe, and none with fprobe. */
static void test_limit(void)
{
	static uint64_t addrs[1001];
	struct maker m;
	uint32_t nr, i;
	int fd, ret = 0;

	nr = find_idle(addrs, 1001);
	if (is_old_kernel()) {
		if (!ktap_ok(nr == 1000, "1,000 functions with return are accepted"))
			ktap_note("%u", nr);
		fd = device_open();
		for (i = 0; i < nr && !ret; i++) {
			maker_init(&m, addrs[i], FARGS_LAYOUT_RETURN);
			ret = maker_add(fd, &m);
		}
		must(ret, "ADD");
		maker_init(&m, symbol_address("fargs_r_int"), FARGS_LAYOUT_RETURN);
		ret = maker_add(fd, &m);
		ktap_ok(ret == -E2BIG && strstr(last_error.text, "1001 functions") &&
			strstr(last_error.text, "at most 1000"),
			"1,001 functions with return are refused: %s", last_error.text);
		close(fd);
		return;
	}
	ktap_ok(nr == 1001, "1,001 functions with return are accepted");
}

/* Returns whether @function is on the kernel's kprobe blacklist. */
static bool is_blacklisted(const char *function)
{
	FILE *list = fopen("/sys/kernel/debug/kprobes/blacklist", "re");
	char line[512], name[256];
	bool found = false;

	while (list && !found && fgets(line, sizeof(line), list))
		found = sscanf(line, "%*s %255s", name) == 1 && !strcmp(name, function);
	if (list)
		fclose(list);
	return found;
}

/*
 * Returns a blacklisted function that ftrace can trace, and that is called only after a hardware
 * fault.
 */
static const char *find_blacklisted(void)
{
	static const char *const names[] = {
		"pci_serr_error", "io_check_error", "unknown_nmi_error", "oops_begin",
	};
	struct maker m;
	uint32_t i;
	int fd, ret;

	/* EBUSY: debugfs is already mounted. */
	if (mount("debugfs", "/sys/kernel/debug", "debugfs", 0, NULL) && errno != EBUSY)
		return NULL;
	for (i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		if (!is_blacklisted(names[i]) || !symbol_address(names[i]))
			continue;
		fd = device_open();
		maker_init(&m, symbol_address(names[i]), 0);
		ret = maker_add(fd, &m);
		close(fd);
		if (!ret)
			return names[i];
	}
	return NULL;
}

/* Adds @function and fargs_r_depth in one batch, with FARGS_ADD_SKIP. */
static void test_refused_skipped(const char *function)
{
	static uint8_t packed[2 * sizeof(struct maker)];
	struct fargs_add add = {
		.layouts = (uintptr_t)packed, .nr = 2, .flags = FARGS_ADD_SKIP,
	};
	const struct fargs_layout *first = (const void *)packed, *second;
	struct reader r;
	struct maker m;

	maker_usual(&m, function, FARGS_LAYOUT_RETURN);
	add.bytes = maker_pack(&m, packed);
	second = (const void *)(packed + add.bytes);
	maker_usual(&m, "fargs_r_depth", FARGS_LAYOUT_RETURN);
	add.bytes += maker_pack(&m, packed + add.bytes);
	reader_open(&r, RING_BYTES);
	must(call(r.fd, FARGS_IOC_ADD, &add), "ADD of two");
	if (!ktap_ok(add.nr_added == 1 && first->status == -EOPNOTSUPP && !second->status,
		     "FARGS_ADD_SKIP skips only the blacklisted function"))
		ktap_note("%u added, status %d and %d", add.nr_added, first->status,
			  second->status);
	must_start(r.fd, 0);
	must(target_call("fargs_r_depth"), "call");
	must_stop(r.fd);
	ktap_ok(reader_peek(&r, records, RECORDS_MAX) == 4 && records[0]->ip == second->ip,
		"returns of the other function are recorded");
	reader_close(&r);
}

/* Tests functions on the kprobe blacklist: without fprobe, ADD refuses return probes on them. */
static void test_refused(void)
{
	const char *function = find_blacklisted();
	struct reader r;
	struct maker m;

	if (!ktap_ok(function, "a traceable function is on the kprobe blacklist"))
		return;
	reader_open(&r, RING_BYTES);
	maker_usual(&m, function, FARGS_LAYOUT_RETURN);
	if (is_old_kernel()) {
		ktap_ok(maker_add(r.fd, &m) == -EOPNOTSUPP && m.layout.status == -EOPNOTSUPP &&
			last_error.field == offsetof(struct fargs_layout, addr) &&
			strstr(last_error.text, function),
			"the return of a blacklisted function is refused: %s", last_error.text);
		reader_close(&r);
		test_refused_skipped(function);
		return;
	}
	must(maker_add(r.fd, &m), function);
	add_usual(r.fd, "fargs_r_depth", FARGS_LAYOUT_RETURN);
	must_start(r.fd, 0);
	must(target_call("fargs_r_depth"), "call");
	must_stop(r.fd);
	ktap_ok(reader_peek(&r, records, RECORDS_MAX) == 4,
		"fprobe is used for few functions with %s, which is blacklisted", function);
	reader_close(&r);
}

static void test_info(void)
{
	struct fargs_start start = { .maxactive = 65537 };
	struct fargs_info info = { 0 };
	struct reader r;

	open_session(&r);
	must(call(r.fd, FARGS_IOC_INFO, &info), "INFO");
	ktap_ok(info.features & FARGS_FEATURE_RETURN, "INFO reports that returns are traced");
	ktap_ok(info.seq_site[FARGS_PATH_RETURN] &&
		info.seq_site[FARGS_PATH_RETURN] == symbol_address("fargs_seq_site_return"),
		"INFO has the site that allocates their numbers");
	add_usual(r.fd, "fargs_r_int", FARGS_LAYOUT_RETURN);
	ktap_ok(call(r.fd, FARGS_IOC_START, &start) == -EINVAL &&
		last_error.field == offsetof(struct fargs_start, maxactive),
		"a maxactive too large is refused: %s", last_error.text);
	reader_close(&r);
}

int main(void)
{
	unsigned long traced;

	ktap_begin("abi_return");
	need_session_test();
	traced = nr_traced();
	test_info();
	must(find_idle(many_addrs, MANY) == MANY ? 0 : -ENOENT, "functions that nobody calls");
	how = "few functions";
	run_all();
	/* Without fprobe, the module has only one mechanism, which is slow with many functions. */
	if (!is_old_kernel()) {
		how = "many functions";
		is_many = true;
		run_all();
	}
	test_limit();
	test_refused();
	ktap_ok(nr_traced() == traced, "no function is traced afterwards");
	return ktap_end();
}
