/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Makes the event of a sample that has a trace (in->sampled), with the values of those of
 * perf.data: ip, symbol, dso and period.
 */
#ifndef FARGS_SOURCE_PT_EVENTS_SAMPLED_H
#define FARGS_SOURCE_PT_EVENTS_SAMPLED_H

#include "model/event.h"
#include "source/pt/decode/names.h"
#include "source/pt/input/input.h"

#define FARGS_PT_SAMPLED_VALUES	4

/* What the event points to. */
struct fargs_pt_sampled_data {
	struct fargs_event_sample sample;
	struct fargs_arg args[FARGS_PT_SAMPLED_VALUES];
};

/* Makes *@ev of @from. The strings in it are those of @in and @names. */
void fargs_pt_sampled_make(struct fargs_event *ev, struct fargs_pt_sampled_data *data,
			   const struct fargs_pt_input *in, const struct fargs_pt_names *names,
			   const struct fargs_pt_sampled *from);

#endif
