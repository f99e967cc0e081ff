// SPDX-License-Identifier: GPL-2.0-only
#include "sink/export/branch_type.h"

#include <stdio.h>
#include <string.h>

#define BRANCH		FARGS_BRANCH_ANY
#define CALL		FARGS_BRANCH_CALL
#define RETURN		FARGS_BRANCH_RETURN
#define CONDITIONAL	FARGS_BRANCH_CONDITIONAL
#define SYSCALLRET	FARGS_BRANCH_SYSCALLRET
#define ASYNC		FARGS_BRANCH_ASYNC
#define INTERRUPT	FARGS_BRANCH_INTERRUPT
#define TX_ABORT	FARGS_BRANCH_TX_ABORT
#define TRACE_BEGIN	FARGS_BRANCH_TRACE_BEGIN
#define TRACE_END	FARGS_BRANCH_TRACE_END

static const struct {
	const char *word;
	int type;
	const char *name;
} types[] = {
	{ "", 0, "no branch" },
	{ "jmp", BRANCH, "unconditional jump" },
	{ "call", BRANCH | CALL, "call" },
	{ "return", BRANCH | RETURN, "return" },
	{ "jcc", BRANCH | CONDITIONAL, "conditional jump" },
	{ "syscall", BRANCH | CALL | SYSCALLRET, "system call" },
	{ "sysret", BRANCH | RETURN | SYSCALLRET, "return from system call" },
	{ "async", BRANCH | ASYNC, "asynchronous branch" },
	{ "int", BRANCH | CALL | INTERRUPT, "software interrupt" },
	{ "iret", BRANCH | RETURN | INTERRUPT, "return from interrupt" },
	{ "hw int", BRANCH | CALL | ASYNC | INTERRUPT, "hardware interrupt" },
	{ "tx abrt", BRANCH | TX_ABORT, "transaction abort" },
	{ "vmentry", BRANCH | CALL | FARGS_BRANCH_VMENTRY, "vm entry" },
	{ "vmexit", BRANCH | CALL | FARGS_BRANCH_VMEXIT, "vm exit" },
};

#define NR_TYPES (sizeof(types) / sizeof(types[0]))

int fargs_branch_type(const char *words)
{
	int at_end = 0;
	size_t i;

	if (!strcmp(words, "tr strt"))
		return BRANCH | TRACE_BEGIN;
	/* The words of a jump, or of no branch, at which the trace ends are only "tr end". */
	if (!strcmp(words, "tr end"))
		return BRANCH | TRACE_END;
	if (!strncmp(words, "tr end  ", 8)) {
		at_end = TRACE_END;
		words += 8;
	}
	for (i = 0; i < NR_TYPES; i++)
		if (!strcmp(words, types[i].word))
			return types[i].type | at_end;
	return -1;
}

int fargs_branch_type_of(size_t i)
{
	size_t kind = i / 3;

	if (kind >= NR_TYPES)
		return -1;
	return types[kind].type | (i % 3 == 1 ? TRACE_BEGIN : i % 3 == 2 ? TRACE_END : 0);
}

void fargs_branch_type_name(char name[FARGS_BRANCH_TYPE_MAX], int type)
{
	const char *kind = "unknown";
	size_t i;

	if (type == (BRANCH | TRACE_BEGIN) || type == (BRANCH | TRACE_END)) {
		strcpy(name, type & TRACE_BEGIN ? "trace begin" : "trace end");
		return;
	}
	for (i = 0; i < NR_TYPES; i++)
		if (types[i].type == (type & ~(TRACE_BEGIN | TRACE_END)))
			kind = types[i].name;
	snprintf(name, FARGS_BRANCH_TYPE_MAX, "%s%s%s",
		 type & TRACE_BEGIN ? "trace begin / " : "", kind,
		 type & TRACE_END ? " / trace end" : "");
}
