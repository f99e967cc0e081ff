/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The functions and tracepoints that -f, -t and -n choose: what is found out about them
 * before the module is asked, and what people are told of those left out.
 */
#ifndef FARGS_CHOICE_H
#define FARGS_CHOICE_H

#include "cmd/options/capture.h"
#include "kernel/kernel.h"
#include "select/resolve/late.h"
#include "session/session.h"
#include "select/resolve/tpoints.h"
#include "select/resolve/select.h"
#include "base/error.h"

/* Begin with zeroes. */
struct fargs_choice {
	struct fargs_kernel kernel;
	struct fargs_late late;		/* of modules that are not loaded */
	struct fargs_select *sel;	/* NULL: all are such, or none */
	struct fargs_tpoints tpoints;	/* -t */
};

/* Can all of -f, -t and -n be read? Needs nothing of the machine. -errno with the reason. */
int fargs_choice_check(const struct fargs_capture_options *o, struct fargs_error_text *err);
/*
 * Finds them, with layouts for a module whose TSC has @tsc_khz. -errno with the reason.
 */
int fargs_choice_init(struct fargs_choice *c, const struct fargs_capture_options *o,
		      uint32_t tsc_khz, struct fargs_error_text *err);
/* Tells on stderr where selectors with globs overlap. */
void fargs_choice_tell_overlaps(const struct fargs_select *sel);
/* Adds them to the session, and tells on stderr what was left out. Once. */
int fargs_choice_add(struct fargs_choice *c, const struct fargs_capture_options *o,
		     struct fargs_session *session, struct fargs_error_text *err);
void fargs_choice_deinit(struct fargs_choice *c);

#endif
