/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The events that perf script synthesizes from an Intel PT trace: their names, attributes and ids.
 */
#ifndef FARGS_PLUGIN_DLFILTER_PT_EVENTS_H
#define FARGS_PLUGIN_DLFILTER_PT_EVENTS_H

#include <linux/perf_event.h>
#include <stdbool.h>
#include <stdint.h>

#include "source/pt/decode/flow.h"
#include "source/pt/events/branches.h"
#include "source/pt/input/input.h"

/* In the order in which perf allocates their ids. */
enum fargs_dlfilter_pt_kind {
	FARGS_DLFILTER_PT_BRANCHES,
	FARGS_DLFILTER_PT_INSNS,
	FARGS_DLFILTER_PT_CYCLES,
	FARGS_DLFILTER_PT_TRANSACTIONS,
	FARGS_DLFILTER_PT_PTWRITE,
	FARGS_DLFILTER_PT_CBR,
	FARGS_DLFILTER_PT_PSB,
	FARGS_DLFILTER_PT_MWAIT,
	FARGS_DLFILTER_PT_PWRE,
	FARGS_DLFILTER_PT_EXSTOP,
	FARGS_DLFILTER_PT_PWRX,
	FARGS_DLFILTER_PT_EVT,
	FARGS_DLFILTER_PT_IFLAG,
	FARGS_DLFILTER_PT_KINDS
};

struct fargs_dlfilter_pt_event {
	char *name;
	struct perf_event_attr attr;
	uint64_t id;
	bool is_there;		/* perf synthesizes it, and allocates the id for it */
};

/* Sets @events, to be passed to the deinit function even on failure. Returns 0 or -ENOMEM. */
int fargs_dlfilter_pt_events_init(struct fargs_dlfilter_pt_event events[FARGS_DLFILTER_PT_KINDS],
				  const struct fargs_pt_input *in,
				  const struct fargs_pt_which *which);
void fargs_dlfilter_pt_events_deinit(struct fargs_dlfilter_pt_event *events);

/* Returns the kind of event that is made of @item. */
enum fargs_dlfilter_pt_kind fargs_dlfilter_pt_kind_of(const struct fargs_pt_item *item);

#endif
