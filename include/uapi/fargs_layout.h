/* SPDX-License-Identifier: GPL-2.0 WITH Linux-syscall-note */
/*
 * fargs layouts: how one function's arguments become a record.
 *
 * User space compiles a layout once (from BTF); the module verifies it and
 * from then on only copies. A layout in memory is
 *
 *	struct fargs_layout	64 bytes
 *	struct fargs_store	8 bytes, nr_stores times
 *	body			body_len bytes: the record's body with its
 *				data empty (fargs_record.h)
 *
 * and layouts follow each other without a gap in the buffer of FARGS_IOC_ADD.
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
};

#define FARGS_REGS		6
#define FARGS_STACK_SLOTS	32	/* at most, per layout */
#define FARGS_STORES_MAX	(FARGS_REGS + FARGS_STACK_SLOTS)

/**
 * struct fargs_store - puts 8 bytes into the body
 * @offset:	where in the body, in bytes: the start of a value's data or a
 *		multiple of 8 behind it, and inside that data. Data can be filled
 *		by one store only.
 * @source:	enum fargs_source
 * @index:	which register or slot; each register at most once
 * @reserved:	0
 */
struct fargs_store {
	__u16 offset;
	__u8 source;
	__u8 index;
	__u32 reserved;
};

/**
 * struct fargs_layout - one function
 * @size:	bytes of the whole layout: header, stores, body
 * @body_len:	bytes of the body, a multiple of 8; with the record's header at
 *		most FARGS_RECORD_MAX
 * @nr_stores:	number of stores, at most FARGS_STORES_MAX
 * @flags:	0
 * @status:	out: 0 added; -EINVAL not traceable (ftrace has no entry there);
 *		-EEXIST the session has a layout for this address already
 * @addr:	address of the function, as kallsyms gives it
 * @ip:		out: its fentry address, as records give it
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
	__u64 reserved[4];
};

#endif
