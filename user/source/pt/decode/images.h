/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Which code a decoder needs: the kernel's and, of several processes, that of the one whose user
 * space the CPU enters. The trace of a thread is of its process. That of a CPU is of the process of
 * the task that the records of switches name; where times are too coarse for that, of the one near
 * that time that has code where user space is entered.
 */
#ifndef FARGS_PT_IMAGES_H
#define FARGS_PT_IMAGES_H

#include <stdbool.h>
#include <stdint.h>

#include "source/pt/decode/image.h"
#include "source/pt/decode/segments.h"

struct fargs_pt_images;

/*
 * @error: how wrong times may be, in TSC ticks (fargs_pt_flow_error()); @tick: TSC ticks from one
 * time to the next, or 0. @has_switches: switches of tasks are seen as they are executed. NULL: no
 * memory. @text must outlive it, as must @in.
 */
struct fargs_pt_images *fargs_pt_images_create(const struct fargs_pt_input *in,
					       struct fargs_pt_text *text, uint64_t error,
					       uint64_t tick, bool has_switches);
void fargs_pt_images_destroy(struct fargs_pt_images *images);

/* Are there several programs to tell apart? */
bool fargs_pt_images_are_several(const struct fargs_pt_images *images);

/* The code as it is needed now. */
struct fargs_pt_code_now {
	struct fargs_pt_image *image;
	struct pt_image *libipt;
	uint32_t stamp;		/* of the program's code: where two are equal the code is */
};

/* For @seg, which begins. -ENOMEM. */
int fargs_pt_images_begin(struct fargs_pt_images *images, const struct fargs_pt_segment *seg,
			  struct fargs_pt_code_now *now);

/*
 * User space is entered at @ip (0: not known), and the last time before that is @tsc. 1: it is
 * other code, in @now; 0: the same as before; -ENOMEM.
 */
int fargs_pt_images_enter(struct fargs_pt_images *images, uint64_t ip, uint64_t tsc,
			  struct fargs_pt_code_now *now);

/* The same code up to @ns, which is not before: fargs_pt_image_advance(), and the new stamp. */
int fargs_pt_images_advance(struct fargs_pt_images *images, uint64_t ns, uint32_t *stamp);

/* The instruction that switches tasks was executed; or some may have been, unseen. */
void fargs_pt_images_switch(struct fargs_pt_images *images);
void fargs_pt_images_hole(struct fargs_pt_images *images);

#endif
