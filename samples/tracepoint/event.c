// SPDX-License-Identifier: GPL-2.0-only
/*
 * A module with its own tracepoints. See Documentation/tracepoints.md.
 *
 *	cat /proc/fargs_tp		fires fargs_tp_open, fargs_tp_many, fargs_tp_value,
 *					fargs_tp_formatted
 *	echo N >/proc/fargs_tp		fires fargs_tp_open, then fargs_tp_tick N times, with
 *					0 .. N - 1
 *	cat /proc/fargs_tp_sites	see sites.c
 */
#include <linux/fs.h>
#include <linux/kernel.h>
#include <linux/module.h>
#include <linux/proc_fs.h>
#include <linux/sched.h>
#include <linux/sched/signal.h>

#include "header.h"
#include "points.h"
#include "sites.h"

/* Makes formatted.h define its TRACE_EVENT; must be defined in exactly one file. */
#define CREATE_TRACE_POINTS
#include "formatted.h"

/* Each tracepoint must be defined in exactly one file. */
DEFINE_TRACE(fargs_tp_open, TP_PROTO(struct inode *inode, struct file *file),
	     TP_ARGS(inode, file));
DEFINE_TRACE(fargs_tp_tick, TP_PROTO(u64 nr), TP_ARGS(nr));
DEFINE_TRACE(fargs_tp_many,
	     TP_PROTO(s8 tiny, u8 byte, s16 small, u16 port, int number, u32 flags, s64 offset,
		      u64 mask, bool is_on, char letter, const char *name, long last),
	     TP_ARGS(tiny, byte, small, port, number, flags, offset, mask, is_on, letter, name,
		     last));
DEFINE_TRACE(fargs_tp_value,
	     TP_PROTO(struct fargs_tp_pair pair, struct fargs_tp_box box, int number),
	     TP_ARGS(pair, box, number));

DEFINE_TRACE(fargs_tp_header, TP_PROTO(int nr), TP_ARGS(nr));

/* Fires the tracepoint for users of header.h, which therefore do not need points.h. */
void do_trace_fargs_tp_header(int nr)
{
	trace_fargs_tp_header(nr);
}

/* Lets other modules register probes directly, as direct.c does. */
EXPORT_TRACEPOINT_SYMBOL_GPL(fargs_tp_tick);

static int open_points(struct inode *inode, struct file *file)
{
	trace_fargs_tp_open(inode, file);
	return 0;
}

static ssize_t read_points(struct file *file, char __user *to, size_t bytes, loff_t *pos)
{
	const struct fargs_tp_pair pair = { 4000000000u, -2, -3000000000ll };
	const struct fargs_tp_box box = {
		{ 0x1111111111111111ull, 22, 0xffffffffffffffffull }, "boxed",
	};
	const struct fargs_tp_small small = { 4000000000u, -2 };

	trace_fargs_tp_many(-100, 200, -30000, 60000, -2000000000, 4000000000u,
			    -5000000000ll, 0xfedcba9876543210ull, true, 'x', "twelve", -12);
	trace_fargs_tp_value(pair, box, -7);
	trace_fargs_tp_formatted(-100, 200, -30000, 60000, -2000000000, 4000000000u, -5000000000ll,
				 0xfedcba9876543210ull, true, small, "twelve", -12);
	return 0;
}

/* N may be large, so the loop yields the CPU, and stops at a signal. */
static ssize_t write_ticks(struct file *file, const char __user *from, size_t bytes, loff_t *pos)
{
	u64 i, nr;
	int ret = kstrtou64_from_user(from, bytes, 0, &nr);

	if (ret)
		return ret;
	for (i = 0; i < nr; i++) {
		trace_fargs_tp_tick(i);
		cond_resched();
		if (signal_pending(current))
			return -EINTR;
	}
	return bytes;
}

static ssize_t read_sites(struct file *file, char __user *to, size_t bytes, loff_t *pos)
{
	fargs_tp_fire_sites(file);
	return 0;
}

static const struct proc_ops ops = {
	.proc_open = open_points,
	.proc_read = read_points,
	.proc_write = write_ticks,
	.proc_lseek = noop_llseek,
};

static const struct proc_ops sites_ops = {
	.proc_read = read_sites,
	.proc_lseek = noop_llseek,
};

static int __init event_init(void)
{
	if (!proc_create("fargs_tp", 0600, NULL, &ops))
		return -ENOMEM;
	if (!proc_create("fargs_tp_sites", 0400, NULL, &sites_ops)) {
		remove_proc_entry("fargs_tp", NULL);
		return -ENOMEM;
	}
	return 0;
}

/* remove_proc_entry() waits for running file operations. */
static void __exit event_exit(void)
{
	remove_proc_entry("fargs_tp_sites", NULL);
	remove_proc_entry("fargs_tp", NULL);
}

module_init(event_init);
module_exit(event_exit);
MODULE_DESCRIPTION("fargs: tracepoints that are fired by a file in /proc");
MODULE_LICENSE("GPL");
