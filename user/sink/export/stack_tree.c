// SPDX-License-Identifier: GPL-2.0-only
#include "sink/export/stack_tree.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"

void fargs_stack_tree_deinit(struct fargs_stack_tree *t)
{
	free(t->frames);
	fargs_hash_deinit(&t->by_key);
	fargs_intern_deinit(&t->names);
	*t = (struct fargs_stack_tree){ };
}

/* Sets *@frame to the index of the frame @name called by @parent, adding it if it is new. */
static int get_frame(struct fargs_stack_tree *t, uint32_t parent, uint32_t name, uint32_t *frame)
{
	const uint64_t key = (uint64_t)parent << 32 | name;
	uint32_t hash = fargs_hash_bytes(&key, sizeof(key)), at, i;
	struct fargs_stack_frame *new;

	fargs_hash_for_each(i, at, &t->by_key, hash) {
		if (t->frames[i].parent != parent || t->frames[i].name != name)
			continue;
		*frame = i;
		return 0;
	}
	if (fargs_hash_reserve(&t->by_key, t->nr + 1))
		return -ENOMEM;
	new = fargs_array_add(t->frames, t->nr);
	if (!new)
		return -ENOMEM;
	*new = (struct fargs_stack_frame){ .parent = parent, .name = name };
	*frame = t->nr - 1;
	return fargs_hash_add(&t->by_key, hash, *frame);
}

int fargs_stack_tree_add(struct fargs_stack_tree *t, const char *text, size_t len, uint64_t n)
{
	const char *end = text + len, *stop;
	uint32_t parent = 0, name, frame;

	for (;; text = stop + 1) {
		stop = memchr(text, ';', end - text);
		if (!stop)
			stop = end;
		if (fargs_intern_add(&t->names, text, stop - text, &name) ||
		    get_frame(t, parent, name, &frame))
			return -ENOMEM;
		if (stop == end)
			break;
		parent = frame + 1;
	}
	t->frames[frame].n += n;
	t->frames[frame].is_end = true;
	return 0;
}
