/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Selects the functions and tracepoints of a request and adds them to the session.
 */
#ifndef FARGS_CAPTURE_SELECTION_H
#define FARGS_CAPTURE_SELECTION_H

#include "base/error.h"
#include "capture/hooks.h"
#include "capture/request.h"
#include "kernel/kernel.h"
#include "select/resolve/deferred.h"
#include "select/resolve/missing.h"
#include "select/resolve/rule.h"
#include "select/resolve/select.h"
#include "select/resolve/tpoints.h"
#include "session/session.h"

/* Initialize with zeroes. */
struct fargs_selection {
	const struct fargs_list *btf;	/* files and directories with additional BTF */
	uint32_t returns;		/* as in struct fargs_capture_request */
	struct fargs_bind_options bind;	/* options for calls of functions */
	struct fargs_bind_options tpoint_bind;
	struct fargs_rules rules;	/* parsed selectors for functions */
	struct fargs_rules tpoint_rules;
	struct fargs_missing missing;	/* selectors of functions, tracepoints and events */
	struct fargs_kernel kernel;
	struct fargs_deferred deferred;		/* functions of modules that are not loaded */
	struct fargs_select *sel;	/* NULL: all functions are deferred, or none requested */
	struct fargs_tpoints tpoints;
};

/*
 * Call the following functions in this order. Each returns 0, or -errno with the reason. Call
 * fargs_selection_deinit() in either case.
 */

/* Parses all selectors of @r, which must outlive @c. Does not access the kernel. */
int fargs_selection_read(struct fargs_selection *c, const struct fargs_capture_request *r,
			 struct fargs_error_text *err);
/*
 * Fills c->kernel with the symbols and the BTF of the running kernel, which takes seconds. @info
 * describes the module. Fails early, before BTF is read, if it is certain that the selectors match
 * more than @info->returns_max functions with a return probe.
 */
int fargs_selection_load(struct fargs_selection *c, const struct fargs_info *info,
			 struct fargs_error_text *err);
/*
 * Finds the matches of the selectors in c->kernel, and makes their layouts. @info describes the
 * module; only tsc_khz and returns_max are used. Passes warnings about BTF to @hooks.
 */
int fargs_selection_find(struct fargs_selection *c, const struct fargs_info *info,
			 const struct fargs_capture_hooks *hooks, struct fargs_error_text *err);
/* Adds the layouts to the session, and passes the selected and the refused functions to @hooks. */
int fargs_selection_add(struct fargs_selection *c, struct fargs_session *session,
			const struct fargs_capture_hooks *hooks, struct fargs_error_text *err);
/*
 * Is any function or tracepoint to be recorded, now or when its module is loaded? Call after
 * fargs_selection_find().
 */
bool fargs_selection_is_any(const struct fargs_selection *c);
void fargs_selection_deinit(struct fargs_selection *c);

#endif
