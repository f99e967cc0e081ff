/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Code as it was in memory at a time of the trace, for libipt: as sections of files, which it
 * decodes five times as fast as memory that it has to ask for.
 *
 * Where code was changed, the record of it tells the bytes before and after. So what the
 * files have there does not matter, nor when they were copied.
 */
#ifndef FARGS_PT_IMAGE_H
#define FARGS_PT_IMAGE_H

#include <intel-pt.h>
#include <stddef.h>
#include <stdint.h>

#include "source/pt/input/input.h"
#include "base/error.h"

/* The sections, and what libipt learns of them; threads that share it wait for each other. */
struct fargs_pt_text;

/* @in must outlive it. NULL with @err. */
struct fargs_pt_text *fargs_pt_text_create(const struct fargs_pt_input *in,
					   struct fargs_error_text *err);
void fargs_pt_text_destroy(struct fargs_pt_text *text);

/* The code as one thread sees it at its time of the trace. */
struct fargs_pt_image;

/* NULL: no memory. @text must outlive it. */
struct fargs_pt_image *fargs_pt_image_create(struct fargs_pt_text *text);
void fargs_pt_image_destroy(struct fargs_pt_image *image);

/*
 * What libipt is to use for the code of in->spaces[@space] (-1: the kernel's alone) at @ns; valid
 * until the next call, at the same address if only @ns is another and later one. NULL: no memory.
 */
struct pt_image *fargs_pt_image_at(struct fargs_pt_image *image, int32_t space, uint64_t ns);

/* When the next change after that call's @ns is; UINT64_MAX: none. */
uint64_t fargs_pt_image_until(const struct fargs_pt_image *image);

/*
 * Applies the changes up to @ns, which is not before that of the last call; the decoder that
 * uses it must stand still. How many there were of the kernel's, or -ENOMEM.
 */
int fargs_pt_image_advance(struct fargs_pt_image *image, uint64_t ns);

/* Up to @bytes of the code at @addr in section @isid, as libipt numbers it; how many, or 0. */
size_t fargs_pt_image_read(const struct fargs_pt_image *image, int isid, uint64_t addr,
			   uint8_t *buf, size_t bytes);

#endif
