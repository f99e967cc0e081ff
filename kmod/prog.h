/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Programs (include/uapi/fargs_prog.h), as they are run: instructions that were
 * verified, with what they need to know translated into their free fields.
 *
 *	ARG	off: where the register is in struct fargs_call's regs
 *	ST_MEM	dst: bytes from the value's type to its data
 *	PUT_*	imm: the lower half as it was; the upper half: bytes of the name,
 *		NUL included
 */
#ifndef FARGS_PROG_H
#define FARGS_PROG_H

#include <linux/types.h>

#include "uapi/fargs_prog.h"

struct fargs_body;
struct pt_regs;

/* One program. Constant once made. */
struct fargs_program {
	const struct fargs_insn *insns;
	/* Followed by FARGS_CONST_PAD bytes, so that names are copied by words. */
	const u8 *consts;
	u32 nr;		/* instructions; 0: there is no such program */
};

#define FARGS_CONST_PAD		8

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
	u64 rax;
	u64 rdx;
	u64 duration_tsc;
};

struct fargs_verdict {
	bool is_accepted;
	bool is_unreadable;	/* a condition was about something that could not be read */
};

/*
 * All three: any context, NMI included, RCU not watching; preemption disabled;
 * nothing is allocated or locked. What the program may call is traceable, see
 * fargs_prog_needs_guard().
 */
struct fargs_verdict fargs_prog_decide(const struct fargs_program *prog,
				       const struct fargs_call *call);
/*
 * Stores into the body at @body, and appends at its byte @at. Returns where what
 * was appended ends; at most append_max bytes behind @at. Up to 7 bytes more are
 * overwritten behind each value, but never behind append_max.
 */
u32 fargs_prog_fetch(const struct fargs_program *prog, const struct fargs_call *call, u8 *body,
		     u32 at);

/* Does a program call, or fault into, what ftrace can trace? Process context. */
bool fargs_prog_needs_guard(const struct fargs_insn *insns, u32 nr);
/* Copies a verified program to @to, translated. @body: that which @which stores into. */
void fargs_prog_translate(const struct fargs_insn *insns, u32 nr, enum fargs_prog which,
			  const struct fargs_body *body, const u8 *consts,
			  struct fargs_insn *to);

#endif
