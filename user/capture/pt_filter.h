/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The address filters of an Intel PT recording: those of a request, for this machine.
 */
#ifndef FARGS_CAPTURE_PT_FILTER_H
#define FARGS_CAPTURE_PT_FILTER_H

#include "capture/pt.h"

/*
 * Parses the request's filters, and checks that the CPU and the terms permit them. Call after the
 * terms were parsed. Returns 0 or -errno.
 */
int fargs_pt_filter_choose(struct fargs_pt *pt, const struct fargs_capture_request *r,
			   struct fargs_capture_error *err);
/*
 * Finds the addresses of the filters, and sets @pt's option filter. @meta: the traced functions and
 * the symbols. Returns 0 or -errno.
 */
int fargs_pt_filter_resolve(struct fargs_pt *pt, const struct fargs_capture_request *r,
			    const struct fargs_meta *meta, const struct fargs_capture_hooks *hooks,
			    struct fargs_capture_error *err);

#endif
