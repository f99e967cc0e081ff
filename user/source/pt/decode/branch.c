// SPDX-License-Identifier: GPL-2.0-only
#include "source/pt/decode/branch.h"

#include <string.h>

#include "base/row.h"
#include "source/pt/code/insn.h"

static const char *const insn_words[] = {
	[FARGS_PT_INSN_OTHER] = "",
	[FARGS_PT_INSN_CALL] = "call",
	[FARGS_PT_INSN_RETURN] = "return",
	[FARGS_PT_INSN_JUMP] = "jmp",
	[FARGS_PT_INSN_COND] = "jcc",
	[FARGS_PT_INSN_INT] = "int",
	[FARGS_PT_INSN_IRET] = "iret",
	[FARGS_PT_INSN_SYSCALL] = "syscall",
	[FARGS_PT_INSN_SYSRET] = "sysret",
	[FARGS_PT_INSN_FAR_CALL] = "call",
	[FARGS_PT_INSN_FAR_RETURN] = "return",
	[FARGS_PT_INSN_VMENTRY] = "vmentry",
	[FARGS_PT_INSN_FAR] = "jmp",
};

bool fargs_pt_branch_is(const struct fargs_pt_item *item, bool is_broken_off)
{
	switch (item->kind) {
	case FARGS_PT_BEGIN:
		return !(item->flags & FARGS_PT_CONTINUES) || is_broken_off;
	case FARGS_PT_BRANCH:
	case FARGS_PT_INTERRUPT:
	case FARGS_PT_END:
		return true;
	case FARGS_PT_VM:
		return item->to;
	}
	return false;
}

bool fargs_pt_branch_is_call(const struct fargs_pt_item *item)
{
	switch (item->insn) {
	case FARGS_PT_INSN_CALL:
	case FARGS_PT_INSN_INT:
	case FARGS_PT_INSN_SYSCALL:
	case FARGS_PT_INSN_FAR_CALL:
	case FARGS_PT_INSN_VMENTRY:
		return true;
	}
	return (item->kind == FARGS_PT_INTERRUPT && !(item->flags & FARGS_PT_ABORTS)) ||
	       item->kind == FARGS_PT_END || item->kind == FARGS_PT_VM ||
	       item->flags & FARGS_PT_ENDS;
}

bool fargs_pt_branch_is_return(const struct fargs_pt_item *item)
{
	switch (item->insn) {
	case FARGS_PT_INSN_RETURN:
	case FARGS_PT_INSN_IRET:
	case FARGS_PT_INSN_SYSRET:
	case FARGS_PT_INSN_FAR_RETURN:
		return true;
	}
	return item->kind == FARGS_PT_BEGIN;
}

/*
 * Writes the word for the branch instruction of @item, such as "call". If the trace ends at this
 * branch, writes "tr end" before the word; for a jump, writes only "tr end".
 */
static void put_insn_words(char *words, const struct fargs_pt_item *item)
{
	const char *word = insn_words[item->insn];

	if (!(item->flags & FARGS_PT_ENDS))
		strcpy(words, word);
	else if (!*word || !strcmp(word, "jmp"))
		strcpy(words, "tr end");
	else
		strcat(strcpy(words, "tr end  "), word);
}

void fargs_pt_branch_words(char words[FARGS_PT_WORDS], const struct fargs_pt_item *item)
{
	bool aborts = item->flags & FARGS_PT_ABORTS;

	if (!fargs_row(C2))
		*words = '\0';
	else if (item->kind == FARGS_PT_BEGIN)
		strcpy(words, "tr strt");
	else if (item->kind == FARGS_PT_END)
		strcpy(words, aborts ? "tr end  tx abrt" : "tr end  async");
	else if (item->kind == FARGS_PT_VM)
		strcpy(words, !fargs_row(E4) ? "" : item->flags & FARGS_PT_IN_GUEST ? "vmentry" :
							      "vmexit");
	else if (item->kind == FARGS_PT_INTERRUPT)
		strcpy(words, aborts ? "tx abrt" : item->flags & FARGS_PT_VM_EXIT &&
				fargs_row(E4) ? "vmexit" : "hw int");
	else
		put_insn_words(words, item);
}

bool fargs_pt_branch_is_in_tx(const struct fargs_pt_item *item)
{
	return item->flags & FARGS_PT_IN_TX && item->kind != FARGS_PT_INTERRUPT &&
	       item->kind != FARGS_PT_END && item->kind != FARGS_PT_BEGIN;
}

void fargs_pt_branch_marks(char marks[FARGS_PT_MARKS], const struct fargs_pt_item *item)
{
	if (!fargs_row(C1)) {
		*marks = '\0';
		return;
	}
	if (fargs_pt_branch_is_in_tx(item))
		*marks++ = 'x';
	if (item->flags & FARGS_PT_IF_OFF)
		*marks++ = 'D';
	if (item->flags & FARGS_PT_IF_TOGGLES)
		*marks++ = 't';
	*marks = '\0';
}

const char *fargs_pt_insn_word(const struct fargs_pt_item *item)
{
	return fargs_row(C2) ? insn_words[item->insn] : "";
}

struct fargs_pt_item fargs_pt_branch_begin(const struct fargs_pt_item *overflow)
{
	struct fargs_pt_item begin = *overflow;

	begin.kind = FARGS_PT_BEGIN;
	begin.from = 0;
	begin.flags = FARGS_PT_WAS_ON;
	begin.nr_insns = 0;
	return begin;
}
