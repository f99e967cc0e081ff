// SPDX-License-Identifier: GPL-2.0-only
/* Virtual machines: which code is executed after VM entries and exits. */
#include "source/pt/decode/walk/state.h"

#include "base/row.h"
#include "source/pt/input/guests.h"
#include "source/pt/input/switches.h"

struct fargs_pt_graph_options fargs_pt_walk_guest_options(struct fargs_pt_walker *w, size_t guest)
{
	const struct fargs_pt_names *names;
	struct fargs_pt_graph_options options = {
		.has_sizes = w->is_by_insn, .marks = w->all_marks[1 + guest],
		.nr_marks = FARGS_PT_WALK_MARKS, .forms = w->forms, .nr_changes = &w->nr_changes,
	};

	names = w->options.begins ? fargs_pt_names_guest(w->options.begins, guest) : NULL;
	if (names) {
		options.begins = w->graph_options.begins;
		options.arg = names;
	}
	return options;
}

/* Returns the graph of the kernel of in->guests[@guest]; NULL if out of memory. */
static struct fargs_pt_graph *graph_of(struct fargs_pt_walker *w, size_t guest)
{
	struct fargs_pt_graph_options options;

	if (w->guests[guest])
		return w->guests[guest];
	options = fargs_pt_walk_guest_options(w, guest);
	w->guests[guest] = fargs_pt_graph_create(fargs_pt_memory_guest(w->memory, guest), -1,
						 &options);
	return w->guests[guest];
}

/*
 * Returns the current task. The last time in the trace may be from before a switch that was
 * executed; where the trace has gaps, switches are missing.
 */
static int32_t find_task(const struct fargs_pt_walker *w)
{
	const struct fargs_pt_config *config = &w->in->config;
	uint64_t lag = fargs_pt_flow_lag(config), until = UINT64_MAX;
	struct fargs_pt_switches switches;
	size_t nr, low, high;

	fargs_pt_switches_init(&switches, w->in, w->seg->stream);
	if (lag < UINT64_MAX - w->tsc)
		until = fargs_pt_input_ns(config, w->tsc + lag);
	low = fargs_pt_switches_at(&switches, fargs_pt_input_ns(config, w->tsc));
	high = fargs_pt_switches_at(&switches, until);
	nr = fargs_pt_switches_at(&switches, fargs_pt_input_ns(config, w->seg->tsc)) +
	     w->nr_switches;
	return fargs_pt_switches_task(&switches, nr < low ? low : nr > high ? high : nr);
}

/* Uses the code of the current task's guest. */
static void choose_code(struct fargs_pt_walker *w)
{
	uint64_t ns = fargs_pt_input_ns(&w->in->config, w->tsc);
	int32_t tid = find_task(w), user;
	struct fargs_pt_graph *graph;
	size_t guest;

	guest = fargs_pt_guests_of_space(w->in, fargs_pt_guests_task_space(w->in, tid, ns), &user);
	graph = graph_of(w, guest);
	if (fargs_pt_guests_have_records(w->in, guest))
		w->is_short |= !graph || fargs_pt_walk_use_guest_space(w, guest, user, ns);
	else
		w->is_short |= !graph || fargs_pt_walk_use_space(w, user, ns);
	if (graph)
		w->kernel = graph;
	w->marks = w->all_marks[1 + guest];
	w->poke_tsc = UINT64_MAX;
}

static void enter(struct fargs_pt_walker *w)
{
	w->host_user = w->user;
	choose_code(w);
}

void fargs_pt_walk_switch_guest(struct fargs_pt_walker *w)
{
	size_t i;

	if (!fargs_row(E4))
		return;
	choose_code(w);
	for (i = 0; i < FARGS_PT_WALK_DEPTH; i++)
		w->calls[i].from = NULL;
}

/* Uses the host's code again, with the changes that were made meanwhile. */
static void leave(struct fargs_pt_walker *w)
{
	w->kernel = w->host_kernel;
	w->user = w->host_user;
	w->marks = w->all_marks[0];
	fargs_pt_walk_advance_code(w, w->tsc);
}

static struct fargs_pt_item *add(struct fargs_pt_walker *w, uint64_t to)
{
	struct fargs_pt_item *item = fargs_pt_walk_add(w, FARGS_PT_VM, 0, to);

	item->flags |= w->is_guest ? FARGS_PT_IN_GUEST : 0;
	w->has_vm = true;
	return item;
}

void fargs_pt_walk_set_guest(struct fargs_pt_walker *w, bool is_guest, bool is_branch)
{
	size_t i;

	w->is_guest = is_guest;
	w->is_vm_due = is_branch;
	if (!fargs_row(E4))
		return;
	if (is_guest)
		enter(w);
	else
		leave(w);
	/* The nodes of the calls are of the other graphs. */
	for (i = 0; i < FARGS_PT_WALK_DEPTH; i++)
		w->calls[i].from = NULL;
	if (!is_branch)
		add(w, 0);
}

void fargs_pt_walk_add_vm(struct fargs_pt_walker *w, struct fargs_pt_item *item)
{
	uint64_t to = item->to;

	w->is_vm_due = false;
	if (!fargs_row(E4))
		return;
	/* As in perf, a line has addresses of one machine. */
	if (fargs_row(G10))
		item->to = 0;
	add(w, fargs_row(G10) ? to : 0);
}

void fargs_pt_walk_repeat_vm(struct fargs_pt_walker *w)
{
	w->is_vm_due = false;
	add(w, 0);
}
