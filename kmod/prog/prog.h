/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Programs (include/uapi/fargs_prog.h), as they are run: instructions that were
 * verified, with what they need to know translated into their free fields.
 *
 *	ARG	off: where the register is in struct fargs_call's regs
 *	ST_MEM	dst: bytes from the value's type to its data
 *	PUT_*	imm: the lower half as it was; the upper half: bytes of the name,
 *		NUL included
 *	ST, PUT_STR	dst: FARGS_CHAIN_LAST if it ends a program of chains (prog/chain.h)
 */
#ifndef FARGS_KMOD_PROG_PROG_H
#define FARGS_KMOD_PROG_PROG_H

#include <linux/stddef.h>
#include <linux/types.h>

#include "uapi/fargs_prog.h"

struct fargs_body;
struct fargs_regcond;
struct pt_regs;

/* One program. Constant once made. */
struct fargs_program {
	const struct fargs_insn *insns;
	/* Followed by FARGS_CONST_PAD bytes, so that names are copied by words. */
	const u8 *consts;
	const struct fargs_regcond *regconds;	/* the same predicate, if nr_regconds */
	u32 nr;		/* instructions; 0: there is no such program */
	u32 nr_regconds;
	bool is_chains;		/* fargs_chains_fetch() can run it (prog/chain.h) */
};

#define FARGS_CONST_PAD		8
#define FARGS_CHAIN_LAST	1

/*
 * A call, as programs see it. regs holds the argument registers: struct pt_regs for
 * ENTRY programs; for RETURN ones, the six of them in the order of the ABI, as they
 * were at the call.
 */
struct fargs_call {
	const void *regs;
	unsigned long sp;	/* at the call, of the return address; ENTRY only */
	unsigned long caller;	/* return address */
	/* Where PUT_STACK begins: ENTRY, the regs at the call; NULL: cannot be told. */
	struct pt_regs *stack_regs;
	/* RETURN programs only. */
	u64 return_value;
	u64 return_high;	/* what of it does not fit into one register */
	u64 duration_tsc;
};

struct fargs_verdict {
	bool is_accepted;
	bool is_unreadable;	/* a condition was about something that could not be read */
};

#define FARGS_PROG_ACCEPTED	1u
#define FARGS_PROG_UNREADABLE	2u

/**
 * fargs_prog_run() - run a program
 * @prog: the program
 * @call: the call
 * @body: what a FETCH program stores into
 * @at: the byte of it at which such a program appends
 *
 * For fargs_prog_decide() and fargs_prog_fetch(). Nothing is allocated or locked. What the program
 * calls may be traceable: see fargs_prog_needs_guard().
 *
 * Context: Any context, NMI included; RCU may not be watching. Preemption is disabled.
 * Return: Of a predicate FARGS_PROG_ACCEPTED and FARGS_PROG_UNREADABLE; else what
 *	fargs_prog_fetch() does.
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
 * Stores into the body at @body, and appends at its byte @at. Returns where what
 * was appended ends; at most append_max bytes behind @at. Up to 7 bytes more are
 * overwritten behind each value, but never behind append_max.
 */
static inline u32 fargs_prog_fetch(const struct fargs_program *prog, const struct fargs_call *call,
				   u8 *body, u32 at)
{
	return fargs_prog_run(prog, call, body, at);
}

/* Does it run at the return? */
static inline bool fargs_prog_is_return(enum fargs_prog which)
{
	return which == FARGS_PROG_RETURN_PREDICATE || which == FARGS_PROG_RETURN_FETCH ||
	       which == FARGS_PROG_RETURN_TRIGGER;
}

/**
 * fargs_prog_needs_guard() - does a program call, or fault into, what ftrace can trace?
 * @insns: its instructions
 * @nr: how many
 *
 * Context: Any context.
 * Return: Whether it does.
 */
bool fargs_prog_needs_guard(const struct fargs_insn *insns, u32 nr);

/**
 * fargs_prog_is_chains() - is a verified program one that prog/chain.h can run?
 * @insns: its instructions
 * @nr: how many
 *
 * Context: Any context.
 * Return: Whether it is.
 */
bool fargs_prog_is_chains(const struct fargs_insn *insns, u32 nr);

/**
 * fargs_prog_translate() - copy a verified program, translated
 * @insns: its instructions
 * @nr: how many
 * @which: of the programs of a layout it is
 * @body: which it stores into
 * @consts: its constants
 * @to: where the copy goes
 *
 * Context: Any context.
 */
void fargs_prog_translate(const struct fargs_insn *insns, u32 nr, enum fargs_prog which,
			  const struct fargs_body *body, const u8 *consts,
			  struct fargs_insn *to);

#endif
