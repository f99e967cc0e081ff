// SPDX-License-Identifier: GPL-2.0-only
#include "plugin/dlfilter/record_samples.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/event_record.h"
#include "model/formats.h"
#include "plugin/dlfilter/al.h"
#include "uapi/fargs_layout.h"

/*
 * Number of entries before the callers in a call chain: context marker and address of the sample.
 */
#define CHAIN_FRONT	2
#define NAME_BYTES	256

struct fargs_dlfilter_records {
	struct fargs_dlfilters *filters;
	const struct fargs_meta *meta;
	struct fargs_kernel_dsos dsos;
	struct perf_event_attr attr;
	char event[NAME_BYTES];
	uint64_t chain[CHAIN_FRONT + FARGS_RECORD_MAX / sizeof(uint64_t)];
};

struct fargs_dlfilter_records *fargs_dlfilter_records_create(struct fargs_dlfilters *filters,
							     const struct fargs_meta *meta)
{
	struct fargs_dlfilter_records *r = calloc(1, sizeof(*r));

	if (!r)
		return NULL;
	r->filters = filters;
	r->meta = meta;
	r->attr = (struct perf_event_attr){
		.size = sizeof(r->attr), .type = PERF_TYPE_TRACEPOINT, .sample_period = 1,
		.sample_type = PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME |
			       PERF_SAMPLE_ADDR | PERF_SAMPLE_CPU | PERF_SAMPLE_PERIOD |
			       PERF_SAMPLE_RAW | PERF_SAMPLE_CALLCHAIN,
		.exclude_user = 1,
	};
	return r;
}

void fargs_dlfilter_records_destroy(struct fargs_dlfilter_records *r)
{
	if (!r)
		return;
	fargs_kernel_dsos_deinit(&r->dsos);
	free(r);
}

static void resolve(void *arg, uint64_t addr, struct fargs_dlfilter_al *al)
{
	struct fargs_dlfilter_records *r = arg;
	const struct fargs_kernel kernel = { .ksyms = r->meta->ksyms };

	if (fargs_kernel_has(addr))
		fargs_kernel_al_set(al, addr, &kernel, &r->dsos);
	else
		al->addr = addr;
}

/* Returns 0 bytes: recordings of fargs contain no code. */
static size_t read_code(void *arg, uint64_t addr, void *buf, size_t bytes)
{
	return 0;
}

static const char *srcline(void *arg, uint64_t addr, unsigned int *line)
{
	return NULL;
}

static const struct fargs_dlfilter_source source = {
	.resolve = resolve, .read_code = read_code, .srcline = srcline,
};

static void set_name(struct fargs_dlfilter_records *r, struct fargs_decoder *d,
		     const struct fargs_event *ev)
{
	struct fargs_formats *formats;
	struct fargs_format_head head = { };

	if (ev->kind == FARGS_KIND_EVENT) {
		formats = fargs_decoder_formats(d);
		if (formats)
			fargs_formats_head(formats, &ev->formatted, &head);
		snprintf(r->event, sizeof(r->event), "%s:%s", head.system ? head.system : "unknown",
			 head.name ? head.name : "unknown");
		return;
	}
	/* If a call has two records, the name of the second ends in "__return". */
	snprintf(r->event, sizeof(r->event), "%s:%s%s",
		 ev->kind == FARGS_KIND_TPOINT ? "tracepoint" : "fargs",
		 ev->func ? ev->func->name : "unknown",
		 ev->kind == FARGS_KIND_RETURN && ev->func &&
		 ev->func->layout_flags & FARGS_LAYOUT_GRAPH ? "__return" : "");
}

/* Sets the call chain: context marker, the sample's address, and the recorded callers. */
static void set_chain(struct fargs_dlfilter_records *r, const struct fargs_event *ev,
		      struct fargs_dlfilter_sample *sample)
{
	size_t nr = ev->nr_stack, room = sizeof(r->chain) / sizeof(r->chain[0]) - CHAIN_FRONT;

	if (!nr)
		return;
	if (nr > room)
		nr = room;
	r->chain[0] = PERF_CONTEXT_KERNEL;
	r->chain[1] = sample->ip;
	memcpy(r->chain + CHAIN_FRONT, ev->stack, nr * sizeof(r->chain[0]));
	sample->raw_callchain = r->chain;
	sample->raw_callchain_nr = CHAIN_FRONT + nr;
}

/*
 * Sets the raw data: for a formatted event, perf's raw data, which the event's format describes;
 * for all others, the record @rec.
 */
static void set_raw(const struct fargs_event *ev, const struct fargs_record *rec,
		    struct fargs_dlfilter_sample *sample)
{
	bool is_formatted = ev->kind == FARGS_KIND_EVENT;

	sample->raw_data = is_formatted ? (const void *)ev->formatted.data : rec;
	sample->raw_size = is_formatted ? ev->formatted.bytes : rec->len;
}

static bool is_sample(const struct fargs_event *ev)
{
	switch (ev->kind) {
	case FARGS_KIND_ENTRY:
	case FARGS_KIND_RETURN:
	case FARGS_KIND_TPOINT:
	case FARGS_KIND_EVENT:
		return true;
	}
	return false;
}

int fargs_dlfilter_records_ask(void *arg, struct fargs_decoder *d, const struct fargs_event *ev,
			       const struct fargs_item *item, bool is_wanted)
{
	const struct fargs_record *rec = item->data;
	struct fargs_dlfilter_records *r = arg;
	struct fargs_dlfilter_sample sample = {
		.size = sizeof(sample), .pid = ev->tgid, .tid = ev->tid, .time = ev->time_ns,
		.period = 1, .cpu = (int32_t)ev->cpu, .cpumode = PERF_RECORD_MISC_KERNEL,
		.misc = PERF_RECORD_MISC_KERNEL, .event = r->event,
	};
	const struct fargs_dlfilter_event event = {
		.sample = &sample, .attr = &r->attr, .comm = ev->comm,
		.is_left_out = !is_wanted, .source = &source, .arg = r,
	};
	int ret;

	if (!is_sample(ev))
		return 0;
	if (ev->kind == FARGS_KIND_TPOINT) {
		sample.ip = ev->parent_ip;
	} else if (ev->kind != FARGS_KIND_EVENT) {
		sample.ip = ev->func ? ev->func->addr : ev->ip;
		sample.addr = ev->parent_ip;
		sample.addr_correlates_sym = 1;
	}
	set_name(r, d, ev);
	set_chain(r, ev, &sample);
	set_raw(ev, rec, &sample);
	ret = fargs_dlfilters_early(r->filters, &event);
	if (!ret && is_wanted)
		ret = fargs_dlfilters_late(r->filters, &event);
	return ret;
}
