/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Decodes segments of a trace into flows (flow.h). Several threads may decode at the same time,
 * each with its own decoder.
 */
#ifndef FARGS_SOURCE_PT_DECODE_DECODER_H
#define FARGS_SOURCE_PT_DECODE_DECODER_H

#include <stdint.h>

#include "source/pt/decode/flow.h"
#include "source/pt/decode/image.h"
#include "source/pt/decode/segments.h"
#include "source/pt/input/input.h"

struct fargs_pt_decoder;

/* @switch_addr: address of the instruction that switches tasks, or 0. NULL: out of memory. */
struct fargs_pt_decoder *fargs_pt_decoder_create(const struct fargs_pt_input *in,
						 struct fargs_pt_text *text,
						 uint64_t switch_addr);
void fargs_pt_decoder_destroy(struct fargs_pt_decoder *d);

/* From now on each instruction is an item, before the item of its branch. Slower. */
void fargs_pt_decoder_step_by_insn(struct fargs_pt_decoder *d);

/* From now on flows count cycles, if these were recorded. Slower. */
void fargs_pt_decoder_count_cycles(struct fargs_pt_decoder *d);

struct fargs_pt_names;

/*
 * From now on jumps, conditional or not, are items only if a function of @names begins at their
 * target: finding calls needs no others. @names must outlive @d.
 */
void fargs_pt_decoder_skip_jumps(struct fargs_pt_decoder *d, const struct fargs_pt_names *names);

/* Decodes @seg into @flow, whose previous content is discarded. Returns 0 or -ENOMEM. */
int fargs_pt_decoder_run(struct fargs_pt_decoder *d, const struct fargs_pt_segment *seg,
			 struct fargs_pt_flow *flow);

/* Configures libipt to decode @bytes of the recording with configuration @from. */
void fargs_pt_decoder_configure(struct pt_config *config, const struct fargs_pt_config *from,
				const uint8_t *bytes, uint64_t size);

#endif
