/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Programs (include/uapi/fargs_prog.h) in the form in which they run: verified instructions,
 * some of whose fields contain precomputed values:
 *
 *	ARG	off: offset of the register in fargs_call.regs
 *	ST_MEM	dst: distance in bytes from the value's type to its data
 *	PUT_*	imm: lower half unchanged; upper half: length of the name in bytes,
 *		NUL included
 *	ARG, LOAD	in a program of chains (prog/chain.h): other registers, see
 *		fargs_chains_translate()
 *	ST, PUT_STR	dst: FARGS_CHAIN_LAST in the last instruction of a program of
 *		chains (prog/chain.h)
 */
#ifndef FARGS_KMOD_PROG_PROG_H
#define FARGS_KMOD_PROG_PROG_H

#include <linux/stddef.h>
#include <linux/types.h>

#include "uapi/fargs_prog.h"

struct fargs_body;
struct fargs_regcond;
struct pt_regs;

/* One program. Constant once created. */
struct fargs_program {
	const struct fargs_insn *insns;
	/* Followed by FARGS_CONST_PAD bytes, so that names can be copied in whole words. */
	const u8 *consts;
	/* The predicate as a table of @nr_regconds comparisons; 0: there is no table. */
	const struct fargs_regcond *regconds;
	u32 nr;		/* number of instructions; 0: the layout has no such program */
	u32 nr_regconds;
	bool is_chains;		/* fargs_chains_fetch() can run the program (prog/chain.h) */
};

#define FARGS_CONST_PAD		8
#define FARGS_CHAIN_LAST	1

/*
 * A call for which programs run. regs points to the argument registers: for ENTRY programs in a
 * struct pt_regs; for RETURN programs in an array of the six registers, saved at the call, in the
 * order of the ABI.
 */
struct fargs_call {
	const void *regs;
	/* ENTRY programs only: stack pointer at the call, which points to the return address. */
	unsigned long sp;
	unsigned long caller;	/* return address of the call */
	/* Registers from which PUT_STACK unwinds, in ENTRY programs; NULL: not available. */
	struct pt_regs *stack_regs;
	/* The members from here on are for RETURN programs only. */
	u64 return_value;	/* rax on x86-64 */
	u64 return_high;	/* rdx: the part of the return value that does not fit into rax */
	u64 duration_tsc;
};

struct fargs_verdict {
	bool is_accepted;
	bool is_unreadable;	/* a condition tested an unreadable value */
};

#define FARGS_PROG_ACCEPTED	1u
#define FARGS_PROG_UNREADABLE	2u

/**
 * fargs_prog_run() - run a program
 * @prog: the program
 * @call: the call
 * @body: the body that a FETCH program fills
 * @at: the offset in @body at which a FETCH program appends values
 *
 * Called by fargs_prog_decide() and fargs_prog_fetch(). Does not allocate memory or take a lock.
 * The program may call functions that can be traced: see fargs_prog_needs_guard().
 *
 * Context: Any context, NMI included; RCU may not be watching. Preemption is disabled.
 * Return: For a predicate, the bits FARGS_PROG_ACCEPTED and FARGS_PROG_UNREADABLE; otherwise the
 *	same as fargs_prog_fetch().
 */
u32 fargs_prog_run(const struct fargs_program *prog, const struct fargs_call *call, u8 *body,
		   u32 at);

static inline struct fargs_verdict fargs_prog_decide(const struct fargs_program *prog,
						     const struct fargs_call *call)
{
	u32 bits = fargs_prog_run(prog, call, NULL, 0);

	return (struct fargs_verdict){
		.is_accepted = bits & FARGS_PROG_ACCEPTED,
		.is_unreadable = bits & FARGS_PROG_UNREADABLE,
	};
}

/*
 * Fills the body at @body, and appends values from offset @at on. Returns the offset of the end
 * of the last appended value, which is at most append_max bytes after @at. Up to 7 bytes after
 * each value may also be overwritten, but no bytes beyond append_max.
 */
static inline u32 fargs_prog_fetch(const struct fargs_program *prog, const struct fargs_call *call,
				   u8 *body, u32 at)
{
	return fargs_prog_run(prog, call, body, at);
}

/* Is @which a program that runs at the return? */
static inline bool fargs_prog_is_return(enum fargs_prog which)
{
	return which == FARGS_PROG_RETURN_PREDICATE || which == FARGS_PROG_RETURN_FETCH ||
	       which == FARGS_PROG_RETURN_TRIGGER;
}

/**
 * fargs_prog_needs_guard() - check if a program needs a recursion guard
 * @insns: instructions of the program
 * @nr: number of instructions
 *
 * A program needs a guard if it calls functions that ftrace can trace, or if it may fault, since
 * the kernel's fault handling calls such functions.
 *
 * Context: Any context.
 * Return: True if the program needs a guard.
 */
bool fargs_prog_needs_guard(const struct fargs_insn *insns, u32 nr);

/**
 * fargs_prog_is_chains() - check if fargs_chains_fetch() can run a verified program
 * @insns: instructions of the program
 * @nr: number of instructions
 *
 * Context: Any context.
 * Return: True if the program consists only of chains.
 */
bool fargs_prog_is_chains(const struct fargs_insn *insns, u32 nr);

/**
 * fargs_chains_translate() - prepare a program that consists only of chains
 * @insns: the program, of which fargs_prog_is_chains() is true; changed in place
 * @nr: number of its instructions
 *
 * The interpreter can still run the program.
 *
 * Context: Any context.
 */
void fargs_chains_translate(struct fargs_insn *insns, u32 nr);

/**
 * fargs_prog_translate() - translate a verified program into the form in which it runs
 * @insns: instructions of the program
 * @nr: number of instructions
 * @which: the kind of the program
 * @body: the body that the program fills
 * @consts: constants of the program
 * @to: where the translated instructions are written
 *
 * Context: Any context.
 */
void fargs_prog_translate(const struct fargs_insn *insns, u32 nr, enum fargs_prog which,
			  const struct fargs_body *body, const u8 *consts,
			  struct fargs_insn *to);

#endif
