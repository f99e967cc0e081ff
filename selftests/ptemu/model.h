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
#define CTL_FUP_ON_PTW		(1ull << 5)
#define CTL_TOPA		(1ull << 8)
#define CTL_MTC_EN		(1ull << 9)
#define CTL_TSC_EN		(1ull << 10)
#define CTL_DIS_RETC		(1ull << 11)
#define CTL_PTW_EN		(1ull << 12)
#define CTL_BRANCH_EN		(1ull << 13)
#define CTL_MTC_FREQ_SHIFT	14
#define CTL_CYC_THRESH_SHIFT	19
#define CTL_PSB_FREQ_SHIFT	24

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
	/*
	 * An MSR that no real CPU has: forces overflows on this CPU. Upper half: number of bytes of
	 * trace between two overflows. Lower half: number of branches whose packets are lost in
	 * each overflow. 0: no overflows.
	 */
	MSR_FORCE_OVERFLOW = 0x70740000,
};

#define GLOBAL_STATUS_TOPA_PMI	(1ull << 55)

#define MODEL_NR_COUNTERS	4
#define MODEL_NR_FIXED		3

struct model {
	uint64_t output_base, output_mask_ptrs, control, status, cr3_match;
	uint64_t counter[MODEL_NR_COUNTERS], eventsel[MODEL_NR_COUNTERS];
	uint64_t fixed[MODEL_NR_FIXED], fixed_control;
	uint64_t global_status, global_control;
	uint64_t force_overflow;
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
/* Returns the number of bytes of trace between two PSBs. */
uint64_t model_psb_period(const struct model *model);

#endif
