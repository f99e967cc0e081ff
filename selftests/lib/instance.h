/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Records events in an instance of tracefs that the test has for itself. There can be one at a
 * time. Does not use fargs.
 */
#ifndef FARGS_SELFTESTS_INSTANCE_H
#define FARGS_SELFTESTS_INSTANCE_H

#include <sys/stat.h>

#include "probe.h"

#define INSTANCE	PROBE_TRACEFS "instances/fargs_selftest/"

/* Returns false if the kernel has no instances. The times of all CPUs have the same clock. */
static inline bool instance_begin(void)
{
	return !mkdir(INSTANCE, 0700) && !probe_write(INSTANCE "trace_clock", "mono");
}

/* Records @event ("system/name") where @filter holds. Returns false if that is not possible. */
static inline bool instance_event(const char *event, const char *filter)
{
	char path[256];

	snprintf(path, sizeof(path), INSTANCE "events/%s/filter", event);
	if (probe_write(path, filter))
		return false;
	snprintf(path, sizeof(path), INSTANCE "events/%s/enable", event);
	return !probe_write(path, "1");
}

/* Returns the recorded events as text, in the order of their times; NULL: there are none. */
static inline FILE *instance_read(void)
{
	return fopen(INSTANCE "trace", "re");
}

/*
 * Splits a line "task-pid [CPU] flags seconds: event: fields". Sets *@seconds and @event, which has
 * room for 128 bytes. Returns the fields; NULL: a comment.
 */
static inline const char *instance_line(char *line, double *seconds, char *event)
{
	char *colon = strstr(line, ": "), *at;

	if (line[0] == '#' || !colon || sscanf(colon + 2, "%127[^:]", event) != 1)
		return NULL;
	*colon = 0;
	at = strrchr(line, ' ');
	if (!at)
		return NULL;
	*seconds = strtod(at + 1, NULL);
	return colon + 2 + strlen(event);
}

static inline void instance_end(void)
{
	rmdir(INSTANCE);
}

#endif
