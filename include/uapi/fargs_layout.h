/* SPDX-License-Identifier: GPL-2.0 WITH Linux-syscall-note */
/*
 * fargs layouts: how one function's arguments become a record.
 *
 * User space compiles a layout once (from BTF); the module verifies it and
 * from then on only copies. A layout in memory is
 *
 *	struct fargs_layout	64 bytes
 *	struct fargs_store	8 bytes, nr_stores times
 *	struct fargs_insn	16 bytes, the programs one behind the other, in the
 *				order of enum fargs_prog (fargs_prog.h)
 *	body			body_len bytes: the record's body with its
 *				data empty (fargs_record.h)
 *	return body		return_body_len bytes: the same for what is known
 *				at the return
 *	constants		const_len bytes: names and patterns of programs
 *
 * and layouts follow each other without a gap in the buffer of FARGS_IOC_ADD.
 *
 * The values of bodies are of any type that a store can fill: no str, no bytes of
 * length 0, and none that has FARGS_TYPE_FAULT or _CUT set. The length of bytes is
 * given; what no store fills is in each record as it is in the layout. Behind their
 * end bodies are zero.
 *
 * Without FARGS_LAYOUT_RETURN each call gives an ENTRY record, if the entry
 * predicate (if there is one) accepts it:
 *
 *	body, what ENTRY_FETCH appends, end
 *
 * With FARGS_LAYOUT_RETURN each call gives one record, RETURN, when the function
 * returns, if both predicates accept. What stands in front of the return body is
 * as it was at the call:
 *
 *	body, what ENTRY_FETCH appends, return body, what RETURN_FETCH appends, end
 *
 * With FARGS_LAYOUT_GRAPH as well it gives two: ENTRY as above, and, if that was
 * written and the return predicate accepts, RETURN with
 *
 *	return body, what RETURN_FETCH appends, end
 *
 * whose ENTRY_TSC is the tsc of that ENTRY: by it, and the tid, the two find each
 * other. A call whose return will be missed has neither.
 *
 * Each of them, at its longest, must fit into FARGS_RECORD_MAX: the record's header,
 * the bodies and append_max bytes that it has, together, rounded up to 8. What is
 * appended begins where the body ends, at its empty name.
 */
#ifndef _UAPI_FARGS_LAYOUT_H
#define _UAPI_FARGS_LAYOUT_H

#include <linux/types.h>

enum fargs_source {
	/* index 0..5: rdi rsi rdx rcx r8 r9 */
	FARGS_SOURCE_REG = 1,
	/* index 0..31: the 8 bytes at rsp + 8 + 8 * index; at entry rsp points
	 * at the return address
	 */
	FARGS_SOURCE_STACK = 2,
	/* Into the return body: index 0: rax, 1: rdx */
	FARGS_SOURCE_RETURN = 3,
	/*
	 * Into the return body, index 0: the TSC at the call; with FARGS_LAYOUT_GRAPH
	 * the same as in the header of its ENTRY record
	 */
	FARGS_SOURCE_ENTRY_TSC = 4,
};

#define FARGS_REGS		6
#define FARGS_STACK_SLOTS	32
#define FARGS_STORES_MAX	(FARGS_REGS + FARGS_STACK_SLOTS)

/**
 * struct fargs_store - puts 8 bytes into the body
 * @offset:	where in the body (or the return body, as the source says), in
 *		bytes: the start of a value's data (of bytes: behind the length) or
 *		a multiple of 8 behind it, and inside that data with what pads it.
 *		Data can be filled by one store only.
 * @source:	enum fargs_source
 * @index:	which register or slot; each register at most once, a slot as often
 *		as wanted
 * @reserved:	0
 */
struct fargs_store {
	__u16 offset;
	__u8 source;
	__u8 index;
	__u32 reserved;
};

enum fargs_layout_flags {
	FARGS_LAYOUT_RETURN = 1 << 0,
	FARGS_LAYOUT_GRAPH = 1 << 1,	/* with FARGS_LAYOUT_RETURN only */
};

/**
 * struct fargs_layout - one function
 * @size:	bytes of the whole layout: header, stores, programs, bodies, constants
 * @body_len:	bytes of the body, a multiple of 8; with the record's header at
 *		most FARGS_RECORD_MAX
 * @nr_stores:	number of stores, at most FARGS_STORES_MAX of REG and STACK, and 3
 *		of the others
 * @flags:	enum fargs_layout_flags
 * @status:	out: 0 added; -EINVAL not traceable (ftrace has no entry there);
 *		-EEXIST the session has a layout for this address already; -EPERM it has
 *		programs, and the function is one that programs call; -EOPNOTSUPP the
 *		kernel allows no return probe there
 * @addr:	address of the function, as kallsyms gives it
 * @ip:		out: its fentry address, as records give it
 * @nr_insns:	instructions of each program, by enum fargs_prog; 0: there is none.
 *		RETURN ones need FARGS_LAYOUT_RETURN
 * @append_max:	bytes that ENTRY_FETCH appends at most, all together; 0 without it
 * @return_append_max: the same of RETURN_FETCH
 * @return_body_len: bytes of the return body, a multiple of 8; 0 without
 *		FARGS_LAYOUT_RETURN, else at least 8
 * @const_len:	bytes of the constants, a multiple of 8, at most FARGS_CONST_MAX
 * @reserved:	0
 */
struct fargs_layout {
	__u32 size;
	__u16 body_len;
	__u16 nr_stores;
	__u32 flags;
	__s32 status;
	__u64 addr;
	__u64 ip;
	__u16 nr_insns[4];
	__u16 append_max;
	__u16 return_append_max;
	__u16 return_body_len;
	__u16 const_len;
	__u64 reserved[2];
};

#define FARGS_CONST_MAX		4096

#endif
