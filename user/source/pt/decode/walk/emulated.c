// SPDX-License-Identifier: GPL-2.0-only
/*
 * PTWRITE as perf emulates it for CPUs without this instruction: a function jumps over a mark, and
 * then takes or does not take 64 conditional branches, one for each bit of the value, highest bit
 * first. Where they go does not matter. See "Emulated PTWRITE" in perf-intel-pt(1).
 */
#include "source/pt/decode/walk/state.h"

#define VALUE_BITS	64u

struct value {
	uint64_t bits;
	unsigned int nr;		/* number of @bits */
};

/* Adds the oldest of the @nr branches @bits, as many as are missing. */
static void add_bits(struct value *v, uint64_t bits, unsigned int nr)
{
	unsigned int used = nr < VALUE_BITS - v->nr ? nr : VALUE_BITS - v->nr;

	if (!used)
		return;
	v->bits = v->bits << used | (bits >> (nr - used) & (UINT64_MAX >> (64 - used)));
	v->nr += used;
}

/*
 * Adds the branches that packets after the lead report, up to a packet that shows another branch:
 * then the value was not written to its end without interruption.
 */
static void add_packets(struct value *v, const struct fargs_pt_walker *w)
{
	struct fargs_pt_reader r = w->leads.reader;
	struct fargs_pt_packet p;

	/* The value may end in the next segment. */
	r.end = w->ahead;
	while (v->nr < VALUE_BITS) {
		fargs_pt_packet_read(&r, &p);
		switch (p.kind) {
		case FARGS_PT_PACKET_TNT:
			add_bits(v, p.value, p.nr);
			break;
		case FARGS_PT_PACKET_TIP:
		case FARGS_PT_PACKET_PGE:
		case FARGS_PT_PACKET_PGD:
		case FARGS_PT_PACKET_OVF:
		case FARGS_PT_PACKET_STOP:
		case FARGS_PT_PACKET_BAD:
		case FARGS_PT_PACKET_CUT:
			return;
		}
	}
}

void fargs_pt_walk_emulate(struct fargs_pt_walker *w, uint64_t ip)
{
	struct value v = { };

	add_bits(&v, w->bits, w->nr_bits);
	switch (w->lead.kind) {
	case FARGS_PT_LEAD_TNT:
		add_bits(&v, w->lead.bits, w->lead.nr_bits);
		break;
	case FARGS_PT_LEAD_NONE:
	case FARGS_PT_LEAD_PSB:
	case FARGS_PT_LEAD_NOTED:
		break;
	default:
		/* An interrupt, for instance. */
		return;
	}
	add_packets(&v, w);
	if (v.nr == VALUE_BITS)
		fargs_pt_walk_add(w, FARGS_PT_PTWRITE, ip, v.bits);
}
