// SPDX-License-Identifier: GPL-2.0-only
#include "pt/recount.h"

#include <errno.h>
#include <stdlib.h>

#include "util/grow.h"

/* A switch is executed so soon after its record, nearly always: in ns. */
#define RECORD_NS	200000
/* So many items behind a hole are looked at: times that tell are hardly ever that far. */
#define LOOK_ITEMS	8192

struct recount {
	const struct fargs_pt_config *config;
	const struct fargs_pt_switches *sw;
	const struct fargs_pt_flow *flow;
	uint64_t error;		/* of times, in TSC ticks */
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

/* The segment's time is that of its PSB, and exact. */
static size_t count_first(const struct recount *c, const struct fargs_pt_segment *seg,
			  size_t begin, size_t counted, bool is_new)
{
	bool is_quiet_here, is_told;
	size_t nr, most;
	uint64_t ns;

	if (!seg->tsc || !c->config->has_time)
		return counted;
	if (c->error != UINT64_MAX) {
		nr = count_at(c, seg->tsc + c->error);
		is_quiet_here = is_quiet(c, seg->tsc, nr);
		/* Two that agree are right. */
		if (is_quiet_here && !is_new && nr == counted)
			return nr;
		is_told = count_from(c, begin, seg->tsc, &most);
		if (is_quiet_here || is_told)
			return is_quiet_here && nr < most ? nr : most;
	}
	ns = fargs_pt_input_ns(c->config, seg->tsc);
	return is_new ? fargs_pt_switches_at(c->sw, ns) :
			fargs_pt_switches_check(c->sw, counted, ns);
}

/* Does the first time behind the hole at item @i tell that it hides nothing? */
static bool hides_nothing(const struct recount *c, size_t i, size_t counted)
{
	const struct fargs_pt_item *items = c->flow->items;
	uint64_t tsc = items[i].tsc;

	while (++i < c->flow->nr && items[i].tsc <= tsc)
		counted += items[i].kind == FARGS_PT_SWITCH;
	return i < c->flow->nr && count_at(c, items[i].tsc + c->error) == counted;
}

/* The hole at item @i, in front of which @counted switches were executed: and behind it? */
static size_t count_hole(const struct recount *c, size_t i, size_t counted)
{
	size_t nr;

	/* Most begin where user space was left. */
	if (hides_nothing(c, i, counted))
		return counted;
	return count_from(c, i + 1, c->flow->items[i].tsc, &nr) ? nr : counted;
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

static int add(struct fargs_pt_recounts *r, size_t item, size_t nr)
{
	struct fargs_pt_recount *larger = fargs_grow(r->all, r->nr, sizeof(*larger));

	if (!larger)
		return -ENOMEM;
	r->all = larger;
	larger[r->nr++] = (struct fargs_pt_recount){ .item = item, .nr = nr };
	return 0;
}

int fargs_pt_recount(struct fargs_pt_recounts *r, const struct fargs_pt_config *config,
		     const struct fargs_pt_switches *sw, const struct fargs_pt_segment *seg,
		     const struct fargs_pt_flow *flow, size_t counted, bool is_new)
{
	const struct recount c = {
		.config = config, .sw = sw, .flow = flow, .error = fargs_pt_flow_error(config),
	};
	bool has_times = config->has_time && c.error != UINT64_MAX && sw->nr;
	size_t begin = begin_of(flow), i, nr;

	r->nr = 0;
	r->first = count_first(&c, seg, begin, counted, is_new);
	r->last = r->first;
	for (i = begin; i < flow->nr; i++) {
		r->last += flow->items[i].kind == FARGS_PT_SWITCH;
		if (!has_times || !is_hole(&flow->items[i]))
			continue;
		nr = count_hole(&c, i, r->last);
		if (nr != r->last && add(r, i, nr))
			return -ENOMEM;
		r->last = nr;
	}
	return 0;
}
