// SPDX-License-Identifier: GPL-2.0-only
/*
 * /proc/fargs_witness: counts calls of functions with its own ftrace_ops, to check how many calls
 * a tracer should have recorded. It shares no code with fargs except ftrace.
 *
 *	write	once: an array of fentry addresses, u64 each; calls of these functions are counted
 *		until the file is closed
 *	read	returns a struct fargs_witness_mark
 *
 * Each read makes a mark, which is a call of fargs_w_mark(), and returns how many calls were
 * counted on the mark's CPU up to and including the mark. If both the witness and another tracer
 * trace a function, ftrace calls their ops without enabling preemption in between. So if both count
 * up to the mark, each counts all calls made before the mark on that CPU, and no later call. A mark
 * is made in a task with interrupts off, so that it does not come between the two callbacks of
 * another call. The witness and the tracer start at different times, so only differences between
 * two counts can be compared.
 */
#include <linux/atomic.h>
#include <linux/ftrace.h>
#include <linux/irqflags.h>
#include <linux/mm.h>
#include <linux/mutex.h>
#include <linux/percpu.h>
#include <linux/proc_fs.h>
#include <linux/smp.h>
#include <linux/uaccess.h>

#include "target.h"

#define PROC_NAME	"fargs_witness"
#define IPS_MAX		(1u << 18)

/* selftests/lib/witness.h has a copy of this struct. */
struct fargs_witness_mark {
	u64 nr;		/* argument of fargs_w_mark() */
	u64 count;	/* calls counted on this CPU, including this call of fargs_w_mark() */
	u64 cpu;
};

static DEFINE_MUTEX(lock);	/* protects is_open and is_counting */
static bool is_open, is_counting;
static atomic64_t nr_marks;
static DEFINE_PER_CPU(unsigned long, nr_calls);

/*
 * Called in any context, even while RCU is not watching. The increment is a single instruction, so
 * interrupts cannot split it.
 */
static void notrace count_call(unsigned long ip, unsigned long parent_ip, struct ftrace_ops *ops,
			       struct ftrace_regs *fregs)
{
	this_cpu_inc(nr_calls);
}

static struct ftrace_ops counting = { .func = count_call };

void fargs_w_mark(u64 nr);
fargs_t_target void fargs_w_mark(u64 nr)
{
	fargs_t_use(nr);
}

static int open(struct inode *inode, struct file *file)
{
	int err = 0;

	mutex_lock(&lock);
	if (is_open)
		err = -EBUSY;
	else
		is_open = true;
	mutex_unlock(&lock);
	return err;
}

static int release(struct inode *inode, struct file *file)
{
	mutex_lock(&lock);
	/* unregister_ftrace_function() waits for running callbacks. */
	if (is_counting)
		unregister_ftrace_function(&counting);
	is_counting = false;
	is_open = false;
	mutex_unlock(&lock);
	return 0;
}

static int begin(unsigned long *ips, unsigned int nr)
{
	int err = -EBUSY;

	mutex_lock(&lock);
	if (!is_counting)
		err = ftrace_set_filter_ips(&counting, ips, nr, 0, 1);
	if (!err)
		err = register_ftrace_function(&counting);
	is_counting |= !err;
	mutex_unlock(&lock);
	return err;
}

static ssize_t write(struct file *file, const char __user *from, size_t count, loff_t *pos)
{
	unsigned long *ips;
	int err = -EFAULT;

	/* ftrace interprets an empty filter as all functions. */
	if (!count || count % sizeof(*ips) || count > IPS_MAX * sizeof(*ips))
		return -EINVAL;
	ips = kvmalloc(count, GFP_KERNEL);
	if (!ips)
		return -ENOMEM;
	if (!copy_from_user(ips, from, count))
		err = begin(ips, count / sizeof(*ips));
	kvfree(ips);
	return err ? err : count;
}

static ssize_t read(struct file *file, char __user *to, size_t count, loff_t *pos)
{
	struct fargs_witness_mark mark = { .nr = atomic64_inc_return(&nr_marks) };
	unsigned long flags;

	if (count != sizeof(mark))
		return -EINVAL;
	local_irq_save(flags);
	mark.cpu = raw_smp_processor_id();
	/*
	 * Read the count before the call: afterwards it may include calls by an NMI or by the other
	 * tracer, which come after the mark.
	 */
	mark.count = this_cpu_read(nr_calls) + 1;
	fargs_w_mark(mark.nr);
	local_irq_restore(flags);
	return copy_to_user(to, &mark, sizeof(mark)) ? -EFAULT : count;
}

static const struct proc_ops ops = {
	.proc_open = open,
	.proc_read = read,
	.proc_write = write,
	.proc_release = release,
};

int target_witness_init(void)
{
	return proc_create(PROC_NAME, 0600, NULL, &ops) ? 0 : -ENOMEM;
}

void target_witness_exit(void)
{
	remove_proc_entry(PROC_NAME, NULL);
	/*
	 * Do not free the filter at each close: in kernels up to 6.12, the ops would keep a pointer
	 * to the freed filter.
	 */
	ftrace_free_filter(&counting);
}
