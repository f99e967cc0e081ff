/* SPDX-License-Identifier: GPL-2.0 WITH Linux-syscall-note */
/*
 * fargs records: the format of events in the rings and in the trace file.
 *
 * A record is a header followed by a body. The body is a list of values, each of them
 *
 *	name bytes, NUL; type byte; data
 *
 * and ends with an empty name of type 0 (two zero bytes); the bytes from there up to the length
 * in the header are undefined. A record can be printed without BTF and without its layout. All
 * integers are little endian; nothing in a body is aligned.
 *
 * Data by type:
 *
 *	up to 64 bits	8 bytes. Only the width of the type counts: the higher bytes are
 *			whatever the register or stack slot held, and a reader must ignore them.
 *	128 bits	16 bytes, low half first.
 *	str, bytes	__u16 length n, then n bytes, then undefined bytes up to the next multiple
 *			of 8 (counted from the first of the n bytes). A str has no NUL.
 *	fault		any of the above with FARGS_TYPE_FAULT set: the memory could not be
 *			read. The data keeps its size, and its first 8 bytes (after the length
 *			of str and bytes, and even if n is less than 8) are the address.
 *	cut		str or bytes with FARGS_TYPE_CUT set: the data in memory was longer
 *			or, for a str, the next byte was unreadable. Never together with fault.
 */
#ifndef _UAPI_FARGS_RECORD_H
#define _UAPI_FARGS_RECORD_H

#include <linux/types.h>

/* Alignment in bytes of records in the ring; the length of a record is a multiple of it. */
#define FARGS_RECORD_ALIGN	8

/* Maximum length of a record in bytes, including the header. */
#define FARGS_RECORD_MAX	3072

enum fargs_kind {
	FARGS_KIND_ENTRY = 1,	/* a function was called */
	FARGS_KIND_RETURN = 2,	/* a function returned */
	FARGS_KIND_TPOINT = 3,	/* a tracepoint fired */
	FARGS_KIND_LOST = 4,	/* body: "lost" u64, calls lost since the last LOST record */
	FARGS_KIND_TASK = 5,	/* a task forked, executed a program or was renamed: see below */
	FARGS_KIND_SWITCH = 6,	/* the CPU switches to another task: see below */
};

/*
 * Bodies of FARGS_KIND_TASK. The header's tid is the current task: for a fork the parent, for a
 * rename possibly not the renamed task.
 *
 *	fork	"fork" s32 tid of the child, "tgid" s32, "comm" bytes
 *	exec	"exec" s32 previous tid (exec in a thread changes the tid), "tgid" s32,
 *		"comm" bytes
 *	rename	"rename" s32 tid of the renamed task, "tgid" s32, "comm" bytes
 *
 * comm has FARGS_COMM_LEN bytes and ends at the first NUL.
 *
 * Body of FARGS_KIND_SWITCH, which FARGS_START_SWITCHES enables for all tasks, traced or not.
 * The header's tid is the previous task:
 *
 *	switch	"switch" s32 tid of the next task (0: the idle task), "tgid" s32 of the next
 *		task, "state" u32, "nr" u64
 *
 * state is the state of the previous task (the kernel's TASK_*), 0 if it is runnable. nr counts the
 * switches of the CPU while the session is running, from 0 at BUFFER and without gaps: if a number
 * is missing, its record was dropped for lack of room. The record is written right before the
 * switch; every switch has a number.
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
	FARGS_TYPE_BOOL = 9,	/* one byte: 0 is false, any other value true */
	FARGS_TYPE_CHAR = 10,	/* one byte, a character; only BTF shows whether it is signed */
	FARGS_TYPE_PTR = 11,
	FARGS_TYPE_U128 = 12,
	FARGS_TYPE_S128 = 13,
	FARGS_TYPE_STR = 14,
	FARGS_TYPE_BYTES = 15,
};

/*
 * Names that begin with $ are not parameters. The fargs tool begins the return body of its layouts
 * with $entry, so all values before $entry are from the call; $ret follows $entry, unless the
 * function returns nothing.
 */
#define FARGS_NAME_ENTRY	"$entry"	/* u64: TSC at the call */
#define FARGS_NAME_RETURN	"$ret"		/* return value of the function */
#define FARGS_NAME_STACK	"$stack"	/* bytes: return addresses, innermost first */
/*
 * bytes: the order in which the user requested the values that programs fetch. In a record, the
 * fetched values that are part of the layout's body precede those that are appended. If the user
 * requested another order, the record has a value $order, which precedes all fetched values. It
 * contains one byte for each appended value except $stack, in the order of the record: the number
 * of fetched values of the body that the user requested before this appended value.
 */
#define FARGS_NAME_ORDER	"$order"

#define FARGS_TYPE_FAULT	0x80	/* ORed into a type: the value could not be read */
#define FARGS_TYPE_CUT		0x40	/* ORed into FARGS_TYPE_STR or _BYTES: the data was cut */

/**
 * struct fargs_record - header of every record, 48 bytes
 * @len:	bytes of the record, including this header; a multiple of FARGS_RECORD_ALIGN, at
 *		most FARGS_RECORD_MAX
 * @kind:	enum fargs_kind
 * @flags:	FARGS_RECORD_*; the other bits are 0
 * @tid:	id of the current task in the init pid namespace
 * @tsc:	the CPU's time stamp counter, raw; RETURN: at the return
 * @ip:		ENTRY, RETURN: fentry address of the function (with IBT, 4 bytes after its symbol);
 *		TPOINT: number of the tracepoint, assigned by ADD; LOST, TASK, SWITCH: 0
 * @parent_ip:	ENTRY, RETURN: return address of the function; TPOINT: address in the function
 *		that fired the tracepoint, after its call of the probe or, if the tracepoint has
 *		other probes, of the kernel's __traceiter_NAME; if that address cannot be
 *		determined, an address in __traceiter_NAME; LOST, TASK, SWITCH: 0
 * @seq:	sequence number: counts, per session and CPU, the calls that passed the task filter
 *		and the scope, from 0 without gaps. A number that is missing from the records
 *		belongs to a call that was lost or rejected. A call with FARGS_LAYOUT_RETURN
 *		allocates its number when it returns, on the CPU on which it returns, or at the call
 *		if it is rejected or missed there; with FARGS_LAYOUT_GRAPH the call and the return
 *		allocate one number each. LOST, TASK and SWITCH records allocate none, and contain
 *		the next free number. Records are in the order in which their room was reserved, so
 *		nested interrupts can reorder the numbers, by at most the depth of nesting
 * @preempt:	FARGS_PREEMPT_*: the kernel's preempt_count, without the tracer's own part. The
 *		depth is too high by 1 if ftrace shares the function with other tracers, and in
 *		some TASK and SWITCH records
 * @eflags:	low 16 bits of the flags register; FARGS_EFLAGS_IF is clear if interrupts were off
 * @tif:	low 16 bits of the task's thread_info flags. The bits that request rescheduling are
 *		fargs_info.tif_resched and tif_resched_lazy. If the kernel has one of them above bit
 *		15, it is copied to bit 15
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

/* In flags of ENTRY, RETURN and TPOINT: the call triggered (FARGS_LAYOUT_TRIGGER) */
#define FARGS_RECORD_TRIGGER	0x01

#define FARGS_PREEMPT_DEPTH	0x000000ffu	/* nesting of preempt_disable() */
/*
 * The bit FARGS_PREEMPT_SERVING is set while the CPU (with PREEMPT_RT, the task) serves a softirq.
 * The bits above it count nested calls of local_bh_disable(), and may be set at the same time.
 */
#define FARGS_PREEMPT_SOFTIRQ	0x0000ff00u
#define FARGS_PREEMPT_SERVING	0x00000100u
#define FARGS_PREEMPT_HARDIRQ	0x000f0000u
#define FARGS_PREEMPT_NMI	0x00f00000u
#define FARGS_PREEMPT_NO_RESCHED 0x80000000u	/* if clear, rescheduling is due */

#define FARGS_EFLAGS_IF		0x0200u

#endif
