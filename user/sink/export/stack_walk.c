// SPDX-License-Identifier: GPL-2.0-only
/*
 * Writes the stacks of a tree in the order of their bytes. This is not the order of the names:
 * "a.b" comes after the stack "a", but before "a;c", because '.' comes before ';'. So a frame has
 * two places among those with the same caller: that of its name, for the stack that ends there, and
 * that of its name with a semicolon, for the stacks that go on.
 */
#include "sink/export/stack_tree.h"

#include <errno.h>
#include <stdlib.h>

#include "base/array.h"
#include "base/cleanup.h"
#include "base/put.h"

struct fargs_stack_step {
	size_t len;		/* length of the text of the callers */
	uint32_t frame;
	uint32_t rank;
	bool is_inner;		/* the stacks that go on; otherwise the one that ends here */
};

/* A name at the end of a stack, or followed by a semicolon. */
struct place {
	const struct fargs_interned *name;
	uint32_t number;	/* twice the name's, and 1 if a semicolon follows */
};

void fargs_stack_walk_deinit(struct fargs_stack_walk *w)
{
	free(w->first);
	free(w->next);
	free(w->ranks);
	free(w->steps);
	fargs_buf_deinit(&w->text);
	*w = (struct fargs_stack_walk){ .tree = w->tree };
}

/* Byte @i of the text of @p, or -1 at its end. */
static int byte_at(const struct place *p, uint32_t i)
{
	if (i < p->name->len)
		return (unsigned char)p->name->text[i];
	return p->number & 1 && i == p->name->len ? ';' : -1;
}

static int compare_places(const void *a, const void *b)
{
	const struct place *x = a, *y = b;
	uint32_t least = x->name->len < y->name->len ? x->name->len : y->name->len;
	int ret = memcmp(x->name->text, y->name->text, least);

	if (!ret)
		ret = byte_at(x, least) - byte_at(y, least);
	/* One is at its end with a semicolon, which the other one's name cannot contain. */
	return ret;
}

static int compare_steps(const void *a, const void *b)
{
	const struct fargs_stack_step *x = a, *y = b;

	/* The last step is the next one to do. */
	return x->rank < y->rank ? 1 : -(x->rank > y->rank);
}

static int rank_names(struct fargs_stack_walk *w)
{
	const struct fargs_intern *names = &w->tree->names;
	size_t nr = 2 * (size_t)names->nr, i;
	struct place *places __cleanup_free = malloc(nr * sizeof(*places));

	w->ranks = malloc(nr * sizeof(*w->ranks));
	if (!places || !w->ranks)
		return -ENOMEM;
	for (i = 0; i < nr; i++)
		places[i] = (struct place){ .name = &names->texts[i / 2], .number = i };
	qsort(places, nr, sizeof(*places), compare_places);
	for (i = 0; i < nr; i++)
		w->ranks[places[i].number] = i;
	return 0;
}

static int link_frames(struct fargs_stack_walk *w)
{
	const struct fargs_stack_tree *t = w->tree;
	uint32_t i;

	w->first = calloc(t->nr + 1, sizeof(*w->first));
	w->next = malloc(t->nr * sizeof(*w->next));
	if (!w->first || !w->next)
		return -ENOMEM;
	for (i = 0; i < t->nr; i++) {
		w->next[i] = w->first[t->frames[i].parent];
		w->first[t->frames[i].parent] = i + 1;
	}
	return 0;
}

static int add_step(struct fargs_stack_walk *w, uint32_t frame, bool is_inner)
{
	struct fargs_stack_step *step = fargs_array_push(w->steps, w->nr_steps, w->room);

	if (!step)
		return -ENOMEM;
	*step = (struct fargs_stack_step){
		.len = w->text.n, .frame = frame, .is_inner = is_inner,
		.rank = w->ranks[2 * (size_t)w->tree->frames[frame].name + is_inner],
	};
	return 0;
}

/* Adds the steps for what @parent calls: the index of a frame + 1, or 0 for the outermost ones. */
static int add_steps(struct fargs_stack_walk *w, uint32_t parent)
{
	size_t from = w->nr_steps;
	uint32_t i;

	for (i = w->first[parent]; i; i = w->next[i - 1]) {
		if (w->tree->frames[i - 1].is_end && add_step(w, i - 1, false))
			return -ENOMEM;
		if (w->first[i] && add_step(w, i - 1, true))
			return -ENOMEM;
	}
	if (w->nr_steps > from)
		qsort(w->steps + from, w->nr_steps - from, sizeof(*w->steps), compare_steps);
	return 0;
}

static int begin(struct fargs_stack_walk *w)
{
	/* Nothing is added any more, so this makes room for what the walk needs. */
	fargs_hash_deinit(&w->tree->by_key);
	if (rank_names(w) || link_frames(w))
		return -ENOMEM;
	return add_steps(w, 0);
}

static int take_step(struct fargs_stack_walk *w, struct fargs_buf *out)
{
	const struct fargs_stack_step step = w->steps[--w->nr_steps];
	const struct fargs_stack_frame *frame = &w->tree->frames[step.frame];
	const struct fargs_interned *name = &w->tree->names.texts[frame->name];

	w->text.n = step.len;
	fargs_buf_add(&w->text, name->text, name->len);
	if (step.is_inner) {
		fargs_put_char(&w->text, ';');
		return add_steps(w, step.frame + 1);
	}
	fargs_buf_add(out, w->text.text, w->text.n);
	fargs_put_char(out, ' ');
	fargs_put_u64(out, frame->n, 0, 0);
	fargs_put_char(out, '\n');
	return 0;
}

int fargs_stack_walk_lines(struct fargs_stack_walk *w, struct fargs_buf *out, size_t bytes)
{
	if (!w->tree->nr)
		return 0;
	if (!w->first && begin(w))
		return -ENOMEM;
	while (w->nr_steps && out->n < bytes)
		if (take_step(w, out) || w->text.is_short || out->is_short)
			return -ENOMEM;
	return w->nr_steps != 0;
}
