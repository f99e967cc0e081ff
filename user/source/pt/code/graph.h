/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Code as a graph: a node is a run of instructions, of which only the last one may be a branch.
 * Nodes are made when they are first needed, and may overlap. If code changes, the nodes that
 * contain it become stale, and are filled again when they are next needed, so pointers to nodes
 * stay valid as long as the graph.
 */
#ifndef FARGS_SOURCE_PT_CODE_GRAPH_H
#define FARGS_SOURCE_PT_CODE_GRAPH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "source/pt/code/forms.h"
#include "source/pt/code/insn.h"
#include "source/pt/code/memory.h"

/* How a node ends. */
enum fargs_pt_node_kind {
	FARGS_PT_NODE_STALE,		/* must be filled again */
	FARGS_PT_NODE_MISSING,		/* no instructions: the code at @ip is missing */
	FARGS_PT_NODE_BAD,		/* no instructions: the bytes at @ip are not one */
	FARGS_PT_NODE_RUNS_ON,		/* not with a branch */
	FARGS_PT_NODE_JUMP,		/* direct, to @target */
	FARGS_PT_NODE_CALL,		/* direct, to @target */
	FARGS_PT_NODE_COND,		/* if taken, to @target */
	FARGS_PT_NODE_RETURN,		/* near */
	FARGS_PT_NODE_CALL_INDIRECT,
	FARGS_PT_NODE_JUMP_INDIRECT,
	FARGS_PT_NODE_FAR,		/* any other branch: a TIP reports its target */
};

enum fargs_pt_node_flags {
	FARGS_PT_NODE_BEGINS = 1,	/* a function begins at @ip */
	FARGS_PT_NODE_MARKED = 2,	/* contains one of the addresses of the graph's @marks */
	FARGS_PT_NODE_PTWRITE = 4,	/* the last instruction is PTWRITE */
	FARGS_PT_NODE_CR3 = 8,		/* the last instruction changes CR3 */
	FARGS_PT_NODE_PROGRAM = 16,	/* in the graph of a space, not in that of the kernel */
	/*
	 * the last instruction jumps over the mark of an emulated PTWRITE
	 * (source/pt/decode/walk/emulated.c)
	 */
	FARGS_PT_NODE_EMULATES = 32,
};

struct fargs_pt_node {
	uint64_t ip;			/* address of the first instruction */
	uint64_t last_ip;		/* address of the last instruction */
	uint64_t target;		/* of a direct branch */
	struct fargs_pt_node *taken;	/* node at @target; NULL: not looked up yet */
	struct fargs_pt_node *after;	/* node after the last instruction; NULL: likewise */
	uint8_t *sizes;			/* of each instruction; NULL: not requested */
	uint16_t nr_insns;
	uint16_t bytes;
	uint8_t kind;			/* enum fargs_pt_node_kind */
	uint8_t insn;			/* enum fargs_pt_insn: the last instruction */
	uint8_t flags;			/* enum fargs_pt_node_flags */
	uint8_t mode;			/* enum fargs_pt_exec_mode */
	uint8_t nr_pages;		/* number of pages in whose lists the graph has the node */
	uint8_t sizes_room;		/* number of elements that @sizes has room for */
};

/* Maximum number of instructions of a node: its code is in at most two pages. */
#define FARGS_PT_NODE_INSNS	250

struct fargs_pt_graph_options {
	bool has_sizes;			/* nodes have @sizes */
	const uint64_t *marks;		/* addresses; 0: unused */
	size_t nr_marks;
	/* Returns whether a function begins at @ip at some time; NULL: none does. */
	bool (*begins)(const void *arg, uint64_t ip);
	const void *arg;
	/* Graphs that are used by the same thread may share it. */
	struct fargs_pt_forms *forms;
	/* Incremented when nodes become stale, or are freed with the graph; NULL: not needed. */
	uint64_t *nr_changes;
};

struct fargs_pt_graph;

/*
 * A graph of the code of @space (-1: the kernel). @memory and the pointers in @options must outlive
 * the result. Returns NULL if out of memory.
 */
struct fargs_pt_graph *fargs_pt_graph_create(const struct fargs_pt_memory *memory, int32_t space,
					     const struct fargs_pt_graph_options *options);
void fargs_pt_graph_destroy(struct fargs_pt_graph *g);

/*
 * Sets the time whose code the graph shows, which may be earlier than before. Returns the number of
 * changes of code.
 */
size_t fargs_pt_graph_move(struct fargs_pt_graph *g, uint64_t ns);
/* Returns the time of the next change of code; UINT64_MAX if there is none. */
uint64_t fargs_pt_graph_until(const struct fargs_pt_graph *g);

/* Returns the node at @ip, filled; NULL if out of memory. */
struct fargs_pt_node *fargs_pt_graph_get(struct fargs_pt_graph *g, uint64_t ip,
					 enum fargs_pt_exec_mode mode);
/* Fills the stale node @node. Returns 0 or -ENOMEM. */
int fargs_pt_graph_fill(struct fargs_pt_graph *g, struct fargs_pt_node *node);

/* Returns the address after the last instruction. In 16 and 32-bit modes, 0 follows 4 GiB. */
static inline uint64_t fargs_pt_node_end(const struct fargs_pt_node *node)
{
	uint64_t end = node->ip + node->bytes;

	return node->mode == FARGS_PT_EXEC_64 ? end : (uint32_t)end;
}

/*
 * Returns the number of instructions of @node before the one at @ip, which may also be the address
 * after the last one; -1 if no instruction begins at @ip. *@before: address of the instruction
 * before @ip, if there is one.
 */
int fargs_pt_graph_index(struct fargs_pt_graph *g, const struct fargs_pt_node *node, uint64_t ip,
			 uint64_t *before);

/* Returns the bytes of memory that the graph uses. */
size_t fargs_pt_graph_bytes(const struct fargs_pt_graph *g);

#endif
