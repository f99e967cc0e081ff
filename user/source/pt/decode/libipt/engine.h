/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Decodes segments of a trace into flows (flow.h) by libipt: a second opinion on what
 * source/pt/decode/walk/walker.h decodes. Several threads may decode at the same time, each with
 * its own decoder.
 */
#ifndef FARGS_SOURCE_PT_DECODE_LIBIPT_ENGINE_H
#define FARGS_SOURCE_PT_DECODE_LIBIPT_ENGINE_H

#include <stdint.h>

#include "source/pt/decode/flow.h"
#include "source/pt/decode/libipt/image.h"
#include "source/pt/decode/segments.h"
#include "source/pt/input/input.h"

struct fargs_pt_libipt;

/*
 * @switch_addr: address of the instruction that switches tasks, or 0 if unknown. Returns NULL if
 * out of memory.
 */
struct fargs_pt_libipt *fargs_pt_libipt_create(const struct fargs_pt_input *in,
						 struct fargs_pt_sections *text,
						 uint64_t switch_addr);
void fargs_pt_libipt_destroy(struct fargs_pt_libipt *d);

/*
 * Makes fargs_pt_libipt_run() add an item for each instruction, followed by the item of its
 * branch, if any. Decoding is then slower.
 */
void fargs_pt_libipt_step_by_insn(struct fargs_pt_libipt *d);

/* Makes fargs_pt_libipt_run() count cycles, if the recording has them. Decoding is then slower. */
void fargs_pt_libipt_count_cycles(struct fargs_pt_libipt *d);

/* Makes fargs_pt_libipt_run() add the items that @wants requests, of those that libipt reports. */
void fargs_pt_libipt_want(struct fargs_pt_libipt *d, uint8_t wants);

struct fargs_pt_names;

/*
 * Makes fargs_pt_libipt_run() omit jumps, conditional or not, unless a function of @names begins
 * at their target: other jumps are not needed to find calls. @names must outlive @d.
 */
void fargs_pt_libipt_skip_jumps(struct fargs_pt_libipt *d, const struct fargs_pt_names *names);

/* Decodes @seg into @flow, whose previous content is discarded. Returns 0 or -ENOMEM. */
int fargs_pt_libipt_run(struct fargs_pt_libipt *d, const struct fargs_pt_segment *seg,
			 struct fargs_pt_flow *flow);

#endif
