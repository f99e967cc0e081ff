// SPDX-License-Identifier: GPL-2.0-only
#include "base/intern.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/cleanup.h"

void fargs_intern_deinit(struct fargs_intern *in)
{
	uint32_t i;

	for (i = 0; i < in->nr; i++)
		free(in->texts[i].text);
	free(in->texts);
	fargs_hash_deinit(&in->by_text);
	*in = (struct fargs_intern){ };
}

static uint32_t find(const struct fargs_intern *in, uint32_t hash, const char *text, size_t len)
{
	const struct fargs_interned *t;
	uint32_t at, i;

	fargs_hash_for_each(i, at, &in->by_text, hash) {
		t = &in->texts[i];
		if (t->len == len && !memcmp(t->text, text, len))
			break;
	}
	return i;
}

int fargs_intern_add(struct fargs_intern *in, const char *text, size_t len, uint32_t *number)
{
	__cleanup_free char *copy = NULL;
	uint32_t hash = fargs_hash_bytes(text, len);
	struct fargs_interned *interned;

	if (len > UINT32_MAX)
		return -ENOMEM;
	*number = find(in, hash, text, len);
	if (*number != FARGS_HASH_NONE)
		return 0;
	copy = malloc(len ? len : 1);
	if (!copy || fargs_hash_reserve(&in->by_text, (size_t)in->nr + 1))
		return -ENOMEM;
	memcpy(copy, text, len);
	interned = fargs_array_add(in->texts, in->nr);
	if (!interned)
		return -ENOMEM;
	*interned = (struct fargs_interned){ .text = fargs_take_ptr(copy), .len = len };
	in->bytes += len;
	*number = in->nr - 1;
	return fargs_hash_add(&in->by_text, hash, *number);
}
