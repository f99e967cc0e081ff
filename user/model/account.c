// SPDX-License-Identifier: GPL-2.0-only
#include "model/account.h"

#include <stdlib.h>
#include <string.h>

#include "model/event_record.h"
#include "model/record.h"

/*
 * A hole is a range of sequence numbers below the highest one seen that have not been seen yet. If
 * a traced function is interrupted after it allocated its sequence number, but before it reserved
 * space in the ring, its record is written after all records of the interrupt, of which there can
 * be any number. The sequence number of its record must then lie in a hole. Losses and rejected
 * calls also leave holes, so only the newest holes are kept; sequence numbers below them are not
 * checked.
 */
#define HOLES	128

struct hole {
	uint64_t from, to;	/* sequence numbers @from to @to - 1 have not been seen */
};

struct cpu_state {
	struct fargs_account_cpu seen;
	uint64_t known_from;	/* holes below this sequence number have been dropped */
	uint64_t last_tsc;
	unsigned int nr_holes;
	struct hole holes[HOLES];	/* oldest first */
};

struct fargs_account {
	unsigned int nr_cpus;
	struct cpu_state cpus[];
};

struct fargs_account *fargs_account_create(unsigned int nr_cpus)
{
	struct fargs_account *acc = calloc(1, sizeof(*acc) + nr_cpus * sizeof(acc->cpus[0]));

	if (acc)
		acc->nr_cpus = nr_cpus;
	return acc;
}

void fargs_account_destroy(struct fargs_account *acc)
{
	free(acc);
}

static void forget_hole(struct cpu_state *cpu)
{
	cpu->known_from = cpu->holes[0].to;
	memmove(&cpu->holes[0], &cpu->holes[1], --cpu->nr_holes * sizeof(cpu->holes[0]));
}

static void take_late(struct cpu_state *cpu, uint64_t seq)
{
	struct hole *hole;
	unsigned int i;

	if (seq < cpu->known_from)
		return;
	for (i = cpu->nr_holes; i-- > 0; )
		if (cpu->holes[i].from <= seq && seq < cpu->holes[i].to)
			break;
	if (i >= cpu->nr_holes) {
		cpu->seen.doubled++;
		return;
	}
	hole = &cpu->holes[i];
	if (hole->from == seq) {
		hole->from++;
	} else if (hole->to - 1 == seq) {
		hole->to--;
	} else {
		if (cpu->nr_holes == HOLES) {
			if (!i) {
				/*
				 * There is no room for another hole, and the hole that @seq splits
				 * is the oldest one: keep only the part of that hole above @seq.
				 */
				cpu->known_from = seq + 1;
				hole->from = seq + 1;
				return;
			}
			forget_hole(cpu);
			hole--;
			i--;
		}
		memmove(hole + 1, hole, (cpu->nr_holes - i) * sizeof(*hole));
		cpu->nr_holes++;
		hole[0].to = seq;
		hole[1].from = seq + 1;
		return;
	}
	if (hole->from == hole->to) {
		memmove(hole, hole + 1, (cpu->nr_holes - i - 1) * sizeof(*hole));
		cpu->nr_holes--;
	}
}

static void take(struct cpu_state *cpu, uint64_t seq)
{
	if (seq < cpu->seen.seq_end) {
		take_late(cpu, seq);
		return;
	}
	if (seq > cpu->seen.seq_end) {
		if (cpu->nr_holes == HOLES)
			forget_hole(cpu);
		cpu->holes[cpu->nr_holes++] = (struct hole){ cpu->seen.seq_end, seq };
	}
	cpu->seen.seq_end = seq + 1;
}

/* Counts a record of the event stream. */
static void take_event(struct fargs_account_cpu *seen, const struct fargs_record *rec)
{
	struct fargs_value val;

	if (!seen->events_bytes)
		seen->first_ns = rec->tsc;
	else if (rec->tsc < seen->last_ns)
		seen->events_backwards++;
	if (rec->tsc > seen->last_ns)
		seen->last_ns = rec->tsc;
	seen->events_bytes += rec->len;
	if (rec->kind == FARGS_KIND_EVENT)
		seen->events++;
	else if (rec->kind == FARGS_KIND_LOST &&
		 fargs_record_find(rec, "lost", FARGS_TYPE_U64, &val))
		seen->events_lost += fargs_value_u64(&val);
}

/* Counts a SWITCH record. Switches are numbered from 0, including those without a record. */
static void take_switch(struct fargs_account_cpu *seen, const struct fargs_record *rec)
{
	struct fargs_value nr;

	if (!fargs_record_find(rec, "nr", FARGS_TYPE_U64, &nr))
		return;
	seen->switches++;
	if (fargs_value_u64(&nr) < seen->switches_end)
		seen->doubled++;
	else
		seen->switches_end = fargs_value_u64(&nr) + 1;
}

void fargs_account_record(struct fargs_account *acc, unsigned int cpu,
			  const struct fargs_record *rec)
{
	struct cpu_state *state;
	struct fargs_value val;

	if (cpu >= acc->nr_cpus)
		return;
	state = &acc->cpus[cpu];
	if (rec->flags & FARGS_RECORD_NS) {
		take_event(&state->seen, rec);
		return;
	}
	state->seen.bytes += rec->len;
	if (state->seen.kept + state->seen.others == 0)
		state->seen.first_tsc = rec->tsc;
	else if (rec->tsc < state->last_tsc)
		state->seen.backwards++;
	state->last_tsc = rec->tsc;
	if (rec->tsc > state->seen.last_tsc)
		state->seen.last_tsc = rec->tsc;

	switch (rec->kind) {
	case FARGS_KIND_LOST:
		state->seen.others++;
		if (fargs_record_find(rec, "lost", FARGS_TYPE_U64, &val))
			state->seen.lost += fargs_value_u64(&val);
		break;
	case FARGS_KIND_SWITCH:
		take_switch(&state->seen, rec);
		state->seen.others++;
		break;
	case FARGS_KIND_TASK:
		state->seen.others++;
		break;
	default:
		state->seen.kept++;
		take(state, rec->seq);
	}
}

void fargs_account_corrupt(struct fargs_account *acc, unsigned int cpu,
			   const struct fargs_record *rec)
{
	struct fargs_account_cpu *seen = cpu < acc->nr_cpus ? &acc->cpus[cpu].seen : NULL;

	if (seen && rec->flags & FARGS_RECORD_NS)
		seen->events_corrupt++;
	else if (seen)
		seen->corrupt++;
}

const struct fargs_account_cpu *fargs_account_get(const struct fargs_account *acc,
						  unsigned int cpu)
{
	return cpu < acc->nr_cpus ? &acc->cpus[cpu].seen : NULL;
}

void fargs_account_total(const struct fargs_account *acc, struct fargs_account_cpu *sum)
{
	const struct fargs_account_cpu *seen;
	unsigned int cpu;

	memset(sum, 0, sizeof(*sum));
	for (cpu = 0; cpu < acc->nr_cpus; cpu++) {
		seen = &acc->cpus[cpu].seen;
		if (seen->kept + seen->others) {
			if (sum->kept + sum->others == 0 || seen->first_tsc < sum->first_tsc)
				sum->first_tsc = seen->first_tsc;
			if (seen->last_tsc > sum->last_tsc)
				sum->last_tsc = seen->last_tsc;
		}
		if (seen->events_bytes) {
			if (!sum->events_bytes || seen->first_ns < sum->first_ns)
				sum->first_ns = seen->first_ns;
			if (seen->last_ns > sum->last_ns)
				sum->last_ns = seen->last_ns;
		}
		sum->events += seen->events;
		sum->events_lost += seen->events_lost;
		sum->events_bytes += seen->events_bytes;
		sum->events_backwards += seen->events_backwards;
		sum->events_corrupt += seen->events_corrupt;
		sum->kept += seen->kept;
		sum->lost += seen->lost;
		sum->others += seen->others;
		sum->switches += seen->switches;
		sum->switches_end += seen->switches_end;
		sum->bytes += seen->bytes;
		sum->corrupt += seen->corrupt;
		sum->doubled += seen->doubled;
		sum->backwards += seen->backwards;
		/*
		 * Each CPU numbers its own records, so the sum is the number of sequence numbers
		 * known to have been allocated on all CPUs.
		 */
		sum->seq_end += seen->seq_end;
	}
}

bool fargs_account_agrees(const struct fargs_account_cpu *seen,
			  const struct fargs_cpu_stats *stats, bool is_overwrite, const char **why)
{
	uint64_t lost = seen->lost + stats->lost_pending;
	uint64_t all = seen->kept + stats->lost + stats->rejected;
	const char *text = NULL;

	if (seen->corrupt)
		text = "corrupt records";
	else if (seen->doubled)
		text = "sequence numbers seen twice";
	else if (seen->backwards)
		text = "records out of time order";
	else if (is_overwrite ? lost > stats->lost : lost != stats->lost)
		text = "losses reported by the records differ from those counted";
	else if (is_overwrite ? all > stats->produced : all != stats->produced)
		text = "kept + lost + rejected differs from produced";
	else if (seen->seq_end > stats->produced)
		text = "sequence numbers that were never allocated";
	if (why)
		*why = text;
	return !text;
}
