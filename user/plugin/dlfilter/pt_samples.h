/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Passes branches of an Intel PT trace to dlfilters, as the same samples that perf script
 * synthesizes from that trace.
 */
#ifndef FARGS_PLUGIN_DLFILTER_PT_SAMPLES_H
#define FARGS_PLUGIN_DLFILTER_PT_SAMPLES_H

#include <stdbool.h>

#include "plugin/dlfilter/host.h"
#include "source/pt/trace/context.h"
#include "source/pt/decode/flow.h"
#include "source/pt/trace/ipc.h"

struct fargs_dlfilter_pt;

/* Returns NULL if out of memory. @filters and @in must outlive the result. */
struct fargs_dlfilter_pt *fargs_dlfilter_pt_create(struct fargs_dlfilters *filters,
						   const struct fargs_pt_input *in);
void fargs_dlfilter_pt_destroy(struct fargs_dlfilter_pt *pt);

/*
 * Passes branch @item to the filters. @is_wanted: the branch is shown unless the filters drop it.
 * @ipc: number of instructions and cycles since the last branch of the same CPU that was passed to
 * the filters. Returns 0: keep the branch; 1: drop it; -errno: a filter failed.
 */
int fargs_dlfilter_pt_ask(struct fargs_dlfilter_pt *pt, struct fargs_pt_context *context,
			  const struct fargs_pt_item *item, const struct fargs_pt_insn_cycles *ipc,
			  bool is_wanted);

#endif
