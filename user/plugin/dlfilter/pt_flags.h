/* SPDX-License-Identifier: GPL-2.0-only */
/* The flags of the samples that perf script synthesizes from an Intel PT trace. */
#ifndef FARGS_PLUGIN_DLFILTER_PT_FLAGS_H
#define FARGS_PLUGIN_DLFILTER_PT_FLAGS_H

#include <stdint.h>

#include "source/pt/decode/flow.h"

/* Returns the flags of @item (enum fargs_dlfilter_flag). */
uint32_t fargs_dlfilter_pt_flags(const struct fargs_pt_item *item);

#endif
