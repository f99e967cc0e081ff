// SPDX-License-Identifier: GPL-2.0-only
/*
 * FARGS_IOC_ADD against lib/layout_model.h: layouts made at random, most of them
 * then spoilt in one or two places. The module must take those the headers allow and
 * no other, say why it takes none, and write nothing but the out fields. Some of the
 * accepted ones are armed: their records must be the body with each store filled.
 *
 * FARGS_FUZZ_ROUNDS and FARGS_FUZZ_SEED (decimal) make it another run, or a failed
 * one again: what races with the call is the only thing that does not repeat.
 */
#include <pthread.h>
#include <sched.h>
#include <stddef.h>

#include "lib/session.h"
#include "lib/layout_model.h"

#define ROUNDS		20000
#define SEED		20260101
#define RING_BYTES	(64u << 10)
#define BATCH_MAX	3
#define FAILURES_SHOWN	5
/* Layouts in a session before it is left; sessions armed, of those that have some. */
#define SESSION_LAYOUTS	6
#define ARM_ONE_IN	30
#define RACE_ROUNDS	1000	/* rounds to one race */
#define RACE_CALLS	50

#define KERNEL_TEXT	0xffffffff80000000ull	/* and that of modules */

#define U8(value)	(0xdeadbeefcafebe00ull | (uint8_t)(value))
#define U16(value)	(0xdeadbeefcafe0000ull | (uint16_t)(value))
#define U32(value)	(0xdeadbeef00000000ull | (uint32_t)(value))
#define UNUSED		0x5ca1ab1e0ddba11ull

/*
 * Functions that samples/target calls once in its list, with all 64 bits of what it
 * passes known: its "dirty" ones, and one with 32 slots of the stack.
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
	/* Its slots are 101 to 133: filled in by find_functions(). */
	{ .name = "fargs_t_refused_slots", .nr_slots = FARGS_STACK_SLOTS },
};

#define FUNCTIONS (sizeof(functions) / sizeof(functions[0]))

/* What there was of each, and what was wrong with the module's answers. */
static struct {
	unsigned int valid, left_out, by_rule[MODEL_RULES], bad_batches, unreadable;
	unsigned int not_traceable, twice, unjudged;
	unsigned int armed, registers, slots;
	unsigned int raced_taken, raced_refused;
} seen;

static struct {
	unsigned int accepted, refused, reason, written, added, record, raced;
} wrong;

/* The session under test, and what it has. */
static struct {
	int fd;
	bool is_ringed;
	unsigned int nr;
	const struct function *functions[FUNCTIONS];
	uint64_t ips[FUNCTIONS];
	struct fargs_store stores[FUNCTIONS][FARGS_STORES_MAX];
	unsigned int nr_stores[FUNCTIONS];
	uint8_t bodies[FUNCTIONS][MODEL_BODY_MAX];
	unsigned int body_len[FUNCTIONS];
} session;

/* Features of the module that the model knows nothing of. */
static uint64_t other_features;
static uint64_t seed, state;
static unsigned int round_nr, nr_shown;
static uint32_t page;

/* splitmix64: https://prng.di.unimi.it/splitmix64.c says how it is computed. */
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

/* A number near @value, or at the border of something. */
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

/* ---- layouts at random ---- */

/* What can be stored into, while a piece is made. */
struct places {
	uint16_t at[512];
	unsigned int nr;
};

static void add_value(struct piece *piece, struct places *places)
{
	uint8_t type = one_in(6) ? FARGS_TYPE_BYTES : 1 + below(FARGS_TYPE_S128);
	uint32_t data = type >= FARGS_TYPE_U128 ? 16 : 8;
	uint16_t n = 1 + (one_in(8) ? below(300) : below(40));
	char name[40];
	uint32_t len = one_in(10) ? 1 + below(sizeof(name) - 1) : 1 + below(6);
	uint32_t i, at;

	for (i = 0; i < len; i++)
		name[i] = one_in(20) ? 1 + below(255) : 'a' + below(26);
	name[len] = '\0';
	if (type == FARGS_TYPE_BYTES)
		data = 2 + ((n + 7) & ~7);
	if (piece->body_len + len + 2 + data + 2 > MODEL_BODY_MAX)
		return;
	at = piece_value(piece, name, type, data);
	if (type == FARGS_TYPE_BYTES) {
		memcpy(piece->body + at, &n, sizeof(n));
		at += sizeof(n);
		data -= sizeof(n);
	}
	for (i = 0; i < data && places->nr < 512; i += 8)
		places->at[places->nr++] = at + i;
}

static void add_stores(struct piece *piece, struct places *places)
{
	uint32_t wanted = one_in(10) ? FARGS_STORES_MAX : 1 + below(12);
	bool has_reg[FARGS_REGS] = { false };
	uint8_t reg, slots = 0;
	uint32_t i;

	for (; wanted && places->nr && piece->layout.nr_stores < FARGS_STORES_MAX; wanted--) {
		i = below(places->nr);
		reg = below(FARGS_REGS);
		if (!has_reg[reg] && !one_in(3)) {
			has_reg[reg] = true;
			piece_store(piece, places->at[i], FARGS_SOURCE_REG, reg);
		} else if (slots < FARGS_STACK_SLOTS) {
			slots++;
			piece_store(piece, places->at[i], FARGS_SOURCE_STACK,
				    one_in(4) ? below(FARGS_STACK_SLOTS) : below(6));
		}
		places->at[i] = places->at[--places->nr];
	}
}

static void make_valid(struct piece *piece)
{
	uint32_t values = one_in(10) ? below(200) : below(9);
	struct places places = { .nr = 0 };

	memset(piece, 0, sizeof(*piece));
	piece->layout.addr = functions[below(FUNCTIONS)].addr;
	while (values--)
		add_value(piece, &places);
	add_stores(piece, &places);
	piece_end(piece);
	if (one_in(8) && piece->body_len + 64 <= MODEL_BODY_MAX) {
		piece->body_len += 8 * below(8);
		piece->layout.body_len = piece->body_len;
	}
	/* Out fields may hold anything. */
	if (one_in(4)) {
		piece->layout.status = rnd();
		piece->layout.ip = rnd();
	}
}

static void fix_size(struct piece *piece)
{
	piece->layout.size = sizeof(piece->layout) +
			     piece->layout.nr_stores * sizeof(piece->stores[0]) +
			     piece->layout.body_len;
}

/* ---- and spoilt ---- */

static void spoil_address(struct piece *piece)
{
	/* Not 4 behind: with IBT that is the fentry, which ftrace takes as well. */
	static const int64_t steps[] = { -1, 1, 2, 3, 5, 8 };
	static const uint64_t others[] = { 0, 0x1000, 0xffff888000000000ull, ~0ull };

	if (one_in(2))
		piece->layout.addr += steps[below(6)];
	else
		piece->layout.addr = others[below(4)];
}

static void spoil_header(struct piece *piece)
{
	struct fargs_layout *layout = &piece->layout;

	switch (below(7)) {
	case 0:
		layout->size = near(layout->size);
		break;
	case 1:
		layout->body_len = near(layout->body_len);
		break;
	case 2:
		layout->nr_stores = near(layout->nr_stores);
		break;
	case 3:
		/* From a field that is not used here on, to the end. */
		((uint8_t *)layout->nr_insns)[below(sizeof(*layout) -
			offsetof(struct fargs_layout, nr_insns))] = rnd();
		break;
	case 4:
		layout->flags = one_in(2) ? 1u << below(32) : near(0);
		break;
	case 5:
		spoil_address(piece);
		break;
	default:
		piece->layout.addr = functions[below(FUNCTIONS)].addr;
	}
}

static void spoil_store(struct piece *piece)
{
	uint32_t nr = piece->layout.nr_stores;
	struct fargs_store *store, *other;

	if (!nr || nr > FARGS_STORES_MAX)
		return;
	store = &piece->stores[below(nr)];
	other = &piece->stores[below(nr)];
	switch (below(7)) {
	case 0:
		store->offset = near(store->offset);
		break;
	case 1:
		store->source = one_in(2) ? 3u - store->source : near(store->source);
		break;
	case 2:
		store->index = near(store->index);
		break;
	case 3:
		store->reserved = one_in(2) ? 1u << below(32) : near(0);
		break;
	case 4:
		store->offset = other->offset;
		break;
	case 5:
		store->source = other->source;
		store->index = other->index;
		break;
	default:
		piece->stores[nr] = *store;
		piece->layout.nr_stores++;
	}
}

/* Bytes come or go in the middle of the body, or one changes. */
static void spoil_body(struct piece *piece)
{
	uint32_t at = below(piece->body_len);
	uint32_t n = 1 + below(one_in(2) ? 16 : 2);
	uint16_t number;

	switch (below(6)) {
	case 0:
		piece->body[at] = one_in(2) ? below(20) : rnd();
		break;
	case 1:
		piece->body[at] ^= 1u << below(8);
		break;
	case 2:
		memcpy(&number, piece->body + at, sizeof(number));
		number = near(number);
		memcpy(piece->body + at, &number, sizeof(number));
		break;
	case 3:
		if (n > piece->body_len - at)
			return;
		memmove(piece->body + at, piece->body + at + n, piece->body_len - at - n);
		memset(piece->body + piece->body_len - n, 0, n);
		break;
	case 4:
		if (piece->body_len + n > sizeof(piece->body))
			return;
		memmove(piece->body + at + n, piece->body + at, piece->body_len - at);
		piece->body_len += n;
		piece->layout.body_len = piece->body_len;
		break;
	default:
		/* Cut off, at a multiple of 8 as a rule. */
		piece->body_len = one_in(4) ? at : at & ~7u;
		piece->layout.body_len = piece->body_len;
	}
}

/* The end of the body is where most is at stake: its last 16 bytes. */
static void spoil_end(struct piece *piece)
{
	uint32_t back = 1 + below(16);

	if (back <= piece->body_len)
		piece->body[piece->body_len - back] = one_in(2) ? 1 + below(15) : rnd();
}

static void spoil(struct piece *piece)
{
	switch (below(8)) {
	case 0:
	case 1:
		spoil_header(piece);
		break;
	case 2:
	case 3:
	case 4:
		spoil_store(piece);
		break;
	case 5:
	case 6:
		spoil_body(piece);
		break;
	default:
		spoil_end(piece);
	}
	if (!one_in(4))
		fix_size(piece);
}

/* ---- one call, and what it should do ---- */

/*
 * The argument of one ADD. The buffer ends where the next page cannot be read, so
 * that a module that reads more of it than it was told of is found out.
 */
struct batch {
	struct fargs_add add;
	uint8_t *at;
	uint32_t bytes;
	uint8_t before[BATCH_MAX * sizeof(struct piece)];
};

/* What the model says of it. */
struct verdict {
	bool is_valid;
	bool is_broken;		/* as a whole: more or less than its layouts */
	bool is_unreadable;
	uint32_t nr;		/* layouts that could be told apart */
	uint32_t nr_added;
	struct {
		uint32_t at;
		enum model_rule rule;
		int status;
	} layouts[BATCH_MAX + 2];
};

static uint8_t *buffer_end;

static void make_buffer(void)
{
	size_t bytes = (BATCH_MAX * sizeof(struct piece) + page) & ~(size_t)(page - 1);
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
		/* Garbage with a header that leads into it. */
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
	static uint8_t packed[BATCH_MAX * sizeof(struct piece)];
	uint32_t nr = one_in(3) ? 1 + below(BATCH_MAX) : 1;
	uint32_t victim = below(nr);
	bool is_spoilt = !one_in(4);
	struct piece piece;
	uint32_t bytes = 0;
	uint32_t i;

	for (i = 0; i < nr; i++) {
		make_valid(&piece);
		fix_size(&piece);
		if (is_spoilt && i == victim && !one_in(6)) {
			spoil(&piece);
			if (one_in(4))
				spoil(&piece);
		}
		bytes += piece_pack(&piece, packed + bytes);
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

static bool session_has(const struct function *function)
{
	unsigned int i;

	for (i = 0; i < session.nr; i++)
		if (session.functions[i] == function)
			return true;
	return false;
}

/* -EINVAL, -EEXIST or 0, by the function of layout @nr. */
static int judge_function(const struct batch *batch, const struct verdict *verdict, uint32_t nr)
{
	struct fargs_layout layout, other;
	uint32_t i;

	memcpy(&layout, batch->before + verdict->layouts[nr].at, sizeof(layout));
	if (!function_at(layout.addr))
		return -EINVAL;
	if (session_has(function_at(layout.addr)))
		return -EEXIST;
	for (i = 0; i < nr; i++) {
		memcpy(&other, batch->before + verdict->layouts[i].at, sizeof(other));
		if (other.addr == layout.addr)
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
			     (batch->add.flags & ~FARGS_ADD_SKIP);
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
		at += size;
		verdict->layouts[i].status = judge_function(batch, verdict, i);
		verdict->is_valid &= !verdict->layouts[i].status || is_skipping;
		verdict->nr_added += !verdict->layouts[i].status;
	}
	verdict->is_broken |= at != batch->add.bytes;
	verdict->is_valid &= !verdict->is_broken;
}

/*
 * Is it nothing for the model to judge? Where the module has features that the model
 * knows nothing of, their layouts; and addresses that may be another function's, or
 * with IBT a fentry, which are 4 behind: functions lie at multiples of 16.
 */
static bool is_unknown(const struct batch *batch, const struct verdict *verdict)
{
	struct fargs_layout layout;
	uint32_t i;

	for (i = 0; i < verdict->nr; i++) {
		if (verdict->layouts[i].rule == MODEL_FEATURE && other_features)
			return true;
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

/* Is the reason one line of text, and of a layout that is indeed at fault? */
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

/* Did the call write to the buffer what it may? */
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
		if (!ret && !after.status && after.ip - after.addr > 4)
			return false;
		/* Theirs alone may differ. */
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
	session.fd = is_ringed ? session_open(RING_BYTES) : device_open();
	must(session.fd, "open " FARGS_DEVICE);
}

/* Remembers the layout at @at of the batch, which the session has now. */
static void session_keep(const struct batch *batch, uint32_t at)
{
	unsigned int nr = session.nr++;
	struct fargs_layout layout;
	uint32_t stores;

	memcpy(&layout, batch->at + at, sizeof(layout));
	stores = layout.nr_stores * sizeof(struct fargs_store);
	session.functions[nr] = function_at(layout.addr);
	session.ips[nr] = layout.ip;
	session.nr_stores[nr] = layout.nr_stores;
	session.body_len[nr] = layout.body_len;
	memcpy(session.stores[nr], batch->at + at + sizeof(layout), stores);
	memcpy(session.bodies[nr], batch->at + at + sizeof(layout) + stores, layout.body_len);
}

/* The body a record of layout @nr must have; @got where the truth is not known. */
static void fill_body(unsigned int nr, const uint8_t *got, uint8_t *body)
{
	const struct function *function = session.functions[nr];
	const struct fargs_store *store = session.stores[nr];
	unsigned int i;

	memcpy(body, session.bodies[nr], session.body_len[nr]);
	for (i = 0; i < session.nr_stores[nr]; i++, store++) {
		if (store->source == FARGS_SOURCE_REG && function->has_regs) {
			memcpy(body + store->offset, &function->regs[store->index], 8);
			seen.registers++;
		} else if (store->source == FARGS_SOURCE_STACK &&
			   store->index < function->nr_slots) {
			memcpy(body + store->offset, &function->slots[store->index], 8);
			seen.slots++;
		} else {
			memcpy(body + store->offset, got + store->offset, 8);
		}
	}
}

static bool is_record_right(const struct fargs_record *rec, unsigned int nr)
{
	static bool slots[MODEL_BODY_MAX];
	uint8_t body[MODEL_BODY_MAX];
	const uint8_t *got = (const uint8_t *)(rec + 1);
	uint32_t end, end_got;

	if (rec->len < sizeof(*rec) + session.body_len[nr] ||
	    model_body(session.bodies[nr], session.body_len[nr], slots, &end) != MODEL_VALID ||
	    model_body(got, rec->len - sizeof(*rec), slots, &end_got) != MODEL_VALID ||
	    end != end_got)
		return false;
	fill_body(nr, got, body);
	if (!memcmp(got, body, end))
		return true;
	for (nr = 0; got[nr] == body[nr]; nr++)
		;
	ktap_note("byte %u is %02x, not %02x", nr, got[nr], body[nr]);
	return false;
}

/* One record for each layout, and nothing else, in the ring at @map. */
static bool are_records_right(const uint8_t *map)
{
	const uint64_t end = __atomic_load_n(&((const struct fargs_ring_head *)map)->data_head,
					     __ATOMIC_ACQUIRE);
	bool has[FUNCTIONS] = { false };
	unsigned int nr, nr_has = 0;
	uint64_t pos = 0;

	while (pos < end) {
		const struct fargs_record *rec = (const void *)(map + page + pos);

		if (rec->len < sizeof(*rec) || rec->len % FARGS_RECORD_ALIGN ||
		    rec->len > FARGS_RECORD_MAX || rec->len > end - pos)
			return false;
		pos += rec->len;
		if (rec->kind != FARGS_KIND_ENTRY)
			continue;
		for (nr = 0; nr < session.nr && session.ips[nr] != rec->ip; nr++)
			;
		if (nr == session.nr || has[nr] || !is_record_right(rec, nr)) {
			ktap_note("record of %s", nr < session.nr ?
				  session.functions[nr]->name : "no layout");
			return false;
		}
		has[nr] = true;
		nr_has++;
	}
	return nr_has == session.nr;
}

/* Arms what the session has, has every function called once, and looks. */
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
	if (session.nr < SESSION_LAYOUTS)
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
		show(batch, verdict, ret, "accepted what is not allowed");
	} else if (ret && verdict->is_valid) {
		wrong.refused++;
		show(batch, verdict, ret, "refused what is allowed");
	} else if (ret && !is_reason_right(verdict, ret)) {
		wrong.reason++;
		show(batch, verdict, ret, "not the reason");
	}
	if (!is_written_right(batch, verdict, ret)) {
		wrong.written++;
		show(batch, verdict, ret, "wrote to the wrong place");
	}
	for (i = 0; !ret && verdict->is_valid && i < verdict->nr; i++)
		if (!verdict->layouts[i].status)
			session_keep(batch, verdict->layouts[i].at);
	if ((!ret && batch->add.nr_added != verdict->nr_added) ||
	    session_layouts(session.fd) != session.nr) {
		wrong.added++;
		show(batch, verdict, ret, "added another number");
	}
	/* Nothing that follows is to be judged by what went wrong here. */
	if (!ret != verdict->is_valid)
		session_new(false);
}

/* What the model cannot judge must do no harm, nevertheless: the kernel's log tells. */
static void call_unjudged(struct batch *batch)
{
	int fd = device_open();

	must(fd < 0 ? -errno : 0, "open " FARGS_DEVICE);
	call(fd, FARGS_IOC_ADD, &batch->add);
	close(fd);
	seen.unjudged++;
}

static void test_rounds(unsigned int rounds)
{
	static struct batch batch;
	struct verdict verdict;
	int ret;

	session_new(true);
	for (round_nr = 0; round_nr < rounds; round_nr++) {
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

/* Bytes [at, at + width) are @good and @bad in turn. */
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

	/* Off the CPU of the calls, if there is another. */
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
static bool flip_choose(const struct batch *batch, const struct piece *piece, struct flip *flip)
{
	const uint32_t stores = sizeof(struct fargs_layout);
	const uint32_t body = stores + piece->layout.nr_stores * sizeof(struct fargs_store);
	const uint32_t store = stores + below(piece->layout.nr_stores) *
					sizeof(struct fargs_store);
	const struct { uint32_t at; unsigned int width; } fields[] = {
		{ offsetof(struct fargs_layout, size), 4 },
		{ offsetof(struct fargs_layout, body_len), 2 },
		{ offsetof(struct fargs_layout, nr_stores), 2 },
		{ store + offsetof(struct fargs_store, offset), 2 },
		{ store + offsetof(struct fargs_store, source), 1 },
		{ store + offsetof(struct fargs_store, index), 1 },
		{ body + below(piece->body_len), 1 },
		{ body + 2 * below(piece->body_len / 2), 2 },
	};
	const uint32_t nr = below(sizeof(fields) / sizeof(fields[0]));
	uint8_t bad[sizeof(struct piece)];
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
		/* What is valid is there already, from the second time on. */
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
	}
	__atomic_store_n(&flip->is_over, true, __ATOMIC_RELEASE);
	pthread_join(thread, NULL);
}

/*
 * Whatever the module read, and however often: what it has taken must be the valid
 * layout, since the other one is not allowed.
 */
static void test_races(unsigned int rounds)
{
	uint8_t packed[sizeof(struct piece)];
	static struct batch batch;
	struct piece piece;
	struct flip flip;

	for (round_nr = 0; round_nr < rounds; round_nr++) {
		do {
			make_valid(&piece);
		} while (!piece.layout.nr_stores);
		fix_size(&piece);
		batch_set(&batch, packed, piece_pack(&piece, packed), 1);
		while (!flip_choose(&batch, &piece, &flip))
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

/* Were all rules broken, so that the module had an occasion to get each wrong? */
static bool is_complete(void)
{
	bool is = seen.valid && seen.left_out && seen.bad_batches && seen.unreadable &&
		  seen.not_traceable && seen.twice;
	int rule;

	for (rule = 0; rule < MODEL_RULES; rule++) {
		ktap_note("%8u %s", seen.by_rule[rule], model_rule_names[rule]);
		is &= seen.by_rule[rule] > 0;
	}
	ktap_note("%u calls were valid, %u of them left some out; %u batches broken, %u unreadable",
		  seen.valid, seen.left_out, seen.bad_batches, seen.unreadable);
	ktap_note("%u layouts not traceable, %u twice; %u calls unjudged", seen.not_traceable,
		  seen.twice, seen.unjudged);
	return is;
}

static void ask_features(void)
{
	struct fargs_info info = { 0 };
	int fd = device_open();

	must(fd < 0 ? -errno : 0, "open " FARGS_DEVICE);
	must(call(fd, FARGS_IOC_INFO, &info), "INFO");
	close(fd);
	other_features = info.features & ~(FARGS_FEATURE_ENTRY | FARGS_FEATURE_TASKS);
}

int main(void)
{
	unsigned int rounds;
	cpu_set_t here;

	ktap_begin("abi_fuzz");
	need_session_test();
	page = sysconf(_SC_PAGESIZE);
	rounds = number_of("FARGS_FUZZ_ROUNDS", ROUNDS);
	seed = number_of("FARGS_FUZZ_SEED", SEED);
	state = seed;
	ktap_note("%u rounds, seed %llu", rounds, (unsigned long long)seed);
	ask_features();
	find_functions();
	make_buffer();
	CPU_ZERO(&here);
	CPU_SET(sched_getcpu(), &here);
	sched_setaffinity(0, sizeof(here), &here);

	test_rounds(rounds);
	ktap_ok(is_complete(), "every rule was broken, and kept");
	ktap_ok(!wrong.accepted, "no invalid layout is taken");
	ktap_ok(!wrong.refused, "no valid layout is refused");
	ktap_ok(!wrong.reason, "a refusal says why, and for which layout");
	ktap_ok(!wrong.written, "nothing but out fields is written");
	ktap_ok(!wrong.added, "what is taken is counted, and what is refused changes nothing");
	ktap_note("%u layouts armed, %u registers and %u slots compared", seen.armed,
		  seen.registers, seen.slots);
	ktap_ok(!wrong.record && seen.registers && seen.slots,
		"records are their layouts' bodies, filled with the registers and slots");

	test_races(1 + rounds / RACE_ROUNDS);
	ktap_note("%u taken, %u refused", seen.raced_taken, seen.raced_refused);
	ktap_ok(!wrong.raced && seen.raced_taken && seen.raced_refused,
		"of a buffer that changes meanwhile, only what was checked is used");
	close(session.fd);
	return ktap_end();
}
