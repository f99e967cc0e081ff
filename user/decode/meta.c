// SPDX-License-Identifier: GPL-2.0-only
#include "decode/meta.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "btf/btfs.h"
#include "sym/ksyms.h"
#include "uapi/fargs_layout.h"

void fargs_meta_init(struct fargs_meta *meta)
{
	memset(meta, 0, sizeof(*meta));
}

void fargs_meta_deinit(struct fargs_meta *meta)
{
	size_t i;

	free(meta->command);
	free(meta->hostname);
	for (i = 0; i < meta->nr_funcs; i++) {
		free(meta->funcs[i].name);
		free(meta->funcs[i].module);
	}
	free(meta->funcs);
	free(meta->tasks);
	for (i = 0; i < meta->nr_clocks; i++)
		free(meta->clocks[i].cpus);
	free(meta->clocks);
	if (meta->btfs)
		fargs_btfs_destroy(meta->btfs);
	if (meta->ksyms)
		fargs_ksyms_destroy(meta->ksyms);
	free(meta->stats);
	fargs_meta_init(meta);
}

int fargs_meta_add_clock(struct fargs_meta *meta, const struct fargs_clock_sample *samples)
{
	size_t bytes = meta->info.nr_cpus * sizeof(*samples);
	struct fargs_clock_round *rounds;

	/* Grows at each power of two: the count alone says how much room there is. */
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

const struct fargs_func *fargs_meta_func(const struct fargs_meta *meta, uint64_t ip)
{
	size_t low = 0, high = meta->nr_funcs, mid;

	while (low < high) {
		mid = low + (high - low) / 2;
		if (meta->funcs[mid].ip == ip)
			return &meta->funcs[mid];
		if (meta->funcs[mid].ip < ip)
			low = mid + 1;
		else
			high = mid;
	}
	return NULL;
}

bool fargs_meta_has_graph(const struct fargs_meta *meta)
{
	size_t i;

	for (i = 0; i < meta->nr_funcs; i++)
		if (meta->funcs[i].layout_flags & FARGS_LAYOUT_GRAPH)
			return true;
	return false;
}
