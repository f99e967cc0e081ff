// SPDX-License-Identifier: GPL-2.0-only
#include "source/pt/events/extras.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

struct fargs_pt_extra *fargs_pt_extras_last(struct fargs_batch *batch)
{
	struct fargs_pt_extras *extras = batch->used;

	if (!extras)
		extras = calloc(1, sizeof(*extras));
	if (!extras)
		return NULL;
	batch->used = extras;
	return &extras->all[batch->nr - 1];
}

/* Words of an EVD. */
#define EVD_WORDS	2

/* Makes room for @nr words. Returns them, or NULL if out of memory. */
static uint64_t *reserve(struct fargs_pt_extras *extras, size_t nr)
{
	size_t room = extras->room ? extras->room : 1024;
	uint64_t *words;

	while (room - extras->nr < nr)
		room *= 2;
	if (room > extras->room) {
		words = realloc(extras->words, room * sizeof(*words));
		if (!words)
			return NULL;
		extras->words = words;
		extras->room = room;
	}
	return extras->words + extras->nr;
}

int fargs_pt_extras_keep_chain(struct fargs_batch *batch, const struct fargs_pt_chains *chains,
			       unsigned int chain_max, unsigned int branches_max, uint64_t ip)
{
	struct fargs_pt_extra *extra = fargs_pt_extras_last(batch);
	const size_t words_each = sizeof(struct fargs_last_branch) / sizeof(uint64_t);
	struct fargs_pt_extras *extras = batch->used;
	uint64_t *to;

	if (!extra)
		return -ENOMEM;
	to = reserve(extras, chain_max + branches_max * words_each);
	if (!to)
		return -ENOMEM;
	*extra = (struct fargs_pt_extra){
		.at = extras->nr, .has_chain = chain_max, .has_branches = branches_max,
	};
	if (chain_max)
		extra->nr_callers = fargs_pt_chains_callers(chains, ip, to);
	if (branches_max)
		extra->nr_branches = fargs_pt_chains_branches(chains, (struct fargs_last_branch *)
							      (to + extra->nr_callers));
	extras->nr += extra->nr_callers + extra->nr_branches * words_each;
	return 0;
}

void fargs_pt_extras_set_chain(const struct fargs_batch *batch, unsigned int i,
			       struct fargs_event *ev)
{
	const struct fargs_pt_extras *extras = batch->used;
	const struct fargs_pt_extra *extra;

	if (!extras)
		return;
	extra = &extras->all[i];
	if (extra->has_chain) {
		ev->stack = extras->words + extra->at;
		ev->nr_stack = extra->nr_callers;
		ev->has_chain = true;
	}
	if (extra->has_branches) {
		ev->last_branches = (const struct fargs_last_branch *)
				    (extras->words + extra->at + extra->nr_callers);
		ev->nr_last_branches = extra->nr_branches;
	}
}

int fargs_pt_extras_keep_evds(struct fargs_batch *batch, const struct fargs_pt_evd *evds,
			      unsigned int nr)
{
	struct fargs_pt_extra *extra = fargs_pt_extras_last(batch);
	struct fargs_pt_extras *extras = batch->used;
	uint64_t *to;

	_Static_assert(sizeof(*evds) == EVD_WORDS * sizeof(*to), "an EVD has whole words");
	to = extra ? reserve(extras, nr * EVD_WORDS) : NULL;
	if (!to)
		return -ENOMEM;
	extra->evds_at = extras->nr;
	extra->nr_evds = nr;
	memcpy(to, evds, nr * sizeof(*evds));
	extras->nr += nr * EVD_WORDS;
	return 0;
}

unsigned int fargs_pt_extras_evds(const struct fargs_batch *batch, unsigned int i,
				  struct fargs_pt_evd *evds)
{
	const struct fargs_pt_extras *extras = batch->used;
	const struct fargs_pt_extra *extra = extras ? &extras->all[i] : NULL;

	if (!extra)
		return 0;
	memcpy(evds, extras->words + extra->evds_at, extra->nr_evds * sizeof(*evds));
	return extra->nr_evds;
}

int fargs_pt_extras_keep_pebs(struct fargs_batch *batch, const uint64_t *words, size_t nr)
{
	struct fargs_pt_extra *extra = fargs_pt_extras_last(batch);
	struct fargs_pt_extras *extras = batch->used;
	uint64_t *to = extra ? reserve(extras, nr) : NULL;

	if (!to)
		return -ENOMEM;
	extra->pebs_at = extras->nr;
	memcpy(to, words, nr * sizeof(*words));
	extras->nr += nr;
	return 0;
}

const uint64_t *fargs_pt_extras_pebs(const struct fargs_batch *batch, unsigned int i)
{
	const struct fargs_pt_extras *extras = batch->used;

	return extras->words + extras->all[i].pebs_at;
}

void fargs_pt_extras_release(struct fargs_batch *batch)
{
	struct fargs_pt_extras *extras = batch->used;

	if (extras)
		free(extras->words);
	free(extras);
	batch->used = NULL;
}
