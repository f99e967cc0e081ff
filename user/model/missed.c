// SPDX-License-Identifier: GPL-2.0-only
#include "model/missed.h"

#include <stdlib.h>

#include "uapi/fargs_layout.h"

static int most_first(const void *a, const void *b)
{
	const struct fargs_missed_func *x = a, *y = b;

	if (x->missed != y->missed)
		return x->missed > y->missed ? -1 : 1;
	if (x->missed_any != y->missed_any)
		return x->missed_any > y->missed_any ? -1 : 1;
	if (x->too_deep != y->too_deep)
		return x->too_deep > y->too_deep ? -1 : 1;
	if (x->ip != y->ip)
		return x->ip < y->ip ? -1 : 1;
	return x->from_tsc < y->from_tsc ? -1 : x->from_tsc > y->from_tsc;
}

void fargs_missed_sort(struct fargs_missed *missed)
{
	if (missed->nr)
		qsort(missed->funcs, missed->nr, sizeof(*missed->funcs), most_first);
}

uint64_t fargs_missed_count(const struct fargs_meta *meta)
{
	uint64_t nr = 0;
	size_t i;

	for (i = 0; meta->has_missed && i < meta->missed.nr; i++)
		nr += meta->missed.funcs[i].missed;
	for (i = 0; !meta->has_missed && meta->stats && i < meta->info.nr_cpus; i++)
		nr += meta->stats[i].missed;
	return nr;
}

uint64_t fargs_missed_count_deep(const struct fargs_missed *missed)
{
	uint64_t nr = 0;
	size_t i;

	for (i = 0; i < missed->nr; i++)
		nr += missed->funcs[i].too_deep;
	return nr;
}

uint64_t fargs_missed_nameless(const struct fargs_missed *missed)
{
	uint64_t nr = missed->any;
	size_t i;

	for (i = 0; i < missed->nr; i++)
		nr -= missed->funcs[i].missed_any < nr ? missed->funcs[i].missed_any : nr;
	return nr;
}

bool fargs_missed_is_unknown(const struct fargs_meta *meta)
{
	size_t i;

	for (i = 0; !meta->has_missed && !meta->stats && i < meta->nr_funcs; i++)
		if (meta->funcs[i].layout_flags & FARGS_LAYOUT_RETURN)
			return true;
	return false;
}

const struct fargs_func *fargs_missed_func(const struct fargs_meta *meta,
					   const struct fargs_missed_func *func)
{
	const struct fargs_func *found = fargs_meta_func(meta, func->ip, func->from_tsc);

	return found && found->from_tsc == func->from_tsc ? found : NULL;
}
