/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The code of a synthetic stream: a tiny assembler, and the instructions that it made. There are no
 * operands but labels and numbers, because only the flow of control matters.
 */
#ifndef SYNTH_CODE_H
#define SYNTH_CODE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define CODE_INSN_MAX	15
#define CODE_NAME_MAX	32

enum code_kind {
	CODE_PLAIN,
	CODE_JCC,
	CODE_JMP,
	CODE_CALL,
	CODE_JMP_INDIRECT,
	CODE_CALL_INDIRECT,
	CODE_RET,
	CODE_FAR,		/* far jump, call and return */
	CODE_SYSCALL,
	CODE_SYSRET,
	CODE_IRET,
	CODE_INT,		/* value: vector */
	CODE_MOV_CR3,
	CODE_PTWRITE,		/* value: size of the operand */
	CODE_MWAIT,
	CODE_VMENTRY,
	CODE_VMPTRLD,
	CODE_XBEGIN,
	CODE_XEND,
	CODE_STI,
	CODE_CLI,
	CODE_RSM,
	CODE_UIRET,
};

struct code_insn {
	uint64_t ip, target;	/* target: of JCC, JMP, CALL and XBEGIN */
	uint8_t kind, size, nr_bits, value;
	uint8_t bytes[CODE_INSN_MAX];
	/* A label whose distance must be written once it is known. */
	char label[CODE_NAME_MAX];
	uint8_t distance_size;
};

struct code_label {
	char name[CODE_NAME_MAX];
	uint64_t ip;
};

struct code {
	struct code_insn *insns;	/* in the order of the text */
	size_t nr_insns;
	struct code_label *labels;
	size_t nr_labels;
	uint64_t at;			/* where the next instruction is put */
	uint8_t nr_bits;
};

void code_deinit(struct code *code);
/* Continues at @ip, with code of @nr_bits bits. */
void code_org(struct code *code, uint64_t ip, unsigned int nr_bits);
/* Defines a label here. Returns NULL, or an error. */
const char *code_label(struct code *code, const char *name);
/* Adds an instruction; @operand may be NULL. Returns NULL, or an error. */
const char *code_add(struct code *code, const char *mnemonic, const char *operand);
/* Writes the distances to labels. Returns NULL, or an error. */
const char *code_link(struct code *code);
/* Returns the instruction at @ip, or NULL. */
const struct code_insn *code_find(const struct code *code, uint64_t ip);
/* Reads a label, a label + or - a number, or a number. */
bool code_address(const struct code *code, const char *text, uint64_t *ip);

#endif
