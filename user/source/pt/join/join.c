// SPDX-License-Identifier: GPL-2.0-only
#include "source/pt/join/join.h"

#include <errno.h>
#include <stdlib.h>

#include "file/reader.h"
#include "source/perf_data/file.h"
#include "source/pt/input/guests.h"
#include "source/pt/join/align.h"
#include "source/pt/join/reaped.h"
#include "source/pt/join/seq_records.h"
#include "source/pt/packet/guest_tsc.h"

struct fargs_pt_join {
	const struct fargs_pt_input *in;
	const struct fargs_pt_input *code;	/* of the machine that wrote the records */
	struct fargs_pt_join_guest guest;
	bool is_guest;			/* @guest is set */
	struct fargs_meta meta;
	struct fargs_reader *reader;
	struct fargs_decoder *decoder;
	struct fargs_pt_seq_records seqs;
	struct fargs_pt_seq_sites *seq_sites;
	struct fargs_pt_joined *joined;	/* sorted by @node, then by @kind of the record */
	size_t nr_joined;
	struct fargs_pt_join_counts counts;
};

static bool has_seq_sites(const struct fargs_pt_input *in)
{
	size_t i;

	for (i = 0; i < FARGS_PT_SITES; i++)
		if (in->seq_sites[i])
			return true;
	return false;
}

static size_t count_records(const struct fargs_pt_seq_records *n)
{
	size_t nr = 0;
	unsigned int cpu;

	for (cpu = 0; cpu < n->nr_cpus; cpu++)
		nr += n->cpus[cpu].nr;
	return nr;
}

/* Returns the TSC of the host when that of the guest was @tsc. */
static uint64_t tsc_of_host(const struct fargs_pt_join_guest *g, uint64_t tsc)
{
	unsigned __int128 since = tsc - g->offset;

	if (g->ratio)
		return (uint64_t)((since << FARGS_PT_TSC_RATIO_BITS) / g->ratio);
	/* A TSC packet has 56 bits, and so has an offset that is derived from one. */
	return (tsc - g->offset) & ((UINT64_C(1) << 56) - 1);
}

/* Sets the TSCs of @seqs to those of the host. */
static void convert_times(const struct fargs_pt_join_guest *g, struct fargs_pt_seq_records *seqs)
{
	struct fargs_pt_cpu_records *c;
	size_t i;

	for (c = seqs->cpus; c < seqs->cpus + seqs->nr_cpus; c++)
		for (i = 0; i < c->nr; i++)
			c->seqs[i].tsc = tsc_of_host(g, c->seqs[i].tsc);
}

/* Returns the largest error of times in the trace, compared with those of records. */
static uint64_t error_of(const struct fargs_pt_join *j)
{
	uint64_t error = fargs_pt_flow_error(&j->in->config);

	if (!j->is_guest || error == UINT64_MAX)
		return error;
	return j->guest.has_tsc ? error + FARGS_PT_GUEST_TSC_ERROR +
	       fargs_pt_tsc_bound(j->guest.ratio) : UINT64_MAX;
}

static int set_up(struct fargs_pt_join *j, struct fargs_pt_input *in, const char *path,
		  struct fargs_error_text *err)
{
	int ret;

	j->reader = fargs_reader_open(path, &j->meta, err);
	if (!j->reader)
		return -EIO;
	/* A recording made without the kernel module has no records. */
	if (j->meta.is_bare)
		return 0;
	ret = fargs_pt_seq_records_read(&j->seqs, j->reader, &j->meta, err);
	if (ret)
		return ret;
	j->decoder = fargs_decoder_create(&j->meta, err);
	if (!j->decoder)
		return -EIO;
	if (j->is_guest)
		convert_times(&j->guest, &j->seqs);
	else if (fargs_pt_reaped_name(in, &j->seqs))
		return fargs_fail(err, ENOMEM, "out of memory");
	j->seq_sites = fargs_pt_seq_sites_create(j->code, &j->meta,
						 j->is_guest ? j->seqs.nr_cpus : in->nr_streams,
						 error_of(j));
	j->joined = calloc(count_records(&j->seqs) + 1, sizeof(*j->joined));
	return j->seq_sites && j->joined ? 0 : fargs_fail(err, ENOMEM, "out of memory");
}

int fargs_pt_join_create(struct fargs_pt_join **join, struct fargs_pt_input *in,
			 const char *path, const struct fargs_pt_join_guest *guest,
			 struct fargs_error_text *err)
{
	const struct fargs_pt_input *code = guest ? &in->guests[guest->guest].in : in;
	struct fargs_pt_join *j;
	int ret;

	*join = NULL;
	if (fargs_perf_file_is(path) || !has_seq_sites(code))
		return 0;
	j = calloc(1, sizeof(*j));
	if (!j)
		return fargs_fail(err, ENOMEM, "out of memory");
	j->in = in;
	j->code = code;
	j->is_guest = guest;
	if (guest)
		j->guest = *guest;
	fargs_meta_init(&j->meta);
	ret = set_up(j, in, path, err);
	if (ret || !j->seq_sites) {
		fargs_pt_join_destroy(j);
		return ret;
	}
	*join = j;
	return 0;
}

void fargs_pt_join_destroy(struct fargs_pt_join *j)
{
	if (!j)
		return;
	fargs_pt_seq_sites_destroy(j->seq_sites);
	fargs_pt_seq_records_deinit(&j->seqs);
	fargs_decoder_destroy(j->decoder);
	fargs_reader_destroy(j->reader);
	fargs_meta_deinit(&j->meta);
	free(j->joined);
	free(j);
}

struct fargs_meta *fargs_pt_join_meta(struct fargs_pt_join *j)
{
	return &j->meta;
}

struct fargs_pt_seq_sites *fargs_pt_join_seq_sites(struct fargs_pt_join *j)
{
	return j->seq_sites;
}

const struct fargs_pt_join_guest *fargs_pt_join_guest(const struct fargs_pt_join *j)
{
	return j->is_guest ? &j->guest : NULL;
}

void fargs_pt_join_give_up(struct fargs_pt_join *j, unsigned int cpu)
{
	j->seqs.cpus[cpu].is_broken = true;
}

/*
 * Returns whether a return record was written by the token's task. A return through a hook is
 * matched with calls on the task's stack, but the task is derived from the order of switches and
 * may be wrong; the tid in the record is correct. A guest's calls are only used if no task was
 * switched since (learn.c).
 */
static bool is_of_task(const struct fargs_pt_join *j, const struct fargs_pt_token *t,
		       const struct fargs_pt_seq *n, const struct fargs_record *rec)
{
	return j->is_guest || n->maker != FARGS_PT_MAKES_RETURN || t->tid == (int32_t)rec->tid;
}

static void take_results(struct fargs_pt_join *j, unsigned int cpu,
			 const struct fargs_pt_token *tokens)
{
	const struct fargs_pt_cpu_records *c = &j->seqs.cpus[cpu];
	size_t i;

	for (i = 0; i < c->nr; i++) {
		const struct fargs_pt_seq *n = &c->seqs[i];

		if (n->state == FARGS_PT_UNTRACED)
			continue;
		if (n->state == FARGS_PT_UNMATCHED ||
		    !is_of_task(j, &tokens[n->token], n, c->records[i])) {
			j->counts.unmatched++;
			continue;
		}
		j->counts.joined++;
		j->joined[j->nr_joined++] = (struct fargs_pt_joined){
			.node = n->node, .rec = c->records[i], .cpu = cpu,
			.nr_nodes = tokens[n->token].nr_nodes,
		};
	}
}

/* Joins the records of @cpu, whose executions have the index @sites. */
static int join_cpu(struct fargs_pt_join *j, unsigned int cpu, size_t sites)
{
	struct fargs_pt_alignment a = { .callers = fargs_pt_seq_sites_callers(j->seq_sites) };
	struct fargs_pt_cpu_records *c;

	/* A thread's stream has no CPU (UINT32_MAX). */
	if (cpu >= j->seqs.nr_cpus)
		return 0;
	c = &j->seqs.cpus[cpu];
	if (c->is_broken) {
		j->counts.unmatched += c->nr;
		return 0;
	}
	a.tokens = fargs_pt_seq_sites_tokens(j->seq_sites, sites, &a.nr_tokens);
	a.seqs = c->seqs;
	a.nr_seqs = c->nr;
	a.nr_rest = c->nr_rest;
	if (fargs_pt_align(&a))
		return -ENOMEM;
	j->counts.contradictions += a.nr_contradictions;
	take_results(j, cpu, a.tokens);
	return 0;
}

/* Sorts by call. The entry record of a call sorts before its return record. */
static int compare_joined(const void *a, const void *b)
{
	const struct fargs_pt_joined *x = a, *y = b;

	if (x->node != y->node)
		return x->node < y->node ? -1 : 1;
	return (x->rec->kind > y->rec->kind) - (x->rec->kind < y->rec->kind);
}

int fargs_pt_join_run(struct fargs_pt_join *j)
{
	size_t i;

	if (fargs_pt_seq_sites_finish(j->seq_sites))
		return -ENOMEM;
	for (i = 0; j->is_guest && i < j->seqs.nr_cpus; i++)
		if (join_cpu(j, i, i))
			return -ENOMEM;
	for (i = 0; !j->is_guest && i < j->in->nr_streams; i++)
		if (join_cpu(j, j->in->streams[i].cpu, i))
			return -ENOMEM;
	/* Records of CPUs that were not traced are counted as untraced, too. */
	j->counts.untraced = count_records(&j->seqs) - j->counts.joined - j->counts.unmatched;
	j->counts.filtered = fargs_pt_seq_sites_filtered(j->seq_sites);
	qsort(j->joined, j->nr_joined, sizeof(*j->joined), compare_joined);
	return 0;
}

const struct fargs_pt_join_counts *fargs_pt_join_counts(const struct fargs_pt_join *j)
{
	return &j->counts;
}

bool fargs_pt_join_is_hidden(const struct fargs_pt_join *j, uint64_t node)
{
	size_t nr, low = 0, high, mid;
	const uint64_t *hidden = fargs_pt_seq_sites_hidden(j->seq_sites, &nr);

	high = nr;
	while (low < high) {
		mid = low + (high - low) / 2;
		if (hidden[mid] < node)
			low = mid + 1;
		else
			high = mid;
	}
	return low < nr && hidden[low] == node;
}

int fargs_pt_join_add_bounds(const struct fargs_pt_join *j, struct fargs_pt_bounds *m)
{
	const struct fargs_pt_joined *joined;
	size_t i;

	/* The bounds are the host's, and of its CPUs. */
	for (i = 0; !j->is_guest && i < j->nr_joined; i++) {
		joined = &j->joined[i];
		/*
		 * The sequence number of a return record may have been allocated before the return.
		 */
		if (joined->rec->kind != FARGS_KIND_RETURN &&
		    fargs_pt_bounds_add(m, joined->cpu, joined->nr_nodes, joined->rec->tsc))
			return -ENOMEM;
	}
	return 0;
}

size_t fargs_pt_join_find(const struct fargs_pt_join *j, uint64_t node,
			  const struct fargs_pt_joined **first)
{
	size_t low = 0, high = j->nr_joined, mid, nr = 0;

	while (low < high) {
		mid = low + (high - low) / 2;
		if (j->joined[mid].node < node)
			low = mid + 1;
		else
			high = mid;
	}
	*first = j->joined + low;
	while (low + nr < j->nr_joined && j->joined[low + nr].node == node)
		nr++;
	return nr;
}

int fargs_pt_join_decode(struct fargs_pt_join *j, const struct fargs_pt_joined *joined,
			 struct fargs_event *ev, struct fargs_decoder **d)
{
	const struct fargs_stamped stamped = { .rec = joined->rec, .cpu = joined->cpu };

	*d = j->decoder;
	return fargs_decoder_parse(j->decoder, &stamped, NULL, ev);
}
