/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Chooses the code that a decoder needs: the kernel's, and that of the process whose user space the
 * CPU enters. In a thread's stream, this is the thread's process. In a CPU's stream, switch records
 * identify the task. If times are too coarse to identify the task, a process is chosen that ran
 * near the time of the entry and has code at the address where user space is entered.
 */
#ifndef FARGS_SOURCE_PT_DECODE_IMAGES_H
#define FARGS_SOURCE_PT_DECODE_IMAGES_H

#include <stdbool.h>
#include <stdint.h>

#include "source/pt/decode/image.h"
#include "source/pt/decode/segments.h"

struct fargs_pt_images;

/*
 * @error: maximum error of times, in TSC ticks (fargs_pt_flow_error()). @tick: TSC ticks between
 * two times in the trace (fargs_pt_flow_tick()). @has_switches: task switches are items of the
 * flow. @text and @in must outlive the result. Returns NULL if out of memory.
 */
struct fargs_pt_images *fargs_pt_images_create(const struct fargs_pt_input *in,
					       struct fargs_pt_text *text, uint64_t error,
					       uint64_t tick, bool has_switches);
void fargs_pt_images_destroy(struct fargs_pt_images *images);

/* Returns whether there are several programs to choose from. */
bool fargs_pt_images_are_several(const struct fargs_pt_images *images);

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

/*
 * Call fargs_pt_images_switch() when the instruction that switches tasks was executed, and
 * fargs_pt_images_hole() at a gap in the trace, in which tasks may have been switched.
 */
void fargs_pt_images_switch(struct fargs_pt_images *images);
void fargs_pt_images_hole(struct fargs_pt_images *images);

#endif
