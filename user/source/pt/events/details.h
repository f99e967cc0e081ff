/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Finds details of branches and instructions: their code, its text, and their places in files and
 * source (enum fargs_event_detail).
 */
#ifndef FARGS_SOURCE_PT_EVENTS_DETAILS_H
#define FARGS_SOURCE_PT_EVENTS_DETAILS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "model/event.h"
#include "source/pt/decode/names.h"
#include "source/pt/input/input.h"

/* What threads share. */
struct fargs_pt_details;

/* @in must outlive the result. Returns NULL with @err on failure. */
struct fargs_pt_details *fargs_pt_details_create(const struct fargs_pt_input *in,
						 uint32_t details, struct fargs_error_text *err);
void fargs_pt_details_destroy(struct fargs_pt_details *details);

/* What one thread has. */
struct fargs_pt_detailer;

/* Symbol at an address, for branch targets in the text of instructions. */
typedef bool (*fargs_pt_symbol_fn)(void *arg, uint64_t addr, const char **symbol,
				   uint64_t *offset);

/* Returns NULL if out of memory. */
struct fargs_pt_detailer *fargs_pt_detailer_create(struct fargs_pt_details *details,
						   fargs_pt_symbol_fn find, void *arg);
void fargs_pt_detailer_destroy(struct fargs_pt_detailer *d);

/*
 * Sets @insn to the instruction at @addr, which has the name @name (NULL: unknown), in @space at
 * @ns. Its code is valid until the next call. Returns false if it is unknown, or not needed.
 */
bool fargs_pt_detailer_insn(struct fargs_pt_detailer *d, uint64_t addr,
			    const struct fargs_pt_name *name, int32_t space, uint64_t ns,
			    struct fargs_event_insn *insn);

/* Sets where @place, which has the name @name, is in its file and in the source. */
void fargs_pt_detailer_place(const struct fargs_pt_detailer *d, struct fargs_event_place *place,
			     const struct fargs_pt_name *name);

/*
 * Sets details of @sample, whose place has the name @name (NULL: unknown), in @space at @ns. They
 * are valid until the next call. Returns 0 or -ENOMEM.
 */
int fargs_pt_detailer_set(struct fargs_pt_detailer *d, struct fargs_event_sample *sample,
			  const struct fargs_pt_name *name, int32_t space, uint64_t ns);

#endif
