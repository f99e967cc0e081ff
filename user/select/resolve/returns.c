// SPDX-License-Identifier: GPL-2.0-only
#include "select/resolve/returns.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "select/codegen/entry_only.h"
#include "uapi/fargs_layout.h"

size_t fargs_returns_count(const struct fargs_select *sel)
{
	size_t i, nr = 0;

	for (i = 0; i < sel->nr_matches; i++)
		nr += fargs_layout_has_return(sel->layouts.data + sel->matches[i].offset);
	return nr;
}

/*
 * Is it certain that the return of every function that matches the pattern of @rule is recorded? It
 * is not if @rule has a condition or a value other than the result: these may be invalid on some
 * functions.
 */
static bool is_of_all_returns(const struct fargs_rules *rules, const struct fargs_rule *rule)
{
	const struct fargs_items *entry = &rule->selector.entry;
	const struct fargs_items *at_return = &rule->selector.at_return;
	const struct fargs_node *value = at_return->fetches;

	return !entry->fetches && !entry->condition && !at_return->condition &&
	       (!value || (!value->next && value->kind == FARGS_NODE_NAME &&
			   fargs_node_is(value, "ret"))) &&
	       (rule->selector.has_return || (rules->options && rules->options->is_graph));
}

/* Is the return of the function certainly recorded, no matter which matching rule applies? */
static bool is_wanted(const struct fargs_rules *rules, const struct fargs_ksym *sym)
{
	bool is_any = false;
	size_t i;

	for (i = 0; i < rules->nr_wanted; i++) {
		if (!fargs_pattern_match(&rules->wanted[i]->pattern, sym))
			continue;
		if (!is_of_all_returns(rules, rules->wanted[i]))
			return false;
		is_any = true;
	}
	for (i = 0; is_any && i < rules->nr_unwanted; i++)
		if (fargs_pattern_match(&rules->unwanted[i], sym))
			return false;
	return is_any;
}

/*
 * Counts the functions whose return is certainly recorded. @avail: count only traceable functions;
 * NULL: count all. *@nr_kernel: number of counted functions that are not in modules.
 */
static size_t count_wanted(const struct fargs_rules *rules, const struct fargs_ksyms *ksyms,
			   const struct fargs_avail *avail, size_t *nr_kernel)
{
	const struct fargs_ksym *sym;
	uint64_t last = 0;
	size_t i, nr = 0;

	*nr_kernel = 0;
	/*
	 * With these options, the types of a function also decide whether the function is selected,
	 * so the return of no function is certain to be recorded.
	 */
	if (rules->options && (rules->options->is_only_errors || rules->options->nr_filters))
		return 0;
	for (i = 0; (sym = fargs_ksyms_at(ksyms, i)); i++) {
		/* Names with a dot belong to clones and fragments, most of which are refused. */
		if (sym->addr == last || strchr(sym->name, '.') || !is_wanted(rules, sym) ||
		    (avail && !fargs_avail_has(avail, sym)))
			continue;
		last = sym->addr;
		*nr_kernel += !sym->module;
		nr++;
	}
	return nr;
}

bool fargs_returns_may_be_many(const struct fargs_rules *rules, const struct fargs_ksyms *ksyms,
			       size_t max)
{
	size_t nr_kernel;

	count_wanted(rules, ksyms, NULL, &nr_kernel);
	return nr_kernel > max;
}

bool fargs_returns_are_many(const struct fargs_rules *rules, const struct fargs_ksyms *ksyms,
			    const struct fargs_avail *avail, size_t max, size_t *nr)
{
	size_t nr_kernel;

	*nr = count_wanted(rules, ksyms, avail, &nr_kernel);
	return nr_kernel > max + fargs_avail_count(avail) / 4;
}

/* Matches are stored in the order of addresses, so comparing their pointers compares addresses. */
static int compare_order(const void *a, const void *b)
{
	const struct fargs_match *x = *(struct fargs_match *const *)a;
	const struct fargs_match *y = *(struct fargs_match *const *)b;

	if (x->order != y->order)
		return x->order < y->order ? -1 : 1;
	return x < y ? -1 : x > y;
}

/*
 * Removes the return from the layouts of matches with is_entry_only, and the gaps between layouts.
 */
static void rewrite(struct fargs_select *sel)
{
	unsigned char *data = sel->layouts.data;
	size_t i, at = 0;

	for (i = 0; i < sel->nr_matches; i++) {
		struct fargs_match *match = &sel->matches[i];
		struct fargs_layout head;

		memcpy(&head, data + match->offset, sizeof(head));
		memmove(data + at, data + match->offset, head.size);
		match->offset = at;
		at += match->is_entry_only ? fargs_layout_make_entry_only(data + at) : head.size;
	}
	sel->layouts.bytes = at;
}

int fargs_returns_limit(struct fargs_select *sel, size_t max, struct fargs_error_text *err)
{
	struct fargs_match **others __cleanup_free = calloc(sel->nr_matches + 1, sizeof(*others));
	size_t i, nr_others = 0, nr_needed = 0;

	if (!others)
		return fargs_fail(err, ENOMEM, "no memory for functions");
	for (i = 0; i < sel->nr_matches; i++) {
		struct fargs_match *match = &sel->matches[i];
		const unsigned char *layout = sel->layouts.data + match->offset;

		match->has_return = fargs_layout_has_return(layout);
		if (!match->has_return)
			continue;
		if (fargs_layout_needs_return(layout))
			nr_needed++;
		else
			others[nr_others++] = match;
	}
	if (nr_needed > max)
		return fargs_fail(err, E2BIG, "'--returns': the returns of %zu functions decide "
				  "which calls are recorded, so they cannot be left out",
				  nr_needed);
	qsort(others, nr_others, sizeof(*others), compare_order);
	for (i = max - nr_needed; i < nr_others; i++) {
		others[i]->has_return = false;
		others[i]->is_entry_only = true;
		sel->nr_entry_only++;
	}
	rewrite(sel);
	return 0;
}
