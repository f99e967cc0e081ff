// SPDX-License-Identifier: GPL-2.0-only
#include "plugin/dlfilter/pt_events.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

#include "source/perf_data/event_name.h"
#include "source/pt/events/period.h"

/* perf adds this number to the id of the event that recorded the trace. */
#define FIRST_ID	1000000000
/* perf's type of events that have no counterpart in hardware, and their numbers. */
#define TYPE_SYNTH	0x80000000

enum synth {
	SYNTH_PTWRITE, SYNTH_MWAIT, SYNTH_PWRE, SYNTH_EXSTOP, SYNTH_PWRX, SYNTH_CBR, SYNTH_PSB,
	SYNTH_EVT, SYNTH_IFLAG,
};

/* @name: NULL: by type and configuration, with modifiers. */
static const struct {
	const char *name;
	uint32_t type, config;
} all[FARGS_DLFILTER_PT_KINDS] = {
	[FARGS_DLFILTER_PT_BRANCHES] = { NULL, PERF_TYPE_HARDWARE,
					 PERF_COUNT_HW_BRANCH_INSTRUCTIONS },
	[FARGS_DLFILTER_PT_INSNS] = { NULL, PERF_TYPE_HARDWARE, PERF_COUNT_HW_INSTRUCTIONS },
	[FARGS_DLFILTER_PT_CYCLES] = { NULL, PERF_TYPE_HARDWARE, PERF_COUNT_HW_CPU_CYCLES },
	[FARGS_DLFILTER_PT_TRANSACTIONS] = { "transactions", PERF_TYPE_HARDWARE,
					     PERF_COUNT_HW_INSTRUCTIONS },
	[FARGS_DLFILTER_PT_PTWRITE] = { "ptwrite", TYPE_SYNTH, SYNTH_PTWRITE },
	[FARGS_DLFILTER_PT_CBR] = { "cbr", TYPE_SYNTH, SYNTH_CBR },
	[FARGS_DLFILTER_PT_PSB] = { "psb", TYPE_SYNTH, SYNTH_PSB },
	[FARGS_DLFILTER_PT_MWAIT] = { "mwait", TYPE_SYNTH, SYNTH_MWAIT },
	[FARGS_DLFILTER_PT_PWRE] = { "pwre", TYPE_SYNTH, SYNTH_PWRE },
	[FARGS_DLFILTER_PT_EXSTOP] = { "exstop", TYPE_SYNTH, SYNTH_EXSTOP },
	[FARGS_DLFILTER_PT_PWRX] = { "pwrx", TYPE_SYNTH, SYNTH_PWRX },
	[FARGS_DLFILTER_PT_EVT] = { "evt", TYPE_SYNTH, SYNTH_EVT },
	[FARGS_DLFILTER_PT_IFLAG] = { "iflag", TYPE_SYNTH, SYNTH_IFLAG },
};

/* Is an id allocated for the event? */
static bool has_event(enum fargs_dlfilter_pt_kind kind, const struct fargs_pt_config *config,
		      const struct fargs_pt_which *which)
{
	switch (kind) {
	case FARGS_DLFILTER_PT_BRANCHES:
		return which->has_branches || which->has_calls || which->has_returns;
	case FARGS_DLFILTER_PT_INSNS:
		return which->insn_period && !which->omits_insns;
	case FARGS_DLFILTER_PT_CYCLES:
		return which->has_cycles;
	case FARGS_DLFILTER_PT_TRANSACTIONS:
		return which->wants & FARGS_PT_WANTS_TSX;
	case FARGS_DLFILTER_PT_PTWRITE:
		return which->has_ptwrites;
	case FARGS_DLFILTER_PT_CBR:
	case FARGS_DLFILTER_PT_PSB:
		return which->wants & FARGS_PT_WANTS_POWER;
	case FARGS_DLFILTER_PT_MWAIT:
	case FARGS_DLFILTER_PT_PWRE:
	case FARGS_DLFILTER_PT_EXSTOP:
	case FARGS_DLFILTER_PT_PWRX:
		return which->wants & FARGS_PT_WANTS_POWER && config->has_power;
	default:
		return which->wants & FARGS_PT_WANTS_EVENTS && config->has_event_trace;
	}
}

/* Sets what all events share. */
static void set_base(struct perf_event_attr *attr, const struct fargs_pt_input *in,
		     const struct fargs_pt_which *which)
{
	const struct fargs_pt_config *config = &in->config;

	*attr = (struct perf_event_attr){
		.size = sizeof(*attr), .exclude_kernel = !config->has_kernel,
		.exclude_user = !config->has_user,
	};
	if (in->attr.size) {
		attr->sample_type = in->attr.sample_type & (PERF_SAMPLE_ID |
							    PERF_SAMPLE_STREAM_ID |
							    PERF_SAMPLE_IDENTIFIER);
		attr->exclude_hv = in->attr.exclude_hv;
		attr->exclude_host = in->attr.exclude_host;
		attr->exclude_guest = in->attr.exclude_guest;
		attr->sample_id_all = in->attr.sample_id_all;
		attr->read_format = in->attr.read_format;
	}
	attr->sample_type |= PERF_SAMPLE_IP | PERF_SAMPLE_TID;
	/* perf's events of a trace without TSC have no times. */
	attr->sample_type &= ~PERF_SAMPLE_TIME;
	if (config->has_time && config->has_tsc)
		attr->sample_type |= PERF_SAMPLE_TIME;
	if (in->nr_streams && in->streams[0].cpu != UINT32_MAX)
		attr->sample_type |= PERF_SAMPLE_CPU;
	if (which->chain_max)
		attr->sample_type |= PERF_SAMPLE_CALLCHAIN;
	if (which->branches_max) {
		attr->sample_type |= PERF_SAMPLE_BRANCH_STACK;
		attr->branch_sample_type = PERF_SAMPLE_BRANCH_HW_INDEX;
	}
}

static void set_attr(struct perf_event_attr *attr, enum fargs_dlfilter_pt_kind kind,
		     const struct fargs_pt_config *config, const struct fargs_pt_which *which)
{
	attr->type = all[kind].type;
	attr->config = all[kind].config;
	attr->sample_period = 1;
	if (attr->type == TYPE_SYNTH)
		attr->sample_type |= PERF_SAMPLE_RAW;
	switch (kind) {
	case FARGS_DLFILTER_PT_BRANCHES:
		/* Branches have neither call chains nor last branches. */
		attr->sample_type &= ~(uint64_t)(PERF_SAMPLE_CALLCHAIN | PERF_SAMPLE_BRANCH_STACK);
		attr->sample_type |= PERF_SAMPLE_ADDR | PERF_SAMPLE_PERIOD;
		attr->branch_sample_type = 0;
		break;
	case FARGS_DLFILTER_PT_INSNS:
	case FARGS_DLFILTER_PT_CYCLES:
		attr->sample_type |= PERF_SAMPLE_PERIOD;
		attr->sample_period = which->insn_unit == FARGS_ITRACE_NS ?
				      fargs_pt_period_ticks(config, which->insn_period) :
				      which->insn_period;
		break;
	default:
		break;
	}
}

/*
 * Returns the name. Recordings of fargs have no attributes: for these, the names of branches and
 * the like have a colon even if there is no modifier, which filters of perf look for.
 */
static char *name_of(enum fargs_dlfilter_pt_kind kind, const struct fargs_pt_input *in,
		     const struct perf_event_attr *attr)
{
	static const char *const words[] = { "branches", "instructions", "cycles" };
	char *name;

	if (!all[kind].name && in->attr.size)
		return fargs_perf_event_name(attr);
	if (all[kind].name)
		return asprintf(&name, "%s", all[kind].name) < 0 ? NULL : name;
	return asprintf(&name, "%s:%s", words[kind], fargs_pt_config_modifier(&in->config)) < 0 ?
	       NULL : name;
}

int fargs_dlfilter_pt_events_init(struct fargs_dlfilter_pt_event events[FARGS_DLFILTER_PT_KINDS],
				  const struct fargs_pt_input *in,
				  const struct fargs_pt_which *which)
{
	uint64_t id = in->event_id + FIRST_ID;
	unsigned int i;

	for (i = 0; i < FARGS_DLFILTER_PT_KINDS; i++) {
		set_base(&events[i].attr, in, which);
		set_attr(&events[i].attr, i, &in->config, which);
		events[i].id = id;
		events[i].is_there = has_event(i, &in->config, which);
		id += events[i].is_there;
		events[i].name = name_of(i, in, &events[i].attr);
		if (!events[i].name)
			return -ENOMEM;
	}
	return 0;
}

void fargs_dlfilter_pt_events_deinit(struct fargs_dlfilter_pt_event *events)
{
	unsigned int i;

	for (i = 0; i < FARGS_DLFILTER_PT_KINDS; i++)
		free(events[i].name);
}

enum fargs_dlfilter_pt_kind fargs_dlfilter_pt_kind_of(const struct fargs_pt_item *item)
{
	switch (item->kind) {
	case FARGS_PT_EXECUTED:
		return item->to & FARGS_PT_CYCLES ? FARGS_DLFILTER_PT_CYCLES :
						    FARGS_DLFILTER_PT_INSNS;
	case FARGS_PT_TSX:
		return FARGS_DLFILTER_PT_TRANSACTIONS;
	case FARGS_PT_PTWRITE:
		return FARGS_DLFILTER_PT_PTWRITE;
	case FARGS_PT_CBR:
		return FARGS_DLFILTER_PT_CBR;
	case FARGS_PT_PSB:
		return FARGS_DLFILTER_PT_PSB;
	case FARGS_PT_MWAIT:
		return FARGS_DLFILTER_PT_MWAIT;
	case FARGS_PT_PWRE:
		return FARGS_DLFILTER_PT_PWRE;
	case FARGS_PT_EXSTOP:
		return FARGS_DLFILTER_PT_EXSTOP;
	case FARGS_PT_PWRX:
		return FARGS_DLFILTER_PT_PWRX;
	case FARGS_PT_CFE:
		return FARGS_DLFILTER_PT_EVT;
	case FARGS_PT_IFLAG:
		return FARGS_DLFILTER_PT_IFLAG;
	default:
		return FARGS_DLFILTER_PT_BRANCHES;
	}
}
