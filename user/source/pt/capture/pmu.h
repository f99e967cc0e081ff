/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The kernel's PMU "intel_pt": the terms of its events, and the capabilities of this CPU.
 */
#ifndef FARGS_SOURCE_PT_CAPTURE_PMU_H
#define FARGS_SOURCE_PT_CAPTURE_PMU_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

#define FARGS_PT_PMU_DIR	"/sys/bus/event_source/devices/intel_pt"

/* The bits of attr.config that a term occupies. */
struct fargs_pt_format {
	char name[24];
	uint8_t low, high;
};

#define FARGS_PT_FORMATS_MAX	32

/* The directory "caps": capabilities of the CPU (CPUID 14H). */
struct fargs_pt_caps {
	bool has_psb_cyc;		/* the terms psb_period, cyc and cyc_thresh are supported */
	bool has_mtc;
	bool has_ptwrite;
	bool has_power_events;
	bool has_event_trace;
	bool has_tnt_disable;
	uint32_t mtc_periods;		/* bit N: mtc_period=N is supported */
	uint32_t cyc_thresholds;
	uint32_t psb_periods;
	uint32_t nr_address_ranges;
};

struct fargs_pt_pmu {
	uint32_t type;			/* attr.type */
	struct fargs_pt_format formats[FARGS_PT_FORMATS_MAX];	/* sorted by name */
	size_t nr_formats;
	struct fargs_pt_caps caps;
	uint32_t nonturbo_ratio;	/* 0: unknown */
};

/*
 * Reads the PMU from @dir, which is FARGS_PT_PMU_DIR except in tests. Returns 0; -ENODEV with @err
 * if the directory does not exist; or another -errno with @err.
 */
int fargs_pt_pmu_load(struct fargs_pt_pmu *pmu, const char *dir, struct fargs_error_text *err);

/* Returns the term @name, or NULL if the PMU does not have it. */
const struct fargs_pt_format *fargs_pt_pmu_format(const struct fargs_pt_pmu *pmu,
						  const char *name);

#endif
