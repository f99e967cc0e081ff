// SPDX-License-Identifier: GPL-2.0-only
#include "source/pt/join/seq_sites.h"

#include <errno.h>
#include <stdlib.h>

#include "abi/machine.h"
#include "base/array.h"
#include "kernel/sym/ksyms.h"
#include "source/pt/code/insn.h"
#include "source/pt/join/callers.h"
#include "source/pt/join/entries.h"
#include "source/pt/join/roots.h"
#include "uapi/fargs.h"

/* Maximum number of nested executions on a CPU that are tracked until they end. */
#define OPEN_MAX	16
/* Number of TICK items after which the end of an execution has certainly passed. */
#define TICKS_MAX	2

/* Functions that contain the seq sites of entries and tracepoints, indexed by enum fargs_path. */
static const char *const entry_names[FARGS_PT_SITES] = {
	[FARGS_PATH_PLAIN] = "fargs_entry_plain",
	[FARGS_PATH_FETCH] = "fargs_entry_fetch",
	[FARGS_PATH_TPOINT] = "fargs_tpoint_call",
};

/* An execution whose record may not have been written yet. */
struct open {
	size_t token;
	const struct fargs_pt_stack *stack;
	size_t nr_frames;	/* the execution ends when the stack has fewer frames than this */
	bool is_over;		/* the execution has ended */
	unsigned int nr_ticks;	/* number of TICK items since the execution ended */
};

struct cpu_cursor {
	struct fargs_pt_token *tokens;
	uint64_t *keys;		/* key of each token (roots.h) */
	size_t nr;
	bool is_in_hole;
	/*
	 * Code that was entered in a hole may run below what is on the stack until the CPU returns
	 * to user space. Until then, holes have the same upper bound, which is set when it returns.
	 * @unsettled: index of the first token of this kind; @bound: of the holes from there on;
	 * @has_returned: they are settled as soon as their bound is known.
	 */
	size_t unsettled;
	uint64_t bound;
	bool has_returned;
	/*
	 * The stack with fargs's code that was entered in a hole and still runs, so that records of
	 * holes may be written at any later time; NULL: none is known.
	 */
	const struct fargs_pt_stack *vague;
	unsigned int nr_hole_ticks;	/* number of TICK items since the last hole ended */
	uint64_t tsc;		/* lower bound of the current time */
	/* Key of the execution before, if it served one of several sessions; else 0. */
	uint64_t last_several;
	struct open open[OPEN_MAX];
	size_t nr_open;
};

struct fargs_pt_seq_sites {
	const struct fargs_meta *meta;
	uint64_t error;			/* maximum error of times, in TSC ticks */
	uint64_t entry_addrs[FARGS_PT_SITES];
	/* Address of return_to_handler(), which runs once per return. */
	uint64_t graph_addr;
	/* Number of calls of functions in @entry_addrs, and of executions of their seq sites. */
	uint64_t nr_entered, nr_taken;
	struct cpu_cursor *cursors;	/* of each CPU */
	size_t nr_cursors;
	struct fargs_pt_callers callers;
	struct fargs_pt_entries entries;
	uint64_t *hidden;
	size_t nr_hidden;
};

static uint64_t addr_of(const struct fargs_pt_input *code, const char *name)
{
	const struct fargs_ksym *const *sym;

	if (!name || !code->ksyms || fargs_ksyms_find_name(code->ksyms, name, &sym) != 1)
		return 0;
	return sym[0]->addr;
}

struct fargs_pt_seq_sites *fargs_pt_seq_sites_create(const struct fargs_pt_input *code,
						     const struct fargs_meta *meta, size_t nr,
						     uint64_t error)
{
	struct fargs_pt_seq_sites *s = calloc(1, sizeof(*s));
	size_t i;

	if (!s)
		return NULL;
	s->meta = meta;
	s->callers.meta = meta;
	s->error = error;
	for (i = 0; i < FARGS_PT_SITES; i++)
		s->entry_addrs[i] = addr_of(code, entry_names[i]);
	s->graph_addr = addr_of(code, "return_to_handler");
	s->cursors = calloc(nr + 1, sizeof(*s->cursors));
	if (!s->cursors) {
		fargs_pt_seq_sites_destroy(s);
		return NULL;
	}
	s->nr_cursors = nr;
	for (i = 0; i < nr; i++)
		if (fargs_pt_seq_sites_hole(s, i)) {
			fargs_pt_seq_sites_destroy(s);
			return NULL;
		}
	return s;
}

void fargs_pt_seq_sites_destroy(struct fargs_pt_seq_sites *s)
{
	size_t i;

	if (!s)
		return;
	for (i = 0; i < s->nr_cursors; i++) {
		free(s->cursors[i].tokens);
		free(s->cursors[i].keys);
	}
	free(s->cursors);
	fargs_pt_callers_deinit(&s->callers);
	fargs_pt_entries_deinit(&s->entries);
	free(s->hidden);
	free(s);
}

/*
 * Adds a token to @l, without callers, and with @first_tsc as the lower bound of its time. Returns
 * NULL if out of memory.
 */
static struct fargs_pt_token *add_token(struct fargs_pt_seq_sites *s, struct cpu_cursor *l,
					uint64_t first_tsc, uint64_t key)
{
	struct fargs_pt_token *tokens = fargs_grow(l->tokens, l->nr, sizeof(*tokens));
	uint64_t *keys;

	if (!tokens)
		return NULL;
	l->tokens = tokens;
	keys = fargs_grow(l->keys, l->nr, sizeof(*keys));
	if (!keys || l->nr == UINT32_MAX)
		return NULL;
	l->keys = keys;
	if (l->nr && first_tsc < tokens[l->nr - 1].first_tsc)
		first_tsc = tokens[l->nr - 1].first_tsc;
	keys[l->nr] = key;
	tokens[l->nr] = (struct fargs_pt_token){
		.first_tsc = first_tsc, .last_tsc = UINT64_MAX, .caller = (uint32_t)s->callers.nr,
	};
	return &tokens[l->nr++];
}

/* Returns the lower bound of the actual time if the trace reports @tsc. */
static uint64_t earliest_tsc(const struct fargs_pt_seq_sites *s, uint64_t tsc)
{
	return s->error == UINT64_MAX || tsc < s->error ? 0 : tsc - s->error;
}

/* Records of unsettled holes may be written at any later time. */
static void remove_bound(struct cpu_cursor *l)
{
	l->bound = UINT64_MAX;
	l->has_returned = false;
	l->nr_hole_ticks = 0;
}

/* If the bound of the holes is final, sets it. */
static void settle(struct cpu_cursor *l)
{
	if (!l->has_returned || l->bound == UINT64_MAX)
		return;
	for (; l->unsettled < l->nr; l->unsettled++)
		if (l->tokens[l->unsettled].is_hole)
			l->tokens[l->unsettled].last_tsc = l->bound;
	l->has_returned = false;
}

int fargs_pt_seq_sites_hole(struct fargs_pt_seq_sites *s, size_t cpu)
{
	struct cpu_cursor *l = &s->cursors[cpu];
	size_t i;

	/* Open executions may end in the hole, and may belong to another session. */
	for (i = 0; i < l->nr_open; i++)
		l->tokens[l->open[i].token].is_optional |= !l->open[i].is_over;
	l->nr_open = 0;
	if (!l->nr || !l->tokens[l->nr - 1].is_hole) {
		struct fargs_pt_token *t = add_token(s, l, l->tsc, 0);

		if (!t)
			return -ENOMEM;
		t->is_hole = true;
	}
	/* Code that was entered in an earlier hole may end in this one. */
	if (l->unsettled > l->nr - 1) {
		l->unsettled = l->nr - 1;
		l->tokens[l->unsettled].last_tsc = UINT64_MAX;
	}
	remove_bound(l);
	l->is_in_hole = true;
	l->vague = NULL;
	return 0;
}

void fargs_pt_seq_sites_pause(struct fargs_pt_seq_sites *s, size_t cpu)
{
	s->cursors[cpu].nr_open = 0;
}

static int hide_call(struct fargs_pt_seq_sites *s, uint64_t node)
{
	uint64_t *to = fargs_array_add(s->hidden, s->nr_hidden);

	if (!to)
		return -ENOMEM;
	*to = node;
	return 0;
}

/* Handles an entry of the kernel into fargs's own code. */
static int enter_tracer(struct fargs_pt_seq_sites *s, const struct fargs_pt_site_context *c)
{
	const struct fargs_pt_stack *stack = c->stack;
	size_t first = s->callers.nr;
	struct fargs_pt_root root;
	int nr = 1;

	fargs_pt_root_find(&root, s->meta, stack);
	if (root.is_inside || root.entered < stack->nr - 1)
		return 0;
	if (hide_call(s, stack->frames[root.frame].node))
		return -ENOMEM;
	if (root.kind == FARGS_PT_ROOT_HOOK) {
		nr = fargs_pt_callers_add_returning(&s->callers, c, root.frame);
		s->callers.nr = first;
		if (nr < 0)
			return nr;
		if (stack->frames[root.frame].addr == s->graph_addr)
			nr = 1;
	}
	return fargs_pt_entries_add(&s->entries, fargs_pt_root_key(&root, stack),
				    nr > 1 ? (size_t)nr : 1);
}

static bool is_entry(const struct fargs_pt_seq_sites *s, uint64_t addr)
{
	size_t i;

	for (i = 0; i < FARGS_PT_SITES; i++)
		if (addr && s->entry_addrs[i] == addr)
			return true;
	return false;
}

static int execute_site(struct fargs_pt_seq_sites *s, const struct fargs_pt_site_context *c,
			const struct fargs_pt_item *item)
{
	struct cpu_cursor *l = &s->cursors[c->cpu];
	const struct fargs_pt_stack *stack = c->stack;
	struct fargs_pt_token *t;
	bool is_several = item->to >= FARGS_PATHS;
	struct fargs_pt_root root = { };
	struct open *o;
	uint64_t key = 0;
	int ret;

	l->tsc = earliest_tsc(s, item->from) > l->tsc ? earliest_tsc(s, item->from) : l->tsc;
	if (stack->nr) {
		fargs_pt_root_find(&root, s->meta, stack);
		key = fargs_pt_root_key(&root, stack);
		/* Several executions may belong to one call of the callback. */
		if (!is_several)
			s->nr_taken += is_entry(s, stack->frames[stack->nr - 1].addr);
		else if (l->last_several != key)
			s->nr_taken++;
		l->last_several = is_several ? key : 0;
	}
	t = add_token(s, l, l->tsc, key);
	if (!t)
		return -ENOMEM;
	t->is_several = is_several;
	t->tid = c->tid;
	t->nr_nodes = stack->nr_nodes ? *stack->nr_nodes : 0;
	ret = fargs_pt_callers_add(&s->callers, c, stack->nr ? &root : NULL,
				   is_several ? item->to - FARGS_PATHS : item->to, t);
	if (ret) {
		l->nr--;
		return ret < 0 ? ret : 0;
	}
	/* The execution ends when the frame from which fargs's code was entered is popped. */
	if (l->nr_open == OPEN_MAX || !stack->nr)
		return 0;
	o = &l->open[l->nr_open++];
	*o = (struct open){ .token = l->nr - 1, .stack = stack, .nr_frames = root.frame + 1 };
	return 0;
}

/* Finds executions that have ended: their frames were popped. */
static void look_for_ends(struct cpu_cursor *l, const struct fargs_pt_stack *stack)
{
	size_t i;

	for (i = 0; i < l->nr_open; i++)
		if (l->open[i].stack == stack && stack->nr < l->open[i].nr_frames)
			l->open[i].is_over = true;
}

static void take_tick(struct fargs_pt_seq_sites *s, struct cpu_cursor *l, uint64_t tsc)
{
	size_t i, nr = 0;

	if (!l->is_in_hole && !l->vague && ++l->nr_hole_ticks == TICKS_MAX &&
	    s->error != UINT64_MAX) {
		l->bound = tsc + s->error;
		settle(l);
	}
	for (i = 0; i < l->nr_open; i++) {
		struct open *o = &l->open[i];

		if (o->is_over && ++o->nr_ticks == TICKS_MAX) {
			if (s->error != UINT64_MAX)
				l->tokens[o->token].last_tsc = tsc + s->error;
			continue;
		}
		l->open[nr++] = *o;
	}
	l->nr_open = nr;
}

/*
 * Returns whether @item returns to user space: then no code of the kernel runs below, and each
 * number that was allocated on the CPU has its record. Where the target is not in the trace, IRET
 * may have returned to code of the kernel that is not traced.
 */
static bool is_return_to_user(const struct fargs_pt_item *item)
{
	return item->kind == FARGS_PT_BRANCH &&
	       (item->insn == FARGS_PT_INSN_SYSRET ||
		(item->insn == FARGS_PT_INSN_IRET && item->to &&
		 !fargs_machine_is_kernel(item->to)));
}

/* Is fargs's code on the stack whose entry is not in the trace? */
static bool is_vague(const struct fargs_pt_stack *stack)
{
	size_t i;

	for (i = 0; i < stack->nr; i++)
		if (stack->frames[i].is_tracer && stack->frames[i].kind == FARGS_PT_FRAME_BASE)
			return true;
	return false;
}

int fargs_pt_seq_sites_take(struct fargs_pt_seq_sites *s, const struct fargs_pt_site_context *c,
			    const struct fargs_pt_item *item)
{
	struct cpu_cursor *l = &s->cursors[c->cpu];
	const struct fargs_pt_frame *top;

	if (l->nr_open)
		look_for_ends(l, c->stack);
	if (l->vague == c->stack && !is_vague(c->stack)) {
		l->vague = NULL;
		l->nr_hole_ticks = 0;
	}
	if (is_return_to_user(item)) {
		l->has_returned = true;
		settle(l);
	}
	if (item->kind == FARGS_PT_TICK) {
		take_tick(s, l, item->to);
		return 0;
	}
	l->is_in_hole = false;
	if (item->kind == FARGS_PT_SITE)
		return execute_site(s, c, item);
	if (!c->stack->nr || c->step == FARGS_PT_STEP_NONE || c->step == FARGS_PT_STEP_LEFT)
		return 0;
	top = &c->stack->frames[c->stack->nr - 1];
	if (!top->is_tracer)
		return 0;
	if (top->kind == FARGS_PT_FRAME_BASE) {
		l->vague = c->stack;
		remove_bound(l);
	}
	s->nr_entered += top->kind == FARGS_PT_FRAME_CALL && is_entry(s, top->addr);
	return c->was_tracer ? 0 : enter_tracer(s, c);
}

static int compare_seqs(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return (x > y) - (x < y);
}

int fargs_pt_seq_sites_finish(struct fargs_pt_seq_sites *s)
{
	struct cpu_cursor *l;

	fargs_pt_entries_sort(&s->entries);
	if (s->nr_hidden)
		qsort(s->hidden, s->nr_hidden, sizeof(*s->hidden), compare_seqs);
	for (l = s->cursors; l < s->cursors + s->nr_cursors; l++) {
		l->nr = fargs_pt_entries_sort_out(&s->entries, s->callers.all, l->tokens, l->keys,
						  l->nr);
		if (fargs_pt_seq_sites_hole(s, l - s->cursors))
			return -ENOMEM;
	}
	return 0;
}

struct fargs_pt_token *fargs_pt_seq_sites_tokens(struct fargs_pt_seq_sites *s, size_t cpu,
						 size_t *nr)
{
	*nr = s->cursors[cpu].nr;
	return s->cursors[cpu].tokens;
}

const struct fargs_pt_caller *fargs_pt_seq_sites_callers(const struct fargs_pt_seq_sites *s)
{
	return s->callers.all;
}

const uint64_t *fargs_pt_seq_sites_hidden(const struct fargs_pt_seq_sites *s, size_t *nr)
{
	*nr = s->nr_hidden;
	return s->hidden;
}

uint64_t fargs_pt_seq_sites_filtered(const struct fargs_pt_seq_sites *s)
{
	return s->nr_entered > s->nr_taken ? s->nr_entered - s->nr_taken : 0;
}
