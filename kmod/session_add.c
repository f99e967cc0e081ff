// SPDX-License-Identifier: GPL-2.0-only
/*
 * FARGS_IOC_ADD: a batch of layouts becomes functions of the session. The batch
 * is copied in once; nothing is read from user memory twice.
 */
#include "session_add.h"

#include <linux/bitmap.h>
#include <linux/kallsyms.h>
#include <linux/list.h>
#include <linux/mm.h>
#include <linux/overflow.h>
#include <linux/sched/signal.h>
#include <linux/slab.h>
#include <linux/sort.h>
#include <linux/uaccess.h>
#include <linux/vmalloc.h>

#include "compat/retprobe.h"
#include "fentry.h"
#include "layout.h"
#include "pages.h"
#include "refusal.h"
#include "session.h"
#include "template.h"

/* Memory of one batch's templates. */
struct batch {
	struct list_head node;
	size_t bytes;		/* of all of it */
	u64 templates[];
};

/* While one call runs. */
struct work {
	u8 *layouts;		/* the copy */
	u32 nr;
	u64 *at;		/* of each layout, its offset in the copy */
	unsigned long *ips;
	u32 *order;		/* of those to be added, sorted by ip */
	u32 nr_added;
};

static struct fargs_layout *layout_at(const struct work *work, u32 i)
{
	return (struct fargs_layout *)(work->layouts + work->at[i]);
}

static void work_deinit(struct work *work)
{
	kvfree(work->layouts);
	kvfree(work->at);
	kvfree(work->ips);
	kvfree(work->order);
}

static int work_init(struct work *work, const struct fargs_add *add)
{
	work->nr = add->nr;
	work->layouts = kvmalloc(add->bytes, GFP_KERNEL_ACCOUNT);
	work->at = kvmalloc_array(add->nr, sizeof(*work->at), GFP_KERNEL_ACCOUNT);
	work->ips = kvmalloc_array(add->nr, sizeof(*work->ips), GFP_KERNEL_ACCOUNT);
	work->order = kvmalloc_array(add->nr, sizeof(*work->order), GFP_KERNEL_ACCOUNT);
	if (!work->layouts || !work->at || !work->ips || !work->order)
		return -ENOMEM;
	if (copy_from_user(work->layouts, u64_to_user_ptr(add->layouts), add->bytes))
		return -EFAULT;
	return 0;
}

static int verify(struct work *work, const struct fargs_add *add, struct fargs_refusal *refusal)
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
		layout_at(work, i)->status = 0;
		layout_at(work, i)->ip = 0;
		if (fatal_signal_pending(current))
			return -EINTR;
		cond_resched();
	}
	if (at != add->bytes)
		return fargs_refuse(refusal, EINVAL, FARGS_NONE, offsetof(struct fargs_add, bytes),
				    "%llu bytes are left behind the last layout", add->bytes - at);
	return 0;
}

/*
 * Functions that programs themselves call, or that follow when they fault: with a
 * program of their own they would tell of our calls, not of the kernel's, and each
 * call of a program would make more of them. ftrace's recursion guard keeps them from
 * doing worse. The plain path may have them: it calls nothing.
 */
static bool is_called_by_programs(unsigned long addr)
{
	static const char *const names[] = {
		"glob_match", "__unwind_start", "unwind_next_frame", "unwind_get_return_address",
		"__kernel_text_address", "kernel_text_address", "get_stack_info", "orc_find",
		"unwind_recover_ret_addr", "ftrace_graph_ret_addr", "__module_address",
		"fixup_exception", "search_exception_tables", "search_kernel_exception_table",
		"search_module_extables", "search_extable", "ex_get_fixup_type",
		"do_user_addr_fault", "do_kern_addr_fault", "bad_area_nosemaphore",
		"__bad_area_nosemaphore", "kernelmode_fixup_or_oops",
	};
	char name[KSYM_SYMBOL_LEN];
	size_t i;

	sprint_symbol_no_offset(name, addr);
	for (i = 0; i < ARRAY_SIZE(names); i++) {
		if (!strcmp(name, names[i]))
			return true;
	}
	return false;
}

/* Of what ftrace can trace: may it have this layout? */
static int verify_function(const struct fargs_layout *layout)
{
	if (fargs_layout_path(layout) != FARGS_PATH_PLAIN && is_called_by_programs(layout->addr))
		return -EPERM;
	return 0;
}

/* Finds each layout's fentry address; what ftrace cannot trace gets its status. */
static int find_ips(struct work *work)
{
	unsigned long *bad, *ips;
	u32 *which, i, nr = 0;
	int ret = -ENOMEM;

	bad = kvcalloc(BITS_TO_LONGS(work->nr), sizeof(*bad), GFP_KERNEL);
	ips = kvmalloc_array(work->nr, sizeof(*ips), GFP_KERNEL);
	which = kvmalloc_array(work->nr, sizeof(*which), GFP_KERNEL);
	if (!bad || !ips || !which)
		goto out;
	for (i = 0; i < work->nr; i++) {
		work->ips[i] = fargs_fentry_find(layout_at(work, i)->addr);
		if (!work->ips[i]) {
			layout_at(work, i)->status = -EINVAL;
			continue;
		}
		ips[nr] = work->ips[i];
		which[nr++] = i;
	}
	ret = fargs_fentry_test(ips, nr, bad);
	if (ret)
		goto out;
	for (i = 0; i < nr; i++) {
		if (test_bit(i, bad))
			layout_at(work, which[i])->status = -EINVAL;
		else
			layout_at(work, which[i])->ip = work->ips[which[i]];
		if (!layout_at(work, which[i])->status)
			layout_at(work, which[i])->status =
				verify_function(layout_at(work, which[i]));
	}
out:
	kvfree(bad);
	kvfree(ips);
	kvfree(which);
	return ret;
}

static int compare_order(const void *a, const void *b, const void *priv)
{
	const struct work *work = priv;
	u32 i = *(const u32 *)a, j = *(const u32 *)b;

	if (work->ips[i] != work->ips[j])
		return work->ips[i] < work->ips[j] ? -1 : 1;
	return i < j ? -1 : i > j;	/* the first one wins */
}

/* Marks what the session, or an earlier layout of the batch, has already. */
static void sort_and_mark(struct fargs_session *session, struct work *work)
{
	u32 i, have = 0, nr = 0;

	for (i = 0; i < work->nr; i++) {
		if (!layout_at(work, i)->status)
			work->order[nr++] = i;
	}
	sort_r(work->order, nr, sizeof(*work->order), compare_order, NULL, work);
	for (i = 0; i < nr; i++) {
		struct fargs_layout *layout = layout_at(work, work->order[i]);
		unsigned long ip = work->ips[work->order[i]];

		while (have < session->nr_funcs && session->funcs[have].ip < ip)
			have++;
		if ((have < session->nr_funcs && session->funcs[have].ip == ip) ||
		    (work->nr_added && work->ips[work->order[work->nr_added - 1]] == ip)) {
			layout->status = -EEXIST;
			continue;
		}
		work->order[work->nr_added++] = work->order[i];
	}
}

static bool has_return(const struct fargs_layout *layout)
{
	return layout->flags & FARGS_LAYOUT_RETURN;
}

/* Forgets those to be added whose status has been set. */
static void forget_marked(struct work *work)
{
	u32 i, nr = 0;

	for (i = 0; i < work->nr_added; i++) {
		if (!layout_at(work, work->order[i])->status)
			work->order[nr++] = work->order[i];
	}
	work->nr_added = nr;
}

/* Marks functions on which the kernel allows no return probe. */
static int test_returns(struct work *work, u32 nr)
{
	unsigned long *bad = kvcalloc(BITS_TO_LONGS(nr), sizeof(*bad), GFP_KERNEL);
	unsigned long *ips = kvmalloc_array(nr, sizeof(*ips), GFP_KERNEL);
	u32 i, at = 0;
	int ret = -ENOMEM;

	if (!bad || !ips)
		goto out;
	for (i = 0; i < work->nr_added; i++) {
		if (has_return(layout_at(work, work->order[i])))
			ips[at++] = work->ips[work->order[i]];
	}
	ret = fargs_retprobe_test(ips, nr, bad);
	for (i = 0, at = 0; !ret && i < work->nr_added; i++) {
		struct fargs_layout *layout = layout_at(work, work->order[i]);

		if (has_return(layout) && test_bit(at++, bad))
			layout->status = -EOPNOTSUPP;
	}
	forget_marked(work);
out:
	kvfree(bad);
	kvfree(ips);
	return ret;
}

/* Can the kernel follow what is to be added to its return? */
static int check_returns(const struct fargs_session *session, struct work *work,
			 struct fargs_refusal *refusal)
{
	u32 i, nr = 0, nr_had = 0, most = fargs_retprobe_max();

	for (i = 0; i < work->nr_added; i++)
		nr += has_return(layout_at(work, work->order[i]));
	for (i = 0; i < session->nr_funcs; i++)
		nr_had += session->funcs[i].path == FARGS_PATH_RETURN;
	if (most && nr && nr + nr_had > most)
		return fargs_refuse(refusal, E2BIG, FARGS_NONE, offsetof(struct fargs_add, nr),
				    "%u functions with a return probe: at most %u on this kernel, which has no fprobe",
				    nr + nr_had, most);
	return nr ? test_returns(work, nr) : 0;
}

static int refuse_unless_skip(const struct work *work, const struct fargs_add *add,
			      struct fargs_refusal *refusal)
{
	u32 i;

	if (add->flags & FARGS_ADD_SKIP)
		return 0;
	for (i = 0; i < work->nr; i++) {
		const struct fargs_layout *layout = layout_at(work, i);

		if (layout->status == -EEXIST)
			return fargs_refuse(refusal, EEXIST, i, offsetof(struct fargs_layout, addr),
					    "%ps has a layout already", (void *)layout->addr);
		if (layout->status == -EPERM)
			return fargs_refuse(refusal, EPERM, i, offsetof(struct fargs_layout, addr),
					    "%ps is called by programs: it cannot have one",
					    (void *)layout->addr);
		if (layout->status == -EOPNOTSUPP)
			return fargs_refuse(refusal, EOPNOTSUPP, i,
					    offsetof(struct fargs_layout, addr),
					    "the kernel allows no return probe on %pS",
					    (void *)layout->addr);
		if (layout->status)
			return fargs_refuse(refusal, EINVAL, i, offsetof(struct fargs_layout, addr),
					    "%pS is not traceable", (void *)layout->addr);
	}
	return 0;
}

/* Forgets functions whose module went: their addresses may be others' by now. */
static void purge_dropped(struct fargs_session *session)
{
	u32 i, nr = 0;

	for (i = 0; i < session->nr_funcs; i++) {
		if (!session->funcs[i].is_dropped)
			session->funcs[nr++] = session->funcs[i];
	}
	session->nr_funcs = nr;
	session->nr_dropped = 0;
}

/* Makes the templates, and the session's list anew with them merged in. */
static int insert(struct fargs_session *session, const struct work *work,
		  struct fargs_refusal *refusal)
{
	u32 i, have = 0, nr = session->nr_funcs + work->nr_added;
	struct fargs_session_func *funcs, *to;
	struct batch *batch;
	size_t bytes = sizeof(*batch);
	void *at;

	if (nr > FARGS_LAYOUTS_MAX)
		return fargs_refuse(refusal, E2BIG, FARGS_NONE, offsetof(struct fargs_add, nr),
				    "%u functions are more than %u", nr, FARGS_LAYOUTS_MAX);
	if (!work->nr_added)
		return 0;
	for (i = 0; i < work->nr_added; i++)
		bytes += fargs_template_size(layout_at(work, work->order[i]));
	batch = fargs_pages_alloc(bytes);
	/* No call reads these: they may lie anywhere. */
	funcs = __vmalloc(array_size(nr, sizeof(*funcs)), GFP_KERNEL_ACCOUNT);
	if (!batch || !funcs) {
		fargs_pages_free(batch, bytes);
		vfree(funcs);
		return -ENOMEM;
	}
	batch->bytes = bytes;
	at = batch->templates;
	to = funcs;
	for (i = 0; i < work->nr_added; i++) {
		const struct fargs_layout *layout = layout_at(work, work->order[i]);

		while (have < session->nr_funcs && session->funcs[have].ip < layout->ip)
			*to++ = session->funcs[have++];
		*to++ = (struct fargs_session_func){
			.ip = layout->ip,
			.template = fargs_template_make(layout, at),
			.path = fargs_layout_path(layout),
		};
		at += fargs_template_size(layout);
		cond_resched();
	}
	while (have < session->nr_funcs)
		*to++ = session->funcs[have++];
	list_add(&batch->node, &session->batches);
	vfree(session->funcs);
	session->funcs = funcs;
	session->nr_funcs = nr;
	return 0;
}

static int write_back(const struct work *work, const struct fargs_add *add)
{
	u8 __user *to = u64_to_user_ptr(add->layouts);
	u32 i;

	for (i = 0; i < work->nr; i++) {
		const struct fargs_layout *layout = layout_at(work, i);
		struct fargs_layout __user *out = (void __user *)(to + work->at[i]);

		if (put_user(layout->status, &out->status) || put_user(layout->ip, &out->ip))
			return -EFAULT;
	}
	return 0;
}

static int add_locked(struct fargs_session *session, struct fargs_add *add, struct work *work,
		      struct fargs_refusal *refusal)
{
	int ret;

	if (session->state == FARGS_STATE_RUNNING || session->is_stuck)
		return fargs_refuse(refusal, EBUSY, FARGS_NONE, FARGS_NONE,
				    "the session is running: stop it first");
	ret = find_ips(work);
	if (ret)
		return ret;
	purge_dropped(session);
	sort_and_mark(session, work);
	ret = check_returns(session, work, refusal);
	if (ret)
		return ret;
	ret = refuse_unless_skip(work, add, refusal);
	if (ret)
		return ret;
	ret = insert(session, work, refusal);
	if (!ret)
		add->nr_added = work->nr_added;
	return ret;
}

/*
 * A module may go meanwhile. Up to its GOING notifier its functions are dropped by
 * that, which waits for session->lock. Between the notifier and ftrace's own
 * forgetting they can still be added: then START fails, or, if another module
 * comes to lie there, its COMING notifier drops them (modules.c).
 */
int fargs_session_add(struct fargs_session *session, struct fargs_add *add,
		      struct fargs_refusal *refusal)
{
	struct work work = {};
	int ret;

	if (add->reserved)
		return fargs_refuse(refusal, EINVAL, FARGS_NONE,
				    offsetof(struct fargs_add, reserved), "reserved is not 0");
	if (add->flags & ~FARGS_ADD_SKIP)
		return fargs_refuse(refusal, EINVAL, FARGS_NONE, offsetof(struct fargs_add, flags),
				    "unknown flags %#x", add->flags);
	if (!add->nr || add->nr > FARGS_LAYOUTS_MAX)
		return fargs_refuse(refusal, EINVAL, FARGS_NONE, offsetof(struct fargs_add, nr),
				    "%u layouts are not from 1 to %u", add->nr, FARGS_LAYOUTS_MAX);
	if (!add->bytes || add->bytes > FARGS_ADD_BYTES_MAX)
		return fargs_refuse(refusal, EINVAL, FARGS_NONE, offsetof(struct fargs_add, bytes),
				    "%llu bytes of layouts are not from 1 to %u", add->bytes,
				    FARGS_ADD_BYTES_MAX);
	ret = work_init(&work, add) ?: verify(&work, add, refusal);
	if (!ret) {
		mutex_lock(&session->lock);
		ret = add_locked(session, add, &work, refusal);
		mutex_unlock(&session->lock);
		/* Also after a failure: the layouts' status says what was wrong. */
		if (write_back(&work, add))
			ret = -EFAULT;
	}
	work_deinit(&work);
	return ret;
}

void fargs_session_free_funcs(struct fargs_session *session)
{
	struct batch *batch, *next;

	list_for_each_entry_safe(batch, next, &session->batches, node)
		fargs_pages_free(batch, batch->bytes);
	INIT_LIST_HEAD(&session->batches);
	vfree(session->funcs);
	session->funcs = NULL;
	session->nr_funcs = 0;
}
