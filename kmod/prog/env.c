// SPDX-License-Identifier: GPL-2.0-only
/* Context: any context, NMI included. Preemption is disabled. Not traced (Kbuild). */
#include "prog/env.h"

#include <linux/cgroup.h>
#include <linux/cred.h>
#include <linux/kernel.h>
#include <linux/ptrace.h>
#include <linux/rcupdate.h>
#include <linux/sched.h>
#include <linux/smp.h>
#include <linux/stddef.h>
#include <linux/string.h>
#include <linux/uaccess.h>

#include "arch/regs.h"
#include "uapi/fargs_layout.h"

u32 fargs_env_arg_offset(u32 arg, bool is_return)
{
	return is_return ? arg * sizeof(u64) : fargs_arch_reg_offset(arg);
}

/*
 * Like fargs_fill_stack(): the stack may end after the page to which sp points, and reads are not
 * checked by KASAN, which poisons memory between the caller's variables.
 */
bool notrace fargs_env_slot(const struct fargs_call *call, u32 slot, u64 *value)
{
	unsigned long addr = fargs_arch_stack_slot(call->sp, slot);

	if (likely(!(((addr + 7) ^ call->sp) & PAGE_MASK))) {
		*value = READ_ONCE_NOCHECK(*(u64 *)addr);
		return true;
	}
	pagefault_disable();
	__get_kernel_nofault(value, (u64 *)addr, u64, fault);
	pagefault_enable();
	return true;
fault:
	pagefault_enable();
	*value = addr;
	return false;
}

/*
 * Returns the id of the cgroup of the task's current css_set. The css_set and its cgroups
 * are freed after an RCU grace period, which waits for this function, since preemption is
 * disabled. Where RCU is not watching, no grace period waits for this function, but a task
 * is not moved to another cgroup there.
 */
static __always_inline u64 cgroup_of_task(void)
{
#ifdef CONFIG_CGROUPS
	return cgroup_id(rcu_dereference_raw(current->cgroups)->dfl_cgrp);
#else
	return 0;
#endif
}

u64 notrace fargs_env_ctx(const struct fargs_call *call, u32 ctx)
{
	switch (ctx) {
	case FARGS_CTX_TID:
		return current->pid;
	case FARGS_CTX_TGID:
		return current->tgid;
	case FARGS_CTX_CPU:
		return raw_smp_processor_id();
	case FARGS_CTX_UID:
		/* Old credentials are freed after an RCU grace period, like a css_set. */
		return rcu_dereference_raw(current->cred)->euid.val;
	case FARGS_CTX_COMM:
		return (unsigned long)current->comm;
	case FARGS_CTX_CALLER:
		return call->caller;
	case FARGS_CTX_CGROUP:
		return cgroup_of_task();
	case FARGS_CTX_TASK:
		return (unsigned long)current;
	case FARGS_CTX_RETURN:
		return call->return_value;
	case FARGS_CTX_RETURN_HIGH:
		return call->return_high;
	default:
		return call->duration_tsc;
	}
}

/*
 * The first return address is in @call. The unwinder finds the others, from the registers that
 * ftrace, or the probe of a tracepoint, has saved. It looks up modules under RCU; where RCU is not
 * watching, only the first return address is available.
 */
u32 notrace fargs_env_stack(const struct fargs_call *call, u8 *to, u32 max)
{
	unsigned long addr = call->caller;
	u32 n = 0;

	memcpy(to, &addr, sizeof(addr));
	if (++n == max || !call->stack_regs || !rcu_is_watching())
		return n;
	return fargs_arch_unwind(call->stack_regs, addr, to, n, max);
}
