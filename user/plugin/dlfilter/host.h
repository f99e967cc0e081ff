/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Runs dlfilters: several, each asked about what those before it have kept.
 *
 * They are code of others: what they return is checked, and a fault in one ends as an error that
 * names it. After a fault nothing of any filter is called any more, after an error only stop.
 */
#ifndef FARGS_DLFILTER_HOST_H
#define FARGS_DLFILTER_HOST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "plugin/dlfilter/api.h"
#include "base/error.h"

/* What filters ask beyond the sample itself: only while they are asked about it. */
struct fargs_dlfilter_source {
	/* Fills all of @al, which is zeroes, but size, filtered and comm. */
	void (*resolve)(void *arg, uint64_t addr, struct fargs_dlfilter_al *al);
	/* Up to @bytes of the code at @addr; how many, 0 if there is none. */
	size_t (*read_code)(void *arg, uint64_t addr, void *buf, size_t bytes);
	/* The source file of @addr, until the next call, and its line; NULL: not known. */
	const char *(*srcline)(void *arg, uint64_t addr, unsigned int *line);
};

struct fargs_dlfilter_event {
	const struct fargs_dlfilter_sample *sample;
	struct perf_event_attr *attr;
	const char *comm;
	bool is_left_out;	/* it will not be shown, whatever filters say */
	const struct fargs_dlfilter_source *source;
	void *arg;		/* of the source */
};

struct fargs_dlfilters;

struct fargs_dlfilters *fargs_dlfilters_create(void);	/* NULL: no memory */
void fargs_dlfilters_destroy(struct fargs_dlfilters *fs);

/* One more filter, and an argument of the last one, or before it of the first. -ENOMEM. */
int fargs_dlfilters_add(struct fargs_dlfilters *fs, const char *file);
int fargs_dlfilters_add_arg(struct fargs_dlfilters *fs, const char *text);
size_t fargs_dlfilters_nr(const struct fargs_dlfilters *fs);
bool fargs_dlfilters_has_args(const struct fargs_dlfilters *fs);

/* Loads and starts all of them. -EINVAL, or what one of them returned, with @err. */
int fargs_dlfilters_start(struct fargs_dlfilters *fs, struct fargs_error_text *err);

/*
 * Asks them about @ev: early, before it is known whether it is to be shown, then if it is. 0: to
 * be kept; 1: not; -errno: a filter has failed, and says so when they are stopped.
 */
int fargs_dlfilters_early(struct fargs_dlfilters *fs, const struct fargs_dlfilter_event *ev);
int fargs_dlfilters_late(struct fargs_dlfilters *fs, const struct fargs_dlfilter_event *ev);

/* Stops those that were started, in their order. -errno with @err of the first that failed. */
int fargs_dlfilters_stop(struct fargs_dlfilters *fs, struct fargs_error_text *err);

/*
 * What the filter in @path says of itself; texts are to be freed, and NULL if it says nothing.
 * -EINVAL: it is none, or fails.
 */
int fargs_dlfilter_describe(const char *path, char **text, char **long_text);

#endif
