// SPDX-License-Identifier: GPL-2.0-only
#include "kernel/tracefs.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"

/*
 * Maximum size of a path; more than enough, since the longest names of systems and events have
 * about 40 characters.
 */
#define PATH_BYTES	512

const char *fargs_tracefs_dir(struct fargs_error_text *err)
{
	static const char * const dirs[] = { "/sys/kernel/tracing", "/sys/kernel/debug/tracing" };
	char path[PATH_BYTES];
	size_t i;

	for (i = 0; i < 2; i++) {
		snprintf(path, sizeof(path), "%s/events", dirs[i]);
		if (!access(path, R_OK | X_OK))
			return dirs[i];
		if (errno == EACCES || errno == EPERM) {
			fargs_fail(err, errno, "'%s', which describes the events, is not readable: "
				   "run as root", dirs[i]);
			return NULL;
		}
	}
	fargs_fail(err, ENOENT, "tracefs, which describes the events, is not mounted: mount -t "
		   "tracefs tracefs /sys/kernel/tracing");
	return NULL;
}

static int add(struct fargs_tracefs_events *all, const char *system, const char *name)
{
	struct fargs_tracefs_event *event = all->events;

	/*
	 * The capacity is always a power of two, and is doubled when nr reaches it. So it need not
	 * be stored.
	 */
	if (!(all->nr & (all->nr - 1))) {
		event = realloc(event, (all->nr ? 2 * all->nr : 1) * sizeof(*event));
		if (!event)
			return -ENOMEM;
		all->events = event;
	}
	event += all->nr;
	event->system = strdup(system);
	event->name = strdup(name);
	all->nr++;
	return event->system && event->name ? 0 : -ENOMEM;
}

/*
 * Adds the events of @system that have a file "id". Entries without this file are not events, or
 * are events that perf cannot record.
 */
static int add_system(struct fargs_tracefs_events *all, int events, const char *system)
{
	int fd = openat(events, system, O_RDONLY | O_DIRECTORY | O_CLOEXEC), ret = 0;
	DIR *dir = fd < 0 ? NULL : fdopendir(fd);
	char path[PATH_BYTES];
	struct dirent *entry;

	if (!dir) {
		if (fd >= 0)
			close(fd);
		return 0;
	}
	while (!ret && (entry = readdir(dir))) {
		if (entry->d_name[0] == '.')
			continue;
		snprintf(path, sizeof(path), "%s/id", entry->d_name);
		if (!faccessat(fd, path, R_OK, 0))
			ret = add(all, system, entry->d_name);
	}
	closedir(dir);
	return ret;
}

static int compare(const void *a, const void *b)
{
	const struct fargs_tracefs_event *x = a, *y = b;
	int by_system = strcmp(x->system, y->system);

	return by_system ? by_system : strcmp(x->name, y->name);
}

int fargs_tracefs_events_init(struct fargs_tracefs_events *all, const char *dir,
			      struct fargs_error_text *err)
{
	char path[PATH_BYTES];
	struct dirent *entry;
	int ret = 0;
	DIR *d;

	*all = (struct fargs_tracefs_events){ };
	snprintf(path, sizeof(path), "%s/events", dir);
	d = opendir(path);
	if (!d)
		return fargs_fail(err, errno, "cannot read '%s': %s", path, strerror(errno));
	while (!ret && (entry = readdir(d)))
		/*
		 * The system "ftrace" describes ftrace's internal records, which support neither
		 * filters nor perf.
		 */
		if (entry->d_name[0] != '.' && strcmp(entry->d_name, "ftrace"))
			ret = add_system(all, dirfd(d), entry->d_name);
	closedir(d);
	if (ret)
		return fargs_fail(err, ENOMEM, "no memory for the list of events");
	if (all->nr)
		qsort(all->events, all->nr, sizeof(*all->events), compare);
	return 0;
}

void fargs_tracefs_events_deinit(struct fargs_tracefs_events *all)
{
	size_t i;

	for (i = 0; i < all->nr; i++) {
		free(all->events[i].system);
		free(all->events[i].name);
	}
	free(all->events);
	*all = (struct fargs_tracefs_events){ };
}

char *fargs_tracefs_read(const char *dir, const struct fargs_tracefs_event *event,
			 const char *name, size_t *size)
{
	char path[PATH_BYTES];

	if (event)
		snprintf(path, sizeof(path), "%s/events/%s/%s/%s", dir, event->system,
			 event->name, name);
	else
		snprintf(path, sizeof(path), "%s/%s", dir, name);
	return fargs_file_read(path, size);
}

/*
 * Reads the kernel's error message. In the file, it follows the filter and a line that marks the
 * position of the error.
 */
static void take_words(const char *path, char *buf, size_t size)
{
	static const char key[] = "parse_error: ";
	size_t bytes;
	char *text = fargs_file_read(path, &bytes), *found;

	found = text ? strstr(text, key) : NULL;
	if (found) {
		found += strlen(key);
		snprintf(buf, size, "%.*s", (int)strcspn(found, "\n"), found);
	}
	free(text);
}

void fargs_tracefs_complaint(const char *dir, const struct fargs_tracefs_event *event,
			     const char *filter, char *buf, size_t size)
{
	char instance[PATH_BYTES / 2], path[PATH_BYTES];
	int fd;

	*buf = '\0';
	snprintf(instance, sizeof(instance), "%s/instances/fargs-filter-%d", dir, (int)getpid());
	if (mkdir(instance, 0700))
		return;
	snprintf(path, sizeof(path), "%s/events/%s/%s/filter", instance, event->system,
		 event->name);
	fd = open(path, O_WRONLY | O_CLOEXEC);
	if (fd >= 0) {
		if (write(fd, filter, strlen(filter)) < 0)
			take_words(path, buf, size);
		close(fd);
	}
	rmdir(instance);
}
