// SPDX-License-Identifier: GPL-2.0-only
/*
 * /proc/fargs_target: calls functions with known arguments.
 *
 * Reading the file lists the text that a tracer must show, with one line for each call:
 *
 *	fargs_t_int(a=-100)
 *	refused fargs_t_refused_slots
 *
 * where "refused" marks a function that is called but cannot be traced. Writing a command to the
 * file makes calls; the write returns after the last call:
 *
 *	all			makes every call of the list, in order
 *	NAME [N]		makes the calls of one function, each N times
 *	loop NAME N M		the same in M threads, and in interrupts: see target_stress()
 *	die N			makes calls in N threads that exit inside the calls
 *	hold N			makes N nested calls of fargs_d_hold(), which wait for a signal
 *	number FIRST N		calls fargs_n_number(FIRST), (FIRST + 1) and so on, N times
 *
 * places.c has calls with addresses that cannot be read, known.c calls with pointers to random
 * contents. witness.c counts calls of any function, hits.c executions of any instruction.
 */
#include <linux/kernel.h>
#include <linux/module.h>
#include <linux/proc_fs.h>
#include <linux/seq_file.h>
#include <linux/string.h>
#include <linux/uaccess.h>

#include "target.h"

#define PROC_NAME	"fargs_target"
#define REFUSED		"refused "
#define COMMAND_MAX	128
#define TIMES_MAX	100000000ull
#define THREADS_MAX	64
#define HOLD_MAX	64

static bool is_call_of(const char *truth, const char *name)
{
	size_t len = strlen(name);

	if (!strncmp(truth, REFUSED, strlen(REFUSED)))
		truth += strlen(REFUSED);
	return !strncmp(truth, name, len) && (truth[len] == '(' || !truth[len]);
}

u64 target_wanted(struct target_run *run, const char *truth)
{
	if (run->list) {
		seq_printf(run->list, "%s\n", truth);
		return 0;
	}
	if (run->name && !is_call_of(truth, run->name))
		return 0;
	run->nr_found++;
	return run->times;
}

u64 target_wanted_quiet(struct target_run *run, const char *name)
{
	if (run->list || (run->name && strcmp(name, run->name)))
		return 0;
	run->nr_found++;
	return run->times;
}

void target_walk(struct target_run *run)
{
	target_walk_scalar(run);
	target_walk_pointer(run);
	target_walk_mixed(run);
	target_walk_dirty(run);
	target_walk_stack(run);
	target_walk_dirty_stack(run);
	target_walk_struct(run);
	target_walk_mixed_struct(run);
	target_walk_member(run);
	target_walk_int128(run);
	target_walk_other(run);
	target_walk_memory(run);
	target_walk_return(run);
	target_walk_known(run);
	target_walk_refused(run);
}

static int show(struct seq_file *list, void *unused)
{
	struct target_run run = { .list = list };

	target_walk(&run);
	return 0;
}

static int open(struct inode *inode, struct file *file)
{
	return single_open(file, show, NULL);
}

static int run_command(char *command)
{
	struct target_run run = { .times = 1 };
	unsigned int nr_threads;
	u64 times, first;
	char name[64];

	if (sscanf(command, "loop %63s %llu %u", name, &times, &nr_threads) == 3) {
		if (times > TIMES_MAX || nr_threads > THREADS_MAX)
			return -ERANGE;
		return target_stress(name, times, nr_threads);
	}
	if (sscanf(command, "number %llu %llu", &first, &times) == 2) {
		if (times > TIMES_MAX)
			return -ERANGE;
		target_number(first, times);
		return 0;
	}
	if (sscanf(command, "die %u", &nr_threads) == 1)
		return nr_threads <= THREADS_MAX ? target_die(nr_threads) : -ERANGE;
	if (sscanf(command, "hold %llu", &times) == 1) {
		if (!times || times > HOLD_MAX)
			return -ERANGE;
		target_hold(times);
		return 0;
	}
	if (sscanf(command, "%63s %llu", name, &run.times) < 1)
		return -EINVAL;
	if (run.times > TIMES_MAX)
		return -ERANGE;
	if (strcmp(name, "all"))
		run.name = name;
	target_walk(&run);
	return run.nr_found ? 0 : -ENOENT;
}

static ssize_t write(struct file *file, const char __user *from, size_t count,
		     loff_t *pos)
{
	char command[COMMAND_MAX];
	int err;

	if (count >= sizeof(command))
		return -EINVAL;
	if (copy_from_user(command, from, count))
		return -EFAULT;
	command[count] = '\0';
	err = run_command(command);
	return err ? err : count;
}

static const struct proc_ops ops = {
	.proc_open = open,
	.proc_read = seq_read,
	.proc_lseek = seq_lseek,
	.proc_release = single_release,
	.proc_write = write,
};

static int __init target_init(void)
{
	int err = target_places_init();

	if (err)
		return err;
	err = target_known_init();
	if (err)
		goto places_exit;
	err = target_witness_init();
	if (err)
		goto known_exit;
	err = target_hits_init();
	if (err)
		goto witness_exit;
	if (proc_create(PROC_NAME, 0600, NULL, &ops))
		return 0;
	err = -ENOMEM;
	target_hits_exit();
witness_exit:
	target_witness_exit();
known_exit:
	target_known_exit();
places_exit:
	target_places_exit();
	return err;
}

static void __exit target_exit(void)
{
	remove_proc_entry(PROC_NAME, NULL);
	target_hits_exit();
	target_witness_exit();
	target_known_exit();
	target_places_exit();
}

module_init(target_init);
module_exit(target_exit);
MODULE_DESCRIPTION("fargs: functions of known signatures, called with known values");
MODULE_LICENSE("GPL");
