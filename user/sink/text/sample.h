/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Writes samples as lines in the format of perf script.
 */
#ifndef FARGS_SINK_TEXT_SAMPLE_H
#define FARGS_SINK_TEXT_SAMPLE_H

#include "base/buf.h"
#include "model/decoder.h"
#include "model/event.h"

/*
 * Writes the line of an FARGS_EVENT_SAMPLE: "comm tid [cpu] time: period event: ip symbol+offset
 * (file)"; for a branch also its target. If its call chain is shown, the addresses are below the
 * line. The caller checks is_short of @out.
 */
void fargs_text_sample(struct fargs_buf *out, struct fargs_decoder *d,
		       const struct fargs_event *ev);

#endif
