// SPDX-License-Identifier: GPL-2.0-only
#include "source/pt/join/sites.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "kernel/sym/ksyms.h"
#include "uapi/fargs.h"
#include "uapi/fargs_layout.h"
#include "base/grow.h"

/* Between a traced function and our code there are no more frames than these. */
#define WALK_MAX	24
/* Bytes of the ENDBR64 that may stand in front of the call of ftrace. */
#define ENDBR_BYTES	4
/* Executions on a CPU, inside of each other, whose end is awaited. */
#define OPEN_MAX	16
/* Times to be told, when one is over, until it surely was. */
#define TICKS_MAX	2

/* By what they capture. As the numbers of enum fargs_path. */
static const char *const entry_names[FARGS_PT_SITES] = {
	[FARGS_PATH_PLAIN] = "fargs_entry_plain",
	[FARGS_PATH_FETCH] = "fargs_entry_fetch",
	[FARGS_PATH_TPOINT] = "fargs_tpoint_call",
};

/* From where the kernel goes to our code: what is hidden. */
enum root_kind {
	ROOT_DIRECT,		/* our code is called by a pointer, or by the kernel itself */
	ROOT_FENTRY,		/* what a function calls at its begin */
	ROOT_HOOK,		/* what comes in front of a return */
};

struct root {
	enum root_kind kind;
	size_t frame;
	size_t entered;		/* the first frame that is our own code, before any other */
	bool is_inside;		/* there is some of our code above it already */
};

/* An execution whose record may still be made. */
struct open {
	size_t token;
	const struct fargs_pt_stack *stack;
	size_t nr_frames;	/* of the stack, while it goes on */
	bool is_over;
	unsigned int nr_ticks;	/* since it was over */
};

struct lane {
	struct fargs_pt_token *tokens;
	uint64_t *keys;		/* of each token: of what there is but one call of each session */
	size_t nr;
	bool is_in_hole;
	size_t hole;		/* the last one */
	bool is_hole_vague;	/* when it was over will not be known */
	unsigned int nr_hole_ticks;	/* since it was over */
	uint64_t tsc;		/* that is surely over */
	struct open open[OPEN_MAX];
	size_t nr_open;
};

/* That our code was called, for a key, as often as it can be by one session. */
struct entry {
	uint64_t key;
	uint32_t nr_most;
};

struct fargs_pt_sites {
	const struct fargs_pt_input *in;
	const struct fargs_meta *meta;
	uint64_t error;			/* of times */
	uint64_t entry_addrs[FARGS_PT_SITES];
	uint64_t graph_addr;		/* of a hook that is for one return alone */
	uint64_t nr_entered, nr_taken;	/* at these */
	struct lane *lanes;		/* by stream */
	struct fargs_pt_caller *callers;
	size_t nr_callers;
	struct entry *entries;
	size_t nr_entries;
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

struct fargs_pt_sites *fargs_pt_sites_create(const struct fargs_pt_input *in,
					     const struct fargs_meta *meta)
{
	struct fargs_pt_sites *s = calloc(1, sizeof(*s));
	size_t i;

	if (!s)
		return NULL;
	s->in = in;
	s->meta = meta;
	s->error = fargs_pt_flow_error(&in->config);
	for (i = 0; i < FARGS_PT_SITES; i++)
		s->entry_addrs[i] = addr_of(in, entry_names[i]);
	s->graph_addr = addr_of(in, "return_to_handler");
	s->lanes = calloc(in->nr_streams + 1, sizeof(*s->lanes));
	if (!s->lanes) {
		fargs_pt_sites_destroy(s);
		return NULL;
	}
	for (i = 0; i < in->nr_streams; i++)
		if (fargs_pt_sites_hole(s, i)) {
			fargs_pt_sites_destroy(s);
			return NULL;
		}
	return s;
}

void fargs_pt_sites_destroy(struct fargs_pt_sites *s)
{
	size_t i;

	if (!s)
		return;
	for (i = 0; s->lanes && i < s->in->nr_streams; i++) {
		free(s->lanes[i].tokens);
		free(s->lanes[i].keys);
	}
	free(s->lanes);
	free(s->callers);
	free(s->entries);
	free(s->hidden);
	free(s);
}

/* An empty one behind those of @l, not before @first_tsc. NULL: no memory. */
static struct fargs_pt_token *add_token(struct fargs_pt_sites *s, struct lane *l,
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
		.first_tsc = first_tsc, .last_tsc = UINT64_MAX, .caller = (uint32_t)s->nr_callers,
	};
	return &tokens[l->nr++];
}

/* What came before is over, as far as the trace tells. */
static uint64_t earliest(const struct fargs_pt_sites *s, uint64_t tsc)
{
	return s->error == UINT64_MAX || tsc < s->error ? 0 : tsc - s->error;
}

int fargs_pt_sites_hole(struct fargs_pt_sites *s, size_t stream)
{
	struct lane *l = &s->lanes[stream];
	size_t i;

	/* What was going on may end in it; another session's part of it may be there, or ours. */
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

static bool is_fentry(const struct fargs_pt_stack *stack, size_t i)
{
	uint64_t bytes;

	if (!i || !stack->frames[i].is_ftrace)
		return false;
	bytes = stack->frames[i].from - stack->frames[i - 1].addr;
	return bytes == 0 || bytes == ENDBR_BYTES;
}

/* From the last frame, which is our own code. */
static void find_root(const struct fargs_pt_sites *s, const struct fargs_pt_stack *stack,
		      struct root *root)
{
	size_t top = stack->nr - 1, i;

	for (i = top; i && stack->frames[i - 1].is_tracer; i--)
		;
	*root = (struct root){ .kind = ROOT_DIRECT, .frame = i, .entered = i };
	for (i = top; top - i < WALK_MAX; i--) {
		const struct fargs_pt_frame *frame = &stack->frames[i];

		if (i < root->entered && frame->is_tracer)
			root->is_inside = true;
		if (frame->is_hook || is_fentry(stack, i) ||
		    (frame->is_ftrace && fargs_meta_func(s->meta, frame->from, UINT64_MAX))) {
			root->kind = frame->is_hook ? ROOT_HOOK : ROOT_FENTRY;
			root->frame = i;
			return;
		}
		if (!i || frame->kind == FARGS_PT_FRAME_INTERRUPT)
			return;
	}
}

/* What is recorded at the return of the function at @addr; NULL: nothing. */
static const struct fargs_func *find_probed(const struct fargs_pt_sites *s, uint64_t addr)
{
	const struct fargs_func *func = fargs_meta_func(s->meta, addr, UINT64_MAX);

	if (!func)
		func = fargs_meta_func(s->meta, addr + ENDBR_BYTES, UINT64_MAX);
	return func && func->addr == addr && func->layout_flags & FARGS_LAYOUT_RETURN ? func : NULL;
}

static int add_caller(struct fargs_pt_sites *s, uint64_t ip, uint64_t node)
{
	struct fargs_pt_caller *larger;

	if (s->nr_callers == UINT32_MAX)
		return -ENOMEM;
	larger = fargs_grow(s->callers, s->nr_callers, sizeof(*larger));
	if (!larger)
		return -ENOMEM;
	s->callers = larger;
	s->callers[s->nr_callers++] = (struct fargs_pt_caller){ .ip = ip, .node = node };
	return 0;
}

/* A frame of which it is known when it began, or that it did so before all that is known. */
static bool is_trusted(const struct fargs_pt_site_context *c, size_t i)
{
	return c->stack->frames[i].epoch >= c->trusted;
}

/*
 * The calls whose return goes through the hook: that of the frame below, and those that jumped
 * there. How many; 0: that is not known.
 */
static int add_returning(struct fargs_pt_sites *s, const struct fargs_pt_site_context *c,
			 size_t hook)
{
	const struct fargs_pt_stack *stack = c->stack;
	const struct fargs_pt_jumped *jumped;
	const struct fargs_pt_frame *frame;
	const struct fargs_func *func;
	size_t nr, i, first = s->nr_callers;

	if (!hook || !is_trusted(c, hook - 1))
		return 0;
	frame = &stack->frames[hook - 1];
	nr = fargs_pt_stack_jumped(stack, hook - 1, &jumped);
	if (frame->kind == FARGS_PT_FRAME_BASE && !nr && !frame->is_hook) {
		/* Its begin was not traced, so that it may be any. */
		return add_caller(s, 0, 0) ? -ENOMEM : 1;
	}
	if (frame->kind != FARGS_PT_FRAME_CALL || !frame->is_shown || frame->is_tracer)
		return 0;
	for (i = 0; i <= nr; i++) {
		func = find_probed(s, i < nr ? jumped[i].addr : frame->addr);
		if (func && add_caller(s, func->ip, i < nr ? jumped[i].node : frame->node))
			return -ENOMEM;
	}
	nr = s->nr_callers - first;
	if (nr > UINT8_MAX) {
		s->nr_callers = first;
		nr = 0;
	}
	return (int)nr;
}

static int add_entry(struct fargs_pt_sites *s, uint64_t key, size_t nr_most)
{
	struct entry *larger = fargs_grow(s->entries, s->nr_entries, sizeof(*larger));

	if (!larger)
		return -ENOMEM;
	s->entries = larger;
	s->entries[s->nr_entries++] = (struct entry){ key, (uint32_t)nr_most };
	return 0;
}

static int hide(struct fargs_pt_sites *s, uint64_t node)
{
	uint64_t *larger = fargs_grow(s->hidden, s->nr_hidden, sizeof(*larger));

	if (!larger)
		return -ENOMEM;
	s->hidden = larger;
	s->hidden[s->nr_hidden++] = node;
	return 0;
}

/*
 * A session has one callback for each call of a function, return of one, or for what a
 * function does where a tracepoint is. What tells these apart:
 */
static uint64_t key_of(const struct fargs_pt_stack *stack, const struct root *root)
{
	if (root->kind == ROOT_DIRECT)
		return root->frame ? stack->frames[root->frame - 1].node : 0;
	return stack->frames[root->frame].node;
}

/* From elsewhere to our own code. */
static int enter(struct fargs_pt_sites *s, const struct fargs_pt_site_context *c)
{
	const struct fargs_pt_stack *stack = c->stack;
	size_t first = s->nr_callers;
	struct root root;
	int nr = 1;

	find_root(s, stack, &root);
	if (root.is_inside || root.entered < stack->nr - 1)
		return 0;
	if (hide(s, stack->frames[root.frame].node))
		return -ENOMEM;
	if (root.kind == ROOT_HOOK) {
		nr = add_returning(s, c, root.frame);
		s->nr_callers = first;
		if (nr < 0)
			return nr;
		if (stack->frames[root.frame].addr == s->graph_addr)
			nr = 1;
	}
	return add_entry(s, key_of(stack, &root), nr > 1 ? (size_t)nr : 1);
}

static bool is_entry(const struct fargs_pt_sites *s, uint64_t addr)
{
	size_t i;

	for (i = 0; i < FARGS_PT_SITES; i++)
		if (addr && s->entry_addrs[i] == addr)
			return true;
	return false;
}

static bool is_probed(const struct fargs_func *func)
{
	return func->layout_flags & (FARGS_LAYOUT_RETURN | FARGS_LAYOUT_SCOPE);
}

/* Who called it: sets what @t makes. 1: it is of another session, for sure; -ENOMEM. */
static int set_callers(struct fargs_pt_sites *s, const struct fargs_pt_site_context *c,
		       const struct root *root, size_t path, struct fargs_pt_token *t)
{
	bool is_return = path == FARGS_PATH_RETURN;
	const struct fargs_pt_frame *frame;
	const struct fargs_func *func;
	int nr;

	t->makers = path == FARGS_PATH_TPOINT ? FARGS_PT_MAKES_TPOINT : FARGS_PT_MAKES_ENTRY;
	if (is_return)
		t->makers = FARGS_PT_MAKES_PROBED | FARGS_PT_MAKES_RETURN;
	t->is_optional = !root;
	if (!root)
		return 0;
	frame = &c->stack->frames[root->frame];
	if (path == FARGS_PATH_TPOINT) {
		t->nr_callers = 1;
		return add_caller(s, 0, c->stack->frames[root->entered].node);
	}
	if (root->kind == ROOT_HOOK && is_return) {
		t->makers = FARGS_PT_MAKES_RETURN;
		nr = add_returning(s, c, root->frame);
		if (nr < 0)
			return nr;
		t->nr_callers = (uint8_t)nr;
		t->is_optional = !nr;
	} else if (root->kind == ROOT_FENTRY) {
		func = fargs_meta_func(s->meta, frame->from, UINT64_MAX);
		if (!func || is_return != is_probed(func))
			return 1;
		if (is_return)
			t->makers = FARGS_PT_MAKES_PROBED;
		/* It came late: others' sessions may have had it before ours. */
		t->is_optional = func->from_tsc;
		t->nr_callers = 1;
		return add_caller(s, frame->from, is_fentry(c->stack, root->frame) ?
				  frame[-1].node : FARGS_PT_NODE_UNKNOWN);
	} else {
		t->is_optional = true;
	}
	return 0;
}

static int execute(struct fargs_pt_sites *s, const struct fargs_pt_site_context *c,
		   const struct fargs_pt_item *item)
{
	struct lane *l = &s->lanes[c->stream];
	const struct fargs_pt_stack *stack = c->stack;
	struct fargs_pt_token *t;
	struct root root = { };
	struct open *o;
	int ret;

	l->tsc = earliest(s, item->from) > l->tsc ? earliest(s, item->from) : l->tsc;
	if (stack->nr) {
		find_root(s, stack, &root);
		s->nr_taken += is_entry(s, stack->frames[stack->nr - 1].addr);
	}
	t = add_token(s, l, l->tsc, stack->nr ? key_of(stack, &root) : 0);
	if (!t)
		return -ENOMEM;
	t->tid = c->tid;
	t->nr_nodes = stack->nr_nodes ? *stack->nr_nodes : 0;
	ret = set_callers(s, c, stack->nr ? &root : NULL, item->to, t);
	if (ret) {
		l->nr--;
		return ret < 0 ? ret : 0;
	}
	/* It goes on until the frame ends from which our code was reached. */
	if (l->nr_open == OPEN_MAX || !stack->nr)
		return 0;
	o = &l->open[l->nr_open++];
	*o = (struct open){ .token = l->nr - 1, .stack = stack, .nr_frames = root.frame + 1 };
	return 0;
}

/* Those are over whose frames are gone. */
static void look_for_ends(struct lane *l, const struct fargs_pt_stack *stack)
{
	size_t i;

	for (i = 0; i < l->nr_open; i++)
		if (l->open[i].stack == stack && stack->nr < l->open[i].nr_frames)
			l->open[i].is_over = true;
}

static void tick(struct fargs_pt_sites *s, struct lane *l, uint64_t tsc)
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

/* Our code goes on that had begun in a hole: its record may be made as late as it likes. */
static void set_vague(struct lane *l)
{
	size_t i;

	l->is_hole_vague = true;
	for (i = 0; i < l->nr; i++)
		if (l->tokens[i].is_hole)
			l->tokens[i].last_tsc = UINT64_MAX;
}

int fargs_pt_sites_take(struct fargs_pt_sites *s, const struct fargs_pt_site_context *c,
			const struct fargs_pt_item *item)
{
	struct lane *l = &s->lanes[c->stream];
	const struct fargs_pt_frame *top;

	if (l->nr_open)
		look_for_ends(l, c->stack);
	if (item->kind == FARGS_PT_TICK) {
		tick(s, l, item->to);
		return 0;
	}
	l->is_in_hole = false;
	if (item->kind == FARGS_PT_SITE)
		return execute(s, c, item);
	if (!c->stack->nr || c->step == FARGS_PT_STEP_NONE || c->step == FARGS_PT_STEP_LEFT)
		return 0;
	top = &c->stack->frames[c->stack->nr - 1];
	if (!top->is_tracer)
		return 0;
	if (top->kind == FARGS_PT_FRAME_BASE)
		set_vague(l);
	s->nr_entered += top->kind == FARGS_PT_FRAME_CALL && is_entry(s, top->addr);
	return c->was_tracer ? 0 : enter(s, c);
}

static int compare_entries(const void *a, const void *b)
{
	const struct entry *x = a, *y = b;

	return (x->key > y->key) - (x->key < y->key);
}

static int compare_numbers(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return (x > y) - (x < y);
}

/* How often our code was called for a key, and in *@nr_most how often by one session. */
static size_t count_entries(const struct fargs_pt_sites *s, uint64_t key, size_t *nr_most)
{
	size_t low = 0, high = s->nr_entries, mid, nr = 0;

	while (low < high) {
		mid = low + (high - low) / 2;
		if (s->entries[mid].key < key)
			low = mid + 1;
		else
			high = mid;
	}
	for (; low + nr < s->nr_entries && s->entries[low + nr].key == key; nr++)
		;
	*nr_most = key && nr ? s->entries[low].nr_most : 0;
	return nr;
}

static bool is_same_call(const struct fargs_pt_sites *s, const struct fargs_pt_token *a,
			 const struct fargs_pt_token *b)
{
	const struct fargs_pt_caller *x = s->callers + a->caller, *y = s->callers + b->caller;

	return a->nr_callers == 1 && b->nr_callers == 1 && a->makers == b->makers &&
	       !a->is_optional && !b->is_optional && x->ip == y->ip && x->node == y->node;
}

/*
 * From token @i on: of one session, for sure, or of several. Of several that all took a number,
 * with nothing in between, one is ours, and it does not matter which. How many tokens
 * were made one.
 */
static size_t sort_out(const struct fargs_pt_sites *s, struct lane *l, size_t i)
{
	struct fargs_pt_token *t = &l->tokens[i];
	size_t nr_most, nr, k;

	if (t->is_hole)
		return 1;
	nr = count_entries(s, l->keys[i], &nr_most);
	if (nr <= nr_most) {
		t->is_optional |= !nr_most;
		return 1;
	}
	for (k = 1; nr_most == 1 && k < nr && i + k < l->nr && l->keys[i + k] == l->keys[i] &&
		    !t[k].is_hole && is_same_call(s, t, &t[k]); k++)
		;
	if (k < nr) {
		t->is_optional = true;
		return 1;
	}
	for (k = 1; k < nr; k++)
		if (t[k].last_tsc > t->last_tsc)
			t->last_tsc = t[k].last_tsc;
	return nr;
}

static void sort_out_all(const struct fargs_pt_sites *s, struct lane *l)
{
	size_t i, step, nr = 0;

	for (i = 0; i < l->nr; i += step) {
		step = sort_out(s, l, i);
		l->keys[nr] = l->keys[i];
		l->tokens[nr++] = l->tokens[i];
	}
	l->nr = nr;
}

int fargs_pt_sites_finish(struct fargs_pt_sites *s)
{
	struct lane *l;

	if (s->nr_entries)
		qsort(s->entries, s->nr_entries, sizeof(*s->entries), compare_entries);
	if (s->nr_hidden)
		qsort(s->hidden, s->nr_hidden, sizeof(*s->hidden), compare_numbers);
	for (l = s->lanes; l < s->lanes + s->in->nr_streams; l++) {
		sort_out_all(s, l);
		if (fargs_pt_sites_hole(s, l - s->lanes))
			return -ENOMEM;
	}
	return 0;
}

struct fargs_pt_token *fargs_pt_sites_tokens(struct fargs_pt_sites *s, size_t stream, size_t *nr)
{
	*nr = s->lanes[stream].nr;
	return s->lanes[stream].tokens;
}

const struct fargs_pt_caller *fargs_pt_sites_callers(const struct fargs_pt_sites *s)
{
	return s->callers;
}

const uint64_t *fargs_pt_sites_hidden(const struct fargs_pt_sites *s, size_t *nr)
{
	*nr = s->nr_hidden;
	return s->hidden;
}

uint64_t fargs_pt_sites_filtered(const struct fargs_pt_sites *s)
{
	return s->nr_entered > s->nr_taken ? s->nr_entered - s->nr_taken : 0;
}
