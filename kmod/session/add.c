// SPDX-License-Identifier: GPL-2.0-only
/*
 * FARGS_IOC_ADD: add a batch of layouts to the session. The batch is copied from user memory once.
 * Only the copy is verified and used, so that user space cannot change it in between.
 */
#include "session/add.h"

#include <linux/bitmap.h>
#include <linux/capability.h>
#include <linux/list.h>
#include <linux/lockdep.h>
#include <linux/mm.h>
#include <linux/overflow.h>
#include <linux/sched/signal.h>
#include <linux/slab.h>
#include <linux/uaccess.h>
#include <linux/vmalloc.h>

#include "base/arena.h"
#include "base/refusal.h"
#include "layout/layout.h"
#include "layout/parts.h"
#include "prog/template.h"
#include "session/add_check.h"
#include "session/probes.h"
#include "session/run.h"
#include "session/session.h"

static void work_deinit(struct fargs_add_work *work)
{
	kvfree(work->layouts);
	kvfree(work->at);
	kvfree(work->ips);
	kvfree(work->gone);
	kvfree(work->order);
	kvfree(work->deferred.layouts);
	fargs_tpoint_add_deinit(&work->tpoints);
}

static int work_init(struct fargs_add_work *work, const struct fargs_add *add)
{
	work->nr = add->nr;
	work->tpoints.has_arrivals = add->flags & FARGS_ADD_TPOINT_ARRIVALS;
	work->layouts = kvmalloc(add->bytes, GFP_KERNEL_ACCOUNT);
	work->at = kvmalloc_array(add->nr, sizeof(*work->at), GFP_KERNEL_ACCOUNT);
	work->ips = kvmalloc_array(add->nr, sizeof(*work->ips), GFP_KERNEL_ACCOUNT);
	work->gone = kvcalloc(BITS_TO_LONGS(add->nr), sizeof(*work->gone), GFP_KERNEL_ACCOUNT);
	work->order = kvmalloc_array(add->nr, sizeof(*work->order), GFP_KERNEL_ACCOUNT);
	work->deferred.layouts = kvmalloc_array(add->nr, sizeof(*work->deferred.layouts),
						GFP_KERNEL_ACCOUNT);
	if (!work->layouts || !work->at || !work->ips || !work->gone || !work->order ||
	    !work->deferred.layouts || fargs_tpoint_add_init(&work->tpoints, add->nr))
		return -ENOMEM;
	if (copy_from_user(work->layouts, u64_to_user_ptr(add->layouts), add->bytes))
		return -EFAULT;
	return 0;
}

/*
 * Checks whether the caller may add the verified layout at index @nr. CAP_PERFMON is enough to
 * trace (main/dev.c), as for perf. Reading memory by address needs CAP_BPF as well, as it does in
 * BPF. A program that reads memory is refused even with FARGS_ADD_SKIP: otherwise all layouts with
 * such programs would be skipped. Whether a layout reads stack slots depends on the function's
 * parameters, so FARGS_ADD_SKIP does skip a layout that reads stack slots.
 */
static int check_reads(struct fargs_layout *layout, u32 nr, const struct fargs_add *add,
		       struct fargs_refusal *refusal)
{
	u32 field = FARGS_NONE;
	enum fargs_reads reads = fargs_layout_reads(layout, &field);

	if (reads == FARGS_READS_NOTHING || bpf_capable())
		return 0;
	if (reads == FARGS_READS_SLOTS && (add->flags & FARGS_ADD_SKIP)) {
		layout->status = -EACCES;
		return 0;
	}
	if (reads == FARGS_READS_SLOTS)
		return fargs_refuse(refusal, EPERM, nr, field,
				    "reading stack slots from %u on also needs CAP_BPF or CAP_SYS_ADMIN",
				    FARGS_STACK_SLOTS_PLAIN);
	return fargs_refuse(refusal, EPERM, nr, field,
			    "reading memory also needs CAP_BPF or CAP_SYS_ADMIN");
}

static int verify_layouts(struct fargs_add_work *work, const struct fargs_add *add,
			  struct fargs_refusal *refusal)
{
	u64 at = 0;
	u32 i;

	for (i = 0; i < work->nr; i++) {
		const struct fargs_layout *layout = (void *)(work->layouts + at);
		int size = fargs_layout_verify(layout, add->bytes - at, i, refusal);

		if (size < 0)
			return size;
		work->at[i] = at;
		at += size;
		fargs_add_layout(work, i)->status = 0;
		fargs_add_layout(work, i)->ip = 0;
		fargs_add_layout(work, i)->number = 0;
		size = check_reads(fargs_add_layout(work, i), i, add, refusal);
		if (size)
			return size;
		if (fargs_add_is_deferred(layout) && !layout->status)
			work->deferred.layouts[work->deferred.nr++] = fargs_add_layout(work, i);
		if (fargs_add_is_tpoint(layout) && !layout->status) {
			size = fargs_tpoints_check(i, refusal);
			if (size)
				return size;
			fargs_tpoint_add_layout(&work->tpoints, fargs_add_layout(work, i));
		}
		if (fatal_signal_pending(current))
			return -EINTR;
		cond_resched();
	}
	if (at != add->bytes)
		return fargs_refuse(refusal, EINVAL, FARGS_NONE, offsetof(struct fargs_add, bytes),
				    "%llu bytes follow the last layout", add->bytes - at);
	return 0;
}

/*
 * Removes dropped functions: their module was unloaded, and their addresses may belong to other
 * functions by now. The deferred layouts of such functions stay in session->deferred.
 */
static void purge_dropped(struct fargs_session *session)
{
	u32 i, nr = 0;

	lockdep_assert_held(&session->lock);
	for (i = 0; i < session->nr_funcs; i++) {
		cond_resched();
		if (!session->funcs[i].is_dropped)
			session->funcs[nr++] = session->funcs[i];
	}
	session->nr_funcs = nr;
	session->nr_dropped = 0;
	fargs_tpoints_purge(session);
}

/* Functions for the session, made from the layouts in work->order, in the same order. */
struct made {
	struct fargs_arena *arena;	/* holds the templates of @funcs */
	struct fargs_session_func *funcs;
	u32 *layouts;			/* a copy of work->order */
	u32 nr;
};

static void made_deinit(struct made *made)
{
	fargs_arena_destroy(made->arena);
	kvfree(made->funcs);
	kvfree(made->layouts);
}

static int made_init(struct made *made, const struct fargs_capture *capture,
		     const struct fargs_add_work *work)
{
	size_t bytes = 0;
	void *at;
	u32 i;

	made->nr = work->nr_added;
	if (!made->nr)
		return 0;
	for (i = 0; i < made->nr; i++) {
		cond_resched();
		bytes += fargs_template_size(fargs_add_layout(work, work->order[i]));
	}
	made->arena = fargs_arena_create(bytes);
	made->funcs = kvmalloc_array(made->nr, sizeof(*made->funcs), GFP_KERNEL_ACCOUNT);
	made->layouts = kvmalloc_array(made->nr, sizeof(*made->layouts), GFP_KERNEL_ACCOUNT);
	if (!made->arena || !made->funcs || !made->layouts)
		return -ENOMEM;
	memcpy(made->layouts, work->order, made->nr * sizeof(*made->layouts));
	at = made->arena->data;
	for (i = 0; i < made->nr; i++) {
		const struct fargs_layout *layout = fargs_add_layout(work, work->order[i]);

		made->funcs[i] = (struct fargs_session_func){
			.ip = layout->ip,
			.template = fargs_template_make(layout, capture, at),
			.path = fargs_layout_path(layout),
			.is_deferred = fargs_add_is_deferred(layout),
		};
		at += fargs_template_size(layout);
		if (fatal_signal_pending(current))
			return -EINTR;
		cond_resched();
	}
	return 0;
}

/*
 * Replaces session->funcs by a copy with @made merged in, except for functions whose layout has
 * been rejected (has a status) since @made was created.
 */
static int insert_made(struct fargs_session *session, struct made *made,
		       const struct fargs_add_work *work)
{
	u32 i, have = 0, nr = session->nr_funcs + work->nr_added;
	struct fargs_session_func *funcs, *to;

	lockdep_assert_held(&session->lock);
	if (!work->nr_added)
		return 0;
	/* The capture paths do not read this array, so it need not be physically contiguous. */
	funcs = __vmalloc(array_size(nr, sizeof(*funcs)), GFP_KERNEL_ACCOUNT);
	if (!funcs)
		return -ENOMEM;
	to = funcs;
	for (i = 0; i < made->nr; i++) {
		cond_resched();
		if (fargs_add_layout(work, made->layouts[i])->status)
			continue;
		while (have < session->nr_funcs && session->funcs[have].ip < made->funcs[i].ip)
			*to++ = session->funcs[have++];
		*to++ = made->funcs[i];
	}
	while (have < session->nr_funcs) {
		cond_resched();
		*to++ = session->funcs[have++];
	}
	list_add(&made->arena->node, &session->arenas);
	made->arena = NULL;
	vfree(session->funcs);
	session->funcs = funcs;
	session->nr_funcs = nr;
	return 0;
}

/*
 * Adds the functions to ftrace's filters. If START did this, the user would wait longer for the
 * first record: with all functions of the kernel, setting the filters would take a sixth of START's
 * time.
 */
static void filter_added(struct fargs_session *session, const struct fargs_add_work *work)
{
	static const enum fargs_path paths[] = { FARGS_PATH_PLAIN, FARGS_PATH_FETCH };
	unsigned long *ips = kvmalloc_array(work->nr_added, sizeof(*ips), GFP_KERNEL);
	u32 path, i;

	lockdep_assert_held(&session->call_lock);
	for (path = 0; ips && path < ARRAY_SIZE(paths); path++) {
		u32 nr = 0;

		for (i = 0; i < work->nr_added; i++) {
			const struct fargs_layout *layout = fargs_add_layout(work, work->order[i]);

			cond_resched();
			if (fargs_layout_path(layout) == paths[path])
				ips[nr++] = layout->ip;
		}
		fargs_probes_filter(session, paths[path], ips, nr);
	}
	kvfree(ips);
}

/* Checks that the session would not have too many functions, deferred layouts and tracepoints. */
static int check_count(const struct fargs_session *session, const struct fargs_add_work *work,
		       u32 nr_deferred, struct fargs_refusal *refusal)
{
	u32 i, nr = work->nr_added + session->deferred.nr + nr_deferred + session->tpoints.nr;

	lockdep_assert_held(&session->lock);
	for (i = 0; i < session->nr_funcs; i++) {
		cond_resched();
		nr += !session->funcs[i].is_deferred;
	}
	if (nr > FARGS_LAYOUTS_MAX)
		return fargs_refuse(refusal, E2BIG, FARGS_NONE, offsetof(struct fargs_add, nr),
				    "%u functions exceed the maximum of %u", nr, FARGS_LAYOUTS_MAX);
	return 0;
}

/*
 * Adds all layouts that have no status or, on failure, none. session->lock is held from the last
 * check of modules and tracepoints until the session has the new functions, so that no notifier
 * runs in between.
 */
static int insert_added(struct fargs_session *session, struct fargs_add_work *work,
			struct made *made, struct fargs_add *add, u32 nr_deferred,
			struct fargs_refusal *refusal)
{
	u32 i, nr_tpoints;
	int ret;

	lockdep_assert_held(&session->call_lock);
	lockdep_assert_held(&session->lock);
	ret = fargs_add_recheck(session, work, add, refusal) ?:
	      fargs_tpoints_prepare(&work->tpoints, &nr_tpoints) ?:
	      check_count(session, work, nr_deferred + nr_tpoints, refusal) ?:
	      insert_made(session, made, work);
	if (ret) {
		fargs_tpoints_cancel(&work->tpoints);
		return ret;
	}
	fargs_deferred_commit(session, &work->deferred);
	fargs_tpoints_commit(session, &work->tpoints);
	for (i = 0; i < work->nr; i++) {
		const struct fargs_layout *layout = fargs_add_layout(work, i);

		cond_resched();
		if (layout->status)
			continue;
		session->is_scoped |= layout->flags & FARGS_LAYOUT_SCOPE;
		session->has_return_trigger |=
			(layout->flags & FARGS_LAYOUT_TRIGGER) &&
			(layout->flags & (FARGS_LAYOUT_RETURN | FARGS_LAYOUT_SCOPE));
	}
	add->nr_added = work->nr_added + nr_deferred + nr_tpoints;
	return 0;
}

static int check_and_insert(struct fargs_session *session, struct fargs_add *add,
			    struct fargs_add_work *work, struct fargs_refusal *refusal)
{
	struct made made = {};
	u32 nr_deferred;
	int ret;

	lockdep_assert_held(&session->call_lock);
	ret = fargs_add_check(session, work, refusal) ?:
	      fargs_deferred_prepare(session, &work->deferred, &nr_deferred);
	if (ret)
		return ret;
	ret = made_init(&made, &session->capture, work);
	mutex_lock(&session->lock);
	if (!ret)
		ret = insert_added(session, work, &made, add, nr_deferred, refusal);
	session->adding = NULL;
	mutex_unlock(&session->lock);
	made_deinit(&made);
	if (ret)
		fargs_deferred_cancel(&work->deferred);
	else
		filter_added(session, work);
	return ret;
}

static int write_back(const struct fargs_add_work *work, const struct fargs_add *add)
{
	u8 __user *to = u64_to_user_ptr(add->layouts);
	u32 i;

	for (i = 0; i < work->nr; i++) {
		const struct fargs_layout *layout = fargs_add_layout(work, i);
		struct fargs_layout __user *out = (void __user *)(to + work->at[i]);

		cond_resched();
		if (put_user(layout->status, &out->status) || put_user(layout->ip, &out->ip))
			return -EFAULT;
		/*
		 * User space built before FARGS_LAYOUT_RELOAD existed expects this field to stay 0.
		 */
		if ((layout->flags & FARGS_LAYOUT_RELOAD) && put_user(layout->number, &out->number))
			return -EFAULT;
	}
	return 0;
}

static int add_locked(struct fargs_session *session, struct fargs_add *add,
		      struct fargs_add_work *work, struct fargs_refusal *refusal)
{
	int ret;

	lockdep_assert_held(&session->call_lock);
	if (session->state == FARGS_STATE_RUNNING || session->is_stuck)
		return fargs_refuse(refusal, EBUSY, FARGS_NONE, FARGS_NONE,
				    "the session is running: stop it first");
	mutex_lock(&session->lock);
	purge_dropped(session);
	session->adding = work;
	mutex_unlock(&session->lock);
	ret = check_and_insert(session, add, work, refusal);
	/* check_and_insert() may have failed before it reset session->adding. */
	mutex_lock(&session->lock);
	session->adding = NULL;
	mutex_unlock(&session->lock);
	return ret;
}

/*
 * Modules may be loaded and unloaded during this ioctl. The GOING notifier of a module drops the
 * module's functions from the session and from session->adding: by the time ftrace is queried,
 * their addresses may belong to another module. Between the GOING notifier and the removal of the
 * module from ftrace, functions of the module can still be added. In that case START finds nothing
 * to trace at their addresses. If another module is loaded at these addresses, the COMING notifier
 * drops the functions (main/modules.c).
 *
 * With FARGS_LAYOUT_RELOAD, the function at an address and the name by which it is looked up later
 * are added together, under session->lock (insert_added()):
 *
 *	CPU A (ADD)				CPU B (GOING notifier, then COMING)
 *	sets session->adding
 *	finds the function at its address
 *						GOING: mutex_lock(session->lock)
 *						marks the function in session->adding
 *						mutex_unlock(session->lock)
 *	mutex_lock(session->lock)
 *	finds the mark: rejects the layout
 *
 * If CPU B takes the lock after CPU A has released it, GOING drops the function from the session,
 * and COMING finds its layout by the name. If CPU B takes the lock first, the layout is rejected
 * rather than kept for its name alone: the module may already be loaded again, and no notifier
 * would find its functions. User space reports the rejected function.
 */
int fargs_session_add(struct fargs_session *session, struct fargs_add *add,
		      struct fargs_refusal *refusal)
{
	struct fargs_add_work work = {};
	int ret;

	if (add->reserved)
		return fargs_refuse(refusal, EINVAL, FARGS_NONE,
				    offsetof(struct fargs_add, reserved), "reserved is not 0");
	if (add->flags & ~(FARGS_ADD_SKIP | FARGS_ADD_TPOINT_ARRIVALS))
		return fargs_refuse(refusal, EINVAL, FARGS_NONE, offsetof(struct fargs_add, flags),
				    "unknown flags %#x", add->flags);
	if (!add->nr || add->nr > FARGS_LAYOUTS_MAX)
		return fargs_refuse(refusal, EINVAL, FARGS_NONE, offsetof(struct fargs_add, nr),
				    "%u layouts: the number must be from 1 to %u", add->nr,
				    FARGS_LAYOUTS_MAX);
	if (!add->bytes || add->bytes > FARGS_ADD_BYTES_MAX)
		return fargs_refuse(refusal, EINVAL, FARGS_NONE, offsetof(struct fargs_add, bytes),
				    "%llu bytes of layouts: the size must be from 1 to %u",
				    add->bytes, FARGS_ADD_BYTES_MAX);
	ret = work_init(&work, add) ?: verify_layouts(&work, add, refusal);
	if (!ret) {
		ret = fargs_session_lock(session);
		if (!ret) {
			ret = add_locked(session, add, &work, refusal);
			fargs_session_unlock(session);
		}
		/*
		 * Write back on failure as well: the status of a layout is the reason why it was
		 * rejected.
		 */
		if (write_back(&work, add))
			ret = -EFAULT;
	}
	work_deinit(&work);
	return ret;
}
