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
 *	symbol			symbol_len bytes: struct fargs_symbol, if it is deferred, or
 *				for a tracepoint
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
 * With FARGS_LAYOUT_SCOPE a call that the SCOPE program accepts (if there is one)
 * makes the task that it is made by be inside, until that call returns: what the
 * task calls meanwhile, and the call itself. Once a session has such a layout other
 * calls give no record and take no number. An interrupt is not inside because the
 * task is that it came upon; it can be by a call of its own, until that returns. What a
 * task does that was in the function before START is not inside, nor what a child
 * does that it forks. Such a layout has records as above, with or without
 * FARGS_LAYOUT_RETURN; or, with FARGS_LAYOUT_SILENT, none and no numbers.
 *
 * With FARGS_LAYOUT_TRIGGER a call that TRIGGER and RETURN_TRIGGER accept (each if there
 * is one) triggers: it is recorded whatever the other predicates say of it, the record
 * is marked with FARGS_RECORD_TRIGGER, and when it is complete, what a trigger does is done
 * (fargs.h). That is the one record of a call; with FARGS_LAYOUT_GRAPH it is ENTRY, or
 * RETURN if there is a RETURN_TRIGGER, and then any call that TRIGGER accepts has
 * both. What else is kept out, by the filter of tasks or by FARGS_LAYOUT_SCOPE, does not
 * trigger.
 *
 * Each of them, at its longest, must fit into FARGS_RECORD_MAX: the record's header,
 * the bodies and append_max bytes that it has, together, rounded up to 8. What is
 * appended begins where the body ends, at its empty name.
 *
 * A deferred layout (FARGS_LAYOUT_DEFERRED) has no address: it is for a function of a
 * module that is not loaded. When that module comes, the function is looked up in
 * its symbol table and traced before the module's own init function runs; its
 * functions in init memory are let go when that has run, all of them when
 * the module goes, and when it comes again they are looked up again. What a module that
 * is loaded already has is not looked up. FARGS_IOC_ARRIVALS tells what was found.
 *
 * A layout with FARGS_LAYOUT_TPOINT is for a tracepoint, which its symbol names: it has
 * no address, and each time that the tracepoint fires gives a TPOINT record:
 *
 *	body, what ENTRY_FETCH appends, end
 *
 * Arguments are passed as they would be to a function whose first parameter is a pointer,
 * and the others the tracepoint's. That first one, in register 0, is the module's own. The
 * records of a tracepoint carry a number in the place of an address, which ADD gives it. If
 * the layout is deferred as well, the tracepoint need not be there yet: it is waited for, and
 * for as often as its module comes again; its number stays, and no arrival tells of it.
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
/*
 * Slots from this one on are memory that takes more than CAP_PERFMON (fargs.h). What is on
 * the stack is arguments only as far as the function has some there, and after them its
 * caller's variables. The module knows no prototypes: so many slots can be arguments, the 7th
 * to the 12th, whatever the function.
 */
#define FARGS_STACK_SLOTS_PLAIN	6
#define FARGS_STORES_MAX	(FARGS_REGS + FARGS_STACK_SLOTS)

/**
 * struct fargs_store - puts 8 bytes into the body
 * @offset:	where in the body (or the return body, as the source says), in
 *		bytes: the start of a value's data (of bytes: behind the length) or
 *		a multiple of 8 behind it, and inside that data with what pads it.
 *		Data can be filled by one store only.
 * @source:	enum fargs_source
 * @index:	which register or slot; each register, and the TSC, at most once, a slot
 *		as often as wanted
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
	FARGS_LAYOUT_DEFERRED = 1 << 2,
	FARGS_LAYOUT_SCOPE = 1 << 3,
	/*
	 * With FARGS_LAYOUT_SCOPE, deferred or not: there are no stores, and no programs but
	 * SCOPE; the body is not used
	 */
	FARGS_LAYOUT_SILENT = 1 << 4,
	/* With _DEFERRED, _TRIGGER or no other; no programs but ENTRY ones and TRIGGER. */
	FARGS_LAYOUT_TPOINT = 1 << 5,
	FARGS_LAYOUT_TRIGGER = 1 << 6,	/* not with FARGS_LAYOUT_SILENT */
};

#define FARGS_SYMBOL_ID_MAX	24

/**
 * struct fargs_symbol - where a deferred layout's function is, or which tracepoint it is
 * @index:	which one of the module's functions (STT_FUNC, not undefined) that have
 *		this name, from 0, in the order of its symbol table; of a tracepoint: 0
 * @build_id_len: bytes of @build_id; 0: any build of the module will do
 * @reserved:	0
 * @build_id:	of the module, from its note NT_GNU_BUILD_ID, then zeroes: the layout is
 *		for that build and no other. It does not make another symbol of it
 * @names:	the module's name and the function's or tracepoint's, neither of them empty,
 *		each ended by a NUL, then zeroes up to a multiple of 8. "vmlinux" has the
 *		kernel's own tracepoints
 */
struct fargs_symbol {
	__u32 index;
	__u8 build_id_len;
	__u8 reserved[3];
	__u8 build_id[FARGS_SYMBOL_ID_MAX];
	char names[];
};

/**
 * struct fargs_layout - one function
 * @size:	bytes of the whole layout: header, stores, programs, bodies, constants,
 *		symbol
 * @body_len:	bytes of the body, a multiple of 8; with the record's header at
 *		most FARGS_RECORD_MAX
 * @nr_stores:	number of stores, at most FARGS_STORES_MAX of REG and STACK, and 3
 *		of the others
 * @flags:	enum fargs_layout_flags
 * @status:	out: 0 added; -EINVAL not traceable (ftrace has no entry there);
 *		-EEXIST the session has a layout for this address already; -EACCES the
 *		caller may not read the stack slots (FARGS_STACK_SLOTS_PLAIN); -EPERM it has
 *		programs, and the function is one that programs call; -EOPNOTSUPP the
 *		kernel allows no return probe there. Of a deferred one: 0 or -EEXIST, the
 *		session has one for the same symbol. Of a tracepoint: 0 or -EEXIST; if it is not
 *		deferred, -ENOENT there is none of that name, -ESTALE its module is
 *		another build
 * @addr:	address of the function, as kallsyms gives it; 0: it is deferred, or a
 *		tracepoint
 * @ip:		out: its fentry address, as records give it; of a deferred one: the
 *		number that fargs_arrival.layout gives it; of a tracepoint: its number, as
 *		records give it, below 2^32
 * @nr_insns:	instructions of each program, by enum fargs_prog; 0: there is none.
 *		RETURN ones need FARGS_LAYOUT_RETURN, SCOPE needs FARGS_LAYOUT_SCOPE, TRIGGER
 *		and RETURN_TRIGGER need FARGS_LAYOUT_TRIGGER
 * @append_max:	bytes that ENTRY_FETCH appends at most, all together; 0 without it
 * @return_append_max: the same of RETURN_FETCH
 * @return_body_len: bytes of the return body, a multiple of 8; 0 without
 *		FARGS_LAYOUT_RETURN, else at least 8
 * @const_len:	bytes of the constants, a multiple of 8, at most FARGS_CONST_MAX
 * @symbol_len:	bytes of the symbol, a multiple of 8, at most FARGS_SYMBOL_MAX; 0 without
 *		FARGS_LAYOUT_DEFERRED and _TPOINT
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
	__u16 nr_insns[7];
	__u16 append_max;
	__u16 return_append_max;
	__u16 return_body_len;
	__u16 const_len;
	__u16 symbol_len;
	__u16 reserved[4];
};

#define FARGS_CONST_MAX		4096
#define FARGS_SYMBOL_MAX		1024

#endif
