// SPDX-License-Identifier: GPL-2.0-only
#include "sink/export/perf_db/samples.h"

#include <errno.h>
#include <string.h>

#include "base/row.h"
#include "model/event_record.h"
#include "sink/export/branch_type.h"
#include "sink/export/perf_db/payload.h"
#include "sink/export/task_set.h"

#define HOST	1	/* the id of the only machine */

void fargs_pdb_samples_deinit(struct fargs_pdb_samples *s)
{
	fargs_intern_deinit(&s->events);
}

static int find_event(struct fargs_pdb_samples *s, const char *name, int64_t *id)
{
	uint32_t number, nr = s->events.nr;
	int ret = fargs_intern_add(&s->events, name, strlen(name), &number);

	if (ret)
		return ret;
	*id = (int64_t)number + 1;
	if (s->events.nr == nr)
		return 0;
	return fargs_pdb_row(s->w, FARGS_PDB_SELECTED_EVENTS, (struct fargs_pdb_value []){
		FARGS_PDB_N(*id), FARGS_PDB_T(name),
	});
}

/* Returns perf's flags; without those of the letters, they are the type of the branch. */
static unsigned int type_of(const struct fargs_event_sample *sample)
{
	int type = sample->flags ? fargs_branch_type(sample->flags) : 0;

	return type < 0 ? 0 : type;
}

static unsigned int marks_of(const struct fargs_event_sample *sample)
{
	const char *mark = sample->marks ? sample->marks : "";
	unsigned int flags = 0;

	for (; *mark; mark++)
		flags |= *mark == 'x' ? FARGS_BRANCH_IN_TX :
			 *mark == 'D' ? FARGS_BRANCH_INTR_DISABLE :
			 *mark == 't' ? FARGS_BRANCH_INTR_TOGGLE : 0;
	return flags;
}

/* Finds the path of the sample's call chain; 0: it has none. */
static int find_path(struct fargs_pdb_samples *s, struct fargs_decoder *d,
		     const struct fargs_event *ev, const struct fargs_pdb_place *own,
		     int64_t *path)
{
	const uint8_t *stack = ev->stack;
	unsigned int i = ev->nr_stack;
	struct fargs_event_place place;
	struct fargs_pdb_place caller;
	uint64_t addr;
	int ret = 0;

	*path = 0;
	if (!ev->has_chain)
		return 0;
	*path = FARGS_PDB_ROOT;
	while (i-- && !ret) {
		memcpy(&addr, stack + 8 * i, sizeof(addr));
		fargs_decoder_place(d, addr, &place);
		ret = fargs_pdb_place_find(s->places, &place, &caller);
		if (!ret)
			ret = fargs_pdb_path_find(s->places, *path, &caller, path);
	}
	return ret || !own->addr ? ret : fargs_pdb_path_find(s->places, *path, own, path);
}

static int add_row(struct fargs_pdb_samples *s, const struct fargs_event *ev, int64_t event,
		   const struct fargs_pdb_branch *b, int64_t path)
{
	const struct fargs_event_sample *sample = ev->sample;
	uint64_t addr = sample->has_target ? sample->target.addr : sample->addr;

	return fargs_pdb_row(s->w, FARGS_PDB_SAMPLES, (struct fargs_pdb_value []){
		FARGS_PDB_N(b->sample), FARGS_PDB_N(event), FARGS_PDB_N(HOST),
		FARGS_PDB_N(b->task.thread), FARGS_PDB_N(b->task.comm), FARGS_PDB_N(b->from.dso),
		FARGS_PDB_N(b->from.symbol), FARGS_PDB_N(b->from.offset),
		FARGS_PDB_N(b->from.addr), FARGS_PDB_N(b->ns),
		FARGS_PDB_N(ev->has_no_cpu ? -1 : (int64_t)ev->cpu), FARGS_PDB_N(b->to.dso),
		FARGS_PDB_N(b->to.symbol), FARGS_PDB_N(b->to.offset), FARGS_PDB_N(addr),
		FARGS_PDB_N(sample->period), FARGS_PDB_N(sample->weight),
		FARGS_PDB_N(sample->transaction), FARGS_PDB_N(sample->data_src),
		FARGS_PDB_N(type_of(sample)), FARGS_PDB_N(!!(b->flags & FARGS_BRANCH_IN_TX)),
		FARGS_PDB_N(path), FARGS_PDB_N(b->nr_insns), FARGS_PDB_N(b->nr_cycles),
		FARGS_PDB_N(b->flags),
	});
}

int fargs_pdb_samples_add(struct fargs_pdb_samples *s, struct fargs_decoder *d,
			  const struct fargs_event *ev)
{
	const struct fargs_event_sample *sample = ev->sample;
	unsigned int type = type_of(sample);
	struct fargs_pdb_branch b = {
		.sample = s->nr + 1, .stack = fargs_task_id(ev), .is_leader = ev->tid == ev->tgid,
		.ns = ev->has_no_time ? 0 : ev->time_ns, .flags = type | marks_of(sample),
		/* The instruction at the address of an interrupt was not executed. */
		.insn_bytes = type & (FARGS_BRANCH_ASYNC | FARGS_BRANCH_TX_ABORT) ?
			      0 : sample->insn_bytes,
		.nr_insns = sample->nr_cycles ? sample->nr_insns : 0,
		.nr_cycles = sample->nr_cycles, .piece = sample->piece,
	};
	int64_t event, path;
	int ret = find_event(s, sample->event, &event);

	if (!ret)
		ret = fargs_pdb_tasks_event(s->tasks, ev, &b.task);
	if (!ret)
		ret = fargs_pdb_place_find(s->places, sample->has_place ? &sample->place : NULL,
					   &b.from);
	if (!ret)
		ret = fargs_pdb_place_find(s->places, sample->has_target ? &sample->target : NULL,
					   &b.to);
	if (!ret)
		ret = find_path(s, d, ev, &b.from, &path);
	if (!ret)
		ret = add_row(s, ev, event, &b, path);
	s->nr++;
	if (!ret && ev->kind == FARGS_EVENT_BRANCH && fargs_row(D9))
		ret = fargs_pdb_calls_take(s->calls, &b);
	return ret ? ret : fargs_pdb_payload_add(s->w, ev, b.sample);
}
