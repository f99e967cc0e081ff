/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Describes errors of a trace. Errors that perf also reports are worded as in perf.
 */
#ifndef FARGS_SOURCE_PT_DECODE_ERROR_H
#define FARGS_SOURCE_PT_DECODE_ERROR_H

#include "model/event.h"
#include "source/pt/decode/flow.h"

/* Flags of the letter e of --itrace: errors that are not shown. */
struct fargs_pt_error_flags {
	bool omits_overflows, omits_lost;
};

/* Returns whether @item is not shown because of @flags. */
static inline bool fargs_pt_error_is_omitted(const struct fargs_pt_error_flags *flags,
					     const struct fargs_pt_item *item)
{
	return (flags->omits_overflows && item->kind == FARGS_PT_OVERFLOW) ||
	       (flags->omits_lost && item->kind == FARGS_PT_LOST);
}

/* Fills in @error for @item, an error or changed kernel code (FARGS_PT_POKED). */
void fargs_pt_error_describe(struct fargs_event_error *error, const struct fargs_pt_item *item);

#endif
