// SPDX-License-Identifier: GPL-2.0-only
/*
 * Context: any context, NMI included. Preemption is disabled, and RCU may not be watching, so that
 * nodes may be freed while they are read. Hence each address is read once, without faulting pages
 * in, and the number of steps is limited. This file is not traced (Kbuild).
 */
#include "prog/tree.h"

#include <linux/compiler.h>
#include <linux/kernel.h>
#include <linux/limits.h>
#include <linux/string.h>

#include "prog/mem.h"

struct walk {
	u8 *to;
	u32 at;		/* the part of the path that is known begins at @to + @at */
	u32 max;	/* where it ends */
	bool is_cut;
	u64 *fault;
};

static notrace bool load_pointer(const struct walk *walk, u64 addr, u64 *value)
{
	struct fargs_mem_value v = fargs_mem_load(addr, sizeof(*value), FARGS_SPACE_KERNEL);

	*value = v.value;
	if (!v.is_read)
		*walk->fault = addr;
	return v.is_read;
}

/*
 * Reads the name at @addr to the start of the room, which is free up to @at. Sets *@len to its
 * length, and is_cut if the name does not fit before @at.
 */
static notrace bool read_name(struct walk *walk, u64 addr, u32 *len)
{
	/* fargs_mem_copy_str() may write up to the next multiple of 8. */
	u32 room = min_t(u32, walk->at & ~7u, NAME_MAX);
	s32 n;

	*len = 0;
	walk->is_cut = !room;
	if (!room)
		return true;
	n = fargs_mem_copy_str(walk->to, addr, room, FARGS_SPACE_KERNEL);
	if (n < 0) {
		*walk->fault = addr;
		return false;
	}
	walk->is_cut = n & FARGS_MEM_CUT;
	*len = n & ~FARGS_MEM_CUT;
	return true;
}

/* Moves the name that read_name() has read before the known part of the path. */
static notrace void prepend_name(struct walk *walk, u32 len)
{
	walk->at -= len;
	memmove(walk->to + walk->at, walk->to, len);
}

/* Adds "/" and the name at the address in @name_at. Returns false if a read failed. */
static notrace bool add_node(struct walk *walk, u64 name_at)
{
	u64 name;
	u32 len;

	if (!load_pointer(walk, name_at, &name) || !read_name(walk, name, &len))
		return false;
	if (!walk->is_cut && len < walk->at) {
		prepend_name(walk, len);
		walk->to[--walk->at] = '/';
		return true;
	}
	walk->is_cut = true;
	if (walk->at == walk->max)
		prepend_name(walk, len);
	return true;
}

/* Adds the root, unless the path has started at another node. */
static notrace bool add_root(struct walk *walk, u64 name_at, bool has_parent)
{
	u64 name;
	u32 len;

	if (walk->at != walk->max)
		return true;
	if (!has_parent) {
		walk->to[--walk->at] = '/';
		return true;
	}
	if (!load_pointer(walk, name_at, &name) || !read_name(walk, name, &len))
		return false;
	prepend_name(walk, len);
	return true;
}

/* Results of leave_mount() */
enum {
	AT_TOP = 0,	/* the node is the root of a mount that is mounted on itself */
	CROSSED = 1,	/* it is the root of another mount */
	INSIDE = 2,	/* it is not the root of its mount */
};

/*
 * If @node is the root of @mount, moves both to the place where that is mounted. Returns -1 if a
 * read failed.
 */
static notrace int leave_mount(const struct walk *walk, const struct fargs_tree *tree, u64 *node,
			       u64 *mount)
{
	u64 root, outer, mountpoint;

	if (!load_pointer(walk, *mount + tree->root, &root))
		return -1;
	if (*node != root)
		return INSIDE;
	if (!load_pointer(walk, *mount + tree->outer, &outer))
		return -1;
	if (outer == *mount)
		return AT_TOP;
	if (!load_pointer(walk, *mount + tree->mountpoint, &mountpoint))
		return -1;
	*node = mountpoint;
	*mount = outer;
	return CROSSED;
}

/* Sets @walk to the whole path. Returns false if a read failed. */
static notrace bool walk_up(struct walk *walk, const struct fargs_tree *tree, u64 node,
			    const u64 *mount_of)
{
	u64 parent, mount = mount_of ? *mount_of : 0;
	u32 step;
	int ret;

	for (step = 0; step < FARGS_TREE_STEPS; step++) {
		ret = mount_of ? leave_mount(walk, tree, &node, &mount) : INSIDE;
		if (ret < 0)
			return false;
		if (ret == AT_TOP)
			return add_root(walk, 0, false);
		if (ret == CROSSED)
			continue;
		if (!load_pointer(walk, node + tree->parent, &parent))
			return false;
		if (!parent || parent == node)
			return add_root(walk, node + tree->name, parent);
		if (!add_node(walk, node + tree->name))
			return false;
		if (walk->is_cut)
			return true;
		node = parent;
	}
	walk->is_cut = true;
	return true;
}

s32 notrace fargs_tree_path(u8 *to, u32 max, const struct fargs_tree *tree, u64 node,
			    const u64 *mount, u64 *fault)
{
	struct walk walk = { .to = to, .at = max, .max = max, .fault = fault };
	u32 len;

	if (!walk_up(&walk, tree, node, mount))
		return -1;
	len = max - walk.at;
	memmove(to, to + walk.at, len);
	return walk.is_cut ? len | FARGS_MEM_CUT : len;
}
