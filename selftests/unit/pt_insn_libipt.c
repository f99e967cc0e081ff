// SPDX-License-Identifier: GPL-2.0-only
/*
 * Compares sizes, classes and targets of instructions with libipt's: in a kernel's code, and of
 * random bytes. Each difference must be one that is listed here, with who is right.
 *
 *	pt_insn_libipt [NUMBER]		of random instructions; without it also less of the kernel
 */
#include "unit/pt_testdata.h"

#include <elf.h>
#include <stdlib.h>

#include "base/file.h"
#include "fuzz/random.h"
#include "unit/pt_insn_undefined.h"
#include "unit/pt_insn_witness.h"

#define NR(array)	(sizeof(array) / sizeof((array)[0]))
#define KCORE		"pt-kernel/perf.data/kcore_dir/kcore"
#define FEW		200000

static unsigned long nr_random = FEW;

/* Whatever in an instruction decides whether it is defined, except of operands' values. */
struct parts {
	bool has_66, has_lock, has_rex, is_vex, is_evex, is_rex2;
	uint8_t rex, rep;
	uint8_t map, opcode, modrm;
};

static bool take_prefix(struct parts *p, uint8_t byte, enum fargs_pt_exec_mode mode)
{
	switch (byte) {
	case 0x66:
		p->has_66 = true;
		break;
	case 0xf0:
		p->has_lock = true;
		break;
	case 0xf2: case 0xf3:
		p->rep = byte;
		break;
	case 0x26: case 0x2e: case 0x36: case 0x3e: case 0x64: case 0x65: case 0x67:
		break;
	default:
		if (mode != FARGS_PT_EXEC_64 || byte >> 4 != 4)
			return false;
		p->has_rex = true;
		p->rex = byte;
		return true;
	}
	p->has_rex = false;
	return true;
}

/* There are at least two more bytes than an instruction can have. */
static struct parts parts_of(const uint8_t *code, enum fargs_pt_exec_mode mode)
{
	struct parts p = { 0 };
	size_t at = 0;

	while (at < FARGS_PT_INSN_MAX && take_prefix(&p, code[at], mode))
		at++;
	if (!p.has_rex)
		p.rex = 0;
	p.is_rex2 = mode == FARGS_PT_EXEC_64 && code[at] == 0xd5;
	if (mode == FARGS_PT_EXEC_64 || code[at + 1] >= 0xc0) {
		p.is_vex = code[at] == 0xc4 || code[at] == 0xc5;
		p.is_evex = code[at] == 0x62;
	}
	if (code[at] == 0xc5 && p.is_vex) {
		p.map = 1;
		at += 2;
	} else if (p.is_vex) {
		p.map = code[at + 1] & 0x1f;
		at += 3;
	} else if (p.is_evex) {
		p.map = code[at + 1] & 7;
		at += 4;
	} else if (code[at] == 0x0f) {
		at++;
		p.map = code[at] == 0x38 ? 2 : code[at] == 0x3a ? 3 : 1;
		at += p.map > 1;
	}
	p.opcode = code[at];
	p.modrm = code[at + 1];
	return p;
}

/* Returns whether @set, as it is written in pt_insn_undefined.h, contains @modrm. */
static bool contains(const char *set, uint8_t modrm)
{
	bool is_register = modrm >> 6 == 3, is_here = false;
	char reg = '0' + (modrm >> 3 & 7), rm = '0' + (modrm & 7);
	size_t nr;

	if (!strcmp(set, "all"))
		return true;
	for (; *set; set++) {
		switch (*set) {
		case 'M': case 'R':
			if (is_register == (*set == 'R'))
				return true;
			set += 2;
			break;
		case 'm': case 'r':
			is_here = is_register == (*set == 'r');
			break;
		case '(':
			nr = strcspn(set, ")");
			if (is_here && set[1] == reg && memchr(set + 3, rm, nr - 3))
				return true;
			set += nr;
			break;
		default:
			if (is_here && *set == reg)
				return true;
		}
	}
	return false;
}

static const struct undefined *find_undefined(const struct parts *p, enum fargs_pt_exec_mode mode)
{
	unsigned int set = p->rep ? p->rep & 3 : p->has_66;
	size_t i;

	for (i = 0; i < NR(undefineds); i++) {
		const struct undefined *u = &undefineds[i];

		/* F2 is in the third column, F3 in the fourth. */
		if (u->map == p->map && u->first <= p->opcode && p->opcode <= u->last &&
		    u->modes >> mode & 1 && contains(u->sets[set], p->modrm))
			return u;
	}
	return NULL;
}

/* What is different. */
enum { SIZE = 1, CLASS = 2, TARGET = 4, OURS = 8, THEIRS = 16 };

struct compared {
	struct parts p;
	enum fargs_pt_exec_mode mode;
	struct fargs_pt_decoded ours;
	struct witnessed theirs;
	unsigned int difference;	/* OURS, THEIRS: only one decodes it */
};

static bool is_vector(const struct compared *c)
{
	return c->p.is_vex || c->p.is_evex;
}

static bool is_locked(const struct compared *c)
{
	return c->difference == THEIRS && c->p.has_lock;
}

static bool is_prefixed_vector(const struct compared *c)
{
	return c->difference == THEIRS && is_vector(c) &&
	       (c->p.has_66 || c->p.rep || c->p.has_rex);
}

static bool is_reserved_vector(const struct compared *c)
{
	return c->difference == THEIRS && is_vector(c) &&
	       (c->p.map == 0 || c->p.map == 4 || c->p.map == 6 || c->p.map > 7) &&
	       (!c->p.is_evex || c->p.map == 0 || c->mode != FARGS_PT_EXEC_64);
}

/* CR8 does exist. */
static bool is_cr9(const struct compared *c)
{
	return c->difference == THEIRS && !is_vector(c) && c->p.map == 1 &&
	       (c->p.opcode & 0xfc) == 0x20 && c->p.rex & 4 &&
	       (c->p.opcode & 1 || (c->p.modrm & 0x38) != 0);
}

static bool is_ptwrite_66(const struct compared *c)
{
	return c->difference == CLASS && c->ours.class == FARGS_PT_CLASS_PTWRITE && c->p.has_66;
}

static bool is_rex2(const struct compared *c)
{
	return c->p.is_rex2;
}

static bool is_fred(const struct compared *c)
{
	return c->difference == CLASS && c->ours.class == FARGS_PT_CLASS_ERET;
}

static bool is_unknown_vector(const struct compared *c)
{
	return c->difference == SIZE && is_vector(c) && c->p.map == 1 &&
	       c->ours.class == FARGS_PT_CLASS_OTHER && c->theirs.class == ptic_other;
}

static bool is_new_map(const struct compared *c)
{
	/* The four bytes of an immediate may make it too long. */
	return (c->difference == SIZE || c->difference == OURS ||
		(c->difference == THEIRS && c->p.map == 7)) && is_vector(c) && c->p.map > 3 &&
	       c->ours.class == FARGS_PT_CLASS_OTHER;
}

static bool is_ud(const struct compared *c)
{
	return c->difference == SIZE && c->p.map == 1 && !is_vector(c) &&
	       (c->p.opcode == 0xb9 || c->p.opcode == 0xff);
}

static bool is_truncated(const struct compared *c)
{
	return c->difference == TARGET && c->mode != FARGS_PT_EXEC_64;
}

/* Differences other than those in undefineds[]. */
static const struct rule {
	bool (*is)(const struct compared *c);
	const char *why;
} rules[] = {
	{
		is_locked,
		"fargs: LOCK is #UD except before some instructions with a destination in "
		"memory (SDM 2, LOCK)",
	},
	{
		is_prefixed_vector,
		"fargs: VEX and EVEX after 66, F2, F3 or REX are #UD (SDM 2, 2.3.2 to 2.3.4, "
		"2.7.11)",
	},
	{
		is_reserved_vector,
		"fargs: no opcodes in this map (SDM 2, 2.3.6.1, 2.7.1; APX 3.1.2: map 4 in "
		"64-bit mode only)",
	},
	{
		is_cr9,
		"fargs: REX.R selects CR9 to CR15, or DR8 to DR15: #UD (SDM 2, MOV to/from "
		"control registers, debug registers)",
	},
	{
		is_ptwrite_66,
		"none: 66 before PTWRITE is #UD (SDM 2, PTWRITE)",
	},
	{
		is_rex2,
		"fargs: D5 is REX2 (APX 3.1.1); libipt up to 2.1 decodes AAD, which is "
		"invalid in 64-bit mode",
	},
	{
		is_fred,
		"fargs: ERETU and ERETS (FRED 6.2); libipt up to 2.1 decodes CLAC",
	},
	{
		is_unknown_vector,
		"none: opcodes that do not exist in map 1; where new ones have been added, "
		"they have a ModRM byte",
	},
	{
		is_new_map,
		"fargs: maps 4 to 7 (APX, AVX512-FP16, MSR_IMM, AMX); libipt 2.0 knows none "
		"of them, 2.1 not map 5 of VEX",
	},
	{
		is_ud,
		"fargs: UD0 and UD1 have a ModRM byte (SDM 2, UD); libipt since 2.1 agrees",
	},
	{
		is_truncated,
		"fargs: without 64 bits EIP has 32 bits, or 16 with that operand size (SDM "
		"2, JMP); libipt does not truncate addresses",
	},
};

static unsigned long nr_by_rule[NR(rules)], nr_by_why[NR(undefined_why)];

static bool is_listed(const struct compared *c)
{
	const struct undefined *u;
	size_t i;

	for (i = 0; i < NR(rules); i++) {
		if (rules[i].is(c)) {
			nr_by_rule[i]++;
			return true;
		}
	}
	if (c->difference != THEIRS || is_vector(c))
		return false;
	u = find_undefined(&c->p, c->mode);
	if (u)
		nr_by_why[u->why]++;
	return u;
}

static void print_counts(void)
{
	size_t i;

	for (i = 0; i < NR(rules); i++)
		if (nr_by_rule[i])
			printf("# %lu: %s\n", nr_by_rule[i], rules[i].why);
	for (i = 0; i < NR(undefined_why); i++)
		if (nr_by_why[i])
			printf("# %lu: fargs: %s\n", nr_by_why[i], undefined_why[i]);
	memset(nr_by_rule, 0, sizeof(nr_by_rule));
	memset(nr_by_why, 0, sizeof(nr_by_why));
}

static enum pt_insn_class iclass_of(enum fargs_pt_class class)
{
	switch (class) {
	case FARGS_PT_CLASS_CALL: case FARGS_PT_CLASS_CALL_INDIRECT:
		return ptic_call;
	case FARGS_PT_CLASS_JUMP: case FARGS_PT_CLASS_JUMP_INDIRECT:
		return ptic_jump;
	case FARGS_PT_CLASS_COND:
		return ptic_cond_jump;
	case FARGS_PT_CLASS_RETURN:
		return ptic_return;
	case FARGS_PT_CLASS_INT: case FARGS_PT_CLASS_SYSCALL:
	case FARGS_PT_CLASS_FAR_CALL: case FARGS_PT_CLASS_VMCALL:
		return ptic_far_call;
	case FARGS_PT_CLASS_IRET: case FARGS_PT_CLASS_ERET: case FARGS_PT_CLASS_SYSRET:
	case FARGS_PT_CLASS_FAR_RETURN: case FARGS_PT_CLASS_UIRET: case FARGS_PT_CLASS_VMENTRY:
		return ptic_far_return;
	case FARGS_PT_CLASS_FAR_JUMP:
		return ptic_far_jump;
	case FARGS_PT_CLASS_PTWRITE:
		return ptic_ptwrite;
	default:
		return ptic_other;
	}
}

/* libipt goes on after direct branches only: other targets need a packet. */
static bool is_target_same(const struct compared *c)
{
	switch (c->ours.class) {
	case FARGS_PT_CLASS_CALL: case FARGS_PT_CLASS_JUMP: case FARGS_PT_CLASS_COND:
		return c->theirs.has_target &&
		       (int64_t)fargs_pt_insn_target(&c->ours, WITNESS_IP, c->mode) - WITNESS_IP ==
		       c->theirs.target;
	default:
		return !c->theirs.has_target;
	}
}

/* @code: two more bytes can be read than an instruction can have. */
static void compare(struct compared *c, struct witness *w, const uint8_t *code,
		    enum fargs_pt_exec_mode mode)
{
	bool ok = fargs_pt_insn_decode(code, FARGS_PT_INSN_MAX, mode, &c->ours);

	witness_decode(w, code, FARGS_PT_INSN_MAX, &c->theirs);
	c->mode = mode;
	c->difference = 0;
	if (!ok || !c->theirs.size) {
		c->difference = ok ? OURS : c->theirs.size ? THEIRS : 0;
	} else {
		if (c->ours.size != c->theirs.size)
			c->difference |= SIZE;
		if (iclass_of(c->ours.class) != c->theirs.class)
			c->difference |= CLASS;
		else if (!c->difference && !is_target_same(c))
			c->difference |= TARGET;
	}
	if (c->difference)
		c->p = parts_of(code, mode);
}

/* Returns false if the difference is not listed. */
static bool check(const struct compared *c, const uint8_t *code)
{
	char text[3 * FARGS_PT_INSN_MAX + 1];
	size_t i;

	if (!c->difference || is_listed(c))
		return true;
	for (i = 0; i < FARGS_PT_INSN_MAX; i++)
		sprintf(text + 3 * i, " %02x", code[i]);
	ktap_fail(__FILE__, __LINE__,
		  "mode %u, difference %u:%s: size %u, class %u; libipt: %u, %u", c->mode,
		  c->difference, text, c->ours.size, c->ours.class, c->theirs.size,
		  c->theirs.class);
	return false;
}

static bool can_witness(struct witness *w, enum fargs_pt_exec_mode mode)
{
	if (witness_init(w, mode))
		return true;
	ktap_fail(__FILE__, __LINE__, "libipt has no decoder");
	witness_deinit(w);
	return false;
}

/* Bytes that lead to other maps and encodings are more frequent than others at the beginning. */
static void make_random(struct fuzz_random *random, uint8_t *code, size_t bytes)
{
	static const uint8_t leads[] = {
		0x0f, 0x0f, 0x0f, 0x66, 0xf2, 0xf3, 0x48, 0xc4, 0xc5, 0x62, 0xd5,
	};
	size_t i, nr = 0;

	for (i = 0; i < bytes; i++)
		code[i] = fuzz_random(random);
	while (nr < 3 && fuzz_once_in(random, 2))
		code[nr++] = leads[fuzz_below(random, sizeof(leads))];
	if (nr && code[nr - 1] == 0x0f && fuzz_once_in(random, 4))
		code[nr] = fuzz_once_in(random, 2) ? 0x38 : 0x3a;
}

static void random_in(enum fargs_pt_exec_mode mode, unsigned long nr)
{
	struct fuzz_random random = { .state = 1 };
	uint8_t code[FARGS_PT_INSN_MAX + 5];
	unsigned int nr_failures = 0;
	struct compared c;
	struct witness w;

	if (!can_witness(&w, mode))
		return;
	for (; nr && nr_failures < 20; nr--) {
		make_random(&random, code, sizeof(code));
		compare(&c, &w, code, mode);
		nr_failures += !check(&c, code);
	}
	witness_deinit(&w);
	print_counts();
}

static void random_64(void)
{
	random_in(FARGS_PT_EXEC_64, nr_random);
}

static void random_32(void)
{
	random_in(FARGS_PT_EXEC_32, nr_random / 2);
}

static void random_16(void)
{
	random_in(FARGS_PT_EXEC_16, nr_random / 2);
}

/* Goes through @code, by the sizes of libipt. Returns the number of instructions. */
static unsigned long compare_code(struct witness *w, const uint8_t *code, size_t bytes,
				  unsigned long *nr_differences)
{
	unsigned long nr = 0;
	struct compared c;
	size_t at = 0;

	while (at + FARGS_PT_INSN_MAX + 2 <= bytes) {
		compare(&c, w, code + at, FARGS_PT_EXEC_64);
		*nr_differences += c.difference != 0;
		if (!check(&c, code + at))
			return nr;
		at += c.theirs.size ? c.theirs.size : 1;
		nr++;
	}
	return nr;
}

static size_t least(size_t a, size_t b)
{
	return a < b ? a : b;
}

/* The file also has data, and what was copied may begin in an instruction: both are as random. */
static void kernel_code(void)
{
	unsigned long nr = 0, nr_here, nr_differences;
	const Elf64_Ehdr *ehdr;
	const Elf64_Phdr *phdr;
	struct witness w;
	size_t bytes, i, at, step;
	char *data;

	if (!pt_testdata_unpack("pt-kernel"))
		return;
	data = fargs_file_read(pt_testdata_at(KCORE), &bytes);
	REQUIRE(data && bytes > sizeof(*ehdr));
	ehdr = (const Elf64_Ehdr *)data;
	phdr = (const Elf64_Phdr *)(data + ehdr->e_phoff);
	REQUIRE(ehdr->e_phoff + ehdr->e_phnum * sizeof(*phdr) <= bytes);
	REQUIRE(can_witness(&w, FARGS_PT_EXEC_64));
	step = nr_random == FEW ? 4 : 1;
	for (i = 0; i < ehdr->e_phnum; i++) {
		if (phdr[i].p_type != PT_LOAD || phdr[i].p_offset + phdr[i].p_filesz > bytes)
			continue;
		nr_here = 0;
		nr_differences = 0;
		for (at = 0; at < phdr[i].p_filesz; at += (size_t)step << 16)
			nr_here += compare_code(&w, (uint8_t *)data + phdr[i].p_offset + at,
						least(phdr[i].p_filesz - at, 1 << 16),
						&nr_differences);
		nr += nr_here;
		printf("# %" PRIx64 ": %lu instructions, %lu differences\n",
		       (uint64_t)phdr[i].p_vaddr, nr_here, nr_differences);
	}
	witness_deinit(&w);
	free(data);
	print_counts();
	CHECK(nr > 3000000 / step);
}

/* What is in the table, and nothing else, is undefined; except what newer CPUs define. */
static void undefined(void)
{
	static const uint8_t prefixes[] = { 0, 0x66, 0xf2, 0xf3 };
	static const uint8_t maps[][3] = {
		{ 0 }, { 1, 0x0f }, { 2, 0x0f, 0x38 }, { 2, 0x0f, 0x3a },
	};
	uint8_t code[FARGS_PT_INSN_MAX + 2];
	struct fargs_pt_decoded insn;
	unsigned int i, mode, failures = 0;
	struct parts p;
	size_t at;

	/* The bits: mode, map, prefix, opcode, ModRM. */
	for (i = 0; i < 3 << 20 && failures < 20; i++) {
		mode = i >> 20;
		memset(code, 0, sizeof(code));
		at = 0;
		if (i >> 16 & 3)
			code[at++] = prefixes[i >> 16 & 3];
		memcpy(code + at, maps[i >> 18 & 3] + 1, maps[i >> 18 & 3][0]);
		at += maps[i >> 18 & 3][0];
		code[at++] = i >> 8;
		code[at] = i;
		p = parts_of(code, mode);
		/* Prefixes, and what has three bytes. */
		if (p.opcode != (i >> 8 & 0xff) || p.map != (i >> 18 & 3) || p.is_vex ||
		    p.is_evex || p.is_rex2)
			continue;
		if (fargs_pt_insn_decode(code, FARGS_PT_INSN_MAX, mode, &insn) ==
		    !find_undefined(&p, mode))
			continue;
		ktap_fail(__FILE__, __LINE__, "mode %u, prefix %02x, map %u: %02x %02x", mode,
			  prefixes[i >> 16 & 3], p.map, p.opcode, p.modrm);
		failures++;
	}
}

int main(int argc, char *argv[])
{
	static const struct ktap_test tests[] = {
		{ "undefined opcodes are those that are listed", undefined },
		{ "the kernel's code is the same for libipt", kernel_code },
		{ "random code of 64 bits is the same for libipt", random_64 },
		{ "random code of 32 bits is the same for libipt", random_32 },
		{ "random code of 16 bits is the same for libipt", random_16 },
	};
	int status;

	if (argc > 1)
		nr_random = strtoul(argv[1], NULL, 0);
	status = KTAP_RUN(tests);
	pt_testdata_clean_up();
	return status;
}
