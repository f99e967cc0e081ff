/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Memory as programs read it: never faulting a page in, never what is not mapped
 * as memory. All of it: any context, NMI included; preemption disabled. What reads
 * may fault, and is followed by calls that ftrace can trace.
 *
 * An address of user space is looked up in the memory of the current task.
 */
#ifndef FARGS_KMOD_PROG_MEM_H
#define FARGS_KMOD_PROG_MEM_H

#include <linux/types.h>

#include "uapi/fargs_prog.h"
#include "uapi/fargs_record.h"

/* In two registers: nothing to be put on a stack, and guarded there. */
struct fargs_mem_value {
	u64 value;
	bool is_read;
};

/**
 * fargs_mem_load() - read a number
 * @addr: the address
 * @bytes: 1, 2, 4 or 8
 * @space: where @addr may be
 *
 * Context: Any context, NMI included. Preemption is disabled.
 * Return: The number, zero-extended, and whether it could be read.
 */
struct fargs_mem_value fargs_mem_load(u64 addr, u32 bytes, enum fargs_space space);

/**
 * fargs_mem_copy() - copy memory
 * @to: where to
 * @addr: the address
 * @bytes: how many
 * @space: where @addr may be
 *
 * If it fails some of them may have been written.
 *
 * Context: Any context, NMI included. Preemption is disabled.
 * Return: Whether all of it could be read.
 */
bool fargs_mem_copy(u8 *to, u64 addr, u32 bytes, enum fargs_space space);

/**
 * fargs_mem_copy_str() - copy a string
 * @to: where to; with room for @max rounded up to a multiple of 8
 * @addr: the address
 * @max: bytes at most, without the NUL; at most FARGS_MEM_MAX
 * @space: where @addr may be
 *
 * Context: Any context, NMI included. Preemption is disabled.
 * Return: How many bytes, without the NUL; with FARGS_MEM_CUT they are followed by something else
 *	than a NUL, or by what is unreadable. -1: unreadable.
 */
s32 fargs_mem_copy_str(u8 *to, u64 addr, u32 max, enum fargs_space space);

/**
 * fargs_mem_copy_str_anywhere() - fargs_mem_copy_str() where it is not whole words of the kernel
 * @to: as there
 * @addr: the address
 * @max: as there
 * @space: where @addr may be
 *
 * See prog/mem_word.h.
 *
 * Context: Any context, NMI included. Preemption is disabled.
 * Return: As there.
 */
s32 fargs_mem_copy_str_anywhere(u8 *to, u64 addr, u32 max, enum fargs_space space);

/* Above any length, and shifted right by 16 what values have in their type. */
#define FARGS_MEM_CUT	(FARGS_TYPE_CUT << 16)

#endif
