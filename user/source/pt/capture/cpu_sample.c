// SPDX-License-Identifier: GPL-2.0-only
#include "source/pt/capture/cpu_sample.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <stdlib.h>
#include <string.h>

#include "source/perf_data/sample.h"

int fargs_pt_cpu_open_samplers(struct fargs_pt_cpu *cpu, struct fargs_error_text *err)
{
	const struct fargs_pt_more_events *more = &cpu->more[FARGS_PT_RING_PT];
	const struct fargs_pt_request *r = cpu->request;
	struct fargs_pt_sampler_target to = {
		.tasks = &r->tasks, .cpu = cpu->nr, .tid = cpu->tid,
		.pt_fd = cpu->fds[FARGS_PT_RING_PT], .ring_fd = cpu->fds[FARGS_PT_RING_PT],
	};
	size_t i;
	int ret = fargs_pt_samplers_open(&cpu->samplers, r->samplers, r->nr_samplers, &to, &r->log,
					 err);

	for (i = 0; !ret && i < more->nr; i++) {
		to.tid = more->events[i].tid;
		to.pt_fd = more->events[i].fd;
		ret = fargs_pt_samplers_open(&cpu->samplers, r->samplers, r->nr_samplers, &to,
					     &r->log, err);
	}
	return ret;
}

int fargs_pt_cpu_write_samples(struct fargs_pt_cpu *cpu, const struct fargs_pt_sink *sink,
			       struct fargs_error_text *err)
{
	const struct iovec iov[2] = {
		{ cpu->samples, cpu->samples_bytes }, { cpu->samples, 0 },
	};

	cpu->samples_bytes = 0;
	return iov[0].iov_len ? sink->chunk(sink->arg, FARGS_CHUNK_PT_SAMPLES, cpu->nr, iov, false,
					    err) : 0;
}

int fargs_pt_cpu_take_output(const struct fargs_pt_cpu *cpu, const void **record, size_t bytes,
			     struct fargs_pt_output_record *to)
{
	int nr;

	if (bytes != sizeof(*to))
		return -EIO;
	memcpy(to, *record, sizeof(*to));
	nr = fargs_pt_samplers_find(&cpu->samplers, to->id);
	if (nr < 0)
		return -EIO;
	to->id = nr;
	*record = to;
	return 0;
}

int fargs_pt_cpu_take_sample(struct fargs_pt_cpu *cpu, const void *record, size_t bytes,
			     const struct fargs_pt_sink *sink, struct fargs_error_text *err)
{
	/* PERF_SAMPLE_IDENTIFIER makes the id the first member. */
	size_t at = sizeof(struct perf_event_header);
	struct fargs_sample sample;
	uint64_t id;
	int nr, ret;

	if (bytes < at + sizeof(id))
		return -EIO;
	memcpy(&id, (const char *)record + at, sizeof(id));
	nr = fargs_pt_samplers_find(&cpu->samplers, id);
	if (nr < 0 || fargs_sample_parse(&sample, record, &cpu->request->samplers[nr].attr))
		return -EIO;
	if (cpu->samples_bytes + bytes > FARGS_PT_RECORDS_MAX) {
		ret = fargs_pt_cpu_write_samples(cpu, sink, err);
		if (ret)
			return ret;
	}
	memcpy(cpu->samples + cpu->samples_bytes, record, bytes);
	id = nr;
	memcpy(cpu->samples + cpu->samples_bytes + at, &id, sizeof(id));
	cpu->samples_bytes += bytes;
	cpu->stats.nr_samples++;
	cpu->stats.aux_bytes += sample.aux_bytes;
	return 0;
}
