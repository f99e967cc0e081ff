// SPDX-License-Identifier: GPL-2.0-only
#include "source/pt/calls/time_bounds.h"

#include <errno.h>
#include <stdlib.h>

#include "base/array.h"
#include "source/pt/decode/flow.h"

struct known {
	uint64_t nr_nodes;
	uint64_t tsc;
	uint64_t next_tsc;	/* lowest @tsc of this element and all later ones */
};

struct stream {
	struct known *known;
	size_t nr;
};

struct fargs_pt_bounds {
	const struct fargs_pt_input *in;
	uint64_t error;		/* maximum error of times in the trace; UINT64_MAX: no limit */
	struct stream *streams;
	bool has_records;
};

struct fargs_pt_bounds *fargs_pt_bounds_create(const struct fargs_pt_input *in)
{
	struct fargs_pt_bounds *m = calloc(1, sizeof(*m));

	if (!m)
		return NULL;
	m->in = in;
	/* Without MTC, times in the trace are so rare that their errors have no useful bound. */
	m->error = in->config.has_mtc ? fargs_pt_flow_error(&in->config) : UINT64_MAX;
	m->streams = calloc(in->nr_streams + 1, sizeof(*m->streams));
	if (m->streams)
		return m;
	free(m);
	return NULL;
}

void fargs_pt_bounds_destroy(struct fargs_pt_bounds *m)
{
	size_t i;

	if (!m)
		return;
	for (i = 0; i < m->in->nr_streams; i++)
		free(m->streams[i].known);
	free(m->streams);
	free(m);
}

int fargs_pt_bounds_add(struct fargs_pt_bounds *m, uint32_t cpu, uint64_t nr_nodes,
			uint64_t tsc)
{
	struct known *to;
	struct stream *s;
	size_t i;

	for (i = 0; i < m->in->nr_streams && m->in->streams[i].cpu != cpu;)
		i++;
	if (i == m->in->nr_streams)
		return 0;
	s = &m->streams[i];
	to = fargs_array_add(s->known, s->nr);
	if (!to)
		return -ENOMEM;
	*to = (struct known){ .nr_nodes = nr_nodes, .tsc = tsc };
	m->has_records = true;
	return 0;
}

bool fargs_pt_bounds_have_records(const struct fargs_pt_bounds *m)
{
	return m->has_records;
}

static int compare(const void *a, const void *b)
{
	const struct known *x = a, *y = b;

	if (x->nr_nodes != y->nr_nodes)
		return x->nr_nodes < y->nr_nodes ? -1 : 1;
	return (x->tsc > y->tsc) - (x->tsc < y->tsc);
}

void fargs_pt_bounds_finish(struct fargs_pt_bounds *m)
{
	uint64_t next;
	size_t i, k;

	for (i = 0; i < m->in->nr_streams; i++) {
		struct stream *s = &m->streams[i];

		if (s->nr)
			qsort(s->known, s->nr, sizeof(*s->known), compare);
		for (k = s->nr, next = UINT64_MAX; k; k--) {
			next = s->known[k - 1].tsc < next ? s->known[k - 1].tsc : next;
			s->known[k - 1].next_tsc = next;
		}
	}
}

struct fargs_pt_time_bounds fargs_pt_bounds_from_trace(const struct fargs_pt_bounds *m,
						       uint64_t tsc)
{
	if (m->error == UINT64_MAX || !tsc)
		return FARGS_PT_TIME_UNKNOWN;
	return (struct fargs_pt_time_bounds){
		.first_tsc = tsc > m->error ? tsc - m->error : 0, .last_tsc = tsc + m->error,
	};
}

void fargs_pt_bounds_tighten(const struct fargs_pt_bounds *m, size_t nr, uint64_t since,
			     uint64_t nr_nodes, struct fargs_pt_time_bounds *time_bounds)
{
	const struct stream *s = &m->streams[nr];
	size_t low = 0, high = s->nr, mid;

	while (low < high) {
		mid = low + (high - low) / 2;
		if (s->known[mid].nr_nodes <= nr_nodes)
			low = mid + 1;
		else
			high = mid;
	}
	if (low < s->nr && s->known[low].next_tsc < time_bounds->last_tsc)
		time_bounds->last_tsc = s->known[low].next_tsc;
	if (low && s->known[low - 1].nr_nodes > since &&
	    s->known[low - 1].tsc > time_bounds->first_tsc)
		time_bounds->first_tsc = s->known[low - 1].tsc;
}

bool fargs_pt_bounds_between(const struct fargs_pt_bounds *m,
			     const struct fargs_pt_time_bounds *from,
			     const struct fargs_pt_time_bounds *to, uint64_t *least_ns,
			     uint64_t *most_ns)
{
	const struct fargs_pt_config *config = &m->in->config;

	if (!config->has_time || !from->first_tsc || to->last_tsc == UINT64_MAX ||
	    to->first_tsc <= from->last_tsc)
		return false;
	*least_ns = fargs_pt_input_ns(config, to->first_tsc) -
		    fargs_pt_input_ns(config, from->last_tsc);
	*most_ns = fargs_pt_input_ns(config, to->last_tsc) -
		   fargs_pt_input_ns(config, from->first_tsc);
	return *most_ns / 2 <= *least_ns;
}
