// SPDX-License-Identifier: GPL-2.0-only
#include "session/deferred.h"

#include <linux/list.h>
#include <linux/lockdep.h>
#include <linux/minmax.h>
#include <linux/mm.h>
#include <linux/slab.h>
#include <linux/sort.h>
#include <linux/string.h>

#include "base/arena.h"
#include "layout/layout.h"
#include "layout/parts.h"
#include "probe/ret.h"
#include "prog/template.h"
#include "session/funcs.h"
#include "session/session.h"

static const char *name_of(const struct fargs_symbol *symbol)
{
	return symbol->names + strlen(symbol->names) + 1;
}

static int compare_symbols(const struct fargs_symbol *a, const struct fargs_symbol *b)
{
	int ret = strcmp(a->names, b->names) ?: strcmp(name_of(a), name_of(b));

	if (ret)
		return ret;
	return a->index < b->index ? -1 : a->index > b->index;
}

static int compare_layouts(const void *a, const void *b)
{
	const struct fargs_layout *x = *(struct fargs_layout *const *)a;
	const struct fargs_layout *y = *(struct fargs_layout *const *)b;
	int ret = compare_symbols(fargs_layout_symbol(x), fargs_layout_symbol(y));

	/* Layouts of one function stay in the order of the batch: the first is used. */
	return ret ?: (x < y ? -1 : x > y);
}

void fargs_deferred_mark(const struct fargs_session *session, struct fargs_deferred_add *add)
{
	const struct fargs_deferreds *had = &session->deferred;
	const struct fargs_symbol *last = NULL;
	u32 i, have = 0;

	lockdep_assert_held(&session->call_lock);
	sort(add->layouts, add->nr, sizeof(*add->layouts), compare_layouts, NULL);
	for (i = 0; i < add->nr; i++) {
		const struct fargs_symbol *symbol = fargs_layout_symbol(add->layouts[i]);

		if (add->layouts[i]->status)
			continue;
		while (have < had->nr && compare_symbols(had->layouts[have].symbol, symbol) < 0)
			have++;
		if ((have < had->nr && !compare_symbols(had->layouts[have].symbol, symbol)) ||
		    (last && !compare_symbols(last, symbol)))
			add->layouts[i]->status = -EEXIST;
		last = symbol;
	}
}

/* Returns how many bytes a layout needs in fargs_deferred_add.arena. */
static size_t deferred_size(const struct fargs_layout *layout)
{
	return layout->symbol_len + (layout->addr ? 0 : fargs_template_size(layout));
}

/*
 * Copies the symbol of a layout to @to. If the layout has no address, creates the template after
 * the symbol. Otherwise the session already has the function, and its template is used, so that the
 * counters continue when the module is loaded again.
 */
static void make_deferred(const struct fargs_session *session, struct fargs_deferred *deferred,
			  const struct fargs_layout *layout, void *to)
{
	lockdep_assert_held(&session->lock);
	memcpy(to, fargs_layout_symbol(layout), layout->symbol_len);
	deferred->symbol = to;
	deferred->name = name_of(to);
	deferred->path = fargs_layout_path(layout);
	deferred->from_tsc = 0;
	if (layout->addr) {
		deferred->template = fargs_funcs_find(session, layout->ip)->template;
		deferred->ip = layout->ip;
	} else {
		deferred->template = fargs_template_make(layout, &session->capture,
							 to + layout->symbol_len);
		deferred->ip = 0;
	}
}

int fargs_deferred_prepare(const struct fargs_session *session, struct fargs_deferred_add *add,
			   u32 *nr)
{
	const struct fargs_deferreds *had = &session->deferred;
	size_t bytes = 0;
	u32 i, left = 0;

	lockdep_assert_held(&session->call_lock);
	*nr = 0;
	for (i = 0; i < add->nr; i++) {
		if (add->layouts[i]->status)
			continue;
		bytes += deferred_size(add->layouts[i]);
		*nr += !add->layouts[i]->addr;
		add->layouts[left++] = add->layouts[i];
	}
	add->nr = left;
	if (!left)
		return 0;
	add->arena = fargs_arena_create(bytes);
	add->merged = kvmalloc_array(had->nr + left, sizeof(*add->merged), GFP_KERNEL_ACCOUNT);
	if (add->arena && add->merged)
		return 0;
	fargs_deferred_cancel(add);
	return -ENOMEM;
}

void fargs_deferred_cancel(struct fargs_deferred_add *add)
{
	fargs_arena_destroy(add->arena);
	kvfree(add->merged);
	add->arena = NULL;
	add->merged = NULL;
}

static void count_return(struct fargs_deferreds *deferreds, const struct fargs_deferred *deferred)
{
	if (deferred->path != FARGS_PATH_RETURN)
		return;
	deferreds->nr_return++;
	deferreds->return_body_bytes = max(deferreds->return_body_bytes,
					   fargs_ret_body_bytes(deferred->template));
}

void fargs_deferred_commit(struct fargs_session *session, struct fargs_deferred_add *add)
{
	struct fargs_deferreds *had = &session->deferred;
	struct fargs_deferred *to = add->merged;
	void *at;
	u32 i, have = 0, nr = had->nr;

	lockdep_assert_held(&session->call_lock);
	lockdep_assert_held(&session->lock);
	if (!add->nr)
		return;
	at = add->arena->data;
	for (i = 0; i < add->nr; i++) {
		struct fargs_layout *layout = add->layouts[i];

		/* The function's module was unloaded: see fargs_session_add(). */
		if (layout->status)
			continue;
		while (have < had->nr && compare_symbols(had->layouts[have].symbol,
							fargs_layout_symbol(layout)) < 0)
			*to++ = had->layouts[have++];
		make_deferred(session, to, layout, at);
		at += deferred_size(layout);
		to->number = nr++;
		if (layout->addr)
			layout->number = to->number;
		else
			layout->ip = to->number;
		count_return(had, to++);
	}
	while (have < had->nr)
		*to++ = had->layouts[have++];
	list_add(&add->arena->node, &session->arenas);
	kvfree(had->layouts);
	had->layouts = add->merged;
	had->nr = nr;
	add->arena = NULL;
	add->merged = NULL;
}

void fargs_deferred_deinit(struct fargs_deferreds *deferreds)
{
	kvfree(deferreds->layouts);
	fargs_arrival_list_deinit(&deferreds->arrivals);
	memset(deferreds, 0, sizeof(*deferreds));
}
