/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Fills struct fargs_file_pt_config, which describes the CPU and the options of a recording.
 */
#ifndef FARGS_SOURCE_PT_CAPTURE_CONFIG_H
#define FARGS_SOURCE_PT_CAPTURE_CONFIG_H

#include "file/pt_file.h"
#include "source/pt/capture/pmu.h"
#include "source/pt/capture/terms.h"

/* Fills everything but the time conversion: see fargs_pt_cpu_time(). */
void fargs_pt_config_init(struct fargs_file_pt_config *config, const struct fargs_pt_pmu *pmu,
			  const struct fargs_pt_terms *terms, const char *filter,
			  uint64_t aux_bytes);

#endif
