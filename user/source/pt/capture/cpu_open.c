// SPDX-License-Identifier: GPL-2.0-only
#include "source/pt/capture/cpu.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>

#include "base/size.h"
#include "source/pt/capture/attr.h"
#include "source/pt/capture/cpu_sample.h"
#include "source/pt/capture/event.h"

/*
 * Size of the ring of sideband records. A busy CPU switches tasks about ten thousand times a
 * second, and each switch generates two records of 40 bytes.
 */
#define SIDE_RING_BYTES	(1u << 20)
/* The same for an unprivileged user, whose locked memory is limited: records of few tasks. */
#define SIDE_TASKS_RING_BYTES	(64u << 10)
/* Size of the ring of the Intel PT event, which contains almost only AUX records. */
#define PT_RING_BYTES	(64u << 10)
/*
 * For snapshots: size of the sideband buffer of each ring, enough for the last seconds of a CPU
 * that switches tasks constantly.
 */
#define SIDEBAND_BYTES	(8u << 20)

static int fail_open(const struct fargs_pt_cpu *cpu, int code, struct fargs_error_text *err)
{
	switch (code) {
	case EACCES:
	case EPERM:
		return fargs_fail(err, code, "recording Intel PT is not permitted: it needs "
				  "CAP_PERFMON (run as root) and a kernel that is not locked down");
	case EBUSY:
		return fargs_fail(err, code, "Intel PT is in use by another program or a "
				  "hypervisor: stop that first");
	case EINVAL:
	case EOPNOTSUPP:
		return fargs_fail(err, code, cpu->request->is_start_paused ?
				  "this kernel cannot pause Intel PT at an event: Linux 6.13 and "
				  "later can" :
				  "the kernel rejects these terms of Intel PT: remove some of them "
				  "(not every CPU supports branch=0)");
	case ENOENT:
		if (!cpu->request->tasks.is_cgroup)
			break;
		return fargs_fail(err, code, "the kernel has no perf events for this cgroup: "
				  "enable any controller for it, like +pids in "
				  "cgroup.subtree_control of its parent");
	case ESRCH:
		return fargs_fail(err, code, "the tasks to trace with Intel PT have exited");
	case EMFILE:
	case ENFILE:
		return fargs_fail(err, code, "Intel PT: too many open files: raise the limit "
				  "(ulimit -n)");
	}
	return fargs_fail(err, code, "cannot record Intel PT: %s", strerror(code));
}

static int fail_map(const struct fargs_pt_cpu *cpu, int code, struct fargs_error_text *err)
{
	char size[32];

	return fargs_fail(err, code, "not enough memory for a buffer of %s for Intel PT on each "
			  "CPU: give a smaller size with '-m ,SIZE' (%s)",
			  fargs_size_exact(cpu->request->aux_bytes, size, sizeof(size)),
			  strerror(code));
}

static const char *name_of(enum fargs_pt_ring ring)
{
	return ring == FARGS_PT_RING_PT ? "intel_pt" : "dummy";
}

/* Opens the first event of a ring, of @tid or, if that is -1, of all tasks. */
static int open_first(struct fargs_pt_cpu *cpu, enum fargs_pt_ring ring,
		      const struct perf_event_attr *attr, pid_t tid)
{
	unsigned long flags = tid == -1 ? 0 : fargs_pt_tasks_flags(&cpu->request->tasks);

	cpu->fds[ring] = fargs_pt_event_open(attr, tid, cpu->nr, -1, flags, name_of(ring),
					     &cpu->request->log);
	if (cpu->fds[ring] < 0)
		return -errno;
	if (ring == FARGS_PT_RING_PT)
		cpu->tid = tid;
	return 0;
}

static int map_ring(struct fargs_pt_cpu *cpu, enum fargs_pt_ring ring, size_t bytes,
		    struct fargs_error_text *err)
{
	int ret = fargs_perf_ring_map(&cpu->rings[ring], cpu->fds[ring], bytes);

	return ret ? fail_map(cpu, -ret, err) : 0;
}

/* Opens the events of all tasks of the request that still exist. */
static int open_tasks(struct fargs_pt_cpu *cpu, enum fargs_pt_ring ring,
		      const struct perf_event_attr *attr, size_t bytes,
		      struct fargs_error_text *err)
{
	const struct fargs_pt_tasks *tasks = &cpu->request->tasks;
	size_t i;
	int ret = -ESRCH;

	for (i = 0; ret == -ESRCH && i < tasks->nr; i++)
		ret = open_first(cpu, ring, attr, tasks->ids[i]);
	if (ret)
		return fail_open(cpu, -ret, err);
	ret = map_ring(cpu, ring, bytes, err);
	if (ret)
		return ret;
	ret = fargs_pt_more_events_open(&cpu->more[ring], tasks, i, attr, cpu->nr, cpu->fds[ring],
					name_of(ring), &cpu->request->log);
	return ret ? fail_open(cpu, -ret, err) : 0;
}

static int open_ring(struct fargs_pt_cpu *cpu, enum fargs_pt_ring ring,
		     const struct perf_event_attr *attr, size_t bytes, struct fargs_error_text *err)
{
	int ret = open_first(cpu, ring, attr, -1);

	return ret ? fail_open(cpu, -ret, err) : map_ring(cpu, ring, bytes, err);
}

/*
 * Opens the sideband event of all tasks or, without the privilege to do that, those of the
 * request's tasks.
 */
static int open_side(struct fargs_pt_cpu *cpu, struct fargs_error_text *err)
{
	struct perf_event_attr attr;
	int ret;

	fargs_pt_attr_side(&attr, SIDE_RING_BYTES / 4);
	if (!cpu->request->tasks.nr)
		return open_ring(cpu, FARGS_PT_RING_SIDE, &attr, SIDE_RING_BYTES, err);
	ret = open_first(cpu, FARGS_PT_RING_SIDE, &attr, -1);
	if (!ret)
		return map_ring(cpu, FARGS_PT_RING_SIDE, SIDE_RING_BYTES, err);
	if (ret != -EACCES && ret != -EPERM)
		return fail_open(cpu, -ret, err);
	fargs_pt_attr_side(&attr, SIDE_TASKS_RING_BYTES / 4);
	fargs_pt_tasks_set(&cpu->request->tasks, &attr);
	attr.exclude_kernel = 1;
	attr.ksymbol = 0;
	attr.bpf_event = 0;
	attr.text_poke = 0;
	return open_tasks(cpu, FARGS_PT_RING_SIDE, &attr, SIDE_TASKS_RING_BYTES, err);
}

static int set_filter_of(int fd, const char *filter, struct fargs_error_text *err)
{
	if (!ioctl(fd, PERF_EVENT_IOC_SET_FILTER, filter))
		return 0;
	switch (errno) {
	case EOPNOTSUPP:
		return fargs_fail(err, errno, "the kernel does not support '%s': Intel PT has no "
				  "'start', no 'stop' without a size, and filters of files only "
				  "for tasks", filter);
	case EINVAL:
		return fargs_fail(err, errno, "the kernel rejects '%s': the range may not be in "
				  "the traced kernel or file", filter);
	default:
		return fargs_fail(err, errno, "cannot set '%s': %s", filter, strerror(errno));
	}
}

static int set_filter(const struct fargs_pt_cpu *cpu, struct fargs_error_text *err)
{
	const struct fargs_pt_more_events *more = &cpu->more[FARGS_PT_RING_PT];
	const char *filter = cpu->request->filter;
	size_t i;
	int ret;

	if (!filter)
		return 0;
	ret = set_filter_of(cpu->fds[FARGS_PT_RING_PT], filter, err);
	for (i = 0; !ret && i < more->nr; i++)
		ret = set_filter_of(more->events[i].fd, filter, err);
	return ret;
}

static int open_trace(struct fargs_pt_cpu *cpu, struct fargs_error_text *err)
{
	const struct fargs_pt_request *request = cpu->request;
	size_t ring_bytes = request->is_sampled ? request->sample_ring_bytes : PT_RING_BYTES;
	uint64_t watermark = request->aux_bytes / 4;
	struct perf_event_attr attr;
	int ret;

	fargs_pt_attr_trace(&attr, request->pmu, request->terms,
			    watermark < UINT32_MAX ? watermark : UINT32_MAX);
	if (request->is_start_paused)
		fargs_pt_attr_start_paused(&attr);
	if (request->nr_samplers)
		fargs_pt_attr_add_samples(&attr, ring_bytes / 4);
	fargs_pt_tasks_set(&request->tasks, &attr);
	attr.enable_on_exec = request->tasks.is_on_exec && !cpu->has_begun;
	ret = request->tasks.nr ? open_tasks(cpu, FARGS_PT_RING_PT, &attr, ring_bytes, err) :
				  open_ring(cpu, FARGS_PT_RING_PT, &attr, ring_bytes, err);
	return ret ? ret : set_filter(cpu, err);
}

/* Opens the events that pause or resume the trace, for each event of the trace. */
static int open_actions(struct fargs_pt_cpu *cpu, struct fargs_error_text *err)
{
	const struct fargs_pt_more_events *more = &cpu->more[FARGS_PT_RING_PT];
	const struct fargs_pt_request *request = cpu->request;
	struct fargs_pt_action_target to = {
		.tasks = &request->tasks, .cpu = cpu->nr, .tid = cpu->tid,
		.pt_fd = cpu->fds[FARGS_PT_RING_PT],
	};
	size_t i;
	int ret;

	ret = fargs_pt_actions_open(&cpu->actions, request->actions, request->nr_actions, &to,
				    &request->log, err);
	for (i = 0; !ret && i < more->nr; i++) {
		to.tid = more->events[i].tid;
		to.pt_fd = more->events[i].fd;
		ret = fargs_pt_actions_open(&cpu->actions, request->actions, request->nr_actions,
					    &to, &request->log, err);
	}
	return ret;
}

static int map_aux(struct fargs_pt_cpu *cpu, struct fargs_error_text *err)
{
	bool is_overwritten = cpu->request->is_snapshot || cpu->request->is_sampled;
	struct fargs_perf_ring *ring = &cpu->rings[FARGS_PT_RING_PT];
	struct perf_event_mmap_page *page = ring->map;

	page->aux_offset = ring->page + ring->bytes;
	page->aux_size = cpu->request->aux_bytes;
	/*
	 * If the mapping is writable, the kernel keeps unread data; if it is read-only, the kernel
	 * overwrites unread data.
	 */
	cpu->aux = mmap(NULL, page->aux_size,
			PROT_READ | (is_overwritten ? 0 : PROT_WRITE),
			MAP_SHARED, cpu->fds[FARGS_PT_RING_PT], (off_t)page->aux_offset);
	if (cpu->aux != MAP_FAILED)
		return 0;
	cpu->aux = NULL;
	return fail_map(cpu, errno, err);
}

static int make_sideband_buffers(struct fargs_pt_cpu *cpu)
{
	size_t i;

	for (i = 0; i < FARGS_PT_RINGS; i++) {
		cpu->sideband_buffers[i] = fargs_pt_sideband_buffer_create(SIDEBAND_BYTES);
		if (!cpu->sideband_buffers[i])
			return -ENOMEM;
	}
	return fargs_pt_snapshot_init(&cpu->snapshot, cpu->request->aux_bytes,
				      cpu->request->snapshot_bytes);
}

/*
 * Opens the tracepoint events. Their samples go to the sideband ring and wake pollers. Without
 * these events, loaded modules are not detected.
 */
static void open_tracepoints(struct fargs_pt_cpu *cpu)
{
	struct perf_event_attr attr;
	size_t i;

	for (i = 0; i < cpu->request->tracepoints->nr; i++) {
		fargs_pt_attr_tracepoint(&attr, cpu->request->tracepoints->ids[i]);
		cpu->tracepoint_fds[i] = fargs_pt_event_open(&attr, -1, cpu->nr,
							     cpu->fds[FARGS_PT_RING_SIDE],
							     PERF_FLAG_FD_NO_GROUP |
							     PERF_FLAG_FD_OUTPUT, "module",
							     &cpu->request->log);
	}
}

int fargs_pt_cpu_open(struct fargs_pt_cpu *cpu, unsigned int nr,
		      const struct fargs_pt_request *request, struct fargs_error_text *err)
{
	size_t i;
	int ret;

	*cpu = (struct fargs_pt_cpu){
		.nr = nr, .request = request, .next_flags = FARGS_PT_AUX_BEGINS,
		.stats = cpu->stats, .aux_base = cpu->aux_base + cpu->aux_at,
		.has_begun = cpu->has_begun,
	};
	memcpy(cpu->closed_lost, cpu->stats.nr_lost, sizeof(cpu->closed_lost));
	for (i = 0; i < FARGS_PT_RINGS; i++)
		cpu->fds[i] = -1;
	for (i = 0; i < FARGS_PT_TRACEPOINTS; i++)
		cpu->tracepoint_fds[i] = -1;
	cpu->closed_lost_samples = cpu->stats.nr_lost_samples;
	cpu->records = malloc(FARGS_PT_RECORDS_MAX);
	if (request->nr_samplers)
		cpu->samples = malloc(FARGS_PT_RECORDS_MAX);
	if (!cpu->records || (request->nr_samplers && !cpu->samples) ||
	    (request->is_snapshot && make_sideband_buffers(cpu)))
		return fargs_fail(err, ENOMEM, "no memory for Intel PT");
	ret = open_side(cpu, err);
	if (ret)
		return ret;
	open_tracepoints(cpu);
	ret = open_trace(cpu, err);
	if (!ret)
		ret = map_aux(cpu, err);
	if (!ret)
		ret = open_actions(cpu, err);
	return ret ? ret : fargs_pt_cpu_open_samplers(cpu, err);
}
