// SPDX-License-Identifier: GPL-2.0-only
/* Walks from node to node. Most of the time of decoding is spent here. */
#include "source/pt/decode/walk/state.h"

#include <intel-pt.h>

/* With fewer bits, walking from node to node is as fast as to look for a run. */
#define RUN_BITS_MIN	2

void fargs_pt_walk_use_lead(struct fargs_pt_walker *w)
{
	const struct fargs_pt_lead *lead = &w->lead;

	w->offset = lead->offset;
	w->flags = lead->vague | w->state;
	if (lead->tsc != w->tsc)
		fargs_pt_walk_set_time(w, lead->tsc);
	if (w->tsc >= w->poke_tsc)
		fargs_pt_walk_advance_code(w, w->tsc);
	if (lead->changes)
		fargs_pt_walk_change(w);
}

/* Reads on if all that was read is used. Returns whether the next lead is an event. */
static bool read_on(struct fargs_pt_walker *w)
{
	if (w->lead.kind == FARGS_PT_LEAD_NONE)
		fargs_pt_walk_read(w);
	return w->lead.kind > FARGS_PT_LEAD_TIP;
}

/* Takes the bits of the TNT that is next. Returns false if none is. */
static __attribute__((noinline)) bool take_bits(struct fargs_pt_walker *w)
{
	if (w->lead.kind != FARGS_PT_LEAD_TNT)
		return false;
	fargs_pt_walk_mark_packet(w);
	fargs_pt_walk_use_lead(w);
	w->bits = w->lead.bits;
	w->nr_bits = w->lead.nr_bits;
	w->lead.kind = FARGS_PT_LEAD_NONE;
	return true;
}

/*
 * Returns where the return at the end of @node returns to: after the last call. Returns NULL if
 * there is none, or if out of memory.
 */
static struct fargs_pt_node *pop_call(struct fargs_pt_walker *w, const struct fargs_pt_node *node)
{
	const struct fargs_pt_call *call;

	if (!w->depth)
		return NULL;
	call = fargs_pt_walk_top(w);
	fargs_pt_walk_pop(w);
	if (call->from && fargs_pt_node_end(call->from) == call->ip &&
	    call->from->mode == node->mode)
		return fargs_pt_walk_after(w, call->from);
	return fargs_pt_walk_node(w, call->ip, node->mode);
}

/* Returns whether @node ends with a return to user space. */
static bool enters_user(const struct fargs_pt_node *node)
{
	return (node->insn == FARGS_PT_INSN_IRET || node->insn == FARGS_PT_INSN_SYSRET) &&
	       !fargs_pt_walk_is_user(node->last_ip);
}

/*
 * Takes the TIP for the branch at the end of @node. Returns its target; NULL, and sets *@error, if
 * there is none. A TNT may come first: the CPU may write TIPs after the TNT with later branches
 * (SDM 3, "deferred TIPs").
 */
static struct fargs_pt_node *take_tip(struct fargs_pt_walker *w, const struct fargs_pt_node *node,
				      int *error)
{
	if (!w->nr_bits)
		take_bits(w);
	if (w->lead.kind == FARGS_PT_LEAD_NONE)
		fargs_pt_walk_read(w);
	*error = -pte_bad_query;
	if (w->lead.kind != FARGS_PT_LEAD_TIP)
		return NULL;
	fargs_pt_walk_mark_packet(w);
	fargs_pt_walk_use_lead(w);
	w->lead.kind = FARGS_PT_LEAD_NONE;
	*error = -pte_noip;
	if (!w->lead.has_to)
		return NULL;
	if (w->has_programs && enters_user(node))
		fargs_pt_walk_enter_program(w, 0);
	*error = -pte_nomem;
	return fargs_pt_walk_node(w, w->lead.to, w->mode);
}

/* As fargs_pt_walk_direct(). */
static inline __attribute__((always_inline)) struct fargs_pt_node *
walk_direct(struct fargs_pt_walker *w, struct fargs_pt_node *node)
{
	struct fargs_pt_node *next;

	switch (node->kind) {
	case FARGS_PT_NODE_RUNS_ON:
		fargs_pt_walk_execute(w, node);
		return fargs_pt_walk_after(w, node);
	case FARGS_PT_NODE_JUMP:
		fargs_pt_walk_execute(w, node);
		next = fargs_pt_walk_taken(w, node);
		if (next && fargs_pt_walk_needs(w, next))
			fargs_pt_walk_branch(w, node, next);
		if (__builtin_expect(node->flags & FARGS_PT_NODE_EMULATES, 0) && next)
			fargs_pt_walk_emulate(w, next->ip);
		return next;
	case FARGS_PT_NODE_CALL:
		fargs_pt_walk_execute(w, node);
		next = fargs_pt_walk_taken(w, node);
		/* A call of the next instruction is not pushed: it only reads the address. */
		if (next && node->target != fargs_pt_node_end(node))
			fargs_pt_walk_push(w, node);
		if (next)
			fargs_pt_walk_branch(w, node, next);
		return next;
	}
	return NULL;
}

struct fargs_pt_node *fargs_pt_walk_direct(struct fargs_pt_walker *w, struct fargs_pt_node *node)
{
	return walk_direct(w, node);
}

/* Returns the error for the node @node, which has no instructions; 0 if it now has. */
static __attribute__((noinline)) int node_error(struct fargs_pt_walker *w,
						struct fargs_pt_node *node)
{
	switch (node->kind) {
	case FARGS_PT_NODE_STALE:
		if (!fargs_pt_graph_fill(node->flags & FARGS_PT_NODE_PROGRAM && w->user ? w->user :
					 w->kernel, node))
			return 0;
		w->is_short = true;
		return -pte_nomem;
	case FARGS_PT_NODE_BAD:
		return -pte_bad_insn;
	default:
		return -pte_nomap;
	}
}

/*
 * Returns whether the next TNT may be taken before @node, which needs it, is executed. That makes
 * no difference if nothing happens between the node and its branch.
 */
static inline bool is_tnt_due(const struct fargs_pt_walker *w, const struct fargs_pt_node *node)
{
	return w->lead.kind == FARGS_PT_LEAD_TNT && w->lead.tsc < w->poke_tsc &&
	       (node->kind == FARGS_PT_NODE_COND || node->kind == FARGS_PT_NODE_RETURN) &&
	       !w->nr_ticks && !w->has_cycles && !(node->flags & FARGS_PT_NODE_MARKED);
}

/* Returns whether nothing was walked since the trace reported the last branch. */
static inline bool is_at_packet(const struct fargs_pt_strides *strides)
{
	return !(strides->nr_jumps | strides->nr_plain);
}

int fargs_pt_walk(struct fargs_pt_walker *w)
{
	struct fargs_pt_node *node = w->at, *next;
	struct fargs_pt_strides strides = { };
	bool is_first;
	uint8_t kind;
	int error;

	if (!w->nr_bits && read_on(w))
		return 0;
	for (;; node = next) {
		w->at = node;
		if (w->runs) {
			if (!w->nr_bits && is_tnt_due(w, node)) {
				take_bits(w);
				/* As if the node had been executed before. */
				w->nr_insns_before[0] += node->nr_insns;
				strides = (struct fargs_pt_strides){ };
			}
			next = w->nr_bits >= RUN_BITS_MIN && is_at_packet(&strides) ?
			       fargs_pt_runs_walk(w->runs, w, node) : NULL;
			if (next)
				goto used_bits;
		}
		switch (node->kind) {
		case FARGS_PT_NODE_COND:
			fargs_pt_walk_execute(w, node);
			is_first = !w->nr_bits;
			if (is_first && !take_bits(w))
				return -pte_bad_query;
			w->nr_bits--;
			if (w->bits >> w->nr_bits & 1) {
				next = fargs_pt_walk_taken(w, node);
				if (next && fargs_pt_walk_needs(w, next)) {
					fargs_pt_walk_branch(w, node, next);
					if (is_first)
						fargs_pt_walk_count(w);
				}
			} else {
				next = fargs_pt_walk_after(w, node);
				/* The item is that of the instruction. */
				if (__builtin_expect(is_first && w->is_by_insn, 0))
					fargs_pt_walk_count(w);
			}
			break;
		case FARGS_PT_NODE_JUMP:
		case FARGS_PT_NODE_CALL:
		case FARGS_PT_NODE_RUNS_ON:
			if (is_at_packet(&strides))
				fargs_pt_walk_mark_sure(w);
			next = walk_direct(w, node);
			if (!next)
				return -pte_nomem;
			if (fargs_pt_walk_is_stuck(w, &strides, node))
				return -pte_internal;
			continue;
		case FARGS_PT_NODE_RETURN:
			is_first = !w->nr_bits;
			if (!is_first || w->lead.kind == FARGS_PT_LEAD_TNT) {
				fargs_pt_walk_execute(w, node);
				if (is_first)
					take_bits(w);
				w->nr_bits--;
				if (!(w->bits >> w->nr_bits & 1))
					return -pte_bad_retcomp;
				next = pop_call(w, node);
				if (!next)
					return -pte_retstack_empty;
				fargs_pt_walk_branch(w, node, next);
				if (is_first)
					fargs_pt_walk_count(w);
				break;
			}
			/* The return is not compressed. */
			__attribute__((fallthrough));
		case FARGS_PT_NODE_JUMP_INDIRECT:
		case FARGS_PT_NODE_CALL_INDIRECT:
		case FARGS_PT_NODE_FAR:
			fargs_pt_walk_execute(w, node);
			/* The TIP may be later than a change of this code. */
			kind = node->kind;
			next = take_tip(w, node, &error);
			if (!next)
				return error;
			if (kind == FARGS_PT_NODE_CALL_INDIRECT)
				fargs_pt_walk_push(w, node);
			if (kind != FARGS_PT_NODE_JUMP_INDIRECT ||
			    fargs_pt_walk_needs(w, next)) {
				fargs_pt_walk_branch(w, node, next);
				fargs_pt_walk_count(w);
			}
			if (__builtin_expect(w->is_vm_due, 0))
				fargs_pt_walk_add_vm(w, &w->flow->items[w->flow->nr - 1]);
			break;
		default:
			error = node_error(w, node);
			if (error)
				return error;
			next = node;
			continue;
		}
		if (!next)
			return -pte_nomem;
used_bits:
		strides = (struct fargs_pt_strides){ };
		if (!w->nr_bits && read_on(w)) {
			w->at = next;
			return 0;
		}
	}
}
