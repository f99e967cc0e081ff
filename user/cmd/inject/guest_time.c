// SPDX-License-Identifier: GPL-2.0-only
#include "cmd/inject/guest_time.h"

#include <stddef.h>
#include <string.h>

void fargs_guest_clock_take(struct fargs_guest_clock *c, const struct perf_event_header *rec)
{
	struct fargs_perf_time_conv conv = { };

	memcpy(&conv, rec, rec->size < sizeof(conv) ? rec->size : sizeof(conv));
	*c = (struct fargs_guest_clock){
		/* Older versions of perf only write the record if the clocks are known. */
		.is_known = conv.mult && conv.shift < 64 &&
			    (conv.has_zero || rec->size <= offsetof(typeof(conv), cycles)),
		.shift = conv.shift, .mult = conv.mult, .zero = conv.zero,
		.is_short = conv.is_short, .cycles = conv.cycles, .mask = conv.mask,
	};
}

static uint64_t to_tsc(const struct fargs_guest_clock *c, uint64_t ns)
{
	return c->is_known ? (uint64_t)(((__uint128_t)(ns - c->zero) << c->shift) / c->mult) : ns;
}

static uint64_t from_tsc(const struct fargs_guest_clock *c, uint64_t tsc)
{
	if (!c->is_known)
		return tsc;
	if (c->is_short)
		tsc = c->cycles + ((tsc - c->cycles) & c->mask);
	return c->zero + (uint64_t)((__uint128_t)tsc * c->mult >> c->shift);
}

uint64_t fargs_guest_time_convert(const struct fargs_guest_time *t, uint64_t ns)
{
	uint64_t tsc;

	if (!ns)
		return 0;
	tsc = to_tsc(&t->guest, ns) - t->offset;
	if (t->scale != 1)
		tsc = (uint64_t)((long double)tsc / t->scale);
	return from_tsc(&t->host, tsc);
}
