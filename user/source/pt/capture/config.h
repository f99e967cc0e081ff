/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What a decoder has to know of the CPU and of what it was asked for.
 */
#ifndef FARGS_PT_CONFIG_H
#define FARGS_PT_CONFIG_H

#include "source/pt/capture/pmu.h"
#include "file/pt_file.h"
#include "source/pt/capture/terms.h"

/* All but the time, which a ring's first page has. */
void fargs_pt_config_init(struct fargs_file_pt_config *config, const struct fargs_pt_pmu *pmu,
			  const struct fargs_pt_terms *terms, uint64_t aux_bytes);

#endif
