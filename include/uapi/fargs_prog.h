/* SPDX-License-Identifier: GPL-2.0 WITH Linux-syscall-note */
/*
 * fargs programs: they select the calls that are recorded, and fetch values from memory.
 *
 * A layout (fargs_layout.h) can have one program of each kind of enum fargs_prog. User space
 * compiles programs, and FARGS_IOC_ADD verifies them: jumps are forward only, so every program
 * ends; registers are written before they are read; stores stay inside a value's data. A program
 * writes only to its own record.
 *
 * The machine has FARGS_PROG_REGS registers of 64 bits, from r0 on. A register holds a value or
 * is *unreadable*, and then holds the address that could not be read. A value computed from an
 * unreadable register is unreadable at the same address. If an unreadable register is stored,
 * the value in the record gets FARGS_TYPE_FAULT and that address. Every condition on an
 * unreadable register is false, so that neither "a->b == 1" nor "a->b != 1" holds. A call that a
 * predicate rejects after such a condition is also counted in fargs_cpu_stats.unreadable.
 *
 * An address below the end of user space is memory of the current task, and can be read only if
 * its page is present; any other address is kernel memory. enum fargs_space can restrict a read
 * to one of the two. A read never faults a page in, and never accesses addresses that are not
 * mapped as kernel memory: non-canonical addresses and mappings of devices are unreadable. If a
 * part of a read fails, all of it is unreadable, at the address where the read began.
 *
 * A program that reads memory can read the memory of any task and of the kernel: FARGS_IOC_ADD
 * refuses programs with a LOAD, JMATCH, ST_MEM or PUT instruction, or with a SLOT from
 * FARGS_STACK_SLOTS_PLAIN on, unless the caller has CAP_BPF or CAP_SYS_ADMIN (fargs.h).
 *
 * Programs run with preemption disabled, in the context of the traced call, NMI included.
 */
#ifndef _UAPI_FARGS_PROG_H
#define _UAPI_FARGS_PROG_H

#include <linux/types.h>

#define FARGS_PROG_REGS		8
/* Maximum number of instructions in a program. */
#define FARGS_PROG_MAX		128
/*
 * Maximum length of a JMATCH pattern. The pattern is compared only with the first FARGS_MATCH_MAX
 * bytes of a string.
 */
#define FARGS_MATCH_MAX		255
/* Maximum number of JMATCH instructions in a program. */
#define FARGS_MATCHES_MAX	8
/* Maximum number of PUT_PATH instructions in a program. */
#define FARGS_PATHS_MAX		8
/* Maximum number of return addresses that one PUT_STACK appends. */
#define FARGS_STACK_MAX		64
/* Maximum number of bytes that one ST_MEM, PUT_STR, PUT_MEM or PUT_PATH copies. */
#define FARGS_MEM_MAX		2048

/*
 * The kinds of programs, in the order in which a layout contains them. ENTRY_*, SCOPE and TRIGGER
 * programs run at the call, RETURN_* programs at its return. All except *_FETCH are predicates:
 * they end in ACCEPT or REJECT, and have no ST or PUT instructions.
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
	/* r[dst] = the value that arg selects; arg is one of enum fargs_ctx */
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

	/*
	 * FARGS_OP_ADD to FARGS_OP_SAR: r[dst] = r[dst] op imm, modulo 2^64; for shifts, imm is
	 * 0..63
	 */
	FARGS_OP_ADD = 16,
	FARGS_OP_MUL = 17,
	FARGS_OP_AND = 18,
	FARGS_OP_OR = 19,
	FARGS_OP_XOR = 20,
	FARGS_OP_SHL = 21,
	FARGS_OP_SHR = 22,
	FARGS_OP_SAR = 23,	/* arithmetic right shift: copies the sign bit */
	/* FARGS_OP_ADD_REG to FARGS_OP_OR_REG: r[dst] = r[dst] op r[src], modulo 2^64 */
	FARGS_OP_ADD_REG = 24,
	FARGS_OP_SUB_REG = 25,
	FARGS_OP_AND_REG = 26,
	FARGS_OP_OR_REG = 27,

	/*
	 * Jumps skip the next off instructions; off is 0 or more. The target is an instruction or,
	 * except in predicates, the program's end. JMP always jumps.
	 */
	FARGS_OP_JMP = 32,
	/* Jumps if condition arg (enum fargs_cond) holds for r[dst] and imm. */
	FARGS_OP_JIF = 33,
	/* Jumps if condition arg (enum fargs_cond) holds for r[dst] and r[src]. */
	FARGS_OP_JIF_REG = 34,
	/*
	 * Jumps if the string at address r[src] matches the pattern at byte imm of the constants.
	 * The pattern is NUL-terminated, has at most FARGS_MATCH_MAX bytes, and may contain * ?
	 * [a-z] [!a-z] and \ as in the kernel's glob_match(). arg: enum fargs_space
	 */
	FARGS_OP_JMATCH = 35,

	/*
	 * ACCEPT and REJECT end a predicate, at any point. The last instruction of a predicate must
	 * be one of them.
	 */
	FARGS_OP_ACCEPT = 48,
	FARGS_OP_REJECT = 49,

	/*
	 * Store: the data at byte off of the body (RETURN_FETCH: of the return body) = r[src]. off
	 * is the start of the data of a value of up to 64 bits. No struct fargs_store and no other
	 * instruction may fill the same value.
	 */
	FARGS_OP_ST = 64,
	/*
	 * Like ST, for a value of 128 bits or of type bytes: the value's data = imm bytes of memory
	 * at r[src]. imm is 16, or the length of the bytes. arg: enum fargs_space
	 */
	FARGS_OP_ST_MEM = 65,

	/*
	 * PUT instructions append a value to the body, after those already appended. Its name
	 * is at byte off of the constants, NUL-terminated and not empty; imm is not 0. The maximum
	 * sizes of all appended values with their names, including values whose instruction a jump
	 * can skip, must fit into append_max (RETURN_FETCH: return_append_max). An unreadable value
	 * has length 8, and its data is the address.
	 */

	/*
	 * str: the bytes from address r[src] up to a NUL, at most imm (FARGS_TYPE_CUT if the
	 * string is longer, or its rest is unreadable). arg: enum fargs_space. Appends at most
	 * FARGS_APPEND_BYTES(length of the name, imm).
	 */
	FARGS_OP_PUT_STR = 80,
	/*
	 * bytes: r[dst] bytes from address r[src], at most imm (FARGS_TYPE_CUT if r[dst] is
	 * greater). r[dst] is signed; a negative length counts as 0. arg: enum fargs_space. If both
	 * registers are unreadable, the address in the value is that of r[dst].
	 */
	FARGS_OP_PUT_MEM = 81,
	/*
	 * bytes: up to imm return addresses, 8 bytes each: first that of the traced function, then
	 * that of its caller, and so on; fewer if the stack ends, or cannot be unwound
	 */
	FARGS_OP_PUT_STACK = 82,
	/*
	 * str: the path of the node at address r[src] in a tree of nodes in kernel memory, such as
	 * dentries: "/" and a name for each node from the root to this node, at most as many bytes
	 * as bits 0 to 15 of imm. Bits 16 to 31 of imm: byte of the constants where a struct
	 * fargs_tree begins; the bits above are 0.
	 *
	 * The root is the node without a parent, or whose parent is the node itself; its name is
	 * not part of the path. A path that starts at the root is "/" if the root has no parent,
	 * otherwise the root's name, as dentries of file systems that are not mounted anywhere have
	 * names without a path.
	 *
	 * With FARGS_TREE_MOUNTS in arg, r[dst] is the address of the mount that contains the node,
	 * and the path continues from the root of a mount at the node on which it is mounted, up to
	 * the mount that is mounted on itself. Without it, r[dst] is not used, but must have been
	 * written.
	 *
	 * A path that is longer, or has more than FARGS_TREE_STEPS nodes and mounts, is cut at its
	 * beginning (FARGS_TYPE_CUT), at a '/'; if not even the last name fits, that name is cut at
	 * its end. Names are read into a multiple of 8 bytes: a path may also be cut if it leaves
	 * fewer than 8 bytes free. If a part of the memory is unreadable, so is the value, at that
	 * address. Nothing is locked: if a node is moved or renamed during the walk, the path
	 * may consist of names from before and after that.
	 */
	FARGS_OP_PUT_PATH = 83,
};

/* In arg of PUT_PATH */
#define FARGS_TREE_MOUNTS	1
/* Maximum number of nodes and mounts that PUT_PATH visits. */
#define FARGS_TREE_STEPS	64

/**
 * struct fargs_tree - offsets in bytes of the pointers that PUT_PATH follows
 * @name:	in a node: address of its name, a string
 * @parent:	in a node: address of its parent
 * @root:	in a mount: address of its root node
 * @mountpoint:	in a mount: address of the node on which it is mounted
 * @outer:	in a mount: address of the mount that contains the mountpoint
 *
 * Need not be aligned. The last three are used with FARGS_TREE_MOUNTS only.
 */
struct fargs_tree {
	__u16 name;
	__u16 parent;
	__u16 root;
	__u16 mountpoint;
	__u16 outer;
};

/* Maximum size in bytes of an appended value: its name, NUL, type, length, data. */
#define FARGS_APPEND_BYTES(name_len, data_len) \
	((name_len) + 1 + 1 + 2 + (((data_len) < 8 ? 8 : (data_len)) + 7) / 8 * 8)

enum fargs_space {
	FARGS_SPACE_ANY = 0,
	FARGS_SPACE_KERNEL = 1,		/* only kernel addresses are readable */
	FARGS_SPACE_USER = 2,		/* only user-space addresses are readable */
};

/* SLT, SLE, SGT and SGE compare signed numbers; LT, LE, GT and GE compare unsigned numbers. */
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
	FARGS_COND_SET = 10,		/* the two values have a set bit in common */
};

enum fargs_ctx {
	FARGS_CTX_TID = 0,		/* TID and TGID: ids in the init pid namespace */
	FARGS_CTX_TGID = 1,
	FARGS_CTX_CPU = 2,
	FARGS_CTX_UID = 3,		/* effective uid in the init user namespace */
	FARGS_CTX_COMM = 4,		/* address of the task's name, a string */
	FARGS_CTX_CALLER = 5,		/* return address of the call */
	/* id of the task's cgroup (v2), which is st_ino of its directory; 0: none */
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
 * Fields that an instruction does not use must be 0.
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
