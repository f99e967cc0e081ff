/* SPDX-License-Identifier: GPL-2.0 WITH Linux-syscall-note */
/*
 * fargs records: what the ring and the trace file hold.
 *
 * A record is a header followed by a body. The body is a list of
 *
 *	name bytes, NUL; type byte; data
 *
 * ended by an empty name with type 0 (two zero bytes); what follows that up to the
 * length in the header has no meaning. Nothing else is needed to print a record: neither BTF
 * nor the layout it was made from. All integers are little endian; nothing in
 * a body is aligned.
 *
 * Data by type:
 *
 *	up to 64 bits	8 bytes. Only the type's own width counts: the bytes
 *			above it are whatever the register or stack slot held,
 *			and a reader must cut them off.
 *	128 bits	16 bytes, low half first.
 *	str, bytes	__u16 length n, then n bytes, then bytes of no meaning
 *			up to the next multiple of 8 (counted from the first
 *			of the n). n does not count a NUL; str has none.
 *	fault		any of the above with FARGS_TYPE_FAULT set: the memory
 *			could not be read. The data keeps its size, and its
 *			first 8 bytes (after the length of str and bytes, and
 *			also where n is less than 8) are the address.
 *	cut		str or bytes with FARGS_TYPE_CUT set: in memory there was
 *			more of it. Never together with fault.
 */
#ifndef _UAPI_FARGS_RECORD_H
#define _UAPI_FARGS_RECORD_H

#include <linux/types.h>

/* Records start at multiples of this, and are a multiple of it long. */
#define FARGS_RECORD_ALIGN	8

/* The longest record, header included, in bytes. */
#define FARGS_RECORD_MAX	3072

enum fargs_kind {
	FARGS_KIND_ENTRY = 1,	/* a function was called */
	FARGS_KIND_RETURN = 2,	/* a function returned */
	FARGS_KIND_TPOINT = 3,	/* a tracepoint fired */
	FARGS_KIND_LOST = 4,	/* "lost" u64: numbers dropped about here, not told before */
	FARGS_KIND_TASK = 5,	/* what is known of a task changed: see below */
	FARGS_KIND_SWITCH = 6,	/* the CPU goes on with another task: see below */
};

/*
 * Bodies of FARGS_KIND_TASK. The task is the header's tid, except for a fork,
 * where the header's tid is the parent's.
 *
 *	fork	"fork" s32 tid of the child, "tgid" s32, "comm" bytes
 *	exec	"exec" s32 tid before (it changes when a thread execs),
 *		"tgid" s32, "comm" bytes
 *	rename	"rename" s32 tid of the task renamed, "tgid" s32, "comm" bytes
 *
 * comm is FARGS_COMM_LEN bytes and ends at the first NUL.
 *
 * Body of FARGS_KIND_SWITCH, which FARGS_START_SWITCHES asks for. The header's tid is the task
 * that ran, whatever tasks the session traces:
 *
 *	switch	"switch" s32 tid of the task that runs next (0: the idle task), "tgid" s32 of
 *		it, "state" u32, "nr" u64
 *
 * state is the kernel's number for what the task that ran waits for (TASK_*), 0 if it could go
 * on. nr counts the switches of that CPU while the session was running since BUFFER, from 0,
 * without a hole: what no record carries found no room. A record is made right before the
 * switch, and there is no switch without one or its number.
 */
#define FARGS_COMM_LEN		16

enum fargs_type {
	FARGS_TYPE_END = 0,
	FARGS_TYPE_U8 = 1,
	FARGS_TYPE_S8 = 2,
	FARGS_TYPE_U16 = 3,
	FARGS_TYPE_S16 = 4,
	FARGS_TYPE_U32 = 5,
	FARGS_TYPE_S32 = 6,
	FARGS_TYPE_U64 = 7,
	FARGS_TYPE_S64 = 8,
	FARGS_TYPE_BOOL = 9,	/* one byte: 0 is false, all else true */
	FARGS_TYPE_CHAR = 10,	/* one byte, a character; above 127 BTF says if it is signed */
	FARGS_TYPE_PTR = 11,
	FARGS_TYPE_U128 = 12,
	FARGS_TYPE_S128 = 13,
	FARGS_TYPE_STR = 14,
	FARGS_TYPE_BYTES = 15,
};

/*
 * Names that begin with $ are no parameters. The tool's layouts begin the return
 * body with $entry, so that what was known at the call stands in front of it;
 * $ret follows, unless the function returns nothing.
 */
#define FARGS_NAME_ENTRY	"$entry"	/* u64: TSC at the call */
#define FARGS_NAME_RETURN	"$ret"		/* what the function returned */
#define FARGS_NAME_STACK	"$stack"	/* bytes: return addresses, from the caller on */
/*
 * bytes, in a body in front of the values that programs fill, where these were not
 * asked for in the order in which they stand: for each value appended behind the body
 * ($stack does not count) how many of those in the body were asked for before it.
 */
#define FARGS_NAME_ORDER	"$order"

#define FARGS_TYPE_FAULT	0x80	/* or-ed to a type */
#define FARGS_TYPE_CUT		0x40	/* or-ed to FARGS_TYPE_STR or _BYTES */

/**
 * struct fargs_record - the header of every record, 48 bytes
 * @len:	bytes of the record, this header included; a multiple of
 *		FARGS_RECORD_ALIGN, at most FARGS_RECORD_MAX
 * @kind:	enum fargs_kind
 * @flags:	FARGS_RECORD_*; the others are 0
 * @tid:	the task that ran, as the init pid namespace numbers it
 * @tsc:	the CPU's time stamp counter, raw; RETURN: at the return
 * @ip:		ENTRY, RETURN: the fentry address of the function (with IBT, 4
 *		bytes behind its symbol); TPOINT: the number that ADD gave the
 *		tracepoint; LOST, TASK, SWITCH: 0
 * @parent_ip:	ENTRY, RETURN: the return address; TPOINT: that of the call of the probe,
 *		in the function that fired it or, if there are other probes, in the
 *		kernel's __traceiter_NAME; LOST, TASK, SWITCH: 0
 * @seq:	counts, per session and CPU, the calls that passed the task
 *		filter, from 0, without a hole: numbers that no record carries
 *		were lost or rejected. A call whose layout has FARGS_LAYOUT_RETURN
 *		takes its number, on the CPU where that happens, when it returns, or
 *		at the call if it is rejected there or its return will be missed;
 *		with FARGS_LAYOUT_GRAPH both take one. LOST, TASK and SWITCH records take none
 *		and carry the next one to be taken. Records come in the order of
 *		their reservation, so that numbers may be out of order by the
 *		depth to which interrupts nest.
 * @preempt:	FARGS_PREEMPT_*: the kernel's preempt_count, without what the
 *		tracer itself added; one more in depth where a function is shared
 *		with other tracers, by ftrace, and in some TASK and SWITCH records
 * @eflags:	low half of the flags register; FARGS_EFLAGS_IF clear means
 *		that interrupts were off
 * @tif:	low half of the task's thread_info flags; struct fargs_info says
 *		which bits ask for rescheduling
 */
struct fargs_record {
	__u16 len;
	__u8 kind;
	__u8 flags;
	__u32 tid;
	__u64 tsc;
	__u64 ip;
	__u64 parent_ip;
	__u64 seq;
	__u32 preempt;
	__u16 eflags;
	__u16 tif;
};

/* In flags: ENTRY, RETURN: of a call that triggers (FARGS_LAYOUT_TRIGGER) */
#define FARGS_RECORD_TRIGGER	0x01

#define FARGS_PREEMPT_DEPTH	0x000000ffu	/* preempt_disable nesting */
#define FARGS_PREEMPT_SOFTIRQ	0x0000ff00u	/* 0x100: serving one; more: disabled */
#define FARGS_PREEMPT_SERVING	0x00000100u
#define FARGS_PREEMPT_HARDIRQ	0x000f0000u
#define FARGS_PREEMPT_NMI	0x00f00000u
#define FARGS_PREEMPT_NO_RESCHED 0x80000000u	/* clear: rescheduling is due */

#define FARGS_EFLAGS_IF		0x0200u

#endif
