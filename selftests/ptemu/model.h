/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The software interface of the CPU's tracing: CPUID leaves and MSRs of Intel PT, and those parts
 * of an architectural PMU (version 2) that are needed for its interrupt. The counters do not count.
 */
#ifndef PTEMU_MODEL_H
#define PTEMU_MODEL_H

#include <stdbool.h>
#include <stdint.h>

#define CTL_TRACE_EN		(1ull << 0)
#define CTL_CYC_EN		(1ull << 1)
#define CTL_OS			(1ull << 2)
#define CTL_USER		(1ull << 3)
#define CTL_PWR_EVT_EN		(1ull << 4)
#define CTL_FUP_ON_PTW		(1ull << 5)
#define CTL_CR3_FILTER		(1ull << 7)
#define CTL_TOPA		(1ull << 8)
#define CTL_MTC_EN		(1ull << 9)
#define CTL_TSC_EN		(1ull << 10)
#define CTL_DIS_RETC		(1ull << 11)
#define CTL_PTW_EN		(1ull << 12)
#define CTL_BRANCH_EN		(1ull << 13)
#define CTL_MTC_FREQ_SHIFT	14
#define CTL_CYC_THRESH_SHIFT	19
#define CTL_PSB_FREQ_SHIFT	24
#define CTL_EVENT_EN		(1ull << 31)
#define CTL_ADDR_CFG_SHIFT	32	/* four bits for each range */
#define CTL_DIS_TNT		(1ull << 55)

#define STATUS_CONTEXT_EN	(1ull << 1)
#define STATUS_TRIGGER_EN	(1ull << 2)
#define STATUS_ERROR		(1ull << 4)
#define STATUS_STOPPED		(1ull << 5)
#define STATUS_BYTES_SHIFT	32
#define STATUS_BYTES_MASK	0x1ffffull

enum {
	MSR_PLATFORM_INFO = 0xce,
	MSR_PMC0 = 0xc1,
	MSR_EVENTSEL0 = 0x186,
	MSR_FIXED_CTR0 = 0x309,
	MSR_FIXED_CTR_CTRL = 0x38d,
	MSR_GLOBAL_STATUS = 0x38e,
	MSR_GLOBAL_CTRL = 0x38f,
	MSR_GLOBAL_OVF_CTRL = 0x390,
	MSR_RTIT_OUTPUT_BASE = 0x560,
	MSR_RTIT_OUTPUT_MASK_PTRS = 0x561,
	MSR_RTIT_CTL = 0x570,
	MSR_RTIT_STATUS = 0x571,
	MSR_RTIT_CR3_MATCH = 0x572,
	MSR_RTIT_ADDR0_A = 0x580,	/* then ADDR0_B, ADDR1_A and so on */

	/* The following MSRs exist on no CPU. They concern the CPU that writes them. */

	/*
	 * Forces overflows. Upper half: number of bytes of trace between two overflows. Lower half:
	 * number of branches whose packets are lost in each overflow. 0: no overflows.
	 */
	MSR_FORCE_OVERFLOW = 0x70740000,
	/*
	 * Lower half: not 0: packets are as on a CPU that decides by itself, here at random, how
	 * many branches are in a TNT. Upper half: also, on average one PSB in so many instructions,
	 * anywhere in a block; 0: only when the period has passed.
	 */
	MSR_RANDOM = 0x70740001,
	/*
	 * Where the kernel keeps the current task. Bits 0-15: offset of the PID in a task; 16-31:
	 * of the name. 0: unknown.
	 */
	MSR_TASKS = 0x70740002,
	/* The address, relative to GS, of the pointer to the current task. */
	MSR_CURRENT = 0x70740003,
	/* These bits of RTIT_CTL are set whenever TraceEn is. */
	MSR_FORCE_CONTROL = 0x70740004,
	/* RTIT_CR3_MATCH becomes the CR3 with which this MSR is written. */
	MSR_MATCH_CR3 = 0x70740005,
};

#define GLOBAL_STATUS_TOPA_PMI	(1ull << 55)

#define MODEL_NR_COUNTERS	4
#define MODEL_NR_FIXED		3
#define MODEL_NR_RANGES		2	/* as on Skylake */

/* What RTIT_CTL says of a range of addresses. */
enum model_range {
	MODEL_RANGE_OFF,
	MODEL_RANGE_FILTER,	/* only code in these ranges is traced */
	MODEL_RANGE_STOP,	/* where tracing stops */
};

struct model {
	uint64_t output_base, output_mask_ptrs, control, status, cr3_match;
	uint64_t counter[MODEL_NR_COUNTERS], eventsel[MODEL_NR_COUNTERS];
	uint64_t fixed[MODEL_NR_FIXED], fixed_control;
	uint64_t global_status, global_control;
	uint64_t range[2 * MODEL_NR_RANGES];	/* first and last address of each */
	uint64_t force_overflow, random, tasks, current, force_control;
};

/* Returns false for a leaf that QEMU answers itself. */
bool model_cpuid(uint32_t leaf, uint32_t subleaf, uint32_t regs[4]);
/* Returns the register, for an MSR that is stored as it is written; NULL for all others. */
uint64_t *model_msr(struct model *model, uint32_t msr);
/*
 * Returns whether writing @value to @msr raises #GP on a CPU. Only those rules of the SDM that
 * apply to this model are checked.
 */
bool model_is_fault(const struct model *model, uint32_t msr, uint64_t value);
enum model_range model_range(const struct model *model, unsigned int range);
/* Returns the number of bytes of trace between two PSBs. */
uint64_t model_psb_period(const struct model *model);

#endif
