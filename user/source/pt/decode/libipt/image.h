/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Provides libipt with the code that was in memory at a given time of the trace. The code consists
 * of sections of files, which libipt decodes about five times faster than code that it reads
 * through a callback.
 *
 * For each change of kernel code, a record contains the bytes before and after. The record's bytes
 * override those of the files, so it does not matter when the code in the files was copied.
 */
#ifndef FARGS_SOURCE_PT_DECODE_IMAGE_H
#define FARGS_SOURCE_PT_DECODE_IMAGE_H

#include <intel-pt.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "source/pt/input/input.h"

/*
 * All sections of code, and libipt's cache of them. Threads that share this struct are slower,
 * since they wait for the locks of the cache.
 */
struct fargs_pt_sections;

/* @in must outlive the result. Returns NULL with @err on failure. */
struct fargs_pt_sections *fargs_pt_sections_create(const struct fargs_pt_input *in,
					   struct fargs_error_text *err);
void fargs_pt_sections_destroy(struct fargs_pt_sections *text);

/* The code at one thread's position in the trace. */
struct fargs_pt_image;

/* @text must outlive the result. Returns NULL if out of memory. */
struct fargs_pt_image *fargs_pt_image_create(struct fargs_pt_sections *text);
void fargs_pt_image_destroy(struct fargs_pt_image *image);

/*
 * Returns libipt's image of the kernel's code and the code of in->spaces[@space] (-1: none) at time
 * @ns. The result is valid until the next call, which returns the same pointer if @space is the
 * same and @ns is not lower. Returns NULL if out of memory.
 */
struct pt_image *fargs_pt_image_at(struct fargs_pt_image *image, int32_t space, uint64_t ns);

/* Returns the time of the next change of the image's code; UINT64_MAX if there is none. */
uint64_t fargs_pt_image_until(const struct fargs_pt_image *image);

/*
 * Applies changes of code up to @ns, which must not decrease. libipt must not be using the image.
 * Returns the number of changes of kernel code, or -ENOMEM.
 */
int fargs_pt_image_advance(struct fargs_pt_image *image, uint64_t ns);

/* Reads up to @bytes of code at @addr in libipt's section @isid; returns the number read, or 0. */
size_t fargs_pt_image_read(const struct fargs_pt_image *image, int isid, uint64_t addr,
			   uint8_t *buf, size_t bytes);

#endif
