// SPDX-License-Identifier: GPL-2.0-only
#include "source/pt/packet/guest_tsc.h"

#include <errno.h>
#include <stdlib.h>

#include "source/pt/packet/config.h"
#include "source/pt/packet/errata.h"
#include "source/pt/packet/psb.h"

#define TSC_BITS	56
#define CTC_BITS	16		/* that TMA packets have of the crystal clock */
#define TSC_MASK	((UINT64_C(1) << TSC_BITS) - 1)
/* VMCS packets have this value where there is no current VMCS. */
#define NO_VMCS		UINT64_C(0xffffffffff)
/* PEBS records: the group with the TSC, which is an item of 8 bytes (SDM 3, "BIP packet"). */
#define PEBS_BASIC	4
#define PEBS_TSC	2
#define PEBS_TSC_BYTES	8

void fargs_pt_guest_tsc_init(struct fargs_pt_guest_tsc *g, const struct fargs_pt_config *config,
			     struct fargs_pt_vmcs_list *list, fargs_pt_guest_tsc_fn *fn, void *arg)
{
	*g = (struct fargs_pt_guest_tsc){
		.list = list, .fn = fn, .arg = arg, .errata = fargs_pt_errata(config),
		.ratio_n = config->cpuid_0x15_ebx ? config->cpuid_0x15_ebx : 1,
		.ratio_d = config->cpuid_0x15_eax ? config->cpuid_0x15_eax : 1,
		.mtc_freq = config->mtc_freq < CTC_BITS ? config->mtc_freq : CTC_BITS - 1,
	};
}

void fargs_pt_guest_tsc_restart(struct fargs_pt_guest_tsc *g)
{
	g->is_synced = false;
	g->is_on = false;
	g->is_psb = false;
	g->has_base = false;
	g->has_tma = false;
	g->tsc = 0;
	g->is_last_guest = false;
	g->is_last_unknown = false;
	g->is_reliable = false;
	g->is_continuous = false;
	g->has_tsc = false;
	g->is_gap = true;
	g->bip_bytes = 0;
	g->group = 0;
}

static void report(struct fargs_pt_guest_tsc *g, const struct fargs_pt_guest_tsc_event *ev)
{
	if (!g->result)
		g->result = g->fn(g->arg, ev);
}

static void report_error(struct fargs_pt_guest_tsc *g, enum fargs_pt_guest_tsc_kind kind,
			 const uint8_t *at, const struct fargs_pt_vmcs *vmcs, uint64_t old,
			 uint64_t now)
{
	report(g, &(struct fargs_pt_guest_tsc_event){
		.kind = kind, .at = at, .vmcs = vmcs, .old = old, .now = now,
	});
}

/* @low: 56 bits. Returns the number with these that is next to @near. */
static uint64_t extend(uint64_t low, uint64_t near)
{
	return near + (uint64_t)((int64_t)((low - near) << (64 - TSC_BITS)) >> (64 - TSC_BITS));
}

static uint64_t to_tsc(const struct fargs_pt_guest_tsc *g, int64_t ticks)
{
	__int128_t product = (__int128_t)ticks * g->ratio_n;

	/* Rounded down, also below 0. */
	if (product < 0)
		product -= g->ratio_d - 1;
	return (uint64_t)(product / g->ratio_d);
}

/* The host's TSC when the crystal clock was @ctc, and @fast ticks of the TSC later. */
static uint64_t host_tsc(const struct fargs_pt_guest_tsc *g, uint16_t ctc, uint16_t fast)
{
	/* The TMA may be written before an MTC that is earlier. */
	int16_t since_mtc = (int16_t)(ctc - (uint16_t)(g->base_ctc + g->ticks));

	return g->base + to_tsc(g, (int64_t)g->ticks + since_mtc) + fast;
}

/* The host's TSC at the last MTC or TMA. */
static uint64_t last_time(const struct fargs_pt_guest_tsc *g)
{
	return g->base + to_tsc(g, (int64_t)g->ticks);
}

/* Times may be out of order by this: the order of TSC, TMA and MTC packets is not exact. */
static uint64_t tolerance(const struct fargs_pt_guest_tsc *g)
{
	return to_tsc(g, 1 << g->mtc_freq) + FARGS_PT_GUEST_TSC_ERROR;
}

static uint64_t difference(uint64_t a, uint64_t b)
{
	uint64_t d = (a - b) & TSC_MASK;

	return d >> (TSC_BITS - 1) ? (UINT64_C(1) << TSC_BITS) - d : d;
}

/*
 * By how much @a and @b differ, but for multiples of the time in which the crystal clock counts
 * 2^16 ticks. TMA shows that much, however long tracing was off before.
 */
static int64_t rest(const struct fargs_pt_guest_tsc *g, uint64_t a, uint64_t b)
{
	__int128_t period = (__int128_t)g->ratio_n << CTC_BITS;
	__int128_t d = (__int128_t)(int64_t)extend(a - b, 0) * g->ratio_d % period;

	if (d > period / 2)
		d -= period;
	else if (d < -period / 2)
		d += period;
	return (int64_t)(d / g->ratio_d);
}

static bool is_near(const struct fargs_pt_guest_tsc *g, uint64_t a, uint64_t b)
{
	return (uint64_t)llabs(rest(g, a, b)) <= tolerance(g);
}

/* May the host have had this TSC in the current bytes? */
static bool is_in_range(const struct fargs_pt_guest_tsc *g, uint64_t tsc)
{
	return tsc >= g->sure && (!g->reference || tsc < g->reference);
}

/* A TSC that is being read. */
struct tsc {
	const uint8_t *at;
	uint64_t value;			/* 56 bits of the packet; those of the host once known */
	struct fargs_pt_vmcs *vmcs;	/* NULL: unknown */
	struct fargs_pt_guest_around around;
	uint64_t guest;			/* @value as it would be if it were a guest's, unscaled */
	uint64_t full;			/* all bits of @value, if it is the host's */
	uint64_t expected;		/* what TMA and MTCs show */
	uint64_t offset, host_offset;	/* of @guest and of @full to @expected */
};

/*
 * Returns what a guest would have read instead of @value, 56 bits, with the same offset, but
 * without scaling, when the host's TSC was next to @near. A guest whose TSC is slower reads the
 * same value for several ticks of the host: this is the first of them.
 */
static uint64_t unscale(const struct fargs_pt_vmcs *vmcs, uint64_t value, uint64_t near)
{
	unsigned __int128 ticks = (unsigned __int128)near * vmcs->ratio >> FARGS_PT_TSC_RATIO_BITS;
	uint64_t full = extend(value, (uint64_t)ticks + vmcs->offset);

	ticks = (unsigned __int128)(full - vmcs->offset) << FARGS_PT_TSC_RATIO_BITS;
	return ((uint64_t)((ticks + vmcs->ratio - 1) / vmcs->ratio) + vmcs->offset) & TSC_MASK;
}

static void set_value(struct fargs_pt_guest_tsc *g, struct tsc *t, uint64_t offset)
{
	uint64_t now = (t->guest - offset) & TSC_MASK;

	report(g, &(struct fargs_pt_guest_tsc_event){
		.kind = FARGS_PT_GUEST_TSC_SET, .at = t->at, .vmcs = t->vmcs, .old = t->value,
		.now = now, .to = t->at + 1, .bytes = TSC_BITS / 8,
	});
	t->value = now;
}

/* The time of a guest, whose offset is known, must fit to that of other packets. */
static void check_time(struct fargs_pt_guest_tsc *g, const struct tsc *t)
{
	uint64_t now = extend(t->value, g->tsc ? g->tsc : g->reference);

	if (g->has_base && !g->is_asleep && !is_near(g, t->offset, t->vmcs->offset))
		report_error(g, FARGS_PT_GUEST_TSC_CHANGED, t->at, t->vmcs, t->vmcs->offset,
			     t->vmcs->offset + (uint64_t)rest(g, t->offset, t->vmcs->offset));
	else if (g->has_base && now + tolerance(g) < last_time(g))
		report_error(g, FARGS_PT_GUEST_TSC_EARLY, t->at, t->vmcs, last_time(g), now);
	else if (g->reference && now >= g->reference)
		report_error(g, FARGS_PT_GUEST_TSC_LATE, t->at, t->vmcs, g->reference, now);
}

/* The host's TSC must not be earlier than that of the guest that precedes it. */
static void check_guest(struct fargs_pt_guest_tsc *g, const struct tsc *t)
{
	const struct fargs_pt_vmcs *vmcs;

	if (!g->is_last_guest || t->full + tolerance(g) >= last_time(g))
		return;
	vmcs = fargs_pt_vmcs_list_get(g->list, g->last_page);
	report_error(g, FARGS_PT_GUEST_TSC_LATE, t->at, vmcs, t->full, last_time(g));
}

/* The first TSC of the trace: nothing shows what the host's is. */
static void take_first(struct fargs_pt_guest_tsc *g, struct tsc *t)
{
	bool is_guest = t->around.has_pip ? t->around.is_guest : !is_in_range(g, t->full);

	g->is_reliable = t->around.has_pip;
	g->nr_guessed += !t->around.has_pip;
	if (!is_guest)
		return;
	if (t->vmcs)
		t->vmcs->nr++;
	if (t->vmcs && t->vmcs->is_known) {
		set_value(g, t, t->vmcs->offset);
		g->is_last_guest = true;
		g->error = t->vmcs->bound;
		check_time(g, t);
		return;
	}
	if (t->vmcs)
		t->vmcs->nr_unknown++;
	report_error(g, FARGS_PT_GUEST_TSC_FIRST, t->at, t->vmcs, 0, t->value);
	g->is_reliable = false;
	g->is_last_unknown = true;
}

/*
 * Without a PIP, the time decides: that of the crystal clock, if it can be only one of the two.
 * perf only does that in a PSB+, where it must be exact.
 */
static bool is_guest_by_time(struct fargs_pt_guest_tsc *g, const struct tsc *t)
{
	bool is_known = t->vmcs && t->vmcs->is_known;
	bool is_host = is_near(g, t->host_offset, 0);

	g->nr_guessed++;
	if (is_known && is_host != is_near(g, t->offset, t->vmcs->offset))
		return !is_host;
	if (g->is_psb && !t->host_offset)
		return false;
	if ((!is_host && t->full < t->expected) || !is_in_range(g, t->full))
		return true;
	g->is_reliable = false;
	return false;
}

static bool is_of_guest(struct fargs_pt_guest_tsc *g, const struct tsc *t)
{
	if (!t->around.has_pip)
		return is_guest_by_time(g, t);
	if (t->around.is_guest)
		return true;
	check_guest(g, t);
	g->sure = t->full;
	g->is_reliable = true;
	return false;
}

/*
 * Derives the offset, if it is not known, or compares it. This needs all MTCs since the last TSC:
 * there are, in a PSB+ with a PIP, if tracing was on and no packets were lost. If tracing was off,
 * they probably are. As the last TSC may be a guest's, its offset must be certain, too.
 */
static void derive(struct fargs_pt_guest_tsc *g, const struct tsc *t)
{
	struct fargs_pt_vmcs *vmcs = t->vmcs;
	bool is_certain = g->is_reliable && g->is_continuous;
	uint64_t error = difference(t->offset, vmcs->offset);
	bool is_same = vmcs->is_known && error <= tolerance(g);

	if (!g->is_psb || !t->around.has_pip || !g->has_tsc || g->is_gap)
		return;
	if (vmcs->is_known && vmcs->is_certain && !is_certain)
		return;
	if (vmcs->is_known && !is_same)
		report_error(g, FARGS_PT_GUEST_TSC_CHANGED, t->at, vmcs, vmcs->offset, t->offset);
	if (is_same && vmcs->is_certain) {
		vmcs->nr_derived++;
		if (error > vmcs->max_error)
			vmcs->max_error = error;
		return;
	}
	if (!vmcs->is_known || error) {
		vmcs->offset = t->offset;
		vmcs->bound = g->error + FARGS_PT_GUEST_TSC_ERROR;
		report_error(g, FARGS_PT_GUEST_TSC_FOUND, t->at, vmcs, 0, t->offset);
	}
	vmcs->is_known = true;
	vmcs->is_certain = is_certain;
	vmcs->nr_derived = is_certain;
	vmcs->max_error = is_same ? error : 0;
}

static void take_guest(struct fargs_pt_guest_tsc *g, struct tsc *t)
{
	struct fargs_pt_vmcs *vmcs = t->vmcs;
	bool is_reliable = t->around.has_pip;

	if (!vmcs) {
		report_error(g, FARGS_PT_GUEST_TSC_NO_VMCS, t->at, NULL, 0, t->offset);
		set_value(g, t, t->offset);
		g->is_last_guest = false;
		g->error += FARGS_PT_GUEST_TSC_ERROR;
		g->is_reliable = false;
		return;
	}
	vmcs->nr++;
	if (vmcs->page)
		derive(g, t);
	if (vmcs->is_known) {
		is_reliable &= vmcs->is_certain;
		set_value(g, t, vmcs->offset);
		check_time(g, t);
		g->is_last_guest = true;
		g->error = vmcs->bound;
	} else {
		is_reliable = false;
		vmcs->nr_unknown++;
		report_error(g, FARGS_PT_GUEST_TSC_UNKNOWN, t->at, vmcs, 0, t->offset);
		set_value(g, t, t->offset);
		g->is_last_guest = false;
		g->error += FARGS_PT_GUEST_TSC_ERROR;
	}
	g->is_reliable = is_reliable;
}

/* Finds the VMCS of a TSC. Returns 0 or -ENOMEM. */
static int find_vmcs(struct fargs_pt_guest_tsc *g, struct tsc *t)
{
	uint64_t page = t->around.has_vmcs ? t->around.page : g->page;

	if (page == NO_VMCS)
		page = 0;
	if (!page && !g->list->has_default)
		return 0;
	t->vmcs = fargs_pt_vmcs_list_get(g->list, page);
	return t->vmcs ? 0 : -ENOMEM;
}

/* Decides whose TSC it is, and sets @t->value to the host's, as far as it is known. */
static void judge_tsc(struct fargs_pt_guest_tsc *g, struct tsc *t)
{
	g->is_last_unknown = false;
	if (!t->around.has_tma) {
		report_error(g, FARGS_PT_GUEST_TSC_NO_TMA, t->at, NULL, 0, t->value);
		g->is_gap = true;
		return;
	}
	if (find_vmcs(g, t)) {
		g->result = -ENOMEM;
		return;
	}
	t->full = extend(t->value, g->tsc ? g->tsc : g->reference);
	t->expected = g->has_base ? host_tsc(g, t->around.ctc, t->around.fast) :
		      g->tsc ? g->tsc : g->reference;
	t->guest = t->vmcs && t->vmcs->ratio ? unscale(t->vmcs, t->value, t->expected) : t->value;
	if (!g->has_base) {
		take_first(g, t);
	} else {
		t->host_offset = extend(t->full - t->expected, 0);
		t->offset = extend(t->guest - t->expected, 0);
		if (is_of_guest(g, t)) {
			take_guest(g, t);
		} else {
			g->is_last_guest = false;
			g->error = 0;
			return;
		}
	}
	if (t->vmcs)
		g->last_page = t->vmcs->page;
}

static void take_tsc(struct fargs_pt_guest_tsc *g, const struct fargs_pt_reader *r,
		     const struct fargs_pt_packet *p)
{
	struct tsc t = { .at = r->at - p->size, .value = p->value };

	if (g->is_psb) {
		t.around = g->psb;
	} else {
		fargs_pt_guest_around_tsc(*r, &t.around);
		t.around.has_pip = g->is_on;
		t.around.is_guest = g->is_guest;
	}
	judge_tsc(g, &t);
	if (!g->is_last_unknown)
		g->tsc = extend(t.value, g->tsc ? g->tsc : g->reference);
	g->has_tma = false;
	g->is_gap &= !t.around.has_tma;
	g->is_asleep &= !t.around.has_tma;
	g->has_tsc = true;
	g->is_continuous = g->is_on;
}

static void take_tma(struct fargs_pt_guest_tsc *g, uint16_t ctc, uint16_t fast)
{
	uint16_t rest = ctc & ((1u << g->mtc_freq) - 1);

	if (g->is_last_unknown || !g->tsc)
		return;
	g->mtc = (uint8_t)(ctc >> g->mtc_freq);
	g->base_ctc = ctc - rest;
	g->base = g->tsc - fast - to_tsc(g, rest);
	g->ticks = 0;
	g->has_base = true;
	g->has_tma = true;
	g->is_mtc_short = true;
}

static void take_mtc(struct fargs_pt_guest_tsc *g, uint8_t mtc)
{
	/* TMA has 16 bits of the clock: those above bit 15 are unknown after it. */
	unsigned int known = g->is_mtc_short && g->mtc_freq > 8 ? CTC_BITS - g->mtc_freq : 8;
	unsigned int nr = (mtc - g->mtc) & ((1u << known) - 1);

	if (!g->has_tma)
		return;
	g->is_mtc_short = false;
	g->mtc = mtc;
	g->ticks += (uint64_t)nr << g->mtc_freq;
}

static void take_overflow(struct fargs_pt_guest_tsc *g, const struct fargs_pt_reader *r)
{
	g->is_psb = false;
	g->is_gap = true;
	g->is_on = fargs_pt_guest_around_overflow(*r);
	g->is_continuous &= g->is_on;
}

static void stop(struct fargs_pt_guest_tsc *g)
{
	g->is_on = false;
	g->is_continuous = false;
}

/* The TSC of a PEBS record is that of the guest, too. */
static void take_item(struct fargs_pt_guest_tsc *g, const uint8_t *at,
		      const struct fargs_pt_packet *p)
{
	struct tsc t = { .at = at, .value = p->value & TSC_MASK };
	uint64_t now;

	if (g->group != PEBS_BASIC || p->nr != PEBS_TSC || p->size != 1 + PEBS_TSC_BYTES)
		return;
	if (find_vmcs(g, &t)) {
		g->result = -ENOMEM;
		return;
	}
	if (g->is_on ? !g->is_guest : is_in_range(g, p->value))
		return;
	if (!t.vmcs || !t.vmcs->is_known) {
		report_error(g, t.vmcs ? FARGS_PT_GUEST_TSC_FIRST : FARGS_PT_GUEST_TSC_NO_VMCS, at,
			     t.vmcs, 0, p->value);
		return;
	}
	now = g->tsc ? g->tsc : g->reference;
	if (t.vmcs->ratio)
		t.value = unscale(t.vmcs, t.value, now);
	now = extend((t.value - t.vmcs->offset) & TSC_MASK, now);
	report(g, &(struct fargs_pt_guest_tsc_event){
		.kind = FARGS_PT_GUEST_TSC_SET, .at = at, .vmcs = t.vmcs, .old = p->value,
		.now = now, .to = at + 1, .bytes = PEBS_TSC_BYTES,
	});
}

static void take(struct fargs_pt_guest_tsc *g, struct fargs_pt_reader *r,
		 const struct fargs_pt_packet *p)
{
	switch (p->kind) {
	case FARGS_PT_PACKET_PSB:
		g->is_synced = true;
		fargs_pt_guest_around_psb(*r, &g->psb);
		g->is_psb = g->psb.is_complete;
		if (g->psb.has_tsc && !g->psb.is_complete)
			report_error(g, FARGS_PT_GUEST_TSC_BAD, r->at - p->size, NULL, 0, 0);
		break;
	case FARGS_PT_PACKET_PSBEND:
		g->is_psb = false;
		break;
	case FARGS_PT_PACKET_TNT:
	case FARGS_PT_PACKET_TIP:
	case FARGS_PT_PACKET_PGE:
		g->is_on = true;
		break;
	case FARGS_PT_PACKET_FUP:
		g->is_on |= g->is_psb;
		break;
	case FARGS_PT_PACKET_STOP:
		g->has_tma = false;
		stop(g);
		break;
	case FARGS_PT_PACKET_PGD:
		stop(g);
		break;
	case FARGS_PT_PACKET_OVF:
		take_overflow(g, r);
		break;
	case FARGS_PT_PACKET_EXSTOP:
		/* The CPU sleeps, and may stop the crystal clock. */
		g->is_gap = true;
		g->is_asleep = true;
		break;
	case FARGS_PT_PACKET_PIP:
		g->is_guest = p->flags;
		break;
	case FARGS_PT_PACKET_VMCS:
		if (p->value >> 12 != NO_VMCS)
			g->page = p->value >> 12;
		break;
	case FARGS_PT_PACKET_TSC:
		take_tsc(g, r, p);
		break;
	case FARGS_PT_PACKET_TMA:
		take_tma(g, (uint16_t)p->value, p->nr);
		break;
	case FARGS_PT_PACKET_MTC:
		take_mtc(g, (uint8_t)p->value);
		break;
	case FARGS_PT_PACKET_BBP:
		g->group = (uint8_t)p->value;
		break;
	case FARGS_PT_PACKET_BIP:
		take_item(g, r->at - p->size, p);
		break;
	case FARGS_PT_PACKET_BEP:
		g->group = 0;
		break;
	}
}

/* Moves @r to the next PSB. @last: that with which reading began. */
static bool sync(struct fargs_pt_guest_tsc *g, struct fargs_pt_reader *r, const uint8_t *begin,
		 const uint8_t **last)
{
	bool is_bad = g->is_synced;

	fargs_pt_guest_tsc_restart(g);
	if (is_bad) {
		report_error(g, FARGS_PT_GUEST_TSC_BAD, r->at, NULL, 0, 0);
		if (!fargs_pt_psb_sync(r, begin, *last))
			return false;
	} else {
		r->at = begin + fargs_pt_psb_find(begin, r->end - begin, r->at - begin);
	}
	*last = r->at;
	return r->at < r->end;
}

int fargs_pt_guest_tsc_read(struct fargs_pt_guest_tsc *g, const uint8_t *bytes, size_t n,
			    uint64_t reference)
{
	struct fargs_pt_reader r = {
		.at = bytes, .end = bytes + n, .bip_bytes = g->bip_bytes, .errata = g->errata,
	};
	const uint8_t *last = bytes, *at;
	struct fargs_pt_packet p;

	/* A time before the trace is not when it was copied. */
	g->reference = reference > g->sure ? reference : 0;
	if (!g->is_synced && !sync(g, &r, bytes, &last))
		return g->result;
	while (!g->result && r.at < r.end) {
		at = r.at;
		fargs_pt_packet_read(&r, &p);
		if (p.kind == FARGS_PT_PACKET_BAD || p.kind == FARGS_PT_PACKET_CUT) {
			if (!sync(g, &r, bytes, &last))
				break;
			continue;
		}
		if (g->wants_packets)
			report(g, &(struct fargs_pt_guest_tsc_event){
				.kind = FARGS_PT_GUEST_TSC_PACKET, .packet = &p, .at = at,
			});
		take(g, &r, &p);
	}
	g->bip_bytes = r.bip_bytes;
	return g->result;
}
