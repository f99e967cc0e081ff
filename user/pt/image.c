// SPDX-License-Identifier: GPL-2.0-only
#include "pt/image.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

struct fargs_pt_text {
	const struct fargs_pt_input *in;
	struct pt_image_section_cache *cache;
	int *codes;		/* number in the cache of each of in->codes; 0: cannot be used */
	int *old_pokes, *new_pokes;	/* of each of in->pokes: the code before, after; 0: none */
	int poke_fd;		/* a file with all codes of pokes; -1: none */
};

struct fargs_pt_image {
	struct fargs_pt_text *text;
	struct pt_image *image;
	int32_t pid;
	uint64_t ns;
	size_t nr_done;		/* pokes that are in it */
};

/* Writes the code of all pokes, one behind the other, for libipt to map. */
static int write_pokes(struct fargs_pt_text *t)
{
	const struct fargs_pt_input *in = t->in;
	size_t i, bytes;

	t->poke_fd = memfd_create("fargs-pokes", MFD_CLOEXEC);
	if (t->poke_fd < 0)
		return -errno;
	for (i = 0; i < in->nr_pokes; i++) {
		bytes = (size_t)in->pokes[i].old_bytes + in->pokes[i].new_bytes;
		/* To memory: all of it, or none. */
		if (write(t->poke_fd, in->pokes[i].code, bytes) != (ssize_t)bytes)
			return -EIO;
	}
	return 0;
}

static int add_pokes(struct fargs_pt_text *t)
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

struct fargs_pt_text *fargs_pt_text_create(const struct fargs_pt_input *in,
					   struct fargs_error_text *err)
{
	struct fargs_pt_text *t = calloc(1, sizeof(*t));
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
	if (!t->cache || !t->codes || !t->old_pokes || !t->new_pokes || add_pokes(t)) {
		fargs_fail(err, ENOMEM, "no memory for the code");
		fargs_pt_text_destroy(t);
		return NULL;
	}
	/* Mapped as long as we decode, for all there is: code is small. */
	pt_iscache_set_limit(t->cache, UINT64_MAX);
	/* What cannot be added is a gap, which decoding tells where it comes to it. */
	for (i = 0; i < in->nr_codes; i++) {
		const struct fargs_pt_code *code = &in->codes[i];
		int isid = pt_iscache_add_file(t->cache, code->path, code->at, code->bytes,
					       code->addr);

		t->codes[i] = isid > 0 ? isid : 0;
	}
	return t;
}

void fargs_pt_text_destroy(struct fargs_pt_text *t)
{
	if (!t)
		return;
	pt_iscache_free(t->cache);
	if (t->poke_fd >= 0)
		close(t->poke_fd);
	free(t->codes);
	free(t->old_pokes);
	free(t->new_pokes);
	free(t);
}

struct fargs_pt_image *fargs_pt_image_create(struct fargs_pt_text *text)
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

static int add(struct fargs_pt_image *image, int isid)
{
	if (isid <= 0)
		return 0;
	return pt_image_add_cached(image->image, image->text->cache, isid, NULL) < 0 ? -ENOMEM : 0;
}

/* The code as it was before all changes: in front of each, where none was earlier, its old one. */
static int fill(struct fargs_pt_image *image)
{
	const struct fargs_pt_text *t = image->text;
	const struct fargs_pt_input *in = t->in;
	int ret = 0;
	size_t i;

	for (i = 0; !ret && i < in->nr_codes; i++)
		if (in->codes[i].pid == -1 || in->codes[i].pid == image->pid)
			ret = add(image, t->codes[i]);
	/* From the last to the first: sections that come later cover those before. */
	for (i = in->nr_pokes; !ret && i; i--)
		ret = add(image, t->old_pokes[i - 1]);
	return ret;
}

struct pt_image *fargs_pt_image_at(struct fargs_pt_image *image, int32_t pid, uint64_t ns)
{
	if (image->image && (image->pid != pid || ns < image->ns)) {
		pt_image_free(image->image);
		image->image = NULL;
	}
	if (!image->image) {
		image->image = pt_image_alloc(NULL);
		image->pid = pid;
		image->nr_done = 0;
		if (!image->image || fill(image)) {
			pt_image_free(image->image);
			image->image = NULL;
			return NULL;
		}
	}
	return fargs_pt_image_advance(image, ns) < 0 ? NULL : image->image;
}

uint64_t fargs_pt_image_until(const struct fargs_pt_image *image)
{
	const struct fargs_pt_input *in = image->text->in;

	return image->nr_done < in->nr_pokes ? in->pokes[image->nr_done].ns : UINT64_MAX;
}

int fargs_pt_image_advance(struct fargs_pt_image *image, uint64_t ns)
{
	const struct fargs_pt_text *t = image->text;
	int nr = 0;

	image->ns = ns;
	for (; fargs_pt_image_until(image) <= ns; nr++)
		if (add(image, t->new_pokes[image->nr_done++]))
			return -ENOMEM;
	return nr;
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
