/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Memory as programs read it: never faulting a page in, never what is not mapped
 * as memory. All of it: any context, NMI included; preemption disabled. What reads
 * may fault, and is followed by calls that ftrace can trace.
 *
 * An address of user space is looked up in the memory of the current task.
 */
#ifndef FARGS_PROG_MEM_H
#define FARGS_PROG_MEM_H

#include <linux/types.h>

#include "uapi/fargs_prog.h"
#include "uapi/fargs_record.h"

/* In two registers: nothing to be put on a stack, and guarded there. */
struct fargs_mem_value {
	u64 value;
	bool is_read;
};

/* The @bytes (1, 2, 4, 8) at @addr, zero-extended. */
struct fargs_mem_value fargs_mem_load(u64 addr, u32 bytes, enum fargs_space space);
/* @bytes bytes; if it fails, some of them may have been written. */
bool fargs_mem_copy(u8 *to, u64 addr, u32 bytes, enum fargs_space space);
/*
 * Up to the NUL, which does not count, or @max bytes, at most FARGS_MEM_MAX. Returns
 * how many, or -1: unreadable. At @to there must be room for @max rounded up to 8.
 * With FARGS_MEM_CUT they are followed by something else than a NUL, or by what is
 * unreadable.
 */
s32 fargs_mem_copy_str(u8 *to, u64 addr, u32 max, enum fargs_space space);
/* The same where it is not of whole words in pages of the kernel (prog_mem_word.h). */
s32 fargs_mem_copy_str_anywhere(u8 *to, u64 addr, u32 max, enum fargs_space space);

/* Above any length, and shifted right by 16 what values have in their type. */
#define FARGS_MEM_CUT	(FARGS_TYPE_CUT << 16)

#endif
