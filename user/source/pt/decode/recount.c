// SPDX-License-Identifier: GPL-2.0-only
#include "source/pt/decode/recount.h"

#include <errno.h>
#include <stdlib.h>

#include "base/grow.h"

/* A switch is executed so soon after its record, nearly always: in ns. */
#define RECORD_NS	200000
/* So many items behind a hole are looked at: times that tell are hardly ever that far. */
#define LOOK_ITEMS	8192

struct recount {
	const struct fargs_pt_config *config;
	const struct fargs_pt_switches *sw;
	const struct fargs_pt_flow *flow;
	uint64_t error;		/* of times, in TSC ticks */
	/* Of the last holes that were looked at: their time, and the first item of a later one. */
	uint64_t tsc;
	size_t later;
	size_t nr_until;	/* switches that are items, in front of that */
};

void fargs_pt_recounts_deinit(struct fargs_pt_recounts *r)
{
	free(r->all);
	*r = (struct fargs_pt_recounts){ };
}

static size_t count_at(const struct recount *c, uint64_t tsc)
{
	return fargs_pt_switches_at(c->sw, fargs_pt_input_ns(c->config, tsc));
}

/* Is none of the @nr records up to @tsc near to it? */
static bool is_quiet(const struct recount *c, uint64_t tsc, size_t nr)
{
	uint64_t from = tsc > c->error ? tsc - c->error : 0;
	uint64_t ns = fargs_pt_input_ns(c->config, from);

	return !nr || (ns > RECORD_NS && c->sw->all[nr - 1].ns <= ns - RECORD_NS);
}

/* From there on the trace tells all that is executed, though not what came before. */
static bool is_hole(const struct fargs_pt_item *item)
{
	return item->kind == FARGS_PT_OVERFLOW ||
	       (item->kind == FARGS_PT_BEGIN && !(item->flags & FARGS_PT_CONTINUES));
}

/*
 * In *@nr, switches in front of item @i, at the most, by the times of those that follow; @tsc is
 * the last one in front of it. True: and no fewer, but for what is said below.
 *
 * At none of these times more can have been executed than have a record, whatever is near and
 * whatever further holes hide. That is one too many where the CPU stood still between a record
 * and its execution, and nothing else was executed behind that.
 */
static bool count_from(const struct recount *c, size_t i, uint64_t tsc, size_t *nr)
{
	size_t end = c->flow->nr - i < LOOK_ITEMS ? c->flow->nr : i + LOOK_ITEMS;
	size_t at = count_at(c, tsc + c->error), executed = 0;
	bool is_told = false, is_hidden = false;

	*nr = SIZE_MAX;
	for (; i < end; i++) {
		const struct fargs_pt_item *item = &c->flow->items[i];

		if (item->kind == FARGS_PT_BRANCH && item->tsc <= tsc)
			continue;
		if (item->tsc > tsc) {
			tsc = item->tsc;
			while (at < c->sw->nr && fargs_pt_input_ns(c->config, tsc + c->error) >=
						 c->sw->all[at].ns)
				at++;
			if (!is_told && !is_hidden)
				is_told = is_quiet(c, tsc, at);
			if (at >= executed && at - executed < *nr)
				*nr = at - executed;
		}
		is_hidden |= is_hole(item);
		executed += item->kind == FARGS_PT_SWITCH;
	}
	return is_told;
}

/*
 * In front of the segment, behind @seen of them as *@counted says, which becomes what it is of the
 * result. The segment's time is that of its PSB, and exact.
 */
static size_t count_first(const struct recount *c, const struct fargs_pt_segment *seg,
			  size_t begin, size_t seen, enum fargs_pt_counted *counted)
{
	bool is_new = *counted == FARGS_PT_COUNTED_NONE, is_quiet_here, is_told;
	size_t nr, most;
	uint64_t ns;

	if (!seg->tsc || !c->config->has_time)
		return seen;
	if (c->error != UINT64_MAX) {
		nr = count_at(c, seg->tsc + c->error);
		is_quiet_here = is_quiet(c, seg->tsc, nr);
		if (*counted == FARGS_PT_COUNTED_ALL && nr == seen + 1)
			return seen;
		*counted = FARGS_PT_COUNTED_ALL;
		/* Two that agree are right. */
		if (is_quiet_here && !is_new && nr == seen)
			return nr;
		is_told = count_from(c, begin, seg->tsc, &most);
		if (is_quiet_here || is_told)
			return is_quiet_here && nr < most ? nr : most;
	}
	*counted = FARGS_PT_COUNTED_SEEN;
	ns = fargs_pt_input_ns(c->config, seg->tsc);
	return is_new ? fargs_pt_switches_at(c->sw, ns) :
			fargs_pt_switches_check(c->sw, seen, ns);
}

/*
 * Does the first time behind the hole at item @i, in front of which @nr items are switches, and
 * @counted were executed, tell that it hides nothing? Many holes have the same.
 */
static bool hides_nothing(struct recount *c, size_t i, size_t nr, size_t counted)
{
	const struct fargs_pt_item *items = c->flow->items;

	if (i >= c->later || items[i].tsc != c->tsc) {
		c->tsc = items[i].tsc;
		c->nr_until = nr;
		for (i++; i < c->flow->nr && items[i].tsc <= c->tsc; i++)
			c->nr_until += items[i].kind == FARGS_PT_SWITCH;
		c->later = i;
	}
	return c->later < c->flow->nr &&
	       count_at(c, items[c->later].tsc + c->error) == counted + c->nr_until - nr;
}

/*
 * The hole at item @i, in front of which @nr items are switches, and @seen were executed: how many
 * behind it?
 */
static size_t count_hole(struct recount *c, size_t i, size_t nr, size_t seen,
			 enum fargs_pt_counted *counted)
{
	*counted = FARGS_PT_COUNTED_ALL;
	/* Most begin where user space was left. */
	if (hides_nothing(c, i, nr, seen))
		return seen;
	if (count_from(c, i + 1, c->flow->items[i].tsc, &nr))
		return nr;
	*counted = FARGS_PT_COUNTED_SEEN;
	return seen;
}

/* Some of the trace cannot be decoded, or is not there. */
static bool is_gap(const struct fargs_pt_item *item)
{
	return item->kind == FARGS_PT_SKIPPED || item->kind == FARGS_PT_LOST ||
	       item->kind == FARGS_PT_ERROR;
}

/* What is in front of the first instruction. */
static size_t begin_of(const struct fargs_pt_flow *flow)
{
	size_t i = 0;

	while (i < flow->nr && (flow->items[i].kind == FARGS_PT_SKIPPED ||
				flow->items[i].kind == FARGS_PT_LOST))
		i++;
	return i < flow->nr && flow->items[i].kind == FARGS_PT_BEGIN ? i + 1 : i;
}

/* Most are branches, which hide nothing. */
static size_t next_other(const struct fargs_pt_flow *flow, size_t i)
{
	while (i < flow->nr && flow->items[i].kind == FARGS_PT_BRANCH)
		i++;
	return i;
}

static int add(struct fargs_pt_recounts *r, size_t item, size_t nr)
{
	struct fargs_pt_recount *larger = fargs_grow(r->all, r->nr, sizeof(*larger));

	if (!larger)
		return -ENOMEM;
	r->all = larger;
	larger[r->nr++] = (struct fargs_pt_recount){ .item = item, .nr = nr };
	return 0;
}

/*
 * Without the kernel in the trace no switch is an item. The record of each switch is older than the
 * place where the trace continues, whose time is too early by less than a tick.
 */
static int recount_user(struct fargs_pt_recounts *r, const struct recount *c,
			const struct fargs_pt_segment *seg)
{
	uint64_t tick = fargs_pt_flow_tick(c->config);
	const struct fargs_pt_flow *flow = c->flow;
	size_t i, nr;

	r->first = count_at(c, seg->tsc);
	r->last = r->first;
	/* The first one, too: the trace may have been off at the PSB. */
	for (i = next_other(flow, 0); i < flow->nr; i = next_other(flow, i + 1)) {
		if (!is_hole(&flow->items[i]))
			continue;
		nr = count_at(c, flow->items[i].tsc + tick);
		if (nr != r->last && add(r, i, nr))
			return -ENOMEM;
		r->last = nr;
	}
	r->counted = FARGS_PT_COUNTED_ALL;
	return 0;
}

int fargs_pt_recount(struct fargs_pt_recounts *r, const struct fargs_pt_config *config,
		     const struct fargs_pt_switches *sw, const struct fargs_pt_segment *seg,
		     const struct fargs_pt_flow *flow, size_t nr, enum fargs_pt_counted counted)
{
	struct recount c = {
		.config = config, .sw = sw, .flow = flow, .error = fargs_pt_flow_error(config),
	};
	bool has_times = config->has_time && c.error != UINT64_MAX && sw->nr;
	size_t begin = begin_of(flow), nr_items = 0, i;

	r->nr = 0;
	if (has_times && seg->tsc && config->has_user && !config->has_kernel)
		return recount_user(r, &c, seg);
	if (flow->nr && is_gap(&flow->items[0]) && counted == FARGS_PT_COUNTED_ALL)
		counted = FARGS_PT_COUNTED_SEEN;
	r->first = count_first(&c, seg, begin, nr, &counted);
	r->last = r->first;
	for (i = next_other(flow, begin); i < flow->nr; i = next_other(flow, i + 1)) {
		nr_items += flow->items[i].kind == FARGS_PT_SWITCH;
		r->last += flow->items[i].kind == FARGS_PT_SWITCH;
		if (is_gap(&flow->items[i]))
			counted = FARGS_PT_COUNTED_SEEN;
		if (!has_times || !is_hole(&flow->items[i]))
			continue;
		nr = count_hole(&c, i, nr_items, r->last, &counted);
		if (nr != r->last && add(r, i, nr))
			return -ENOMEM;
		r->last = nr;
	}
	r->counted = counted;
	return 0;
}
