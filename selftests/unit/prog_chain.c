// SPDX-License-Identifier: GPL-2.0-only
/*
 * Tests fetch programs that are chains, which the module runs without its interpreter
 * (kmod/prog/chain.h). They must write the same bytes as the interpreter (kmod/prog/prog.c), and
 * both must write the bytes that a simple reader finds. The test's pages are in the kernel's
 * address ranges, at the ends of these ranges, and in user space.
 */
#include <stdlib.h>

#include "fuzz/random.h"
#include "unit/ktap.h"

/* The module's headers. */
#include "../../kmod/prog/chain.h"
#include "../../kmod/prog/env.h"

#define PAGES		9
#define ARGS		6
#define CHAINS_MAX	5
#define VALUES_MAX	64	/* maximum size of the values that ST fills, in bytes */
#define ROUNDS		60000

static struct page {
	uint64_t addr;
	bool is_user;
	uint8_t bytes[PAGE_SIZE];
} pages[PAGES] = {
	{ .addr = PAGE_OFFSET },	/* only non-canonical addresses precede this page */
	{ .addr = PAGE_OFFSET + 0x100000 },
	{ .addr = PAGE_OFFSET + 0x101000 },
	/* The last page that is read inline, and a page that is not. */
	{ .addr = VMALLOC_START - 2 * PAGE_SIZE },
	{ .addr = VMALLOC_START - PAGE_SIZE },
	{ .addr = VMALLOC_START + 0x40000 },
	{ .addr = __START_KERNEL_map + 0x1000000 },
	{ .addr = 0x400000, .is_user = true },
	{ .addr = TASK_SIZE_MAX - PAGE_SIZE, .is_user = true },
};

static const char consts[] = "a\0name\0dentry\0a->b->d_name.name\0\0\0\0\0\0\0\0";
static const unsigned int names[] = { 0, 2, 7, 14 };
static const uint64_t odd_addresses[] = {
	0, 8, 0xfff, 0x800000000000, 0x7fffffffffff, 0xdeadbeefdeadbeef, PAGE_OFFSET - 1,
	MODULES_END, ~0ull, ~0ull - 7, (uint64_t)-4095, VMALLOC_START, TASK_SIZE_MAX,
};

static struct fuzz_random random_state = { 20261121 };
static struct mm_struct mm;
static struct task_struct task = { .mm = &mm };
struct task_struct *current = &task;

static uint32_t below(uint32_t n)
{
	return fuzz_below(&random_state, n);
}

static bool once_in(uint32_t n)
{
	return fuzz_once_in(&random_state, n);
}

/* Returns the byte at @addr; NULL: no page contains @addr. */
static const uint8_t *find(uint64_t addr, bool *is_user)
{
	unsigned int i;

	for (i = 0; i < PAGES; i++) {
		if (addr - pages[i].addr < PAGE_SIZE) {
			*is_user = pages[i].is_user;
			return &pages[i].bytes[addr - pages[i].addr];
		}
	}
	return NULL;
}

/*
 * @has_loads: programs also load numbers. @has_crossed: although programs load only strings, a read
 * crossed the end of a page.
 */
static bool has_loads, has_crossed;

bool made_up_read(void *to, unsigned long addr, size_t bytes)
{
	uint8_t all[8];
	bool is_user;
	size_t i;

	has_crossed |= !has_loads && (addr ^ (addr + bytes - 1)) & PAGE_MASK;
	for (i = 0; i < bytes; i++) {
		const uint8_t *byte = find(addr + i, &is_user);

		if (!byte)
			return false;
		all[i] = *byte;
	}
	memcpy(to, all, bytes);
	return true;
}

u32 fargs_env_arg_offset(u32 arg, bool is_return)
{
	(void)is_return;
	return 8 * arg;
}

/* Not called, because no program of this test uses stack slots, context or the stack. */
bool fargs_env_slot(const struct fargs_call *call, u32 slot, u64 *value)
{
	(void)call;
	(void)slot;
	(void)value;
	abort();
}

u64 fargs_env_ctx(const struct fargs_call *call, u32 ctx)
{
	(void)call;
	(void)ctx;
	abort();
}

u32 fargs_env_stack(const struct fargs_call *call, u8 *to, u32 max)
{
	(void)call;
	(void)to;
	(void)max;
	abort();
}

/* Returns a random address: usually in a page, and often shortly before its end. */
static uint64_t some_address(void)
{
	const struct page *page = &pages[below(PAGES)];

	if (once_in(8))
		return odd_addresses[below(sizeof(odd_addresses) / sizeof(odd_addresses[0]))];
	if (once_in(3))
		return page->addr + PAGE_SIZE - below(24);
	return page->addr + (once_in(2) ? below(PAGE_SIZE) : 8 * below(PAGE_SIZE / 8));
}

/* Fills the pages with strings of different lengths, and pointers to other pages. */
static void fill_pages(void)
{
	unsigned int i, at, often;
	uint64_t pointer;

	for (i = 0; i < PAGES; i++) {
		often = 1 + below(40);
		for (at = 0; at < PAGE_SIZE; at++)
			pages[i].bytes[at] = once_in(often) ? 0 : 1 + below(255);
		for (at = 0; at < PAGE_SIZE; at += 8) {
			if (!once_in(3))
				continue;
			pointer = some_address();
			memcpy(&pages[i].bytes[at], &pointer, 8);
		}
	}
}

/*
 * Reads the byte at @addr without using the module's code. Returns false if the byte is unreadable.
 */
static bool see(uint64_t addr, uint32_t space, uint8_t *byte)
{
	bool is_user;
	const uint8_t *at = find(addr, &is_user);

	if (!at || (space == FARGS_SPACE_KERNEL && is_user) ||
	    (space == FARGS_SPACE_USER && !is_user))
		return false;
	*byte = *at;
	return true;
}

struct program {
	struct fargs_insn code[FARGS_PROG_MAX];
	struct fargs_insn translated[FARGS_PROG_MAX];
	struct fargs_program prog;
	unsigned int nr, values_len, append_max;
	uint64_t args[ARGS];
};

static void add(struct program *p, struct fargs_insn insn)
{
	p->code[p->nr++] = insn;
}

static void add_put_str(struct program *p, uint8_t reg)
{
	static const uint32_t caps[] = {
		1, 2, 7, 8, 9, 15, 16, 17, 31, 64, 255, 256, FARGS_MEM_MAX,
	};
	unsigned int name = names[below(sizeof(names) / sizeof(names[0]))];
	uint32_t cap = caps[below(sizeof(caps) / sizeof(caps[0]))];

	add(p, (struct fargs_insn){ .op = FARGS_OP_PUT_STR, .src = reg, .arg = below(3),
				    .off = name, .imm = cap });
	p->append_max += FARGS_APPEND_BYTES(strlen(consts + name), cap);
}

static void add_chain(struct program *p)
{
	uint8_t reg = below(FARGS_PROG_REGS);

	add(p, (struct fargs_insn){ .op = FARGS_OP_ARG, .dst = reg, .arg = below(ARGS) });
	while (once_in(2)) {
		int off = once_in(8) ? (int)below(64) - 32 : 8 * (int)below(4);

		add(p, (struct fargs_insn){ .op = FARGS_OP_LOAD, .dst = reg, .src = reg,
					    .arg = once_in(8) ? 1 << below(4) : 8,
					    .off = off, .imm = below(3) });
	}
	if (once_in(3)) {
		/* Store to the data of the value, after its type. */
		add(p, (struct fargs_insn){ .op = FARGS_OP_ST, .src = reg,
					    .off = p->values_len + 1 });
		p->values_len += 9;
	} else {
		add_put_str(p, reg);
	}
}

static void make(struct program *p)
{
	unsigned int i, chains = 1 + below(CHAINS_MAX);

	*p = (struct program){ };
	for (i = 0; i < chains; i++)
		add_chain(p);
	fargs_prog_translate(p->code, p->nr, FARGS_PROG_ENTRY_FETCH, NULL, (const u8 *)consts,
			     p->translated);
	p->prog = (struct fargs_program){
		.insns = p->translated, .consts = (const u8 *)consts, .nr = p->nr,
	};
	for (i = 0; i < ARGS; i++)
		p->args[i] = some_address();
}

/* Returns a body whose values are 0 and of type U64. */
static uint8_t *make_body(const struct program *p, unsigned int room)
{
	uint8_t *body = malloc(room);
	unsigned int at;

	if (!body)
		abort();
	memset(body, 0xee, room);
	memset(body, 0, p->values_len);
	for (at = 0; at < p->values_len; at += 9)
		body[at] = FARGS_TYPE_U64;
	return body;
}

struct walk {
	uint8_t *body, *to;
	uint64_t value;
	bool is_read;
};

static void walk_load(struct walk *w, const struct fargs_insn *insn)
{
	uint64_t addr = w->value + insn->off, value = 0;
	unsigned int i;

	if (!w->is_read)
		return;
	for (i = 0; i < insn->arg; i++)
		w->is_read &= see(addr + i, insn->imm, (uint8_t *)&value + i);
	w->value = w->is_read ? value : addr;
}

static void walk_st(struct walk *w, const struct fargs_insn *insn)
{
	memcpy(w->body + insn->off, &w->value, 8);
	if (!w->is_read)
		w->body[insn->off - 1] |= FARGS_TYPE_FAULT;
}

static void walk_put(struct walk *w, const char *name, uint8_t type, const void *data, uint16_t n)
{
	w->to = (uint8_t *)stpcpy((char *)w->to, name) + 1;
	*w->to++ = type;
	memcpy(w->to, &n, 2);
	memcpy(w->to + 2, data, n);
	w->to += 2 + (n + 7) / 8 * 8;
}

static void walk_str(struct walk *w, const struct fargs_insn *insn)
{
	uint8_t text[FARGS_MEM_MAX + 1], type = FARGS_TYPE_STR;
	unsigned int n;

	for (n = 0; w->is_read && n < insn->imm; n++) {
		w->is_read = see(w->value + n, insn->arg, &text[n]);
		if (!text[n])
			break;
	}
	if (!w->is_read) {
		walk_put(w, consts + insn->off, type | FARGS_TYPE_FAULT, &w->value, 8);
		return;
	}
	if (n == insn->imm && (!see(w->value + n, insn->arg, &text[n]) || text[n]))
		type |= FARGS_TYPE_CUT;
	walk_put(w, consts + insn->off, type, text, n);
}

/* Runs the program byte by byte. Returns the end of the appended values. */
static uint8_t *walk(const struct program *p, uint8_t *body)
{
	struct walk w = { .body = body, .to = body + p->values_len };
	unsigned int i;

	for (i = 0; i < p->nr; i++) {
		switch (p->code[i].op) {
		case FARGS_OP_ARG:
			w.value = p->args[p->code[i].arg];
			w.is_read = true;
			break;
		case FARGS_OP_LOAD:
			walk_load(&w, &p->code[i]);
			break;
		case FARGS_OP_ST:
			walk_st(&w, &p->code[i]);
			break;
		default:
			walk_str(&w, &p->code[i]);
		}
	}
	return w.to;
}

/* Clears the padding of values, which is undefined and may differ from that of walk(). */
static void clear_padding(uint8_t *at, const uint8_t *end)
{
	uint16_t n;

	while (at < end) {
		at += strlen((const char *)at) + 2;
		memcpy(&n, at, 2);
		at += 2 + n;
		for (; n % 8; n++)
			*at++ = 0;
	}
}

static unsigned int nr_strings, nr_cuts, nr_faults, nr_values;

static void count(const uint8_t *body, const uint8_t *at, const uint8_t *end)
{
	uint16_t n;

	for (; body < at; body += 9)
		nr_values++;
	for (; at < end; at += 2 + (n + 7) / 8 * 8) {
		at += strlen((const char *)at) + 1;
		nr_strings += !(*at & (FARGS_TYPE_FAULT | FARGS_TYPE_CUT));
		nr_cuts += !!(*at & FARGS_TYPE_CUT);
		nr_faults += !!(*at & FARGS_TYPE_FAULT);
		memcpy(&n, ++at, 2);
	}
}

/*
 * Compares the results of the interpreter, of the chains and of reading byte by byte. Each body has
 * memory of the exact size, followed by guard bytes that must not change.
 */
static void compare(const struct program *p)
{
	const struct fargs_call call = { .regs = p->args };
	unsigned int room = p->values_len + p->append_max, i, len, want;
	uint8_t *machine = make_body(p, room + 8), *chains = make_body(p, room + 8);
	uint8_t *bytewise = make_body(p, room + 8), *end;

	len = fargs_prog_fetch(&p->prog, &call, machine, p->values_len);
	end = fargs_chains_fetch(&p->prog, p->args, chains, chains + p->values_len);
	CHECK_INT(end - chains, len);
	CHECK(len <= room && !memcmp(machine, chains, room + 8));
	for (i = 0; i < 8; i++)
		CHECK_INT(chains[room + i], 0xee);

	want = walk(p, bytewise) - bytewise;
	CHECK_INT(len, want);
	if (len == want) {
		clear_padding(chains + p->values_len, end);
		clear_padding(bytewise + p->values_len, bytewise + want);
		CHECK(!memcmp(chains, bytewise, want));
		count(chains, chains + p->values_len, end);
	}
	free(machine);
	free(chains);
	free(bytewise);
}

static void runs_as_the_machine(void)
{
	struct program p;
	unsigned int i;

	has_loads = true;
	for (i = 0; i < ROUNDS && !ktap_has_failed; i++) {
		if (i % 64 == 0)
			fill_pages();
		make(&p);
		REQUIRE(fargs_prog_is_chains(p.code, p.nr));
		compare(&p);
	}
	printf("# %u strings, %u cut, %u unreadable, %u other values\n", nr_strings, nr_cuts,
	       nr_faults, nr_values);
	CHECK(nr_strings > 1000 && nr_cuts > 1000 && nr_faults > 1000 && nr_values > 1000);
}

/* Compares the results for a string of at most @cap bytes at @addr. */
static void compare_str(uint64_t addr, uint32_t cap)
{
	struct program p = { .args = { addr } };

	add(&p, (struct fargs_insn){ .op = FARGS_OP_ARG, .dst = 3 });
	add(&p, (struct fargs_insn){ .op = FARGS_OP_PUT_STR, .src = 3, .off = 2, .imm = cap });
	p.append_max = FARGS_APPEND_BYTES(4, cap);
	fargs_prog_translate(p.code, p.nr, FARGS_PROG_ENTRY_FETCH, NULL, (const u8 *)consts,
			     p.translated);
	p.prog = (struct fargs_program){
		.insns = p.translated, .consts = (const u8 *)consts, .nr = p.nr,
	};
	compare(&p);
}

static void compare_caps(uint64_t addr)
{
	uint32_t cap;

	for (cap = 1; cap < 20; cap++)
		compare_str(addr, cap);
}

/*
 * Tests strings of every length that end at every distance before the end of a page, or cross it,
 * with every maximum length.
 */
static void ends_at_the_end_of_a_page(void)
{
	unsigned int page, len, left;

	has_loads = false;
	for (page = 0; page < PAGES; page++) {
		memset(pages[page].bytes, 'x', PAGE_SIZE);
		for (left = 0; left < 20; left++) {
			pages[page].bytes[PAGE_SIZE - 1 - left] = 0;
			for (len = 0; len < 20; len++)
				compare_caps(pages[page].addr + PAGE_SIZE - 1 - left - len);
			pages[page].bytes[PAGE_SIZE - 1 - left] = 'x';
		}
		for (len = 1; len < 20; len++)
			compare_caps(pages[page].addr + PAGE_SIZE - len);
	}
	CHECK(!has_crossed);
}

static void knows_what_is_no_chain(void)
{
	static const struct fargs_insn arg = { .op = FARGS_OP_ARG, .dst = 1 };
	static const struct fargs_insn load = { .op = FARGS_OP_LOAD, .dst = 1, .src = 1 };
	static const struct fargs_insn to_2 = { .op = FARGS_OP_LOAD, .dst = 2, .src = 1 };
	static const struct fargs_insn from_2 = { .op = FARGS_OP_LOAD, .dst = 1, .src = 2 };
	static const struct fargs_insn put = { .op = FARGS_OP_PUT_STR, .src = 1, .imm = 8 };
	static const struct fargs_insn put_2 = { .op = FARGS_OP_PUT_STR, .src = 2, .imm = 8 };
	static const struct fargs_insn st_2 = { .op = FARGS_OP_ST, .src = 2, .off = 1 };
	static const struct fargs_insn slot = { .op = FARGS_OP_SLOT, .dst = 1 };
	static const struct fargs_insn plus = { .op = FARGS_OP_ADD, .dst = 1, .imm = 8 };
	static const struct fargs_insn mem = { .op = FARGS_OP_PUT_MEM, .dst = 1, .src = 1 };
	static const struct fargs_insn jump = { .op = FARGS_OP_JMP };
	const struct {
		struct fargs_insn code[6];
		unsigned int nr;
		bool is_chains;
	} programs[] = {
		{ { arg, put }, 2, true },
		{ { arg, load, load, put, arg, put }, 6, true },
		{ { arg }, 0, false },
		{ { arg }, 1, false },
		{ { put }, 1, false },
		{ { arg, load }, 2, false },
		{ { arg, put, put }, 3, false },
		{ { arg, put, arg }, 3, false },
		{ { arg, put, load, put }, 4, false },
		{ { arg, put_2 }, 2, false },
		{ { arg, st_2 }, 2, false },
		{ { arg, to_2, put_2 }, 3, false },
		{ { arg, to_2, put }, 3, false },
		{ { arg, from_2, put }, 3, false },
		{ { arg, plus, put }, 3, false },
		{ { arg, arg, put }, 3, false },
		{ { slot, put }, 2, false },
		{ { arg, mem }, 2, false },
		{ { arg, put, jump }, 3, false },
		{ { jump, arg, put }, 3, false },
	};
	unsigned int i;

	for (i = 0; i < sizeof(programs) / sizeof(programs[0]); i++)
		if (fargs_prog_is_chains(programs[i].code, programs[i].nr) != programs[i].is_chains)
			ktap_fail(__FILE__, __LINE__, "program %u", i);
}

static const struct ktap_test tests[] = {
	{ "chains have the interpreter's results", runs_as_the_machine },
	{ "strings may end at or after the end of a page", ends_at_the_end_of_a_page },
	{ "programs that are not chains are recognised", knows_what_is_no_chain },
};

int main(void)
{
	return KTAP_RUN(tests);
}
