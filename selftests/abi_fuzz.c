// SPDX-License-Identifier: GPL-2.0-only
/*
 * Compares FARGS_IOC_ADD with lib/layout_model.h, on random layouts with programs and returns, most
 * of which are then corrupted in one or two places. The module must accept exactly the layouts that
 * the headers allow, give a reason for each refusal, and write only to out fields. Some of the
 * accepted layouts are armed: their records must contain the body with each store filled in, and
 * the values that unit/expr_model.h computes for their programs, as far as it can compute them.
 *
 * FARGS_FUZZ_ROUNDS and FARGS_FUZZ_SEED (decimal) select another run, or repeat a failed one; only
 * races cannot be repeated. With FARGS_FUZZ_SECONDS, the test continues for that long, even after
 * its rounds.
 */
#include <pthread.h>
#include <sched.h>
#include <stddef.h>
#include <time.h>

#include "lib/session.h"

static bool has_model_failed;
#define MODEL_FAIL(...) (has_model_failed = true)
#include "unit/expr_model.h"
#include "lib/body_check.h"
#include "lib/layout_model.h"

#define ROUNDS		4000
#define SEED		20260101
#define RING_BYTES	(64u << 10)
#define BATCH_MAX	3
#define FAILURES_SHOWN	5
/* A session is closed after SESSION_LAYOUTS layouts. One session in ARM_ONE_IN is armed. */
#define SESSION_LAYOUTS	6
#define ARM_ONE_IN	3
#define RACE_ROUNDS	1000	/* rounds per race */
#define RACE_CALLS	50
/* number of ioctls after which the test sleeps, so that the other CPU's thread runs */
#define RACE_IN_A_ROW	5

/* start of the text of the kernel and its modules */
#define KERNEL_TEXT	0xffffffff80000000ull

#define U8(value)	(0xdeadbeefcafebe00ull | (uint8_t)(value))
#define U16(value)	(0xdeadbeefcafe0000ull | (uint16_t)(value))
#define U32(value)	(0xdeadbeef00000000ull | (uint32_t)(value))
#define UNUSED		0x5ca1ab1e0ddba11ull

/*
 * Functions that samples/target calls once each, with known values in all 64 bits of the argument
 * registers and slots: the fargs_t_dirty_* functions, and one with 32 stack slots.
 */
static struct function {
	const char *name;
	bool has_regs;
	uint64_t regs[FARGS_REGS];
	unsigned int nr_slots;
	uint64_t slots[FARGS_STACK_SLOTS];
	uint64_t addr;
} functions[] = {
	{ .name = "fargs_t_dirty_char", .has_regs = true,
	  .regs = { U8('z'), UNUSED, UNUSED, UNUSED, UNUSED, UNUSED } },
	{ .name = "fargs_t_dirty_u16", .has_regs = true,
	  .regs = { U16(40000), UNUSED, UNUSED, UNUSED, UNUSED, UNUSED } },
	{ .name = "fargs_t_dirty_6", .has_regs = true,
	  .regs = { U8(-8), U16(16), U32(-32), U32(32), U8(1), U32(1) } },
	{ .name = "fargs_t_dirty_8", .has_regs = true,
	  .regs = { U8(-1), U8(2), U16(-3), U16(4), U32(-5), U32(6) },
	  .nr_slots = 2, .slots = { U16(-7), U16(60000) } },
	{ .name = "fargs_t_dirty_10", .has_regs = true,
	  .regs = { U8(0), U8(1), U8(-2), U8(3), U8(-4), U8(5) },
	  .nr_slots = 4, .slots = { U8(-6), U8(0), U8(0), U8('z') } },
	{ .name = "fargs_t_dirty_12", .has_regs = true,
	  .regs = { U8(1), U16(-2), U32(3), -4, U8(1), U8('f') },
	  .nr_slots = 6, .slots = { U8(-7), U16(8), U32(-9), U32(10), U8(1), U32(-1) } },
	{ .name = "fargs_t_dirty_slot_3", .has_regs = true, .regs = { 1, 2, 3, 4, 5, 6 },
	  .nr_slots = 2, .slots = { 0xdeadbeefcafeff01ull, U8(8) } },
	/* find_functions() sets the slots to 101 to 132. */
	{ .name = "fargs_t_refused_slots", .nr_slots = FARGS_STACK_SLOTS },
};

#define FUNCTIONS (sizeof(functions) / sizeof(functions[0]))

/*
 * How many times each case occurred (@seen), and how many results of the module were wrong
 * (@wrong).
 */
static struct {
	unsigned int valid, left_out, by_rule[MODEL_RULES], bad_batches, unreadable;
	unsigned int not_traceable, twice, unjudged;
	unsigned int armed, registers, slots;
	unsigned int predicted, rejected, formed, fetched, faults, returns;
	unsigned int raced_taken, raced_refused;
	unsigned int triggers, inside, outside;
	unsigned int deferred, deferred_twice;
} seen;

static struct {
	unsigned int accepted, refused, reason, written, added, record, raced;
} wrong;

/* The session under test, and its layouts. */
static struct {
	int fd;
	bool is_ringed;
	unsigned int nr;
	const struct function *functions[FUNCTIONS];
	uint64_t ips[FUNCTIONS];
	/* Each layout as it was added, split into its parts. */
	struct {
		struct fargs_layout layout;
		struct fargs_store stores[FARGS_STORES_MAX + 3];
		struct fargs_insn insns[FARGS_PROGS][FARGS_PROG_MAX];
		uint8_t body[2][MODEL_BODY_MAX];
		uint8_t consts[FARGS_CONST_MAX];
	} layouts[FUNCTIONS];
	/*
	 * Layouts of modules that are never loaded: without an address (deferred) and with one
	 * (RELOAD).
	 */
	unsigned int nr_deferred, nr_reload;
	struct symbol {
		uint32_t index;
		char names[FARGS_SYMBOL_MAX];	/* names, followed by zeroes */
	} symbols[SESSION_LAYOUTS + BATCH_MAX];
	/* At least one layout is a scope, so calls out of scope have no record. */
	bool has_scope;
} session;

/*
 * A page that programs can read, far from addresses that mmap() chooses, so that nothing is mapped
 * near it.
 */
static uint8_t *const readable = (void *)(1ull << 40);
#define READABLE_BYTES	4096
static uint64_t seed, state;
static unsigned int round_nr, nr_shown;
static uint32_t page;

/* splitmix64: https://prng.di.unimi.it/splitmix64.c */
static uint64_t rnd(void)
{
	uint64_t z = (state += 0x9e3779b97f4a7c15ull);

	z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
	z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
	return z ^ (z >> 31);
}

static uint32_t below(uint32_t n)
{
	return n ? rnd() % n : 0;
}

static bool one_in(uint32_t n)
{
	return !below(n);
}

/* A number near @value, or at some limit. */
static uint64_t near(uint64_t value)
{
	static const uint64_t borders[] = {
		0, 1, 2, 5, 6, 7, 8, 31, 32, 33, 37, 38, 39, 63, 64, 0x7f, 0x80, 0xff, 0x100,
		MODEL_BODY_MAX - 8, MODEL_BODY_MAX, MODEL_BODY_MAX + 8, FARGS_RECORD_MAX,
		0x7fff, 0x8000, 0xfff8, 0xfff9, 0xffff, 0x10000, 0x7fffffff, 0x80000000u,
		0xfffffff8u, 0xffffffffu, 1ull << 32, ~0ull,
	};
	static const int steps[] = { -16, -8, -4, -2, -1, 1, 2, 4, 8, 16 };

	switch (below(3)) {
	case 0:
		return value + steps[below(sizeof(steps) / sizeof(steps[0]))];
	case 1:
		return borders[below(sizeof(borders) / sizeof(borders[0]))];
	default:
		return rnd();
	}
}

static void find_functions(void)
{
	struct function *function;
	size_t i;

	for (i = 0; i < FARGS_STACK_SLOTS; i++)
		functions[FUNCTIONS - 1].slots[i] = 101 + i;
	for (function = functions; function < functions + FUNCTIONS; function++) {
		function->addr = symbol_address(function->name);
		if (!function->addr)
			ktap_skip_all("fargs_target has no %s", function->name);
	}
}

static const struct function *function_at(uint64_t addr)
{
	size_t i;

	for (i = 0; i < FUNCTIONS; i++)
		if (functions[i].addr == addr)
			return &functions[i];
	return NULL;
}

/* ---- random layouts ---- */

static uint64_t random_addr(void)
{
	return functions[below(FUNCTIONS)].addr;
}

/*
 * Returns a value that programs compare, or use as an address: a number, or an address in this
 * process.
 */
static uint64_t random_value(void)
{
	static const uint64_t bad[] = { 0, 24, 0xdead000000000100ull, 1ull << 47, ~0ull, -22ull };

	switch (below(4)) {
	case 0:
		return near(0);
	case 1:
		return bad[below(sizeof(bad) / sizeof(bad[0]))];
	default:
		return (uintptr_t)readable + below(64) + (one_in(4) ? READABLE_BYTES - 56 : 0);
	}
}

#include "lib/layout_random.h"

static void spoil_address(struct made *made)
{
	/*
	 * Step 4 is omitted: with IBT, the result is the fentry address, which ftrace accepts as
	 * well.
	 */
	static const int64_t steps[] = { -1, 1, 2, 3, 5, 8 };
	static const uint64_t others[] = { 0, 0x1000, 0xffff888000000000ull, ~0ull };

	if (one_in(3))
		made->layout.addr = random_addr();
	else if (one_in(2))
		made->layout.addr += steps[below(6)];
	else
		made->layout.addr = others[below(4)];
}

static void spoil(struct made *made)
{
	if (one_in(20))
		spoil_address(made);
	else
		spoil_layout(made);
}

/* ---- one call, and its expected result ---- */

/*
 * The argument of one ADD. The buffer is followed by an unreadable page, so that the module is
 * caught if it reads past the end.
 */
struct batch {
	struct fargs_add add;
	uint8_t *at;
	uint32_t bytes;
	uint8_t before[BATCH_MAX * MADE_BYTES_MAX];
};

/* The model's expected result for a batch. */
struct verdict {
	bool is_valid;
	bool is_broken;		/* the batch's size is not the sum of its layouts' sizes */
	bool is_unreadable;
	uint32_t nr;		/* number of layouts whose start is known */
	/* @nr_deferred: number of deferred layouts among those added */
	uint32_t nr_added, nr_deferred;
	struct {
		uint32_t at;
		enum model_rule rule;
		int status;
	} layouts[BATCH_MAX + 2];
};

static uint8_t *buffer_end;

static void make_buffer(void)
{
	size_t bytes = (BATCH_MAX * MADE_BYTES_MAX + page) & ~(size_t)(page - 1);
	uint8_t *at = mmap(NULL, bytes + page, PROT_READ | PROT_WRITE,
			   MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (at == MAP_FAILED || mprotect(at + bytes, page, PROT_NONE)) {
		printf("Bail out! no memory: %s\n", strerror(errno));
		exit(1);
	}
	buffer_end = at + bytes;
}

static void batch_set(struct batch *batch, const uint8_t *from, uint32_t bytes, uint32_t nr)
{
	memset(batch, 0, offsetof(struct batch, before));
	batch->at = buffer_end - bytes;
	batch->bytes = bytes;
	memcpy(batch->at, from, bytes);
	batch->add.layouts = (uintptr_t)batch->at;
	batch->add.bytes = bytes;
	batch->add.nr = nr;
}

static void spoil_batch(struct batch *batch)
{
	uint32_t i;

	switch (below(6)) {
	case 0:
		batch->add.bytes = near(batch->add.bytes);
		break;
	case 1:
		batch->add.nr = near(batch->add.nr);
		break;
	case 2:
		batch->at[below(batch->bytes)] = rnd();
		break;
	case 3:
		batch->at[below(batch->bytes)] ^= 1u << below(8);
		break;
	case 4:
		/* Fill everything after the first header with random bytes. */
		for (i = sizeof(struct fargs_layout); i < batch->bytes; i++)
			batch->at[i] = one_in(4) ? 0 : rnd();
		break;
	default:
		for (i = 0; i < batch->bytes; i++)
			batch->at[i] = one_in(2) ? 0 : rnd();
	}
}

static void make_batch(struct batch *batch)
{
	static uint8_t packed[BATCH_MAX * MADE_BYTES_MAX];
	uint32_t nr = one_in(3) ? 1 + below(BATCH_MAX) : 1;
	uint32_t victim = below(nr);
	bool is_spoilt = !one_in(4);
	static struct made made;
	uint32_t bytes = 0;
	uint32_t i;

	for (i = 0; i < nr; i++) {
		make_layout(&made, one_in(3));
		if (is_spoilt && i == victim && !one_in(6)) {
			spoil(&made);
			if (one_in(4))
				spoil(&made);
		}
		bytes += made_pack(&made, packed + bytes);
	}
	batch_set(batch, packed, bytes, nr);
	if (is_spoilt && one_in(5))
		spoil_batch(batch);
	if (one_in(4))
		batch->add.flags = FARGS_ADD_SKIP;
	else if (one_in(50))
		batch->add.flags = near(0);
	if (one_in(100))
		batch->add.reserved = near(0);
}

static bool has_flag(const uint8_t *bytes, uint32_t flag)
{
	struct fargs_layout layout;

	memcpy(&layout, bytes, sizeof(layout));
	return layout.flags & flag;
}

static void symbol_at(const uint8_t *bytes, struct symbol *symbol)
{
	struct fargs_layout layout;
	struct fargs_symbol head;
	const uint8_t *at;

	memcpy(&layout, bytes, sizeof(layout));
	at = bytes + layout.size - layout.symbol_len;
	memcpy(&head, at, sizeof(head));
	memset(symbol, 0, sizeof(*symbol));
	symbol->index = head.index;
	memcpy(symbol->names, at + sizeof(head), layout.symbol_len - sizeof(head));
}

static bool is_same_symbol(const struct symbol *a, const struct symbol *b)
{
	return a->index == b->index && !memcmp(a->names, b->names, sizeof(a->names));
}

#define NAMED	(FARGS_LAYOUT_DEFERRED | FARGS_LAYOUT_RELOAD)

/* Returns the status of layout @nr as determined by its symbol: -EEXIST or 0. */
static int judge_symbol(const struct batch *batch, const struct verdict *verdict, uint32_t nr)
{
	static struct symbol symbol, other;
	unsigned int i;

	symbol_at(batch->before + verdict->layouts[nr].at, &symbol);
	seen.deferred++;
	for (i = 0; i < session.nr_deferred; i++)
		if (is_same_symbol(&session.symbols[i], &symbol)) {
			seen.deferred_twice++;
			return -EEXIST;
		}
	for (i = 0; i < nr; i++) {
		const uint8_t *at = batch->before + verdict->layouts[i].at;

		if (verdict->layouts[i].rule != MODEL_VALID || !has_flag(at, NAMED) ||
		    verdict->layouts[i].status == -EINVAL)
			continue;
		symbol_at(at, &other);
		if (is_same_symbol(&other, &symbol))
			return -EEXIST;
	}
	return 0;
}

static bool session_has(const struct function *function)
{
	unsigned int i;

	for (i = 0; i < session.nr; i++)
		if (session.functions[i] == function)
			return true;
	return false;
}

/* Returns the status of layout @nr as determined by its function: -EINVAL, -EEXIST or 0. */
static int judge_function(const struct batch *batch, const struct verdict *verdict, uint32_t nr)
{
	struct fargs_layout layout, other;
	uint32_t i;
	int ret;

	memcpy(&layout, batch->before + verdict->layouts[nr].at, sizeof(layout));
	if (layout.flags & FARGS_LAYOUT_DEFERRED)
		return judge_symbol(batch, verdict, nr);
	if (!function_at(layout.addr))
		return -EINVAL;
	ret = layout.flags & FARGS_LAYOUT_RELOAD ? judge_symbol(batch, verdict, nr) : 0;
	if (ret || session_has(function_at(layout.addr)))
		return -EEXIST;
	for (i = 0; i < nr; i++) {
		memcpy(&other, batch->before + verdict->layouts[i].at, sizeof(other));
		if (other.addr == layout.addr && !verdict->layouts[i].status)
			return -EEXIST;
	}
	return 0;
}

static void judge(const struct batch *batch, struct verdict *verdict)
{
	uint32_t room = batch->bytes, at = 0, size;
	bool is_skipping = batch->add.flags & FARGS_ADD_SKIP;
	uint32_t i;

	memset(verdict, 0, sizeof(*verdict));
	verdict->is_unreadable = batch->add.bytes > room;
	if (batch->add.bytes < room)
		room = batch->add.bytes;
	verdict->is_broken = !batch->add.nr || verdict->is_unreadable || batch->add.reserved ||
			     (batch->add.flags & ~(FARGS_ADD_SKIP | FARGS_ADD_TPOINT_ARRIVALS));
	verdict->is_valid = !verdict->is_broken;
	for (i = 0; i < batch->add.nr; i++) {
		if (i == BATCH_MAX + 2) {
			verdict->is_broken = true;
			break;
		}
		verdict->layouts[i].at = at;
		verdict->layouts[i].rule = model_layout(batch->before + at, room - at, &size);
		verdict->is_valid &= verdict->layouts[i].rule == MODEL_VALID;
		verdict->nr++;
		if (!size) {
			verdict->is_broken = true;
			break;
		}
		/* Invalid layouts have no status: their parts may be at unknown offsets. */
		if (verdict->layouts[i].rule == MODEL_VALID) {
			verdict->layouts[i].status = judge_function(batch, verdict, i);
			verdict->nr_deferred += !verdict->layouts[i].status &&
						has_flag(batch->before + at, NAMED);
		}
		at += size;
		verdict->is_valid &= !verdict->layouts[i].status || is_skipping;
		verdict->nr_added += !verdict->layouts[i].status;
	}
	verdict->is_broken |= at != batch->add.bytes;
	verdict->is_valid &= !verdict->is_broken;
}

/*
 * Returns true if the model cannot judge the batch, because an address may be the symbol or the
 * fentry address of a function that is not in functions[]. Functions begin at multiples of 16; with
 * IBT, the fentry address is 4 bytes later.
 */
static bool is_unknown(const struct batch *batch, const struct verdict *verdict)
{
	struct fargs_layout layout;
	uint32_t i;

	for (i = 0; i < verdict->nr; i++) {
		if (verdict->layouts[i].rule != MODEL_VALID)
			continue;
		memcpy(&layout, batch->before + verdict->layouts[i].at, sizeof(layout));
		if (!function_at(layout.addr) && layout.addr >= KERNEL_TEXT &&
		    (layout.addr % 16 == 0 || layout.addr % 16 == 4))
			return true;
	}
	return false;
}

static void count_verdict(const struct verdict *verdict)
{
	uint32_t i;

	seen.valid += verdict->is_valid;
	seen.unreadable += verdict->is_unreadable;
	seen.left_out += verdict->is_valid && verdict->nr_added != verdict->nr;
	for (i = 0; i < verdict->nr; i++) {
		seen.by_rule[verdict->layouts[i].rule]++;
		if (verdict->layouts[i].rule == MODEL_VALID) {
			seen.not_traceable += verdict->layouts[i].status == -EINVAL;
			seen.twice += verdict->layouts[i].status == -EEXIST;
		}
	}
	if (!verdict->is_broken)
		return;
	for (i = 0; i < verdict->nr; i++)
		if (verdict->layouts[i].rule != MODEL_VALID)
			return;
	seen.bad_batches++;
}

static void show(const struct batch *batch, const struct verdict *verdict, int ret,
		 const char *what)
{
	uint32_t i;

	if (nr_shown++ >= FAILURES_SHOWN)
		return;
	ktap_note("round %u: %s: returned %d, error of layout %d field %d: %s", round_nr, what,
		  ret, last_error.layout, last_error.field, last_error.text);
	ktap_note("nr %u bytes %llu of %u flags %x reserved %x", batch->add.nr,
		  (unsigned long long)batch->add.bytes, batch->bytes, batch->add.flags,
		  batch->add.reserved);
	for (i = 0; i < verdict->nr; i++)
		ktap_note("layout %u at %u: %s, status %d", i, verdict->layouts[i].at,
			  model_rule_names[verdict->layouts[i].rule],
			  verdict->layouts[i].status);
	printf("# bytes:");
	for (i = 0; i < batch->bytes && i < 2048; i++)
		printf("%s%02x", i % 8 ? "" : " ", batch->before[i]);
	putchar('\n');
}

/* Returns whether the error message is one line of text, and is about an invalid layout. */
static bool is_reason_right(const struct verdict *verdict, int ret)
{
	size_t len = strnlen(last_error.text, sizeof(last_error.text));
	uint32_t nr = last_error.layout;
	size_t i;

	if (ret == -EFAULT)
		return verdict->is_unreadable;
	if (ret != -EINVAL && ret != -EEXIST && ret != -E2BIG)
		return false;
	if (!len || len == sizeof(last_error.text) || last_error.text[len - 1] == '.')
		return false;
	for (i = 0; i < len; i++)
		if (last_error.text[i] < ' ' || last_error.text[i] > '~')
			return false;
	if (nr == FARGS_NONE)
		return verdict->is_broken && ret != -EEXIST;
	if (nr >= verdict->nr)
		return false;
	if (ret == -EEXIST)
		return verdict->layouts[nr].status == -EEXIST;
	return verdict->layouts[nr].rule != MODEL_VALID ||
	       verdict->layouts[nr].status == -EINVAL ||
	       (verdict->is_broken && nr == verdict->nr - 1);
}

/* Returns whether the ioctl wrote only to out fields of the buffer. */
static bool is_written_right(struct batch *batch, const struct verdict *verdict, int ret)
{
	struct fargs_layout before, after;
	uint32_t i, at;

	for (i = 0; i < verdict->nr; i++) {
		at = verdict->layouts[i].at;
		if (batch->bytes - at < sizeof(before))
			break;
		memcpy(&before, batch->before + at, sizeof(before));
		memcpy(&after, batch->at + at, sizeof(after));
		if (!ret && after.status != verdict->layouts[i].status)
			return false;
		/* Deferred layouts are numbered in the order of their symbols. */
		if (!ret && !after.status &&
		    (after.flags & FARGS_LAYOUT_DEFERRED ?
		     after.ip - session.nr_deferred >= verdict->nr_deferred :
		     after.ip - after.addr > 4))
			return false;
		if (!ret && !after.status && (after.flags & FARGS_LAYOUT_RELOAD) &&
		    after.number - session.nr_deferred >= verdict->nr_deferred)
			return false;
		/* Only these fields may differ. */
		if (after.flags & FARGS_LAYOUT_RELOAD)
			before.number = after.number;
		before.status = after.status;
		before.ip = after.ip;
		memcpy(batch->before + at, &before, sizeof(before));
	}
	return !memcmp(batch->before, batch->at, batch->bytes);
}

/* ---- the session ---- */

static void session_new(bool is_ringed)
{
	if (session.fd)
		close(session.fd);
	session.is_ringed = is_ringed;
	session.nr = 0;
	session.nr_deferred = 0;
	session.nr_reload = 0;
	session.has_scope = false;
	session.fd = is_ringed ? session_open(RING_BYTES) : device_open();
	must(session.fd, "open " FARGS_DEVICE);
}

/* Stores a copy of the layout at offset @at of the batch, which was added to the session. */
static void session_keep(const struct batch *batch, uint32_t at)
{
	const uint8_t *from = batch->at + at;
	struct fargs_layout *layout;
	unsigned int nr, i;

	session.has_scope |= has_flag(from, FARGS_LAYOUT_SCOPE);
	if (has_flag(from, NAMED))
		symbol_at(from, &session.symbols[session.nr_deferred++]);
	if (has_flag(from, FARGS_LAYOUT_DEFERRED))
		return;
	session.nr_reload += has_flag(from, FARGS_LAYOUT_RELOAD);
	nr = session.nr++;
	layout = &session.layouts[nr].layout;

#define TAKE(to, bytes) (memcpy((to), from, (bytes)), from += (bytes))
	TAKE(layout, sizeof(*layout));
	TAKE(session.layouts[nr].stores, layout->nr_stores * sizeof(struct fargs_store));
	for (i = 0; i < FARGS_PROGS; i++)
		TAKE(session.layouts[nr].insns[i],
		     layout->nr_insns[i] * sizeof(struct fargs_insn));
	TAKE(session.layouts[nr].body[0], layout->body_len);
	TAKE(session.layouts[nr].body[1], layout->return_body_len);
	TAKE(session.layouts[nr].consts, layout->const_len);
#undef TAKE
	session.functions[nr] = function_at(layout->addr);
	session.ips[nr] = layout->ip;
}

/* ---- records ---- */

/*
 * Writes to @body the body that a record of layout @nr must have before the layout's programs run.
 * Unknown values are copied from @got, the record's body, in which they have the same offsets.
 */
static void fill_body(unsigned int nr, const uint8_t *got, uint8_t *body)
{
	const struct function *function = session.functions[nr];
	const struct fargs_layout *layout = &session.layouts[nr].layout;
	const struct fargs_store *store = session.layouts[nr].stores;
	unsigned int i;

	memcpy(body, session.layouts[nr].body[0], layout->body_len);
	for (i = 0; i < layout->nr_stores; i++, store++) {
		if (store->source == FARGS_SOURCE_REG && function->has_regs) {
			memcpy(body + store->offset, &function->regs[store->index], 8);
			seen.registers++;
		} else if (store->source == FARGS_SOURCE_STACK &&
			   store->index < function->nr_slots) {
			memcpy(body + store->offset, &function->slots[store->index], 8);
			seen.slots++;
		} else if (!model_is_return_store(store->source)) {
			memcpy(body + store->offset, got + store->offset, 8);
		}
	}
}

/* Returns whether the test knows all values of the call that the instruction uses. */
static bool is_insn_known(const struct function *function, const struct fargs_insn *in)
{
	switch (in->op) {
	case FARGS_OP_ARG:
		return function->has_regs;
	case FARGS_OP_SLOT:
		return in->arg < function->nr_slots;
	case FARGS_OP_CTX:
		return in->arg == FARGS_CTX_TID || in->arg == FARGS_CTX_TGID ||
		       in->arg == FARGS_CTX_CPU || in->arg == FARGS_CTX_UID;
	default:
		return in->op != FARGS_OP_PUT_STACK && in->op != FARGS_OP_PUT_PATH;
	}
}

static bool is_known(unsigned int nr)
{
	const struct fargs_layout *layout = &session.layouts[nr].layout;
	unsigned int which, i;

	/* The test does not know the return values of the target's functions. */
	if (layout->flags & ~(FARGS_LAYOUT_TRIGGER | FARGS_LAYOUT_SCOPE))
		return false;
	for (which = 0; which < FARGS_PROGS; which++)
		for (i = 0; i < layout->nr_insns[which]; i++)
			if (!is_insn_known(session.functions[nr],
					   &session.layouts[nr].insns[which][i]))
				return false;
	return true;
}

static void prepare_model(struct model *m, const struct function *function)
{
	memset(m, 0, offsetof(struct model, values));
	memcpy(m->args, function->regs, sizeof(m->args));
	memcpy(m->slots, function->slots, sizeof(m->slots));
	m->ctx[FARGS_CTX_TID] = getpid();
	m->ctx[FARGS_CTX_TGID] = getpid();
	m->ctx[FARGS_CTX_CPU] = sched_getcpu();
	m->ctx[FARGS_CTX_UID] = geteuid();
	m->nr_values = 0;
	m->has_strayed = false;
	model_allow(m, readable, READABLE_BYTES, true);
}

static int predict(struct model *m, unsigned int nr, enum fargs_prog which)
{
	unsigned int nr_insns = session.layouts[nr].layout.nr_insns[which];

	m->nr_values = 0;
	return !nr_insns || model_run(m, session.layouts[nr].insns[which], nr_insns,
				      (const char *)session.layouts[nr].consts);
}

enum place { OUTSIDE, INSIDE, PLACE_UNKNOWN };

/* Returns whether the call of layout @nr is in scope. None of the functions calls another one. */
static enum place find_place(unsigned int nr)
{
	const struct fargs_layout *layout = &session.layouts[nr].layout;
	static struct model m;
	unsigned int i;
	int verdict;

	if (!session.has_scope)
		return INSIDE;
	/*
	 * A function with FARGS_LAYOUT_SILENT has no records, like a function whose calls are out
	 * of scope.
	 */
	if (!(layout->flags & FARGS_LAYOUT_SCOPE) || layout->flags & FARGS_LAYOUT_SILENT)
		return OUTSIDE;
	for (i = 0; i < layout->nr_insns[FARGS_PROG_SCOPE]; i++)
		if (!is_insn_known(session.functions[nr],
				   &session.layouts[nr].insns[FARGS_PROG_SCOPE][i]))
			return PLACE_UNKNOWN;
	prepare_model(&m, session.functions[nr]);
	verdict = predict(&m, nr, FARGS_PROG_SCOPE);
	if (m.has_strayed)
		return PLACE_UNKNOWN;
	return verdict ? INSIDE : OUTSIDE;
}

/*
 * Returns whether @rec (NULL: no record) is the result that the model computes for the call's
 * programs. Returns true if the result cannot be computed.
 */
static bool is_predicted(const struct fargs_record *rec, unsigned int nr)
{
	static uint8_t body[MODEL_BODY_MAX];
	static struct model m;
	const struct fargs_layout *layout = &session.layouts[nr].layout;
	struct body_check check = {
		.model = &m, .insns = session.layouts[nr].insns[FARGS_PROG_ENTRY_FETCH],
		.body = body, .body_len = layout->body_len, .append_max = layout->append_max,
	};
	bool is_trigger = layout->flags & FARGS_LAYOUT_TRIGGER;
	const char *wrong;
	int verdict;

	if (!is_known(nr))
		return true;
	prepare_model(&m, session.functions[nr]);
	is_trigger = is_trigger && predict(&m, nr, FARGS_PROG_TRIGGER);
	verdict = predict(&m, nr, FARGS_PROG_ENTRY_PREDICATE) || is_trigger;
	if (verdict)
		predict(&m, nr, FARGS_PROG_ENTRY_FETCH);
	if (m.has_strayed)
		return true;
	seen.predicted++;
	seen.rejected += !verdict;
	if (!verdict || !rec)
		return !verdict == !rec;
	seen.triggers += is_trigger;
	if (rec->flags != (is_trigger ? FARGS_RECORD_TRIGGER : 0))
		return false;
	fill_body(nr, (const uint8_t *)(rec + 1), body);
	wrong = check_body(&check, (const uint8_t *)(rec + 1), rec->len - sizeof(*rec));
	seen.fetched += check.nr_fetched;
	seen.faults += check.nr_faults;
	if (wrong)
		ktap_note("%s", wrong);
	return !wrong && !has_model_failed;
}

/*
 * Returns whether all values of @body occur at *@at, in the same order and with the same types.
 * Their data may differ.
 */
static bool has_values(const uint8_t **at, const uint8_t *end, const uint8_t *body,
		       uint32_t body_len)
{
	const uint8_t *was = body;
	struct body_value before, value;

	while (body_next(&was, body + body_len, &before) == 1)
		if (body_next(at, end, &value) != 1 || strcmp(value.name, before.name) ||
		    (value.type & ~FARGS_TYPE_FAULT) != before.type || value.n != before.n)
			return false;
	return true;
}

/*
 * Skips appended values, at most @room bytes, up to the value named @next or, if @next is empty, up
 * to the end. Appended values never have a name that occurs in a body.
 */
static bool skip_appended(const uint8_t **at, const uint8_t *end, uint32_t room,
			  const char *next)
{
	const uint8_t *start = *at, *before;
	struct body_value value;
	int ret;

	for (;;) {
		before = *at;
		ret = body_next(at, end, &value);
		if (ret < 0 || before - start > room)
			return false;
		if (!ret || !strcmp(value.name, next)) {
			*at = before;
			return true;
		}
	}
}

/* Returns whether a record whose data the test does not know has the right names and types. */
static bool is_formed(const struct fargs_record *rec, unsigned int nr)
{
	const struct fargs_layout *layout = &session.layouts[nr].layout;
	const uint8_t *at = (const uint8_t *)(rec + 1), *end = (const uint8_t *)rec + rec->len;
	bool is_return = rec->kind == FARGS_KIND_RETURN;
	bool is_graph = layout->flags & FARGS_LAYOUT_GRAPH;
	const uint8_t *return_body = session.layouts[nr].body[1];
	/*
	 * The name of the first value of the return body; empty if there is none, since appended
	 * values then follow directly.
	 */
	const char *next = is_return ? (const char *)return_body : "";
	uint32_t room = layout->append_max + (*next ? 0 : layout->return_append_max);
	struct body_value value;

	seen.formed++;
	seen.returns += is_return;
	if (is_return != (layout->flags & FARGS_LAYOUT_RETURN && !(is_graph && !is_return)))
		return false;
	if ((!is_return || !is_graph) &&
	    (!has_values(&at, end, session.layouts[nr].body[0], layout->body_len) ||
	     !skip_appended(&at, end, room, next)))
		return false;
	if (is_return && (!has_values(&at, end, return_body, layout->return_body_len) ||
			  !skip_appended(&at, end, layout->return_append_max, "")))
		return false;
	return !body_next(&at, end, &value);
}

/* The records of each layout that were found in the ring. */
struct found {
	const struct fargs_record *entry[FUNCTIONS], *ret[FUNCTIONS];
	unsigned int nr;
};

/*
 * Finds the records of each layout in the ring at @map. Returns false if a record is malformed, or
 * if a layout has more than one record of a kind.
 */
static bool find_records(const uint8_t *map, struct found *found)
{
	const uint64_t end = __atomic_load_n(&((const struct fargs_ring_head *)map)->data_head,
					     __ATOMIC_ACQUIRE);
	const struct fargs_record **at;
	unsigned int nr;
	uint64_t pos = 0;

	while (pos < end) {
		const struct fargs_record *rec = (const void *)(map + page + pos);

		if (rec->len < sizeof(*rec) || rec->len % FARGS_RECORD_ALIGN ||
		    rec->len > FARGS_RECORD_MAX || rec->len > end - pos)
			return false;
		pos += rec->len;
		if (rec->kind != FARGS_KIND_ENTRY && rec->kind != FARGS_KIND_RETURN)
			continue;
		for (nr = 0; nr < session.nr && session.ips[nr] != rec->ip; nr++)
			;
		at = rec->kind == FARGS_KIND_ENTRY ? &found->entry[nr] : &found->ret[nr];
		if (nr == session.nr || *at)
			return false;
		*at = rec;
		found->nr++;
	}
	return true;
}

static void show_layout(unsigned int nr, const struct fargs_record *rec)
{
	const struct fargs_layout *layout = &session.layouts[nr].layout;
	unsigned int which, i;

	ktap_note("record of %s, flags %u: %s", session.functions[nr]->name, layout->flags,
		  rec ? "wrong" : "missing");
	for (which = 0; which < FARGS_PROGS; which++)
		for (i = 0; i < layout->nr_insns[which]; i++) {
			const struct fargs_insn *in = &session.layouts[nr].insns[which][i];

			ktap_note("  program %u: op %u dst %u src %u arg %u off %d imm %#llx",
				  which, in->op, in->dst, in->src, in->arg, in->off,
				  (unsigned long long)in->imm);
		}
}

/* Returns whether every call was counted, and has a record unless it was rejected. */
static bool are_counts_right(const struct found *found)
{
	static struct fargs_cpu_stats cpus[1024];
	struct fargs_stats stats = { .cpus = (uintptr_t)cpus, .nr_cpus = 1024 };
	uint64_t produced = 0, lost = 0, rejected = 0;
	unsigned int i;

	must(call(session.fd, FARGS_IOC_STATS, &stats), "STATS");
	for (i = 0; i < stats.nr_cpus && i < 1024; i++) {
		produced += cpus[i].produced;
		lost += cpus[i].lost;
		rejected += cpus[i].rejected;
	}
	if (produced == found->nr + rejected && !lost && !stats.nr_missed && !stats.nr_pending)
		return true;
	ktap_note("%u records, %llu produced, %llu lost, %llu rejected", found->nr,
		  (unsigned long long)produced, (unsigned long long)lost,
		  (unsigned long long)rejected);
	return false;
}

/*
 * Returns whether the records @entry and @ret, each of which may be NULL, are right for the call of
 * layout @nr.
 */
static bool is_call_right(unsigned int nr, const struct fargs_record *entry,
			  const struct fargs_record *ret)
{
	enum place place = find_place(nr);

	if (place == OUTSIDE) {
		seen.outside++;
		return !entry && !ret;
	}
	seen.inside += session.has_scope && place == INSIDE;
	if (place == INSIDE && !is_predicted(entry, nr))
		return false;
	if (ret && !(session.layouts[nr].layout.flags & FARGS_LAYOUT_RETURN))
		return false;
	return (!entry || is_formed(entry, nr)) && (!ret || is_formed(ret, nr));
}

static bool are_records_right(const uint8_t *map)
{
	struct found found = { .nr = 0 };
	bool is_right = true;
	unsigned int nr;

	if (!find_records(map, &found))
		return false;
	for (nr = 0; nr < session.nr; nr++) {
		const struct fargs_record *entry = found.entry[nr], *ret = found.ret[nr];

		if (is_call_right(nr, entry, ret))
			continue;
		is_right = false;
		show_layout(nr, entry ? entry : ret);
	}
	return is_right && are_counts_right(&found);
}

/* Starts the session, makes the target call each function once, and checks the records. */
static bool session_runs_right(void)
{
	size_t bytes = page + 2 * RING_BYTES;
	bool is_right;
	void *map;

	map = mmap(NULL, bytes, PROT_READ, MAP_SHARED, session.fd,
		   FARGS_MMAP_DATA(sched_getcpu()));
	must(map == MAP_FAILED ? -errno : 0, "mmap");
	must(session_start(session.fd), "START");
	must(target_call("all"), TARGET_PROC);
	must(session_stop(session.fd), "STOP");
	is_right = are_records_right(map);
	munmap(map, bytes);
	seen.armed += session.nr;
	return is_right;
}

static void session_leave(void)
{
	if (session.nr < SESSION_LAYOUTS && session.nr_deferred < SESSION_LAYOUTS)
		return;
	if (session.is_ringed && !session_runs_right()) {
		wrong.record++;
		ktap_note("round %u: a record is wrong", round_nr);
	}
	session_new(one_in(ARM_ONE_IN));
}

/* ---- rounds ---- */

static void compare(struct batch *batch, const struct verdict *verdict, int ret)
{
	uint32_t i;

	if (!ret && !verdict->is_valid) {
		wrong.accepted++;
		show(batch, verdict, ret, "an invalid layout was accepted");
	} else if (ret && verdict->is_valid) {
		wrong.refused++;
		show(batch, verdict, ret, "a valid layout was refused");
	} else if (ret && !is_reason_right(verdict, ret)) {
		wrong.reason++;
		show(batch, verdict, ret, "the reason is wrong");
	}
	if (!is_written_right(batch, verdict, ret)) {
		wrong.written++;
		show(batch, verdict, ret, "the module wrote to the wrong place");
	}
	for (i = 0; !ret && verdict->is_valid && i < verdict->nr; i++)
		if (!verdict->layouts[i].status)
			session_keep(batch, verdict->layouts[i].at);
	if ((!ret && batch->add.nr_added != verdict->nr_added) ||
	    session_layouts(session.fd) != session.nr + session.nr_deferred - session.nr_reload) {
		wrong.added++;
		show(batch, verdict, ret, "the number of added layouts is wrong");
	}
	/*
	 * After a wrong result, use a new session, so that later results do not depend on this one.
	 */
	if (!ret != verdict->is_valid)
		session_new(false);
}

/* Adds a batch that the model cannot judge. Only the kernel log is checked, for warnings. */
static void call_unjudged(struct batch *batch)
{
	int fd = device_open();

	must(fd < 0 ? -errno : 0, "open " FARGS_DEVICE);
	call(fd, FARGS_IOC_ADD, &batch->add);
	close(fd);
	seen.unjudged++;
}

static bool is_every_rule_broken(void)
{
	int rule;

	for (rule = 0; rule < MODEL_RULES; rule++)
		if (!seen.by_rule[rule])
			return false;
	return true;
}

/*
 * Returns whether the test must continue, even after @rounds if some rule has not been broken yet.
 */
static bool goes_on(unsigned int rounds, time_t end)
{
	return round_nr < rounds || time(NULL) < end ||
	       (rounds >= ROUNDS / 2 && round_nr < 4 * rounds && !is_every_rule_broken());
}

static void test_rounds(unsigned int rounds, uint64_t seconds)
{
	const time_t end = time(NULL) + (time_t)seconds;
	static struct batch batch;
	struct verdict verdict;
	int ret;

	session_new(true);
	for (round_nr = 0; goes_on(rounds, end); round_nr++) {
		make_batch(&batch);
		memcpy(batch.before, batch.at, batch.bytes);
		judge(&batch, &verdict);
		count_verdict(&verdict);
		if (is_unknown(&batch, &verdict)) {
			call_unjudged(&batch);
			continue;
		}
		ret = call(session.fd, FARGS_IOC_ADD, &batch.add);
		compare(&batch, &verdict, ret);
		session_leave();
	}
}

/* ---- a buffer that changes during the call ---- */

/* A field of @width bytes at @at, which a thread sets to @good and @bad alternately. */
struct flip {
	uint8_t *at;
	unsigned int width;
	uint64_t good, bad;
	bool is_running, is_over;
};

static void flip_set(const struct flip *flip, uint64_t value)
{
	switch (flip->width) {
	case 1:
		__atomic_store_n(flip->at, value, __ATOMIC_RELEASE);
		break;
	case 2:
		__atomic_store_n((uint16_t *)flip->at, value, __ATOMIC_RELEASE);
		break;
	default:
		__atomic_store_n((uint32_t *)flip->at, value, __ATOMIC_RELEASE);
	}
}

static void *flip_run(void *data)
{
	struct flip *flip = data;
	unsigned int wait = 0;
	cpu_set_t all;

	/* Do not run on the CPU that makes the ioctls, if there is another CPU. */
	memset(&all, 0xff, sizeof(all));
	CPU_CLR(sched_getcpu(), &all);
	pthread_setaffinity_np(pthread_self(), sizeof(all), &all);
	while (!__atomic_load_n(&flip->is_over, __ATOMIC_ACQUIRE)) {
		flip_set(flip, flip->bad);
		__atomic_store_n(&flip->is_running, true, __ATOMIC_RELEASE);
		for (volatile unsigned int i = 0; i < wait % 97; i++)
			;
		flip_set(flip, flip->good);
		for (volatile unsigned int i = 0; i < wait % 89; i++)
			;
		wait++;
	}
	flip_set(flip, flip->good);
	return NULL;
}

/* Chooses a field, and a value that makes the layout in @batch invalid. */
static bool flip_choose(const struct batch *batch, const struct made *made, struct flip *flip)
{
	const uint32_t stores = sizeof(struct fargs_layout);
	const uint32_t nr_insns = made_nr_insns(made);
	const uint32_t insns = stores + made->layout.nr_stores * sizeof(struct fargs_store);
	const uint32_t body = insns + nr_insns * sizeof(struct fargs_insn);
	const uint32_t store = stores + below(made->layout.nr_stores) *
					sizeof(struct fargs_store);
	/*
	 * Offset of a random instruction or, if there are no instructions, an offset in the body.
	 */
	const uint32_t insn = insns + below(nr_insns) * sizeof(struct fargs_insn);
	const struct { uint32_t at; unsigned int width; } fields[] = {
		{ offsetof(struct fargs_layout, size), 4 },
		{ offsetof(struct fargs_layout, body_len), 2 },
		{ offsetof(struct fargs_layout, nr_stores), 2 },
		{ store + offsetof(struct fargs_store, offset), 2 },
		{ store + offsetof(struct fargs_store, source), 1 },
		{ store + offsetof(struct fargs_store, index), 1 },
		{ body + below(made->body_len[0]), 1 },
		{ body + 2 * below(made->body_len[0] / 2), 2 },
		{ offsetof(struct fargs_layout, nr_insns) + 2 * below(FARGS_PROGS), 2 },
		{ offsetof(struct fargs_layout, append_max), 2 },
		{ offsetof(struct fargs_layout, flags), 4 },
		{ insn + offsetof(struct fargs_insn, op), 1 },
		{ insn + offsetof(struct fargs_insn, dst), 1 },
		{ insn + offsetof(struct fargs_insn, src), 1 },
		{ insn + offsetof(struct fargs_insn, arg), 1 },
		{ insn + offsetof(struct fargs_insn, off), 4 },
		{ insn + offsetof(struct fargs_insn, imm), 4 },
	};
	const uint32_t nr = below(sizeof(fields) / sizeof(fields[0]));
	static uint8_t bad[MADE_BYTES_MAX];
	uint32_t size;

	flip->at = batch->at + fields[nr].at;
	flip->width = fields[nr].width;
	flip->good = 0;
	memcpy(&flip->good, flip->at, flip->width);
	flip->bad = near(flip->good);
	memcpy(bad, batch->at, batch->bytes);
	memcpy(bad + fields[nr].at, &flip->bad, flip->width);
	return model_layout(bad, batch->bytes, &size) != MODEL_VALID;
}

static void race(struct batch *batch, struct flip *flip)
{
	pthread_t thread;
	unsigned int i;
	int ret;

	flip->is_running = false;
	flip->is_over = false;
	must(-pthread_create(&thread, NULL, flip_run, flip), "pthread_create");
	while (!__atomic_load_n(&flip->is_running, __ATOMIC_ACQUIRE))
		sched_yield();
	for (i = 0; i < RACE_CALLS; i++) {
		struct fargs_add add = batch->add;

		ret = call(session.fd, FARGS_IOC_ADD, &add);
		/* After the first success, the session already has the valid layout. */
		if (ret == (session.nr ? -EEXIST : 0)) {
			session.nr = 1;
			seen.raced_taken++;
		} else if (ret == -EINVAL && last_error.text[0]) {
			seen.raced_refused++;
		} else {
			wrong.raced++;
			ktap_note("changing buffer %u: returned %d: %s", round_nr, ret,
				  last_error.text);
		}
		/*
		 * An emulator may run one CPU at a time: sleep, so that the other thread's CPU
		 * runs.
		 */
		if (i % RACE_IN_A_ROW == RACE_IN_A_ROW - 1)
			usleep(100);
	}
	__atomic_store_n(&flip->is_over, true, __ATOMIC_RELEASE);
	pthread_join(thread, NULL);
}

/*
 * Tests layouts that change while the module reads them: a layout that the module accepts must be
 * the valid one, however many times the module reads the buffer.
 */
static void test_races(unsigned int rounds)
{
	static uint8_t packed[MADE_BYTES_MAX];
	static struct batch batch;
	static struct made made;
	uint32_t bytes, size;
	struct flip flip;

	for (round_nr = 0; round_nr < rounds; round_nr++) {
		do {
			make_layout(&made, one_in(2));
			bytes = made_pack(&made, packed);
		} while (!made.layout.nr_stores ||
			 model_layout(packed, bytes, &size) != MODEL_VALID);
		batch_set(&batch, packed, bytes, 1);
		while (!flip_choose(&batch, &made, &flip))
			;
		session_new(true);
		race(&batch, &flip);
		if (!session.nr)
			continue;
		session.nr = 0;
		session_keep(&batch, 0);
		if (!session_runs_right()) {
			wrong.raced++;
			ktap_note("changing buffer %u: a record is wrong", round_nr);
		}
	}
}

/* ---- */

static uint64_t number_of(const char *name, uint64_t otherwise)
{
	const char *text = getenv(name);

	return text ? strtoull(text, NULL, 10) : otherwise;
}

/* Returns whether every case occurred, and every rule was broken at least once. */
static bool is_complete(void)
{
	bool is = seen.valid && seen.left_out && seen.bad_batches && seen.unreadable &&
		  seen.not_traceable && seen.twice && is_every_rule_broken();
	int rule;

	for (rule = 0; rule < MODEL_RULES; rule++)
		ktap_note("%8u %s", seen.by_rule[rule], model_rule_names[rule]);
	ktap_note("%u calls were valid, %u of them skipped some; %u batches broken, %u unreadable",
		  seen.valid, seen.left_out, seen.bad_batches, seen.unreadable);
	ktap_note("%u layouts not traceable, %u twice; %u calls unjudged", seen.not_traceable,
		  seen.twice, seen.unjudged);
	return is;
}

/* Maps the memory that programs read: it begins with some strings, and has no NUL at its end. */
static void make_readable(void)
{
	void *at = mmap(readable, READABLE_BYTES, PROT_READ | PROT_WRITE,
			MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);

	must(at == MAP_FAILED ? -errno : 0, "mmap");
	must(mlock(readable, READABLE_BYTES) ? -errno : 0, "mlock");
	memcpy(readable, "eth0\0text of a program, with an end", 36);
	memset(readable + READABLE_BYTES - 40, 'e', 40);
}

int main(void)
{
	unsigned int rounds;
	bool is_short;
	cpu_set_t here;

	ktap_begin("abi_fuzz");
	need_session_test();
	page = sysconf(_SC_PAGESIZE);
	rounds = number_of("FARGS_FUZZ_ROUNDS", ROUNDS);
	seed = number_of("FARGS_FUZZ_SEED", SEED);
	state = seed;
	ktap_note("%u rounds, seed %llu", rounds, (unsigned long long)seed);
	make_readable();
	find_functions();
	make_buffer();
	CPU_ZERO(&here);
	CPU_SET(sched_getcpu(), &here);
	sched_setaffinity(0, sizeof(here), &here);

	test_rounds(rounds, number_of("FARGS_FUZZ_SECONDS", 0));
	/* A short run does not cover all cases. */
	is_short = round_nr < ROUNDS / 2;
	ktap_ok(is_complete() || is_short,
		"every rule was broken in some layout and kept in others");
	ktap_ok(!wrong.accepted, "no invalid layout is accepted");
	ktap_ok(!wrong.refused, "no valid layout is refused");
	ktap_ok(!wrong.reason, "a refusal has the reason and the layout");
	ktap_ok(!wrong.written, "only out fields are written");
	ktap_ok(!wrong.added, "accepted layouts are counted, and refused ones change nothing");
	ktap_note("%u layouts armed, %u registers and %u slots compared", seen.armed,
		  seen.registers, seen.slots);
	ktap_note("%u calls predicted, %u of them rejected; %u values, %u faults",
		  seen.predicted, seen.rejected, seen.fetched, seen.faults);
	ktap_note("%u records, %u of them returns; %u triggers", seen.formed, seen.returns,
		  seen.triggers);
	ktap_note("with scopes, %u calls inside, %u outside; %u deferred layouts, %u of them twice",
		  seen.inside, seen.outside, seen.deferred, seen.deferred_twice);
	ktap_ok(!wrong.record && (is_short || (seen.registers && seen.slots && seen.returns)),
		"records have their layouts' bodies with the registers and slots");
	ktap_ok(!wrong.record && (is_short || (seen.rejected && seen.fetched && seen.faults &&
						 seen.triggers)),
		"records have the values that their programs compute");

	ktap_ok(!wrong.record && (is_short || (seen.inside && seen.outside)),
		"with scopes, only calls in scope are recorded");
	ktap_ok(!wrong.added && (is_short || (seen.deferred > seen.deferred_twice &&
					     seen.deferred_twice)),
		"deferred layouts are accepted, each symbol once");

	test_races(1 + rounds / RACE_ROUNDS);
	ktap_note("%u taken, %u refused", seen.raced_taken, seen.raced_refused);
	ktap_ok(!wrong.raced && (is_short || (seen.raced_taken && seen.raced_refused)),
		"if a buffer changes during the call, only checked data is used");
	close(session.fd);
	return ktap_end();
}
