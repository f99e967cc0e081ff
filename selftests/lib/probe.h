/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Counts how often this thread calls a function of the kernel, with a kprobe event of tracefs and a
 * perf counter of the event. Does not use fargs.
 */
#ifndef FARGS_SELFTESTS_PROBE_H
#define FARGS_SELFTESTS_PROBE_H

#include <linux/perf_event.h>
#include <sys/syscall.h>

#include "session.h"

#define PROBE_TRACEFS	"/sys/kernel/tracing/"

static inline int probe_write(const char *path, const char *text)
{
	int fd = open(path, O_WRONLY | O_APPEND | O_CLOEXEC);
	int ret;

	if (fd < 0)
		return -errno;
	ret = write(fd, text, strlen(text)) < 0 ? -errno : 0;
	close(fd);
	return ret;
}

/* Creates the kprobe event @name. @definition: "function [arguments]". Returns 0 or -errno. */
static inline int probe_create(const char *name, const char *definition)
{
	char text[256];

	snprintf(text, sizeof(text), "p:fargs_selftest/%s %s", name, definition);
	return probe_write(PROBE_TRACEFS "kprobe_events", text);
}

/* Removes the kprobe event. All counters of the event must be closed first. */
static inline void probe_destroy(const char *name)
{
	char text[256];

	snprintf(text, sizeof(text), "-:fargs_selftest/%s", name);
	must(probe_write(PROBE_TRACEFS "kprobe_events", text), text);
}

/*
 * Opens a counter of the calls by thread @tid (0: this thread) that match @filter (NULL: all
 * calls).
 */
static inline int probe_count(const char *name, int tid, const char *filter)
{
	struct perf_event_attr attr = {
		.type = PERF_TYPE_TRACEPOINT, .size = sizeof(attr),
	};
	char path[256];
	FILE *file;
	int fd;

	snprintf(path, sizeof(path), PROBE_TRACEFS "events/fargs_selftest/%s/id", name);
	file = fopen(path, "re");
	must(file && fscanf(file, "%llu", &attr.config) == 1 ? 0 : -ENOENT, path);
	fclose(file);
	fd = syscall(SYS_perf_event_open, &attr, tid, -1, -1, PERF_FLAG_FD_CLOEXEC);
	must(fd < 0 ? -errno : 0, "perf_event_open");
	if (filter)
		must(ioctl(fd, PERF_EVENT_IOC_SET_FILTER, filter) ? -errno : 0, filter);
	return fd;
}

static inline uint64_t probe_read(int fd)
{
	uint64_t nr;

	must(read(fd, &nr, sizeof(nr)) == sizeof(nr) ? 0 : -EIO, "perf's counter");
	return nr;
}

#endif
