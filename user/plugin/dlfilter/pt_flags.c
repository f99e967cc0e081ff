// SPDX-License-Identifier: GPL-2.0-only
#include "plugin/dlfilter/pt_flags.h"

#include "plugin/dlfilter/api.h"
#include "source/pt/code/insn.h"
#include "source/pt/packet/packet.h"

static const uint32_t insn_flags[] = {
	[FARGS_PT_INSN_OTHER] = 0,
	[FARGS_PT_INSN_CALL] = FARGS_DLFILTER_BRANCH | FARGS_DLFILTER_CALL,
	[FARGS_PT_INSN_RETURN] = FARGS_DLFILTER_BRANCH | FARGS_DLFILTER_RETURN,
	[FARGS_PT_INSN_JUMP] = FARGS_DLFILTER_BRANCH,
	[FARGS_PT_INSN_COND] = FARGS_DLFILTER_BRANCH | FARGS_DLFILTER_CONDITIONAL,
	[FARGS_PT_INSN_INT] = FARGS_DLFILTER_BRANCH | FARGS_DLFILTER_CALL |
			      FARGS_DLFILTER_INTERRUPT,
	[FARGS_PT_INSN_IRET] = FARGS_DLFILTER_BRANCH | FARGS_DLFILTER_RETURN |
			       FARGS_DLFILTER_INTERRUPT,
	[FARGS_PT_INSN_SYSCALL] = FARGS_DLFILTER_BRANCH | FARGS_DLFILTER_CALL |
				  FARGS_DLFILTER_SYSCALLRET,
	[FARGS_PT_INSN_SYSRET] = FARGS_DLFILTER_BRANCH | FARGS_DLFILTER_RETURN |
				 FARGS_DLFILTER_SYSCALLRET,
	[FARGS_PT_INSN_FAR_CALL] = FARGS_DLFILTER_BRANCH | FARGS_DLFILTER_CALL,
	[FARGS_PT_INSN_FAR_RETURN] = FARGS_DLFILTER_BRANCH | FARGS_DLFILTER_RETURN,
	[FARGS_PT_INSN_VMENTRY] = FARGS_DLFILTER_BRANCH | FARGS_DLFILTER_CALL |
				  FARGS_DLFILTER_VMENTRY,
	[FARGS_PT_INSN_FAR] = FARGS_DLFILTER_BRANCH,
};

static uint32_t branch_flags(const struct fargs_pt_item *item)
{
	uint32_t flags;

	if (item->flags & FARGS_PT_ABORTS)
		return FARGS_DLFILTER_BRANCH | FARGS_DLFILTER_TX_ABORT |
		       (item->kind == FARGS_PT_END ? FARGS_DLFILTER_TRACE_END : 0);
	switch (item->kind) {
	case FARGS_PT_BEGIN:
		return FARGS_DLFILTER_BRANCH | FARGS_DLFILTER_TRACE_BEGIN;
	case FARGS_PT_END:
		return FARGS_DLFILTER_BRANCH | FARGS_DLFILTER_ASYNC | FARGS_DLFILTER_TRACE_END;
	case FARGS_PT_VM:
		return FARGS_DLFILTER_BRANCH | FARGS_DLFILTER_CALL |
		       (item->flags & FARGS_PT_IN_GUEST ? FARGS_DLFILTER_VMENTRY :
			FARGS_DLFILTER_VMEXIT);
	case FARGS_PT_INTERRUPT:
		return FARGS_DLFILTER_BRANCH | FARGS_DLFILTER_CALL |
		       (item->flags & FARGS_PT_VM_EXIT ? FARGS_DLFILTER_VMEXIT :
			FARGS_DLFILTER_ASYNC | FARGS_DLFILTER_INTERRUPT);
	}
	flags = insn_flags[item->insn];
	if (item->flags & FARGS_PT_ENDS)
		flags |= FARGS_DLFILTER_BRANCH | FARGS_DLFILTER_TRACE_END;
	return item->flags & FARGS_PT_IN_TX ? flags | FARGS_DLFILTER_IN_TX : flags;
}

/* What is not a branch has no flags of one, but the abort of a transaction. */
static uint32_t kind_flags(const struct fargs_pt_item *item)
{
	switch (item->kind) {
	case FARGS_PT_BRANCH:
	case FARGS_PT_BEGIN:
	case FARGS_PT_END:
	case FARGS_PT_INTERRUPT:
	case FARGS_PT_VM:
		return branch_flags(item);
	case FARGS_PT_EXECUTED:
		return insn_flags[item->insn] |
		       (item->flags & FARGS_PT_IN_TX ? FARGS_DLFILTER_IN_TX : 0);
	case FARGS_PT_TSX:
		if (item->to & FARGS_PT_TSX_ABORT)
			return FARGS_DLFILTER_BRANCH | FARGS_DLFILTER_TX_ABORT;
	}
	return item->flags & FARGS_PT_IN_TX ? FARGS_DLFILTER_IN_TX : 0;
}

uint32_t fargs_dlfilter_pt_flags(const struct fargs_pt_item *item)
{
	return kind_flags(item) |
	       (item->flags & FARGS_PT_IF_OFF ? FARGS_DLFILTER_INTR_DISABLE : 0) |
	       (item->flags & FARGS_PT_IF_TOGGLES ? FARGS_DLFILTER_INTR_TOGGLE : 0);
}
