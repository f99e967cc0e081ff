// SPDX-License-Identifier: GPL-2.0-only
/*
 * fargs_bench: measures the cost of a function call, in ticks of the TSC.
 *
 * Writing "ARGS N" to /proc/fargs_bench calls the function with that many arguments (0, 1, 4 or 6)
 * N times with interrupts off; writing "tracepoint N" fires a tracepoint with four arguments N
 * times. Reading returns the result of the last run:
 *
 *	function=fargs_bench_4 calls=1064 cycles_x100=4315
 *
 * "calls" is the number of all calls, including those that warm up the caches; "cycles_x100" is the
 * cost of one call, including the loop and without the warm-up, in hundredths of a tick. In a VM
 * started with --icount, a tick is an instruction. Warm-up calls have other flags, so that a
 * tracer's condition on the flags can be seen to work.
 */
#include <linux/irqflags.h>
#include <linux/kernel.h>
#include <linux/math64.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/proc_fs.h>
#include <linux/seq_file.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/uaccess.h>
#include <asm/msr.h>
#include <asm/tsc.h>

#include "object.h"

#define CREATE_TRACE_POINTS
#include "bench_event.h"

#define PROC_NAME	"fargs_bench"
#define WARM_UP		64
#define CALLS_MAX	1000000u
/* the value for the tracepoint, in place of a number of arguments */
#define TRACEPOINT	1000
/* number of calls around the loop, so that stack traces have 8 entries */
#define DEPTH		4

#if __has_attribute(__noipa__)
#define bench_target __attribute__((__noipa__))
#else
#define bench_target noinline
#endif

void fargs_bench_0(void);
int fargs_bench_1(int mode);
int fargs_bench_4(struct fargs_bench_obj *obj, const char *name, unsigned long flags,
		  int mode);
long fargs_bench_6(long a, long b, long c, long d, long e, long f);

bench_target void fargs_bench_0(void)
{
	asm volatile("" : : : "memory");
}

bench_target int fargs_bench_1(int mode)
{
	asm volatile("" : : : "memory");
	return mode;
}

bench_target int fargs_bench_4(struct fargs_bench_obj *obj, const char *name,
			       unsigned long flags, int mode)
{
	asm volatile("" : : "r" (obj), "r" (name), "r" (flags) : "memory");
	return mode;
}

bench_target long fargs_bench_6(long a, long b, long c, long d, long e, long f)
{
	asm volatile("" : : "r" (a), "r" (b), "r" (c), "r" (d), "r" (e) : "memory");
	return f;
}

struct bench_result {
	unsigned int nr_args;
	unsigned int nr_calls;
	u64 cycles_x100;
};

static DEFINE_MUTEX(result_lock);	/* protects result, and serializes runs */
static struct bench_result result;

/* Arguments of the functions. They are allocated dynamically, like most of the kernel's objects. */
static struct {
	struct fargs_bench_obj object;
	struct fargs_bench_parent parent;
	struct fargs_bench_owner owner;
	char name[sizeof(BENCH_NAME)];
} *given;

/*
 * Measures @call in a loop. The result includes the cost of the loop, as does the result without
 * tracing, which is subtracted. The call may use "flags".
 */
#define TICKS(nr_calls, call)						\
({									\
	unsigned long flags __maybe_unused = BENCH_FLAGS_WARM_UP;	\
	unsigned int _left;						\
	u64 _start, _end;						\
									\
	for (_left = WARM_UP; _left; _left--)				\
		call;							\
	flags = BENCH_FLAGS;						\
	_start = rdtsc_ordered();					\
	for (_left = (nr_calls); _left; _left--)			\
		call;							\
	_end = rdtsc_ordered();						\
	_end - _start;							\
})

bench_target static int measure(unsigned int nr_args, unsigned int nr_calls, unsigned int depth)
{
	unsigned long irq_flags;
	u64 ticks = 0;
	int err = 0;

	if (depth) {
		err = measure(nr_args, nr_calls, depth - 1);
		barrier();	/* prevents a tail call */
		return err;
	}
	local_irq_save(irq_flags);
	switch (nr_args) {
	case 0:
		ticks = TICKS(nr_calls, fargs_bench_0());
		break;
	case 1:
		ticks = TICKS(nr_calls, fargs_bench_1(5));
		break;
	case 4:
		ticks = TICKS(nr_calls, fargs_bench_4(&given->object, given->name, flags,
						     BENCH_MODE));
		break;
	case 6:
		ticks = TICKS(nr_calls, fargs_bench_6(1, 2, 3, 4, 5, 6));
		break;
	case TRACEPOINT:
		ticks = TICKS(nr_calls, trace_fargs_bench_event(&given->object, given->name, flags,
								BENCH_MODE));
		break;
	default:
		err = -EINVAL;
	}
	local_irq_restore(irq_flags);
	if (err)
		return err;
	result.nr_args = nr_args;
	result.nr_calls = nr_calls + WARM_UP;
	result.cycles_x100 = div_u64(ticks * 100, nr_calls);
	return 0;
}

static int show(struct seq_file *out, void *unused)
{
	mutex_lock(&result_lock);
	if (result.nr_args == TRACEPOINT)
		seq_puts(out, "tracepoint=fargs_bench_event");
	else
		seq_printf(out, "function=fargs_bench_%u", result.nr_args);
	seq_printf(out, " calls=%u cycles_x100=%llu\n", result.nr_calls, result.cycles_x100);
	mutex_unlock(&result_lock);
	return 0;
}

static int open(struct inode *inode, struct file *file)
{
	return single_open(file, show, NULL);
}

static ssize_t write(struct file *file, const char __user *from, size_t count, loff_t *pos)
{
	unsigned int nr_args, nr_calls;
	char command[32];
	int err;

	if (count >= sizeof(command))
		return -EINVAL;
	if (copy_from_user(command, from, count))
		return -EFAULT;
	command[count] = '\0';
	if (sscanf(command, "tracepoint %u", &nr_calls) == 1)
		nr_args = TRACEPOINT;
	else if (sscanf(command, "%u %u", &nr_args, &nr_calls) != 2)
		return -EINVAL;
	if (!nr_calls || nr_calls > CALLS_MAX)
		return -ERANGE;
	mutex_lock(&result_lock);
	err = measure(nr_args, nr_calls, DEPTH);
	mutex_unlock(&result_lock);
	return err ? err : count;
}

static const struct proc_ops ops = {
	.proc_open = open,
	.proc_read = seq_read,
	.proc_lseek = seq_lseek,
	.proc_release = single_release,
	.proc_write = write,
};

static int __init bench_init(void)
{
	given = kzalloc(sizeof(*given), GFP_KERNEL);
	if (!given)
		return -ENOMEM;
	given->object.parent = &given->parent;
	given->parent.owner = &given->owner;
	given->owner.id = BENCH_ID;
	memcpy(given->name, BENCH_NAME, sizeof(BENCH_NAME));
	if (proc_create(PROC_NAME, 0600, NULL, &ops))
		return 0;
	kfree(given);
	return -ENOMEM;
}

static void __exit bench_exit(void)
{
	remove_proc_entry(PROC_NAME, NULL);
	kfree(given);
}

module_init(bench_init);
module_exit(bench_exit);
MODULE_DESCRIPTION("fargs: what a call of a traced function costs");
MODULE_LICENSE("GPL");
