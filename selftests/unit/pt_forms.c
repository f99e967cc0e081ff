// SPDX-License-Identifier: GPL-2.0-only
/*
 * Tests that instructions whose form is known are decoded as those that are decoded for the first
 * time: each opcode of the legacy maps with each ModRM byte, and others at random.
 */
#include "unit/ktap.h"

#include <stdlib.h>

#include "source/pt/code/forms.h"

#define NR(array)	(sizeof(array) / sizeof((array)[0]))
#define NR_RANDOM	300000u
#define NR_SHOWN	5

static struct fargs_pt_forms *forms;
static unsigned long nr_tried, nr_wrong;
static uint64_t state;

static uint64_t random64(void)
{
	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return state;
}

static void show(const uint8_t *code, enum fargs_pt_exec_mode mode)
{
	size_t i;

	printf("# mode %d:", mode);
	for (i = 0; i < FARGS_PT_INSN_MAX; i++)
		printf(" %02x", code[i]);
	putchar('\n');
}

/* Decodes @code in both ways. */
static void compare(const uint8_t *code, enum fargs_pt_exec_mode mode)
{
	struct fargs_pt_decoded known = { }, fresh = { };
	bool is_known = fargs_pt_forms_decode(forms, code, mode, &known);
	bool is_fresh = fargs_pt_insn_decode(code, FARGS_PT_INSN_MAX, mode, &fresh);

	nr_tried++;
	if (is_known == is_fresh &&
	    (!is_known || (known.size == fresh.size && known.class == fresh.class &&
			   known.displacement == fresh.displacement &&
			   known.operand_bits == fresh.operand_bits)))
		return;
	if (nr_wrong++ < NR_SHOWN)
		show(code, mode);
}

static void begin_test(void)
{
	forms = fargs_pt_forms_create();
	nr_tried = 0;
	nr_wrong = 0;
	state = 0x9e3779b97f4a7c15;
}

static void end_test(void)
{
	fargs_pt_forms_destroy(forms);
	printf("# %lu instructions\n", nr_tried);
	CHECK(nr_tried > NR_RANDOM);
	CHECK_INT(nr_wrong, 0);
}

/* Decodes @nr bytes and what follows them: first to know the form, then as the known form. */
static void compare_tails(const uint8_t *begin, size_t nr)
{
	struct fargs_pt_decoded insn;
	uint8_t code[16];
	uint64_t tail;

	memcpy(code, begin, nr);
	memset(code + nr, 0, sizeof(code) - nr);
	fargs_pt_forms_decode(forms, code, FARGS_PT_EXEC_64, &insn);
	tail = random64();
	memcpy(code + nr, &tail, sizeof(code) - nr < 8 ? sizeof(code) - nr : 8);
	compare(code, FARGS_PT_EXEC_64);
}

static void compare_opcode(const char *prefixes, bool is_second, unsigned int opcode)
{
	/* With and without a base or an index; RSP and R13 are special. */
	static const uint8_t sibs[] = { 0x00, 0x25, 0xe5 };
	size_t nr = strlen(prefixes), i;
	unsigned int modrm;
	uint8_t code[16];

	memcpy(code, prefixes, nr);
	if (is_second)
		code[nr++] = 0x0f;
	code[nr++] = opcode;
	for (modrm = 0; modrm < 256; modrm++) {
		code[nr] = modrm;
		for (i = 0; i < (modrm < 0xc0 && (modrm & 7) == 4 ? NR(sibs) : 1); i++) {
			code[nr + 1] = sibs[i];
			compare_tails(code, nr + 2);
		}
	}
}

static void knows_each_opcode(void)
{
	static const char *const prefixes[] = {
		"", "\x66", "\xf2", "\xf3", "\xf0", "\x67", "\x48", "\x44", "\x66\x4f", "\x48\x66",
		"\xf3\x48", "\x66\xf2\x41",
	};
	unsigned int opcode;
	size_t i;

	begin_test();
	for (i = 0; i < NR(prefixes); i++) {
		for (opcode = 0; opcode < 256; opcode++) {
			compare_opcode(prefixes[i], false, opcode);
			compare_opcode(prefixes[i], true, opcode);
		}
	}
	end_test();
}

static void knows_random_code(void)
{
	static const uint8_t common[] = {
		0x66, 0x67, 0xf0, 0xf2, 0xf3, 0x2e, 0x3e, 0x65, 0x40, 0x48, 0x4f, 0x0f, 0xc4, 0xc5,
		0x62, 0xd5, 0xe8, 0xe9, 0x0f, 0x84, 0xff, 0x8f, 0xc7, 0x0f, 0x01, 0x38, 0x3a,
	};
	unsigned int i, j;
	uint8_t code[16];
	uint64_t bits;

	begin_test();
	/* The modes change, so a form that is known in one must not be used in another. */
	for (i = 0; i < NR_RANDOM; i++) {
		for (j = 0; j < sizeof(code); j++) {
			bits = random64();
			code[j] = bits & 1 && j < 5 ? common[(bits >> 8) % NR(common)] : bits >> 8;
		}
		for (j = 0; j < 3; j++)
			compare(code, j);
		code[8] ^= 0x5a;
		compare(code, FARGS_PT_EXEC_64);
	}
	end_test();
}

int main(void)
{
	static const struct ktap_test tests[] = {
		{ "opcodes with known forms are decoded as others are", knows_each_opcode },
		{ "random bytes with known forms are decoded as others are", knows_random_code },
	};

	return KTAP_RUN(tests);
}
