/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Writes samples as records of perf.data, PERF_RECORD_SAMPLE of linux/perf_event.h.
 */
#ifndef FARGS_CMD_INJECT_SAMPLE_H
#define FARGS_CMD_INJECT_SAMPLE_H

#include "base/buf.h"
#include "plugin/dlfilter/host.h"

/*
 * Appends ev->sample with the fields of ev->attr->sample_type. Last branches of the events of
 * plugin/dlfilter/pt_events.h have no index of hardware, whatever their branch_sample_type says: it
 * is unknown, and create_gcov of Debian 12 cannot read samples with one. Returns 0; -EMSGSIZE if
 * the record would exceed 64 KiB; or -ENOMEM.
 */
int fargs_inject_put_sample(struct fargs_buf *out, const struct fargs_dlfilter_event *ev);

#endif
