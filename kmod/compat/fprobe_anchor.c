// SPDX-License-Identifier: GPL-2.0-only
/*
 * Where fprobe stands on the function graph tracer (read in 7.2), all fprobes are one
 * of its 16 users, from the first that is registered until the last one is gone.
 * A call waits for its return with a bit for each user that wants it, and bit 0 set
 * in any case. The numbers go round: a task that sleeps in a probed function while fprobe
 * goes and comes back as user 0 (after 15 others) returns to fprobe without data,
 * and the kernel warns in fprobe_return(). With the kernel's own fprobe events alone,
 * switched on and off 16 times while sleep(1) sleeps, it does the same.
 *
 * So fprobe does not go: one probe stays, on a function that nobody calls, from the
 * first set of probes until this module goes. What it costs is 4 KiB of shadow
 * stack for each task, which the graph tracer gives to new ones while it has a user.
 *
 * What this does not mend: user 0 is told of the returns that any other user
 * waits for. So with fprobe as user 0 and the function_graph tracer beside it, the kernel
 * warns, once, without fargs, too.
 */
#include "compat/fprobe_anchor.h"

#ifdef FARGS_HAS_FPROBE_FTRACE_REGS
#include <linux/fprobe.h>
#include <linux/mutex.h>

#include "arch/fentry.h"

/* Taken outside of fprobe's own lock, and of nothing else. */
static DEFINE_MUTEX(anchor_lock);
static bool is_held;

/*
 * Nobody calls it. The only function of this module that ftrace has (Kbuild), it is listed in
 * tracefs' enabled_functions.
 */
static noinline void fargs_fprobe_anchor(void)
{
	barrier();
}

static notrace int anchor_entry(struct fprobe *fprobe, unsigned long ip, unsigned long parent_ip,
				struct ftrace_regs *fregs, void *data)
{
	return 1;
}

/* Only fprobes that want returns are users of the graph tracer. */
static notrace void anchor_exit(struct fprobe *fprobe, unsigned long ip, unsigned long parent_ip,
				struct ftrace_regs *fregs, void *data)
{
}

static struct fprobe anchor = {
	.entry_handler = anchor_entry,
	.exit_handler = anchor_exit,
};

int notrace fargs_fprobe_anchor_hold(void)
{
	unsigned long ip = fargs_fentry_find((unsigned long)fargs_fprobe_anchor);
	int ret = 0;

	mutex_lock(&anchor_lock);
	if (!is_held) {
		ret = ip ? register_fprobe_ips(&anchor, &ip, 1) : -ENOENT;
		is_held = !ret;
	}
	mutex_unlock(&anchor_lock);
	return ret;
}

void notrace fargs_fprobe_anchor_release(void)
{
	/* It fails only for what is not registered. */
	if (is_held)
		unregister_fprobe(&anchor);
	is_held = false;
}

#endif
