// SPDX-License-Identifier: GPL-2.0-only
#include "source/pt/join/seq_records.h"

#include <errno.h>
#include <stdlib.h>

#include "base/array.h"
#include "uapi/fargs_layout.h"

static int no_memory(struct fargs_error_text *err)
{
	return fargs_fail(err, ENOMEM, "out of memory");
}

static bool has_number(const struct fargs_record *rec)
{
	return rec->kind == FARGS_KIND_ENTRY || rec->kind == FARGS_KIND_RETURN ||
	       rec->kind == FARGS_KIND_TPOINT;
}

/* Adds to @c the records that have sequence numbers. All record headers have been checked. */
static int add_records(struct fargs_pt_cpu_records *c, const void *records, size_t bytes)
{
	const struct fargs_record *rec, **to;
	size_t at;

	for (at = 0; at < bytes; at += rec->len) {
		rec = records + at;
		if (!has_number(rec))
			continue;
		to = fargs_array_add(c->records, c->nr);
		if (!to)
			return -ENOMEM;
		*to = rec;
	}
	return 0;
}

static int keep_chunk(struct fargs_pt_seq_records *n, void *chunk)
{
	void **to = fargs_array_add(n->chunks, n->nr_chunks);

	if (!to) {
		free(chunk);
		return -ENOMEM;
	}
	*to = chunk;
	return 0;
}

static int read_cpu(struct fargs_pt_seq_records *n, unsigned int cpu, const struct fargs_reader *r,
		    struct fargs_error_text *err)
{
	size_t room, bytes, i;
	void *chunk;
	int ret;

	for (i = 0;; i++) {
		chunk = NULL;
		room = 0;
		ret = fargs_reader_load(r, cpu, i, &chunk, &room, &bytes, err);
		if (ret != 1) {
			free(chunk);
			return ret;
		}
		if (keep_chunk(n, chunk) || add_records(&n->cpus[cpu], chunk, bytes))
			return no_memory(err);
	}
}

static int compare_records(const void *a, const void *b)
{
	const struct fargs_record *x = *(const struct fargs_record *const *)a;
	const struct fargs_record *y = *(const struct fargs_record *const *)b;

	return (x->seq > y->seq) - (x->seq < y->seq);
}

static uint8_t maker_of(const struct fargs_record *rec, const struct fargs_meta *meta)
{
	const struct fargs_func *func;

	if (rec->kind == FARGS_KIND_RETURN)
		return FARGS_PT_MAKES_RETURN;
	if (rec->kind == FARGS_KIND_TPOINT)
		return FARGS_PT_MAKES_TPOINT;
	func = fargs_meta_func(meta, rec->ip, rec->tsc);
	if (!func)
		return FARGS_PT_MAKES_ENTRY | FARGS_PT_MAKES_PROBED;
	return func->layout_flags & (FARGS_LAYOUT_RETURN | FARGS_LAYOUT_SCOPE) ?
	       FARGS_PT_MAKES_PROBED : FARGS_PT_MAKES_ENTRY;
}

static int number_cpu(struct fargs_pt_cpu_records *c, const struct fargs_meta *meta,
		      unsigned int cpu)
{
	uint64_t next = 0;
	size_t i;

	if (c->nr)
		qsort(c->records, c->nr, sizeof(*c->records), compare_records);
	c->seqs = calloc(c->nr + 1, sizeof(*c->seqs));
	if (!c->seqs)
		return -ENOMEM;
	for (i = 0; i < c->nr; i++) {
		const struct fargs_record *rec = c->records[i];

		c->is_broken |= rec->seq < next;
		c->seqs[i] = (struct fargs_pt_seq){
			.nr_gap = rec->seq - next, .tsc = rec->tsc, .ip = rec->ip,
			.maker = maker_of(rec, meta),
		};
		next = rec->seq + 1;
	}
	c->nr_rest = FARGS_PT_GAP_UNKNOWN;
	if (meta->stats) {
		c->is_broken |= meta->stats[cpu].produced < next;
		c->nr_rest = meta->stats[cpu].produced - next;
	}
	return 0;
}

int fargs_pt_seq_records_read(struct fargs_pt_seq_records *n, const struct fargs_reader *r,
			      const struct fargs_meta *meta, struct fargs_error_text *err)
{
	unsigned int cpu;
	int ret = 0;

	*n = (struct fargs_pt_seq_records){ };
	n->cpus = calloc(meta->info.nr_cpus + 1ul, sizeof(*n->cpus));
	if (!n->cpus)
		return no_memory(err);
	n->nr_cpus = meta->info.nr_cpus;
	for (cpu = 0; !ret && cpu < n->nr_cpus; cpu++) {
		ret = read_cpu(n, cpu, r, err);
		if (!ret && number_cpu(&n->cpus[cpu], meta, cpu))
			ret = no_memory(err);
	}
	return ret;
}

void fargs_pt_seq_records_deinit(struct fargs_pt_seq_records *n)
{
	unsigned int cpu;
	size_t i;

	for (cpu = 0; n->cpus && cpu < n->nr_cpus; cpu++) {
		free(n->cpus[cpu].records);
		free(n->cpus[cpu].seqs);
	}
	free(n->cpus);
	for (i = 0; i < n->nr_chunks; i++)
		free(n->chunks[i]);
	free(n->chunks);
	*n = (struct fargs_pt_seq_records){ };
}
