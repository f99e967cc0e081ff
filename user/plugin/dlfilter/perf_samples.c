// SPDX-License-Identifier: GPL-2.0-only
#include "plugin/dlfilter/perf_samples.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "plugin/dlfilter/al.h"
#include "plugin/dlfilter/pt_code.h"
#include "source/perf_data/event_name.h"
#include "source/pt/input/elf_code.h"
#include "source/pt/input/kernel_input.h"

struct fargs_dlfilter_perf {
	struct fargs_dlfilters *filters;
	struct fargs_recording *recording;
	struct fargs_kernel_dsos dsos;
	struct fargs_pt_input kernel;	/* contains only the kernel's code */
	struct fargs_pt_code_reader *code;
	const struct fargs_recorded *sample;	/* sample that filters are handling */
};

static int find_code(struct fargs_dlfilter_perf *p, const char *kcore,
		     struct fargs_error_text *err)
{
	int ret;

	if (kcore)
		ret = fargs_elf_code_add(&p->kernel, kcore, 0, err);
	else
		ret = fargs_kernel_code_add(&p->kernel, fargs_recording_kernel(p->recording), err);
	/* Ignore code that cannot be read: filters that request it then get none. */
	if (ret && (kcore || ret == -ENOMEM))
		return ret;
	p->code = fargs_pt_code_reader_create(&p->kernel);
	return p->code ? 0 : fargs_fail(err, ENOMEM, "out of memory");
}

struct fargs_dlfilter_perf *fargs_dlfilter_perf_create(struct fargs_dlfilters *filters,
						       struct fargs_recording *recording,
						       const char *kcore,
						       struct fargs_error_text *err)
{
	struct fargs_dlfilter_perf *p = calloc(1, sizeof(*p));

	if (!p) {
		fargs_fail(err, ENOMEM, "out of memory");
		return NULL;
	}
	p->filters = filters;
	p->recording = recording;
	fargs_pt_input_init(&p->kernel);
	if (find_code(p, kcore, err)) {
		fargs_dlfilter_perf_destroy(p);
		return NULL;
	}
	return p;
}

void fargs_dlfilter_perf_destroy(struct fargs_dlfilter_perf *p)
{
	if (!p)
		return;
	fargs_pt_code_reader_destroy(p->code);
	fargs_pt_input_deinit(&p->kernel);
	fargs_kernel_dsos_deinit(&p->dsos);
	free(p);
}

void fargs_dlfilter_perf_resolve(struct fargs_dlfilter_perf *p,
				 const struct fargs_recorded *sample, uint64_t addr,
				 struct fargs_dlfilter_al *al)
{
	const struct fargs_kernel kernel = {
		.ksyms = fargs_recording_ksyms(p->recording),
		.id = fargs_recording_kernel_id(p->recording),
		.kcore = p->kernel.nr_codes ? &p->kernel : NULL,
	};
	struct fargs_dso *dso;
	uint64_t at, room;

	if (fargs_kernel_has(addr)) {
		fargs_kernel_al_set(al, addr, &kernel, &p->dsos);
		return;
	}
	al->addr = addr;
	dso = fargs_recording_find(p->recording, sample->sample.pid, addr, &at, &room);
	if (dso)
		fargs_dso_al_set(al, dso, at);
}

static void resolve(void *arg, uint64_t addr, struct fargs_dlfilter_al *al)
{
	struct fargs_dlfilter_perf *p = arg;

	fargs_dlfilter_perf_resolve(p, p->sample, addr, al);
}

static size_t read_code(void *arg, uint64_t addr, void *buf, size_t bytes)
{
	struct fargs_dlfilter_perf *p = arg;
	struct fargs_dso *dso;
	uint64_t at, room;

	if (fargs_kernel_has(addr))
		return fargs_pt_code_read(p->code, -1, p->sample->sample.ns, addr, buf, bytes);
	dso = fargs_recording_find(p->recording, p->sample->sample.pid, addr, &at, &room);
	return dso ? fargs_dso_read(dso, at, buf, bytes < room ? bytes : room) : 0;
}

static const char *srcline(void *arg, uint64_t addr, unsigned int *line)
{
	struct fargs_dlfilter_perf *p = arg;
	struct fargs_dso *dso;
	uint64_t at, room;

	dso = fargs_kernel_has(addr) ? NULL :
	      fargs_recording_find(p->recording, p->sample->sample.pid, addr, &at, &room);
	return dso ? fargs_dso_srcline(dso, at, line) : NULL;
}

static const struct fargs_dlfilter_source source = {
	.resolve = resolve, .read_code = read_code, .srcline = srcline,
};

int fargs_dlfilter_perf_ask(struct fargs_dlfilter_perf *p, const struct fargs_recorded *sample,
			    bool is_wanted)
{
	const struct fargs_sample *s = &sample->sample;
	const struct fargs_dlfilter_sample theirs = {
		.size = sizeof(theirs), .ins_lat = s->ins_lat, .p_stage_cyc = s->p_stage_cyc,
		.ip = s->ip, .pid = s->pid, .tid = s->tid, .time = s->ns, .addr = s->addr,
		.id = s->id, .stream_id = s->stream_id, .period = s->period,
		.weight = s->weight, .transaction = s->transaction, .cpu = s->cpu,
		.data_src = s->data_src, .phys_addr = s->phys_addr,
		.data_page_size = s->data_page_size, .code_page_size = s->code_page_size,
		.cgroup = s->cgroup, .cpumode = s->cpumode, .misc = s->misc,
		.addr_correlates_sym = fargs_perf_event_has_code_addr(sample->attr),
		.raw_size = s->raw_bytes, .raw_data = s->raw, .brstack_nr = s->nr_branches,
		.brstack = s->branches, .raw_callchain_nr = s->nr_callchain,
		.raw_callchain = s->callchain, .event = sample->event, .vcpu = -1,
	};
	const struct fargs_dlfilter_event ev = {
		.sample = &theirs, .attr = sample->attr,
		.comm = sample->comm ? sample->comm : ":-1",
		.is_left_out = !is_wanted, .source = &source, .arg = p,
	};
	int ret;

	if (!p->filters)
		return 0;
	p->sample = sample;
	ret = fargs_dlfilters_early(p->filters, &ev);
	if (!ret && is_wanted)
		ret = fargs_dlfilters_late(p->filters, &ev);
	return ret;
}
