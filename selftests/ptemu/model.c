// SPDX-License-Identifier: GPL-2.0-only
#include "model.h"

#include <string.h>

#include "clock.h"

/* The bits of RTIT_CTL that the emulation implements. */
#define CTL_KNOWN	(CTL_TRACE_EN | CTL_CYC_EN | CTL_OS | CTL_USER | CTL_FUP_ON_PTW | \
			 CTL_TOPA | CTL_MTC_EN | CTL_TSC_EN | CTL_DIS_RETC | CTL_PTW_EN | \
			 CTL_BRANCH_EN | CTL_PWR_EVT_EN | CTL_CR3_FILTER | CTL_EVENT_EN | \
			 CTL_DIS_TNT | 0xffull << CTL_ADDR_CFG_SHIFT | \
			 15ull << CTL_MTC_FREQ_SHIFT | 15ull << CTL_CYC_THRESH_SHIFT | \
			 15ull << CTL_PSB_FREQ_SHIFT)

#define MTC_PERIODS	0x0249u		/* CTC bits 0, 3, 6 and 9, as on Skylake */
#define CYC_THRESHOLDS	0x3fffu
#define PSB_PERIODS	0x003fu		/* 2 KiB to 64 KiB */

bool model_cpuid(uint32_t leaf, uint32_t subleaf, uint32_t regs[4])
{
	memset(regs, 0, 4 * sizeof(*regs));
	switch (leaf) {
	case 0x05:
		/*
		 * MONITOR and MWAIT: one sub-state of C1, so that Linux uses MWAIT when it is idle,
		 * if QEMU has it (monitor=on).
		 */
		regs[0] = 64;
		regs[1] = 64;
		regs[2] = 1 << 0 | 1 << 1;
		regs[3] = 1 << 4;
		return true;
	case 0x0a:
		/* Version, counters of 48 bits, and no events that they could count. */
		regs[0] = 2 | MODEL_NR_COUNTERS << 8 | 48 << 16 | 7 << 24;
		regs[1] = 0x7f;
		regs[3] = MODEL_NR_FIXED | 48 << 5;
		return true;
	case 0x14:
		if (subleaf == 0) {
			regs[0] = 1;
			/*
			 * Supported: CR3 filter, configurable PSB and cycle-accurate mode, address
			 * filters, MTC, PTWRITE, power events, event trace, no TNT.
			 */
			regs[1] = 1 << 0 | 1 << 1 | 1 << 2 | 1 << 3 | 1 << 4 | 1 << 5 | 1 << 7 |
				  1 << 8;
			/* Supported: ToPA, ToPA with many entries, single-range output. */
			regs[2] = 1 << 0 | 1 << 1 | 1 << 2;
		} else if (subleaf == 1) {
			regs[0] = MODEL_NR_RANGES | MTC_PERIODS << 16;
			regs[1] = CYC_THRESHOLDS | PSB_PERIODS << 16;
		}
		return true;
	case 0x15:
		/*
		 * Do not report the crystal clock's frequency, so that the kernel calibrates the
		 * TSC.
		 */
		regs[0] = CLOCK_CPUID_EAX;
		regs[1] = CLOCK_CPUID_EBX;
		return true;
	}
	return false;
}

uint64_t *model_msr(struct model *model, uint32_t msr)
{
	if (msr >= MSR_PMC0 && msr < MSR_PMC0 + MODEL_NR_COUNTERS)
		return &model->counter[msr - MSR_PMC0];
	if (msr >= MSR_EVENTSEL0 && msr < MSR_EVENTSEL0 + MODEL_NR_COUNTERS)
		return &model->eventsel[msr - MSR_EVENTSEL0];
	if (msr >= MSR_FIXED_CTR0 && msr < MSR_FIXED_CTR0 + MODEL_NR_FIXED)
		return &model->fixed[msr - MSR_FIXED_CTR0];
	if (msr >= MSR_RTIT_ADDR0_A && msr < MSR_RTIT_ADDR0_A + 2 * MODEL_NR_RANGES)
		return &model->range[msr - MSR_RTIT_ADDR0_A];
	switch (msr) {
	case MSR_FIXED_CTR_CTRL:
		return &model->fixed_control;
	case MSR_GLOBAL_STATUS:
		return &model->global_status;
	case MSR_GLOBAL_CTRL:
		return &model->global_control;
	case MSR_RTIT_OUTPUT_BASE:
		return &model->output_base;
	case MSR_RTIT_OUTPUT_MASK_PTRS:
		return &model->output_mask_ptrs;
	case MSR_RTIT_CTL:
		return &model->control;
	case MSR_RTIT_STATUS:
		return &model->status;
	case MSR_RTIT_CR3_MATCH:
		return &model->cr3_match;
	case MSR_FORCE_OVERFLOW:
		return &model->force_overflow;
	case MSR_RANDOM:
		return &model->random;
	case MSR_TASKS:
		return &model->tasks;
	case MSR_CURRENT:
		return &model->current;
	case MSR_FORCE_CONTROL:
		return &model->force_control;
	case MSR_MATCH_CR3:
		return &model->cr3_match;
	}
	return NULL;
}

static bool is_encoding(uint32_t bitmap, uint64_t control, unsigned int shift)
{
	return bitmap >> (control >> shift & 15) & 1;
}

enum model_range model_range(const struct model *model, unsigned int range)
{
	return model->control >> (CTL_ADDR_CFG_SHIFT + 4 * range) & 15;
}

static bool is_bad_control(const struct model *model, uint64_t value)
{
	unsigned int i;

	if (value & ~CTL_KNOWN)
		return true;
	/* While tracing is enabled, the only valid change is to disable it. */
	if (model->control & CTL_TRACE_EN && value & CTL_TRACE_EN && value != model->control)
		return true;
	if (value & CTL_MTC_EN && !is_encoding(MTC_PERIODS, value, CTL_MTC_FREQ_SHIFT))
		return true;
	if (value & CTL_CYC_EN && !is_encoding(CYC_THRESHOLDS, value, CTL_CYC_THRESH_SHIFT))
		return true;
	for (i = 0; i < MODEL_NR_RANGES; i++)
		if ((value >> (CTL_ADDR_CFG_SHIFT + 4 * i) & 15) > MODEL_RANGE_STOP)
			return true;
	return !is_encoding(PSB_PERIODS, value, CTL_PSB_FREQ_SHIFT);
}

bool model_is_fault(const struct model *model, uint32_t msr, uint64_t value)
{
	switch (msr) {
	case MSR_RTIT_CTL:
		return is_bad_control(model, value);
	case MSR_RTIT_OUTPUT_BASE:
	case MSR_RTIT_OUTPUT_MASK_PTRS:
	case MSR_RTIT_CR3_MATCH:
	case MSR_RTIT_STATUS:
		return model->control & CTL_TRACE_EN;
	}
	if (msr >= MSR_RTIT_ADDR0_A && msr < MSR_RTIT_ADDR0_A + 2 * MODEL_NR_RANGES)
		return model->control & CTL_TRACE_EN;
	return false;
}

uint64_t model_psb_period(const struct model *model)
{
	return 2048ull << (model->control >> CTL_PSB_FREQ_SHIFT & 15);
}
