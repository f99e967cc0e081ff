// SPDX-License-Identifier: GPL-2.0-only
/*
 * Fault injection for kernels built without it, such as Debian's. Kprobes on the kernel's functions
 * make one of a task's allocations, or of its copies from or to user space, fail.
 *
 * The interface is /proc/fargs_fault. Only one task at a time may use it.
 *
 *	echo "range START END"		count only calls with a caller in that range of addresses
 *	echo "nth N"			make the Nth call from now on by the writing task fail
 *	echo end			stop counting
 *	cat				stop counting, and print "left N" if no call has failed;
 *					else "hit FUNCTION", and a line for each of its callers,
 *					innermost first
 *
 * If the module fargs was built from sources instrumented by "places instrument", a line "note N"
 * follows for each place in them that the task reached after the failure.
 */
#include <linux/bitmap.h>
#include <linux/bitops.h>
#include <linux/errno.h>
#include <linux/kprobes.h>
#include <linux/linkage.h>
#include <linux/module.h>
#include <linux/preempt.h>
#include <linux/proc_fs.h>
#include <linux/sched.h>
#include <linux/seq_file.h>
#include <linux/stacktrace.h>
#include <linux/string.h>
#include <linux/uaccess.h>
#include <asm/ibt.h>

#define FRAMES	64
#define NOTES	1024

/* Return value of a function that is made to fail. */
enum failure {
	FAILS_NULL,
	FAILS_ALL,	/* number of bytes not copied, which is the third argument */
};

struct site {
	const char *name;
	enum failure failure;
	struct kprobe kp;
	bool is_registered;
};

/*
 * Functions that this kernel lacks are skipped. Some of these functions call others of them, so one
 * allocation may be counted more than once.
 */
static struct site sites[] = {
	/* up to Linux 6.9 */
	{ "__kmalloc" }, { "__kmalloc_node" }, { "kmalloc_trace" }, { "kmalloc_node_trace" },
	{ "kmem_cache_alloc" }, { "kmem_cache_alloc_node" }, { "kmem_cache_alloc_lru" },
	{ "kvmalloc_node" }, { "__vmalloc" }, { "__vmalloc_node_range" }, { "__alloc_pages" },
	{ "alloc_pages_exact" }, { "pcpu_alloc" },
	/* since Linux 6.10 */
	{ "__kmalloc_noprof" }, { "__kmalloc_node_noprof" }, { "__kmalloc_cache_noprof" },
	{ "__kmalloc_cache_node_noprof" }, { "kmem_cache_alloc_noprof" },
	{ "kmem_cache_alloc_node_noprof" }, { "kmem_cache_alloc_lru_noprof" },
	{ "__kvmalloc_node_noprof" }, { "__vmalloc_noprof" }, { "__vmalloc_node_range_noprof" },
	{ "__alloc_pages_noprof" }, { "__alloc_frozen_pages_noprof" },
	{ "alloc_pages_exact_noprof" }, { "pcpu_alloc_noprof" },
	/* always */
	{ "vmap" }, { "_copy_from_user", FAILS_ALL }, { "_copy_to_user", FAILS_ALL },
};

static struct {
	struct task_struct *task;	/* task whose calls are counted; NULL: none */
	unsigned int nth;
	unsigned long start, end;	/* range of callers; end 0: all callers */
	const char *hit;		/* the function that failed */
	unsigned long frames[FRAMES];
	unsigned int nr_frames;
	struct task_struct *noting;	/* task whose call failed; NULL: none */
	DECLARE_BITMAP(notes, NOTES);
} fault;

/* A function that is made to fail continues here, and returns. */
asmlinkage void fargs_fault_return(void);
asm(".pushsection .text\n"
	".type fargs_fault_return, @function\n"
	".globl fargs_fault_return\n"
	"fargs_fault_return:\n"
	ASM_ENDBR
	ASM_RET
	".size fargs_fault_return, . - fargs_fault_return\n"
	".popsection\n");

static bool is_in_range(unsigned long addr)
{
	return !fault.end || (addr >= fault.start && addr < fault.end);
}

static int fargs_fault_handler(struct kprobe *kp, struct pt_regs *regs)
{
	const struct site *site = container_of(kp, struct site, kp);
	unsigned int i;

	/* No lock is needed: only this task sets fault.task to itself, or clears it. */
	if (current != READ_ONCE(fault.task) || !in_task())
		return 0;
	fault.nr_frames = stack_trace_save(fault.frames, FRAMES, 0);
	for (i = 0; i < fault.nr_frames && !is_in_range(fault.frames[i]); i++)
		;
	if (i == fault.nr_frames || --fault.nth)
		return 0;
	fault.hit = site->name;
	WRITE_ONCE(fault.task, NULL);
	WRITE_ONCE(fault.noting, current);
	regs_set_return_value(regs, site->failure == FAILS_ALL ? regs->dx : 0);
	instruction_pointer_set(regs, (unsigned long)fargs_fault_return);
	return 1;
}

NOKPROBE_SYMBOL(fargs_fault_handler);

/*
 * Called at each instrumented place of the module fargs, in any context. Needs no lock: only this
 * task sets fault.noting to itself, or clears it.
 */
void fargs_fault_note(unsigned int nr);
void notrace fargs_fault_note(unsigned int nr)
{
	if (current == READ_ONCE(fault.noting) && in_task() && nr < NOTES)
		set_bit(nr, fault.notes);
}
EXPORT_SYMBOL_GPL(fargs_fault_note);

static int show(struct seq_file *seq, void *unused)
{
	unsigned int i;

	WRITE_ONCE(fault.task, NULL);
	WRITE_ONCE(fault.noting, NULL);
	if (!fault.hit) {
		seq_printf(seq, "left %u\n", fault.nth);
		return 0;
	}
	seq_printf(seq, "hit %s\n", fault.hit);
	for (i = 0; i < fault.nr_frames; i++)
		seq_printf(seq, "%pS\n", (void *)fault.frames[i]);
	for_each_set_bit(i, fault.notes, NOTES)
		seq_printf(seq, "note %u\n", i);
	return 0;
}

static int open(struct inode *inode, struct file *file)
{
	WRITE_ONCE(fault.task, NULL);
	WRITE_ONCE(fault.noting, NULL);
	return single_open(file, show, NULL);
}

static ssize_t write(struct file *file, const char __user *from, size_t bytes, loff_t *pos)
{
	unsigned long start, end;
	unsigned int nth;
	char text[64];

	WRITE_ONCE(fault.task, NULL);
	WRITE_ONCE(fault.noting, NULL);
	if (bytes >= sizeof(text))
		return -EINVAL;
	if (copy_from_user(text, from, bytes))
		return -EFAULT;
	text[bytes] = '\0';
	if (sscanf(text, "range %lx %lx", &start, &end) == 2) {
		fault.start = start;
		fault.end = end;
	} else if (sscanf(text, "nth %u", &nth) == 1 && nth) {
		fault.hit = NULL;
		fault.nth = nth;
		bitmap_zero(fault.notes, NOTES);
		WRITE_ONCE(fault.task, current);
	} else if (strncmp(text, "end", 3)) {
		return -EINVAL;
	}
	return bytes;
}

static const struct proc_ops ops = {
	.proc_open = open,
	.proc_read = seq_read,
	.proc_lseek = seq_lseek,
	.proc_release = single_release,
	.proc_write = write,
};

static void unregister_sites(void)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(sites); i++) {
		if (sites[i].is_registered)
			unregister_kprobe(&sites[i].kp);
	}
}

static int __init fault_init(void)
{
	unsigned int nr = 0;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(sites); i++) {
		sites[i].kp.symbol_name = sites[i].name;
		sites[i].kp.pre_handler = fargs_fault_handler;
		sites[i].is_registered = !register_kprobe(&sites[i].kp);
		nr += sites[i].is_registered;
	}
	if (nr && proc_create("fargs_fault", 0600, NULL, &ops))
		return 0;
	unregister_sites();
	return -ENODEV;
}

static void __exit fault_exit(void)
{
	remove_proc_entry("fargs_fault", NULL);
	unregister_sites();
}

module_init(fault_init);
module_exit(fault_exit);

MODULE_LICENSE("GPL");
MODULE_AUTHOR("The fargs project");
MODULE_DESCRIPTION("Makes allocations fail, for tests of fargs");
