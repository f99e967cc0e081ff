// SPDX-License-Identifier: GPL-2.0-only
/* Handles what the trace reports besides branches, such as interrupts and lost packets. */
#include "source/pt/decode/walk/state.h"

#include <intel-pt.h>

#include "base/row.h"
#include "source/pt/packet/errata.h"

/*
 * Executes the first @nr instructions of @node, the last of which is at @last_ip, and makes the
 * node at @ip, after them, the next.
 */
static int stop_inside(struct fargs_pt_walker *w, const struct fargs_pt_node *node, int nr,
		       uint64_t last_ip, uint64_t ip)
{
	w->nr_insns += nr;
	w->last_ip = last_ip;
	fargs_pt_walk_look(w, node, nr);
	w->at = fargs_pt_walk_node(w, ip, node->mode);
	return w->at ? 0 : -pte_nomem;
}

/*
 * Makes sure that w->at has instructions. Returns 0, or an error if code is missing.
 */
static int fill_node(struct fargs_pt_walker *w)
{
	switch (w->at->kind) {
	case FARGS_PT_NODE_STALE:
		w->at = fargs_pt_walk_node(w, w->at->ip, w->at->mode);
		return w->at ? fill_node(w) : -pte_nomem;
	case FARGS_PT_NODE_MISSING:
		return -pte_nomap;
	case FARGS_PT_NODE_BAD:
		return -pte_bad_insn;
	}
	return 0;
}

static struct fargs_pt_graph *graph_of(const struct fargs_pt_walker *w,
				       const struct fargs_pt_node *node)
{
	return node->flags & FARGS_PT_NODE_PROGRAM && w->user ? w->user : w->kernel;
}

/*
 * Returns the error for an event that is not on the way that is walked: at an instruction before
 * it, a packet would be needed. The event may have been anywhere on this way, or elsewhere, so
 * nothing of it is believed.
 */
static int miss_event(struct fargs_pt_walker *w)
{
	if (w->is_short)
		return -pte_nomem;
	fargs_pt_walk_discard_unsure(w);
	return -pte_bad_query;
}

/* Walks by direct branches only, up to the instruction at @ip, which is not executed. */
static int walk_to(struct fargs_pt_walker *w, uint64_t ip)
{
	struct fargs_pt_node *next;
	struct fargs_pt_strides strides = { };
	uint64_t last_ip;
	int nr, ret;

	fargs_pt_walk_mark_sure(w);
	for (;; w->at = next) {
		if (w->at->ip == ip)
			return 0;
		ret = fill_node(w);
		if (ret)
			return ret;
		nr = ip - w->at->ip < w->at->bytes ?
		     fargs_pt_graph_index(graph_of(w, w->at), w->at, ip, &last_ip) : -1;
		if (nr > 0)
			return stop_inside(w, w->at, nr, last_ip, ip);
		next = fargs_pt_walk_direct(w, w->at);
		if (!next)
			return miss_event(w);
		if (fargs_pt_walk_is_stuck(w, &strides, w->at))
			return -pte_internal;
	}
}

/* Walks by direct branches only, up to and including the next PTWRITE. */
static int walk_to_ptwrite(struct fargs_pt_walker *w)
{
	struct fargs_pt_node *next;
	struct fargs_pt_strides strides = { };
	bool is_there = false;
	int ret;

	fargs_pt_walk_mark_sure(w);
	for (; !is_there; w->at = next) {
		ret = fill_node(w);
		if (ret)
			return ret;
		is_there = w->at->flags & FARGS_PT_NODE_PTWRITE;
		next = fargs_pt_walk_direct(w, w->at);
		if (!next)
			return miss_event(w);
		if (!is_there && fargs_pt_walk_is_stuck(w, &strides, w->at))
			return -pte_internal;
	}
	return 0;
}

static void turn_off(struct fargs_pt_walker *w)
{
	w->at = NULL;
	w->last_ip = 0;
	w->is_on = false;
}

/* Returns whether @ip is outside of the address ranges that are traced, which are known. */
static bool is_outside(const struct fargs_pt_config *config, uint64_t ip)
{
	size_t i;

	for (i = 0; i < config->nr_ranges; i++)
		if (ip >= config->ranges[i].first && ip <= config->ranges[i].last)
			return false;
	return config->nr_ranges;
}

/* Whether the branch at the end of @node turned tracing off. */
enum binds {
	BINDS_NOT,
	BINDS,
	BINDS_MAYBE,		/* if no later instruction does */
	BINDS_NEVER,		/* neither does any later one: the trace does not fit */
};

/*
 * Checks @node for a PGD without address: privilege or CR3 do not match any more. Nothing shows
 * which of both, but a far branch follows a change of CR3 only if tracing stayed on. Near branches
 * whose target is not in the code are accepted, as by libipt.
 */
static enum binds binds_far(const struct fargs_pt_walker *w, const struct fargs_pt_node *node)
{
	switch (node->kind) {
	case FARGS_PT_NODE_FAR:
		return BINDS;
	case FARGS_PT_NODE_RUNS_ON:
		return node->flags & FARGS_PT_NODE_CR3 ? BINDS_MAYBE : BINDS_NOT;
	case FARGS_PT_NODE_JUMP:
	case FARGS_PT_NODE_CALL:
		return w->leads.errata & FARGS_PT_SKL014 &&
		       is_outside(&w->in->config, node->target) ? BINDS : BINDS_NOT;
	case FARGS_PT_NODE_RETURN:
	case FARGS_PT_NODE_JUMP_INDIRECT:
	case FARGS_PT_NODE_CALL_INDIRECT:
		return BINDS_MAYBE;
	default:
		return BINDS_NEVER;
	}
}

/* Checks @node for a PGD with the address @to, which is outside of the traced address ranges. */
static enum binds binds_to(const struct fargs_pt_node *node, uint64_t to)
{
	switch (node->kind) {
	case FARGS_PT_NODE_COND:
		return node->target == to || fargs_pt_node_end(node) == to ? BINDS : BINDS_NEVER;
	case FARGS_PT_NODE_JUMP:
	case FARGS_PT_NODE_CALL:
		return node->target == to ? BINDS : BINDS_NOT;
	case FARGS_PT_NODE_RUNS_ON:
		return BINDS_NOT;
	case FARGS_PT_NODE_MISSING:
	case FARGS_PT_NODE_BAD:
		return BINDS_NEVER;
	default:
		return BINDS;
	}
}

/* Returns the node that follows @node, if its branch is direct; NULL if out of memory. */
static struct fargs_pt_node *peek_next(struct fargs_pt_walker *w, struct fargs_pt_node *node)
{
	return node->kind == FARGS_PT_NODE_RUNS_ON ? fargs_pt_walk_after(w, node) :
						     fargs_pt_walk_taken(w, node);
}

/*
 * Finds the instruction that turned tracing off: the last one of the node after *@nr direct
 * branches. Returns 0 or an error.
 */
static int find_off(struct fargs_pt_walker *w, unsigned int *nr)
{
	const struct fargs_pt_lead *lead = &w->lead;
	struct fargs_pt_node *node = w->at;
	/* A write of CR3 that has a PIP ends the trace only if it is the last one. */
	unsigned int nr_writes = lead->nr_pips > 1 ? lead->nr_pips - 1 : 0, i;
	struct fargs_pt_strides strides = { };
	bool is_maybe = false;
	enum binds binds;

	for (i = 0;; i++) {
		if (node->kind == FARGS_PT_NODE_STALE)
			node = fargs_pt_walk_node(w, node->ip, node->mode);
		if (!node)
			return -pte_nomem;
		binds = lead->has_to ? binds_to(node, lead->to) : binds_far(w, node);
		if (binds == BINDS || (binds == BINDS_MAYBE && !is_maybe))
			*nr = i;
		/* All but the last write go on. */
		if (binds == BINDS_MAYBE && node->kind == FARGS_PT_NODE_RUNS_ON && nr_writes)
			nr_writes--;
		else
			is_maybe |= binds == BINDS_MAYBE;
		if (binds == BINDS)
			return 0;
		if (binds == BINDS_NEVER || node->kind > FARGS_PT_NODE_CALL)
			return is_maybe ? 0 : -pte_bad_query;
		if (fargs_pt_walk_is_stuck(w, &strides, node))
			return is_maybe ? 0 : -pte_internal;
		node = peek_next(w, node);
	}
}

/*
 * Returns whether the next instruction that w->at reaches without a branch is at the address of the
 * PGD: execution left the traced address ranges there.
 */
static bool leaves_range(struct fargs_pt_walker *w, uint64_t *to)
{
	const struct fargs_pt_node *node = w->at;
	uint64_t before;

	*to = w->lead.to;
	return w->lead.has_to && node->kind >= FARGS_PT_NODE_RUNS_ON && *to != node->ip &&
	       *to - node->ip < node->bytes + (uint64_t)(node->kind == FARGS_PT_NODE_RUNS_ON) &&
	       fargs_pt_graph_index(graph_of(w, node), node, *to, &before) > 0;
}

/* Executes @node, whose last instruction turns tracing off. */
static int end_with(struct fargs_pt_walker *w, const struct fargs_pt_node *node)
{
	struct fargs_pt_item *item;

	fargs_pt_walk_execute(w, node);
	fargs_pt_walk_use_lead(w);
	item = fargs_pt_walk_add(w, FARGS_PT_BRANCH, node->last_ip, w->lead.to);
	item->insn = node->insn;
	item->flags |= FARGS_PT_ENDS;
	fargs_pt_walk_count(w);
	turn_off(w);
	return 0;
}

static int on_pgd(struct fargs_pt_walker *w)
{
	unsigned int nr = 0;
	uint64_t to;
	int ret;

	ret = fill_node(w);
	if (!ret && leaves_range(w, &to)) {
		ret = walk_to(w, to);
		if (ret)
			return ret;
		fargs_pt_walk_use_lead(w);
		fargs_pt_walk_add(w, FARGS_PT_END, to, to);
		fargs_pt_walk_count(w);
		turn_off(w);
		return 0;
	}
	if (!ret)
		ret = find_off(w, &nr);
	if (ret)
		return ret;
	while (nr-- && w->at)
		w->at = fargs_pt_walk_direct(w, w->at);
	return w->at ? end_with(w, w->at) : -pte_nomem;
}

/* As walk_to(), for an asynchronous event. */
static int walk_to_async(struct fargs_pt_walker *w, uint64_t ip)
{
	int ret = walk_to(w, ip);

	if (ret != -pte_bad_query || !w->lead.is_abort || !(w->leads.errata & FARGS_PT_BDM64))
		return ret;
	/* Of the branch before the abort, the trace may have a wrong target. */
	fargs_pt_walk_discard_unsure(w);
	w->at = fargs_pt_walk_node(w, ip, w->mode);
	return w->at ? 0 : -pte_nomem;
}

/* Returns whether the first instruction of @node is a VM entry. */
static bool is_vmentry(const struct fargs_pt_node *node)
{
	return node->nr_insns == 1 && node->insn == FARGS_PT_INSN_VMENTRY;
}

static int on_async(struct fargs_pt_walker *w, bool is_off)
{
	uint64_t at = w->lead.at, to = w->lead.has_to ? w->lead.to : 0;
	struct fargs_pt_item *item;
	int ret = walk_to_async(w, at);
	bool was_guest;

	if (ret)
		return ret;
	if (is_off && w->leads.errata & FARGS_PT_SKD022 && !fill_node(w) && is_vmentry(w->at))
		return end_with(w, w->at);
	was_guest = w->is_guest;
	fargs_pt_walk_add_notes(w, at);
	fargs_pt_walk_use_lead(w);
	item = fargs_pt_walk_add(w, is_off ? FARGS_PT_END : FARGS_PT_INTERRUPT, at, to);
	item->flags |= w->lead.is_abort ? FARGS_PT_ABORTS : 0;
	if (was_guest && !w->is_guest && !is_off)
		item->flags |= FARGS_PT_VM_EXIT;
	fargs_pt_walk_count(w);
	if (w->is_vm_due)
		fargs_pt_walk_add_vm(w, item);
	turn_off(w);
	if (is_off)
		return 0;
	w->is_on = true;
	/* A TIP without address: what is executed now is not known. The lead is used up. */
	if (!to) {
		w->lead.kind = FARGS_PT_LEAD_NONE;
		return -pte_noip;
	}
	w->at = fargs_pt_walk_node(w, to, w->mode);
	return w->at ? 0 : -pte_nomem;
}

static int on_overflow(struct fargs_pt_walker *w)
{
	uint64_t to = w->lead.has_to ? w->lead.to : 0;

	fargs_pt_walk_use_lead(w);
	fargs_pt_walk_add_notes(w, 0);
	fargs_pt_walk_add(w, FARGS_PT_OVERFLOW, w->last_ip, to);
	fargs_pt_walk_count(w);
	fargs_pt_walk_want_ticks(w);
	turn_off(w);
	w->depth = 0;
	/* Without an address, decoding continues at a BEGIN. */
	w->is_lost = !to;
	w->flow->is_broken = false;
	if (!to)
		return 0;
	w->is_on = true;
	fargs_pt_walk_enter_after_hole(w, to);
	w->at = fargs_pt_walk_node(w, to, w->mode);
	return w->at ? 0 : -pte_nomem;
}

/*
 * Executes the PTWRITE at w->at, the address of the FUP. The code there may be missing, or be
 * something else: then nothing is executed, because no packet shows what would be.
 */
static void execute_ptwrite(struct fargs_pt_walker *w)
{
	if (!fill_node(w) && w->at->nr_insns == 1 && w->at->flags & FARGS_PT_NODE_PTWRITE)
		w->at = fargs_pt_walk_direct(w, w->at);
}

static int on_ptwrite(struct fargs_pt_walker *w)
{
	int ret = w->lead.has_at ? walk_to(w, w->lead.at) : walk_to_ptwrite(w);
	struct fargs_pt_item *item;

	if (ret)
		return ret;
	if (w->lead.has_at)
		execute_ptwrite(w);
	fargs_pt_walk_use_lead(w);
	item = fargs_pt_walk_add(w, FARGS_PT_PTWRITE, w->lead.has_at ? w->lead.at :
				 fargs_row(B26) ? w->last_ip : 0, w->lead.value);
	item->flags |= w->lead.has_at ? FARGS_PT_EXACT : 0;
	return 0;
}

/* Packets that do not affect the flow: power events, the beginning of a transaction etc. */
static int on_noted(struct fargs_pt_walker *w)
{
	int ret = w->lead.has_at ? walk_to(w, w->lead.at) : 0;

	if (ret)
		return ret;
	fargs_pt_walk_use_lead(w);
	fargs_pt_walk_add_notes(w, w->at->ip);
	return 0;
}

static int on_psb(struct fargs_pt_walker *w)
{
	int ret;

	/* Tracing is off, though no PGD said so. */
	if (!w->lead.has_at)
		return -pte_bad_query;
	ret = walk_to(w, w->lead.at);
	if (ret)
		return ret;
	fargs_pt_walk_use_lead(w);
	w->depth = 0;
	fargs_pt_walk_add_notes(w, w->at->ip);
	return w->lead.offset + w->seg->begin == w->seg->next;
}

int fargs_pt_walk_event(struct fargs_pt_walker *w)
{
	uint8_t nr_pips;
	int ret;

	switch (w->lead.kind) {
	case FARGS_PT_LEAD_ASYNC:
	case FARGS_PT_LEAD_ASYNC_OFF:
		ret = on_async(w, w->lead.kind == FARGS_PT_LEAD_ASYNC_OFF);
		break;
	case FARGS_PT_LEAD_PGD:
		ret = on_pgd(w);
		break;
	case FARGS_PT_LEAD_OVF:
		ret = on_overflow(w);
		break;
	case FARGS_PT_LEAD_PTW:
		ret = on_ptwrite(w);
		break;
	case FARGS_PT_LEAD_PSB:
		ret = on_psb(w);
		break;
	case FARGS_PT_LEAD_NOTED:
		ret = on_noted(w);
		break;
	case FARGS_PT_LEAD_BAD:
		return -pte_bad_opc;
	case FARGS_PT_LEAD_END:
		return 1;
	default:
		/* PGE: tracing is on already. */
		return -pte_bad_query;
	}
	if (ret < 0)
		return ret;
	fargs_pt_walk_mark_right(w);
	nr_pips = w->lead.kind == FARGS_PT_LEAD_NOTED ? w->lead.nr_pips : 0;
	fargs_pt_walk_read(w);
	w->lead.nr_pips += nr_pips;
	return ret;
}
