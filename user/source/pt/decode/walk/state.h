/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The state of a walker (walker.h), shared by the files that implement it. Private to these files.
 */
#ifndef FARGS_SOURCE_PT_DECODE_WALK_STATE_H
#define FARGS_SOURCE_PT_DECODE_WALK_STATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "source/pt/code/graph.h"
#include "source/pt/decode/programs.h"
#include "source/pt/decode/walk/lead.h"
#include "source/pt/decode/walk/runs.h"
#include "source/pt/decode/walk/walker.h"

/* Number of TICK items that follow a SITE, BEGIN or OVERFLOW item. */
#define FARGS_PT_WALK_TICKS	8
/* Depth of the CPU's call stack for compressed returns (SDM 3, "RET compression"). */
#define FARGS_PT_WALK_DEPTH	64
/*
 * Bytes after the segment that can be looked at: enough for the 64 branches of an emulated PTWRITE,
 * each in a packet of its own, with times and a PSB+ between them.
 */
#define FARGS_PT_AHEAD	2048
/* Addresses in code to look for: seq sites, and where tasks are switched. */
#define FARGS_PT_WALK_MARKS	(FARGS_PT_SITES + 1)
/* Nodes without a branch that may be walked without anything from the trace. */
#define FARGS_PT_WALK_PLAIN	(64u << 10)

struct fargs_pt_call {
	uint64_t ip;			/* where the call returns to */
	struct fargs_pt_node *from;	/* node that ends with the call */
};

/* The graph of a space of user space. */
struct fargs_pt_space_graph {
	struct fargs_pt_graph *graph;	/* NULL: none */
	uint64_t used;			/* @clock of the walker at the last use */
};

/* Nodes that were walked without anything from the trace. */
struct fargs_pt_strides {
	uint32_t nr_jumps;		/* they end with a jump or a call */
	uint32_t nr_plain;		/* they end without a branch */
};

struct fargs_pt_walker {
	/* What is needed most: see walk.c. */
	struct fargs_pt_node *at;	/* the next node; NULL: unknown */
	uint64_t bits;			/* pending branches of a TNT; bit @nr_bits - 1 is next */
	unsigned int nr_bits;
	unsigned int depth;		/* number of @calls, at most FARGS_PT_WALK_DEPTH */
	unsigned int top;		/* index of the next call in @calls */
	bool omits_jumps;		/* unless a function begins at their target */
	bool is_by_insn;		/* add items for instructions */
	bool is_by_block;		/* add one item for several instructions */
	uint8_t mode;			/* enum fargs_pt_exec_mode */
	uint8_t flags;			/* of items: @state, and FARGS_PT_VAGUE if @tsc is vague */
	uint8_t state;			/* combined of FARGS_PT_IN_TX and FARGS_PT_IF_OFF */
	struct fargs_pt_runs *runs;	/* NULL: each node is walked */
	struct fargs_pt_flow *flow;
	/*
	 * If more jumps follow each other without anything from the trace, the walk is in an
	 * endless loop, because the code is not what the CPU executed.
	 */
	uint32_t max_jumps;
	uint64_t nr_insns;		/* number of instructions executed in the segment */
	uint64_t nr_in_items;		/* @nr_insns at the last item */
	uint64_t tsc;			/* last time in the trace */
	uint64_t last_ip;		/* address of the last instruction; 0: unknown */
	struct fargs_pt_lead lead;	/* what the trace reports after @bits */
	struct fargs_pt_call calls[FARGS_PT_WALK_DEPTH];
	struct fargs_pt_leads leads;

	const struct fargs_pt_input *in;
	const struct fargs_pt_memory *memory;
	struct fargs_pt_walker_options options;
	struct fargs_pt_graph_options graph_options;
	uint64_t nr_changes;		/* of the graphs */
	/* The marks of the host's code, then those of each guest's; @marks: of the current code. */
	uint64_t (*all_marks)[FARGS_PT_WALK_MARKS];
	const uint64_t *marks;
	bool has_sites;			/* there are seq sites */
	struct fargs_pt_forms *forms;
	struct fargs_pt_graph *kernel;
	struct fargs_pt_graph *user;	/* of the current program; NULL: none */
	/* Of each of in->spaces, and then of those of each guest. */
	struct fargs_pt_space_graph *spaces;
	size_t nr_spaces;
	/* In a guest, @kernel and @user are those of the guest, and these are the host's. */
	struct fargs_pt_graph *host_kernel;
	struct fargs_pt_graph *host_user;
	struct fargs_pt_graph **guests;	/* kernels of each of in->guests, and of an unknown one */
	uint64_t clock;			/* counts uses of @spaces */
	struct fargs_pt_programs *programs;
	bool has_programs;		/* the program must be chosen at each entry to user space */
	bool has_cycles;
	/* fargs_pt_walk_count() has something to do: there are cycles or interrupt flags. */
	bool is_noted;
	uint64_t tick;			/* TSC ticks between two MTCs; 0: unknown */
	struct fargs_pt_window window;

	/* The following members are the state for the current segment. */
	const struct fargs_pt_segment *seg;
	const uint8_t *bytes;
	uint64_t nr_bytes;
	const uint8_t *ahead;		/* end of what can be looked at */
	uint64_t offset;		/* of the last lead that was used */
	uint64_t times[3];		/* latest times, newest first, at least @tick apart */
	unsigned int nr_ticks;		/* number of TICK items that must still be added */
	uint64_t poke_tsc;		/* TSC of the next change of code; UINT64_MAX: none known */
	/*
	 * Number of items, @nr_insns and @nr_in_items after what the trace reported last: what
	 * follows is wrong if the walk gets stuck.
	 */
	size_t nr_sure;
	uint64_t nr_sure_insns, nr_sure_in_items;
	/* Items and instructions before the last packet with branches, and the one before it. */
	size_t nr_before[2];
	uint64_t nr_insns_before[2];
	bool is_on;			/* tracing is on */
	size_t nr_switches;		/* number of task switches that were executed */
	bool is_guest;			/* in VMX non-root operation */
	bool is_vm_due;			/* the branch that is reported next is a VM entry or exit */
	bool has_vm;			/* the flow has items of VM entries and exits */
	bool is_lost;			/* the next item does not continue the previous one */
	bool is_short;			/* out of memory */
	struct fargs_pt_item nowhere;	/* result of fargs_pt_walk_add() if out of memory */
};

/* The following functions are in items.c. */

/* Adds an item, which the caller may change until the next one is added. */
struct fargs_pt_item *fargs_pt_walk_add(struct fargs_pt_walker *w, enum fargs_pt_item_kind kind,
					uint64_t from, uint64_t to);
/*
 * Completes the item that was added last, which the current lead reports: adds a cycle mark, if a
 * CYC applies to it.
 */
void fargs_pt_walk_count(struct fargs_pt_walker *w);
/* Sets the current time to @tsc, which the trace reports, and adds a TICK item if requested. */
void fargs_pt_walk_set_time(struct fargs_pt_walker *w, uint64_t tsc);
/*
 * Adds the items of the packets that were noted up to the current lead, if they are requested.
 * They occur before the instruction at @ip; 0: unknown.
 */
void fargs_pt_walk_add_notes(struct fargs_pt_walker *w, uint64_t ip);
/*
 * Sets the mode, the state of the interrupt flag, and whether a guest is executed, as the current
 * lead says. Adds an item for the interrupt flag if requested.
 */
void fargs_pt_walk_change(struct fargs_pt_walker *w);
/* Requests TICK items: their times show when the current instruction had certainly executed. */
void fargs_pt_walk_want_ticks(struct fargs_pt_walker *w);
/*
 * Adds the items of the first @nr instructions of @node, which end with w->last_ip: those of seq
 * sites and switches, and of each instruction, if requested.
 */
void fargs_pt_walk_look(struct fargs_pt_walker *w, const struct fargs_pt_node *node,
			unsigned int nr);
/* Discards the items since fargs_pt_walk_mark_sure(). */
void fargs_pt_walk_discard_unsure(struct fargs_pt_walker *w);
/*
 * Discards the items that the last two packets with branches report: a packet that follows does not
 * fit, so these may be damaged.
 */
void fargs_pt_walk_discard_last(struct fargs_pt_walker *w);
/* Adds a BEGIN item. @was_on: the CPU was already being traced; only decoding begins at @ip. */
void fargs_pt_walk_begin(struct fargs_pt_walker *w, uint64_t ip, bool was_on);

/* The following functions are in code.c. */

/* Returns the node at @ip; NULL if out of memory, and sets w->is_short. */
struct fargs_pt_node *fargs_pt_walk_node(struct fargs_pt_walker *w, uint64_t ip, uint8_t mode);
/*
 * Looks up the nodes that follow @node: at the target of its branch, and after it. As
 * fargs_pt_walk_node(), and keeps them in @node.
 */
struct fargs_pt_node *fargs_pt_walk_find_taken(struct fargs_pt_walker *w,
					       struct fargs_pt_node *node);
struct fargs_pt_node *fargs_pt_walk_find_after(struct fargs_pt_walker *w,
					       struct fargs_pt_node *node);
/* Gets the code at the beginning of the segment. Returns 0 or -ENOMEM. */
int fargs_pt_walk_begin_code(struct fargs_pt_walker *w);
/* Applies changes of code up to @tsc. */
void fargs_pt_walk_advance_code(struct fargs_pt_walker *w, uint64_t tsc);
/* Uses the code of @space (-1: none) at @ns. Returns 0 or -ENOMEM. */
int fargs_pt_walk_use_space(struct fargs_pt_walker *w, int32_t space, uint64_t ns);
/* The same for a space of in->guests[@guest]. */
int fargs_pt_walk_use_guest_space(struct fargs_pt_walker *w, size_t guest, int32_t space,
				  uint64_t ns);
/* Chooses the program when user space is entered at @ip (0: unknown). */
void fargs_pt_walk_enter_program(struct fargs_pt_walker *w, uint64_t ip);
/*
 * Call when the trace continues at @ip after a gap. Chooses the program if @ip is in user space,
 * and applies changes of code that are due.
 */
void fargs_pt_walk_enter_after_hole(struct fargs_pt_walker *w, uint64_t ip);

/* The following functions are in guest.c. */

/*
 * Continues as the guest of the current task, or as the host. @is_branch: by the branch that is
 * added next, with fargs_pt_walk_add_vm().
 */
void fargs_pt_walk_set_guest(struct fargs_pt_walker *w, bool is_guest, bool is_branch);
/*
 * Returns the options for graphs of the code of in->guests[@guest]: the marks, and the functions
 * that may begin, are not those of the host.
 */
struct fargs_pt_graph_options fargs_pt_walk_guest_options(struct fargs_pt_walker *w, size_t guest);
/* The guest changed its page table: another of its programs may run now. */
void fargs_pt_walk_switch_guest(struct fargs_pt_walker *w);
/* Adds what follows @item, a VM entry or exit, which was added last: see FARGS_PT_VM. */
void fargs_pt_walk_add_vm(struct fargs_pt_walker *w, struct fargs_pt_item *item);
/* Adds the state again after items were discarded. */
void fargs_pt_walk_repeat_vm(struct fargs_pt_walker *w);

/* The following functions are in walk.c. */

/* Reads the next lead. */
static inline void fargs_pt_walk_read(struct fargs_pt_walker *w)
{
	fargs_pt_leads_read(&w->leads, &w->lead);
}

/* Uses the current lead: sets the time and the mode. Its other members remain valid. */
void fargs_pt_walk_use_lead(struct fargs_pt_walker *w);
/*
 * Walks as long as the trace reports branches only. Returns 0 at an event, w->lead, which must be
 * handled at or after w->at; or an error of libipt (enum pt_error_code, negative), which occurs at
 * w->at; or -pte_internal if the walk is stuck.
 */
int fargs_pt_walk(struct fargs_pt_walker *w);
/*
 * Executes @node, whose branch, if any, is direct. Returns the next node; NULL if the branch is not
 * direct, or if out of memory.
 */
struct fargs_pt_node *fargs_pt_walk_direct(struct fargs_pt_walker *w, struct fargs_pt_node *node);

/* The following function is in emulated.c. */

/* Adds the PTWRITE that the code at @ip emulates, if its value is in the trace. */
void fargs_pt_walk_emulate(struct fargs_pt_walker *w, uint64_t ip);

/* The following function is in events.c. */

/* Handles the event w->lead, when tracing is on. Returns as fargs_pt_walk() does. */
int fargs_pt_walk_event(struct fargs_pt_walker *w);

static inline bool fargs_pt_walk_is_user(uint64_t ip)
{
	return !(ip >> 63);
}

/* Adds an item to w->flow, which must have room for it. */
static inline struct fargs_pt_item *fargs_pt_walk_put(struct fargs_pt_walker *w,
						      enum fargs_pt_item_kind kind,
						      uint64_t from, uint64_t to)
{
	struct fargs_pt_item *item = &w->flow->items[w->flow->nr++];

	*item = (struct fargs_pt_item){
		.tsc = w->tsc, .from = from, .to = to, .kind = kind,
		.flags = w->flags, .offset = w->seg->begin + w->offset,
		.nr_insns = w->nr_insns - w->nr_in_items,
	};
	w->nr_in_items = w->nr_insns;
	return item;
}

/* Adds the item of the branch at the end of @node, which goes to @next. */
static inline void fargs_pt_walk_branch(struct fargs_pt_walker *w, const struct fargs_pt_node *node,
					const struct fargs_pt_node *next)
{
	struct fargs_pt_item *item;

	if (w->flow->nr == w->flow->room)
		item = fargs_pt_walk_add(w, FARGS_PT_BRANCH, node->last_ip, next->ip);
	else
		item = fargs_pt_walk_put(w, FARGS_PT_BRANCH, node->last_ip, next->ip);
	item->insn = node->insn;
}

/* Returns whether the jump to @next is needed. */
static inline bool fargs_pt_walk_needs(const struct fargs_pt_walker *w,
				       const struct fargs_pt_node *next)
{
	return !w->omits_jumps || next->flags & FARGS_PT_NODE_BEGINS;
}

/* Counts the instructions of @node, and looks for what is in it. */
static inline void fargs_pt_walk_execute(struct fargs_pt_walker *w,
					 const struct fargs_pt_node *node)
{
	w->nr_insns += node->nr_insns;
	w->last_ip = node->last_ip;
	if (__builtin_expect(w->is_by_insn || node->flags & FARGS_PT_NODE_MARKED, 0))
		fargs_pt_walk_look(w, node, node->nr_insns);
}

/* Counts @node, whose branch, if any, is direct. Returns whether the walk is stuck. */
static inline bool fargs_pt_walk_is_stuck(const struct fargs_pt_walker *w,
					  struct fargs_pt_strides *strides,
					  const struct fargs_pt_node *node)
{
	if (node->kind == FARGS_PT_NODE_RUNS_ON)
		return ++strides->nr_plain > FARGS_PT_WALK_PLAIN;
	return ++strides->nr_jumps > w->max_jumps;
}

static inline struct fargs_pt_node *fargs_pt_walk_taken(struct fargs_pt_walker *w,
							struct fargs_pt_node *node)
{
	return node->taken ? node->taken : fargs_pt_walk_find_taken(w, node);
}

static inline struct fargs_pt_node *fargs_pt_walk_after(struct fargs_pt_walker *w,
							struct fargs_pt_node *node)
{
	return node->after ? node->after : fargs_pt_walk_find_after(w, node);
}

/* Notes that the trace reports everything so far. */
static inline void fargs_pt_walk_mark_sure(struct fargs_pt_walker *w)
{
	w->nr_sure = w->flow->nr;
	w->nr_sure_insns = w->nr_insns;
	w->nr_sure_in_items = w->nr_in_items;
}

/* Call when a packet with branches is used. */
static inline void fargs_pt_walk_mark_packet(struct fargs_pt_walker *w)
{
	w->nr_before[1] = w->nr_before[0];
	w->nr_before[0] = w->flow->nr;
	w->nr_insns_before[1] = w->nr_insns_before[0];
	w->nr_insns_before[0] = w->nr_insns;
}

/* Call where a packet with an address shows that everything so far is right. */
static inline void fargs_pt_walk_mark_right(struct fargs_pt_walker *w)
{
	w->nr_before[0] = w->flow->nr;
	w->nr_before[1] = w->flow->nr;
	w->nr_insns_before[0] = w->nr_insns;
	w->nr_insns_before[1] = w->nr_insns;
}

static inline void fargs_pt_walk_push(struct fargs_pt_walker *w, struct fargs_pt_node *node)
{
	w->calls[w->top] = (struct fargs_pt_call){ .ip = fargs_pt_node_end(node), .from = node };
	w->top = (w->top + 1) % FARGS_PT_WALK_DEPTH;
	w->depth += w->depth < FARGS_PT_WALK_DEPTH;
}

/* The last call, of which there must be one. */
static inline const struct fargs_pt_call *fargs_pt_walk_top(const struct fargs_pt_walker *w)
{
	return &w->calls[(w->top - 1) % FARGS_PT_WALK_DEPTH];
}

static inline void fargs_pt_walk_pop(struct fargs_pt_walker *w)
{
	w->top = (w->top - 1) % FARGS_PT_WALK_DEPTH;
	w->depth--;
}

#endif
