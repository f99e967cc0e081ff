// SPDX-License-Identifier: GPL-2.0-only
#include "source/pt/decode/walk/quick.h"

#include <errno.h>
#include <intel-pt.h>
#include <stdlib.h>

#include "base/row.h"
#include "source/pt/decode/walk/lead.h"
#include "source/pt/decode/walk/notes.h"
#include "source/pt/packet/psb.h"

struct fargs_pt_quick {
	const struct fargs_pt_input *in;
	enum fargs_pt_quick_level level;
	uint8_t wants;			/* enum fargs_pt_wants */
	struct fargs_pt_window window;
	/* The following members are the state for the current segment. */
	const struct fargs_pt_segment *seg;
	struct fargs_pt_flow *flow;
	const uint8_t *bytes;
	uint64_t nr_bytes;
	struct fargs_pt_leads leads;
	struct fargs_pt_lead lead;
	bool is_guest;			/* in VMX non-root operation */
	bool is_short;			/* out of memory */
	struct fargs_pt_item nowhere;	/* result of add_item() if out of memory */
};

struct fargs_pt_quick *fargs_pt_quick_create(const struct fargs_pt_input *in,
					     enum fargs_pt_quick_level level, uint8_t wants)
{
	struct fargs_pt_quick *q = calloc(1, sizeof(*q));

	if (!q)
		return NULL;
	q->in = in;
	q->level = level;
	q->wants = wants;
	return q;
}

void fargs_pt_quick_destroy(struct fargs_pt_quick *q)
{
	if (!q)
		return;
	free(q->window.bytes);
	free(q);
}

static struct fargs_pt_item *add_item(struct fargs_pt_quick *q, enum fargs_pt_item_kind kind,
				      uint64_t from, uint64_t to)
{
	struct fargs_pt_flow *flow = q->flow;
	struct fargs_pt_item *item;

	if (flow->nr == flow->room && !fargs_pt_flow_grow(flow)) {
		q->is_short = true;
		return &q->nowhere;
	}
	item = &flow->items[flow->nr++];
	*item = (struct fargs_pt_item){
		.tsc = q->lead.kind == FARGS_PT_LEAD_NONE ? q->seg->tsc : q->lead.tsc,
		.from = from, .to = to, .offset = q->seg->begin + q->lead.offset, .kind = kind,
		.flags = q->lead.vague,
	};
	return item;
}

/* Adds the items of the packets that were noted up to the current lead; they are at @ip, or 0. */
static void add_notes(struct fargs_pt_quick *q, uint64_t ip)
{
	const struct fargs_pt_note *note = q->leads.noted, *end = note + q->leads.nr_noted;
	struct fargs_pt_item *item;

	for (; note < end; note++) {
		if (note->kind == FARGS_PT_TSX &&
		    (note->is_status || !(q->wants & FARGS_PT_WANTS_TSX)))
			continue;
		item = add_item(q, note->kind, ip, note->to);
		if (note->kind == FARGS_PT_PEBS) {
			item->to = fargs_pt_note_keep_pebs(&q->leads, note, q->flow);
			q->is_short |= item->to == SIZE_MAX;
		}
		item->tsc = note->tsc;
		item->insn = note->insn;
		item->flags = note->vague | note->flags;
		item->offset = q->seg->begin + note->offset;
	}
	fargs_pt_leads_clear(&q->leads);
}

/* Adds the instruction at @ip, which a packet reports. */
static void add_address(struct fargs_pt_quick *q, uint64_t ip)
{
	add_item(q, FARGS_PT_EXECUTED, ip, 0)->nr_insns = 1;
	q->flow->nr_insns++;
}

/* Returns whether the current lead enters or leaves a guest. */
static bool is_vm(const struct fargs_pt_quick *q)
{
	return q->lead.changes & FARGS_PT_CHANGES_GUEST && q->lead.is_guest != q->is_guest &&
	       fargs_row(E4);
}

/* Adds a VM entry or exit, which continues at @to; 0: no branch. */
static void add_vm(struct fargs_pt_quick *q, uint64_t to)
{
	q->is_guest = q->lead.is_guest;
	add_item(q, FARGS_PT_VM, 0, to)->flags |= q->is_guest ? FARGS_PT_IN_GUEST : 0;
}

static void add_async(struct fargs_pt_quick *q, enum fargs_pt_item_kind kind)
{
	const struct fargs_pt_lead *lead = &q->lead;
	uint64_t to = lead->has_to ? lead->to : 0;
	struct fargs_pt_item *item;

	add_address(q, lead->at);
	item = add_item(q, kind, lead->at, is_vm(q) ? 0 : to);
	item->flags |= lead->is_abort ? FARGS_PT_ABORTS : 0;
	if (is_vm(q)) {
		if (q->is_guest && kind == FARGS_PT_INTERRUPT)
			item->flags |= FARGS_PT_VM_EXIT;
		add_vm(q, to);
	}
	if (to)
		add_address(q, to);
}

/* Adds the items of the current lead. */
static void take_lead(struct fargs_pt_quick *q)
{
	const struct fargs_pt_lead *lead = &q->lead;
	uint64_t to = lead->has_to ? lead->to : 0;

	if (is_vm(q) && lead->kind != FARGS_PT_LEAD_ASYNC && lead->kind != FARGS_PT_LEAD_ASYNC_OFF)
		add_vm(q, 0);
	if (lead->kind > FARGS_PT_LEAD_TIP)
		add_notes(q, lead->has_at ? lead->at : 0);
	switch (lead->kind) {
	case FARGS_PT_LEAD_TIP:
		if (to)
			add_address(q, to);
		break;
	case FARGS_PT_LEAD_ASYNC:
		if (fargs_row(B21))
			add_async(q, FARGS_PT_INTERRUPT);
		break;
	case FARGS_PT_LEAD_ASYNC_OFF:
		add_async(q, FARGS_PT_END);
		break;
	case FARGS_PT_LEAD_PGD:
		/* Without an address, it is not known which branch it was. */
		if (to)
			add_item(q, FARGS_PT_BRANCH, 0, to)->flags |= FARGS_PT_ENDS;
		break;
	case FARGS_PT_LEAD_PGE:
		if (!to)
			break;
		add_item(q, FARGS_PT_BEGIN, 0, to);
		add_address(q, to);
		break;
	case FARGS_PT_LEAD_PSB:
	case FARGS_PT_LEAD_FUP:
		if (lead->has_at)
			add_address(q, lead->at);
		break;
	case FARGS_PT_LEAD_PTW:
		add_item(q, FARGS_PT_PTWRITE, lead->has_at ? lead->at : 0, lead->value)->flags |=
			lead->has_at ? FARGS_PT_EXACT : 0;
		break;
	case FARGS_PT_LEAD_OVF:
		q->flow->is_broken = false;
		add_item(q, FARGS_PT_OVERFLOW, 0, to);
		if (to)
			add_address(q, to);
		break;
	}
}

/* Continues at the first PSB at @from or later. Returns false if the segment has none. */
static bool sync_at(struct fargs_pt_quick *q, uint64_t from)
{
	uint64_t offset = fargs_pt_psb_find(q->bytes, q->nr_bytes, from);

	if (offset >= q->nr_bytes || offset >= q->seg->next - q->seg->begin)
		return false;
	fargs_pt_leads_sync(&q->leads, offset);
	return true;
}

/* Reports bytes that are no packet, once for each hole. Returns false at the end of the segment. */
static bool skip_bad(struct fargs_pt_quick *q)
{
	/* Bytes of the PSB may have been read as a packet before the bad one. */
	uint64_t before = FARGS_PT_PACKET_MAX - 1;

	if (!q->flow->is_broken)
		add_item(q, FARGS_PT_ERROR, 0, 0)->error = pte_bad_opc;
	q->flow->is_broken = true;
	return sync_at(q, q->lead.offset > before ? q->lead.offset - before : 0);
}

static void decode(struct fargs_pt_quick *q)
{
	const struct fargs_pt_segment *seg = q->seg;

	for (;;) {
		fargs_pt_leads_read(&q->leads, &q->lead);
		switch (q->lead.kind) {
		case FARGS_PT_LEAD_END:
			return;
		case FARGS_PT_LEAD_BAD:
			if (!skip_bad(q))
				return;
			continue;
		case FARGS_PT_LEAD_TNT:
			continue;
		case FARGS_PT_LEAD_PSB:
			/* The next segment begins with it. */
			if (q->lead.offset + seg->begin == seg->next)
				return;
			q->flow->is_broken = false;
			break;
		}
		take_lead(q);
		if (q->level == FARGS_PT_QUICK_PSBS &&
		    !sync_at(q, q->lead.offset + FARGS_PT_PSB_BYTES))
			return;
	}
}

static void add_hole(struct fargs_pt_quick *q)
{
	const struct fargs_pt_segment *seg = q->seg;

	if (seg->is_after_loss || seg->is_after_gap || seg->skipped != seg->begin)
		add_item(q, seg->is_after_loss ? FARGS_PT_LOST : FARGS_PT_SKIPPED, 0,
			 seg->begin - seg->skipped)->offset = seg->skipped;
}

static void empty_flow(struct fargs_pt_flow *flow)
{
	flow->nr = 0;
	flow->nr_insns = 0;
	flow->nr_rest = 0;
	flow->end_tsc = 0;
	flow->nr_sizes = 0;
	flow->nr_words = 0;
	flow->nr_cycle_marks = 0;
	flow->nr_cycles = 0;
	flow->is_broken = false;
}

int fargs_pt_quick_run(struct fargs_pt_quick *q, const struct fargs_pt_segment *seg,
		       struct fargs_pt_flow *flow)
{
	q->seg = seg;
	q->flow = flow;
	q->is_short = false;
	q->is_guest = false;
	q->lead = (struct fargs_pt_lead){ };
	empty_flow(flow);
	add_hole(q);
	/* The segment is empty if no PSB follows a loss. */
	if (seg->begin == seg->end)
		return q->is_short ? -ENOMEM : 0;
	q->bytes = fargs_pt_window_get(&q->window, seg->stream, seg->piece, seg->begin,
				       seg->end - seg->begin, &q->nr_bytes);
	if (!q->bytes)
		return -ENOMEM;
	fargs_pt_leads_init(&q->leads, &q->in->config, q->bytes, q->nr_bytes,
			    seg->next - seg->begin, q->wants);
	decode(q);
	flow->end_tsc = q->lead.vague ? 0 : q->lead.tsc > seg->tsc ? q->lead.tsc : seg->tsc;
	return q->is_short ? -ENOMEM : 0;
}
