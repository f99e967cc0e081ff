/* SPDX-License-Identifier: GPL-2.0 WITH Linux-syscall-note */
/*
 * fargs layouts: how the arguments of one function become a record.
 *
 * User space compiles a layout once, from BTF. The module verifies the layout; for each call, it
 * copies values and runs programs as the layout specifies. A layout in memory is
 *
 *	struct fargs_layout	64 bytes
 *	struct fargs_store	8 bytes, nr_stores times
 *	struct fargs_insn	16 bytes each: the programs, in the order of enum fargs_prog
 *				(fargs_prog.h)
 *	body			body_len bytes: the body of the record with empty data
 *				(fargs_record.h)
 *	return body		return_body_len bytes: like the body, for values of the return
 *	constants		const_len bytes: names and patterns used by programs
 *	symbol			symbol_len bytes: struct fargs_symbol, in layouts with
 *				FARGS_LAYOUT_DEFERRED, _RELOAD or _TPOINT
 *
 * and layouts follow each other without gaps in the buffer of FARGS_IOC_ADD.
 *
 * The values of a body have types that a store can fill. The type str, values of type bytes
 * with length 0, and the flags FARGS_TYPE_FAULT and _CUT are not allowed. The layout contains
 * the length of a value of type bytes. Data that no store and no program fills is copied from
 * the layout into each record. After the name and type that end the list of values, all bytes
 * of a body are 0.
 *
 * Without FARGS_LAYOUT_RETURN each call that the entry predicate accepts (if there is one) has
 * an ENTRY record:
 *
 *	body, values appended by ENTRY_FETCH, end
 *
 * With FARGS_LAYOUT_RETURN each call that both predicates accept has one RETURN record, written
 * when the function returns. The values before the return body are those of the entry:
 *
 *	body, values appended by ENTRY_FETCH, return body, values appended by RETURN_FETCH, end
 *
 * With FARGS_LAYOUT_GRAPH as well a call has two records: ENTRY as above and, if ENTRY was
 * written and the return predicate accepts, RETURN with
 *
 *	return body, values appended by RETURN_FETCH, end
 *
 * The two records are matched by tid and entry TSC: FARGS_SOURCE_ENTRY_TSC of the RETURN record
 * equals tsc of the ENTRY record. A call that is missed (fargs_start.maxactive) has neither
 * record.
 *
 * With FARGS_LAYOUT_SCOPE a call that the SCOPE program accepts (if there is one) puts its task
 * in scope until the call returns: the call itself, and all calls that the task makes inside it.
 * In a session with such a layout, calls out of scope have no record and no sequence number. An
 * interrupt does not inherit the scope of the task that it interrupts, but a call made in the
 * interrupt can put the interrupt in scope until that call returns. A task that was inside the
 * function before START is not in scope, nor are the children that a task forks. A layout with
 * FARGS_LAYOUT_SCOPE has records as above, with or without FARGS_LAYOUT_RETURN; with
 * FARGS_LAYOUT_SILENT as well, it has no records and no sequence numbers.
 *
 * With FARGS_LAYOUT_TRIGGER a call that TRIGGER and RETURN_TRIGGER accept (each if there is one)
 * triggers: the call is recorded even if the other predicates reject it, its record has
 * FARGS_RECORD_TRIGGER set, and the trigger fires (fargs.h) once the record is complete. With
 * FARGS_LAYOUT_GRAPH the record of the trigger is ENTRY or, if there is a RETURN_TRIGGER,
 * RETURN; with a RETURN_TRIGGER any call that TRIGGER accepts has both records. A call that the
 * task filter or the scope excludes does not trigger. If a call that TRIGGER accepts is missed
 * (fargs_start.maxactive), it triggers at the call, without a record; but with a RETURN_TRIGGER it
 * does not trigger, and is counted (fargs_stats.nr_missed_triggers).
 *
 * The maximum size of every record must fit into FARGS_RECORD_MAX: the sum of its header, its
 * bodies and their append_max bytes, rounded up to 8. Appended values start at the end of the
 * body, and overwrite the empty name that ends it.
 *
 * A deferred layout (FARGS_LAYOUT_DEFERRED) has no address: it is for a function of a module
 * that is not loaded. When that module is loaded, the function is looked up in its symbol table
 * and traced before the module's own init function runs. Functions in init memory are traced
 * until the init function has returned, others until the module is unloaded; when the module is
 * loaded again, the functions are looked up again. Modules that are already loaded are ignored.
 * FARGS_IOC_ARRIVALS reports the results.
 *
 * A layout with FARGS_LAYOUT_RELOAD is for a function of a module that is loaded. It has the
 * function's address, which is used until the module is unloaded, and a symbol, by which the
 * function is looked up when the module is loaded again, as for a deferred layout.
 *
 * A layout with FARGS_LAYOUT_TPOINT is for a tracepoint, named by its symbol: it has no address,
 * and there is a TPOINT record each time the tracepoint fires:
 *
 *	body, values appended by ENTRY_FETCH, end
 *
 * Arguments are passed as to a function whose first parameter, in register 0, is a pointer used
 * by fargs itself; the tracepoint's parameters follow it. Instead of an address, the records
 * contain a number assigned by ADD. If the layout is deferred as well, the tracepoint may belong
 * to a module that is not loaded: it is traced whenever that module is loaded. With
 * FARGS_LAYOUT_RELOAD the tracepoint must exist, and is traced again when its module is loaded
 * again. The tracepoint's number stays the same, and it has arrivals only if ADD was called with
 * FARGS_ADD_TPOINT_ARRIVALS.
 */
#ifndef _UAPI_FARGS_LAYOUT_H
#define _UAPI_FARGS_LAYOUT_H

#include <linux/types.h>

enum fargs_source {
	/* index 0..5: rdi rsi rdx rcx r8 r9 */
	FARGS_SOURCE_REG = 1,
	/*
	 * index 0..31: the 8 bytes at rsp + 8 + 8 * index; at the call rsp points at the return
	 * address
	 */
	FARGS_SOURCE_STACK = 2,
	/* The return value, for the return body only; index 0: rax, index 1: rdx */
	FARGS_SOURCE_RETURN = 3,
	/*
	 * The TSC at the call, for the return body only; index 0. With FARGS_LAYOUT_GRAPH, equal
	 * to fargs_record.tsc of the call's ENTRY record
	 */
	FARGS_SOURCE_ENTRY_TSC = 4,
};

#define FARGS_REGS		6
#define FARGS_STACK_SLOTS	32
/*
 * First stack slot that needs more than CAP_PERFMON to be read (fargs.h). At the call, the slots
 * hold the function's arguments from the 7th on, if there are any, followed by variables of the
 * caller. Since the module does not know prototypes, it allows slots 0 to 5 for any function: the
 * 7th to the 12th argument.
 */
#define FARGS_STACK_SLOTS_PLAIN	6
#define FARGS_STORES_MAX	(FARGS_REGS + FARGS_STACK_SLOTS)

/**
 * struct fargs_store - copies 8 bytes into the body
 * @offset:	byte offset in the body (or the return body, depending on @source): the start of
 *		a value's data (for bytes, after the length) plus a multiple of 8, inside that
 *		data and its padding. No two stores have the same offset
 * @source:	enum fargs_source
 * @index:	number of the register or slot; each register and the TSC may be used only once, a
 *		slot any number of times
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
	FARGS_LAYOUT_GRAPH = 1 << 1,	/* requires FARGS_LAYOUT_RETURN */
	FARGS_LAYOUT_DEFERRED = 1 << 2,
	FARGS_LAYOUT_SCOPE = 1 << 3,
	/*
	 * No records. Requires FARGS_LAYOUT_SCOPE; may also be combined with _DEFERRED or
	 * _RELOAD, but with no other flag. The layout has no stores, and no program except
	 * SCOPE; its body is not used
	 */
	FARGS_LAYOUT_SILENT = 1 << 4,
	/*
	 * May be combined only with _DEFERRED, _RELOAD and _TRIGGER. Only ENTRY_* and TRIGGER
	 * programs are allowed.
	 */
	FARGS_LAYOUT_TPOINT = 1 << 5,
	FARGS_LAYOUT_TRIGGER = 1 << 6,	/* cannot be combined with FARGS_LAYOUT_SILENT */
	FARGS_LAYOUT_RELOAD = 1 << 7,	/* cannot be combined with FARGS_LAYOUT_DEFERRED */
};

#define FARGS_SYMBOL_ID_MAX	24
/*
 * Value of fargs_symbol.index: the module must have only one function of that name. Used if the
 * index is not known: it cannot be determined from /proc/kallsyms, which does not list functions in
 * init memory that has been freed.
 */
#define FARGS_SYMBOL_UNIQUE	0xffffffffu

/**
 * struct fargs_symbol - names a function of a module, or a tracepoint
 * @index:	index of the function, from 0, among the functions of the same name (STT_FUNC, not
 *		undefined) in the module's symbol table, or FARGS_SYMBOL_UNIQUE; tracepoint: 0
 * @build_id_len: bytes of @build_id; 0: any build of the module
 * @reserved:	0
 * @build_id:	build id of the module, from its note NT_GNU_BUILD_ID, then zeroes: the layout is
 *		for that build only. Symbols that differ only in the build id count as the same
 * @names:	name of the module, then name of the function or tracepoint, both non-empty and
 *		NUL-terminated, then zeroes up to a multiple of 8. "vmlinux" is the module of the
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
 * struct fargs_layout - header of a layout, which is for one function or tracepoint
 * @size:	bytes of the whole layout: header, stores, programs, bodies, constants, symbol
 * @body_len:	bytes of the body, a multiple of 8, at least 8; including the record's header at
 *		most FARGS_RECORD_MAX
 * @nr_stores:	number of stores: at most FARGS_STORES_MAX with source REG or STACK, and 3 with
 *		other sources
 * @flags:	enum fargs_layout_flags
 * @status:	out: 0: added; -EINVAL: not traceable (ftrace has no entry there); -EEXIST: the
 *		session already has a layout for this address; -EACCES: the caller may not read the
 *		stack slots (FARGS_STACK_SLOTS_PLAIN); -EPERM: programs call this function, or it
 *		handles their faults: its layout can have no programs; -EOPNOTSUPP: the kernel does
 *		not allow a return probe there.
 *		A deferred layout: 0, or -EEXIST: the session already has a layout for the same
 *		symbol; a layout with FARGS_LAYOUT_RELOAD can get this status as well. A tracepoint:
 *		0 or -EEXIST and, unless deferred, -ENOENT: there is no tracepoint of that name,
 *		-ESTALE: its module has a different build id
 * @addr:	address of the function, as in kallsyms; 0: deferred, or a tracepoint
 * @ip:		out: fentry address of the function, as in records; deferred: the number in
 *		fargs_arrival.layout; tracepoint: the number in its records, below 2^32
 * @nr_insns:	instructions of each program, indexed by enum fargs_prog; 0: no such program. The
 *		RETURN programs need FARGS_LAYOUT_RETURN, SCOPE needs FARGS_LAYOUT_SCOPE, TRIGGER
 *		and RETURN_TRIGGER need FARGS_LAYOUT_TRIGGER
 * @append_max:	maximum total number of bytes that ENTRY_FETCH appends; 0 without ENTRY_FETCH
 * @return_append_max: the same for RETURN_FETCH
 * @return_body_len: bytes of the return body, a multiple of 8; 0 without FARGS_LAYOUT_RETURN,
 *		else at least 8
 * @const_len:	bytes of the constants, a multiple of 8, at most FARGS_CONST_MAX
 * @symbol_len:	bytes of the symbol, a multiple of 8, at most FARGS_SYMBOL_MAX; 0 if none of
 *		FARGS_LAYOUT_DEFERRED, _RELOAD and _TPOINT is set
 * @number:	out, for a function with FARGS_LAYOUT_RELOAD: the number in fargs_arrival.layout
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
	__u32 number;
	__u16 reserved[2];
};

#define FARGS_CONST_MAX		4096
#define FARGS_SYMBOL_MAX		1024

#endif
