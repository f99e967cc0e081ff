// SPDX-License-Identifier: GPL-2.0-only
#include "source/pt/decode/libipt/image.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "source/pt/input/spaces.h"

struct fargs_pt_sections {
	const struct fargs_pt_input *in;
	struct pt_image_section_cache *cache;
	int *codes;		/* libipt's section id for each of in->codes; 0: unusable */
	/* Section ids of the code before and after each of in->pokes; 0: none. */
	int *old_pokes, *new_pokes;
	/* Sorted times, in ns, at which kernel code appeared or disappeared. */
	uint64_t *bounds;
	size_t nr_bounds;
	int poke_fd;		/* file with the bytes of all pokes; -1: none */
};

struct fargs_pt_image {
	struct fargs_pt_sections *text;
	struct pt_image *image;
	int32_t space;
	uint64_t ns;
	size_t nr_done;		/* number of pokes applied */
	size_t nr_passed;	/* number of text->bounds that are not later than @ns */
	uint64_t next_map;	/* time of the program's next mapping; UINT64_MAX: none */
};

/* Writes the code of all pokes consecutively to a file, for libipt to map. */
static int write_pokes(struct fargs_pt_sections *t)
{
	const struct fargs_pt_input *in = t->in;
	size_t i, bytes;

	t->poke_fd = memfd_create("fargs-pokes", MFD_CLOEXEC);
	if (t->poke_fd < 0)
		return -errno;
	for (i = 0; i < in->nr_pokes; i++) {
		bytes = (size_t)in->pokes[i].old_bytes + in->pokes[i].new_bytes;
		/* Writes to a memfd are never partial. */
		if (write(t->poke_fd, in->pokes[i].code, bytes) != (ssize_t)bytes)
			return -EIO;
	}
	return 0;
}

static int add_pokes(struct fargs_pt_sections *t)
{
	const struct fargs_pt_input *in = t->in;
	const struct fargs_pt_poke *poke;
	uint64_t at = 0;
	char path[32];
	size_t i;
	int ret;

	if (!in->nr_pokes)
		return 0;
	ret = write_pokes(t);
	if (ret)
		return ret;
	snprintf(path, sizeof(path), "/proc/self/fd/%d", t->poke_fd);
	for (i = 0; i < in->nr_pokes; i++) {
		poke = &in->pokes[i];
		if (poke->old_bytes)
			t->old_pokes[i] = pt_iscache_add_file(t->cache, path, at, poke->old_bytes,
							      poke->addr);
		at += poke->old_bytes;
		if (poke->new_bytes)
			t->new_pokes[i] = pt_iscache_add_file(t->cache, path, at, poke->new_bytes,
							      poke->addr);
		at += poke->new_bytes;
		if (t->old_pokes[i] < 0 || t->new_pokes[i] < 0)
			return -ENOMEM;
	}
	return 0;
}

static int compare_bounds(const void *a, const void *b)
{
	const uint64_t *x = a, *y = b;

	return *x < *y ? -1 : *x > *y;
}

static void add_time_bounds(struct fargs_pt_sections *t, uint64_t ns)
{
	if (ns)
		t->bounds[t->nr_bounds++] = ns;
}

static int find_bounds(struct fargs_pt_sections *t)
{
	const struct fargs_pt_input *in = t->in;
	size_t nr_kernel = fargs_pt_spaces_nr_kernel(in), i;

	t->bounds = calloc(2 * nr_kernel + in->nr_pokes + 1, sizeof(*t->bounds));
	if (!t->bounds)
		return -ENOMEM;
	for (i = 0; i < nr_kernel; i++) {
		add_time_bounds(t, in->codes[i].from_ns);
		add_time_bounds(t, in->codes[i].until_ns);
	}
	for (i = 0; i < in->nr_pokes; i++)
		add_time_bounds(t, in->pokes[i].until_ns);
	qsort(t->bounds, t->nr_bounds, sizeof(*t->bounds), compare_bounds);
	return 0;
}

struct fargs_pt_sections *fargs_pt_sections_create(const struct fargs_pt_input *in,
					   struct fargs_error_text *err)
{
	struct fargs_pt_sections *t = calloc(1, sizeof(*t));
	size_t i;

	if (!t) {
		fargs_fail(err, ENOMEM, "out of memory");
		return NULL;
	}
	t->in = in;
	t->poke_fd = -1;
	t->cache = pt_iscache_alloc(NULL);
	t->codes = calloc(in->nr_codes + 1, sizeof(*t->codes));
	t->old_pokes = calloc(in->nr_pokes + 1, sizeof(*t->old_pokes));
	t->new_pokes = calloc(in->nr_pokes + 1, sizeof(*t->new_pokes));
	if (!t->cache || !t->codes || !t->old_pokes || !t->new_pokes || add_pokes(t) ||
	    find_bounds(t)) {
		fargs_fail(err, ENOMEM, "no memory for the code");
		fargs_pt_sections_destroy(t);
		return NULL;
	}
	/* Keep everything mapped while decoding: code is small. */
	pt_iscache_set_limit(t->cache, UINT64_MAX);
	/* Code that cannot be added is missing; the decoder reports this when it needs the code. */
	for (i = 0; i < in->nr_codes; i++) {
		const struct fargs_pt_code *code = &in->codes[i];
		int isid = pt_iscache_add_file(t->cache, code->path, code->at, code->bytes,
					       code->addr);

		t->codes[i] = isid > 0 ? isid : 0;
	}
	return t;
}

void fargs_pt_sections_destroy(struct fargs_pt_sections *t)
{
	if (!t)
		return;
	pt_iscache_free(t->cache);
	if (t->poke_fd >= 0)
		close(t->poke_fd);
	free(t->codes);
	free(t->old_pokes);
	free(t->new_pokes);
	free(t->bounds);
	free(t);
}

struct fargs_pt_image *fargs_pt_image_create(struct fargs_pt_sections *text)
{
	struct fargs_pt_image *image = calloc(1, sizeof(*image));

	if (image)
		image->text = text;
	return image;
}

void fargs_pt_image_destroy(struct fargs_pt_image *image)
{
	if (!image)
		return;
	pt_image_free(image->image);
	free(image);
}

static int add_section(struct fargs_pt_image *image, int isid)
{
	if (isid <= 0)
		return 0;
	return pt_image_add_cached(image->image, image->text->cache, isid, NULL) < 0 ? -ENOMEM : 0;
}

static bool holds_at(uint64_t from_ns, uint64_t until_ns, uint64_t ns)
{
	return from_ns <= ns && (!until_ns || ns < until_ns);
}

static bool is_done(const struct fargs_pt_poke *poke, uint64_t ns)
{
	return poke->ns <= ns;
}

static int add_program(void *arg, size_t nr)
{
	struct fargs_pt_image *image = arg;
	uint64_t from_ns = image->text->in->codes[nr].from_ns;

	if (from_ns <= image->ns)
		return add_section(image, image->text->codes[nr]);
	if (from_ns < image->next_map)
		image->next_map = from_ns;
	return 0;
}

/*
 * Fills the empty image with the code at image->ns. Sections that are added later override earlier
 * ones. So the order is: the copied code; then the old bytes of all changes, from the last change
 * to the first, so that those of the first change remain; then the new bytes of the changes up to
 * image->ns.
 */
static int fill_image(struct fargs_pt_image *image)
{
	const struct fargs_pt_sections *t = image->text;
	const struct fargs_pt_input *in = t->in;
	const struct fargs_pt_poke *poke;
	const struct fargs_pt_code *code;
	size_t nr_kernel = fargs_pt_spaces_nr_kernel(in), i;
	uint64_t ns = image->ns;
	int ret = 0;

	for (i = 0; !ret && i < nr_kernel; i++) {
		code = &in->codes[i];
		if (holds_at(code->from_ns, code->until_ns, ns))
			ret = add_section(image, t->codes[i]);
	}
	image->next_map = UINT64_MAX;
	if (!ret)
		ret = fargs_pt_spaces_each(in, image->space, add_program, image);
	/* From last to first: later sections cover earlier ones. */
	for (i = in->nr_pokes; !ret && i; i--) {
		poke = &in->pokes[i - 1];
		if (holds_at(poke->from_ns, poke->until_ns, ns))
			ret = add_section(image, t->old_pokes[i - 1]);
	}
	for (i = 0; !ret && i < in->nr_pokes && is_done(&in->pokes[i], ns); i++) {
		poke = &in->pokes[i];
		if (holds_at(poke->from_ns, poke->until_ns, ns))
			ret = add_section(image, t->new_pokes[i]);
	}
	image->nr_done = i;
	while (image->nr_passed < t->nr_bounds && t->bounds[image->nr_passed] <= ns)
		image->nr_passed++;
	return ret;
}

struct pt_image *fargs_pt_image_at(struct fargs_pt_image *image, int32_t space, uint64_t ns)
{
	if (image->image && (image->space != space || ns < image->ns)) {
		pt_image_free(image->image);
		image->image = NULL;
	}
	if (!image->image) {
		image->image = pt_image_alloc(NULL);
		image->space = space;
		image->ns = ns;
		image->nr_passed = 0;
		if (!image->image || fill_image(image)) {
			pt_image_free(image->image);
			image->image = NULL;
			return NULL;
		}
	}
	return fargs_pt_image_advance(image, ns) < 0 ? NULL : image->image;
}

static uint64_t next_poke(const struct fargs_pt_image *image)
{
	const struct fargs_pt_input *in = image->text->in;

	return image->nr_done < in->nr_pokes ? in->pokes[image->nr_done].ns : UINT64_MAX;
}

static uint64_t next_time_bounds(const struct fargs_pt_image *image)
{
	const struct fargs_pt_sections *t = image->text;

	return image->nr_passed < t->nr_bounds ? t->bounds[image->nr_passed] : UINT64_MAX;
}

uint64_t fargs_pt_image_until(const struct fargs_pt_image *image)
{
	uint64_t poke = next_poke(image), time_bounds = next_time_bounds(image);

	time_bounds = image->next_map < time_bounds ? image->next_map : time_bounds;
	return poke < time_bounds ? poke : time_bounds;
}

/* Empties the image and fills it again: libipt cannot remove a section from one address only. */
static int refill_image(struct fargs_pt_image *image)
{
	if (pt_image_remove_by_asid(image->image, NULL) < 0)
		return -ENOMEM;
	return fill_image(image);
}

int fargs_pt_image_advance(struct fargs_pt_image *image, uint64_t ns)
{
	const struct fargs_pt_sections *t = image->text;
	const struct fargs_pt_poke *poke;
	size_t before = image->nr_done + image->nr_passed;

	image->ns = ns;
	if (next_time_bounds(image) <= ns || image->next_map <= ns) {
		if (refill_image(image))
			return -ENOMEM;
		return image->nr_done + image->nr_passed - before;
	}
	for (; next_poke(image) <= ns; image->nr_done++) {
		poke = &t->in->pokes[image->nr_done];
		if (holds_at(poke->from_ns, poke->until_ns, ns) &&
		    add_section(image, t->new_pokes[image->nr_done]))
			return -ENOMEM;
	}
	return image->nr_done + image->nr_passed - before;
}

size_t fargs_pt_image_read(const struct fargs_pt_image *image, int isid, uint64_t addr,
			   uint8_t *buf, size_t bytes)
{
	int n;

	if (isid <= 0)
		return 0;
	n = pt_iscache_read(image->text->cache, buf, bytes, isid, addr);
	return n > 0 ? (size_t)n : 0;
}
