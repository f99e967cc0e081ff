/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Decodes segments of a trace into flows (flow.h), by our own decoder or by libipt. Several threads
 * may decode at the same time, each with its own decoder.
 */
#ifndef FARGS_SOURCE_PT_TRACE_DECODER_H
#define FARGS_SOURCE_PT_TRACE_DECODER_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "source/pt/decode/flow.h"
#include "source/pt/decode/names.h"
#include "source/pt/decode/segments.h"
#include "source/pt/decode/walk/quick.h"
#include "source/pt/input/input.h"

enum fargs_pt_engine {
	FARGS_PT_ENGINE_FARGS,
	FARGS_PT_ENGINE_LIBIPT,
};

/* The code of a recording. */
struct fargs_pt_text;

/* @in must outlive the result. Returns NULL with @err on failure. */
struct fargs_pt_text *fargs_pt_text_create(const struct fargs_pt_input *in,
					   enum fargs_pt_engine engine,
					   struct fargs_error_text *err);
void fargs_pt_text_destroy(struct fargs_pt_text *text);
/*
 * Returns whether several decoders may use @text at the same time. libipt's would be slow, because
 * it takes a lock for nearly every read of code.
 */
bool fargs_pt_text_is_shareable(const struct fargs_pt_text *text);

struct fargs_pt_decoder;

/*
 * @switch_addr: address of the instruction that switches tasks, or 0 if unknown. @in and @text must
 * outlive the result. Returns NULL if out of memory.
 */
struct fargs_pt_decoder *fargs_pt_decoder_create(const struct fargs_pt_input *in,
						 struct fargs_pt_text *text,
						 uint64_t switch_addr);
void fargs_pt_decoder_destroy(struct fargs_pt_decoder *d);

/* The following functions must not be called after fargs_pt_decoder_run(). */

/*
 * Makes fargs_pt_decoder_run() add an item for each instruction, followed by the item of its
 * branch, if any. Decoding is then slower.
 */
void fargs_pt_decoder_step_by_insn(struct fargs_pt_decoder *d);

/*
 * Same, with one item for several instructions. libipt's decoder has an item for each instruction.
 */
void fargs_pt_decoder_step_by_block(struct fargs_pt_decoder *d);

/* Makes the items of instructions have last_bytes, and FARGS_PT_HAS_BIT unless by libipt. */
void fargs_pt_decoder_mark_ends(struct fargs_pt_decoder *d);

/* Makes fargs_pt_decoder_run() count cycles, if the recording has them. */
void fargs_pt_decoder_count_cycles(struct fargs_pt_decoder *d);

/*
 * Makes fargs_pt_decoder_run() add the items that @wants requests (enum fargs_pt_wants). libipt's
 * decoder does not report PSBs and what FARGS_PT_WANTS_EVENTS requests.
 */
void fargs_pt_decoder_want(struct fargs_pt_decoder *d, uint8_t wants);

/*
 * Makes fargs_pt_decoder_run() omit jumps, conditional or not, unless a function of @names begins
 * at their target: other jumps are not needed to find calls. @names must outlive @d.
 */
void fargs_pt_decoder_skip_jumps(struct fargs_pt_decoder *d, const struct fargs_pt_names *names);

/* Allows fargs_pt_decoder_run() to omit all jumps: the caller needs none. */
void fargs_pt_decoder_omit_jumps(struct fargs_pt_decoder *d);

/*
 * Makes fargs_pt_decoder_run() of our own decoder walk from node to node, instead of remembering
 * runs (source/pt/decode/walk/runs.h). The result is the same; it is for tests.
 */
void fargs_pt_decoder_forget_runs(struct fargs_pt_decoder *d);

/*
 * Makes fargs_pt_decoder_run() read packets alone: no code is needed. Returns 0 or -ENOMEM.
 */
int fargs_pt_decoder_be_quick(struct fargs_pt_decoder *d, enum fargs_pt_quick_level level);

/* Decodes @seg into @flow, whose previous content is discarded. Returns 0 or -ENOMEM. */
int fargs_pt_decoder_run(struct fargs_pt_decoder *d, const struct fargs_pt_segment *seg,
			 struct fargs_pt_flow *flow);

#endif
