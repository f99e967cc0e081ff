// SPDX-License-Identifier: GPL-2.0-only
#include "source/pt/decode/walk/walker.h"

#include <errno.h>
#include <intel-pt.h>
#include <stdlib.h>
#include <string.h>

#include "source/pt/decode/walk/state.h"
#include "source/pt/packet/psb.h"

static bool begins(const void *arg, uint64_t ip)
{
	return fargs_pt_names_may_begin(arg, ip) && fargs_pt_names_begins(arg, ip);
}

/* Returns 0 or -ENOMEM. */
static int set_marks(struct fargs_pt_walker *w)
{
	const struct fargs_pt_input *in = w->in;
	const uint64_t *sites;
	size_t i, k;

	/* The last ones are those of a guest of which nothing is known. */
	w->all_marks = calloc(in->nr_guests + 2, sizeof(*w->all_marks));
	if (!w->all_marks)
		return -ENOMEM;
	for (i = 0; i <= in->nr_guests; i++) {
		sites = i ? in->guests[i - 1].in.seq_sites : in->seq_sites;
		for (k = 0; k < FARGS_PT_SITES; k++) {
			w->all_marks[i][k] = sites[k];
			w->has_sites |= sites[k] != 0;
		}
	}
	w->all_marks[0][FARGS_PT_SITES] = w->options.switch_addr;
	w->marks = w->all_marks[0];
	return 0;
}

struct fargs_pt_walker *fargs_pt_walker_create(const struct fargs_pt_input *in,
					       const struct fargs_pt_memory *memory,
					       const struct fargs_pt_walker_options *options)
{
	struct fargs_pt_walker *w = calloc(1, sizeof(*w));
	size_t i;

	if (!w)
		return NULL;
	w->in = in;
	w->memory = memory;
	w->options = *options;
	/* As in perf, whose first jump does not count. */
	w->max_jumps = 1 + (in->settings.max_loops ? in->settings.max_loops : FARGS_PT_MAX_LOOPS);
	w->is_by_insn = options->is_by_insn || options->is_by_block;
	w->is_by_block = options->is_by_block;
	w->omits_jumps = options->omits_jumps;
	w->has_cycles = options->has_cycles &&
			(in->config.has_cyc || fargs_pt_leads_ratio(&in->config));
	w->is_noted = w->has_cycles || in->config.has_event_trace;
	w->tick = fargs_pt_flow_tick(&in->config);
	if (set_marks(w)) {
		fargs_pt_walker_destroy(w);
		return NULL;
	}
	w->forms = fargs_pt_forms_create();
	w->graph_options = (struct fargs_pt_graph_options){
		.has_sizes = w->is_by_insn, .marks = w->all_marks[0],
		.nr_marks = FARGS_PT_WALK_MARKS, .begins = options->begins ? begins : NULL,
		.arg = options->begins, .forms = w->forms, .nr_changes = &w->nr_changes,
	};
	w->programs = fargs_pt_programs_create(in, fargs_pt_flow_lag(&in->config), w->tick,
					       options->switch_addr && in->config.has_kernel);
	w->has_programs = in->nr_spaces > 1;
	w->kernel = fargs_pt_graph_create(memory, -1, &w->graph_options);
	w->host_kernel = w->kernel;
	w->guests = calloc(in->nr_guests + 1, sizeof(struct fargs_pt_graph *));
	w->nr_spaces = in->nr_spaces;
	for (i = 0; i < in->nr_guests; i++)
		w->nr_spaces += in->guests[i].in.nr_spaces;
	w->spaces = calloc(w->nr_spaces + 1, sizeof(*w->spaces));
	/* If instructions have items, nothing would be saved. */
	if (!w->is_by_insn && !options->has_no_runs)
		w->runs = fargs_pt_runs_create(&w->nr_changes);
	if (!w->programs || !w->forms || !w->kernel || !w->spaces ||
	    !w->guests) {
		fargs_pt_walker_destroy(w);
		return NULL;
	}
	return w;
}

void fargs_pt_walker_destroy(struct fargs_pt_walker *w)
{
	size_t i;

	if (!w)
		return;
	fargs_pt_programs_destroy(w->programs);
	fargs_pt_graph_destroy(w->host_kernel);
	for (i = 0; w->guests && i <= w->in->nr_guests; i++)
		fargs_pt_graph_destroy(w->guests[i]);
	free(w->guests);
	free(w->all_marks);
	for (i = 0; w->spaces && i < w->nr_spaces; i++)
		fargs_pt_graph_destroy(w->spaces[i].graph);
	free(w->spaces);
	fargs_pt_runs_destroy(w->runs);
	fargs_pt_forms_destroy(w->forms);
	free(w->window.bytes);
	free(w);
}

/*
 * Returns whether @status shows that the trace may be damaged. Otherwise, code is missing, or was
 * before: then a compressed return may be of a call that is not known.
 */
static bool is_of_trace(int status)
{
	return status != -pte_nomap && status != -pte_noip && status != -pte_retstack_empty &&
	       status != -pte_nomem;
}

/* Adds an ERROR. What follows is unknown until a packet has an address. */
static void fail_decoding(struct fargs_pt_walker *w, int status)
{
	bool is_stuck = status == -pte_internal;
	uint64_t ip;

	if (is_stuck)
		fargs_pt_walk_discard_unsure(w);
	/* Before bytes that are no packet, few branches are wrong. */
	if (is_of_trace(status) && status != -pte_bad_opc)
		fargs_pt_walk_discard_last(w);
	if (is_stuck)
		ip = w->last_ip;
	else if (w->at && !w->at->nr_insns)
		ip = w->at->ip;
	else
		ip = w->at ? w->at->last_ip : w->last_ip;
	if (w->lead.kind != FARGS_PT_LEAD_NONE)
		w->offset = w->lead.offset;
	if (w->has_vm || w->is_vm_due)
		fargs_pt_walk_repeat_vm(w);
	fargs_pt_walk_add(w, FARGS_PT_ERROR, ip, 0)->error = is_stuck ? 0 : -status;
	w->at = NULL;
	w->last_ip = 0;
	w->nr_bits = 0;
	w->depth = 0;
	w->is_lost = true;
	w->flow->is_broken = true;
	if (w->lead.kind == FARGS_PT_LEAD_NONE)
		fargs_pt_walk_read(w);
	if (!is_of_trace(status))
		return;
	fargs_pt_leads_doubt(&w->leads, &w->lead);
	memset(w->times, 0, sizeof(w->times));
}

/* Continues at @ip, which is in the lead. @was_on: the CPU was already being traced. */
static void resume_at(struct fargs_pt_walker *w, uint64_t ip, bool was_on)
{
	fargs_pt_walk_use_lead(w);
	w->is_on = true;
	w->depth = 0;
	fargs_pt_walk_begin(w, ip, was_on);
	fargs_pt_walk_enter_after_hole(w, ip);
	w->at = fargs_pt_walk_node(w, ip, w->mode);
}

/* Returns whether the code at @ip is missing. */
static bool is_missing(struct fargs_pt_walker *w, uint64_t ip)
{
	struct fargs_pt_node *node;

	fargs_pt_walk_enter_after_hole(w, ip);
	node = fargs_pt_walk_node(w, ip, w->mode);
	return node && node->kind == FARGS_PT_NODE_MISSING;
}

/*
 * Continues at @ip, where a branch or a PSB is. After an error, where code is missing at @ip, too,
 * the hole continues: otherwise, programs whose code is missing would have an error at each TIP.
 */
static void resume_in_code(struct fargs_pt_walker *w, uint64_t ip)
{
	fargs_pt_walk_use_lead(w);
	w->is_on = true;
	if (!w->flow->is_broken || !is_missing(w, ip))
		resume_at(w, ip, true);
}

/* Continues at the next PSB of the segment. Returns 0, or 1 if there is none. */
static int skip_to_psb(struct fargs_pt_walker *w)
{
	/* Bytes of the PSB may have been read as a packet before the bad one. */
	uint64_t before = FARGS_PT_PACKET_MAX - 1;
	uint64_t from = w->lead.offset > before ? w->lead.offset - before : 0;
	uint64_t offset = fargs_pt_psb_find(w->bytes, w->nr_bytes, from);

	if (offset == w->nr_bytes || offset >= w->seg->next - w->seg->begin)
		return 1;
	fargs_pt_leads_sync(&w->leads, offset);
	return 0;
}

/* Takes a lead while tracing is off, or where it is unknown what is executed. */
static int take_lead_off(struct fargs_pt_walker *w)
{
	struct fargs_pt_lead *lead = &w->lead;
	uint8_t changes;

	switch (lead->kind) {
	case FARGS_PT_LEAD_TIP:
		if (lead->has_to)
			resume_in_code(w, lead->to);
		break;
	case FARGS_PT_LEAD_ASYNC:
	case FARGS_PT_LEAD_ASYNC_OFF:
		/* The lead is not used up: it is an event at w->at, which may be a VM exit. */
		changes = lead->changes;
		lead->changes &= ~FARGS_PT_CHANGES_GUEST;
		resume_at(w, lead->at, true);
		lead->changes = changes;
		return 0;
	case FARGS_PT_LEAD_FUP:
		resume_in_code(w, lead->at);
		break;
	case FARGS_PT_LEAD_PGE:
		if (lead->has_to)
			resume_at(w, lead->to, false);
		break;
	case FARGS_PT_LEAD_PGD:
		fargs_pt_walk_use_lead(w);
		w->is_on = false;
		break;
	case FARGS_PT_LEAD_PSB:
		/* The next segment begins with the code of this time: report what changed. */
		fargs_pt_walk_use_lead(w);
		fargs_pt_walk_add_notes(w, lead->has_at ? lead->at : 0);
		if (lead->offset + w->seg->begin == w->seg->next)
			return 1;
		if (lead->has_at)
			resume_in_code(w, lead->at);
		else
			w->is_on = false;
		break;
	case FARGS_PT_LEAD_PTW:
		/* The lead is not used up: it is an event at w->at. */
		if (lead->has_at && w->is_on) {
			resume_at(w, lead->at, true);
			return 0;
		}
		/* Branches are not traced, or no PTWRITE is there. */
		fargs_pt_walk_use_lead(w);
		fargs_pt_walk_add(w, FARGS_PT_PTWRITE, lead->at, lead->value)->flags |=
			lead->has_at ? FARGS_PT_EXACT : 0;
		break;
	case FARGS_PT_LEAD_OVF:
		return fargs_pt_walk_event(w);
	case FARGS_PT_LEAD_NOTED:
		/* The lead is not used up, as above. */
		if (lead->has_at && w->is_on) {
			resume_at(w, lead->at, true);
			return 0;
		}
		fargs_pt_walk_use_lead(w);
		fargs_pt_walk_add_notes(w, lead->has_at ? lead->at : 0);
		break;
	case FARGS_PT_LEAD_BAD:
		/* One error for each gap. */
		if (!w->flow->is_broken)
			fail_decoding(w, -pte_bad_opc);
		if (skip_to_psb(w))
			return 1;
		break;
	case FARGS_PT_LEAD_END:
		return 1;
	}
	fargs_pt_walk_read(w);
	return 0;
}

static int decode_segment(struct fargs_pt_walker *w)
{
	int status;

	fargs_pt_walk_read(w);
	do {
		if (w->is_on && w->at) {
			status = fargs_pt_walk(w);
			if (!status)
				status = fargs_pt_walk_event(w);
		} else {
			status = take_lead_off(w);
		}
		if (w->is_short)
			return -ENOMEM;
		if (status < 0)
			fail_decoding(w, status);
	} while (status != 1);
	return 0;
}

/*
 * Adds an item for the bytes before the segment's PSB, which cannot be decoded, and for trace
 * before them that was not recorded.
 */
static void add_skipped(struct fargs_pt_walker *w)
{
	const struct fargs_pt_segment *seg = w->seg;
	struct fargs_pt_item *item;

	if (!seg->is_after_loss && !seg->is_after_gap && seg->skipped == seg->begin)
		return;
	item = fargs_pt_walk_add(w, seg->is_after_loss ? FARGS_PT_LOST : FARGS_PT_SKIPPED, 0,
				 seg->begin - seg->skipped);
	item->offset = seg->skipped;
}

static int start_segment(struct fargs_pt_walker *w)
{
	const struct fargs_pt_segment *seg = w->seg;
	uint64_t bytes = seg->end - seg->begin, got;

	w->bytes = fargs_pt_window_get(&w->window, seg->stream, seg->piece, seg->begin,
				       bytes + FARGS_PT_AHEAD, &got);
	if (!w->bytes || fargs_pt_walk_begin_code(w))
		return -ENOMEM;
	w->nr_bytes = got < bytes ? got : bytes;
	w->ahead = w->bytes + got;
	fargs_pt_leads_init(&w->leads, &w->in->config, w->bytes, w->nr_bytes,
			    seg->next - seg->begin, w->options.wants);
	return 0;
}

/* Resets the walker to the beginning of @seg, and empties @flow. */
static void reset_walker(struct fargs_pt_walker *w, const struct fargs_pt_segment *seg,
			 struct fargs_pt_flow *flow)
{
	size_t i;

	w->seg = seg;
	w->flow = flow;
	w->tsc = seg->tsc;
	for (i = 0; i < sizeof(w->times) / sizeof(w->times[0]); i++)
		w->times[i] = seg->tsc;
	w->nr_ticks = 0;
	w->flags = 0;
	w->state = 0;
	w->offset = 0;
	w->at = NULL;
	w->nr_bits = 0;
	w->depth = 0;
	w->top = 0;
	w->mode = FARGS_PT_EXEC_64;
	w->nr_insns = 0;
	w->nr_in_items = 0;
	w->nr_sure = 0;
	w->nr_sure_insns = 0;
	w->nr_before[0] = 0;
	w->nr_before[1] = 0;
	w->nr_insns_before[0] = 0;
	w->nr_insns_before[1] = 0;
	w->last_ip = 0;
	w->is_on = false;
	w->nr_switches = 0;
	w->is_guest = false;
	w->is_vm_due = false;
	w->has_vm = false;
	w->is_short = false;
	w->is_lost = seg->is_first;
	w->lead = (struct fargs_pt_lead){ };
	flow->nr = 0;
	flow->nr_insns = 0;
	flow->nr_sizes = 0;
	flow->nr_words = 0;
	flow->nr_rest = 0;
	flow->end_tsc = 0;
	flow->nr_cycle_marks = 0;
	flow->nr_cycles = 0;
	flow->is_broken = false;
}

int fargs_pt_walker_run(struct fargs_pt_walker *w, const struct fargs_pt_segment *seg,
			struct fargs_pt_flow *flow)
{
	int ret;

	reset_walker(w, seg, flow);
	add_skipped(w);
	/* The segment is empty if no PSB follows a loss. */
	if (seg->begin == seg->end)
		return w->is_short ? -ENOMEM : 0;
	ret = start_segment(w);
	if (!ret)
		ret = decode_segment(w);
	flow->nr_insns = w->nr_insns;
	flow->nr_rest = w->nr_insns - w->nr_in_items;
	flow->end_tsc = w->lead.vague ? 0 : w->lead.tsc > w->tsc ? w->lead.tsc : w->tsc;
	if (w->has_cycles)
		flow->nr_cycles = w->leads.nr_cycles;
	return ret < 0 || w->is_short ? -ENOMEM : 0;
}
