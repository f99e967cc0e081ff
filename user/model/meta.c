// SPDX-License-Identifier: GPL-2.0-only
#include "model/meta.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "kernel/btf/btfs.h"
#include "kernel/sym/ksyms.h"
#include "uapi/fargs_layout.h"

void fargs_meta_init(struct fargs_meta *meta)
{
	memset(meta, 0, sizeof(*meta));
}

static void free_formats(struct fargs_event_format *formats, size_t nr)
{
	size_t i;

	for (i = 0; i < nr; i++) {
		free(formats[i].system);
		free(formats[i].text);
	}
	free(formats);
}

void fargs_meta_deinit(struct fargs_meta *meta)
{
	size_t i;

	free(meta->command);
	free(meta->hostname);
	fargs_origin_deinit(&meta->origin);
	for (i = 0; i < meta->nr_funcs; i++) {
		free(meta->funcs[i].name);
		free(meta->funcs[i].module);
	}
	free(meta->funcs);
	free(meta->old_funcs);
	free(meta->tasks);
	free(meta->nspids);
	free(meta->names);
	for (i = 0; i < meta->nr_clocks; i++)
		free(meta->clocks[i].cpus);
	free(meta->clocks);
	if (meta->btfs)
		fargs_btfs_destroy(meta->btfs);
	if (meta->ksyms)
		fargs_ksyms_destroy(meta->ksyms);
	fargs_guests_deinit(&meta->guests);
	free(meta->stats);
	free(meta->missed.funcs);
	free_formats(meta->formats, meta->nr_formats);
	free_formats(meta->flag_formats, meta->nr_flag_formats);
	free(meta->printk);
	free(meta->event_stats);
	fargs_meta_init(meta);
}

int fargs_meta_add_clock(struct fargs_meta *meta, const struct fargs_clock_sample *samples)
{
	size_t bytes = meta->info.nr_cpus * sizeof(*samples);
	struct fargs_clock_round *rounds;

	/*
	 * The capacity is doubled when the count is a power of two, so it can be derived from the
	 * count.
	 */
	if (!(meta->nr_clocks & (meta->nr_clocks - 1))) {
		rounds = realloc(meta->clocks,
				 (meta->nr_clocks ? 2 * meta->nr_clocks : 1) * sizeof(*rounds));
		if (!rounds)
			return -ENOMEM;
		meta->clocks = rounds;
	}
	rounds = &meta->clocks[meta->nr_clocks];
	rounds->cpus = malloc(bytes ? bytes : 1);
	if (!rounds->cpus)
		return -ENOMEM;
	memcpy(rounds->cpus, samples, bytes);
	meta->nr_clocks++;
	return 0;
}

int fargs_meta_add_nspid(struct fargs_meta *meta, const struct fargs_nspid *nspid)
{
	size_t nr = meta->nr_nspids;
	struct fargs_nspid *all;

	/*
	 * The capacity is doubled when the count is a power of two, so it can be derived from the
	 * count.
	 */
	if (!(nr & (nr - 1))) {
		all = realloc(meta->nspids, (nr ? 2 * nr : 1) * sizeof(*all));
		if (!all)
			return -ENOMEM;
		meta->nspids = all;
	}
	meta->nspids[meta->nr_nspids++] = *nspid;
	return 0;
}

/*
 * Copies @text, and appends the NUL that libtraceevent requires. Returns NULL if there is no
 * memory.
 */
static char *copy_text(const char *text, size_t bytes)
{
	char *copy = malloc(bytes + 1);

	if (copy) {
		memcpy(copy, text, bytes);
		copy[bytes] = '\0';
	}
	return copy;
}

static int add_format(struct fargs_event_format **formats, size_t *nr_formats, const char *system,
		      const char *text, size_t bytes)
{
	struct fargs_event_format *all;
	size_t nr = *nr_formats;

	/*
	 * The capacity is doubled when the count is a power of two, so it can be derived from the
	 * count.
	 */
	if (!(nr & (nr - 1))) {
		all = realloc(*formats, (nr ? 2 * nr : 1) * sizeof(*all));
		if (!all)
			return -ENOMEM;
		*formats = all;
	}
	all = &(*formats)[nr];
	*all = (struct fargs_event_format){
		.system = strdup(system), .text = copy_text(text, bytes), .bytes = bytes,
	};
	++*nr_formats;
	return all->system && all->text ? 0 : -ENOMEM;
}

int fargs_meta_add_format(struct fargs_meta *meta, const char *system, const char *text,
			  size_t bytes)
{
	meta->has_events = true;
	return add_format(&meta->formats, &meta->nr_formats, system, text, bytes);
}

int fargs_meta_add_flag_format(struct fargs_meta *meta, const char *system, const char *text,
			       size_t bytes)
{
	return add_format(&meta->flag_formats, &meta->nr_flag_formats, system, text, bytes);
}

int fargs_meta_set_printk(struct fargs_meta *meta, const char *text, size_t bytes)
{
	free(meta->printk);
	meta->printk = copy_text(text, bytes);
	meta->printk_bytes = meta->printk ? bytes : 0;
	return meta->printk ? 0 : -ENOMEM;
}

int fargs_meta_compare_nspids(const void *a, const void *b)
{
	const struct fargs_nspid *x = a, *y = b;

	if (x->tid != y->tid)
		return x->tid < y->tid ? -1 : 1;
	return x->from_tsc < y->from_tsc ? -1 : x->from_tsc > y->from_tsc;
}

int fargs_meta_compare_funcs(const void *a, const void *b)
{
	const struct fargs_func *x = a, *y = b;

	if (x->ip != y->ip)
		return x->ip < y->ip ? -1 : 1;
	return x->from_tsc < y->from_tsc ? -1 : x->from_tsc > y->from_tsc;
}

int fargs_meta_add_funcs(struct fargs_meta *meta, const struct fargs_func *funcs, size_t nr)
{
	struct fargs_func *all = calloc(meta->nr_funcs + nr, sizeof(*all));
	size_t i;

	if (!all)
		return -ENOMEM;
	if (meta->nr_funcs)
		memcpy(all, meta->funcs, meta->nr_funcs * sizeof(*all));
	for (i = 0; i < nr; i++) {
		struct fargs_func *func = &all[meta->nr_funcs + i];

		*func = funcs[i];
		func->name = strdup(funcs[i].name);
		func->module = funcs[i].module ? strdup(funcs[i].module) : NULL;
		if (!func->name || !func->module != !funcs[i].module)
			goto no_memory;
	}
	qsort(all, meta->nr_funcs + nr, sizeof(*all), fargs_meta_compare_funcs);
	free(meta->old_funcs);
	meta->old_funcs = meta->funcs;
	meta->funcs = all;
	meta->nr_funcs += nr;
	return 0;

no_memory:
	for (; i + 1; i--) {
		free(all[meta->nr_funcs + i].name);
		free(all[meta->nr_funcs + i].module);
	}
	free(all);
	return -ENOMEM;
}

const struct fargs_func *fargs_meta_func(const struct fargs_meta *meta, uint64_t ip, uint64_t tsc)
{
	size_t low = 0, high = meta->nr_funcs, mid;

	/* Find the first function that sorts after @ip and @tsc. */
	while (low < high) {
		mid = low + (high - low) / 2;
		if (meta->funcs[mid].ip < ip ||
		    (meta->funcs[mid].ip == ip && meta->funcs[mid].from_tsc <= tsc))
			low = mid + 1;
		else
			high = mid;
	}
	return low && meta->funcs[low - 1].ip == ip ? &meta->funcs[low - 1] : NULL;
}

uint64_t fargs_meta_pending(const struct fargs_meta *meta, unsigned int cpu, bool are_events)
{
	if (are_events)
		return meta->event_stats ? meta->event_stats[cpu].lost_pending : 0;
	return meta->stats ? meta->stats[cpu].lost_pending : 0;
}

bool fargs_meta_has_graph(const struct fargs_meta *meta)
{
	size_t i;

	for (i = 0; i < meta->nr_funcs; i++)
		if (meta->funcs[i].layout_flags & FARGS_LAYOUT_GRAPH)
			return true;
	return meta->has_deferred_graph;
}

bool fargs_meta_uses(const struct fargs_meta *meta, const char *name)
{
	size_t i;

	for (i = 0; meta->value_names && meta->value_names[i]; i++)
		if (meta->used_values[i / 64] >> i % 64 & 1 && !strcmp(meta->value_names[i], name))
			return true;
	return false;
}
