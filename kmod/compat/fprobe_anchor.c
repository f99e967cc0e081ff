// SPDX-License-Identifier: GPL-2.0-only
/*
 * Where fprobe is built on the function graph tracer (described here as of 7.2), all fprobes
 * together are one of the tracer's 16 users (struct fgraph_ops; the user number is its idx), from
 * the registration of the first fprobe to the unregistration of the last. The tracer's shadow stack
 * entry of a call has a bit for each user that requested a callback at the return, and bit 0 is
 * always set. So user 0 is also called for returns that only other users requested. If user 0 is
 * fprobe, it finds no data of its own for such a return, and the kernel warns in fprobe_return().
 *
 * The tracer allocates user numbers in turn, beginning with 0 at boot. fprobe can be called as
 * user 0 for a return that it did not request in two cases:
 *
 * - fprobe is user 0, and another user, such as the function_graph tracer, requests a callback at
 *   a return. fprobe gets number 0 if it is the first user of the graph tracer since boot.
 *
 * - While a task sleeps in a probed function, fprobe is unregistered, 15 other users are
 *   registered, and then fprobe is registered again, as user 0. The kernel's own fprobe events
 *   alone cause the warning if they are enabled and disabled 16 times while sleep(1) sleeps.
 *
 * So fargs keeps fprobe registered with a user number other than 0. It does so by an fprobe, the
 * anchor, on a function that is called only to find out fprobe's user number. If the number is 0,
 * the anchor is unregistered and registered again, and fprobe gets the next number, unless another
 * fprobe is registered. In that case fprobe stays user 0, and fargs tries again before it registers
 * the next set of probes. The anchor exists from the registration of the first set until this
 * module is unloaded. It costs each task a shadow stack of 4 KiB, which the graph tracer also
 * allocates for new tasks while it has a user.
 *
 * When fprobe's number changes from 0 in this way, no other fprobe is registered. Calls of fprobes
 * that were unregistered before may still be in flight. Their returns are reported to user 0 only,
 * which no longer exists, so no return of a registered fprobe is lost.
 *
 * Two cases are not prevented: another fprobe exists, and fprobe is user 0, before the anchor is
 * registered; or the anchor is registered while the function_graph tracer runs and the next number
 * is 0, so that fprobe is user 0 until the anchor is registered again.
 */
#include "compat/fprobe_anchor.h"

#ifdef FARGS_HAS_FPROBE_FTRACE_REGS
#include <linux/fprobe.h>
#include <linux/mutex.h>
#include <linux/sched.h>

#include "arch/fentry.h"

#define NUMBER_UNKNOWN	(-1)

/*
 * Protects is_held, number and anchor while there are sessions. The only locks acquired while it is
 * held are fprobe's mutex and the kernel's locks nested inside that mutex.
 */
static DEFINE_MUTEX(anchor_lock);
static bool is_held;
static int number;		/* fprobe's user number at the last call of the anchor's function */

/*
 * The only function of the module that ftrace can trace (Kbuild). It is listed in enabled_functions
 * in tracefs.
 */
static noinline void fargs_fprobe_anchor(void)
{
	barrier();
}

/*
 * Number of words that the anchor stores on the shadow stack of a call: a header, then the data of
 * its handlers. DATA_WORDS is an unusual size, by which read_number() recognises the data.
 */
#define HEADER_WORDS	1
#define DATA_WORDS	5

/*
 * The word after the data of a user, at the top of the shadow stack while the user's entry handler
 * runs: 10 bits for the distance to the frame, 2 for the kind of the word, 5 for the number of data
 * words - 1, 4 for the user number (kernel/trace/fgraph.c, 6.14 to 7.2).
 */
#define WORD_KIND(word)		((word) >> 10 & 3)
#define WORD_KIND_DATA		2
#define WORD_DATA_WORDS(word)	(((word) >> 12 & 31) + 1)
#define WORD_USER(word)		((word) >> 17 & 15)

/*
 * Returns fprobe's number as a user of the function graph tracer, or NUMBER_UNKNOWN. Checks the
 * position and the kind of the word that contains the number, and the size of the data: on a kernel
 * with another layout of the shadow stack, all three checks are unlikely to pass. If they do, the
 * number may be wrong. A wrong 0 makes fargs register the anchor again without need; with any other
 * wrong number, fargs does not notice that fprobe is user 0.
 */
static __always_inline int read_number(const unsigned long *data)
{
	const struct task_struct *task = current;
	const unsigned long *at = data + DATA_WORDS;

	if (at != &task->ret_stack[task->curr_ret_stack - 1] || WORD_KIND(*at) != WORD_KIND_DATA ||
	    WORD_DATA_WORDS(*at) != HEADER_WORDS + DATA_WORDS)
		return NUMBER_UNKNOWN;
	return WORD_USER(*at);
}

/*
 * Returns 0 to request a callback at the return. If fprobe is user 0, it is called at the return in
 * any case, and the kernel warns if fprobe has stored no data for the call.
 */
static notrace int anchor_entry(struct fprobe *fprobe, unsigned long ip, unsigned long parent_ip,
				struct ftrace_regs *fregs, void *data)
{
	WRITE_ONCE(number, read_number(data));
	return 0;
}

/* Does nothing, but must exist: only fprobes with an exit handler are users of the graph tracer. */
static notrace void anchor_exit(struct fprobe *fprobe, unsigned long ip, unsigned long parent_ip,
				struct ftrace_regs *fregs, void *data)
{
}

static struct fprobe anchor = {
	.entry_handler = anchor_entry,
	.exit_handler = anchor_exit,
	.entry_data_size = DATA_WORDS * sizeof(unsigned long),
};

static notrace int anchor_register(unsigned long ip)
{
	int ret = ip ? register_fprobe_ips(&anchor, &ip, 1) : -ENOENT;

	is_held = !ret;
	return ret;
}

static notrace void anchor_unregister(void)
{
	/* unregister_fprobe() can fail only for an fprobe that is not registered. */
	if (is_held)
		unregister_fprobe(&anchor);
	is_held = false;
}

/* Is fprobe user 0? False if the shadow stack is not as expected, or this task has none. */
static notrace bool is_user_0(void)
{
	number = NUMBER_UNKNOWN;
	fargs_fprobe_anchor();
	return !READ_ONCE(number);
}

int notrace fargs_fprobe_anchor_hold(void)
{
	unsigned long ip = fargs_fentry_find((unsigned long)fargs_fprobe_anchor);
	int ret = 0;

	mutex_lock(&anchor_lock);
	if (!is_held)
		ret = anchor_register(ip);
	/* The call in is_user_0() has returned: no call is in flight during unregistration. */
	if (!ret && is_user_0()) {
		anchor_unregister();
		ret = anchor_register(ip);
	}
	mutex_unlock(&anchor_lock);
	return ret;
}

void notrace fargs_fprobe_anchor_release(void)
{
	anchor_unregister();
}

#endif
