/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The formats of a recording's events that have the names of flags (kernel/value/symbolic.h). A
 * file keeps them, so that it is shown with the names of the kernel that it was recorded on.
 */
#ifndef FARGS_MODEL_FLAG_FORMATS_H
#define FARGS_MODEL_FLAG_FORMATS_H

#include "kernel/value/symbolic.h"
#include "model/meta.h"

/*
 * Adds the format of the running kernel to meta->flag_formats, unless it is in meta->formats. Adds
 * nothing if tracefs is not available. Returns 0 or -ENOMEM.
 */
int fargs_flag_formats_read(struct fargs_meta *meta);

/*
 * Creates the namings of a recording's numbers. @meta must outlive them. Returns NULL if there is
 * no memory.
 */
struct fargs_symbolic *fargs_flag_formats_symbolic(struct fargs_meta *meta);

#endif
