/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Paths of nodes in trees in kernel memory: dentries in their mounts, or kernfs nodes.
 */
#ifndef FARGS_KMOD_PROG_TREE_H
#define FARGS_KMOD_PROG_TREE_H

#include <linux/types.h>

#include "uapi/fargs_prog.h"

/**
 * fargs_tree_path() - get the path of a node
 * @to: where the path is written; has room for @max rounded up to a multiple of 8, all of which may
 *	be overwritten
 * @max: maximum length of the path in bytes; not 0, at most FARGS_MEM_MAX
 * @tree: offsets in nodes and mounts
 * @node: address of the node
 * @mount: address of the mount that contains the node; NULL: the path ends at the tree's root
 * @fault: set to the address that could not be read
 *
 * See FARGS_OP_PUT_PATH. Reads nothing but kernel memory, without locks; reads may fault (see
 * prog/mem.h). Visits at most FARGS_TREE_STEPS nodes and mounts, so it ends even if the memory has
 * been reused and leads in a circle.
 *
 * Context: Any context, NMI included. Preemption is disabled.
 * Return: The length of the path, possibly with FARGS_MEM_CUT; -1 if a read failed.
 */
s32 fargs_tree_path(u8 *to, u32 max, const struct fargs_tree *tree, u64 node, const u64 *mount,
		    u64 *fault);

#endif
