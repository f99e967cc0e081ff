// SPDX-License-Identifier: GPL-2.0-only
#include "source/pt/decode/libipt/images.h"

#include <errno.h>
#include <stdlib.h>

/* Number of programs whose code is cached. */
#define SLOTS		16

struct slot {
	struct fargs_pt_image *image;	/* NULL: unused */
	int32_t space;
	uint64_t ns;
	uint64_t used;			/* @clock of struct fargs_pt_images at the last use */
	uint32_t stamp;
};

struct fargs_pt_images {
	const struct fargs_pt_input *in;
	struct fargs_pt_sections *text;
	struct fargs_pt_programs *programs;
	struct slot slots[SLOTS];
	int32_t space;			/* of the code that the decoder is using */
	uint64_t clock;
	uint32_t stamp;
};

struct fargs_pt_images *fargs_pt_images_create(const struct fargs_pt_input *in,
					       struct fargs_pt_sections *text,
					       struct fargs_pt_programs *programs)
{
	struct fargs_pt_images *im = calloc(1, sizeof(*im));

	if (!im)
		return NULL;
	im->in = in;
	im->text = text;
	im->programs = programs;
	return im;
}

void fargs_pt_images_destroy(struct fargs_pt_images *im)
{
	size_t i;

	if (!im)
		return;
	for (i = 0; i < SLOTS; i++)
		fargs_pt_image_destroy(im->slots[i].image);
	free(im);
}

/* Returns the slot of @space, or else the least recently used slot. */
static struct slot *find_slot(struct fargs_pt_images *im, int32_t space)
{
	struct slot *oldest = im->slots, *s;

	for (s = im->slots; s < im->slots + SLOTS; s++) {
		if (s->image && s->space == space)
			return s;
		if (s->used < oldest->used)
			oldest = s;
	}
	return oldest;
}

/*
 * Gets the code of @space at @ns. Never evicts the code that the decoder is using, which is in the
 * most recently used slot.
 */
static int get_code(struct fargs_pt_images *im, int32_t space, uint64_t ns,
		    struct fargs_pt_code_now *now)
{
	struct slot *s = find_slot(im, space);
	bool is_same = s->image && s->space == space && ns >= s->ns &&
		       ns < fargs_pt_image_until(s->image);

	if (!s->image)
		s->image = fargs_pt_image_create(im->text);
	if (!s->image)
		return -ENOMEM;
	s->space = space;
	now->image = s->image;
	now->libipt = fargs_pt_image_at(s->image, space, ns);
	if (!now->libipt) {
		s->space = -2;
		return -ENOMEM;
	}
	if (!is_same)
		s->stamp = ++im->stamp;
	s->ns = ns;
	s->used = ++im->clock;
	now->stamp = s->stamp;
	im->space = space;
	return 0;
}

int fargs_pt_images_begin(struct fargs_pt_images *im, const struct fargs_pt_segment *seg,
			  struct fargs_pt_code_now *now)
{
	return get_code(im, fargs_pt_programs_begin(im->programs, seg),
			fargs_pt_input_ns(&im->in->config, seg->tsc), now);
}

int fargs_pt_images_enter(struct fargs_pt_images *im, uint64_t ip, uint64_t tsc,
			  struct fargs_pt_code_now *now)
{
	struct fargs_pt_program program;

	if (!fargs_pt_programs_enter(im->programs, ip, tsc, &program))
		return 0;
	return get_code(im, program.space, program.ns, now) ? -ENOMEM : 1;
}

int fargs_pt_images_advance(struct fargs_pt_images *im, uint64_t ns, uint32_t *stamp)
{
	struct slot *s = find_slot(im, im->space);

	s->ns = ns;
	s->stamp = ++im->stamp;
	*stamp = s->stamp;
	return fargs_pt_image_advance(s->image, ns);
}
