// SPDX-License-Identifier: GPL-2.0-only
#include "source/pt/decode/walk/notes.h"

#include "source/pt/packet/packet.h"
#include "source/pt/packet/pebs.h"

struct fargs_pt_note *fargs_pt_note(struct fargs_pt_leads *l, const struct fargs_pt_packet *p,
				  enum fargs_pt_item_kind kind, uint64_t to)
{
	struct fargs_pt_note *n;

	if (l->nr_noted == FARGS_PT_NOTES_MAX)
		return NULL;
	n = &l->noted[l->nr_noted++];
	*n = (struct fargs_pt_note){
		.tsc = l->clock.tsc, .offset = l->reader.at - l->begin - p->size, .to = to,
		.kind = kind,
		.vague = l->has_mtc && fargs_pt_clock_is_vague(&l->clock) ? FARGS_PT_VAGUE : 0,
	};
	return n;
}

void fargs_pt_note_tsx_status(struct fargs_pt_leads *l, const struct fargs_pt_packet *p)
{
	struct fargs_pt_note *n = fargs_pt_note(l, p, FARGS_PT_TSX, p->flags);

	if (n)
		n->is_status = true;
}

bool fargs_pt_note_power(struct fargs_pt_leads *l, const struct fargs_pt_packet *p, bool is_between)
{
	static const uint8_t kinds[FARGS_PT_PACKET_KINDS] = {
		[FARGS_PT_PACKET_CBR] = FARGS_PT_CBR, [FARGS_PT_PACKET_MWAIT] = FARGS_PT_MWAIT,
		[FARGS_PT_PACKET_PWRE] = FARGS_PT_PWRE, [FARGS_PT_PACKET_PWRX] = FARGS_PT_PWRX,
		[FARGS_PT_PACKET_EXSTOP] = FARGS_PT_EXSTOP,
	};
	struct fargs_pt_note *n;

	if (!(l->wants & FARGS_PT_WANTS_POWER))
		return false;
	n = fargs_pt_note(l, p, kinds[p->kind], p->value);
	if (!n)
		return !is_between;
	if (p->kind == FARGS_PT_PACKET_EXSTOP)
		n->flags = p->flags ? FARGS_PT_EXACT : 0;
	if (p->kind == FARGS_PT_PACKET_MWAIT) {
		l->has_mwait = true;
		return false;
	}
	/* The entry of a C-state by MWAIT is complete with the EXSTOP. */
	return !is_between && !(p->kind == FARGS_PT_PACKET_EXSTOP ? p->flags :
				p->kind == FARGS_PT_PACKET_PWRE && l->has_mwait);
}

bool fargs_pt_note_event(struct fargs_pt_leads *l, const struct fargs_pt_packet *p)
{
	struct fargs_pt_note *n;
	bool is_cfe = p->kind == FARGS_PT_PACKET_CFE;

	if (!(l->wants & FARGS_PT_WANTS_EVENTS))
		return false;
	n = fargs_pt_note(l, p, is_cfe ? FARGS_PT_CFE : FARGS_PT_EVD, p->value);
	if (n) {
		n->insn = p->nr;
		n->flags = is_cfe && (p->flags || l->is_counting) ? FARGS_PT_EXACT : 0;
	}
	return is_cfe && !p->flags && !l->is_counting;
}

bool fargs_pt_note_pebs(struct fargs_pt_leads *l, const struct fargs_pt_packet *p, bool is_between)
{
	uint64_t begin = l->group_at;

	l->group_at = UINT64_MAX;
	if (!(l->wants & FARGS_PT_WANTS_PEBS) || begin == UINT64_MAX)
		return false;
	/* Until the item is added, the record's size is in place of its index. */
	return fargs_pt_note(l, p, FARGS_PT_PEBS, l->reader.at - l->begin - begin) &&
	       !p->flags && !is_between;
}

size_t fargs_pt_note_keep_pebs(const struct fargs_pt_leads *l, const struct fargs_pt_note *note,
			       struct fargs_pt_flow *flow)
{
	/* The BEP, where the note is, has two bytes. */
	const uint8_t *end = l->begin + note->offset + 2;
	uint64_t words[FARGS_PT_PEBS_WORDS_MAX];
	struct fargs_pt_pebs pebs;

	fargs_pt_pebs_read(&pebs, end - note->to, end, l->errata);
	return fargs_pt_flow_keep_words(flow, words, fargs_pt_pebs_pack(&pebs, words));
}

bool fargs_pt_is_async(const struct fargs_pt_leads *l)
{
	struct fargs_pt_reader r = l->reader;
	struct fargs_pt_packet p;

	for (;;) {
		fargs_pt_packet_read(&r, &p);
		switch (p.kind) {
		case FARGS_PT_PACKET_PAD:
		case FARGS_PT_PACKET_EXEC:
		case FARGS_PT_PACKET_PIP:
		case FARGS_PT_PACKET_VMCS:
		case FARGS_PT_PACKET_MTC:
		case FARGS_PT_PACKET_CYC:
		case FARGS_PT_PACKET_CBR:
			continue;
		}
		return p.kind == FARGS_PT_PACKET_TIP || p.kind == FARGS_PT_PACKET_PGD;
	}
}
