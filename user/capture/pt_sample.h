/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The samples of an Intel PT recording: the events of a request, for this machine.
 */
#ifndef FARGS_CAPTURE_PT_SAMPLE_H
#define FARGS_CAPTURE_PT_SAMPLE_H

#include "capture/pt.h"

/* Is Intel PT recorded only in samples, by '--aux-sample' or an event without 'aux-output'? */
bool fargs_pt_is_sampled(const struct fargs_capture_request *r);
/* Are there events whose samples the CPU writes into the trace, 'aux-output'? */
bool fargs_pt_has_outputs(const struct fargs_capture_request *r);
/* Returns the size of the largest copy of the trace in a sample of @r; 0: there are none. */
uint32_t fargs_pt_sample_bytes(const struct fargs_capture_request *r);

/* Sets @pt's samplers. Returns 0 or -errno. */
int fargs_pt_samples_choose(struct fargs_pt *pt, const struct fargs_capture_request *r,
			    struct fargs_capture_error *err);
/* Warns of samples that may be too small for a PSB. Call after the terms were parsed. */
void fargs_pt_samples_warn(const struct fargs_pt *pt, const struct fargs_capture_hooks *hooks);

#endif
