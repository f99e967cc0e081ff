// SPDX-License-Identifier: GPL-2.0-only
#include "source/pt/events/period.h"

#include "base/row.h"
#include "source/pt/code/insn.h"

uint64_t fargs_pt_period_ticks(const struct fargs_pt_config *config, uint64_t ns)
{
	unsigned __int128 ticks = ns;

	if (config->has_time && config->time_mult && config->time_shift < 64)
		ticks = (ticks << config->time_shift) / config->time_mult;
	return ticks > UINT64_MAX ? UINT64_MAX : ticks;
}

struct fargs_pt_period fargs_pt_period_of(const struct fargs_pt_config *config,
					  enum fargs_itrace_unit unit, uint64_t period)
{
	uint64_t ticks = unit == FARGS_ITRACE_NS ? fargs_pt_period_ticks(config, period) : period;

	if (unit == FARGS_ITRACE_INSNS)
		return (struct fargs_pt_period){ .insns = period };
	/* Shorter than a tick: each instruction. */
	if (!ticks)
		return (struct fargs_pt_period){ .insns = 1 };
	return (struct fargs_pt_period){ .ticks = 1ull << (63 - __builtin_clzll(ticks)) };
}

/*
 * Returns the time that is known when the instructions of item @at are walked: of the packet that
 * has the next branch, which is the packet that made the walk necessary. The items themselves have
 * the time of the packet before it. The part ends at the address in a PSB+, up to which is walked
 * before its time is read.
 */
static uint64_t walked_tsc(const struct fargs_pt_part *part, size_t at)
{
	const struct fargs_pt_item *items = part->flow.items;
	size_t i;

	for (i = at; i + 1 < part->flow.nr; i++) {
		if (items[i].kind == FARGS_PT_EXECUTED && items[i].flags & FARGS_PT_HAS_BIT)
			break;
		if (items[i + 1].offset != items[at].offset)
			return fargs_pt_part_packet_tsc(part, i + 1);
	}
	return fargs_pt_part_packet_tsc(part, at);
}

/* A tick is assumed for each instruction since the last time. */
static uint64_t assumed_tsc(const struct fargs_pt_sampler *s)
{
	return s->tsc + (fargs_row(B7) ? s->nr_since : 0);
}

/* Returns the number of instructions up to the next sample, in periods of @ticks. */
static uint64_t find_due(struct fargs_pt_sampler *s, uint64_t ticks)
{
	uint64_t now = assumed_tsc(s), slot = now & -ticks;

	if (s->has_slot && slot > s->slot)
		return 1;
	if (!s->has_slot) {
		/* The trace begins: what was executed before is not known. */
		now++;
		slot = now & -ticks;
		if (slot > s->slot) {
			s->slot = slot;
			s->has_slot = true;
		}
	}
	/* The instructions were assumed to be slower than they were. */
	return slot < s->slot ? ticks : ticks - (now - slot);
}

static void begin_walk(struct fargs_pt_sampler *s, const struct fargs_pt_period *period,
		       const struct fargs_pt_part *part, size_t at)
{
	uint64_t tsc;

	if (period->insns) {
		s->due = period->insns - s->nr_insns % period->insns;
		return;
	}
	tsc = walked_tsc(part, at);
	if (s->is_walking && tsc == s->tsc)
		return;
	if (tsc != s->tsc) {
		s->tsc = tsc;
		s->nr_since = 0;
	}
	s->due = find_due(s, period->ticks);
	s->is_walking = true;
}

static void note_sample(struct fargs_pt_sampler *s, uint64_t ticks)
{
	uint64_t slot = assumed_tsc(s) & -ticks;

	s->slot = slot > s->slot ? slot : s->slot + ticks;
	s->is_walking = false;
}

uint32_t fargs_pt_sampler_take(struct fargs_pt_sampler *s, const struct fargs_pt_period *period,
			       const struct fargs_pt_part *part, size_t at, uint32_t nr)
{
	const struct fargs_pt_item *item = &part->flow.items[at];
	uint32_t n;

	begin_walk(s, period, part, at);
	n = s->due < nr ? s->due : nr;
	s->nr_insns += n;
	s->nr_since += n;
	s->due -= n;
	/* Each walk ends with a branch, taken or not. */
	if (n == nr && item->insn != FARGS_PT_INSN_OTHER)
		s->is_walking = false;
	if (s->due)
		return 0;
	if (period->ticks)
		note_sample(s, period->ticks);
	return n;
}

void fargs_pt_sampler_pass(struct fargs_pt_sampler *s, const struct fargs_pt_item *item)
{
	if (item->kind == FARGS_PT_BEGIN && item->flags & FARGS_PT_CONTINUES)
		return;
	s->is_walking = false;
	if (item->kind == FARGS_PT_OVERFLOW)
		s->nr_since = 0;
	if (item->kind == FARGS_PT_END || item->flags & FARGS_PT_ENDS)
		s->has_slot = false;
}
