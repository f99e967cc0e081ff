/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A trace.dat file of trace-cmd as a source. Use it only in a child process: see tracecmd.h.
 */
#ifndef FARGS_SOURCE_TRACE_DAT_TRACE_DAT_H
#define FARGS_SOURCE_TRACE_DAT_TRACE_DAT_H

#include <stdbool.h>
#include <stdint.h>

#include "source/source.h"

/*
 * Opens the file @path. Initializes @meta, which the caller frees after the source. The caller may
 * set meta->guests. Returns NULL with @err on error. The data of an item is the data of the event;
 * a loss has none.
 */
struct fargs_event_source *fargs_trace_dat_create(const char *path, struct fargs_meta *meta,
					    struct fargs_error_text *err);
void fargs_trace_dat_destroy(struct fargs_event_source *source);

/*
 * Returns whether events were lost. Sets *@nr to the number of lost events that the file reports,
 * which does not include losses of unknown size. Call after all events were shown.
 */
bool fargs_trace_dat_has_lost(const struct fargs_event_source *source, uint64_t *nr);

#endif
