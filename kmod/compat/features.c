// SPDX-License-Identifier: GPL-2.0-only
/*
 * What differs between kernels: for each feature the least code that only a kernel with it
 * compiles. compat/Kbuild tries each; compat/features.h has what compiled. So neither a kernel's
 * number nor a comment in a header decides. This is no part of the module.
 */
#include <linux/fprobe.h>
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/percpu.h>
#include <linux/tracepoint.h>
#include <asm/current.h>

#define HAS_TYPE(member, ...) \
	static_assert(__builtin_types_compatible_p(typeof(((struct fprobe *)NULL)->member), \
						   __VA_ARGS__))

/* Callbacks of fprobe with the return address and pt_regs: 6.6 to 6.13. */
#ifdef FARGS_TEST_FPROBE_PT_REGS
HAS_TYPE(entry_handler, int (*)(struct fprobe *fprobe, unsigned long ip, unsigned long ret_ip,
				struct pt_regs *regs, void *data));
#endif

/* The same with ftrace_regs, where fprobe stands on the function graph tracer: from 6.14 on. */
#ifdef FARGS_TEST_FPROBE_FTRACE_REGS
HAS_TYPE(entry_handler, int (*)(struct fprobe *fprobe, unsigned long ip, unsigned long ret_ip,
				struct ftrace_regs *regs, void *data));
#endif

/* Where a module's parts are is in an array: from 6.4 on. */
#ifdef FARGS_TEST_MODULE_MEM
static __maybe_unused const void *test(const struct module *mod)
{
	return mod->mem[MOD_RODATA].base;
}
#endif

/* Of x86, the preempt count is a member of a struct: 6.2 to 6.14. */
#ifdef FARGS_TEST_PCPU_HOT
static __maybe_unused int test(void)
{
	return raw_cpu_read_4(pcpu_hot.preempt_count);
}
#endif

/* Tracepoints whose probes may fault: from 6.13 on. */
#ifdef FARGS_TEST_TRACEPOINT_FAULTABLE
static __maybe_unused bool test(struct tracepoint *tp)
{
	return tracepoint_is_faultable(tp);
}
#endif

/* The flags of a mapping are changed by functions only: from 6.3 on. */
#ifdef FARGS_TEST_VM_FLAGS_MOD
static __maybe_unused void test(struct vm_area_struct *vma)
{
	vm_flags_mod(vma, VM_DONTCOPY, 0);
}
#endif

/*
 * Preemption is disabled for a tracepoint's probes: before 7.x. No declaration says so, and
 * every kernel compiles this: so it is preprocessed, and has the word then if it is so.
 */
#ifdef FARGS_TEST_TRACEPOINT_PREEMPT
#undef preempt_disable_notrace
#undef guard
#define preempt_disable_notrace()	FARGS_DISABLES_PREEMPTION
#define guard(kind)			guard_of_##kind
#define guard_of_preempt_notrace()	FARGS_DISABLES_PREEMPTION
DECLARE_TRACE(test, TP_PROTO(int a), TP_ARGS(a));
#endif
