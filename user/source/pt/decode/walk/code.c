// SPDX-License-Identifier: GPL-2.0-only
/* The graphs of the code that is walked, the kernel's and a program's, and changes of this code. */
#include "source/pt/decode/walk/state.h"

#include <errno.h>

/* Memory that the graphs of programs may use: at the beginning of a segment, others are freed. */
#define PROGRAMS_BYTES	(64u << 20)

struct fargs_pt_node *fargs_pt_walk_node(struct fargs_pt_walker *w, uint64_t ip, uint8_t mode)
{
	bool is_user = fargs_pt_walk_is_user(ip) && w->user;
	struct fargs_pt_node *node = fargs_pt_graph_get(is_user ? w->user : w->kernel, ip, mode);

	/* Programs may have code in the kernel's half of the address space: the vsyscall page. */
	if (node && node->kind == FARGS_PT_NODE_MISSING && w->user && !is_user)
		node = fargs_pt_graph_get(w->user, ip, mode);
	w->is_short |= !node;
	return node;
}

/*
 * Returns whether both nodes are in the same graph. A node must not keep a pointer to a node of
 * another graph: the program may change, and its graph may be freed. In damaged traces, code may
 * jump from the kernel to user space: the end of the address space is near.
 */
static bool is_same_side(const struct fargs_pt_node *a, const struct fargs_pt_node *b)
{
	return b && !((a->flags ^ b->flags) & FARGS_PT_NODE_PROGRAM);
}

/* A near branch does not change the mode, whatever the trace reports of it meanwhile. */
struct fargs_pt_node *fargs_pt_walk_find_taken(struct fargs_pt_walker *w,
					       struct fargs_pt_node *node)
{
	struct fargs_pt_node *next = fargs_pt_walk_node(w, node->target, node->mode);

	if (is_same_side(node, next))
		node->taken = next;
	return next;
}

struct fargs_pt_node *fargs_pt_walk_find_after(struct fargs_pt_walker *w,
					       struct fargs_pt_node *node)
{
	uint64_t end = fargs_pt_node_end(node);
	struct fargs_pt_node *next = fargs_pt_walk_node(w, end, node->mode);

	if (is_same_side(node, next))
		node->after = next;
	return next;
}

/* Sets w->poke_tsc to the time of the next change of the code in use. */
static void set_poke_tsc(struct fargs_pt_walker *w)
{
	uint64_t kernel = fargs_pt_graph_until(w->kernel);
	uint64_t user = w->user ? fargs_pt_graph_until(w->user) : UINT64_MAX;
	uint64_t until = kernel < user ? kernel : user;

	w->poke_tsc = UINT64_MAX;
	/* If TSCs cannot be converted to times, the TSC of the change is unknown. */
	if (until != UINT64_MAX && w->in->config.has_time)
		w->poke_tsc = fargs_pt_input_tsc(&w->in->config, until);
}

void fargs_pt_walk_advance_code(struct fargs_pt_walker *w, uint64_t tsc)
{
	uint64_t ns = fargs_pt_input_ns(&w->in->config, tsc);
	size_t nr = fargs_pt_graph_move(w->kernel, ns);

	if (w->user)
		fargs_pt_graph_move(w->user, ns);
	set_poke_tsc(w);
	/*
	 * @nr does not count new mappings of a program: they do not change code that the program
	 * was executing.
	 */
	if (nr)
		fargs_pt_walk_add(w, FARGS_PT_POKED, 0, nr);
}

static int use(struct fargs_pt_walker *w, struct fargs_pt_space_graph *s,
	       const struct fargs_pt_memory *memory, int32_t space, uint64_t ns,
	       const struct fargs_pt_graph_options *options)
{
	if (!s->graph)
		s->graph = fargs_pt_graph_create(memory, space, options);
	if (!s->graph)
		return -ENOMEM;
	s->used = ++w->clock;
	w->user = s->graph;
	fargs_pt_graph_move(w->user, ns);
	return 0;
}

int fargs_pt_walk_use_space(struct fargs_pt_walker *w, int32_t space, uint64_t ns)
{
	int ret = 0;

	w->user = NULL;
	if (space >= 0)
		ret = use(w, &w->spaces[space], w->memory, space, ns, &w->graph_options);
	set_poke_tsc(w);
	return ret;
}

int fargs_pt_walk_use_guest_space(struct fargs_pt_walker *w, size_t guest, int32_t space,
				  uint64_t ns)
{
	struct fargs_pt_graph_options options = fargs_pt_walk_guest_options(w, guest);
	size_t at = w->in->nr_spaces, i;
	int ret = 0;

	w->user = NULL;
	for (i = 0; i < guest; i++)
		at += w->in->guests[i].in.nr_spaces;
	if (space >= 0)
		ret = use(w, &w->spaces[at + space], fargs_pt_memory_guest(w->memory, guest), space,
			  ns, &options);
	set_poke_tsc(w);
	return ret;
}

/* Frees the graphs that have not been used for the longest time, if they use too much memory. */
static void limit_graphs(struct fargs_pt_walker *w)
{
	struct fargs_pt_space_graph *s, *oldest;
	uint64_t bytes;
	size_t i;

	for (;;) {
		bytes = 0;
		oldest = NULL;
		for (i = 0; i < w->nr_spaces; i++) {
			s = &w->spaces[i];
			if (!s->graph)
				continue;
			bytes += fargs_pt_graph_bytes(s->graph);
			if (!oldest || s->used < oldest->used)
				oldest = s;
		}
		if (bytes <= PROGRAMS_BYTES)
			return;
		fargs_pt_graph_destroy(oldest->graph);
		oldest->graph = NULL;
	}
}

int fargs_pt_walk_begin_code(struct fargs_pt_walker *w)
{
	uint64_t ns = fargs_pt_input_ns(&w->in->config, w->seg->tsc);
	int32_t space = fargs_pt_programs_begin(w->programs, w->seg);

	w->kernel = w->host_kernel;
	w->marks = w->all_marks[0];
	limit_graphs(w);
	fargs_pt_graph_move(w->kernel, ns);
	return fargs_pt_walk_use_space(w, space, ns);
}

void fargs_pt_walk_enter_program(struct fargs_pt_walker *w, uint64_t ip)
{
	struct fargs_pt_program now;
	size_t i;

	/* Those of a guest, if they are known at all, are chosen by its PIPs. */
	if (w->is_guest || !fargs_pt_programs_enter(w->programs, ip, w->tsc, &now))
		return;
	w->is_short |= fargs_pt_walk_use_space(w, now.space, now.ns);
	/* The nodes of the calls may be of the other program. */
	for (i = 0; i < FARGS_PT_WALK_DEPTH; i++)
		w->calls[i].from = NULL;
}

void fargs_pt_walk_enter_after_hole(struct fargs_pt_walker *w, uint64_t ip)
{
	/*
	 * If the kernel is not traced, w->tsc may be too early by up to w->tick, but code that was
	 * mapped during the gap in the trace is already in use. So apply the changes up to
	 * w->tsc + w->tick.
	 */
	uint64_t ahead = w->in->config.has_kernel ? 0 : w->tick;

	if (w->has_programs) {
		fargs_pt_programs_hole(w->programs);
		if (fargs_pt_walk_is_user(ip))
			fargs_pt_walk_enter_program(w, ip);
	}
	if (w->poke_tsc != UINT64_MAX && w->tsc + ahead >= w->poke_tsc)
		fargs_pt_walk_advance_code(w, w->tsc + ahead);
}
