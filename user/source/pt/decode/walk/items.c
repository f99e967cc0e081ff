// SPDX-License-Identifier: GPL-2.0-only
/* Adds items, their times and their cycles to a flow. */
#include "source/pt/decode/walk/state.h"

#include "base/array.h"
#include "source/pt/decode/walk/notes.h"

struct fargs_pt_item *fargs_pt_walk_add(struct fargs_pt_walker *w, enum fargs_pt_item_kind kind,
					uint64_t from, uint64_t to)
{
	struct fargs_pt_flow *flow = w->flow;

	if (flow->nr == flow->room && !fargs_pt_flow_grow(flow)) {
		/* Out of memory: overwrite the last item. The flow will be discarded anyway. */
		w->is_short = true;
		if (!flow->nr)
			return &w->nowhere;
		flow->nr--;
	}
	return fargs_pt_walk_put(w, kind, from, to);
}

void fargs_pt_walk_count(struct fargs_pt_walker *w)
{
	struct fargs_pt_flow *flow = w->flow;
	struct fargs_pt_cycle_mark *to;

	if (!w->is_noted)
		return;
	/* What follows the branch has the new state of the interrupt flag. */
	w->flags = (w->flags & FARGS_PT_VAGUE) | w->state;
	if (!w->has_cycles || !w->lead.has_cyc)
		return;
	to = fargs_array_push(flow->cycles, flow->nr_cycle_marks, flow->cycles_room);
	if (!to) {
		w->is_short = true;
		return;
	}
	*to = (struct fargs_pt_cycle_mark){ .item = flow->nr - 1, .nr = w->lead.nr_cycles };
}

void fargs_pt_walk_set_time(struct fargs_pt_walker *w, uint64_t tsc)
{
	size_t i;

	w->tsc = tsc;
	/* A TSC is exact: if it is lower than a time before it, that was wrong. */
	for (i = 0; i < sizeof(w->times) / sizeof(w->times[0]) && tsc < w->times[i]; i++)
		w->times[i] = tsc;
	if (w->flags & FARGS_PT_VAGUE || tsc <= w->times[0] || tsc - w->times[0] < w->tick)
		return;
	w->times[2] = w->times[1];
	w->times[1] = w->times[0];
	w->times[0] = tsc;
	if (!w->nr_ticks)
		return;
	w->nr_ticks--;
	fargs_pt_walk_add(w, FARGS_PT_TICK, 0, tsc);
}

void fargs_pt_walk_want_ticks(struct fargs_pt_walker *w)
{
	if (w->has_sites)
		w->nr_ticks = FARGS_PT_WALK_TICKS;
}

/*
 * Adds an item for the mark @i. The two latest times may be later than a seq site, because the CPU
 * collects branches before it writes them; only the third latest is certainly before the site.
 */
static void add_mark(struct fargs_pt_walker *w, size_t i)
{
	if (i == FARGS_PT_SITES) {
		fargs_pt_walk_add(w, FARGS_PT_SWITCH, 0, w->marks[i]);
		fargs_pt_programs_switch(w->programs);
		w->nr_switches++;
		return;
	}
	fargs_pt_walk_want_ticks(w);
	fargs_pt_walk_add(w, FARGS_PT_SITE, w->times[2], i);
}

/* Adds the marks from @ip up to, and not including, @end. */
static void add_marks(struct fargs_pt_walker *w, uint64_t ip, uint64_t end)
{
	size_t i;

	/* The switch first: a node with both is part of the scheduler. */
	for (i = FARGS_PT_WALK_MARKS; i; i--)
		if (w->marks[i - 1] && w->marks[i - 1] - ip < end - ip)
			add_mark(w, i - 1);
}

/* Adds an item for @nr instructions from @ip on, which have these @sizes. */
static struct fargs_pt_item *add_executed(struct fargs_pt_walker *w, uint64_t ip,
					  const uint8_t *sizes, unsigned int nr)
{
	size_t at = nr > 1 ? fargs_pt_flow_keep_sizes(w->flow, sizes, nr - 1) : 0;

	w->is_short |= at == SIZE_MAX;
	w->nr_insns += nr;
	return fargs_pt_walk_add(w, FARGS_PT_EXECUTED, ip, at);
}

/* Describes the branch at the end of @node, the last instruction of @item. */
static void set_end(const struct fargs_pt_walker *w, const struct fargs_pt_node *node,
		    struct fargs_pt_item *item, uint8_t bytes)
{
	item->last_bytes = bytes;
	if (w->nr_bits &&
	    (node->kind == FARGS_PT_NODE_COND || node->kind == FARGS_PT_NODE_RETURN))
		item->flags |= FARGS_PT_HAS_BIT;
}

/* Adds items for the first @nr instructions of @node, and for the marks among them. */
static void add_insns(struct fargs_pt_walker *w, const struct fargs_pt_node *node, unsigned int nr)
{
	/* Marks are between items. */
	bool is_whole = w->is_by_block && !(node->flags & FARGS_PT_NODE_MARKED);
	uint64_t nr_insns = w->nr_insns, ip = node->ip;
	struct fargs_pt_item *item;
	unsigned int i, n;

	/* They were counted all at once. */
	w->nr_insns -= nr;
	for (i = 0; i < nr; i += n) {
		n = is_whole ? nr : 1;
		item = add_executed(w, ip, node->sizes + i, n);
		if (i + n == node->nr_insns) {
			item->insn = node->insn;
			if (w->options.has_ends)
				set_end(w, node, item, node->sizes[i + n - 1]);
		}
		if (node->flags & FARGS_PT_NODE_MARKED)
			add_marks(w, ip, ip + node->sizes[i]);
		ip += node->sizes[i];
	}
	w->nr_insns = nr_insns;
}

void fargs_pt_walk_look(struct fargs_pt_walker *w, const struct fargs_pt_node *node,
			unsigned int nr)
{
	if (w->is_by_insn)
		add_insns(w, node, nr);
	else if (node->flags & FARGS_PT_NODE_MARKED)
		add_marks(w, node->ip, w->last_ip + 1);
}

/* Returns whether @note is shown, and takes what it means for the state. */
static bool take_note(struct fargs_pt_walker *w, const struct fargs_pt_note *note)
{
	if (note->kind != FARGS_PT_TSX)
		return true;
	w->state &= ~FARGS_PT_IN_TX;
	if (note->to & FARGS_PT_TSX_IN)
		w->state |= FARGS_PT_IN_TX;
	return !note->is_status && w->options.wants & FARGS_PT_WANTS_TSX;
}

static void keep_pebs(struct fargs_pt_walker *w, const struct fargs_pt_note *note,
		      struct fargs_pt_item *item)
{
	item->to = fargs_pt_note_keep_pebs(&w->leads, note, w->flow);
	w->is_short |= item->to == SIZE_MAX;
}

void fargs_pt_walk_add_notes(struct fargs_pt_walker *w, uint64_t ip)
{
	const struct fargs_pt_note *note = w->leads.noted;
	const struct fargs_pt_note *end = note + w->leads.nr_noted;
	struct fargs_pt_item *item;

	for (; note < end; note++) {
		/* The next segment reports what comes from its PSB on. */
		if (w->seg->begin + note->offset >= w->seg->next || !take_note(w, note))
			continue;
		w->flags = note->vague | w->state;
		if (note->tsc > w->tsc)
			fargs_pt_walk_set_time(w, note->tsc);
		item = fargs_pt_walk_add(w, note->kind, ip, note->to);
		if (note->kind == FARGS_PT_PEBS)
			keep_pebs(w, note, item);
		item->insn = note->insn;
		item->flags = w->flags | note->flags;
		item->offset = w->seg->begin + note->offset;
	}
	w->flags = (w->flags & FARGS_PT_VAGUE) | w->state;
	fargs_pt_leads_clear(&w->leads);
}

static void set_iflag(struct fargs_pt_walker *w)
{
	const struct fargs_pt_lead *lead = &w->lead;
	uint8_t before = w->state & FARGS_PT_IF_OFF, after = lead->is_if_off ? FARGS_PT_IF_OFF : 0;
	bool is_branch = lead->kind != FARGS_PT_LEAD_NOTED;
	struct fargs_pt_item *item;

	w->state = (w->state & ~FARGS_PT_IF_OFF) | after;
	/* At a PSB, after a loss or while tracing is off, nothing shows what changed it. */
	if (lead->kind == FARGS_PT_LEAD_PSB || lead->kind == FARGS_PT_LEAD_OVF || !w->at)
		before = after;
	w->flags = (w->flags & FARGS_PT_VAGUE) | (w->state & ~FARGS_PT_IF_OFF) | before;
	/* A FUP with the mode shows a change that no branch made. */
	if (before == after && is_branch)
		return;
	if (is_branch)
		w->flags |= FARGS_PT_IF_TOGGLES;
	if (!(w->options.wants & FARGS_PT_WANTS_EVENTS))
		return;
	item = fargs_pt_walk_add(w, FARGS_PT_IFLAG, lead->has_at ? lead->at : w->last_ip, !after);
	item->flags = w->flags | (is_branch ? FARGS_PT_BY_BRANCH : 0) |
		      (before != after ? FARGS_PT_IF_TOGGLES : 0);
}

/* Returns whether the current lead is that of a branch which gets an item. */
static bool is_branch(const struct fargs_pt_walker *w)
{
	if (!w->at)
		return false;
	if (w->lead.kind == FARGS_PT_LEAD_TIP)
		return !w->omits_jumps || w->at->kind != FARGS_PT_NODE_JUMP_INDIRECT;
	return w->lead.kind == FARGS_PT_LEAD_ASYNC;
}

void fargs_pt_walk_change(struct fargs_pt_walker *w)
{
	const struct fargs_pt_lead *lead = &w->lead;

	if (lead->changes & FARGS_PT_CHANGES_GUEST && lead->is_guest != w->is_guest)
		fargs_pt_walk_set_guest(w, lead->is_guest, is_branch(w));
	else if (lead->changes & FARGS_PT_CHANGES_GUEST && w->is_guest)
		fargs_pt_walk_switch_guest(w);
	if (!(lead->changes & FARGS_PT_CHANGES_MODE))
		return;
	w->mode = lead->mode;
	if (w->leads.has_iflag)
		set_iflag(w);
}

static void drop_cycle_marks(struct fargs_pt_flow *flow)
{
	while (flow->nr_cycle_marks && flow->cycles[flow->nr_cycle_marks - 1].item >= flow->nr)
		flow->nr_cycle_marks--;
}

void fargs_pt_walk_discard_unsure(struct fargs_pt_walker *w)
{
	w->flow->nr = w->nr_sure;
	drop_cycle_marks(w->flow);
	w->nr_insns = w->nr_sure_insns;
	w->nr_in_items = w->nr_sure_in_items;
}

void fargs_pt_walk_discard_last(struct fargs_pt_walker *w)
{
	struct fargs_pt_flow *flow = w->flow;

	while (flow->nr > w->nr_before[1])
		w->nr_in_items -= flow->items[--flow->nr].nr_insns;
	drop_cycle_marks(flow);
	w->nr_insns = w->nr_insns_before[1];
}

void fargs_pt_walk_begin(struct fargs_pt_walker *w, uint64_t ip, bool was_on)
{
	struct fargs_pt_item *item = fargs_pt_walk_add(w, FARGS_PT_BEGIN, 0, ip);

	if (was_on)
		item->flags |= FARGS_PT_WAS_ON | (w->is_lost ? 0 : FARGS_PT_CONTINUES);
	else
		fargs_pt_walk_count(w);
	fargs_pt_walk_want_ticks(w);
	fargs_pt_walk_mark_right(w);
	w->last_ip = 0;
	w->is_lost = false;
	w->flow->is_broken = false;
}
