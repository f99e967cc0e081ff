// SPDX-License-Identifier: GPL-2.0-only
#include "source/pt/capture/cpu.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>

void fargs_pt_cpu_count(struct fargs_pt_cpu *cpu)
{
	struct { uint64_t value, lost; } counts;
	size_t i;

	for (i = 0; i < FARGS_PT_RINGS; i++)
		if (cpu->fds[i] >= 0 &&
		    read(cpu->fds[i], &counts, sizeof(counts)) == sizeof(counts))
			cpu->stats.nr_lost[i] = cpu->closed_lost[i] + counts.lost +
						fargs_pt_more_events_lost(&cpu->more[i]);
	if (cpu->samplers.nr)
		cpu->stats.nr_lost_samples = cpu->closed_lost_samples +
					     fargs_pt_samplers_lost(&cpu->samplers);
}

void fargs_pt_cpu_close(struct fargs_pt_cpu *cpu)
{
	size_t i;

	fargs_pt_cpu_count(cpu);
	fargs_pt_actions_close(&cpu->actions);
	fargs_pt_samplers_close(&cpu->samplers);
	if (cpu->aux)
		munmap(cpu->aux, cpu->request->aux_bytes);
	for (i = 0; i < FARGS_PT_TRACEPOINTS; i++)
		if (cpu->tracepoint_fds[i] >= 0)
			close(cpu->tracepoint_fds[i]);
	for (i = 0; i < FARGS_PT_RINGS; i++) {
		fargs_pt_more_events_close(&cpu->more[i]);
		fargs_perf_ring_unmap(&cpu->rings[i]);
		fargs_pt_sideband_buffer_destroy(cpu->sideband_buffers[i]);
		cpu->sideband_buffers[i] = NULL;
		if (cpu->fds[i] >= 0)
			close(cpu->fds[i]);
		cpu->fds[i] = -1;
	}
	fargs_pt_snapshot_deinit(&cpu->snapshot);
	free(cpu->records);
	free(cpu->samples);
	free(cpu->cuts);
	cpu->aux = NULL;
	cpu->records = NULL;
	cpu->samples = NULL;
	cpu->samples_bytes = 0;
	cpu->cuts = NULL;
	cpu->nr_cuts = 0;
	cpu->cuts_room = 0;
}

static int switch_fd(int fd, bool is_on, struct fargs_error_text *err)
{
	if (fd < 0 || !ioctl(fd, is_on ? PERF_EVENT_IOC_ENABLE : PERF_EVENT_IOC_DISABLE, 0))
		return 0;
	return fargs_fail(err, errno, "cannot %s Intel PT: %s", is_on ? "start" : "stop",
			  strerror(errno));
}

/* Enables or disables all events of a ring. */
static int switch_ring(struct fargs_pt_cpu *cpu, enum fargs_pt_ring ring, bool is_on,
		       struct fargs_error_text *err)
{
	const struct fargs_pt_more_events *more = &cpu->more[ring];
	int ret = switch_fd(cpu->fds[ring], is_on, err);
	size_t i;

	for (i = 0; !ret && i < more->nr; i++)
		ret = switch_fd(more->events[i].fd, is_on, err);
	return ret;
}

int fargs_pt_cpu_switch_side(struct fargs_pt_cpu *cpu, bool is_on, struct fargs_error_text *err)
{
	int ret = switch_ring(cpu, FARGS_PT_RING_SIDE, is_on, err);
	size_t i;

	for (i = 0; !ret && i < cpu->request->tracepoints->nr; i++)
		ret = switch_fd(cpu->tracepoint_fds[i], is_on, err);
	return ret;
}

int fargs_pt_cpu_switch(struct fargs_pt_cpu *cpu, bool is_on, struct fargs_error_text *err)
{
	bool is_by_exec = is_on && cpu->request->tasks.is_on_exec && !cpu->has_begun;

	cpu->is_on = is_on;
	cpu->has_begun |= is_on;
	return is_by_exec ? 0 : switch_ring(cpu, FARGS_PT_RING_PT, is_on, err);
}

void fargs_pt_cpu_time(const struct fargs_pt_cpu *cpu, struct fargs_file_pt_config *config)
{
	const struct perf_event_mmap_page *page = cpu->rings[FARGS_PT_RING_PT].map;
	uint32_t before;

	do {
		before = __atomic_load_n(&page->lock, __ATOMIC_ACQUIRE);
		config->time_mult = page->time_mult;
		config->time_shift = page->time_shift;
		config->time_zero = page->time_zero;
		config->flags &= ~FARGS_PT_HAS_TIME;
		if (page->cap_user_time_zero)
			config->flags |= FARGS_PT_HAS_TIME;
		__atomic_thread_fence(__ATOMIC_ACQUIRE);
	} while (before & 1 || __atomic_load_n(&page->lock, __ATOMIC_RELAXED) != before);
}
