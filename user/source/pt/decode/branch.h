/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Kinds of branches, and perf's words for them (perf-script(1), field flags).
 */
#ifndef FARGS_SOURCE_PT_DECODE_BRANCH_H
#define FARGS_SOURCE_PT_DECODE_BRANCH_H

#include <stdbool.h>

#include "source/pt/decode/flow.h"

/* Room for the words, with the NUL. */
#define FARGS_PT_WORDS	24

/*
 * Returns whether @item is a branch. Interrupts also count as branches, and so do the beginning and
 * the end of the trace. @is_broken_off: the flow before that of @item ends with an error.
 */
bool fargs_pt_branch_is(const struct fargs_pt_item *item, bool is_broken_off);

/*
 * As in perf, interrupts count as calls. A trace end also counts as a call, because a call may have
 * caused it.
 */
bool fargs_pt_branch_is_call(const struct fargs_pt_item *item);
/* The beginning of a trace counts as a return. */
bool fargs_pt_branch_is_return(const struct fargs_pt_item *item);

/*
 * Is the branch shown as one in a transaction? As in perf, an interrupt aborts a transaction, and
 * the first branch shows the begin.
 */
bool fargs_pt_branch_is_in_tx(const struct fargs_pt_item *item);

/* Writes the words for the branch @item to @words, such as "call" or "tr end  return". */
void fargs_pt_branch_words(char words[FARGS_PT_WORDS], const struct fargs_pt_item *item);
/* Room for perf's letters after the words, with the NUL. */
#define FARGS_PT_MARKS	4

/* Writes perf's letters for the branch or instruction @item: x, D, t, or none. */
void fargs_pt_branch_marks(char marks[FARGS_PT_MARKS], const struct fargs_pt_item *item);
/* Returns the word for an instruction that was executed; empty if it is not a branch. */
const char *fargs_pt_insn_word(const struct fargs_pt_item *item);

/*
 * As in perf, the trace starts again ("tr strt") after an overflow. If item->to is 0, an item of
 * kind FARGS_PT_BEGIN follows the overflow. Otherwise this function returns true, and
 * fargs_pt_branch_begin() returns the start as an item.
 */
static inline bool fargs_pt_branch_has_begin(const struct fargs_pt_item *item)
{
	return item->kind == FARGS_PT_OVERFLOW && item->to;
}

struct fargs_pt_item fargs_pt_branch_begin(const struct fargs_pt_item *overflow);

#endif
