// SPDX-License-Identifier: GPL-2.0-only
#include "source/pt/decode/switch_resync.h"

#include <errno.h>
#include <stdlib.h>

#include "base/array.h"

/* A switch is nearly always executed within this time, in ns, after its record was written. */
#define RECORD_NS	200000
/* Maximum number of items that count_from() examines; it rarely needs more for an exact bound. */
#define LOOK_ITEMS	8192

struct switch_resync {
	const struct fargs_pt_config *config;
	const struct fargs_pt_switches *sw;
	const struct fargs_pt_flow *flow;
	uint64_t error;		/* maximum error of times, in TSC ticks */
	/*
	 * Cache for holes with the same time: their time, and the index of the first item with a
	 * later time.
	 */
	uint64_t tsc;
	size_t later;
	size_t nr_until;	/* number of SWITCH items before items[@later] of the flow */
};

void fargs_pt_switch_resyncs_deinit(struct fargs_pt_switch_resyncs *r)
{
	free(r->all);
	*r = (struct fargs_pt_switch_resyncs){ };
}

static size_t count_at(const struct switch_resync *c, uint64_t tsc)
{
	return fargs_pt_switches_at(c->sw, fargs_pt_input_ns(c->config, tsc));
}

/* Returns whether the switches of the first @nr records were almost certainly executed by @tsc. */
static bool is_quiet(const struct switch_resync *c, uint64_t tsc, size_t nr)
{
	uint64_t from = tsc > c->error ? tsc - c->error : 0;
	uint64_t ns = fargs_pt_input_ns(c->config, from);

	return !nr || (ns > RECORD_NS && c->sw->all[nr - 1].ns <= ns - RECORD_NS);
}

/* Returns whether the trace does not show what was executed directly before @item. */
static bool is_hole(const struct fargs_pt_item *item)
{
	return item->kind == FARGS_PT_OVERFLOW ||
	       (item->kind == FARGS_PT_BEGIN && !(item->flags & FARGS_PT_CONTINUES));
}

/* Returns whether @item shows that the time is later than @tsc. */
static bool is_later(const struct fargs_pt_item *item, uint64_t tsc)
{
	return item->tsc > tsc && !(item->flags & FARGS_PT_VAGUE);
}

/*
 * Sets *@nr to an upper bound of the number of switches before item @i, using the times of later
 * items. @tsc: last time before item @i. Returns true if the bound is exact, with one exception.
 *
 * At any time, the number of executed switches is at most the number of earlier records. This holds
 * even if some records are only slightly earlier, and even if further holes hide switches. The
 * exception: the bound is too large by one if more than RECORD_NS passed between a record and its
 * switch, for instance while a vCPU was preempted, and no switch follows.
 */
static bool count_from(const struct switch_resync *c, size_t i, uint64_t tsc, size_t *nr)
{
	size_t end = c->flow->nr - i < LOOK_ITEMS ? c->flow->nr : i + LOOK_ITEMS;
	size_t at = count_at(c, tsc + c->error), executed = 0;
	bool is_certain = false, is_hidden = false;
	const struct fargs_pt_item last = { .kind = FARGS_PT_TICK, .tsc = c->flow->end_tsc };

	*nr = SIZE_MAX;
	/* After the last item, the time at the end of the segment. */
	for (end += end == c->flow->nr; i < end; i++) {
		const struct fargs_pt_item *item = i < c->flow->nr ? &c->flow->items[i] : &last;

		if (fargs_pt_count_is_same(item) && !is_later(item, tsc))
			continue;
		if (is_later(item, tsc)) {
			tsc = item->tsc;
			while (at < c->sw->nr && fargs_pt_input_ns(c->config, tsc + c->error) >=
						 c->sw->all[at].ns)
				at++;
			if (!is_certain && !is_hidden)
				is_certain = is_quiet(c, tsc, at);
			if (at >= executed && at - executed < *nr)
				*nr = at - executed;
		}
		is_hidden |= is_hole(item);
		executed += item->kind == FARGS_PT_SWITCH;
	}
	return is_certain;
}

/*
 * Returns the number of switches before the segment. @seen: number of switches counted in previous
 * segments. *@counted: accuracy of @seen; this function replaces it by the accuracy of the result.
 * The segment's time, which is the time of its PSB, is exact.
 */
static size_t count_first(const struct switch_resync *c, const struct fargs_pt_segment *seg,
			  size_t begin, size_t seen, enum fargs_pt_counted *counted)
{
	bool is_new = *counted == FARGS_PT_COUNTED_NONE, is_quiet_here, is_certain;
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
		/* Each record has a counted switch, so the number of switches is exact. */
		if (is_quiet_here && !is_new && nr == seen)
			return nr;
		is_certain = count_from(c, begin, seg->tsc, &most);
		if (is_quiet_here || is_certain)
			return is_quiet_here && nr < most ? nr : most;
	}
	*counted = FARGS_PT_COUNTED_SEEN;
	ns = fargs_pt_input_ns(c->config, seg->tsc);
	return is_new ? fargs_pt_switches_at(c->sw, ns) :
			fargs_pt_switches_check(c->sw, seen, ns);
}

/*
 * Returns whether the first item with a later time proves that the hole at item @i hides no switch.
 * @nr: number of SWITCH items before the hole; @counted: number of switches executed before the
 * hole. Uses a cache, since many holes have the same time.
 */
static bool hides_nothing(struct switch_resync *c, size_t i, size_t nr, size_t counted)
{
	const struct fargs_pt_item *items = c->flow->items;
	uint64_t later;

	if (i >= c->later || items[i].tsc != c->tsc) {
		c->tsc = items[i].tsc;
		c->nr_until = nr;
		for (i++; i < c->flow->nr && !is_later(&items[i], c->tsc); i++)
			c->nr_until += items[i].kind == FARGS_PT_SWITCH;
		c->later = i;
	}
	later = c->later < c->flow->nr ? items[c->later].tsc : c->flow->end_tsc;
	return later > c->tsc &&
	       count_at(c, later + c->error) == counted + c->nr_until - nr;
}

/*
 * Returns the number of switches executed before the end of the hole at item @i, and sets *@counted
 * to its accuracy. @nr: number of SWITCH items before the hole; @seen: number of switches executed
 * before it.
 */
static size_t count_hole(struct switch_resync *c, size_t i, size_t nr, size_t seen,
			 enum fargs_pt_counted *counted)
{
	*counted = FARGS_PT_COUNTED_ALL;
	/* Check the most frequent case first: the hole hides no switch. */
	if (hides_nothing(c, i, nr, seen))
		return seen;
	if (count_from(c, i + 1, c->flow->items[i].tsc, &nr))
		return nr;
	*counted = FARGS_PT_COUNTED_SEEN;
	return seen;
}

/* Returns whether a part of the trace is missing at @item, or cannot be decoded. */
static bool is_gap(const struct fargs_pt_item *item)
{
	return item->kind == FARGS_PT_SKIPPED || item->kind == FARGS_PT_LOST ||
	       item->kind == FARGS_PT_ERROR;
}

/* Returns the index of the first item after the SKIPPED, LOST and BEGIN items at the beginning. */
static size_t begin_of(const struct fargs_pt_flow *flow)
{
	size_t i = 0;

	while (i < flow->nr && (flow->items[i].kind == FARGS_PT_SKIPPED ||
				flow->items[i].kind == FARGS_PT_LOST))
		i++;
	return i < flow->nr && flow->items[i].kind == FARGS_PT_BEGIN ? i + 1 : i;
}

/* Returns the index of the first item that may matter here, starting the search at @i. */
static size_t next_other(const struct fargs_pt_flow *flow, size_t i)
{
	while (i < flow->nr && fargs_pt_count_is_same(&flow->items[i]))
		i++;
	return i;
}

static int add_resync(struct fargs_pt_switch_resyncs *r, size_t item, size_t nr)
{
	struct fargs_pt_switch_resync *to = fargs_array_push(r->all, r->nr, r->room);

	if (!to)
		return -ENOMEM;
	*to = (struct fargs_pt_switch_resync){ .item = item, .nr = nr };
	return 0;
}

/*
 * Counts the switches if the kernel is not traced, in which case there are no SWITCH items. The
 * record of each switch is older than the BEGIN at which the trace continues. The BEGIN's time is
 * too early by less than a tick.
 */
static int switch_resync_user(struct fargs_pt_switch_resyncs *r, const struct switch_resync *c,
			      const struct fargs_pt_segment *seg)
{
	uint64_t tick = fargs_pt_flow_tick(c->config);
	const struct fargs_pt_flow *flow = c->flow;
	size_t i, nr;

	r->first = count_at(c, seg->tsc);
	r->last = r->first;
	/* Include the first item: the trace may have been off at the PSB. */
	for (i = next_other(flow, 0); i < flow->nr; i = next_other(flow, i + 1)) {
		if (!is_hole(&flow->items[i]))
			continue;
		nr = count_at(c, flow->items[i].tsc + tick);
		if (nr != r->last && add_resync(r, i, nr))
			return -ENOMEM;
		r->last = nr;
	}
	r->counted = FARGS_PT_COUNTED_ALL;
	return 0;
}

int fargs_pt_switch_resync(struct fargs_pt_switch_resyncs *r, const struct fargs_pt_config *config,
			   const struct fargs_pt_switches *sw, const struct fargs_pt_segment *seg,
			   const struct fargs_pt_flow *flow, size_t nr,
			   enum fargs_pt_counted counted)
{
	struct switch_resync c = {
		.config = config, .sw = sw, .flow = flow, .error = fargs_pt_flow_error(config),
	};
	bool has_times = config->has_time && c.error != UINT64_MAX && sw->nr;
	size_t begin = begin_of(flow), nr_items = 0, i;

	r->nr = 0;
	if (has_times && seg->tsc && config->has_user && !config->has_kernel)
		return switch_resync_user(r, &c, seg);
	/* Before the segment, the trace was off, as between the tasks that are traced. */
	if (begin && (is_gap(&flow->items[0]) || is_hole(&flow->items[begin - 1])) &&
	    counted == FARGS_PT_COUNTED_ALL)
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
		if (nr != r->last && add_resync(r, i, nr))
			return -ENOMEM;
		r->last = nr;
	}
	r->counted = counted;
	return 0;
}
