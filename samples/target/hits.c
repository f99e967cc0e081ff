// SPDX-License-Identifier: GPL-2.0-only
/*
 * /proc/fargs_hits: counts how often an instruction of the kernel or a module is executed. Uses a
 * kprobe, so the instruction need not be one that ftrace can trace.
 *
 *	write	once: the address, as text; counts until the file is closed
 *	read	returns the count, as text
 */
#include <linux/atomic.h>
#include <linux/kernel.h>
#include <linux/kprobes.h>
#include <linux/mutex.h>
#include <linux/proc_fs.h>
#include <linux/uaccess.h>

#include "target.h"

#define PROC_NAME	"fargs_hits"

static DEFINE_MUTEX(lock);	/* protects is_open and is_registered */
static bool is_open, is_registered;
static atomic64_t nr_hits;

static int count_hit(struct kprobe *probe, struct pt_regs *regs)
{
	atomic64_inc(&nr_hits);
	return 0;
}

NOKPROBE_SYMBOL(count_hit);

static struct kprobe counting;

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
	/* unregister_kprobe() waits for running handlers. */
	if (is_registered)
		unregister_kprobe(&counting);
	is_registered = false;
	is_open = false;
	mutex_unlock(&lock);
	return 0;
}

static ssize_t write(struct file *file, const char __user *from, size_t count, loff_t *pos)
{
	unsigned long addr;
	int err = kstrtoul_from_user(from, count, 0, &addr);

	if (err)
		return err;
	mutex_lock(&lock);
	err = -EBUSY;
	if (!is_registered) {
		counting = (struct kprobe){
			.addr = (kprobe_opcode_t *)addr, .pre_handler = count_hit,
		};
		atomic64_set(&nr_hits, 0);
		err = register_kprobe(&counting);
	}
	is_registered |= !err;
	mutex_unlock(&lock);
	return err ? err : count;
}

static ssize_t read(struct file *file, char __user *to, size_t count, loff_t *pos)
{
	char text[32];
	int len = snprintf(text, sizeof(text), "%lld\n", atomic64_read(&nr_hits));

	return simple_read_from_buffer(to, count, pos, text, len);
}

static const struct proc_ops ops = {
	.proc_open = open,
	.proc_read = read,
	.proc_lseek = default_llseek,
	.proc_write = write,
	.proc_release = release,
};

int target_hits_init(void)
{
	return proc_create(PROC_NAME, 0600, NULL, &ops) ? 0 : -ENOMEM;
}

void target_hits_exit(void)
{
	remove_proc_entry(PROC_NAME, NULL);
}
