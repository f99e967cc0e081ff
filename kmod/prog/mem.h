/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Memory reads of programs: no page is faulted in, and only addresses that are mapped as
 * memory are read. Context: any context, NMI included. Preemption is disabled. A read may
 * fault, and handling the fault calls functions that ftrace can trace.
 *
 * Addresses in user space refer to the memory of the current task.
 */
#ifndef FARGS_KMOD_PROG_MEM_H
#define FARGS_KMOD_PROG_MEM_H

#include <linux/types.h>

#include "uapi/fargs_prog.h"
#include "uapi/fargs_record.h"

/* Small enough to be returned in two registers, which avoids the cost of the stack protector. */
struct fargs_mem_value {
	u64 value;
	bool is_read;
};

/**
 * fargs_mem_load() - read a number
 * @addr: address of the number
 * @bytes: size of the number: 1, 2, 4 or 8
 * @space: only addresses in this space are readable
 *
 * Context: Any context, NMI included. Preemption is disabled.
 * Return: The number, zero-extended, and whether it could be read.
 */
struct fargs_mem_value fargs_mem_load(u64 addr, u32 bytes, enum fargs_space space);

/**
 * fargs_mem_copy() - copy memory
 * @to: where the copy is written
 * @addr: address of the memory
 * @bytes: number of bytes
 * @space: only addresses in this space are readable
 *
 * If this fails, a part of the copy may have been written.
 *
 * Context: Any context, NMI included. Preemption is disabled.
 * Return: True if all bytes could be read.
 */
bool fargs_mem_copy(u8 *to, u64 addr, u32 bytes, enum fargs_space space);

/**
 * fargs_mem_copy_str() - copy a string
 * @to: where the copy is written; has room for @max rounded up to a multiple of 8
 * @addr: address of the string
 * @max: maximum number of bytes without the NUL; at most FARGS_MEM_MAX
 * @space: only addresses in this space are readable
 *
 * Context: Any context, NMI included. Preemption is disabled.
 * Return: The number of bytes copied, without the NUL; FARGS_MEM_CUT is also set if the next byte
 *	is not a NUL or is unreadable; -1 if the string is unreadable.
 */
s32 fargs_mem_copy_str(u8 *to, u64 addr, u32 max, enum fargs_space space);

/**
 * fargs_mem_copy_str_anywhere() - copy a string from any memory
 * @to: as in fargs_mem_copy_str()
 * @addr: address of the string
 * @max: as in fargs_mem_copy_str()
 * @space: as in fargs_mem_copy_str()
 *
 * Used if fargs_mem_copy_str_words() (prog/mem_word.h) has failed.
 *
 * Context: Any context, NMI included. Preemption is disabled.
 * Return: Same as fargs_mem_copy_str().
 */
s32 fargs_mem_copy_str_anywhere(u8 *to, u64 addr, u32 max, enum fargs_space space);

/*
 * Set in the length of a cut string; lengths are smaller. Shifted right by 16, it is
 * FARGS_TYPE_CUT, the flag for the value's type.
 */
#define FARGS_MEM_CUT	(FARGS_TYPE_CUT << 16)

#endif
