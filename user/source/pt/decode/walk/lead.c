// SPDX-License-Identifier: GPL-2.0-only
#include "source/pt/decode/walk/lead.h"

#include "base/row.h"
#include "source/pt/decode/walk/notes.h"
#include "source/pt/input/input.h"
#include "source/pt/packet/errata.h"

/* What the next FUP belongs to. */
enum owner {
	OWNER_NONE,		/* itself: an asynchronous event, whose TIP or PGD follows */
	OWNER_PTW,
	OWNER_CFE,		/* also an asynchronous event, if a TIP or PGD follows */
	OWNER_ABORT,		/* MODE.TSX: likewise */
	OWNER_NOTED,		/* packets that were noted */
	OWNER_OTHER,		/* a packet whose address does not affect the flow */
};

/* So that ten times 1 << shift is a number of 64 bits. */
#define RATIO_SHIFT_MAX	60

/* Without it in the recording, the ratio follows from the TSC's rate, as the bus has 100 MHz. */
unsigned int fargs_pt_leads_ratio(const struct fargs_pt_config *config)
{
	if (!config->has_mtc || config->has_cyc)
		return 0;
	/* The shift of a damaged file may be any number. */
	if (config->nom_freq || !config->time_mult || config->time_shift > RATIO_SHIFT_MAX)
		return config->nom_freq;
	return (10 * (1ull << config->time_shift) + config->time_mult / 2) / config->time_mult;
}

void fargs_pt_leads_init(struct fargs_pt_leads *l, const struct fargs_pt_config *config,
			 const uint8_t *bytes, uint64_t size, uint64_t count_until, uint8_t wants)
{
	*l = (struct fargs_pt_leads){
		.wants = wants,
		.reader = { .at = bytes, .end = bytes + size },
		.begin = bytes,
		.count_until = count_until,
		.errata = fargs_pt_errata(config),
		.has_mtc = config->has_mtc,
		.is_thresholded = config->has_cyc_thresh,
		.has_iflag = config->has_event_trace,
		.tsc_ratio = fargs_pt_leads_ratio(config),
		.group_at = UINT64_MAX,
	};
	l->reader.errata = l->errata;
	fargs_pt_clock_init(&l->clock, config, l->errata);
}

void fargs_pt_leads_sync(struct fargs_pt_leads *l, uint64_t offset)
{
	l->reader.at = l->begin + offset;
	l->reader.bip_bytes = 0;
	l->group_at = UINT64_MAX;
	l->has_cyc = false;
	l->is_counting = false;
	fargs_pt_clock_lose(&l->clock);
}

void fargs_pt_leads_doubt(struct fargs_pt_leads *l, struct fargs_pt_lead *lead)
{
	fargs_pt_clock_lose(&l->clock);
	lead->vague = l->has_mtc ? FARGS_PT_VAGUE : 0;
}

static uint64_t offset_of(const struct fargs_pt_leads *l)
{
	return l->reader.at - l->begin;
}

static void count_cycles(struct fargs_pt_leads *l, uint64_t nr, bool is_in_psb)
{
	l->has_cyc = true;
	if (offset_of(l) > l->count_until)
		return;
	if (is_in_psb)
		l->nr_in_psb += nr;
	else if (l->is_counting)
		l->nr_cycles += nr;
}

/* Without CYCs, cycles are counted from here on, by the times that MTCs report. */
static void count_from_here(struct fargs_pt_leads *l)
{
	l->from_tsc = l->clock.tsc;
	l->from_cycles = l->nr_cycles;
}

/* As in perf, estimates cycles by the time of an MTC and the ratio of the last CBR. */
static void estimate_cycles(struct fargs_pt_leads *l)
{
	uint64_t nr;

	if (!fargs_row(C4))
		return;
	l->has_cyc = true;
	if (!l->from_tsc)
		count_from_here(l);
	if (!l->is_counting || l->clock.tsc <= l->from_tsc || offset_of(l) > l->count_until)
		return;
	nr = l->from_cycles + (l->clock.tsc - l->from_tsc) * l->clock.cbr / l->tsc_ratio;
	if (nr > l->nr_cycles)
		l->nr_cycles = nr;
}

/* Returns whether a CYC before a packet of @kind applies to this packet, and not to the flow. */
static bool has_own_cyc(enum fargs_pt_packet_kind kind)
{
	switch (kind) {
	case FARGS_PT_PACKET_CBR:
	case FARGS_PT_PACKET_PTW:
	case FARGS_PT_PACKET_EXSTOP:
	case FARGS_PT_PACKET_MWAIT:
	case FARGS_PT_PACKET_PWRE:
	case FARGS_PT_PACKET_PWRX:
		return true;
	default:
		return false;
	}
}

/* An interrupt has a FUP and a TIP; a CYC before the FUP applies to both. */
static inline void note_kind(struct fargs_pt_leads *l, enum fargs_pt_packet_kind kind)
{
	if (l->is_thresholded && kind != FARGS_PT_PACKET_CYC &&
	    l->before != FARGS_PT_PACKET_CYC && l->before != FARGS_PT_PACKET_FUP)
		l->has_cyc = false;
	l->before = kind;
}

/* Takes the MTCs that are next: a slow CPU, such as an emulated one, has more than branches. */
static inline void take_mtcs(struct fargs_pt_leads *l)
{
	uint8_t mtc;

	while (fargs_pt_packet_read_mtc(&l->reader, &mtc)) {
		fargs_pt_clock_take_mtc(&l->clock, mtc);
		if (l->tsc_ratio)
			estimate_cycles(l);
		note_kind(l, FARGS_PT_PACKET_MTC);
	}
}

/* Notes where a PEBS record begins. A packet that cannot be in one ends it; see packet.h. */
static inline void note_group(struct fargs_pt_leads *l, const struct fargs_pt_packet *p)
{
	if (p->kind == FARGS_PT_PACKET_BBP && l->group_at == UINT64_MAX)
		l->group_at = offset_of(l) - p->size;
	else if (!l->reader.bip_bytes && p->kind != FARGS_PT_PACKET_BEP)
		l->group_at = UINT64_MAX;
}

/* Reads a packet other than PAD, and takes it if it reports times or cycles. */
static void read_packet(struct fargs_pt_leads *l, struct fargs_pt_packet *p, bool is_in_psb)
{
	do
		fargs_pt_packet_read(&l->reader, p);
	while (p->kind == FARGS_PT_PACKET_PAD);
	if (p->kind != FARGS_PT_PACKET_TNT) {
		fargs_pt_clock_take(&l->clock, p);
		if (p->kind == FARGS_PT_PACKET_CYC)
			count_cycles(l, p->value, is_in_psb);
		else if (p->kind == FARGS_PT_PACKET_CBR && l->tsc_ratio)
			count_from_here(l);
		else if (p->kind == FARGS_PT_PACKET_MTC && l->tsc_ratio)
			estimate_cycles(l);
		else if (has_own_cyc(p->kind))
			l->has_cyc = false;
		note_group(l, p);
	}
	note_kind(l, p->kind);
}

static enum fargs_pt_exec_mode mode_of(const struct fargs_pt_packet *p)
{
	if (p->flags & FARGS_PT_EXEC_CS_L)
		return FARGS_PT_EXEC_64;
	return p->flags & FARGS_PT_EXEC_CS_D ? FARGS_PT_EXEC_32 : FARGS_PT_EXEC_16;
}

static void set_mode(struct fargs_pt_lead *lead, const struct fargs_pt_packet *p)
{
	lead->mode = mode_of(p);
	lead->is_if_off = !(p->flags & FARGS_PT_EXEC_IF);
	lead->changes |= FARGS_PT_CHANGES_MODE;
}

/* Takes a PIP. */
static void set_guest(struct fargs_pt_lead *lead, const struct fargs_pt_packet *p)
{
	lead->is_guest = p->flags & 1;
	lead->changes |= FARGS_PT_CHANGES_GUEST;
}

/* Sets the lead's kind and time. @p: its last packet. */
static void finish(struct fargs_pt_leads *l, struct fargs_pt_lead *lead,
		   enum fargs_pt_lead_kind kind, const struct fargs_pt_packet *p)
{
	lead->kind = kind;
	lead->tsc = l->clock.tsc;
	lead->vague = l->has_mtc && fargs_pt_clock_is_vague(&l->clock) ? FARGS_PT_VAGUE : 0;
	if (lead->offset == UINT64_MAX)
		lead->offset = offset_of(l) - p->size;
	lead->nr_cycles = l->nr_cycles;
	lead->has_cyc = l->has_cyc;
	l->has_cyc = false;
}

static void read_bad(struct fargs_pt_leads *l, struct fargs_pt_lead *lead,
		     const struct fargs_pt_packet *p)
{
	lead->offset = offset_of(l);
	finish(l, lead, p->kind == FARGS_PT_PACKET_CUT ? FARGS_PT_LEAD_END : FARGS_PT_LEAD_BAD, p);
}

/* Whether tracing is on, as far as packets that follow show it. */
enum shows {
	SHOWS_NOTHING,
	SHOWS_PGE,		/* a PGE: tracing is off until it */
	SHOWS_OFF,
};

/* Looks at the packets that follow, for errata. */
static enum shows look_ahead(const struct fargs_pt_leads *l)
{
	struct fargs_pt_reader r = l->reader;
	struct fargs_pt_packet p;
	bool is_in_psb = false;

	for (;;) {
		fargs_pt_packet_read(&r, &p);
		switch (p.kind) {
		case FARGS_PT_PACKET_PGE:
			return SHOWS_PGE;
		case FARGS_PT_PACKET_STOP:
			return SHOWS_OFF;
		case FARGS_PT_PACKET_PSB:
			is_in_psb = true;
			break;
		case FARGS_PT_PACKET_PSBEND:
			/* There was no FUP. */
			return is_in_psb ? SHOWS_OFF : SHOWS_NOTHING;
		case FARGS_PT_PACKET_PAD:
		case FARGS_PT_PACKET_TSC:
		case FARGS_PT_PACKET_CBR:
		case FARGS_PT_PACKET_TMA:
		case FARGS_PT_PACKET_MTC:
		case FARGS_PT_PACKET_CYC:
		case FARGS_PT_PACKET_PIP:
		case FARGS_PT_PACKET_VMCS:
		case FARGS_PT_PACKET_EXEC:
		case FARGS_PT_PACKET_TSX:
		case FARGS_PT_PACKET_MNT:
			break;
		default:
			return SHOWS_NOTHING;
		}
	}
}

/*
 * Reads on after an OVF, up to a FUP, which has the address where the trace continues. Stops before
 * any other packet that affects the flow.
 */
static void read_ovf(struct fargs_pt_leads *l, struct fargs_pt_lead *lead,
		     const struct fargs_pt_packet *ovf)
{
	const uint8_t *at;
	struct fargs_pt_packet p;

	lead->offset = offset_of(l) - ovf->size;
	l->is_counting = false;
	for (;;) {
		at = l->reader.at;
		read_packet(l, &p, false);
		switch (p.kind) {
		case FARGS_PT_PACKET_EXEC:
			set_mode(lead, &p);
			continue;
		case FARGS_PT_PACKET_FUP:
			lead->has_to = fargs_pt_packet_ip(&p, &l->last_ip) &&
				       !(l->errata & FARGS_PT_APL12 && look_ahead(l));
			lead->to = l->last_ip;
			l->is_counting = lead->has_to;
			break;
		case FARGS_PT_PACKET_TSC:
		case FARGS_PT_PACKET_TMA:
		case FARGS_PT_PACKET_MTC:
		case FARGS_PT_PACKET_CBR:
		case FARGS_PT_PACKET_CYC:
		case FARGS_PT_PACKET_VMCS:
		case FARGS_PT_PACKET_MNT:
			continue;
		case FARGS_PT_PACKET_PIP:
			set_guest(lead, &p);
			continue;
		case FARGS_PT_PACKET_TSX:
			fargs_pt_note_tsx_status(l, &p);
			continue;
		default:
			l->reader.at = at;
			lead->changes = 0;
			break;
		}
		break;
	}
	finish(l, lead, FARGS_PT_LEAD_OVF, ovf);
}

/* A CYC still applies to the branch that follows. */
static void finish_noted(struct fargs_pt_leads *l, struct fargs_pt_lead *lead,
			 const struct fargs_pt_packet *p)
{
	bool has_cyc = l->has_cyc;

	finish(l, lead, FARGS_PT_LEAD_NOTED, p);
	l->has_cyc = has_cyc;
}

static void end_psb(struct fargs_pt_leads *l, struct fargs_pt_lead *lead,
		    const struct fargs_pt_packet *p)
{
	if (l->errata & FARGS_PT_BDM70 && lead->has_at && look_ahead(l) == SHOWS_PGE)
		lead->has_at = false;
	l->is_counting |= lead->has_at;
	if (l->is_counting)
		l->nr_cycles += l->nr_in_psb;
	/* The last CYC applied to the PSB+, and not to the next branch. */
	l->has_cyc = false;
	finish(l, lead, FARGS_PT_LEAD_PSB, p);
}

/*
 * Reads a packet that cannot be in a PSB+ as BAD. Its PSBEND is missing or damaged: without it, the
 * packets up to the next PSBEND would be taken as its own.
 */
static void read_stray(struct fargs_pt_leads *l, struct fargs_pt_lead *lead,
		       const struct fargs_pt_packet *p)
{
	static const struct fargs_pt_packet bad = { .kind = FARGS_PT_PACKET_BAD };

	l->reader.at -= p->size;
	read_bad(l, lead, &bad);
}

static void read_psb(struct fargs_pt_leads *l, struct fargs_pt_lead *lead,
		     const struct fargs_pt_packet *psb)
{
	struct fargs_pt_packet p;

	lead->offset = offset_of(l) - psb->size;
	lead->has_at = false;
	lead->changes = 0;
	l->last_ip = 0;
	if (l->wants & FARGS_PT_WANTS_POWER)
		fargs_pt_note(l, psb, FARGS_PT_PSB, 0);
	l->nr_in_psb = 0;
	for (;;) {
		read_packet(l, &p, true);
		switch (p.kind) {
		case FARGS_PT_PACKET_BAD:
		case FARGS_PT_PACKET_CUT:
			return read_bad(l, lead, &p);
		case FARGS_PT_PACKET_OVF:
			return read_ovf(l, lead, &p);
		case FARGS_PT_PACKET_EXEC:
			set_mode(lead, &p);
			break;
		case FARGS_PT_PACKET_FUP:
			lead->has_at = fargs_pt_packet_ip(&p, &l->last_ip);
			lead->at = l->last_ip;
			break;
		case FARGS_PT_PACKET_PIP:
			set_guest(lead, &p);
			break;
		case FARGS_PT_PACKET_TSX:
			fargs_pt_note_tsx_status(l, &p);
			break;
		case FARGS_PT_PACKET_CBR:
			if (l->wants & FARGS_PT_WANTS_POWER)
				fargs_pt_note(l, &p, FARGS_PT_CBR, p.value);
			break;
		case FARGS_PT_PACKET_PSBEND:
			return end_psb(l, lead, &p);
		case FARGS_PT_PACKET_PSB:
		case FARGS_PT_PACKET_TNT:
		case FARGS_PT_PACKET_TIP:
		case FARGS_PT_PACKET_PGE:
		case FARGS_PT_PACKET_PGD:
			return read_stray(l, lead, &p);
		default:
			break;
		}
	}
}

/* Forgets a FUP without TIP or PGD. */
static void drop_fup(struct fargs_pt_lead *lead)
{
	lead->has_at = false;
	lead->is_abort = false;
	lead->offset = UINT64_MAX;
}

static void read_tip(struct fargs_pt_leads *l, struct fargs_pt_lead *lead,
		     const struct fargs_pt_packet *p)
{
	lead->has_to = fargs_pt_packet_ip(p, &l->last_ip);
	lead->to = lead->has_to ? l->last_ip : 0;
	switch (p->kind) {
	case FARGS_PT_PACKET_PGE:
		l->is_counting = true;
		count_from_here(l);
		drop_fup(lead);
		return finish(l, lead, FARGS_PT_LEAD_PGE, p);
	case FARGS_PT_PACKET_PGD:
		l->is_counting = false;
		return finish(l, lead, lead->has_at ? FARGS_PT_LEAD_ASYNC_OFF :
						      FARGS_PT_LEAD_PGD, p);
	default:
		return finish(l, lead, lead->has_at ? FARGS_PT_LEAD_ASYNC : FARGS_PT_LEAD_TIP, p);
	}
}

/* Takes a FUP that belongs to @owner. Returns whether the lead is complete. */
static bool read_fup(struct fargs_pt_leads *l, struct fargs_pt_lead *lead,
		     const struct fargs_pt_packet *p, enum owner owner)
{
	bool has_ip = fargs_pt_packet_ip(p, &l->last_ip);

	if (owner == OWNER_OTHER)
		return false;
	lead->at = has_ip ? l->last_ip : 0;
	lead->has_at = has_ip;
	lead->is_abort = owner == OWNER_ABORT;
	if (owner == OWNER_PTW) {
		finish(l, lead, FARGS_PT_LEAD_PTW, p);
		return true;
	}
	if (owner == OWNER_NOTED ||
	    (owner == OWNER_CFE && l->wants & FARGS_PT_WANTS_EVENTS && !fargs_pt_is_async(l))) {
		finish_noted(l, lead, p);
		return true;
	}
	lead->offset = offset_of(l) - p->size;
	return false;
}

/* Types of CFE packets: the event is the branch of the instruction at the address in the FUP. */
static bool is_own_branch(unsigned int cfe_type)
{
	enum { IRET = 2, RSM = 4, VMENTRY = 7, UIRET = 13 };

	return cfe_type == IRET || cfe_type == RSM || cfe_type == VMENTRY || cfe_type == UIRET;
}

/* Returns what the FUP of the event @cfe belongs to. */
static enum owner owner_of_cfe(const struct fargs_pt_leads *l, const struct fargs_pt_packet *cfe)
{
	if (!is_own_branch(cfe->nr))
		return OWNER_CFE;
	return l->wants & FARGS_PT_WANTS_EVENTS ? OWNER_NOTED : OWNER_OTHER;
}

/*
 * Returns whether a packet of @kind shows that a FUP before it is not that of an asynchronous
 * event. While tracing is off, it is then that of an OVF, from which a PSB+ has separated it.
 */
static bool ends_fup(enum fargs_pt_packet_kind kind)
{
	switch (kind) {
	case FARGS_PT_PACKET_TNT:
	case FARGS_PT_PACKET_FUP:
	case FARGS_PT_PACKET_PSB:
	case FARGS_PT_PACKET_PTW:
	case FARGS_PT_PACKET_OVF:
	case FARGS_PT_PACKET_CUT:
		return true;
	default:
		return false;
	}
}

void fargs_pt_leads_read(struct fargs_pt_leads *l, struct fargs_pt_lead *lead)
{
	enum owner owner = OWNER_NONE;
	struct fargs_pt_packet p;
	bool is_overflow = false, is_noted;

	*lead = (struct fargs_pt_lead){ .offset = UINT64_MAX };
	for (;;) {
		take_mtcs(l);
		read_packet(l, &p, false);
		if (is_overflow && ends_fup(p.kind)) {
			l->reader.at -= p.size;
			l->is_counting = true;
			return finish(l, lead, FARGS_PT_LEAD_FUP, &p);
		}
		switch (p.kind) {
		case FARGS_PT_PACKET_TNT:
			l->group_at = UINT64_MAX;
			if (!p.nr)
				continue;
			drop_fup(lead);
			lead->bits = p.value;
			lead->nr_bits = p.nr;
			return finish(l, lead, FARGS_PT_LEAD_TNT, &p);
		case FARGS_PT_PACKET_TIP:
		case FARGS_PT_PACKET_PGE:
		case FARGS_PT_PACKET_PGD:
			return read_tip(l, lead, &p);
		case FARGS_PT_PACKET_FUP:
			is_overflow = owner == OWNER_NONE && !l->is_counting;
			if (read_fup(l, lead, &p, owner))
				return;
			is_overflow &= lead->has_at;
			owner = OWNER_NONE;
			continue;
		case FARGS_PT_PACKET_EXEC:
			set_mode(lead, &p);
			/* If the mode changes in an asynchronous event, the FUP comes first. */
			if (!lead->has_at)
				owner = l->has_iflag ? OWNER_NOTED : OWNER_OTHER;
			continue;
		case FARGS_PT_PACKET_PIP:
			lead->nr_pips += lead->nr_pips < UINT8_MAX;
			set_guest(lead, &p);
			continue;
		case FARGS_PT_PACKET_TSX:
			if (!l->is_counting) {
				fargs_pt_note_tsx_status(l, &p);
				return finish_noted(l, lead, &p);
			}
			fargs_pt_note(l, &p, FARGS_PT_TSX, p.flags);
			owner = p.flags & FARGS_PT_TSX_ABORT ? OWNER_ABORT : OWNER_NOTED;
			continue;
		case FARGS_PT_PACKET_PTW:
			lead->value = p.value;
			owner = OWNER_PTW;
			if (p.flags)
				continue;
			return finish(l, lead, FARGS_PT_LEAD_PTW, &p);
		case FARGS_PT_PACKET_CFE:
			if (fargs_pt_note_event(l, &p))
				return finish_noted(l, lead, &p);
			if (p.flags)
				owner = owner_of_cfe(l, &p);
			continue;
		case FARGS_PT_PACKET_EVD:
			fargs_pt_note_event(l, &p);
			continue;
		case FARGS_PT_PACKET_MWAIT:
		case FARGS_PT_PACKET_CBR:
		case FARGS_PT_PACKET_PWRE:
		case FARGS_PT_PACKET_PWRX:
		case FARGS_PT_PACKET_EXSTOP:
			if (fargs_pt_note_power(l, &p, lead->has_at || owner != OWNER_NONE))
				return finish_noted(l, lead, &p);
			if (p.kind == FARGS_PT_PACKET_EXSTOP && p.flags)
				owner = l->wants & FARGS_PT_WANTS_POWER ? OWNER_NOTED :
									   OWNER_OTHER;
			continue;
		case FARGS_PT_PACKET_BEP:
			is_noted = l->group_at != UINT64_MAX && l->wants & FARGS_PT_WANTS_PEBS;
			if (fargs_pt_note_pebs(l, &p, lead->has_at || owner != OWNER_NONE))
				return finish_noted(l, lead, &p);
			if (p.flags)
				owner = is_noted ? OWNER_NOTED : OWNER_OTHER;
			continue;
		case FARGS_PT_PACKET_TRIG:
			if (p.flags & FARGS_PT_TRIG_IP)
				owner = OWNER_OTHER;
			continue;
		case FARGS_PT_PACKET_PSB:
			return read_psb(l, lead, &p);
		case FARGS_PT_PACKET_OVF:
			drop_fup(lead);
			return read_ovf(l, lead, &p);
		case FARGS_PT_PACKET_BAD:
		case FARGS_PT_PACKET_CUT:
			return read_bad(l, lead, &p);
		default:
			continue;
		}
	}
}
