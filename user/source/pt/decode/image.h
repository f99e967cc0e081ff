/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Code as it was in memory at a time of the trace, for libipt: as sections of files, which it
 * decodes five times as fast as memory read by callback.
 *
 * Each change of code has a record with the bytes before and after. So the bytes of the files at
 * these places do not matter, nor does the time at which they were copied.
 */
#ifndef FARGS_SOURCE_PT_DECODE_IMAGE_H
#define FARGS_SOURCE_PT_DECODE_IMAGE_H

#include <intel-pt.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "source/pt/input/input.h"

/* The sections and libipt's cache for them. Threads that share one contend for its locks. */
struct fargs_pt_text;

/* @in must outlive the result. NULL with @err on failure. */
struct fargs_pt_text *fargs_pt_text_create(const struct fargs_pt_input *in,
					   struct fargs_error_text *err);
void fargs_pt_text_destroy(struct fargs_pt_text *text);

/* The code as one thread needs it at its position in the trace. */
struct fargs_pt_image;

/* @text must outlive the result. NULL: out of memory. */
struct fargs_pt_image *fargs_pt_image_create(struct fargs_pt_text *text);
void fargs_pt_image_destroy(struct fargs_pt_image *image);

/*
 * The image for libipt with the code of in->spaces[@space] (-1: only the kernel) at @ns. Valid
 * until the next call, which returns the same address if @space is equal and @ns not lower. NULL:
 * out of memory.
 */
struct pt_image *fargs_pt_image_at(struct fargs_pt_image *image, int32_t space, uint64_t ns);

/* Time of the next change after @ns of the last call; UINT64_MAX: none. */
uint64_t fargs_pt_image_until(const struct fargs_pt_image *image);

/*
 * Applies changes up to @ns, which must not decrease; the decoder must not run meanwhile. Returns
 * the number of changes of kernel code, or -ENOMEM.
 */
int fargs_pt_image_advance(struct fargs_pt_image *image, uint64_t ns);

/* Reads up to @bytes of code at @addr in libipt's section @isid; returns the number read, or 0. */
size_t fargs_pt_image_read(const struct fargs_pt_image *image, int isid, uint64_t addr,
			   uint8_t *buf, size_t bytes);

#endif
