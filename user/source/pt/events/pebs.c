// SPDX-License-Identifier: GPL-2.0-only
#include "source/pt/events/pebs.h"

#include <string.h>

/* perf's numbers of registers, those of asm/perf_regs.h of x86. */
enum {
	PERF_AX, PERF_BX, PERF_CX, PERF_DX, PERF_SI, PERF_DI, PERF_BP, PERF_SP, PERF_IP, PERF_FLAGS,
	PERF_R8 = 16, PERF_XMM0 = 32,
};

/* Each register of a record in perf's order of registers, with perf's number. */
static const struct {
	uint8_t perf, pebs;
} regs[FARGS_PT_PEBS_NR_REGS] = {
	{ PERF_AX, FARGS_PT_PEBS_AX }, { PERF_BX, FARGS_PT_PEBS_BX },
	{ PERF_CX, FARGS_PT_PEBS_CX }, { PERF_DX, FARGS_PT_PEBS_DX },
	{ PERF_SI, FARGS_PT_PEBS_SI }, { PERF_DI, FARGS_PT_PEBS_DI },
	{ PERF_BP, FARGS_PT_PEBS_BP }, { PERF_SP, FARGS_PT_PEBS_SP },
	{ PERF_IP, FARGS_PT_PEBS_IP }, { PERF_FLAGS, FARGS_PT_PEBS_FLAGS },
	{ PERF_R8, FARGS_PT_PEBS_R8 }, { PERF_R8 + 1, FARGS_PT_PEBS_R8 + 1 },
	{ PERF_R8 + 2, FARGS_PT_PEBS_R8 + 2 }, { PERF_R8 + 3, FARGS_PT_PEBS_R8 + 3 },
	{ PERF_R8 + 4, FARGS_PT_PEBS_R8 + 4 }, { PERF_R8 + 5, FARGS_PT_PEBS_R8 + 5 },
	{ PERF_R8 + 6, FARGS_PT_PEBS_R8 + 6 }, { PERF_R8 + 7, FARGS_PT_PEBS_R15 },
};

enum value {
	VALUE_PERIOD, VALUE_ADDR, VALUE_WEIGHT, VALUE_TRANSACTION, VALUE_ABI, VALUE_REGS,
	VALUE_XMM = VALUE_REGS + FARGS_PT_PEBS_NR_REGS,
};

const char *const fargs_pt_pebs_names[FARGS_PT_PEBS_SAMPLE_VALUES + 1] = {
	[VALUE_PERIOD] = "period", [VALUE_ADDR] = "addr", [VALUE_WEIGHT] = "weight",
	[VALUE_TRANSACTION] = "transaction_flags", [VALUE_ABI] = "reg_bits",
	[VALUE_REGS] = "reg_ax", "reg_bx", "reg_cx", "reg_dx", "reg_si", "reg_di", "reg_bp",
	"reg_sp", "reg_ip", "reg_flags", "reg_r8", "reg_r9", "reg_r10", "reg_r11", "reg_r12",
	"reg_r13", "reg_r14", "reg_r15",
	[VALUE_XMM] = "reg_xmm0", "reg_xmm0_high", "reg_xmm1", "reg_xmm1_high", "reg_xmm2",
	"reg_xmm2_high", "reg_xmm3", "reg_xmm3_high", "reg_xmm4", "reg_xmm4_high", "reg_xmm5",
	"reg_xmm5_high", "reg_xmm6", "reg_xmm6_high", "reg_xmm7", "reg_xmm7_high", "reg_xmm8",
	"reg_xmm8_high", "reg_xmm9", "reg_xmm9_high", "reg_xmm10", "reg_xmm10_high", "reg_xmm11",
	"reg_xmm11_high", "reg_xmm12", "reg_xmm12_high", "reg_xmm13", "reg_xmm13_high",
	"reg_xmm14", "reg_xmm14_high", "reg_xmm15", "reg_xmm15_high",
};

/* The data_src of all PEBS records in perf 6.1: not available. */
#define DATA_SRC_NONE							\
	(PERF_MEM_S(OP, NA) | PERF_MEM_S(LVL, NA) | PERF_MEM_S(SNOOP, NA) |	\
	 PERF_MEM_S(LOCK, NA) | PERF_MEM_S(TLB, NA) | PERF_MEM_S(LVLNUM, NA))

/* Bits of an LBR's INFO (SDM 4, IA32_LBR_x_INFO). */
#define LBR_MISPREDICTED	(1ull << 63)
#define LBR_IN_TX		(1ull << 62)
#define LBR_ABORTS		(1ull << 61)
#define LBR_CYCLES		0xffffull

void fargs_pt_pebs_counters_init(struct fargs_pt_pebs_counters *c, const struct fargs_pt_input *in,
				 const struct fargs_pt_stream *stream)
{
	const struct fargs_pt_pebs_counter *all = in->pebs_counters, *end;

	memset(c, 0, sizeof(*c));
	end = all + in->nr_pebs_counters;
	while (all < end && (all->cpu != stream->cpu || all->tid != stream->tid))
		all++;
	c->next = all;
	while (all < end && all->cpu == stream->cpu && all->tid == stream->tid)
		all++;
	c->end = all;
}

unsigned int fargs_pt_pebs_counters_events(struct fargs_pt_pebs_counters *c,
					   const struct fargs_pt_pebs *pebs, uint64_t ns,
					   uint32_t events[FARGS_PT_PEBS_COUNTERS_MAX])
{
	unsigned int nr = 0, counter;
	uint64_t bits;

	for (; c->next < c->end && c->next->ns <= ns; c->next++)
		c->events[c->next->counter] = c->next->event + 1;
	events[0] = 0;
	if (!fargs_pt_pebs_get(pebs, FARGS_PT_PEBS_BASIC, FARGS_PT_PEBS_COUNTERS, &bits) || !bits)
		return 1;
	for (; bits; bits &= bits - 1) {
		counter = __builtin_ctzll(bits);
		if (!c->events[counter]) {
			events[nr++] = 0;
			break;
		}
		events[nr++] = c->events[counter] - 1;
	}
	return nr;
}

static void set_branches(struct fargs_pt_pebs_sample *s)
{
	const uint64_t *from;
	unsigned int i;

	s->nr_branches = 0;
	for (i = 0; i < FARGS_PT_PEBS_BRANCHES; i++) {
		from = fargs_pt_pebs_branch(&s->pebs, i);
		if (!from)
			continue;
		s->branches[s->nr_branches++] = (struct fargs_last_branch){
			.from = from[0], .to = from[1],
			.is_in_tx = from[2] & LBR_IN_TX, .aborts = from[2] & LBR_ABORTS,
			.is_mispredicted = from[2] & LBR_MISPREDICTED,
			.is_predicted = !(from[2] & LBR_MISPREDICTED),
			.cycles = from[2] & LBR_CYCLES,
		};
	}
}

static void set_regs(struct fargs_pt_pebs_sample *s, uint64_t wanted)
{
	uint64_t value;
	unsigned int i;

	for (i = 0; i < FARGS_PT_PEBS_NR_REGS; i++) {
		if (!(wanted >> regs[i].perf & 1) ||
		    !fargs_pt_pebs_get(&s->pebs, FARGS_PT_PEBS_REGS, regs[i].pebs, &value))
			continue;
		s->regs_mask |= 1ull << regs[i].perf;
		s->regs[regs[i].perf] = value;
	}
	for (i = 0; i < FARGS_PT_PEBS_VALUES; i++) {
		if (!(wanted >> (PERF_XMM0 + i) & 1) ||
		    !fargs_pt_pebs_get(&s->pebs, FARGS_PT_PEBS_XMM, i, &value))
			continue;
		s->regs_mask |= 1ull << (PERF_XMM0 + i);
		s->regs[PERF_XMM0 + i] = value;
	}
}

/*
 * As in perf: the latency of the access or, without it, the cycles of the last transaction. Newer
 * CPUs have the cache's latency in the upper half, and that of the instruction in the lower.
 */
static uint64_t weight_of(const struct fargs_pt_pebs *pebs)
{
	uint64_t weight = 0, tsx;

	if (fargs_pt_pebs_get(pebs, FARGS_PT_PEBS_MEMORY, FARGS_PT_PEBS_LATENCY, &weight) &&
	    weight >> 32)
		weight = weight >> 32 & 0xffff;
	if (!weight && fargs_pt_pebs_get(pebs, FARGS_PT_PEBS_MEMORY, FARGS_PT_PEBS_TSX, &tsx))
		weight = (uint32_t)tsx;
	return weight;
}

/* Returns perf's bits of a transaction (PERF_TXN_*), or 0. */
static uint64_t transaction_of(const struct fargs_pt_pebs *pebs)
{
	uint64_t tsx, ax, bits;

	if (!fargs_pt_pebs_get(pebs, FARGS_PT_PEBS_MEMORY, FARGS_PT_PEBS_TSX, &tsx))
		return 0;
	bits = tsx >> 32 & 0xff;
	/* XABORT has a code in the upper byte of EAX. */
	if (bits & PERF_TXN_TRANSACTION &&
	    fargs_pt_pebs_get(pebs, FARGS_PT_PEBS_REGS, FARGS_PT_PEBS_AX, &ax) && ax & 1)
		bits |= (ax >> 24 & 0xff) << PERF_TXN_ABORT_SHIFT;
	return bits;
}

void fargs_pt_pebs_sample_set(struct fargs_pt_pebs_sample *s,
			      const struct fargs_pt_pebs_event *event)
{
	const struct perf_event_attr *attr = &event->attr;
	uint64_t type = attr->sample_type;

	s->ip = 0;
	s->addr = 0;
	s->nr_branches = 0;
	s->regs_mask = 0;
	s->period = attr->freq ? 0 : attr->sample_period;
	if (!fargs_pt_pebs_get(&s->pebs, FARGS_PT_PEBS_BASIC, FARGS_PT_PEBS_EVENT_IP, &s->ip))
		fargs_pt_pebs_get(&s->pebs, FARGS_PT_PEBS_REGS, FARGS_PT_PEBS_IP, &s->ip);
	if (type & PERF_SAMPLE_ADDR)
		fargs_pt_pebs_get(&s->pebs, FARGS_PT_PEBS_MEMORY, FARGS_PT_PEBS_ADDR, &s->addr);
	s->weight = type & PERF_SAMPLE_WEIGHT_TYPE ? weight_of(&s->pebs) : 0;
	s->transaction = type & PERF_SAMPLE_TRANSACTION ? transaction_of(&s->pebs) : 0;
	/* How the record encodes it depends on the CPU. */
	s->data_src = type & PERF_SAMPLE_DATA_SRC ? DATA_SRC_NONE : 0;
	if (type & PERF_SAMPLE_BRANCH_STACK)
		set_branches(s);
	if (type & PERF_SAMPLE_REGS_INTR)
		set_regs(s, attr->sample_regs_intr);
}

static void add(struct fargs_arg *args, unsigned int *nr, unsigned int name, const uint64_t *value)
{
	args[(*nr)++] = (struct fargs_arg){
		.val = {
			.name = fargs_pt_pebs_names[name], .data = value, .bytes = sizeof(*value),
			.type = name == VALUE_ADDR || name >= VALUE_REGS ? FARGS_TYPE_PTR :
									   FARGS_TYPE_U64,
		},
	};
}

unsigned int fargs_pt_pebs_sample_values(const struct fargs_pt_pebs_sample *s,
					 const struct fargs_pt_pebs_event *event,
					 struct fargs_arg *args)
{
	static const uint64_t bits[] = { 64, 32 };
	uint64_t type = event->attr.sample_type;
	unsigned int nr = 0, i;

	add(args, &nr, VALUE_PERIOD, &s->period);
	if (type & PERF_SAMPLE_ADDR)
		add(args, &nr, VALUE_ADDR, &s->addr);
	if (type & PERF_SAMPLE_WEIGHT_TYPE)
		add(args, &nr, VALUE_WEIGHT, &s->weight);
	if (type & PERF_SAMPLE_TRANSACTION)
		add(args, &nr, VALUE_TRANSACTION, &s->transaction);
	if (s->regs_mask)
		add(args, &nr, VALUE_ABI, &bits[s->pebs.is_32_bits]);
	for (i = 0; i < FARGS_PT_PEBS_NR_REGS; i++)
		if (s->regs_mask >> regs[i].perf & 1)
			add(args, &nr, VALUE_REGS + i, &s->regs[regs[i].perf]);
	for (i = 0; i < FARGS_PT_PEBS_VALUES; i++)
		if (s->regs_mask >> (PERF_XMM0 + i) & 1)
			add(args, &nr, VALUE_XMM + i, &s->regs[PERF_XMM0 + i]);
	return nr;
}
