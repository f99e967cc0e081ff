// SPDX-License-Identifier: GPL-2.0-only
#include "plugin/dlfilter/pt_raw.h"

static void add_u32(struct fargs_dlfilter_pt_raw *raw, uint32_t value)
{
	raw->words[raw->bytes / sizeof(value)] = value;
	raw->bytes += sizeof(value);
}

static void add_u64(struct fargs_dlfilter_pt_raw *raw, uint64_t value)
{
	add_u32(raw, value);
	add_u32(raw, value >> 32);
}

static void set_cbr(struct fargs_dlfilter_pt_raw *raw, const struct fargs_pt_config *config,
		    unsigned int cbr)
{
	unsigned int max;
	uint64_t khz = fargs_pt_reported_khz(config, &max);

	add_u32(raw, cbr | max << 16);
	add_u32(raw, cbr * khz);
	add_u32(raw, 0);
}

static void set_evt(struct fargs_dlfilter_pt_raw *raw, const struct fargs_pt_item *item,
		    const struct fargs_pt_evd *evds, unsigned int nr)
{
	unsigned int i;

	if (nr > FARGS_DLFILTER_PT_EVDS)
		nr = FARGS_DLFILTER_PT_EVDS;
	add_u32(raw, (item->insn & 0x1f) | (item->flags & FARGS_PT_EXACT ? 0x80 : 0) |
		     (item->to & 0xff) << 8 | nr << 16);
	for (i = 0; i < nr; i++) {
		add_u64(raw, evds[i].type);
		add_u64(raw, evds[i].payload);
	}
}

void fargs_dlfilter_pt_raw_set(struct fargs_dlfilter_pt_raw *raw,
			       const struct fargs_pt_config *config,
			       const struct fargs_pt_item *item, uint64_t target,
			       const struct fargs_pt_evd *evds, unsigned int nr_evds)
{
	raw->bytes = 0;
	switch (item->kind) {
	case FARGS_PT_PTWRITE:
		add_u32(raw, !!(item->flags & FARGS_PT_EXACT));
		add_u64(raw, item->to);
		break;
	case FARGS_PT_CBR:
		set_cbr(raw, config, item->to);
		break;
	case FARGS_PT_MWAIT:
	case FARGS_PT_PWRE:
	case FARGS_PT_PWRX:
		add_u32(raw, 0);
		add_u64(raw, item->to);
		break;
	case FARGS_PT_EXSTOP:
		add_u32(raw, !!(item->flags & FARGS_PT_EXACT));
		break;
	case FARGS_PT_PSB:
		add_u32(raw, 0);
		add_u64(raw, item->offset);
		break;
	case FARGS_PT_CFE:
		set_evt(raw, item, evds, nr_evds);
		break;
	case FARGS_PT_IFLAG:
		add_u32(raw, (item->to ? 1 : 0) | (item->flags & FARGS_PT_BY_BRANCH ? 2 : 0));
		/* perf calls this the address of the branch, but it is that of the target. */
		add_u64(raw, item->flags & FARGS_PT_BY_BRANCH ? target : 0);
		break;
	}
}
