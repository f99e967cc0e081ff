// SPDX-License-Identifier: GPL-2.0-only
#include "source/pt/decode/libipt/cycles.h"

#include <intel-pt.h>
#include <stdlib.h>

struct fargs_pt_cycles {
	struct pt_packet_decoder *packets;
	uint64_t until;
	bool is_thresholded;
	uint64_t counted;	/* CYC packets before this offset were counted */
	uint64_t nr;
	bool is_on;		/* the CPU is being traced; cycles are counted only while it is */
	bool is_lost;		/* a packet did not match the flow; stop counting */
	bool has_cyc;		/* a CYC applies to the next packet that reports a branch */
	enum pt_packet_type before;
	unsigned int nr_bits;	/* number of bits of the current TNT that are not used yet */
	/* A FUP within a PSB+ or after an OVF shows that the CPU is being traced. */
	bool is_in_psb, is_after_ovf;
	bool has_fup;
	uint64_t nr_in_psb;
};

struct fargs_pt_cycles *fargs_pt_cycles_create(const struct pt_config *config, uint64_t until,
					       bool is_thresholded)
{
	struct fargs_pt_cycles *c = calloc(1, sizeof(*c));

	if (!c)
		return NULL;
	c->until = until;
	c->is_thresholded = is_thresholded;
	c->packets = pt_pkt_alloc_decoder(config);
	if (!c->packets) {
		fargs_pt_cycles_destroy(c);
		return NULL;
	}
	c->is_lost = pt_pkt_sync_set(c->packets, 0) < 0;
	return c;
}

void fargs_pt_cycles_destroy(struct fargs_pt_cycles *c)
{
	if (!c)
		return;
	pt_pkt_free_decoder(c->packets);
	free(c);
}

static void count_cycles(struct fargs_pt_cycles *c, uint64_t nr, uint64_t offset)
{
	c->has_cyc = true;
	if (offset < c->counted || offset >= c->until)
		return;
	if (c->is_in_psb)
		c->nr_in_psb += nr;
	else if (c->is_on)
		c->nr += nr;
}

/* Handles the end of a PSB+. The last CYC applied to the PSB+, and not to the next branch. */
static void end_psb(struct fargs_pt_cycles *c)
{
	c->is_in_psb = false;
	c->is_on |= c->has_fup;
	if (c->is_on)
		c->nr += c->nr_in_psb;
	c->has_cyc = false;
}

/* Updates the state from packet @p. Returns whether the packet reports a branch or event. */
static bool use_packet(struct fargs_pt_cycles *c, const struct pt_packet *p, uint64_t offset)
{
	switch (p->type) {
	case ppt_cyc:
		count_cycles(c, p->payload.cyc.value, offset);
		return false;
	case ppt_psb:
		c->is_in_psb = true;
		c->has_fup = false;
		c->nr_in_psb = 0;
		return false;
	case ppt_psbend:
		end_psb(c);
		return false;
	case ppt_fup:
		c->has_fup = true;
		c->is_on |= c->is_after_ovf;
		c->is_after_ovf = false;
		return false;
	case ppt_stop:
		c->is_on = false;
		return false;
	case ppt_cbr:
	case ppt_ptw:
	case ppt_exstop:
	case ppt_mwait:
	case ppt_pwre:
	case ppt_pwrx:
		/* A CYC before the packet @p applies to @p, and not to the next branch. */
		c->has_cyc = false;
		return false;
	case ppt_tnt_8:
	case ppt_tnt_64:
		c->nr_bits = p->payload.tnt.bit_size;
		return c->nr_bits;
	case ppt_ovf:
		c->is_on = false;
		c->is_in_psb = false;
		c->is_after_ovf = true;
		return true;
	case ppt_tip_pge:
		c->is_on = true;
		c->is_after_ovf = false;
		return true;
	case ppt_tip_pgd:
		c->is_on = false;
		return true;
	case ppt_tip:
		return true;
	default:
		return false;
	}
}

/* Returns the type of the next packet that reports a branch or event, or ppt_invalid. */
static enum pt_packet_type next_lead(struct fargs_pt_cycles *c)
{
	struct pt_packet p;
	uint64_t offset;

	for (;;) {
		if (pt_pkt_get_offset(c->packets, &offset) < 0 ||
		    pt_pkt_next(c->packets, &p, sizeof(p)) < 0)
			return ppt_invalid;
		if (p.type == ppt_pad)
			continue;
		/* An interrupt has a FUP and a TIP; a CYC before the FUP applies to both. */
		if (c->is_thresholded && c->before != ppt_cyc && c->before != ppt_fup)
			c->has_cyc = false;
		c->before = p.type;
		if (use_packet(c, &p, offset))
			return p.type;
	}
}

static bool is_lead(enum pt_packet_type type, enum fargs_pt_led lead)
{
	switch (type) {
	case ppt_tnt_8:
	case ppt_tnt_64:
		return lead == FARGS_PT_LED_BY_BIT || lead == FARGS_PT_LED_BY_RETURN;
	case ppt_tip:
		return lead == FARGS_PT_LED_BY_TIP || lead == FARGS_PT_LED_BY_RETURN;
	case ppt_tip_pge:
		return lead == FARGS_PT_LED_BY_PGE;
	case ppt_tip_pgd:
		return lead == FARGS_PT_LED_BY_PGD;
	case ppt_ovf:
		return lead == FARGS_PT_LED_BY_OVF;
	default:
		return false;
	}
}

bool fargs_pt_cycles_take(struct fargs_pt_cycles *c, enum fargs_pt_led lead, uint64_t *nr)
{
	bool has_cyc;

	if (c->is_lost)
		return false;
	/* A CYC before a TNT applies only to its first bit; none applies to the remaining bits. */
	if (c->nr_bits)
		c->is_lost = !is_lead(ppt_tnt_8, lead);
	else
		c->is_lost = !is_lead(next_lead(c), lead);
	if (c->nr_bits)
		c->nr_bits--;
	has_cyc = c->has_cyc && !c->is_lost;
	c->has_cyc = false;
	*nr = c->nr;
	return has_cyc;
}

/* Counts the cycles up to @offset, or up to an invalid packet. */
static void count_to(struct fargs_pt_cycles *c, uint64_t offset)
{
	uint64_t at;

	while (pt_pkt_get_offset(c->packets, &at) >= 0 && at < offset &&
	       next_lead(c) != ppt_invalid)
		;
	if (c->counted < offset)
		c->counted = offset;
}

void fargs_pt_cycles_sync(struct fargs_pt_cycles *c, uint64_t offset)
{
	count_to(c, offset);
	c->is_lost = pt_pkt_sync_set(c->packets, offset) < 0;
	c->has_cyc = false;
	c->is_in_psb = false;
	c->nr_bits = 0;
}

uint64_t fargs_pt_cycles_finish(struct fargs_pt_cycles *c)
{
	count_to(c, c->until);
	return c->nr;
}
