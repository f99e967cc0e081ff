// SPDX-License-Identifier: GPL-2.0-only
#include "source/pt/trace/samples.h"

/* Returns the time of the next sample; UINT64_MAX: there is none. */
static uint64_t next_tsc(const struct fargs_pt_samples *s)
{
	return s->nr < s->in->nr_sampled ?
	       fargs_pt_input_tsc(&s->in->config, s->in->sampled[s->nr].ns) : UINT64_MAX;
}

size_t fargs_pt_samples_items(const struct fargs_pt_samples *s, const struct fargs_pt_part *part,
			      size_t begin, size_t end)
{
	uint64_t tsc = next_tsc(s);

	if (tsc == UINT64_MAX)
		return end;
	while (begin < end && part->flow.items[begin].tsc <= tsc)
		begin++;
	return begin;
}

const struct fargs_pt_sampled *fargs_pt_samples_next(struct fargs_pt_samples *s, uint64_t tsc)
{
	const struct fargs_pt_sampled *sampled;

	while (next_tsc(s) < tsc) {
		sampled = &s->in->sampled[s->nr++];
		if ((!s->cpus || fargs_id_set_allows(s->cpus, sampled->cpu)) &&
		    (!sampled->ns || fargs_time_window_has(s->window, sampled->ns)))
			return sampled;
	}
	return NULL;
}
