// SPDX-License-Identifier: GPL-2.0-only
#include "sink/export/call_paths.h"

void fargs_call_paths_deinit(struct fargs_call_paths *p)
{
	fargs_intern_deinit(&p->all);
}

int fargs_call_paths_add(struct fargs_call_paths *p, int64_t parent, int64_t function,
			 int64_t *path, bool *is_new)
{
	const int64_t key[2] = { parent, function };
	uint32_t number, nr = p->all.nr;
	int ret = fargs_intern_add(&p->all, (const char *)key, sizeof(key), &number);

	*is_new = p->all.nr != nr;
	*path = (int64_t)number + 1;
	return ret;
}
