// SPDX-License-Identifier: GPL-2.0-only
#include "source/pt/decode/libipt/engine.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "source/pt/code/insn.h"
#include "source/pt/decode/libipt/config.h"
#include "source/pt/decode/libipt/state.h"
#include "source/pt/decode/truncated.h"
#include "source/pt/packet/psb.h"

static void find_seq_sites(struct fargs_pt_libipt *d)
{
	size_t i;

	d->first_site = UINT64_MAX;
	for (i = 0; i < FARGS_PT_SITES; i++) {
		uint64_t site = d->in->seq_sites[i];

		if (site && site < d->first_site)
			d->first_site = site;
		if (site > d->last_site)
			d->last_site = site;
	}
}

struct fargs_pt_libipt *fargs_pt_libipt_create(const struct fargs_pt_input *in,
						 struct fargs_pt_sections *text,
						 uint64_t switch_addr)
{
	struct fargs_pt_libipt *d = calloc(1, sizeof(*d));

	if (!d)
		return NULL;
	d->in = in;
	d->switch_addr = switch_addr;
	d->tick = fargs_pt_flow_tick(&in->config);
	find_seq_sites(d);
	d->programs = fargs_pt_programs_create(in, fargs_pt_flow_lag(&in->config), d->tick,
					       switch_addr && in->config.has_kernel);
	d->has_programs = d->programs && fargs_pt_programs_are_several(d->programs);
	d->images = fargs_pt_images_create(in, text, d->programs);
	d->known = calloc(FARGS_PT_KNOWN_BRANCHES, sizeof(*d->known));
	d->targets = calloc(FARGS_PT_KNOWN_TARGETS, sizeof(*d->targets));
	if (!d->programs || !d->images || !d->known || !d->targets) {
		fargs_pt_libipt_destroy(d);
		return NULL;
	}
	return d;
}

void fargs_pt_libipt_step_by_insn(struct fargs_pt_libipt *d)
{
	d->is_by_insn = true;
}

void fargs_pt_libipt_count_cycles(struct fargs_pt_libipt *d)
{
	d->has_cycles = d->in->config.has_cyc;
}

void fargs_pt_libipt_want(struct fargs_pt_libipt *d, uint8_t wants)
{
	d->wants = wants;
}

void fargs_pt_libipt_skip_jumps(struct fargs_pt_libipt *d, const struct fargs_pt_names *names)
{
	d->begins = names;
	d->skipped = UINT64_C(1) << ptic_jump | UINT64_C(1) << ptic_cond_jump;
}

void fargs_pt_libipt_destroy(struct fargs_pt_libipt *d)
{
	if (!d)
		return;
	fargs_pt_images_destroy(d->images);
	fargs_pt_programs_destroy(d->programs);
	free(d->window.bytes);
	free(d->known);
	free(d->targets);
	free(d);
}

/*
 * The trace ends with a branch. Nothing shows what was executed after it, but its target is known:
 * the next block would have begun there.
 */
static void add_last_branch(struct fargs_pt_libipt *d)
{
	if (d->next_ip)
		fargs_pt_arrive(d, d->next_ip);
}

/*
 * Synchronizes with the first PSB or, after an error, with the first PSB that the flow has not
 * passed. Returns libipt's status, or -pte_eos if this PSB belongs to the next segment.
 * pt_blk_sync_forward() would instead continue after the packets that libipt has read ahead, and
 * might skip PSBs.
 */
static int synchronize(struct fargs_pt_libipt *d, bool is_first)
{
	uint64_t from, offset = 0;

	d->is_new = true;
	if (!is_first) {
		from = d->passed > d->sync_offset ? d->passed : d->sync_offset + 1;
		offset = fargs_pt_psb_find(d->bytes, d->nr_bytes, from);
		if (offset == d->nr_bytes || offset >= d->seg->next - d->seg->begin)
			return -pte_eos;
		d->offset = offset;
		d->sync_offset = offset;
		if (d->cycles)
			fargs_pt_cycles_sync(d->cycles, offset);
	}
	return fargs_pt_stepper_sync_set(&d->stepper, offset);
}

static void fail_decoding(struct fargs_pt_libipt *d, int status)
{
	struct fargs_pt_flow *flow = d->flow;
	uint64_t offset;

	if (!status) {
		/* The decoder was stuck: everything since the last packet may be wrong. */
		flow->nr = d->nr_sure;
		d->nr_insns = d->nr_sure_insns;
		while (flow->nr_cycle_marks &&
		       flow->cycles[flow->nr_cycle_marks - 1].item >= flow->nr)
			flow->nr_cycle_marks--;
		d->nr_in_items = d->nr_insns;
	}
	/* There is no code at next_ip; everything before it is correct. */
	if (status == -pte_nomap && d->next_ip)
		fargs_pt_arrive(d, d->next_ip);
	if (fargs_pt_stepper_get_offset(&d->stepper, &offset) >= 0)
		d->offset = offset;
	fargs_pt_add_item(d, FARGS_PT_ERROR, status ? d->next_ip : d->last_ip, 0)->error = -status;
	fargs_pt_forget(d);
	d->is_lost = true;
}

static int decode_segment(struct fargs_pt_libipt *d)
{
	int status = synchronize(d, true);

	for (;;) {
		d->next_ip = 0;
		if (status >= 0) {
			d->flow->is_broken = false;
			status = fargs_pt_follow(d, status);
		}
		if (status == -pte_eos) {
			if (d->seg->is_last)
				add_last_branch(d);
			return 0;
		}
		if (status == -pte_nomem || d->is_short)
			return -ENOMEM;
		fail_decoding(d, status);
		d->flow->is_broken = true;
		status = synchronize(d, false);
	}
}

/* Adds an item for the bytes before the segment's PSB, which cannot be decoded. */
static void add_skipped(struct fargs_pt_libipt *d)
{
	const struct fargs_pt_segment *seg = d->seg;
	struct fargs_pt_item *item;

	if (!seg->is_after_loss && !seg->is_after_gap && seg->skipped == seg->begin)
		return;
	item = fargs_pt_add_item(d, seg->is_after_loss ? FARGS_PT_LOST : FARGS_PT_SKIPPED, 0,
				 seg->begin - seg->skipped);
	item->offset = seg->skipped;
}

/* Sets up libipt for the segment. Returns 0, 1 if there is nothing to decode, or -ENOMEM. */
static int start_segment(struct fargs_pt_libipt *d)
{
	const struct fargs_pt_segment *seg = d->seg;
	struct fargs_pt_code_now now;
	struct pt_config config;
	const uint8_t *bytes;
	uint64_t got;
	int64_t whole;

	bytes = fargs_pt_window_get(&d->window, seg->stream, seg->piece, seg->begin,
				    seg->end - seg->begin, &got);
	if (!bytes)
		return -ENOMEM;
	fargs_pt_libipt_configure(&config, &d->in->config, bytes, got);
	whole = seg->is_last ? fargs_pt_complete_bytes(&config) : (int64_t)got;
	if (whole <= 0)
		return whole ? -ENOMEM : 1;
	config.end = config.begin + whole;
	d->bytes = bytes;
	d->nr_bytes = whole;
	if (fargs_pt_images_begin(d->images, seg, &now) ||
	    !fargs_pt_stepper_init(&d->stepper, &config, d->is_by_insn) ||
	    fargs_pt_stepper_set_image(&d->stepper, now.libipt) < 0)
		return -ENOMEM;
	fargs_pt_use_code(d, &now);
	if (d->in->nr_pokes)
		d->epoch++;
	if (d->has_cycles) {
		d->cycles = fargs_pt_cycles_create(&config, seg->next - seg->begin,
						   d->in->config.has_cyc_thresh);
		if (!d->cycles)
			return -ENOMEM;
	}
	return 0;
}

/* Resets the decoder to the beginning of @seg, and empties @flow. */
static void reset_decoder(struct fargs_pt_libipt *d, const struct fargs_pt_segment *seg,
			  struct fargs_pt_flow *flow)
{
	size_t i;

	d->seg = seg;
	d->flow = flow;
	d->tsc = seg->tsc;
	for (i = 0; i < sizeof(d->times) / sizeof(d->times[0]); i++)
		d->times[i] = seg->tsc;
	d->nr_ticks = 0;
	d->offset = 0;
	d->sync_offset = 0;
	d->overflow = 0;
	d->passed = 0;
	d->aborted = UINT64_MAX;
	d->nr_insns = 0;
	d->nr_in_items = 0;
	d->is_short = false;
	d->in_tx = 0;
	d->is_lost = seg->is_first;
	fargs_pt_forget(d);
	flow->nr = 0;
	flow->nr_insns = 0;
	flow->nr_rest = 0;
	flow->end_tsc = 0;
	flow->nr_cycle_marks = 0;
	flow->nr_cycles = 0;
	flow->is_broken = false;
}

int fargs_pt_libipt_run(struct fargs_pt_libipt *d, const struct fargs_pt_segment *seg,
			 struct fargs_pt_flow *flow)
{
	int ret;

	reset_decoder(d, seg, flow);
	add_skipped(d);
	/* The segment is empty if no PSB follows a loss. */
	if (seg->begin == seg->end)
		return d->is_short ? -ENOMEM : 0;
	ret = start_segment(d);
	if (!ret)
		ret = decode_segment(d);
	flow->nr_insns = d->nr_insns;
	flow->nr_rest = d->nr_insns - d->nr_in_items;
	flow->end_tsc = d->tsc;
	if (d->cycles)
		flow->nr_cycles = fargs_pt_cycles_finish(d->cycles);
	fargs_pt_cycles_destroy(d->cycles);
	d->cycles = NULL;
	fargs_pt_stepper_deinit(&d->stepper);
	return ret < 0 || d->is_short ? -ENOMEM : 0;
}
