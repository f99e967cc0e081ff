/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Prepares the Intel PT trace of a perf.data file for records that fargs wrote to a file of its own
 * at the same time, on the machine that was traced or in a guest of it: sets what join.h needs, if
 * the two recordings belong together.
 */
#ifndef FARGS_SOURCE_PT_JOIN_WITH_H
#define FARGS_SOURCE_PT_JOIN_WITH_H

#include "base/error.h"
#include "model/meta.h"
#include "source/pt/input/input.h"
#include "source/pt/join/join.h"

/*
 * Checks that the records described by @meta can be joined with the trace @in: that it is a trace
 * of CPUs and of the kernel, that both were recorded during the same boot and at the same time, and
 * that the code in @in is the code that ran, with the same build of the module at the same address.
 * Then sets in->seq_sites. If the records are of @guest (NULL: they are of the machine that was
 * traced), that is checked for the guest's code, but boot and time are not compared, since a guest
 * has clocks of its own: its functions must have the same addresses. Returns 0; or -EINVAL or
 * -ENOMEM with @err, which says what is missing and how to record it, without the names of the
 * files.
 */
int fargs_pt_with_check(struct fargs_pt_input *in, const struct fargs_meta *meta,
			const struct fargs_pt_join_guest *guest, struct fargs_error_text *err);

/*
 * Calls fargs_pt_with_check() for the records in the file @with. @path is the file of @in, which
 * must be a perf.data file. Returns 0 or -errno with @err, which names only @with.
 */
int fargs_pt_with_read(struct fargs_pt_input *in, const char *path, const char *with,
		       const struct fargs_pt_join_guest *guest, struct fargs_error_text *err);

#endif
