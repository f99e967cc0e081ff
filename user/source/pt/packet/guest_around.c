// SPDX-License-Identifier: GPL-2.0-only
#include "source/pt/packet/guest_around.h"

/* Between a TSC and its TMA, and between an OVF and its FUP, are at most so many timing packets. */
#define TIMING_MAX	16

void fargs_pt_guest_around_psb(struct fargs_pt_reader r, struct fargs_pt_guest_around *a)
{
	struct fargs_pt_packet p;

	*a = (struct fargs_pt_guest_around){ };
	while (true) {
		fargs_pt_packet_read(&r, &p);
		switch (p.kind) {
		case FARGS_PT_PACKET_PAD:
		case FARGS_PT_PACKET_MNT:
		case FARGS_PT_PACKET_EXEC:
		case FARGS_PT_PACKET_TSX:
		case FARGS_PT_PACKET_MTC:
		case FARGS_PT_PACKET_FUP:
		case FARGS_PT_PACKET_CYC:
		case FARGS_PT_PACKET_CBR:
			break;
		case FARGS_PT_PACKET_TSC:
			a->has_tsc = true;
			break;
		case FARGS_PT_PACKET_TMA:
			a->has_tma = true;
			a->ctc = (uint16_t)p.value;
			a->fast = p.nr;
			break;
		case FARGS_PT_PACKET_PIP:
			a->has_pip = true;
			a->is_guest = p.flags;
			break;
		case FARGS_PT_PACKET_VMCS:
			a->has_vmcs = true;
			a->page = p.value >> 12;
			break;
		case FARGS_PT_PACKET_PSBEND:
			a->is_complete = true;
			return;
		default:
			return;
		}
	}
}

void fargs_pt_guest_around_tsc(struct fargs_pt_reader r, struct fargs_pt_guest_around *a)
{
	struct fargs_pt_packet p;
	unsigned int nr = 0;

	while (nr < TIMING_MAX) {
		fargs_pt_packet_read(&r, &p);
		if (p.kind == FARGS_PT_PACKET_PAD)
			continue;
		if (p.kind == FARGS_PT_PACKET_TMA) {
			a->has_tma = true;
			a->ctc = (uint16_t)p.value;
			a->fast = p.nr;
		}
		if (p.kind != FARGS_PT_PACKET_CYC && p.kind != FARGS_PT_PACKET_MTC)
			return;
		nr++;
	}
}

bool fargs_pt_guest_around_overflow(struct fargs_pt_reader r)
{
	struct fargs_pt_packet p;
	unsigned int nr = 0;

	while (nr < TIMING_MAX) {
		fargs_pt_packet_read(&r, &p);
		if (p.kind == FARGS_PT_PACKET_PAD)
			continue;
		if (p.kind != FARGS_PT_PACKET_CYC && p.kind != FARGS_PT_PACKET_MTC &&
		    p.kind != FARGS_PT_PACKET_TSC)
			return p.kind == FARGS_PT_PACKET_FUP;
		nr++;
	}
	return false;
}
