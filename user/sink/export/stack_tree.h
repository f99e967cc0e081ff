/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Folded stacks with their counts, kept as a tree of frames: stacks with the same outer frames
 * share them, and each distinct name of a frame is stored once.
 */
#ifndef FARGS_SINK_EXPORT_STACK_TREE_H
#define FARGS_SINK_EXPORT_STACK_TREE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/hash.h"
#include "base/intern.h"

struct fargs_stack_frame {
	uint64_t n;		/* count of the stack that ends here */
	uint32_t parent;	/* index of the caller's frame + 1; 0: none */
	uint32_t name:31;	/* number in the tree's names */
	uint32_t is_end:1;	/* a stack ends here */
};

/* Initialise with zeroes. */
struct fargs_stack_tree {
	struct fargs_stack_frame *frames;	/* callers come before what they call */
	size_t nr;
	struct fargs_hash by_key;	/* finds frames by parent and name */
	struct fargs_intern names;
};

void fargs_stack_tree_deinit(struct fargs_stack_tree *t);

/*
 * Adds @n to the count of the stack @text of @len bytes: its frames, outermost first, separated by
 * semicolons. Returns 0, or -ENOMEM if the stack does not fit.
 */
int fargs_stack_tree_add(struct fargs_stack_tree *t, const char *text, size_t len, uint64_t n);

/*
 * Walks a tree and writes a line "STACK COUNT" for each stack, in the order of the stacks' bytes; a
 * stack comes before those that it is a prefix of. Initialise with zeroes and the tree. Nothing may
 * be added to the tree once the walk has begun.
 */
struct fargs_stack_walk {
	struct fargs_stack_tree *tree;
	uint32_t *first;	/* of each frame, from 1, and the root: its first callee + 1 */
	uint32_t *next;		/* of each frame: the next one with the same parent + 1 */
	uint32_t *ranks;	/* of each name: its order at the end of a stack and within one */
	struct fargs_stack_step *steps;	/* what is left to do; the last one is next */
	size_t nr_steps, room;
	struct fargs_buf text;	/* the stack of the current step */
};

void fargs_stack_walk_deinit(struct fargs_stack_walk *w);

/*
 * Appends lines until @out has at least @bytes. Returns 1 if more lines follow, 0 if none do, or
 * -ENOMEM.
 */
int fargs_stack_walk_lines(struct fargs_stack_walk *w, struct fargs_buf *out, size_t bytes);

#endif
