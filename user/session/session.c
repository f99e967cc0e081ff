// SPDX-License-Identifier: GPL-2.0-only
#include "session/session.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/sysinfo.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <bpf/libbpf.h>

#include "base/size.h"
#include "base/words.h"
#include "kernel/module_id.h"
#include "model/missed.h"
#include "session/device.h"
#include "session/origin.h"
#include "session/snapshot.h"

#define DEFAULT_RING_BYTES	(4u << 20)
/* By default, all rings together take at most this fraction of the memory: 1/MEMORY_PART. */
#define MEMORY_PART		16

int fargs_session_init(struct fargs_session *s, struct fargs_error_text *err)
{
	int ret;

	s->is_running = false;
	memset(&s->awaited, 0, sizeof(s->awaited));
	fargs_meta_init(&s->meta);
	s->fd = fargs_device_open(err);
	if (s->fd < 0)
		return s->fd;
	ret = fargs_device_info(s->fd, &s->meta.info, err);
	if (ret)
		close(s->fd);
	return ret;
}

/* Maximum size of a ring, the same as the module's: 1 GiB. */
#define BARE_RING_BYTES_MAX	(1u << 30)

int fargs_session_init_bare(struct fargs_session *s, struct fargs_error_text *err)
{
	struct fargs_info *info = &s->meta.info;
	int nr_cpus = libbpf_num_possible_cpus();
	struct utsname name;

	memset(s, 0, sizeof(*s));
	s->fd = -1;
	fargs_meta_init(&s->meta);
	if (nr_cpus <= 0)
		return fargs_fail(err, EIO, "cannot read the number of CPUs");
	s->meta.is_bare = true;
	info->nr_cpus = nr_cpus;
	info->page_size = sysconf(_SC_PAGESIZE);
	info->buffer_min = info->page_size;
	info->buffer_max = BARE_RING_BYTES_MAX;
	if (!uname(&name))
		snprintf(info->release, sizeof(info->release), "%.*s",
			 (int)sizeof(info->release) - 1, name.release);
	/*
	 * ksyms is NULL if the kernel hides addresses (kptr_restrict): addresses in records are
	 * then shown as numbers.
	 */
	s->meta.ksyms = fargs_ksyms_load(NULL);
	return 0;
}

void fargs_session_deinit(struct fargs_session *s)
{
	if (s->is_running)
		fargs_session_stop(s, NULL);
	if (s->fd >= 0)
		close(s->fd);
	s->fd = -1;
	fargs_meta_deinit(&s->meta);
	fargs_awaited_deinit(&s->awaited);
}

static uint64_t default_ring_bytes(const struct fargs_info *info)
{
	uint64_t bytes = DEFAULT_RING_BYTES, all = UINT64_MAX;
	struct sysinfo si;

	if (!sysinfo(&si))
		all = (uint64_t)si.totalram * si.mem_unit;
	while (bytes / 2 >= info->buffer_min &&
	       bytes * info->nr_cpus > all / MEMORY_PART)
		bytes /= 2;
	return bytes;
}

/*
 * Returns a ring size below @bytes such that all rings together take at most half of
 * RLIMIT_MEMLOCK.
 */
static uint64_t smaller_ring_bytes(const struct fargs_info *info, uint64_t bytes)
{
	struct rlimit limit;

	bytes /= 2;
	if (getrlimit(RLIMIT_MEMLOCK, &limit))
		return bytes;
	/* FARGS_IOC_START also needs memory within RLIMIT_MEMLOCK. */
	while (bytes / 2 >= info->buffer_min && bytes * info->nr_cpus > limit.rlim_cur / 2)
		bytes /= 2;
	return bytes;
}

/* Creates rings of the default size, or of a smaller one if RLIMIT_MEMLOCK requires it. */
static int make_default_rings(struct fargs_session *s, enum fargs_mode mode, uint64_t *bytes,
			      struct fargs_error_text *err)
{
	const struct fargs_info *info = &s->meta.info;
	int ret;

	*bytes = default_ring_bytes(info);
	if (s->fd < 0)
		return 0;
	ret = fargs_device_buffer(s->fd, *bytes, mode, err);
	while (ret == -EPERM && *bytes / 2 >= info->buffer_min) {
		if (!s->default_ring_bytes)
			s->default_ring_bytes = *bytes;
		*bytes = smaller_ring_bytes(info, *bytes);
		ret = fargs_device_buffer(s->fd, *bytes, mode, err);
	}
	return ret;
}

static int check_ring_bytes(const struct fargs_info *info, uint64_t bytes,
			    struct fargs_error_text *err)
{
	char size[32], low[32], high[32];
	uint64_t below = info->buffer_min;

	fargs_size_exact(bytes, size, sizeof(size));
	if (bytes < info->buffer_min || bytes > info->buffer_max)
		return fargs_fail(err, EINVAL,
				  "a buffer of %s is invalid: give a size from %s to %s for each "
				  "CPU",
				  size, fargs_size_exact(info->buffer_min, low, sizeof(low)),
				  fargs_size_exact(info->buffer_max, high, sizeof(high)));
	if (bytes & (bytes - 1)) {
		while (below * 2 < bytes)
			below *= 2;
		return fargs_fail(err, EINVAL,
				  "a buffer of %s is not a power of two: give %s or %s", size,
				  fargs_size_exact(below, low, sizeof(low)),
				  fargs_size_exact(below * 2, high, sizeof(high)));
	}
	return 0;
}

int fargs_session_buffer(struct fargs_session *s, uint64_t bytes, enum fargs_mode mode,
			 struct fargs_error_text *err)
{
	const struct fargs_info *info = &s->meta.info;
	char size[32];
	int ret;

	if (bytes) {
		ret = check_ring_bytes(info, bytes, err);
		if (!ret && s->fd >= 0)
			ret = fargs_device_buffer(s->fd, bytes, mode, err);
	} else {
		ret = make_default_rings(s, mode, &bytes, err);
	}
	if (ret == -ENOMEM)
		return fargs_fail(err, ENOMEM,
				  "not enough memory for buffers of %s on each of %u CPUs: give a "
				  "smaller size with '-m', or raise memory.max of the cgroup if it "
				  "has one",
				  fargs_size_exact(bytes, size, sizeof(size)), info->nr_cpus);
	if (!ret) {
		s->meta.ring_bytes = bytes;
		s->meta.is_overwrite = mode == FARGS_MODE_OVERWRITE;
	}
	return ret;
}

bool fargs_session_has_stopped(const struct fargs_session *s)
{
	struct fargs_stats stats;

	return s->is_running && !fargs_device_stats(s->fd, NULL, 0, &stats, NULL) &&
	       stats.state == FARGS_STATE_STOPPED;
}

int fargs_session_freeze(struct fargs_session *s, bool is_frozen, struct fargs_error_text *err)
{
	int ret = fargs_device_freeze(s->fd, is_frozen, err);

	if (ret != -EINVAL || !fargs_session_has_stopped(s))
		return ret;
	if (err)
		err->text[0] = '\0';
	return 0;
}

int fargs_session_clock(struct fargs_session *s, struct fargs_clock_sample **samples,
			struct fargs_error_text *err)
{
	unsigned int nr_cpus = s->meta.info.nr_cpus;
	int ret;

	*samples = calloc(nr_cpus, sizeof(**samples));
	if (!*samples)
		return fargs_fail(err, ENOMEM, "no memory for the clocks");
	ret = fargs_device_clock(s->fd, *samples, nr_cpus, err);
	if (ret) {
		free(*samples);
		*samples = NULL;
	}
	return ret;
}

int fargs_session_describe(struct fargs_session *s, char *const *words,
			   struct fargs_error_text *err)
{
	struct fargs_meta *meta = &s->meta;
	struct fargs_clock_sample *samples;
	char host[256] = "";
	int ret;

	/* gethostname() may truncate the name without adding a NUL. */
	gethostname(host, sizeof(host) - 1);
	meta->command = fargs_words_join(words);
	meta->hostname = strdup(host);
	fargs_session_origin(&meta->origin);
	if (!meta->command || !meta->hostname)
		return fargs_fail(err, ENOMEM, "no memory for the command line");
	ret = fargs_snapshot_tasks(&meta->tasks, &meta->nr_tasks, err);
	if (ret || s->fd < 0)
		return ret;
	fargs_module_id_read(&meta->module_id, "/sys", "fargs");
	ret = fargs_session_clock(s, &samples, err);
	if (ret)
		return ret;
	if (fargs_meta_add_clock(meta, samples))
		ret = fargs_fail(err, ENOMEM, "no memory for the clocks");
	free(samples);
	return ret;
}

/*
 * Starts tracing all tasks but the current threads of this process. The module also excludes
 * threads that these create later.
 */
static int start_all(struct fargs_session *s, pid_t exec_tid, uint32_t maxactive, uint32_t flags,
		     struct fargs_error_text *err)
{
	pid_t *own;
	size_t nr;
	int ret = fargs_snapshot_own(&own, &nr, err);

	if (ret)
		return ret;
	ret = fargs_device_start(s->fd, own, nr, exec_tid, flags | FARGS_START_EXCEPT, maxactive,
				 err);
	free(own);
	return ret;
}

int fargs_session_start(struct fargs_session *s, const pid_t *tids, size_t nr, pid_t exec_tid,
			uint32_t maxactive, uint32_t flags, struct fargs_error_text *err)
{
	int ret;

	/* Older modules also trace the process before its exec. */
	if (!(s->meta.info.features & FARGS_FEATURE_EXEC))
		exec_tid = 0;
	ret = nr ? fargs_device_start(s->fd, tids, nr, exec_tid, flags | FARGS_START_TASKS,
				      maxactive, err) :
		   start_all(s, exec_tid, maxactive, flags, err);
	s->is_running = !ret;
	return ret;
}

int fargs_session_stop(struct fargs_session *s, struct fargs_error_text *err)
{
	s->is_running = false;
	return s->fd < 0 ? 0 : fargs_device_stop(s->fd, err);
}

/* Reads each function's number of missed calls. @stats->nr_funcs: the number of functions. */
static int read_missed(struct fargs_session *s, const struct fargs_stats *stats,
		       struct fargs_error_text *err)
{
	struct fargs_missed *missed = &s->meta.missed;
	size_t i, nr = stats->nr_funcs;
	struct fargs_func_stats *funcs;
	int ret = 0;

	/* Older modules do not count missed calls by function. */
	if (!(s->meta.info.features & FARGS_FEATURE_MISSED))
		return 0;
	free(missed->funcs);
	*missed = (struct fargs_missed){ .any = stats->nr_missed, .maxactive = stats->maxactive };
	funcs = calloc(nr + 1, sizeof(*funcs));
	missed->funcs = calloc(nr + 1, sizeof(*missed->funcs));
	if (!funcs || !missed->funcs)
		ret = fargs_fail(err, ENOMEM, "no memory for the counters");
	if (!ret && nr)
		ret = fargs_device_missed(s->fd, funcs, &nr, err);
	for (i = 0; !ret && i < nr; i++)
		missed->funcs[i] = (struct fargs_missed_func){
			.ip = funcs[i].ip, .from_tsc = funcs[i].from_tsc,
			.missed = funcs[i].missed, .missed_any = funcs[i].missed_any,
			.too_deep = funcs[i].too_deep,
		};
	missed->nr = ret ? 0 : nr;
	fargs_missed_sort(missed);
	s->meta.has_missed = !ret;
	free(funcs);
	return ret;
}

int fargs_session_stats(struct fargs_session *s, struct fargs_stats *stats,
			struct fargs_error_text *err)
{
	struct fargs_meta *meta = &s->meta;
	int ret;

	free(meta->stats);
	meta->stats = calloc(meta->info.nr_cpus, sizeof(*meta->stats));
	if (!meta->stats)
		return fargs_fail(err, ENOMEM, "no memory for the counters");
	ret = fargs_device_stats(s->fd, meta->stats, meta->info.nr_cpus, stats, err);
	if (!ret)
		ret = read_missed(s, stats, err);
	if (ret) {
		free(meta->stats);
		meta->stats = NULL;
	}
	return ret;
}
