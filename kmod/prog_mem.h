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

/* The @bytes (1, 2, 4, 8) at @addr, zero-extended. False: unreadable. */
bool fargs_mem_load(u64 *value, u64 addr, u32 bytes, enum fargs_space space);
/* @bytes bytes; if it fails, some of them may have been written. */
bool fargs_mem_copy(u8 *to, u64 addr, u32 bytes, enum fargs_space space);
/*
 * Up to the NUL, which does not count, or @max bytes. Returns how many, or -1:
 * unreadable. At @to there must be room for @max rounded up to 8. *@is_cut: they
 * are followed by something else than a NUL, or by what is unreadable.
 */
s32 fargs_mem_copy_str(u8 *to, u64 addr, u32 max, enum fargs_space space, bool *is_cut);

#endif
