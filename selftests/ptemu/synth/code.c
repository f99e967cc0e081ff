// SPDX-License-Identifier: GPL-2.0-only
#include "code.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct mnemonic {
	const char *name;
	uint8_t kind;
	uint8_t size;		/* of the bytes below */
	uint8_t bytes[6];
	/* Bytes after them: a distance to a label, or a number. */
	uint8_t distance_size, number_size;
};

/* Distances have four bytes in 64- and 32-bit code; 16-bit code has to use the forms with one. */
static const struct mnemonic mnemonics[] = {
	{ "jcc", CODE_JCC, 2, { 0x0f, 0x84 }, 4, 0 },
	{ "jcc8", CODE_JCC, 1, { 0x74 }, 1, 0 },
	{ "jmp", CODE_JMP, 1, { 0xe9 }, 4, 0 },
	{ "jmp8", CODE_JMP, 1, { 0xeb }, 1, 0 },
	{ "call", CODE_CALL, 1, { 0xe8 }, 4, 0 },
	{ "jmp*", CODE_JMP_INDIRECT, 2, { 0xff, 0xe0 }, 0, 0 },
	{ "call*", CODE_CALL_INDIRECT, 2, { 0xff, 0xd0 }, 0, 0 },
	{ "ret", CODE_RET, 1, { 0xc3 }, 0, 0 },
	{ "jmpf", CODE_FAR, 2, { 0xff, 0x28 }, 0, 0 },
	{ "callf", CODE_FAR, 2, { 0xff, 0x18 }, 0, 0 },
	{ "retf", CODE_FAR, 1, { 0xcb }, 0, 0 },
	{ "syscall", CODE_SYSCALL, 2, { 0x0f, 0x05 }, 0, 0 },
	{ "sysret", CODE_SYSRET, 2, { 0x0f, 0x07 }, 0, 0 },
	{ "iret", CODE_IRET, 1, { 0xcf }, 0, 0 },
	{ "int", CODE_INT, 1, { 0xcd }, 0, 1 },
	{ "movcr3", CODE_MOV_CR3, 3, { 0x0f, 0x22, 0xd8 }, 0, 0 },
	{ "ptwrite", CODE_PTWRITE, 5, { 0xf3, 0x48, 0x0f, 0xae, 0xe0 }, 0, 0 },
	{ "ptwrite4", CODE_PTWRITE, 4, { 0xf3, 0x0f, 0xae, 0xe0 }, 0, 0 },
	{ "mwait", CODE_MWAIT, 3, { 0x0f, 0x01, 0xc9 }, 0, 0 },
	{ "hlt", CODE_PLAIN, 1, { 0xf4 }, 0, 0 },
	{ "wrmsr", CODE_PLAIN, 2, { 0x0f, 0x30 }, 0, 0 },
	{ "cpuid", CODE_PLAIN, 2, { 0x0f, 0xa2 }, 0, 0 },
	{ "vmlaunch", CODE_VMENTRY, 3, { 0x0f, 0x01, 0xc2 }, 0, 0 },
	{ "vmresume", CODE_VMENTRY, 3, { 0x0f, 0x01, 0xc3 }, 0, 0 },
	{ "vmcall", CODE_PLAIN, 3, { 0x0f, 0x01, 0xc1 }, 0, 0 },
	{ "vmptrld", CODE_VMPTRLD, 3, { 0x0f, 0xc7, 0x30 }, 0, 0 },
	{ "xbegin", CODE_XBEGIN, 2, { 0xc7, 0xf8 }, 4, 0 },
	{ "xend", CODE_XEND, 3, { 0x0f, 0x01, 0xd5 }, 0, 0 },
	{ "xabort", CODE_PLAIN, 2, { 0xc6, 0xf8 }, 0, 1 },
	{ "sti", CODE_STI, 1, { 0xfb }, 0, 0 },
	{ "cli", CODE_CLI, 1, { 0xfa }, 0, 0 },
	{ "rsm", CODE_RSM, 2, { 0x0f, 0xaa }, 0, 0 },
	{ "uiret", CODE_UIRET, 4, { 0xf3, 0x0f, 0x01, 0xec }, 0, 0 },
};

/* The multi-byte nops of the SDM's volume 2, by size. */
static const uint8_t nops[][9] = {
	{ 0x90 }, { 0x66, 0x90 }, { 0x0f, 0x1f, 0x00 }, { 0x0f, 0x1f, 0x40 },
	{ 0x0f, 0x1f, 0x44 }, { 0x66, 0x0f, 0x1f, 0x44 }, { 0x0f, 0x1f, 0x80 },
	{ 0x0f, 0x1f, 0x84 }, { 0x66, 0x0f, 0x1f, 0x84 },
};

void code_deinit(struct code *code)
{
	free(code->insns);
	free(code->labels);
	memset(code, 0, sizeof(*code));
}

void code_org(struct code *code, uint64_t ip, unsigned int nr_bits)
{
	code->at = ip;
	code->nr_bits = (uint8_t)nr_bits;
}

static const struct code_label *find_label(const struct code *code, const char *name, size_t size)
{
	size_t i;

	for (i = 0; i < code->nr_labels; i++)
		if (strlen(code->labels[i].name) == size &&
		    !memcmp(code->labels[i].name, name, size))
			return &code->labels[i];
	return NULL;
}

const char *code_label(struct code *code, const char *name)
{
	struct code_label *labels;

	if (strlen(name) >= CODE_NAME_MAX)
		return "the name of the label is too long";
	if (find_label(code, name, strlen(name)))
		return "the label exists already";
	labels = realloc(code->labels, (code->nr_labels + 1) * sizeof(*labels));
	if (!labels)
		return "out of memory";
	code->labels = labels;
	labels += code->nr_labels++;
	strcpy(labels->name, name);
	labels->ip = code->at;
	return NULL;
}

static const struct mnemonic *find_mnemonic(const char *name)
{
	size_t i;

	for (i = 0; i < sizeof(mnemonics) / sizeof(mnemonics[0]); i++)
		if (!strcmp(mnemonics[i].name, name))
			return &mnemonics[i];
	return NULL;
}

static const char *put_nop(struct code_insn *insn, const char *operand)
{
	unsigned long size = operand ? strtoul(operand, NULL, 0) : 1;

	if (!size || size > sizeof(nops) / sizeof(nops[0]))
		return "a nop has 1 to 9 bytes";
	insn->size = (uint8_t)size;
	memcpy(insn->bytes, nops[size - 1], size);
	return NULL;
}

static const char *put_bytes(struct code_insn *insn, const char *operand)
{
	unsigned int byte;
	int used;

	for (; operand && sscanf(operand, "%2x%n", &byte, &used) == 1; operand += used) {
		if (insn->size == CODE_INSN_MAX)
			return "too many bytes for an instruction";
		insn->bytes[insn->size++] = (uint8_t)byte;
	}
	return insn->size ? NULL : "bytes are missing";
}

static const char *put_mnemonic(struct code_insn *insn, const struct mnemonic *m,
				const char *operand)
{
	insn->kind = m->kind;
	insn->size = m->size + m->distance_size + m->number_size;
	memcpy(insn->bytes, m->bytes, m->size);
	insn->distance_size = m->distance_size;
	if (!m->distance_size && !m->number_size)
		return operand ? "unexpected operand" : NULL;
	if (!operand || strlen(operand) >= CODE_NAME_MAX)
		return "an operand is missing, or too long";
	if (m->distance_size)
		strcpy(insn->label, operand);
	else
		insn->value = (uint8_t)strtoul(operand, NULL, 0);
	if (m->number_size)
		insn->bytes[m->size] = insn->value;
	return NULL;
}

const char *code_add(struct code *code, const char *name, const char *operand)
{
	struct code_insn insn = { .ip = code->at, .nr_bits = code->nr_bits };
	const struct mnemonic *m = find_mnemonic(name);
	struct code_insn *insns;
	const char *error;

	if (!strcmp(name, "nop"))
		error = put_nop(&insn, operand);
	else if (!strcmp(name, "bytes"))
		error = put_bytes(&insn, operand);
	else
		error = m ? put_mnemonic(&insn, m, operand) : "unknown instruction";
	if (error)
		return error;
	if (insn.kind == CODE_PTWRITE)
		insn.value = insn.size == 5 ? 8 : 4;
	insns = realloc(code->insns, (code->nr_insns + 1) * sizeof(*insns));
	if (!insns)
		return "out of memory";
	code->insns = insns;
	insns[code->nr_insns++] = insn;
	code->at += insn.size;
	return NULL;
}

const char *code_link(struct code *code)
{
	struct code_insn *insn;
	int64_t distance;

	for (insn = code->insns; insn < code->insns + code->nr_insns; insn++) {
		if (!insn->distance_size)
			continue;
		if (!code_address(code, insn->label, &insn->target))
			return "a label does not exist";
		distance = (int64_t)(insn->target - insn->ip - insn->size);
		if (distance != (insn->distance_size == 1 ? (int8_t)distance : (int32_t)distance))
			return "a label is too far away";
		memcpy(insn->bytes + insn->size - insn->distance_size, &distance,
		       insn->distance_size);
	}
	return NULL;
}

const struct code_insn *code_find(const struct code *code, uint64_t ip)
{
	size_t i;

	for (i = 0; i < code->nr_insns; i++)
		if (code->insns[i].ip == ip)
			return &code->insns[i];
	return NULL;
}

bool code_address(const struct code *code, const char *text, uint64_t *ip)
{
	size_t size = strcspn(text, "+-");
	const struct code_label *label = find_label(code, text, size);
	char *end;

	if (!label) {
		*ip = strtoull(text, &end, 0);
		return end != text && !*end;
	}
	*ip = label->ip;
	if (text[size]) {
		*ip += (uint64_t)strtoll(text + size, &end, 0);
		return !*end;
	}
	return true;
}
