/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What a capture has not recorded, told on standard error: nothing if there is
 * nothing to tell.
 */
#ifndef FARGS_LOSSES_H
#define FARGS_LOSSES_H

#include "decode/meta.h"
#include "uapi/fargs.h"

/* After the stop: @meta->stats and @stats are those that the module gave then. */
void fargs_losses_tell(const struct fargs_meta *meta, const struct fargs_stats *stats);

#endif
