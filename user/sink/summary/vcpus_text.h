/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Writes statistics of vcpus as text or JSON.
 */
#ifndef FARGS_SINK_SUMMARY_VCPUS_TEXT_H
#define FARGS_SINK_SUMMARY_VCPUS_TEXT_H

#include "base/buf.h"
#include "sink/summary/vcpus.h"

/*
 * Writes statistics as text: a paragraph for each VM with several vcpus, and one for each vcpu,
 * with their most frequent reasons and functions. Call after fargs_vcpus_finish(). Returns 0 or
 * -ENOMEM.
 */
int fargs_vcpus_text(struct fargs_buf *out, const struct fargs_vcpus *all);
/*
 * Writes statistics as JSON, one object per line, with all reasons and functions. Call after
 * fargs_vcpus_finish(). Returns 0 or -ENOMEM.
 */
int fargs_vcpus_json(struct fargs_buf *out, const struct fargs_vcpus *all);

#endif
