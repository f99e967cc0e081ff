/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Caches libipt's images of the kernel's code and that of the programs that a decoder chooses
 * (programs.h).
 */
#ifndef FARGS_SOURCE_PT_DECODE_IMAGES_H
#define FARGS_SOURCE_PT_DECODE_IMAGES_H

#include <stdint.h>

#include "source/pt/decode/libipt/image.h"
#include "source/pt/decode/programs.h"
#include "source/pt/decode/segments.h"

struct fargs_pt_images;

/* All arguments must outlive the result. Returns NULL if out of memory. */
struct fargs_pt_images *fargs_pt_images_create(const struct fargs_pt_input *in,
					       struct fargs_pt_sections *text,
					       struct fargs_pt_programs *programs);
void fargs_pt_images_destroy(struct fargs_pt_images *images);

/* The code chosen for the current position in the trace. */
struct fargs_pt_code_now {
	struct fargs_pt_image *image;
	struct pt_image *libipt;
	uint32_t stamp;		/* version of the program's code: equal stamps mean equal code */
};

/* Chooses the code at the beginning of @seg. Returns 0 or -ENOMEM. */
int fargs_pt_images_begin(struct fargs_pt_images *images, const struct fargs_pt_segment *seg,
			  struct fargs_pt_code_now *now);

/*
 * Call when user space is entered at @ip (0: unknown). @tsc: last time in the trace before the
 * entry. Returns 1 if the decoder must switch to other code, which is in @now; 0 if not; or
 * -ENOMEM.
 */
int fargs_pt_images_enter(struct fargs_pt_images *images, uint64_t ip, uint64_t tsc,
			  struct fargs_pt_code_now *now);

/*
 * Calls fargs_pt_image_advance() for the current code, and sets *@stamp to the code's new stamp.
 * Returns the result of fargs_pt_image_advance().
 */
int fargs_pt_images_advance(struct fargs_pt_images *images, uint64_t ns, uint32_t *stamp);

#endif
