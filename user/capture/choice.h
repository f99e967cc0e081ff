/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Selects the functions and tracepoints of a request and adds them to the session.
 */
#ifndef FARGS_CHOICE_H
#define FARGS_CHOICE_H

#include "base/error.h"
#include "capture/hooks.h"
#include "capture/request.h"
#include "kernel/kernel.h"
#include "select/resolve/late.h"
#include "select/resolve/rule.h"
#include "select/resolve/select.h"
#include "select/resolve/tpoints.h"
#include "session/session.h"

/* Initialize with zeroes. */
struct fargs_choice {
	const struct fargs_list *btf;	/* of the request */
	struct fargs_bind_options bind;	/* for functions */
	struct fargs_bind_options tpoint_bind;
	struct fargs_rules rules;	/* for functions; parsed once */
	struct fargs_rules tpoint_rules;
	struct fargs_kernel kernel;
	struct fargs_late late;		/* of modules that are not loaded */
	struct fargs_select *sel;	/* NULL: all are deferred, or there are none */
	struct fargs_tpoints tpoints;
};

/*
 * Call these in this order. Each returns 0, or -errno with the reason. Call fargs_choice_deinit()
 * in either case.
 */

/* Parses all selectors of @r, which must outlive @c. Does not access the kernel. */
int fargs_choice_read(struct fargs_choice *c, const struct fargs_capture_request *r,
		      struct fargs_error_text *err);
/* Fills c->kernel with symbols and BTF of this machine. Takes seconds. */
int fargs_choice_load(struct fargs_choice *c, struct fargs_error_text *err);
/*
 * Finds the matches of the selectors in c->kernel, and makes their layouts. @tsc_khz: rate of the
 * TSC, to convert durations. Passes warnings about BTF to @hooks.
 */
int fargs_choice_find(struct fargs_choice *c, uint32_t tsc_khz,
		      const struct fargs_capture_hooks *hooks, struct fargs_error_text *err);
/* Adds the layouts to the session, and passes the selected and the refused functions to @hooks. */
int fargs_choice_add(struct fargs_choice *c, struct fargs_session *session,
		     const struct fargs_capture_hooks *hooks, struct fargs_error_text *err);
void fargs_choice_deinit(struct fargs_choice *c);

#endif
