/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Values that programs read from the call, the current task and the CPU, rather than from memory.
 * Context: any context, NMI included. Preemption is disabled.
 */
#ifndef FARGS_KMOD_PROG_ENV_H
#define FARGS_KMOD_PROG_ENV_H

#include <linux/types.h>

#include "prog/prog.h"

/**
 * fargs_env_arg_offset() - get the offset of an argument register in fargs_call.regs
 * @arg: number of the register
 * @is_return: true for programs that run at the return
 *
 * Context: Any context.
 * Return: The offset in bytes.
 */
u32 fargs_env_arg_offset(u32 arg, bool is_return);

/**
 * fargs_env_slot() - read a stack slot of a call
 * @call: the call
 * @slot: number of the slot
 * @value: set to the value of the slot, or to its address if it is unreadable
 *
 * Context: Any context, NMI included. Preemption is disabled.
 * Return: False if the slot is unreadable.
 */
bool fargs_env_slot(const struct fargs_call *call, u32 slot, u64 *value);

/**
 * fargs_env_ctx() - get a value of the current context
 * @call: the call
 * @ctx: which value, of enum fargs_ctx
 *
 * Context: Any context, NMI included. Preemption is disabled.
 * Return: The value.
 */
u64 fargs_env_ctx(const struct fargs_call *call, u32 ctx);

/**
 * fargs_env_stack() - get the return addresses of a call
 * @call: the call
 * @to: where return addresses are written, innermost first; need not be aligned
 * @max: maximum number of return addresses; not 0
 *
 * Calls functions that ftrace can trace.
 *
 * Context: Any context, NMI included. Preemption is disabled.
 * Return: The number of return addresses.
 */
u32 fargs_env_stack(const struct fargs_call *call, u8 *to, u32 max);

#endif
