// SPDX-License-Identifier: GPL-2.0-only
#include "source/pt/input/input.h"

#include <bsd/stdlib.h>
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/array.h"
#include "base/put.h"
#include "kernel/sym/ksyms.h"
#include "source/pt/input/guests.h"
#include "source/pt/input/switches.h"
#include "source/pt/input/user_files.h"

/* Maximum number of parents that are followed to find the name of a task. */
#define ANCESTORS_MAX	64

void fargs_pt_input_init(struct fargs_pt_input *in)
{
	memset(in, 0, sizeof(*in));
	in->kernel_fd = -1;
}

void fargs_pt_input_deinit(struct fargs_pt_input *in)
{
	size_t i;

	for (i = 0; i < in->nr_streams; i++)
		free(in->streams[i].pieces);
	for (i = 0; i < in->nr_codes; i++) {
		free(in->codes[i].path);
		free(in->codes[i].name);
	}
	for (i = 0; i < in->nr_mappings; i++) {
		free(in->mappings[i].path);
		free(in->mappings[i].name);
	}
	for (i = 0; i < in->nr_notes; i++)
		free(in->notes[i]);
	for (i = 0; i < in->nr_sampled_events; i++)
		free(in->sampled_events[i]);
	for (i = 0; i < in->nr_pebs_events; i++)
		free(in->pebs_events[i].name);
	free(in->pebs_events);
	free(in->pebs_counters);
	free(in->sampled_events);
	free(in->sampled);
	free(in->notes);
	fargs_pt_files_destroy(in->files);
	for (i = 0; i < in->nr_symbols; i++)
		free(in->symbols[i].name);
	free(in->streams);
	free(in->codes);
	free(in->mappings);
	free(in->spaces);
	free(in->symbols);
	free(in->pokes);
	free(in->switches);
	free(in->comms);
	free(in->monos);
	fargs_kernel_maps_deinit(&in->kernel);
	fargs_pt_guests_deinit(in);
	fargs_ksyms_destroy(in->ksyms);
	if (in->kernel_fd > 0)
		close(in->kernel_fd);
	if (in->close)
		in->close(in->source);
	fargs_pt_input_init(in);
}

/* Appends a copy of @element to @array and increments @nr. */
#define ADD(array, nr, element)						\
	({								\
		__typeof__(array) to_ = fargs_array_add(array, nr);	\
		if (to_)						\
			*to_ = *(element);				\
		to_ ? 0 : -ENOMEM;					\
	})

void fargs_pt_input_release(const struct fargs_pt_input *in, const struct fargs_pt_stream *stream,
			    uint64_t begin, uint64_t end)
{
	size_t low = 0, high = stream->nr_pieces, mid;
	const struct fargs_pt_piece *p;
	uint64_t from, to;

	if (!in->release)
		return;
	/* Finds the first piece that ends after @begin. */
	while (low < high) {
		mid = low + (high - low) / 2;
		if (stream->pieces[mid].offset + stream->pieces[mid].size <= begin)
			low = mid + 1;
		else
			high = mid;
	}
	for (; low < stream->nr_pieces && stream->pieces[low].offset < end; low++) {
		p = &stream->pieces[low];
		from = begin > p->offset ? begin - p->offset : 0;
		to = end - p->offset < p->size ? end - p->offset : p->size;
		in->release(in->source, p->bytes + from, to - from);
	}
}

struct fargs_pt_stream *fargs_pt_input_stream(struct fargs_pt_input *in, uint32_t cpu,
					      int32_t tid)
{
	const struct fargs_pt_stream stream = { .cpu = cpu, .tid = cpu == UINT32_MAX ? tid : -1 };
	size_t i;

	for (i = 0; i < in->nr_streams; i++)
		if (in->streams[i].cpu == stream.cpu && in->streams[i].tid == stream.tid)
			return &in->streams[i];
	return ADD(in->streams, in->nr_streams, &stream) ? NULL : &in->streams[in->nr_streams - 1];
}

int fargs_pt_input_add_piece(struct fargs_pt_stream *s, const struct fargs_pt_piece *piece)
{
	return ADD(s->pieces, s->nr_pieces, piece);
}

int fargs_pt_input_add_code(struct fargs_pt_input *in, const struct fargs_pt_code *code)
{
	if (code->path && !ADD(in->codes, in->nr_codes, code))
		return 0;
	free(code->path);
	return -ENOMEM;
}

int fargs_pt_input_add_mapping(struct fargs_pt_input *in, const struct fargs_pt_mapping *m)
{
	if (!ADD(in->mappings, in->nr_mappings, m))
		return 0;
	free(m->path);
	free(m->name);
	return -ENOMEM;
}

int fargs_pt_input_add_poke(struct fargs_pt_input *in, const struct fargs_pt_poke *poke)
{
	return ADD(in->pokes, in->nr_pokes, poke);
}

int fargs_pt_input_add_switch(struct fargs_pt_input *in, const struct fargs_pt_switch *sw)
{
	return ADD(in->switches, in->nr_switches, sw);
}

int fargs_pt_input_add_comm(struct fargs_pt_input *in, const struct fargs_pt_comm *comm)
{
	return ADD(in->comms, in->nr_comms, comm);
}

int fargs_pt_input_add_symbol(struct fargs_pt_input *in, const struct fargs_pt_symbol *sym)
{
	if (sym->name && !ADD(in->symbols, in->nr_symbols, sym))
		return 0;
	free(sym->name);
	return -ENOMEM;
}

int fargs_pt_input_add_sampled(struct fargs_pt_input *in, const struct fargs_pt_sampled *sampled)
{
	return ADD(in->sampled, in->nr_sampled, sampled);
}

int fargs_pt_input_add_sampled_event(struct fargs_pt_input *in, char *name)
{
	if (name && !ADD(in->sampled_events, in->nr_sampled_events, &name))
		return 0;
	free(name);
	return -ENOMEM;
}

int fargs_pt_input_add_pebs_event(struct fargs_pt_input *in,
				  const struct fargs_pt_pebs_event *event)
{
	if (event->name && !ADD(in->pebs_events, in->nr_pebs_events, event)) {
		in->config.has_pebs = true;
		return 0;
	}
	free(event->name);
	return -ENOMEM;
}

int fargs_pt_input_add_pebs_counter(struct fargs_pt_input *in,
				    const struct fargs_pt_pebs_counter *counter)
{
	return ADD(in->pebs_counters, in->nr_pebs_counters, counter);
}

int fargs_pt_input_add_note(struct fargs_pt_input *in, const char *fmt, ...)
{
	char *text;
	va_list ap;
	int ret;

	va_start(ap, fmt);
	ret = vasprintf(&text, fmt, ap);
	va_end(ap);
	if (ret < 0)
		return -ENOMEM;
	if (!ADD(in->notes, in->nr_notes, &text))
		return 0;
	free(text);
	return -ENOMEM;
}

#define ORDER(a, b)	(((a) > (b)) - ((a) < (b)))

static int compare_streams(const void *a, const void *b)
{
	const struct fargs_pt_stream *x = a, *y = b;

	return x->cpu != y->cpu ? ORDER(x->cpu, y->cpu) : ORDER(x->tid, y->tid);
}

static int compare_pieces(const void *a, const void *b)
{
	const struct fargs_pt_piece *x = a, *y = b;

	return ORDER(x->offset, y->offset);
}

static int compare_mappings(const void *a, const void *b)
{
	return ORDER(((const struct fargs_pt_mapping *)a)->ns,
		     ((const struct fargs_pt_mapping *)b)->ns);
}

static int compare_pokes(const void *a, const void *b)
{
	return ORDER(((const struct fargs_pt_poke *)a)->ns, ((const struct fargs_pt_poke *)b)->ns);
}

static int compare_switches(const void *a, const void *b)
{
	const struct fargs_pt_switch *x = a, *y = b;

	return x->cpu != y->cpu ? ORDER(x->cpu, y->cpu) : ORDER(x->ns, y->ns);
}

static int compare_comms(const void *a, const void *b)
{
	const struct fargs_pt_comm *x = a, *y = b;

	return x->tid != y->tid ? ORDER(x->tid, y->tid) : ORDER(x->ns, y->ns);
}

static int compare_symbols(const void *a, const void *b)
{
	return ORDER(((const struct fargs_pt_symbol *)a)->ns,
		     ((const struct fargs_pt_symbol *)b)->ns);
}

static int compare_pebs_counters(const void *a, const void *b)
{
	const struct fargs_pt_pebs_counter *x = a, *y = b;

	if (x->cpu != y->cpu)
		return ORDER(x->cpu, y->cpu);
	return x->tid != y->tid ? ORDER(x->tid, y->tid) : ORDER(x->ns, y->ns);
}

static int compare_sampled(const void *a, const void *b)
{
	return ORDER(((const struct fargs_pt_sampled *)a)->ns,
		     ((const struct fargs_pt_sampled *)b)->ns);
}

/* A stable sort. qsort() is not stable in all C libraries. */
static int sort(void *array, size_t nr, size_t bytes, int (*compare)(const void *a, const void *b))
{
	return nr > 1 && mergesort(array, nr, bytes, compare) ? -ENOMEM : 0;
}

#define SORT(array, nr, compare)	sort(array, nr, sizeof(*(array)), compare)

int fargs_pt_input_sort(struct fargs_pt_input *in)
{
	int ret = 0;
	size_t i;

	for (i = 0; i < in->nr_streams; i++)
		ret |= SORT(in->streams[i].pieces, in->streams[i].nr_pieces, compare_pieces);
	ret |= SORT(in->streams, in->nr_streams, compare_streams);
	ret |= SORT(in->mappings, in->nr_mappings, compare_mappings);
	ret |= SORT(in->pokes, in->nr_pokes, compare_pokes);
	ret |= SORT(in->switches, in->nr_switches, compare_switches);
	ret |= SORT(in->comms, in->nr_comms, compare_comms);
	ret |= SORT(in->symbols, in->nr_symbols, compare_symbols);
	ret |= SORT(in->sampled, in->nr_sampled, compare_sampled);
	ret |= SORT(in->pebs_counters, in->nr_pebs_counters, compare_pebs_counters);
	return ret ? -ENOMEM : 0;
}

uint64_t fargs_pt_input_ns(const struct fargs_pt_config *config, uint64_t tsc)
{
	unsigned __int128 scaled = tsc;

	if (!config->has_time)
		return 0;
	scaled = scaled * config->time_mult >> config->time_shift;
	return config->time_zero + (uint64_t)scaled;
}

uint64_t fargs_pt_input_tsc(const struct fargs_pt_config *config, uint64_t ns)
{
	unsigned __int128 scaled = ns - config->time_zero;

	if (!config->has_time || !config->time_mult)
		return 0;
	scaled <<= config->time_shift;
	return (uint64_t)((scaled + config->time_mult - 1) / config->time_mult);
}

/* Returns the latest entry of @tid at or before @ns, or NULL. */
static const struct fargs_pt_comm *find_comm(const struct fargs_pt_input *in, int32_t tid,
					     uint64_t ns)
{
	const struct fargs_pt_comm key = { .tid = tid, .ns = ns };
	size_t low = 0, high = in->nr_comms, mid;

	/* Find the first entry that sorts after the key. */
	while (low < high) {
		mid = low + (high - low) / 2;
		if (compare_comms(&in->comms[mid], &key) <= 0)
			low = mid + 1;
		else
			high = mid;
	}
	return low && in->comms[low - 1].tid == tid ? &in->comms[low - 1] : NULL;
}

static void put_gap(struct fargs_buf *out, const struct fargs_pt_aux_counts *aux, uint64_t nr,
		    const char *what)
{
	if (!nr)
		return;
	fargs_put(out, what);
	fargs_put_u64(out, nr, 0, ' ');
	fargs_put(out, " of ");
	fargs_put_u64(out, aux->nr, 0, ' ');
	fargs_put_char(out, '\n');
}

void fargs_pt_input_put_gaps(struct fargs_buf *out, const struct fargs_pt_input *in)
{
	put_gap(out, &in->aux, in->aux.nr_partial,
		"AUX data with gaps, for instance because KVM ran a guest (PARTIAL): ");
	put_gap(out, &in->aux, in->aux.nr_collisions,
		"AUX data in which packets were lost by a collision (COLLISION): ");
}

const char *fargs_pt_config_modifier(const struct fargs_pt_config *config)
{
	return config->has_kernel == config->has_user ? "" : config->has_kernel ? "k" : "u";
}

const char *fargs_pt_input_comm(const struct fargs_pt_input *in, int32_t tid, uint64_t ns)
{
	const struct fargs_pt_comm *comm = find_comm(in, tid, ns);
	unsigned int depth;

	/* Follow parents to the task that set the name; the limit stops cycles in corrupt data. */
	for (depth = 0; comm && comm->parent >= 0 && depth < ANCESTORS_MAX; depth++)
		comm = find_comm(in, comm->parent, comm->ns);
	return comm && comm->parent < 0 ? comm->comm : NULL;
}

uint64_t fargs_pt_input_named(const struct fargs_pt_input *in, int32_t tid, uint64_t ns,
			      bool *is_exec)
{
	const struct fargs_pt_comm *comm = find_comm(in, tid, ns);

	*is_exec = comm && comm->is_exec;
	return comm ? comm->ns : 0;
}

int32_t fargs_pt_input_pid(const struct fargs_pt_input *in, int32_t tid, uint64_t ns)
{
	const struct fargs_pt_comm *comm = find_comm(in, tid, ns);

	return comm ? comm->pid : tid ? -1 : 0;
}
