// SPDX-License-Identifier: GPL-2.0-only
#include "base/batch.h"

#include <linux/overflow.h>

#include "base/pages.h"

struct fargs_batch *fargs_batch_create(size_t bytes)
{
	struct fargs_batch *batch = fargs_pages_alloc(size_add(sizeof(*batch), bytes));

	if (batch)
		batch->bytes = sizeof(*batch) + bytes;
	return batch;
}

void fargs_batch_destroy(struct fargs_batch *batch)
{
	if (batch)
		fargs_pages_free(batch, batch->bytes);
}
