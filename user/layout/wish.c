// SPDX-License-Identifier: GPL-2.0-only
#include "layout/wish.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "layout/signature.h"

int fargs_wish_init(struct fargs_wish *wish, const char *text, struct fargs_error_text *err)
{
	struct fargs_mistake mistake = { };

	memset(wish, 0, sizeof(*wish));
	if (fargs_selector_init(&wish->selector, text, &mistake))
		return fargs_mistake_fail(&mistake, text, err);
	return fargs_pattern_init(&wish->pattern, wish->selector.function, err);
}

void fargs_wish_deinit(struct fargs_wish *wish)
{
	fargs_pattern_deinit(&wish->pattern);
	fargs_selector_deinit(&wish->selector);
}

int fargs_wisher_init(struct fargs_wisher *w, const struct fargs_bind_options *options)
{
	static const struct fargs_bind_options usual = {
		.str_cap = FARGS_BIND_CAP, .mem_cap = FARGS_BIND_CAP, .tsc_khz = 1000000,
	};

	memset(w, 0, sizeof(*w));
	w->options = options ? options : &usual;
	w->bound = malloc(sizeof(*w->bound));
	return w->bound ? 0 : -ENOMEM;
}

void fargs_wisher_deinit(struct fargs_wisher *w)
{
	fargs_constants_deinit(&w->constants);
	free(w->bound);
}

static bool asks_for_types(const struct fargs_wisher *w, const struct fargs_wish *wish)
{
	return w->options->has_derefs || w->options->is_graph ||
	       !fargs_selector_is_plain(&wish->selector);
}

/*
 * Types that pass their arguments alike can still point to different structs, and
 * return different things.
 */
static int check_certain(const struct fargs_pick *pick, struct fargs_mistake *m)
{
	if (pick->is_type_certain)
		return 0;
	return fargs_mistake_at(m, 1, "several functions are called %s, and BTF does not tell "
				"which one's types these are: only its arguments can be shown",
				pick->sym->name);
}

/* The mistake that got furthest tells most. */
static void keep_mistake(struct fargs_wish *wish, const struct fargs_mistake *m)
{
	if (!wish->mistake.code || m->column > wish->mistake.column)
		wish->mistake = *m;
}

/* Puts the layout for @wish in the place of the last one. -EINVAL: it makes no sense there. */
static int try_wish(struct fargs_wisher *w, struct fargs_wish *wish,
		    const struct fargs_signature *func, struct fargs_layouts *layouts,
		    const struct fargs_pick *pick)
{
	struct fargs_mistake mistake = { };
	enum fargs_refusal why = FARGS_REFUSAL_NONE;
	size_t bytes = layouts->bytes;
	int ret = 0;

	if (asks_for_types(w, wish))
		ret = check_certain(pick, &mistake);
	if (!ret)
		ret = fargs_bind(w->bound, &wish->selector, func, w->options, &w->constants,
				 &mistake);
	if (ret) {
		keep_mistake(wish, &mistake);
		return ret;
	}
	layouts->bytes = pick->offset;
	ret = fargs_layout_compile_bound(layouts, func, w->bound, pick->sym->addr, &why);
	if (!ret && !why) {
		layouts->nr--;
		return 0;
	}
	/* The old one was not written over before there was another one. */
	layouts->bytes = bytes;
	if (why) {
		ret = fargs_mistake_at(&mistake, 1, "the record of %s would be too long: fetch "
				       "less, or smaller parts", func->name);
		keep_mistake(wish, &mistake);
	}
	return ret;
}

static void count(struct fargs_wish *wish, const struct fargs_pick *pick)
{
	if (!pick->why)
		wish->nr_picked++;
	else if (!wish->nr_refused++)
		wish->why = pick->why;
}

/* Those that name functions, or the globs: the first one that makes sense decides. */
static int apply_some(struct fargs_wisher *w, struct fargs_wish *wishes, size_t nr,
		      const struct fargs_signature *func, struct fargs_layouts *layouts,
		      struct fargs_pick *pick, bool is_exact)
{
	size_t i;
	int ret;

	for (i = 0; i < nr; i++) {
		struct fargs_wish *wish = &wishes[i];

		if (!wish->is_matching || wish->pattern.is_exact != is_exact)
			continue;
		/* What another one got is no mistake of this one. */
		if (!pick->why) {
			wish->nr_picked++;
			continue;
		}
		ret = try_wish(w, wish, func, layouts, pick);
		if (ret && ret != -EINVAL)
			return ret;
		if (!ret)
			pick->why = FARGS_REFUSAL_NONE;
		count(wish, pick);
	}
	return 0;
}

static bool is_any_needed(const struct fargs_wisher *w, const struct fargs_wish *wishes, size_t nr)
{
	size_t i;

	for (i = 0; i < nr; i++)
		if (wishes[i].is_matching && asks_for_types(w, &wishes[i]))
			return true;
	return w->options->nr_filters || w->options->nr_stack;
}

int fargs_wisher_apply(struct fargs_wisher *w, struct fargs_wish *wishes, size_t nr,
		       struct fargs_layouts *layouts, struct fargs_pick *pick)
{
	struct fargs_signature func;
	size_t i;
	int ret;

	if (pick->why || !is_any_needed(w, wishes, nr)) {
		for (i = 0; i < nr; i++)
			if (wishes[i].is_matching)
				count(&wishes[i], pick);
		return 0;
	}
	if (fargs_signature_init(&func, pick->btf, pick->func_id))
		return -EINVAL;
	pick->why = FARGS_REFUSAL_EXPRESSION;
	ret = apply_some(w, wishes, nr, &func, layouts, pick, true);
	if (!ret)
		ret = apply_some(w, wishes, nr, &func, layouts, pick, false);
	if (pick->why) {
		layouts->bytes = pick->offset;
		layouts->nr--;
	}
	return ret;
}
