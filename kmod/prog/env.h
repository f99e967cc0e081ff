/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What programs see of the task and the CPU they run on. Any context; preemption
 * disabled.
 */
#ifndef FARGS_PROG_ENV_H
#define FARGS_PROG_ENV_H

#include <linux/types.h>

#include "prog/prog.h"

/* Where argument register @arg is in the regs of a struct fargs_call. */
u32 fargs_env_arg_offset(u32 arg, bool is_return);
/* The stack slot @slot. False: unreadable, and *@value is its address. */
bool fargs_env_slot(const struct fargs_call *call, u32 slot, u64 *value);
/* What @ctx, of enum fargs_ctx, is now. */
u64 fargs_env_ctx(const struct fargs_call *call, u32 ctx);
/*
 * Up to @max return addresses, the caller's first, to @to, which need not be
 * aligned. Returns how many. Calls what ftrace can trace.
 */
u32 fargs_env_stack(const struct fargs_call *call, u8 *to, u32 max);

#endif
