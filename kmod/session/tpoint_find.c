// SPDX-License-Identifier: GPL-2.0-only
/*
 * The kernel has a list of modules with tracepoints, too, but holds that list's lock while it calls
 * our notifier. So fargs has its own list. When a module is unloaded, the notifier removes the
 * module from our list first, then the module's tracepoints from each session:
 *
 *	CPU A (ADD, session/add.c)		CPU B (GOING notifier)
 *	mutex_lock(session->lock)		removes the module from the list
 *	looks for the tracepoint in the list	mutex_lock(session->lock)
 *	adds it to the session			removes the tracepoint from the session
 *	mutex_unlock(session->lock)		mutex_unlock(session->lock)
 *
 * If CPU A finds the tracepoint, CPU B takes session->lock after CPU A, and finds the tracepoint
 * in the session. If CPU A takes session->lock after CPU B, the module is no longer in the list,
 * and CPU A does not find the tracepoint.
 *
 * For the order of list_lock and other locks see session/session.h.
 */
#include "session/tpoint_find.h"

#include <linux/list.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/slab.h>
#include <linux/tracepoint.h>

/* A loaded module with tracepoints. */
struct present {
	struct list_head node;
	const struct module *mod;
};

static DEFINE_MUTEX(list_lock);
static LIST_HEAD(list);

typedef void (*found_fn)(void *arg, struct tracepoint *tp, const struct module *mod);

void fargs_tpoint_find_each_of(const struct module *mod, found_fn fn, void *arg)
{
	unsigned int i;

	for (i = 0; i < mod->num_tracepoints; i++)
		fn(arg, tracepoint_ptr_deref(&mod->tracepoints_ptrs[i]), mod);
}

struct each {
	found_fn fn;
	void *arg;
};

static void call_for_kernel(struct tracepoint *tp, void *arg)
{
	const struct each *each = arg;

	each->fn(each->arg, tp, NULL);
}

void fargs_tpoint_find_each(found_fn fn, void *arg)
{
	struct each each = { fn, arg };
	struct present *present;

	for_each_kernel_tracepoint(call_for_kernel, &each);
	mutex_lock(&list_lock);
	list_for_each_entry(present, &list, node)
		fargs_tpoint_find_each_of(present->mod, fn, arg);
	mutex_unlock(&list_lock);
}

bool fargs_tpoint_find_add(const struct module *mod)
{
	struct present *present = kzalloc(sizeof(*present), GFP_KERNEL);

	if (!present)
		return false;
	present->mod = mod;
	mutex_lock(&list_lock);
	list_add_tail(&present->node, &list);
	mutex_unlock(&list_lock);
	return true;
}

void fargs_tpoint_find_remove(const struct module *mod)
{
	struct present *present, *next;

	mutex_lock(&list_lock);
	list_for_each_entry_safe(present, next, &list, node) {
		if (present->mod != mod)
			continue;
		list_del(&present->node);
		kfree(present);
	}
	mutex_unlock(&list_lock);
}
