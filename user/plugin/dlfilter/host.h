/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Runs dlfilters. If there are several, each gets the events that the previous filters kept.
 *
 * Filters are third-party code: their return values are checked, and a fault in a filter becomes
 * an error message that names the filter. After a fault, no function of any filter is called again;
 * after an error, only stop() is called.
 */
#ifndef FARGS_PLUGIN_DLFILTER_HOST_H
#define FARGS_PLUGIN_DLFILTER_HOST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "plugin/dlfilter/api.h"

/* Callbacks for filters' queries about an event, called only while filters handle that event. */
struct fargs_dlfilter_source {
	/*
	 * Fills all members of @al except size, filtered and comm. The caller has set @al to
	 * zeroes.
	 */
	void (*resolve)(void *arg, uint64_t addr, struct fargs_dlfilter_al *al);
	/*
	 * Reads up to @bytes of the code at @addr. Returns the number of bytes read; 0: the code is
	 * unknown.
	 */
	size_t (*read_code)(void *arg, uint64_t addr, void *buf, size_t bytes);
	/*
	 * Returns the source file of @addr, valid until the next call, and sets *@line; NULL:
	 * unknown.
	 */
	const char *(*srcline)(void *arg, uint64_t addr, unsigned int *line);
};

struct fargs_dlfilter_event {
	const struct fargs_dlfilter_sample *sample;
	struct perf_event_attr *attr;
	const char *comm;
	bool is_left_out;	/* the event is not shown, whatever the filters return */
	const struct fargs_dlfilter_source *source;
	void *arg;		/* passed to the callbacks of @source */
	const struct fargs_pt_pebs_sample *pebs;	/* the PEBS record; NULL: not of one */
};

struct fargs_dlfilters;
struct fargs_pt_pebs_sample;

/* Returns NULL if there is no memory. */
struct fargs_dlfilters *fargs_dlfilters_create(void);
void fargs_dlfilters_destroy(struct fargs_dlfilters *fs);

/*
 * Adds a filter, or an argument for the last filter. Arguments that are added before the first
 * filter belong to the first filter. Return 0 or -ENOMEM.
 */
int fargs_dlfilters_add(struct fargs_dlfilters *fs, const char *file);
int fargs_dlfilters_add_arg(struct fargs_dlfilters *fs, const char *text);
size_t fargs_dlfilters_nr(const struct fargs_dlfilters *fs);
bool fargs_dlfilters_has_args(const struct fargs_dlfilters *fs);

/* Loads and starts all filters. Returns 0, or -errno with the reason in @err. */
int fargs_dlfilters_start(struct fargs_dlfilters *fs, struct fargs_error_text *err);

/*
 * Passes @ev to the filters: fargs_dlfilters_early() for each event, fargs_dlfilters_late() for
 * each event to be shown. Returns 0: keep the event; 1: drop it; -errno: a filter failed, which
 * fargs_dlfilters_stop() reports.
 */
int fargs_dlfilters_early(struct fargs_dlfilters *fs, const struct fargs_dlfilter_event *ev);
int fargs_dlfilters_late(struct fargs_dlfilters *fs, const struct fargs_dlfilter_event *ev);

/*
 * Stops the filters that were started, in order. Returns 0, or -errno with the first failure of a
 * filter in @err.
 */
int fargs_dlfilters_stop(struct fargs_dlfilters *fs, struct fargs_error_text *err);

/*
 * Sets *@text and *@long_text to the descriptions of the filter in @path, to be freed with free(),
 * or to NULL if the filter has none. Returns 0, or -EINVAL if @path is not a filter or fails.
 */
int fargs_dlfilter_describe(const char *path, char **text, char **long_text);

#endif
