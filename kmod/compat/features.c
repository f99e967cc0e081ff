// SPDX-License-Identifier: GPL-2.0-only
/*
 * Tests for differences between kernels: for each feature, a minimal piece of code that compiles
 * only on a kernel with that feature. compat/Kbuild compiles each piece; compat/features.h contains
 * the results. So the result does not depend on the kernel's version number or on the text of its
 * headers. This file is not part of the module.
 */
#include <linux/fprobe.h>
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/percpu.h>
#include <linux/rethook.h>
#include <linux/tracepoint.h>
#include <asm/current.h>

#define HAS_TYPE(member, ...) \
	static_assert(__builtin_types_compatible_p(typeof(((struct fprobe *)NULL)->member), \
						   __VA_ARGS__))

/* fprobe callbacks have a parameter for the return address, and get pt_regs: 6.6 to 6.13. */
#ifdef FARGS_TEST_FPROBE_PT_REGS
HAS_TYPE(entry_handler, int (*)(struct fprobe *fprobe, unsigned long ip, unsigned long ret_ip,
				struct pt_regs *regs, void *data));
#endif

/* fprobe callbacks get ftrace_regs (fprobe is built on the function graph tracer): since 6.14. */
#ifdef FARGS_TEST_FPROBE_FTRACE_REGS
HAS_TYPE(entry_handler, int (*)(struct fprobe *fprobe, unsigned long ip, unsigned long ret_ip,
				struct ftrace_regs *regs, void *data));
#endif

/* struct module has an array of memory areas: since 6.4. */
#ifdef FARGS_TEST_MODULE_MEM
static __maybe_unused const void *test(const struct module *mod)
{
	return mod->mem[MOD_RODATA].base;
}
#endif

/* The preempt count of x86 is a member of struct pcpu_hot: 6.2 to 6.14. */
#ifdef FARGS_TEST_PCPU_HOT
static __maybe_unused int test(void)
{
	return raw_cpu_read_4(pcpu_hot.preempt_count);
}
#endif

/* The instances of return probes are in an objpool: since 6.7. */
#ifdef FARGS_TEST_RETHOOK_OBJPOOL
static __maybe_unused int test(const struct rethook *hook)
{
	return hook->pool.nr_objs;
}
#endif

/* The tracepoint sched_process_exit has a second parameter: since 6.16. */
#ifdef FARGS_TEST_TRACEPOINT_EXIT_GROUP
#include <trace/events/sched.h>
static void probe(void *data, struct task_struct *task, bool is_group_dead)
{
}

static __maybe_unused void test(void)
{
	check_trace_callback_type_sched_process_exit(probe);
}
#endif

/* Some tracepoints have probes that may fault: since 6.13. */
#ifdef FARGS_TEST_TRACEPOINT_FAULTABLE
static __maybe_unused bool test(struct tracepoint *tp)
{
	return tracepoint_is_faultable(tp);
}
#endif

/* Since 6.3, vm_flags may be changed only through helpers such as vm_flags_mod(). */
#ifdef FARGS_TEST_VM_FLAGS_MOD
static __maybe_unused void test(struct vm_area_struct *vma)
{
	vm_flags_mod(vma, VM_DONTCOPY, 0);
}
#endif

/*
 * Preemption is disabled while a tracepoint's probes run: before 7.x. No declaration differs, so
 * this piece would compile on every kernel. It is therefore only preprocessed; the output contains
 * FARGS_DISABLES_PREEMPTION if the kernel disables preemption.
 */
#ifdef FARGS_TEST_TRACEPOINT_PREEMPT
#undef preempt_disable_notrace
#undef guard
#define preempt_disable_notrace()	FARGS_DISABLES_PREEMPTION
#define guard(kind)			guard_of_##kind
#define guard_of_preempt_notrace()	FARGS_DISABLES_PREEMPTION
DECLARE_TRACE(test, TP_PROTO(int a), TP_ARGS(a));
#endif
