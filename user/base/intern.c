// SPDX-License-Identifier: GPL-2.0-only
#include "base/intern.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/grow.h"

#define ROOM_FIRST	256

void fargs_intern_deinit(struct fargs_intern *in)
{
	uint32_t i;

	for (i = 0; i < in->nr; i++)
		free(in->texts[i].text);
	free(in->texts);
	free(in->slots);
	*in = (struct fargs_intern){ };
}

/* FNV-1a. */
static uint32_t hash_of(const char *text, size_t len)
{
	uint32_t hash = 2166136261u;
	size_t i;

	for (i = 0; i < len; i++)
		hash = (hash ^ (uint8_t)text[i]) * 16777619u;
	return hash;
}

/* Where @text is, or is to be. */
static uint32_t *find_slot(const struct fargs_intern *in, uint32_t hash, const char *text,
			   size_t len)
{
	uint32_t i = hash & (in->room - 1);
	const struct fargs_interned *t;

	for (; in->slots[i]; i = (i + 1) & (in->room - 1)) {
		t = &in->texts[in->slots[i] - 1];
		if (t->hash == hash && t->len == len && !memcmp(t->text, text, len))
			break;
	}
	return &in->slots[i];
}

static int grow_slots(struct fargs_intern *in)
{
	uint32_t room = in->room ? 2 * in->room : ROOM_FIRST, i, at;
	uint32_t *slots = room ? calloc(room, sizeof(*slots)) : NULL;

	if (!slots)
		return -ENOMEM;
	/* No two are the same. */
	for (i = 0; i < in->nr; i++) {
		for (at = in->texts[i].hash & (room - 1); slots[at]; at = (at + 1) & (room - 1))
			;
		slots[at] = i + 1;
	}
	free(in->slots);
	in->slots = slots;
	in->room = room;
	return 0;
}

int fargs_intern_add(struct fargs_intern *in, const char *text, size_t len, uint32_t *number)
{
	uint32_t hash = hash_of(text, len), *slot;
	struct fargs_interned *texts;
	char *copy;

	if (len > UINT32_MAX || (in->nr >= in->room / 2 && grow_slots(in)))
		return -ENOMEM;
	slot = find_slot(in, hash, text, len);
	if (*slot) {
		*number = *slot - 1;
		return 0;
	}
	texts = fargs_grow(in->texts, in->nr, sizeof(*texts));
	if (!texts)
		return -ENOMEM;
	in->texts = texts;
	copy = malloc(len ? len : 1);
	if (!copy)
		return -ENOMEM;
	memcpy(copy, text, len);
	texts[in->nr] = (struct fargs_interned){ .text = copy, .len = len, .hash = hash };
	in->bytes += len;
	*number = in->nr;
	*slot = ++in->nr;
	return 0;
}
