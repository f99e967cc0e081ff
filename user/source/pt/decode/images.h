/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Chooses the code that a decoder needs: the kernel's and that of the process whose user space
 * the CPU enters. The stream of a thread belongs to its process. In the stream of a CPU, switch
 * records give the task; where times are too coarse for that, it is the process near that time
 * that has code at the address where user space is entered.
 */
#ifndef FARGS_SOURCE_PT_DECODE_IMAGES_H
#define FARGS_SOURCE_PT_DECODE_IMAGES_H

#include <stdbool.h>
#include <stdint.h>

#include "source/pt/decode/image.h"
#include "source/pt/decode/segments.h"

struct fargs_pt_images;

/*
 * @error: maximum error of times, in TSC ticks (fargs_pt_flow_error()); @tick: TSC ticks between
 * two times, or 0. @has_switches: executed task switches are seen in the flow. @text and @in must
 * outlive the result. NULL: out of memory.
 */
struct fargs_pt_images *fargs_pt_images_create(const struct fargs_pt_input *in,
					       struct fargs_pt_text *text, uint64_t error,
					       uint64_t tick, bool has_switches);
void fargs_pt_images_destroy(struct fargs_pt_images *images);

/* Are there several programs to distinguish? */
bool fargs_pt_images_are_several(const struct fargs_pt_images *images);

/* The code that is needed now. */
struct fargs_pt_code_now {
	struct fargs_pt_image *image;
	struct pt_image *libipt;
	uint32_t stamp;		/* stamp of the program's code: equal stamps mean equal code */
};

/* Chooses the code at the beginning of @seg. Returns 0 or -ENOMEM. */
int fargs_pt_images_begin(struct fargs_pt_images *images, const struct fargs_pt_segment *seg,
			  struct fargs_pt_code_now *now);

/*
 * Call when user space is entered at @ip (0: unknown); @tsc is the last time before. Returns 1 if
 * other code is needed, in @now, 0 if not, or -ENOMEM.
 */
int fargs_pt_images_enter(struct fargs_pt_images *images, uint64_t ip, uint64_t tsc,
			  struct fargs_pt_code_now *now);

/*
 * Advances the current code to @ns, which must not decrease: fargs_pt_image_advance(), and the
 * new stamp.
 */
int fargs_pt_images_advance(struct fargs_pt_images *images, uint64_t ns, uint32_t *stamp);

/* The instruction that switches tasks was executed; or (hole) it may have been, unseen. */
void fargs_pt_images_switch(struct fargs_pt_images *images);
void fargs_pt_images_hole(struct fargs_pt_images *images);

#endif
