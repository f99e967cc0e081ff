/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The raw data of the samples that perf script synthesizes from an Intel PT trace, as described in
 * perf-intel-pt(1) and laid out by perf.
 */
#ifndef FARGS_PLUGIN_DLFILTER_PT_RAW_H
#define FARGS_PLUGIN_DLFILTER_PT_RAW_H

#include <stdint.h>

#include "source/pt/decode/flow.h"
#include "source/pt/events/reported.h"

/* Maximum number of EVDs: their number has 16 bits, but fargs keeps fewer. */
#define FARGS_DLFILTER_PT_EVDS	64

/* All members are little-endian, like the CPUs that have Intel PT. */
struct fargs_dlfilter_pt_raw {
	uint32_t words[1 + 4 * FARGS_DLFILTER_PT_EVDS];
	uint32_t bytes;		/* 0: this kind of sample has no raw data */
};

/*
 * Sets @raw to the data of @item. @target: of the branch that changes the interrupt flag. @evds:
 * the @nr_evds EVDs of a CFE.
 */
void fargs_dlfilter_pt_raw_set(struct fargs_dlfilter_pt_raw *raw,
			       const struct fargs_pt_config *config,
			       const struct fargs_pt_item *item, uint64_t target,
			       const struct fargs_pt_evd *evds, unsigned int nr_evds);

#endif
