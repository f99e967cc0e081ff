// SPDX-License-Identifier: GPL-2.0-only
/*
 * Lifetime: the data of probes are in the session's arenas, which are freed with the session, after
 * fargs_tpoints_disarm(). fargs_tpoints_disarm() waits for probes that were unregistered but are
 * still running. A module's tracepoint is not accessed after the module's GOING notifier, which
 * unregisters the probes of all sessions.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include "session/tpoint.h"

#include <linux/kallsyms.h>
#include <linux/kernel.h>
#include <linux/lockdep.h>
#include <linux/module.h>
#include <linux/mm.h>
#include <linux/slab.h>
#include <linux/sort.h>
#include <linux/string.h>
#include <linux/tracepoint.h>

#include "arch/clock.h"
#include "arch/tpoint.h"
#include "base/arena.h"
#include "base/refusal.h"
#include "compat/tracepoint.h"
#include "layout/layout.h"
#include "layout/parts.h"
#include "probe/tpoint.h"
#include "prog/template.h"
#include "session/arrivals.h"
#include "session/module_syms.h"
#include "session/session.h"
#include "session/tpoint_find.h"

/*
 * A record of a tracepoint contains the number of the tracepoint instead of an address. These
 * numbers are multiples of NUMBER_STEP.
 */
#define NUMBER_STEP	16

#define KERNEL_NAME	"vmlinux"

struct fargs_session_tpoint {
	struct list_head node;
	struct fargs_tpoint point;		/* data passed to the probe */
	const struct fargs_symbol *symbol;
	struct tracepoint *tp;			/* NULL: the tracepoint's module is not loaded */
	const struct module *mod;		/* module of the tracepoint; NULL: the kernel */
	bool is_deferred;
	bool has_arrivals;
	bool is_dropped;			/* never traced again: its module was unloaded */
	bool is_registered;
};

struct fargs_tpoint_found {
	struct fargs_layout *layout;
	struct tracepoint *tp;			/* NULL: no such tracepoint was found */
	const struct module *mod;
	bool is_stale;				/* the layout is for another build of the module */
};

static const char *owner_name(const struct module *mod)
{
	return mod ? mod->name : KERNEL_NAME;
}

static const char *name_of(const struct fargs_symbol *symbol)
{
	return symbol->names + strlen(symbol->names) + 1;
}

static int compare_names(const struct fargs_symbol *symbol, const char *module, const char *name)
{
	return strcmp(symbol->names, module) ?: strcmp(name_of(symbol), name);
}

static bool is_build(const struct fargs_symbol *symbol, const struct module *mod)
{
	return !mod || !symbol->build_id_len ||
	       fargs_module_has_build_id(mod, symbol->build_id, symbol->build_id_len);
}

int fargs_tpoints_check(u32 layout, struct fargs_refusal *refusal)
{
	if (FARGS_COMPAT_TPOINTS)
		return 0;
	return fargs_refuse(refusal, EOPNOTSUPP, layout, offsetof(struct fargs_layout, flags),
			    "this kernel uses kCFI, which checks the types of indirect calls: fargs cannot trace tracepoints on it");
}

int fargs_tpoint_add_init(struct fargs_tpoint_add *add, u32 nr)
{
	add->found = kvmalloc_array(nr, sizeof(*add->found), GFP_KERNEL_ACCOUNT);
	return add->found ? 0 : -ENOMEM;
}

void fargs_tpoint_add_deinit(struct fargs_tpoint_add *add)
{
	kvfree(add->found);
	add->found = NULL;
}

void fargs_tpoint_add_layout(struct fargs_tpoint_add *add, struct fargs_layout *layout)
{
	add->found[add->nr++] = (struct fargs_tpoint_found){ .layout = layout };
}

static int compare_found(const void *a, const void *b)
{
	const struct fargs_layout *x = ((const struct fargs_tpoint_found *)a)->layout;
	const struct fargs_layout *y = ((const struct fargs_tpoint_found *)b)->layout;
	const struct fargs_symbol *other = fargs_layout_symbol(y);
	int ret = compare_names(fargs_layout_symbol(x), other->names, name_of(other));

	/*
	 * Sort layouts of the same tracepoint in the order of the batch, so that find_added()
	 * returns the first of them.
	 */
	return ret ?: (x < y ? -1 : x > y);
}

/* Returns the first layout in @add for the tracepoint, or NULL. */
static struct fargs_tpoint_found *find_added(const struct fargs_tpoint_add *add, const char *module,
					     const char *name)
{
	u32 low = 0, high = add->nr;

	while (low < high) {
		u32 mid = low + (high - low) / 2;

		if (compare_names(fargs_layout_symbol(add->found[mid].layout), module, name) < 0)
			low = mid + 1;
		else
			high = mid;
	}
	if (low == add->nr ||
	    compare_names(fargs_layout_symbol(add->found[low].layout), module, name))
		return NULL;
	return &add->found[low];
}

static void match_added(void *arg, struct tracepoint *tp, const struct module *mod)
{
	struct fargs_tpoint_found *found = find_added(arg, owner_name(mod), tp->name);

	if (!found)
		return;
	found->is_stale = !is_build(fargs_layout_symbol(found->layout), mod);
	if (found->is_stale)
		return;
	found->tp = tp;
	found->mod = mod;
}

void fargs_tpoints_mark(const struct fargs_session *session, struct fargs_tpoint_add *add)
{
	const struct fargs_session_tpoint *had;
	u32 i;

	lockdep_assert_held(&session->lock);
	if (!add->nr)
		return;
	sort(add->found, add->nr, sizeof(*add->found), compare_found, NULL);
	fargs_tpoint_find_each(match_added, add);
	for (i = 0; i < add->nr; i++) {
		struct fargs_layout *layout = add->found[i].layout;
		const struct fargs_symbol *symbol = fargs_layout_symbol(layout);

		if (find_added(add, symbol->names, name_of(symbol)) != &add->found[i])
			layout->status = -EEXIST;
		else if (!add->found[i].tp && !(layout->flags & FARGS_LAYOUT_DEFERRED))
			layout->status = add->found[i].is_stale ? -ESTALE : -ENOENT;
	}
	list_for_each_entry(had, &session->tpoints.all, node) {
		struct fargs_tpoint_found *found = find_added(add, had->symbol->names,
							      name_of(had->symbol));

		if (found && !had->is_dropped)
			found->layout->status = -EEXIST;
	}
}

static size_t tpoint_size(const struct fargs_layout *layout)
{
	return sizeof(struct fargs_session_tpoint) + layout->symbol_len +
	       fargs_template_size(layout);
}

int fargs_tpoints_prepare(struct fargs_tpoint_add *add, u32 *nr)
{
	size_t bytes = 0;
	u32 i;

	*nr = 0;
	for (i = 0; i < add->nr; i++) {
		if (add->found[i].layout->status)
			continue;
		bytes += tpoint_size(add->found[i].layout);
		add->found[(*nr)++] = add->found[i];
	}
	add->nr = *nr;
	if (!add->nr)
		return 0;
	add->arena = fargs_arena_create(bytes);
	return add->arena ? 0 : -ENOMEM;
}

void fargs_tpoints_cancel(struct fargs_tpoint_add *add)
{
	fargs_arena_destroy(add->arena);
	add->arena = NULL;
}

static void make_tpoint(struct fargs_session *session, const struct fargs_tpoint_found *found,
			bool has_arrivals, void *at)
{
	struct fargs_layout *layout = found->layout;
	struct fargs_session_tpoint *tpoint = at;
	void *symbol = tpoint + 1;

	session->tpoints.nr_numbers++;
	layout->ip = (u64)session->tpoints.nr_numbers * NUMBER_STEP;
	memcpy(symbol, fargs_layout_symbol(layout), layout->symbol_len);
	*tpoint = (struct fargs_session_tpoint){
		.symbol = symbol,
		.tp = found->tp,
		.mod = found->mod,
		.is_deferred = layout->flags & FARGS_LAYOUT_NAMED,
		.has_arrivals = has_arrivals,
		.point = {
			.capture = &session->capture,
			.template = fargs_template_make(layout, &session->capture,
							symbol + layout->symbol_len),
			.ip = layout->ip,
		},
	};
	session->tpoints.nr++;
	session->tpoints.nr_deferred += tpoint->is_deferred;
	list_add_tail(&tpoint->node, &session->tpoints.all);
}

void fargs_tpoints_commit(struct fargs_session *session, struct fargs_tpoint_add *add)
{
	void *at;
	u32 i;

	lockdep_assert_held(&session->lock);
	if (!add->nr)
		return;
	at = add->arena->data;
	for (i = 0; i < add->nr; i++) {
		make_tpoint(session, &add->found[i], add->has_arrivals, at);
		at += tpoint_size(add->found[i].layout);
	}
	list_add(&add->arena->node, &session->arenas);
	add->arena = NULL;
}

void fargs_tpoints_purge(struct fargs_session *session)
{
	struct fargs_session_tpoint *tpoint, *next;

	lockdep_assert_held(&session->lock);
	list_for_each_entry_safe(tpoint, next, &session->tpoints.all, node) {
		if (!tpoint->is_dropped)
			continue;
		list_del(&tpoint->node);
		session->tpoints.nr--;
	}
	session->tpoints.nr_dropped = 0;
}

/*
 * Returns the size of a function's code, or 0. The size includes the padding after the function,
 * which kallsyms counts as part of it. sprint_symbol() prints NAME+OFFSET/SIZE.
 */
static unsigned long text_bytes(void *func)
{
	char text[KSYM_SYMBOL_LEN];
	unsigned long bytes;
	const char *size;

	sprint_symbol(text, (unsigned long)func);
	size = strrchr(text, '/');
	return size && sscanf(size, "/%lx", &bytes) == 1 ? bytes : 0;
}

/*
 * Called while the probe of @tpoint is not registered and not running: if it was registered before,
 * either the tracepoint's module was unloaded, or fargs_tpoints_disarm() has waited for the probe.
 */
static void init_iterator(struct fargs_session_tpoint *tpoint)
{
	tpoint->point.iterator = (struct fargs_iterator){
		.start = (unsigned long)tpoint->tp->iterator,
		.bytes = text_bytes(tpoint->tp->iterator),
		.trampoline = (unsigned long)tpoint->tp->static_call_tramp,
	};
}

static int register_tpoint(struct fargs_session_tpoint *tpoint)
{
	int ret;

	init_iterator(tpoint);
	fargs_template_set_depth(tpoint->point.template, 1 + fargs_compat_tpoint_depth(tpoint->tp));
	ret = tracepoint_probe_register(tpoint->tp, (void *)fargs_tpoint_stub, &tpoint->point);
	tpoint->is_registered = !ret;
	return ret;
}

static void unregister_tpoint(struct fargs_session *session, struct fargs_session_tpoint *tpoint)
{
	lockdep_assert_held(&session->lock);
	if (!tpoint->is_registered)
		return;
	/* tracepoint_probe_unregister() fails only if the probe is not registered. */
	tracepoint_probe_unregister(tpoint->tp, (void *)fargs_tpoint_stub, &tpoint->point);
	tpoint->is_registered = false;
	session->tpoints.must_wait = true;
}

int fargs_tpoints_arm(struct fargs_session *session, struct fargs_refusal *refusal)
{
	struct fargs_session_tpoint *tpoint;
	int ret;

	lockdep_assert_held(&session->call_lock);
	/*
	 * Only the holder of call_lock changes the list, so session->lock may be released in the
	 * loop.
	 */
	list_for_each_entry(tpoint, &session->tpoints.all, node) {
		mutex_lock(&session->lock);
		ret = tpoint->tp ? register_tpoint(tpoint) : 0;
		mutex_unlock(&session->lock);
		if (ret) {
			fargs_tpoints_disarm(session);
			return fargs_refuse(refusal, -ret, FARGS_NONE, FARGS_NONE,
					    "the kernel rejects a probe on tracepoint %s (error %d)",
					    name_of(tpoint->symbol), ret);
		}
	}
	return 0;
}

void fargs_tpoints_disarm(struct fargs_session *session)
{
	struct fargs_session_tpoint *tpoint;

	lockdep_assert_held(&session->call_lock);
	list_for_each_entry(tpoint, &session->tpoints.all, node) {
		mutex_lock(&session->lock);
		unregister_tpoint(session, tpoint);
		mutex_unlock(&session->lock);
	}
	/* No probe is registered any more, so no module notifier sets must_wait from now on. */
	if (!session->tpoints.must_wait)
		return;
	tracepoint_synchronize_unregister();
	session->tpoints.must_wait = false;
}

void fargs_tpoints_arm_modules(struct fargs_session *session)
{
	struct fargs_session_tpoint *tpoint;

	lockdep_assert_held(&session->lock);
	list_for_each_entry(tpoint, &session->tpoints.all, node) {
		int ret = tpoint->tp && !tpoint->is_registered ? register_tpoint(tpoint) : 0;

		if (ret)
			pr_warn("cannot register a probe on tracepoint '%s' (error %d)\n",
				name_of(tpoint->symbol), ret);
	}
}

/*
 * Adds an arrival for a tracepoint of a module that is being loaded, if user space has requested
 * arrivals (FARGS_ADD_TPOINT_ARRIVALS). @tsc: a time before any code of the module runs. Returns
 * false if there is no arrival.
 */
static bool add_arrival(struct fargs_session *session, const struct fargs_session_tpoint *tpoint,
			u64 tsc, int status)
{
	struct fargs_arrival_list *list = &session->deferred.arrivals;
	struct fargs_arrival *arrival = NULL;

	lockdep_assert_held(&session->lock);
	if (tpoint->has_arrivals)
		arrival = fargs_arrival_list_room(list, 1);
	if (!arrival)
		return false;
	*arrival = (struct fargs_arrival){
		.addr = status ? 0 : (unsigned long)tpoint->tp->iterator,
		.ip = tpoint->point.ip, .tsc = tsc, .layout = FARGS_NONE, .status = status,
	};
	fargs_arrival_list_append(list, 1);
	return true;
}

/*
 * Reports that a tracepoint of a module that is being loaded is not traced: to user space by an
 * arrival if it has requested arrivals, otherwise in the kernel's log.
 */
static void report_untraced(struct fargs_session *session,
			    const struct fargs_session_tpoint *tpoint, const struct module *mod,
			    u64 tsc, int status)
{
	lockdep_assert_held(&session->lock);
	if (add_arrival(session, tpoint, tsc, status))
		return;
	if (status == -ESTALE) {
		pr_warn("module '%s' is a different build from the selected one: its tracepoint '%s' is not traced\n",
			mod->name, name_of(tpoint->symbol));
	} else {
		pr_warn("cannot register a probe on tracepoint '%s' of module '%s' (error %d)\n",
			name_of(tpoint->symbol), mod->name, status);
	}
}

static void match_tpoint(void *arg, struct tracepoint *tp, const struct module *mod)
{
	struct fargs_session *session = arg;
	struct fargs_session_tpoint *tpoint;
	u64 tsc = fargs_arch_clock_ordered();
	int ret = 0;

	lockdep_assert_held(&session->lock);
	list_for_each_entry(tpoint, &session->tpoints.all, node) {
		if (!tpoint->is_deferred || tpoint->tp ||
		    compare_names(tpoint->symbol, mod->name, tp->name))
			continue;
		if (!is_build(tpoint->symbol, mod)) {
			report_untraced(session, tpoint, mod, tsc, -ESTALE);
			return;
		}
		tpoint->tp = tp;
		tpoint->mod = mod;
		if (session->phase == FARGS_PHASE_LIVE)
			ret = register_tpoint(tpoint);
		if (ret)
			report_untraced(session, tpoint, mod, tsc, ret);
		else
			add_arrival(session, tpoint, tsc, 0);
		return;
	}
}

void fargs_tpoints_take(struct fargs_session *session, const struct module *mod)
{
	lockdep_assert_held(&session->lock);
	if (session->tpoints.nr_deferred)
		fargs_tpoint_find_each_of(mod, match_tpoint, session);
}

bool fargs_tpoints_drop(struct fargs_session *session, const struct module *mod)
{
	struct fargs_session_tpoint *tpoint;
	bool is_any = false;

	lockdep_assert_held(&session->lock);
	list_for_each_entry(tpoint, &session->tpoints.all, node) {
		if (!tpoint->tp || tpoint->mod != mod)
			continue;
		unregister_tpoint(session, tpoint);
		tpoint->tp = NULL;
		tpoint->mod = NULL;
		if (tpoint->is_deferred)
			continue;
		tpoint->is_dropped = true;
		session->tpoints.nr_dropped++;
		is_any = true;
	}
	return is_any;
}

bool fargs_tpoints_are_any(const struct fargs_session *session)
{
	lockdep_assert_held(&session->lock);
	return session->tpoints.nr > session->tpoints.nr_dropped;
}

void fargs_tpoints_count(const struct fargs_session *session, struct fargs_stats *stats)
{
	const struct fargs_session_tpoint *tpoint;

	lockdep_assert_held(&session->lock);
	stats->nr_layouts += session->tpoints.nr;
	stats->nr_deferred += session->tpoints.nr_deferred;
	stats->nr_dropped += session->tpoints.nr_dropped;
	list_for_each_entry(tpoint, &session->tpoints.all, node)
		stats->nr_here += tpoint->is_deferred && tpoint->tp &&
				  (tpoint->is_registered ||
				   session->state != FARGS_STATE_RUNNING);
}
