// SPDX-License-Identifier: GPL-2.0-only
#include "session/device.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "base/file.h"
#include "kernel/caps.h"
#include "kernel/lockdown.h"

_Static_assert(sizeof(struct fargs_head) == 16, "the ioctls are an ABI");
_Static_assert(sizeof(struct fargs_error) == 128, "the ioctls are an ABI");
_Static_assert(sizeof(struct fargs_info) == 216, "the ioctls are an ABI");
_Static_assert(sizeof(struct fargs_buffer) == 32, "the ioctls are an ABI");
_Static_assert(sizeof(struct fargs_add) == 48, "the ioctls are an ABI");
_Static_assert(sizeof(struct fargs_start) == 40, "the ioctls are an ABI");
_Static_assert(sizeof(struct fargs_stop) == 16, "the ioctls are an ABI");
_Static_assert(sizeof(struct fargs_cpu_stats) == 64, "the ioctls are an ABI");
_Static_assert(sizeof(struct fargs_stats) == 128, "the ioctls are an ABI");
_Static_assert(sizeof(struct fargs_func_stats) == 40, "the ioctls are an ABI");
_Static_assert(sizeof(struct fargs_clock_sample) == 40, "the ioctls are an ABI");
_Static_assert(sizeof(struct fargs_clock) == 32, "the ioctls are an ABI");
_Static_assert(sizeof(struct fargs_arrival) == 32, "the ioctls are an ABI");
_Static_assert(sizeof(struct fargs_arrivals) == 40, "the ioctls are an ABI");

/* Is the module loaded? /dev is not checked, since a container may have its own. */
static bool is_loaded(void)
{
	size_t size;
	char *devices = fargs_file_read("/proc/misc", &size);
	bool is_there = devices && strstr(devices, " fargs\n");

	free(devices);
	return is_there;
}

static int missing(struct fargs_error_text *err, int error)
{
	if (is_loaded())
		return fargs_fail(err, error, "the kernel module is loaded, but there is no '"
				  FARGS_DEVICE "': a container needs it, as with docker run "
				  "--device " FARGS_DEVICE);
	if (fargs_lockdown_get() > FARGS_LOCKDOWN_NONE)
		return fargs_fail(err, error, "the kernel module is not loaded: modprobe fargs; "
				  "this kernel is locked down and accepts only signed modules");
	return fargs_fail(err, error, "the kernel module is not loaded: modprobe fargs");
}

static int forbidden(struct fargs_error_text *err, int error)
{
	if (fargs_caps_may_trace())
		return fargs_fail(err, error, "opening '" FARGS_DEVICE "' is not permitted: a "
				  "container needs the device, and must not run in its own user "
				  "namespace%s",
				  fargs_lockdown_get() == FARGS_LOCKDOWN_UNKNOWN ?
				  "; or the kernel is locked down" : "");
	return fargs_fail(err, error, "tracing is not permitted: it needs CAP_PERFMON or "
			  "CAP_SYS_ADMIN: run as root");
}

static int too_many(struct fargs_error_text *err, int error)
{
	return fargs_fail(err, error, "this user has too many sessions: end some, or raise "
			  "'/sys/module/fargs/parameters/max_user_sessions'");
}

int fargs_device_open(struct fargs_error_text *err)
{
	int fd = open(FARGS_DEVICE, O_RDWR | O_CLOEXEC);
	int error = errno;

	if (fd >= 0)
		return fd;
	/*
	 * Check lockdown first: while the kernel is locked down, neither loading the module nor
	 * more permissions would help.
	 */
	if (fargs_lockdown_get() == FARGS_LOCKDOWN_CONFIDENTIALITY)
		return fargs_fail(err, error, "the kernel is locked down to confidentiality, which "
				  "forbids tracing: boot without it");
	switch (error) {
	case ENOENT:
	case ENXIO:
	case ENODEV:
		return missing(err, error);
	case EACCES:
		return fargs_fail(err, error, "no permission to open '" FARGS_DEVICE
				  "': run as root, or with CAP_PERFMON and access to the file");
	case EPERM:
		return forbidden(err, error);
	case EUSERS:
		return too_many(err, error);
	default:
		return fargs_fail(err, error, "cannot open '" FARGS_DEVICE "': %s",
				  strerror(error));
	}
}

/*
 * Calls an ioctl whose @arg begins with struct fargs_head. @what completes the message "cannot
 * ...".
 */
static int call(int fd, unsigned long request, void *arg, size_t size, const char *what,
		struct fargs_error_text *err)
{
	struct fargs_error reason = { .layout = FARGS_NONE, .field = FARGS_NONE };
	struct fargs_head *head = arg;
	int ret, saved;

	head->size = size;
	head->reserved = 0;
	head->error = (uintptr_t)&reason;
	do {
		ret = ioctl(fd, request, arg);
	} while (ret < 0 && errno == EINTR);
	saved = errno;
	/* Do not leave a pointer to @reason, which is on the stack. */
	head->error = 0;
	if (ret >= 0)
		return 0;
	reason.text[sizeof(reason.text) - 1] = '\0';
	return fargs_fail(err, saved, "cannot %s: %s", what,
			  reason.text[0] ? reason.text : strerror(saved));
}

int fargs_device_info(int fd, struct fargs_info *info, struct fargs_error_text *err)
{
	int ret;

	memset(info, 0, sizeof(*info));
	ret = call(fd, FARGS_IOC_INFO, info, sizeof(*info), "query the module", err);
	info->version[sizeof(info->version) - 1] = '\0';
	info->release[sizeof(info->release) - 1] = '\0';
	/* If the module has another ABI, the number of this ioctl may differ. */
	if (ret == -ENOTTY || (!ret && info->abi != FARGS_ABI))
		return fargs_fail(err, EPROTO,
				  "the kernel module has another version (%s, ABI %u; this program "
				  "needs ABI %u): load the module built with this program",
				  info->version[0] ? info->version : "unknown", info->abi,
				  FARGS_ABI);
	return ret;
}

int fargs_device_buffer(int fd, uint64_t bytes, enum fargs_mode mode,
			struct fargs_error_text *err)
{
	struct fargs_buffer arg = { .bytes = bytes, .mode = mode };

	return call(fd, FARGS_IOC_BUFFER, &arg, sizeof(arg), "allocate the buffers", err);
}

int fargs_device_add(int fd, void *layouts, size_t bytes, size_t nr, uint32_t flags,
		     size_t *nr_added, struct fargs_error_text *err)
{
	struct fargs_add arg = {
		.layouts = (uintptr_t)layouts,
		.bytes = bytes,
		.nr = nr,
		.flags = flags | FARGS_ADD_SKIP,
	};
	struct fargs_error_text why = { "" };
	int ret = call(fd, FARGS_IOC_ADD, &arg, sizeof(arg), "add functions", &why);

	*nr_added = ret ? 0 : arg.nr_added;
	if (!ret)
		return 0;
	return fargs_fail(err, -ret, "%s%s", why.text,
			  ret == -EPERM && fargs_caps_may_trace() && !fargs_caps_may_read() ?
			  ": run as root, or trace without values that are read from memory" : "");
}

int fargs_device_start(int fd, const pid_t *tids, size_t nr, pid_t exec_tid, uint32_t flags,
		       uint32_t maxactive, struct fargs_error_text *err)
{
	struct fargs_start arg = {
		.flags = flags,
		.nr_tids = nr,
		.tids = (uintptr_t)tids,
		.maxactive = maxactive,
		.exec_tid = exec_tid,
	};

	return call(fd, FARGS_IOC_START, &arg, sizeof(arg), "start tracing", err);
}

int fargs_device_freeze(int fd, bool is_frozen, struct fargs_error_text *err)
{
	struct fargs_freeze arg = { .is_frozen = is_frozen };

	return call(fd, FARGS_IOC_FREEZE, &arg, sizeof(arg),
		    is_frozen ? "freeze the buffers" : "unfreeze the buffers", err);
}

int fargs_device_stop(int fd, struct fargs_error_text *err)
{
	struct fargs_stop arg = { };

	return call(fd, FARGS_IOC_STOP, &arg, sizeof(arg), "stop tracing", err);
}

int fargs_device_stats(int fd, struct fargs_cpu_stats *cpus, unsigned int nr_cpus,
		       struct fargs_stats *stats, struct fargs_error_text *err)
{
	int ret;

	memset(stats, 0, sizeof(*stats));
	stats->cpus = (uintptr_t)cpus;
	stats->nr_cpus = nr_cpus;
	ret = call(fd, FARGS_IOC_STATS, stats, sizeof(*stats), "read the counters", err);
	stats->cpus = 0;
	return ret;
}

int fargs_device_missed(int fd, struct fargs_func_stats *funcs, size_t *nr,
			struct fargs_error_text *err)
{
	struct fargs_stats stats = { .funcs = (uintptr_t)funcs, .nr_funcs = *nr };
	int ret = call(fd, FARGS_IOC_STATS, &stats, sizeof(stats), "read the counters", err);

	/* The number of functions may have grown beyond the capacity of @funcs. */
	if (ret || stats.nr_funcs < *nr)
		*nr = ret ? 0 : stats.nr_funcs;
	return ret;
}

int fargs_device_clock(int fd, struct fargs_clock_sample *samples, unsigned int nr_cpus,
		       struct fargs_error_text *err)
{
	struct fargs_clock arg = { .samples = (uintptr_t)samples, .nr_cpus = nr_cpus };

	return call(fd, FARGS_IOC_CLOCK, &arg, sizeof(arg), "read the clocks", err);
}

int fargs_device_arrivals(int fd, uint64_t first, struct fargs_arrival *arrivals, size_t *nr,
			  struct fargs_error_text *err)
{
	struct fargs_arrivals arg = {
		.first = first, .arrivals = (uintptr_t)arrivals, .nr = *nr,
	};
	int ret = call(fd, FARGS_IOC_ARRIVALS, &arg, sizeof(arg), "query the loaded modules", err);

	*nr = ret ? 0 : arg.nr;
	return ret;
}
