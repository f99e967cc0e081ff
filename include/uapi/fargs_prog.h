/* SPDX-License-Identifier: GPL-2.0 WITH Linux-syscall-note */
/*
 * fargs programs: which calls are recorded, and what is fetched from memory.
 *
 * A layout (fargs_layout.h) can have one of each, enum fargs_prog. They are made
 * in user space and verified on FARGS_IOC_ADD: jumps go forward only, so a
 * program ends; registers are written before they are read; whatever is
 * stored has its place. A program cannot write anywhere but in its own record.
 *
 * The machine: FARGS_PROG_REGS registers of 64 bits, r0 and up. A register
 * also knows whether it holds a value, or is *unreadable*: then it stands for
 * the address that could not be read. What is computed from an unreadable
 * register is unreadable at the same address; what is stored from it becomes a
 * value with FARGS_TYPE_FAULT and that address; a condition on it is false,
 * whatever the condition, so that neither "a->b == 1" nor "a->b != 1" holds.
 * A call that a predicate rejects after such a condition is counted in
 * fargs_cpu_stats.unreadable, too.
 *
 * Memory is read where the address says: below the end of user space that of
 * the task, as long as it is mapped right now, else the kernel's. A read never
 * faults a page in and never touches what is not mapped as memory of the kernel; a
 * non-canonical address is unreadable like any other, and so is what a device has been
 * mapped at. Each may be restricted by enum fargs_space. What is read in part is
 * unreadable as a whole: the address told is where the reading began.
 *
 * To read memory is to read anybody's: FARGS_IOC_ADD refuses programs that have a LOAD, JMATCH,
 * ST_MEM or PUT instruction, or a SLOT from FARGS_STACK_SLOTS_PLAIN on, unless its caller has
 * CAP_BPF or CAP_SYS_ADMIN (fargs.h).
 *
 * Programs run with preemption disabled in the context of the traced call, any
 * context included.
 */
#ifndef _UAPI_FARGS_PROG_H
#define _UAPI_FARGS_PROG_H

#include <linux/types.h>

#define FARGS_PROG_REGS		8
/* Instructions a program can have. */
#define FARGS_PROG_MAX		128
/* Bytes of a string that a pattern is compared with, at most; more are cut off. */
#define FARGS_MATCH_MAX		255
/* JMATCH instructions of a program, at most. */
#define FARGS_MATCHES_MAX	8
/* Return addresses of PUT_STACK, at most. */
#define FARGS_STACK_MAX		64
/* Bytes of ST_MEM, PUT_STR, PUT_MEM, at most. */
#define FARGS_MEM_MAX		2048

/*
 * In this order. ENTRY ones, SCOPE and TRIGGER run at the call, RETURN ones when it
 * returns. Predicates, and all but the two FETCH are, end in ACCEPT or REJECT, and have no
 * ST and PUT instructions.
 */
enum fargs_prog {
	FARGS_PROG_ENTRY_PREDICATE = 0,
	FARGS_PROG_ENTRY_FETCH = 1,
	FARGS_PROG_RETURN_PREDICATE = 2,
	FARGS_PROG_RETURN_FETCH = 3,
	FARGS_PROG_SCOPE = 4,
	FARGS_PROG_TRIGGER = 5,
	FARGS_PROG_RETURN_TRIGGER = 6,
	FARGS_PROGS = 7,
};

enum fargs_op {
	/* r[dst] = argument register arg (0..5: rdi rsi rdx rcx r8 r9), as at the call */
	FARGS_OP_ARG = 1,
	/* r[dst] = stack slot arg (0..31, see fargs_layout.h); not in RETURN programs */
	FARGS_OP_SLOT = 2,
	/* r[dst] = enum fargs_ctx arg */
	FARGS_OP_CTX = 3,
	/* r[dst] = imm */
	FARGS_OP_IMM = 4,
	/* r[dst] = r[src] */
	FARGS_OP_MOV = 5,
	/*
	 * r[dst] = the arg (1, 2, 4, 8) bytes at address r[src] + off, zero-extended;
	 * imm: enum fargs_space
	 */
	FARGS_OP_LOAD = 6,

	/* r[dst] = r[dst] op imm, modulo 2^64; imm of shifts is 0..63 */
	FARGS_OP_ADD = 16,
	FARGS_OP_MUL = 17,
	FARGS_OP_AND = 18,
	FARGS_OP_OR = 19,
	FARGS_OP_XOR = 20,
	FARGS_OP_SHL = 21,
	FARGS_OP_SHR = 22,
	FARGS_OP_SAR = 23,	/* arithmetic: copies the sign */
	/* r[dst] = r[dst] op r[src] */
	FARGS_OP_ADD_REG = 24,
	FARGS_OP_SUB_REG = 25,
	FARGS_OP_AND_REG = 26,
	FARGS_OP_OR_REG = 27,

	/*
	 * Jumps leave out the next off instructions, 0 or more. What they lead to is an
	 * instruction or, but for predicates, the program's end.
	 */
	FARGS_OP_JMP = 32,
	/* if r[dst] arg imm; arg: enum fargs_cond */
	FARGS_OP_JIF = 33,
	/* if r[dst] arg r[src] */
	FARGS_OP_JIF_REG = 34,
	/*
	 * if the string at address r[src] matches the pattern at byte imm of the
	 * constants: NUL-terminated, at most FARGS_MATCH_MAX bytes, with * ? [a-z]
	 * [!a-z] and \ as in the kernel's glob_match(). arg: enum fargs_space
	 */
	FARGS_OP_JMATCH = 35,

	/* The end of a predicate, anywhere in it; its last instruction must be one. */
	FARGS_OP_ACCEPT = 48,
	FARGS_OP_REJECT = 49,

	/*
	 * The data of the value at byte off of the body (for RETURN_FETCH: of the
	 * return body) = r[src]; off is where the data begins, of a type of up to 64
	 * bits that no store and no other instruction fills.
	 */
	FARGS_OP_ST = 64,
	/*
	 * The same for a value of 128 bits or of bytes: its whole data = imm bytes of
	 * memory at r[src]. imm is the data's n, or 16. arg: enum fargs_space
	 */
	FARGS_OP_ST_MEM = 65,

	/*
	 * What follows appends a value behind the body, and behind what was appended
	 * before. Its name is at byte off of the constants, NUL-terminated, not empty;
	 * imm is not 0. All together, with their names, must have room in append_max
	 * (of RETURN_FETCH: return_append_max), each counted by its maximum, also
	 * where it is jumped over. What is unreadable has an n of 8: the address.
	 */

	/*
	 * A str: the bytes from address r[src] up to a NUL, at most imm of them
	 * (FARGS_TYPE_CUT if there are more, or what follows is unreadable).
	 * arg: enum fargs_space. Takes FARGS_APPEND_BYTES(name, imm).
	 */
	FARGS_OP_PUT_STR = 80,
	/*
	 * bytes: r[dst] bytes from address r[src], at most imm (FARGS_TYPE_CUT if
	 * more). r[dst] counts as signed: below 0 it is 0. arg: enum fargs_space.
	 * If both are unreadable the address is r[dst]'s.
	 */
	FARGS_OP_PUT_MEM = 81,
	/*
	 * bytes: up to imm return addresses of 8 bytes, of the traced function's caller,
	 * its caller, and so on; fewer if the stack ends
	 */
	FARGS_OP_PUT_STACK = 82,
};

/* What an appended value takes at most: its name, NUL, type, length, data. */
#define FARGS_APPEND_BYTES(name_len, data_len) \
	((name_len) + 1 + 1 + 2 + (((data_len) < 8 ? 8 : (data_len)) + 7) / 8 * 8)

enum fargs_space {
	FARGS_SPACE_ANY = 0,
	FARGS_SPACE_KERNEL = 1,		/* an address of user space is unreadable */
	FARGS_SPACE_USER = 2,		/* any other is unreadable */
};

/* S: signed. */
enum fargs_cond {
	FARGS_COND_EQ = 0,
	FARGS_COND_NE = 1,
	FARGS_COND_LT = 2,
	FARGS_COND_LE = 3,
	FARGS_COND_GT = 4,
	FARGS_COND_GE = 5,
	FARGS_COND_SLT = 6,
	FARGS_COND_SLE = 7,
	FARGS_COND_SGT = 8,
	FARGS_COND_SGE = 9,
	FARGS_COND_SET = 10,		/* a & b is not 0 */
};

enum fargs_ctx {
	FARGS_CTX_TID = 0,		/* as the init pid namespace numbers it */
	FARGS_CTX_TGID = 1,
	FARGS_CTX_CPU = 2,
	FARGS_CTX_UID = 3,		/* effective, as the init user namespace has it */
	FARGS_CTX_COMM = 4,		/* address of the task's name, a string */
	FARGS_CTX_CALLER = 5,		/* return address */
	/* id of the task's cgroup (v2), as st_ino of its directory has it; 0: none */
	FARGS_CTX_CGROUP = 6,
	FARGS_CTX_RETURN = 7,		/* rax; RETURN programs only */
	FARGS_CTX_RETURN_HIGH = 8,	/* rdx; RETURN programs only */
	FARGS_CTX_DURATION = 9,		/* TSC ticks since the call; RETURN programs only */
	FARGS_CTX_TASK = 10,		/* address of the task's struct task_struct */
	FARGS_CTXS,
};

/**
 * struct fargs_insn - one instruction
 *
 * What an instruction does not use must be 0.
 */
struct fargs_insn {
	__u8 op;
	__u8 dst;
	__u8 src;
	__u8 arg;
	__s32 off;
	__u64 imm;
};

#endif
