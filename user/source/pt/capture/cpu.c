// SPDX-License-Identifier: GPL-2.0-only
#include "source/pt/capture/cpu.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/size.h"
#include "source/pt/capture/attr.h"
#include "source/pt/capture/event.h"

/*
 * Size of the ring of sideband records. A busy CPU switches tasks about ten thousand times a
 * second, and each switch generates two records of 40 bytes.
 */
#define SIDE_RING_BYTES	(1u << 20)
/* Size of the ring of the Intel PT event, which contains almost only AUX records. */
#define PT_RING_BYTES	(64u << 10)
/*
 * For snapshots: size of the sideband buffer of each ring, enough for the last seconds of a CPU
 * that switches tasks constantly.
 */
#define SIDEBAND_BYTES	(8u << 20)

static int fail_open(int code, bool is_start_paused, struct fargs_error_text *err)
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
		return fargs_fail(err, code, is_start_paused ? "this kernel cannot pause Intel PT "
				  "at an event: Linux 6.13 and later can" :
				  "the kernel rejects these terms of Intel PT: remove some of them "
				  "(not every CPU supports branch=0)");
	case EMFILE:
	case ENFILE:
		return fargs_fail(err, code, "Intel PT: too many open files: raise the limit "
				  "(ulimit -n)");
	default:
		return fargs_fail(err, code, "cannot record Intel PT: %s", strerror(code));
	}
}

static int fail_map(const struct fargs_pt_cpu *cpu, int code, struct fargs_error_text *err)
{
	char size[32];

	return fargs_fail(err, code, "not enough memory for a buffer of %s for Intel PT on each "
			  "CPU: give a smaller size with '-m ,SIZE' (%s)",
			  fargs_size_exact(cpu->request->aux_bytes, size, sizeof(size)),
			  strerror(code));
}

static int open_ring(struct fargs_pt_cpu *cpu, enum fargs_pt_ring ring,
		     const struct perf_event_attr *attr, size_t bytes, struct fargs_error_text *err)
{
	int ret;

	cpu->fds[ring] = fargs_pt_event_open(attr, cpu->nr, -1, 0, ring == FARGS_PT_RING_PT ?
					     "intel_pt" : "dummy", &cpu->request->log);
	if (cpu->fds[ring] < 0)
		return fail_open(errno, cpu->request->is_start_paused, err);
	ret = fargs_perf_ring_map(&cpu->rings[ring], cpu->fds[ring], bytes);
	return ret ? fail_map(cpu, -ret, err) : 0;
}

static int set_filter(const struct fargs_pt_cpu *cpu, struct fargs_error_text *err)
{
	const char *filter = cpu->request->filter;

	if (!filter || !ioctl(cpu->fds[FARGS_PT_RING_PT], PERF_EVENT_IOC_SET_FILTER, filter))
		return 0;
	switch (errno) {
	case EOPNOTSUPP:
		return fargs_fail(err, errno, "the kernel does not support '%s': Intel PT has no "
				  "'start', no 'stop' without a size, and filters of files only for "
				  "tasks", filter);
	case EINVAL:
		return fargs_fail(err, errno, "the kernel rejects '%s': the range may not be in "
				  "the traced kernel or file", filter);
	default:
		return fargs_fail(err, errno, "cannot set '%s': %s", filter, strerror(errno));
	}
}

static int map_aux(struct fargs_pt_cpu *cpu, struct fargs_error_text *err)
{
	struct fargs_perf_ring *ring = &cpu->rings[FARGS_PT_RING_PT];
	struct perf_event_mmap_page *page = ring->map;

	page->aux_offset = ring->page + ring->bytes;
	page->aux_size = cpu->request->aux_bytes;
	/*
	 * If the mapping is writable, the kernel keeps unread data; if it is read-only, the kernel
	 * overwrites unread data.
	 */
	cpu->aux = mmap(NULL, page->aux_size,
			PROT_READ | (cpu->request->is_snapshot ? 0 : PROT_WRITE),
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

	for (i = 0; i < cpu->request->nr_tracepoints; i++) {
		fargs_pt_attr_tracepoint(&attr, cpu->request->tracepoints[i]);
		cpu->tracepoint_fds[i] = fargs_pt_event_open(&attr, cpu->nr,
							     cpu->fds[FARGS_PT_RING_SIDE],
							     PERF_FLAG_FD_NO_GROUP |
							     PERF_FLAG_FD_OUTPUT, "module",
							     &cpu->request->log);
	}
}

int fargs_pt_cpu_open(struct fargs_pt_cpu *cpu, unsigned int nr,
		      const struct fargs_pt_request *request, struct fargs_error_text *err)
{
	uint64_t watermark = request->aux_bytes / 4;
	struct perf_event_attr attr;
	size_t i;
	int ret;

	*cpu = (struct fargs_pt_cpu){
		.nr = nr, .request = request, .next_flags = FARGS_PT_AUX_BEGINS,
		.stats = cpu->stats, .aux_base = cpu->aux_base + cpu->aux_at,
	};
	memcpy(cpu->closed_lost, cpu->stats.nr_lost, sizeof(cpu->closed_lost));
	for (i = 0; i < FARGS_PT_RINGS; i++)
		cpu->fds[i] = -1;
	for (i = 0; i < FARGS_PT_TRACEPOINTS; i++)
		cpu->tracepoint_fds[i] = -1;
	cpu->records = malloc(FARGS_PT_RECORDS_MAX);
	if (!cpu->records || (request->is_snapshot && make_sideband_buffers(cpu)))
		return fargs_fail(err, ENOMEM, "no memory for Intel PT");
	fargs_pt_attr_side(&attr, SIDE_RING_BYTES / 4);
	ret = open_ring(cpu, FARGS_PT_RING_SIDE, &attr, SIDE_RING_BYTES, err);
	if (ret)
		return ret;
	open_tracepoints(cpu);
	fargs_pt_attr_trace(&attr, request->pmu, request->terms,
			    watermark < UINT32_MAX ? watermark : UINT32_MAX);
	if (request->is_start_paused)
		fargs_pt_attr_start_paused(&attr);
	ret = open_ring(cpu, FARGS_PT_RING_PT, &attr, PT_RING_BYTES, err);
	if (!ret)
		ret = set_filter(cpu, err);
	if (!ret)
		ret = map_aux(cpu, err);
	if (ret || !request->nr_actions)
		return ret;
	cpu->action_fds = fargs_pt_actions_open(request->actions, request->nr_actions, nr,
						cpu->fds[FARGS_PT_RING_PT], &request->log, err);
	return cpu->action_fds ? 0 : -EINVAL;
}

void fargs_pt_cpu_count(struct fargs_pt_cpu *cpu)
{
	struct { uint64_t value, lost; } counts;
	size_t i;

	for (i = 0; i < FARGS_PT_RINGS; i++)
		if (cpu->fds[i] >= 0 &&
		    read(cpu->fds[i], &counts, sizeof(counts)) == sizeof(counts))
			cpu->stats.nr_lost[i] = cpu->closed_lost[i] + counts.lost;
}

void fargs_pt_cpu_close(struct fargs_pt_cpu *cpu)
{
	size_t i;

	fargs_pt_cpu_count(cpu);
	fargs_pt_actions_close(cpu->action_fds, cpu->request->nr_actions);
	cpu->action_fds = NULL;
	if (cpu->aux)
		munmap(cpu->aux, cpu->request->aux_bytes);
	for (i = 0; i < FARGS_PT_TRACEPOINTS; i++)
		if (cpu->tracepoint_fds[i] >= 0)
			close(cpu->tracepoint_fds[i]);
	for (i = 0; i < FARGS_PT_RINGS; i++) {
		fargs_perf_ring_unmap(&cpu->rings[i]);
		fargs_pt_sideband_buffer_destroy(cpu->sideband_buffers[i]);
		cpu->sideband_buffers[i] = NULL;
		if (cpu->fds[i] >= 0)
			close(cpu->fds[i]);
		cpu->fds[i] = -1;
	}
	fargs_pt_snapshot_deinit(&cpu->snapshot);
	free(cpu->records);
	free(cpu->cuts);
	cpu->aux = NULL;
	cpu->records = NULL;
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

int fargs_pt_cpu_switch_side(struct fargs_pt_cpu *cpu, bool is_on, struct fargs_error_text *err)
{
	int ret = switch_fd(cpu->fds[FARGS_PT_RING_SIDE], is_on, err);
	size_t i;

	for (i = 0; !ret && i < cpu->request->nr_tracepoints; i++)
		ret = switch_fd(cpu->tracepoint_fds[i], is_on, err);
	return ret;
}

int fargs_pt_cpu_switch(struct fargs_pt_cpu *cpu, bool is_on, struct fargs_error_text *err)
{
	cpu->is_on = is_on;
	return switch_fd(cpu->fds[FARGS_PT_RING_PT], is_on, err);
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
