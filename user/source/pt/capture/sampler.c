// SPDX-License-Identifier: GPL-2.0-only
#include "source/pt/capture/sampler.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "base/array.h"
#include "base/buf.h"
#include "source/pt/capture/attr.h"

void fargs_pt_sampler_init(struct fargs_pt_sampler *s, const struct fargs_pt_sample_rule *rule,
			   uint32_t aux_bytes, uint64_t freq, uint64_t id)
{
	bool is_tracepoint = rule->type == PERF_TYPE_TRACEPOINT;
	bool has_modifiers = rule->is_kernel || rule->is_user;

	memset(s, 0, sizeof(*s));
	if (rule->aux_bytes)
		aux_bytes = rule->aux_bytes;
	fargs_pt_attr_sample(&s->attr, rule->type, is_tracepoint ? id : rule->config,
			     rule->is_output ? 0 : aux_bytes);
	s->attr.aux_output = rule->is_output;
	s->attr.precise_ip = rule->precise;
	if (rule->freq || (!rule->period && !is_tracepoint)) {
		s->attr.freq = 1;
		s->attr.sample_freq = rule->freq ? rule->freq : freq;
	} else {
		s->attr.sample_period = rule->period ? rule->period : 1;
	}
	s->attr.exclude_kernel = has_modifiers && !rule->is_kernel;
	s->attr.exclude_user = has_modifiers && !rule->is_user;
	s->may_omit_kernel = !has_modifiers && !is_tracepoint;
	snprintf(s->name, sizeof(s->name), "%s%s%s%s%.*s", rule->name,
		 has_modifiers || rule->precise ? ":" : "", rule->is_user ? "u" : "",
		 rule->is_kernel ? "k" : "", (int)rule->precise, "ppp");
}

/* @cpu: on which the event of the group was opened. */
static int fail_open(const struct fargs_pt_sampler *s, unsigned int cpu, int code,
		     struct fargs_error_text *err)
{
	if (s->attr.aux_output && code == EOPNOTSUPP)
		return fargs_fail(err, code, "CPU %u cannot write samples of '%s' into Intel PT "
				  "('aux-output'): this needs an Atom of the generation Tremont or "
				  "newer", cpu, s->name);
	if (s->attr.precise_ip && code == EINVAL)
		return fargs_fail(err, code, "the kernel rejects precise samples of '%s': give "
				  "fewer 'p', or another event", s->name);
	switch (code) {
	case ENOENT:
	case EOPNOTSUPP:
		return fargs_fail(err, code, "this machine has no event '%s' that can be sampled "
				  "with Intel PT", s->name);
	case EACCES:
	case EPERM:
		return fargs_fail(err, code, "sampling '%s' is not permitted: it needs CAP_PERFMON "
				  "(run as root)", s->name);
	case EMFILE:
	case ENFILE:
		return fargs_fail(err, code, "Intel PT: too many open files: raise the limit "
				  "(ulimit -n)");
	}
	return fargs_fail(err, code, "cannot sample '%s' with Intel PT: %s", s->name,
			  strerror(code));
}

/* Returns the descriptor, or -errno. */
static int open_event(struct fargs_pt_sampler *s, const struct fargs_pt_sampler_target *to,
		      const struct fargs_pt_log *log)
{
	unsigned long flags = to->tid == -1 ? 0 : fargs_pt_tasks_flags(to->tasks);
	int fd;

	fargs_pt_tasks_set(to->tasks, &s->attr);
	fd = fargs_pt_event_open(&s->attr, to->tid, to->cpu, to->pt_fd, flags, s->name, log);
	if (fd >= 0 || errno != EACCES || s->attr.exclude_kernel || !s->may_omit_kernel)
		return fd < 0 ? -errno : fd;
	s->attr.exclude_kernel = 1;
	fd = fargs_pt_event_open(&s->attr, to->tid, to->cpu, to->pt_fd, flags, s->name, log);
	return fd < 0 ? -errno : fd;
}

static int open_one(struct fargs_pt_open_samplers *open, struct fargs_pt_sampler *s, uint32_t nr,
		    const struct fargs_pt_sampler_target *to, const struct fargs_pt_log *log,
		    struct fargs_error_text *err)
{
	struct fargs_pt_open_sampler *at = fargs_array_add(open->all, open->nr);
	int fd;

	if (!at)
		return fargs_fail(err, ENOMEM, "no memory for Intel PT");
	fd = open_event(s, to, log);
	*at = (struct fargs_pt_open_sampler){ .fd = fd, .nr = nr };
	if (fd < 0) {
		open->nr--;
		return fd == -ESRCH ? 0 : fail_open(s, to->cpu, -fd, err);
	}
	if (ioctl(fd, PERF_EVENT_IOC_ID, &at->id) ||
	    ioctl(fd, PERF_EVENT_IOC_SET_OUTPUT, to->ring_fd))
		return fail_open(s, to->cpu, errno, err);
	return 0;
}

int fargs_pt_samplers_open(struct fargs_pt_open_samplers *open, struct fargs_pt_sampler *samplers,
			   size_t nr, const struct fargs_pt_sampler_target *to,
			   const struct fargs_pt_log *log, struct fargs_error_text *err)
{
	size_t i;
	int ret = 0;

	for (i = 0; !ret && i < nr; i++)
		ret = open_one(open, &samplers[i], i, to, log, err);
	return ret;
}

int fargs_pt_samplers_write(const struct fargs_pt_sampler *samplers, size_t nr,
			    const struct fargs_pt_sink *sink, struct fargs_error_text *err)
{
	struct fargs_file_pt_sampler head = { .attr_bytes = sizeof(samplers->attr) };
	struct iovec iov[2] = { };
	struct fargs_buf out = { };
	size_t i;
	int ret;

	for (i = 0; i < nr; i++) {
		head.name_bytes = strlen(samplers[i].name) + 1;
		fargs_buf_add(&out, &head, sizeof(head));
		fargs_buf_add(&out, &samplers[i].attr, sizeof(samplers[i].attr));
		fargs_buf_add(&out, samplers[i].name, head.name_bytes);
		fargs_buf_fill(&out, 0, -head.name_bytes & 7);
	}
	iov[0].iov_base = out.text;
	iov[0].iov_len = out.n;
	ret = out.is_short ? fargs_fail(err, ENOMEM, "no memory for Intel PT") :
	      sink->chunk(sink->arg, FARGS_CHUNK_PT_SAMPLERS, FARGS_CHUNK_NO_CPU, iov, false, err);
	fargs_buf_deinit(&out);
	return ret;
}

int fargs_pt_samplers_find(const struct fargs_pt_open_samplers *open, uint64_t id)
{
	size_t i;

	for (i = 0; i < open->nr; i++)
		if (open->all[i].id == id)
			return open->all[i].nr;
	return -1;
}

uint64_t fargs_pt_samplers_lost(const struct fargs_pt_open_samplers *open)
{
	struct { uint64_t value, lost; } counts;
	uint64_t lost = 0;
	size_t i;

	for (i = 0; i < open->nr; i++)
		if (read(open->all[i].fd, &counts, sizeof(counts)) == sizeof(counts))
			lost += counts.lost;
	return lost;
}

void fargs_pt_samplers_close(struct fargs_pt_open_samplers *open)
{
	while (open->nr)
		close(open->all[--open->nr].fd);
	free(open->all);
	open->all = NULL;
}
