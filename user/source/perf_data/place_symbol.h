/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Bounds and bindings of symbols, and build IDs (FARGS_DETAIL_SYMBOL).
 */
#ifndef FARGS_SOURCE_PERF_DATA_PLACE_SYMBOL_H
#define FARGS_SOURCE_PERF_DATA_PLACE_SYMBOL_H

#include "model/event.h"
#include "source/perf_data/dso.h"
#include "source/perf_data/kernel_maps.h"

struct fargs_ksyms;

/*
 * Sets those of @place, which is in the kernel, and whose symbol is known. @ksyms: NULL: the symbol
 * is not one of the kernel's own. @maps has the build IDs.
 */
void fargs_place_symbol_kernel(struct fargs_event_place *place, const struct fargs_ksyms *ksyms,
			       const struct fargs_kernel_maps *maps);
/* Sets those of @place, which is in @dso at offset @at. */
void fargs_place_symbol_dso(struct fargs_event_place *place, const struct fargs_dso *dso,
			    uint64_t at);

#endif
