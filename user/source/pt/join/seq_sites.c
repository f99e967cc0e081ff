// SPDX-License-Identifier: GPL-2.0-only
#include "source/pt/join/seq_sites.h"

#include <errno.h>
#include <stdlib.h>

#include "base/array.h"
#include "kernel/sym/ksyms.h"
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

struct stream_cursor {
	struct fargs_pt_token *tokens;
	uint64_t *keys;		/* key of each token (roots.h) */
	size_t nr;
	bool is_in_hole;
	size_t hole;		/* index of the last hole */
	bool is_hole_vague;	/* records of the last hole may be written at any later time */
	unsigned int nr_hole_ticks;	/* number of TICK items since the last hole ended */
	uint64_t tsc;		/* lower bound of the current time */
	struct open open[OPEN_MAX];
	size_t nr_open;
};

struct fargs_pt_seq_sites {
	const struct fargs_pt_input *in;
	const struct fargs_meta *meta;
	uint64_t error;			/* maximum error of times, in TSC ticks */
	uint64_t entry_addrs[FARGS_PT_SITES];
	/* Address of return_to_handler(), which runs once per return. */
	uint64_t graph_addr;
	/* Number of calls of functions in @entry_addrs, and of executions of their seq sites. */
	uint64_t nr_entered, nr_taken;
	struct stream_cursor *cursors;		/* one element for each of in->streams */
	struct fargs_pt_callers callers;
	struct fargs_pt_entries entries;
	uint64_t *hidden;
	size_t nr_hidden;
};

static uint64_t addr_of(const struct fargs_pt_input *in, const char *name)
{
	const struct fargs_ksym *const *sym;

	if (!name || !in->ksyms || fargs_ksyms_find_name(in->ksyms, name, &sym) != 1)
		return 0;
	return sym[0]->addr;
}

struct fargs_pt_seq_sites *fargs_pt_seq_sites_create(const struct fargs_pt_input *in,
						     const struct fargs_meta *meta)
{
	struct fargs_pt_seq_sites *s = calloc(1, sizeof(*s));
	size_t i;

	if (!s)
		return NULL;
	s->in = in;
	s->meta = meta;
	s->callers.meta = meta;
	s->error = fargs_pt_flow_error(&in->config);
	for (i = 0; i < FARGS_PT_SITES; i++)
		s->entry_addrs[i] = addr_of(in, entry_names[i]);
	s->graph_addr = addr_of(in, "return_to_handler");
	s->cursors = calloc(in->nr_streams + 1, sizeof(*s->cursors));
	if (!s->cursors) {
		fargs_pt_seq_sites_destroy(s);
		return NULL;
	}
	for (i = 0; i < in->nr_streams; i++)
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
	for (i = 0; s->cursors && i < s->in->nr_streams; i++) {
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
static struct fargs_pt_token *add_token(struct fargs_pt_seq_sites *s, struct stream_cursor *l,
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

int fargs_pt_seq_sites_hole(struct fargs_pt_seq_sites *s, size_t stream)
{
	struct stream_cursor *l = &s->cursors[stream];
	size_t i;

	/* Open executions may end in the hole, and may belong to another session. */
	for (i = 0; i < l->nr_open; i++)
		l->tokens[l->open[i].token].is_optional |= !l->open[i].is_over;
	l->nr_open = 0;
	if (l->nr && l->tokens[l->nr - 1].is_hole) {
		l->tokens[l->nr - 1].last_tsc = UINT64_MAX;
	} else {
		struct fargs_pt_token *t = add_token(s, l, l->tsc, 0);

		if (!t)
			return -ENOMEM;
		t->is_hole = true;
	}
	l->hole = l->nr - 1;
	l->is_in_hole = true;
	l->is_hole_vague = false;
	l->nr_hole_ticks = 0;
	return 0;
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
	struct stream_cursor *l = &s->cursors[c->stream];
	const struct fargs_pt_stack *stack = c->stack;
	struct fargs_pt_token *t;
	struct fargs_pt_root root = { };
	struct open *o;
	int ret;

	l->tsc = earliest_tsc(s, item->from) > l->tsc ? earliest_tsc(s, item->from) : l->tsc;
	if (stack->nr) {
		fargs_pt_root_find(&root, s->meta, stack);
		s->nr_taken += is_entry(s, stack->frames[stack->nr - 1].addr);
	}
	t = add_token(s, l, l->tsc, stack->nr ? fargs_pt_root_key(&root, stack) : 0);
	if (!t)
		return -ENOMEM;
	t->tid = c->tid;
	t->nr_nodes = stack->nr_nodes ? *stack->nr_nodes : 0;
	ret = fargs_pt_callers_add(&s->callers, c, stack->nr ? &root : NULL, item->to, t);
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
static void look_for_ends(struct stream_cursor *l, const struct fargs_pt_stack *stack)
{
	size_t i;

	for (i = 0; i < l->nr_open; i++)
		if (l->open[i].stack == stack && stack->nr < l->open[i].nr_frames)
			l->open[i].is_over = true;
}

static void take_tick(struct fargs_pt_seq_sites *s, struct stream_cursor *l, uint64_t tsc)
{
	size_t i, nr = 0;

	if (!l->is_in_hole && !l->is_hole_vague && ++l->nr_hole_ticks == TICKS_MAX &&
	    s->error != UINT64_MAX)
		l->tokens[l->hole].last_tsc = tsc + s->error;
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
 * Removes the upper bounds of the times of holes. Called if fargs's code that was entered in a hole
 * is still running after the hole: its record may be written at any later time.
 */
static void set_vague(struct stream_cursor *l)
{
	size_t i;

	l->is_hole_vague = true;
	for (i = 0; i < l->nr; i++)
		if (l->tokens[i].is_hole)
			l->tokens[i].last_tsc = UINT64_MAX;
}

int fargs_pt_seq_sites_take(struct fargs_pt_seq_sites *s, const struct fargs_pt_site_context *c,
			    const struct fargs_pt_item *item)
{
	struct stream_cursor *l = &s->cursors[c->stream];
	const struct fargs_pt_frame *top;

	if (l->nr_open)
		look_for_ends(l, c->stack);
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
	if (top->kind == FARGS_PT_FRAME_BASE)
		set_vague(l);
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
	struct stream_cursor *l;

	fargs_pt_entries_sort(&s->entries);
	if (s->nr_hidden)
		qsort(s->hidden, s->nr_hidden, sizeof(*s->hidden), compare_seqs);
	for (l = s->cursors; l < s->cursors + s->in->nr_streams; l++) {
		l->nr = fargs_pt_entries_sort_out(&s->entries, s->callers.all, l->tokens, l->keys,
						  l->nr);
		if (fargs_pt_seq_sites_hole(s, l - s->cursors))
			return -ENOMEM;
	}
	return 0;
}

struct fargs_pt_token *fargs_pt_seq_sites_tokens(struct fargs_pt_seq_sites *s, size_t stream,
						 size_t *nr)
{
	*nr = s->cursors[stream].nr;
	return s->cursors[stream].tokens;
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
