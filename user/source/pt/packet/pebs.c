// SPDX-License-Identifier: GPL-2.0-only
#include "source/pt/packet/pebs.h"

#include <string.h>

/* Returns the group of BBP's @type, or FARGS_PT_PEBS_GROUPS if it is none of those. */
static unsigned int group_of(uint64_t type)
{
	switch (type) {
	case 1:
		return FARGS_PT_PEBS_REGS;
	case 4:
		return FARGS_PT_PEBS_BASIC;
	case 5:
		return FARGS_PT_PEBS_MEMORY;
	case 8:
	case 9:
	case 10:
		return FARGS_PT_PEBS_LBR_0 + type - 8;
	case 16:
		return FARGS_PT_PEBS_XMM;
	}
	return FARGS_PT_PEBS_GROUPS;
}

void fargs_pt_pebs_read(struct fargs_pt_pebs *pebs, const uint8_t *begin, const uint8_t *end,
			uint16_t errata)
{
	struct fargs_pt_reader r = { .at = begin, .end = end, .errata = errata };
	unsigned int group = FARGS_PT_PEBS_GROUPS;
	struct fargs_pt_packet p;

	memset(pebs->masks, 0, sizeof(pebs->masks));
	pebs->is_32_bits = false;
	while (r.at < end) {
		fargs_pt_packet_read(&r, &p);
		if (p.kind <= FARGS_PT_PACKET_CUT)
			return;
		if (p.kind == FARGS_PT_PACKET_BBP) {
			group = group_of(p.value);
			if (group == FARGS_PT_PEBS_REGS)
				pebs->is_32_bits = p.nr == 4;
		}
		if (p.kind != FARGS_PT_PACKET_BIP || group == FARGS_PT_PEBS_GROUPS)
			continue;
		pebs->masks[group] |= 1u << p.nr;
		pebs->values[group][p.nr] = p.value;
	}
}

size_t fargs_pt_pebs_pack(const struct fargs_pt_pebs *pebs,
			  uint64_t words[FARGS_PT_PEBS_WORDS_MAX])
{
	uint32_t head[2 * FARGS_PT_PEBS_HEAD_WORDS] = { };
	size_t n = FARGS_PT_PEBS_HEAD_WORDS;
	unsigned int group, i;

	_Static_assert(FARGS_PT_PEBS_GROUPS < 2 * FARGS_PT_PEBS_HEAD_WORDS, "masks, then flags");
	memcpy(head, pebs->masks, sizeof(pebs->masks));
	head[FARGS_PT_PEBS_GROUPS] = pebs->is_32_bits;
	memcpy(words, head, sizeof(head));
	for (group = 0; group < FARGS_PT_PEBS_GROUPS; group++)
		for (i = 0; i < FARGS_PT_PEBS_VALUES; i++)
			if (pebs->masks[group] >> i & 1)
				words[n++] = pebs->values[group][i];
	return n;
}

size_t fargs_pt_pebs_unpack(struct fargs_pt_pebs *pebs, const uint64_t *words)
{
	uint32_t head[2 * FARGS_PT_PEBS_HEAD_WORDS];
	size_t n = FARGS_PT_PEBS_HEAD_WORDS;
	unsigned int group, i;

	memcpy(head, words, sizeof(head));
	memcpy(pebs->masks, head, sizeof(pebs->masks));
	pebs->is_32_bits = head[FARGS_PT_PEBS_GROUPS];
	for (group = 0; group < FARGS_PT_PEBS_GROUPS; group++)
		for (i = 0; i < FARGS_PT_PEBS_VALUES; i++)
			if (pebs->masks[group] >> i & 1)
				pebs->values[group][i] = words[n++];
	return n;
}

const uint64_t *fargs_pt_pebs_branch(const struct fargs_pt_pebs *pebs, unsigned int nr)
{
	unsigned int group = FARGS_PT_PEBS_LBR_0 + nr / FARGS_PT_PEBS_GROUP_BRANCHES;
	unsigned int at = nr % FARGS_PT_PEBS_GROUP_BRANCHES * 3;

	return (pebs->masks[group] >> at & 7) == 7 ? &pebs->values[group][at] : NULL;
}

bool fargs_pt_pebs_has_branches(const struct fargs_pt_pebs *pebs)
{
	return pebs->masks[FARGS_PT_PEBS_LBR_0] | pebs->masks[FARGS_PT_PEBS_LBR_1] |
	       pebs->masks[FARGS_PT_PEBS_LBR_2];
}
