/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What programs see of the task and the CPU they run on. Any context; preemption
 * disabled.
 */
#ifndef FARGS_KMOD_PROG_ENV_H
#define FARGS_KMOD_PROG_ENV_H

#include <linux/types.h>

#include "prog/prog.h"

/**
 * fargs_env_arg_offset() - where an argument register is in the regs of a struct fargs_call
 * @arg: its number
 * @is_return: for programs that run at the return
 *
 * Context: Any context.
 * Return: Offset in bytes.
 */
u32 fargs_env_arg_offset(u32 arg, bool is_return);

/**
 * fargs_env_slot() - read a stack slot of a call
 * @call: the call
 * @slot: its number
 * @value: set to what it holds, or to its address
 *
 * Context: Any context, NMI included. Preemption is disabled.
 * Return: False if it is unreadable.
 */
bool fargs_env_slot(const struct fargs_call *call, u32 slot, u64 *value);

/**
 * fargs_env_ctx() - what is known of the context now
 * @call: the call
 * @ctx: of enum fargs_ctx
 *
 * Context: Any context, NMI included. Preemption is disabled.
 * Return: Its value.
 */
u64 fargs_env_ctx(const struct fargs_call *call, u32 ctx);

/**
 * fargs_env_stack() - who has called
 * @call: the call
 * @to: where return addresses go, the caller's first; need not be aligned
 * @max: how many there is room for; not 0
 *
 * Calls what ftrace can trace.
 *
 * Context: Any context, NMI included. Preemption is disabled.
 * Return: How many there are.
 */
u32 fargs_env_stack(const struct fargs_call *call, u8 *to, u32 max);

#endif
