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

/*
 * @switch_addr: address of the instruction that switches tasks, or 0 if unknown. Returns NULL if
 * out of memory.
 */
struct fargs_pt_decoder *fargs_pt_decoder_create(const struct fargs_pt_input *in,
						 struct fargs_pt_text *text,
						 uint64_t switch_addr);
void fargs_pt_decoder_destroy(struct fargs_pt_decoder *d);

/*
 * Makes fargs_pt_decoder_run() add an item for each instruction, followed by the item of its
 * branch, if any. Decoding is then slower.
 */
void fargs_pt_decoder_step_by_insn(struct fargs_pt_decoder *d);

/* Makes fargs_pt_decoder_run() count cycles, if the recording has them. Decoding is then slower. */
void fargs_pt_decoder_count_cycles(struct fargs_pt_decoder *d);

struct fargs_pt_names;

/*
 * Makes fargs_pt_decoder_run() omit jumps, conditional or not, unless a function of @names begins
 * at their target: other jumps are not needed to find calls. @names must outlive @d.
 */
void fargs_pt_decoder_skip_jumps(struct fargs_pt_decoder *d, const struct fargs_pt_names *names);

/* Decodes @seg into @flow, whose previous content is discarded. Returns 0 or -ENOMEM. */
int fargs_pt_decoder_run(struct fargs_pt_decoder *d, const struct fargs_pt_segment *seg,
			 struct fargs_pt_flow *flow);

/*
 * Configures libipt to decode @size bytes of trace at @bytes. @from: configuration of the
 * recording.
 */
void fargs_pt_decoder_configure(struct pt_config *config, const struct fargs_pt_config *from,
				const uint8_t *bytes, uint64_t size);

#endif
