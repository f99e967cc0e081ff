// SPDX-License-Identifier: GPL-2.0-only
/*
 * Where fprobe is built on the function graph tracer (described here as of 7.2), all fprobes
 * together are one of the tracer's 16 users, from the registration of the first fprobe to the
 * unregistration of the last. The tracer's shadow stack entry of a call has a bit for each
 * user that requested a callback at the return, and bit 0 is always set. The tracer allocates
 * user numbers cyclically. Suppose that a task sleeps in a probed function, and fprobe is
 * unregistered, and becomes user 0 after 15 registrations of other users: when the function
 * returns, the tracer calls fprobe without data, and the kernel warns in fprobe_return(). The
 * kernel's own fprobe events alone cause the same warning if they are enabled and disabled 16
 * times while sleep(1) sleeps.
 *
 * So fprobe stays registered: the anchor is an fprobe on a function that is never called. It
 * exists from the registration of the first set of probes until this module is unloaded. It
 * costs each task a shadow stack of 4 KiB, which the graph tracer also allocates for new tasks
 * while it has a user.
 *
 * One problem remains: user 0 is called for the returns that any other user requested. So if
 * fprobe is user 0 and the function_graph tracer is another user, the kernel warns once,
 * with or without fargs.
 */
#include "compat/fprobe_anchor.h"

#ifdef FARGS_HAS_FPROBE_FTRACE_REGS
#include <linux/fprobe.h>
#include <linux/mutex.h>

#include "arch/fentry.h"

/* No lock but fprobe's own mutex is acquired while this one is held. */
static DEFINE_MUTEX(anchor_lock);
static bool is_held;

/*
 * Never called. It is the only function of the module that ftrace can trace (Kbuild), and is listed
 * in tracefs in the file enabled_functions.
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

/* Does nothing, but must exist: only fprobes with an exit handler are users of the graph tracer. */
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
	/* unregister_fprobe() can fail only for an fprobe that is not registered. */
	if (is_held)
		unregister_fprobe(&anchor);
	is_held = false;
}

#endif
