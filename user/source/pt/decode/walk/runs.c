// SPDX-License-Identifier: GPL-2.0-only
#include "source/pt/decode/walk/runs.h"

#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "source/pt/decode/walk/state.h"

/* With more bits, a run saves more, but is found less often. */
#define BITS_MAX	12u
#define TABLE_SHIFT	15
#define NR_STEPS	(128u << 10)
/* Maximum numbers of branches of a run, and of nodes without a bit. */
#define STEPS_MAX	64u
#define DIRECT_MAX	32u

/* A branch of a run that adds an item, or changes the stack of calls. */
struct step {
	struct fargs_pt_node *node;	/* ends with the branch */
	struct fargs_pt_node *next;	/* its target */
	uint32_t nr_insns;		/* number of instructions of the run, up to the branch */
	/* enum fargs_pt_node_kind: CALL, if it is on the stack; RETURN; or JUMP, any other. */
	uint8_t kind;
	uint8_t nr_bits;		/* number of bits used before the branch */
};

struct run {
	struct fargs_pt_node *node;	/* NULL: unused */
	struct fargs_pt_node *next;
	uint64_t last_ip;		/* of the last instruction */
	uint64_t nr_changes;		/* of the graphs, when the run was made: then it is valid */
	uint32_t first_step, nr_insns;
	uint16_t bits;			/* the last one is used last */
	uint8_t nr_bits, nr_used;	/* number of @bits; of those that the run uses, maybe 0 */
	uint8_t nr_steps;
};

struct fargs_pt_runs {
	const uint64_t *nr_changes;
	uint32_t nr_steps;		/* number of @steps that are used */
	struct run table[1u << TABLE_SHIFT];
	struct step steps[NR_STEPS];
};

struct fargs_pt_runs *fargs_pt_runs_create(const uint64_t *nr_changes)
{
	struct fargs_pt_runs *r = calloc(1, sizeof(*r));

	if (r)
		r->nr_changes = nr_changes;
	return r;
}

void fargs_pt_runs_destroy(struct fargs_pt_runs *r)
{
	free(r);
}

/* What is known while a run is made. */
struct making {
	struct fargs_pt_walker *w;
	struct run *run;
	struct step *steps;
	unsigned int nr_steps;
	uint32_t nr_insns;
	/* The stack of calls: @calls, of the run; below them, @depth of those of the walker. */
	struct fargs_pt_node *calls[STEPS_MAX];
	unsigned int nr_calls, depth;
};

static void add_step(struct making *m, struct fargs_pt_node *node, struct fargs_pt_node *next,
		     enum fargs_pt_node_kind kind)
{
	m->steps[m->nr_steps++] = (struct step){
		.node = node, .next = next, .nr_insns = m->nr_insns, .kind = kind,
		.nr_bits = m->run->nr_used,
	};
}

/* Returns the node that the return at the end of @node is expected to return to; NULL: unknown. */
static struct fargs_pt_node *find_return(struct making *m, const struct fargs_pt_node *node)
{
	struct fargs_pt_walker *w = m->w;
	struct fargs_pt_node *from;
	const struct fargs_pt_call *call;

	if (m->nr_calls) {
		from = m->calls[--m->nr_calls];
	} else {
		if (!m->depth)
			return NULL;
		call = &w->calls[(w->top - 1 - (w->depth - m->depth)) % FARGS_PT_WALK_DEPTH];
		m->depth--;
		from = call->from;
		if (!from || fargs_pt_node_end(from) != call->ip)
			return NULL;
	}
	return from->mode == node->mode ? fargs_pt_walk_after(w, from) : NULL;
}

/*
 * Executes @node for the run, whose next bit is @bit. Returns the next node, and whether the bit
 * was used; NULL if the run ends before @node.
 */
static struct fargs_pt_node *make_step(struct making *m, struct fargs_pt_node *node, bool bit,
				       bool *is_used)
{
	struct fargs_pt_walker *w = m->w;
	struct fargs_pt_node *next = NULL;
	enum fargs_pt_node_kind kind = FARGS_PT_NODE_JUMP;

	if (node->flags & (FARGS_PT_NODE_MARKED | FARGS_PT_NODE_EMULATES))
		return NULL;
	*is_used = node->kind == FARGS_PT_NODE_COND || node->kind == FARGS_PT_NODE_RETURN;
	switch (node->kind) {
	case FARGS_PT_NODE_RUNS_ON:
		next = fargs_pt_walk_after(w, node);
		break;
	case FARGS_PT_NODE_COND:
		next = bit ? fargs_pt_walk_taken(w, node) : fargs_pt_walk_after(w, node);
		break;
	case FARGS_PT_NODE_JUMP:
		next = fargs_pt_walk_taken(w, node);
		break;
	case FARGS_PT_NODE_CALL:
		next = fargs_pt_walk_taken(w, node);
		if (node->target == fargs_pt_node_end(node))
			break;
		kind = FARGS_PT_NODE_CALL;
		m->calls[m->nr_calls++] = node;
		break;
	case FARGS_PT_NODE_RETURN:
		next = bit ? find_return(m, node) : NULL;
		kind = FARGS_PT_NODE_RETURN;
		break;
	}
	/* Only the graph of a node knows how long it exists. */
	if (!next || (next->flags ^ node->flags) & FARGS_PT_NODE_PROGRAM)
		return NULL;
	m->nr_insns += node->nr_insns;
	if (node->kind == FARGS_PT_NODE_RUNS_ON || (node->kind == FARGS_PT_NODE_COND && !bit))
		return next;
	if (node->kind == FARGS_PT_NODE_CALL || kind == FARGS_PT_NODE_RETURN ||
	    fargs_pt_walk_needs(w, next))
		add_step(m, node, next, kind);
	return next;
}

/* Makes @run, which begins at @node. */
static __attribute__((noinline)) void make_run(struct fargs_pt_runs *r, struct fargs_pt_walker *w,
					       struct run *run, struct fargs_pt_node *node,
					       uint16_t bits, unsigned int nr_bits)
{
	struct making m = { .w = w, .run = run, .depth = w->depth };
	unsigned int nr_direct = 0;
	struct fargs_pt_node *next;
	bool is_used;

	if (r->nr_steps + STEPS_MAX > NR_STEPS) {
		memset(r->table, 0, sizeof(r->table));
		r->nr_steps = 0;
	}
	*run = (struct run){
		.node = node, .bits = bits, .nr_bits = nr_bits, .nr_changes = *r->nr_changes,
		.first_step = r->nr_steps,
	};
	m.steps = &r->steps[r->nr_steps];
	/* It ends where its last bit is used: an event may come before what follows. */
	while (run->nr_used < nr_bits && m.nr_steps < STEPS_MAX && nr_direct++ < DIRECT_MAX) {
		next = make_step(&m, node, bits >> (nr_bits - 1 - run->nr_used) & 1, &is_used);
		if (!next)
			break;
		if (is_used) {
			run->nr_used++;
			run->next = next;
			run->nr_insns = m.nr_insns;
			run->last_ip = node->last_ip;
			run->nr_steps = m.nr_steps;
			nr_direct = 0;
		}
		node = next;
	}
	r->nr_steps += run->nr_steps;
}

/*
 * Ends a run before the return of @step, which returns to another call. Returns NULL if the run
 * begins with it.
 */
static struct fargs_pt_node *leave_run(struct fargs_pt_walker *w, const struct step *step,
				       uint64_t nr_insns)
{
	uint32_t before = step->nr_insns - step->node->nr_insns;

	if (!before)
		return NULL;
	w->nr_insns = nr_insns + before;
	w->nr_bits -= step->nr_bits;
	return step->node;
}

struct fargs_pt_node *fargs_pt_runs_walk(struct fargs_pt_runs *r, struct fargs_pt_walker *w,
					 struct fargs_pt_node *node)
{
	unsigned int nr_bits = w->nr_bits < BITS_MAX ? w->nr_bits : BITS_MAX;
	uint16_t bits = w->bits >> (w->nr_bits - nr_bits) & ((1u << nr_bits) - 1);
	uint64_t key = (uintptr_t)node ^ (uint64_t)bits << 32 ^ (uint64_t)nr_bits << 56;
	struct run *run = &r->table[key * FARGS_HASH_FACTOR >> (64 - TABLE_SHIFT)];
	const struct step *step, *end;
	uint64_t nr_insns = w->nr_insns;

	if (run->node != node || run->bits != bits || run->nr_bits != nr_bits ||
	    run->nr_changes != *r->nr_changes)
		make_run(r, w, run, node, bits, nr_bits);
	if (!run->nr_used)
		return NULL;
	step = &r->steps[run->first_step];
	for (end = step + run->nr_steps; step < end; step++) {
		if (step->kind == FARGS_PT_NODE_CALL) {
			fargs_pt_walk_push(w, step->node);
		} else if (step->kind == FARGS_PT_NODE_RETURN) {
			if (!w->depth || fargs_pt_walk_top(w)->ip != step->next->ip)
				return leave_run(w, step, nr_insns);
			fargs_pt_walk_pop(w);
		}
		w->nr_insns = nr_insns + step->nr_insns;
		fargs_pt_walk_branch(w, step->node, step->next);
	}
	w->nr_insns = nr_insns + run->nr_insns;
	w->last_ip = run->last_ip;
	w->nr_bits -= run->nr_used;
	return run->next;
}
