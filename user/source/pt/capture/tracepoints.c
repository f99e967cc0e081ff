// SPDX-License-Identifier: GPL-2.0-only
#include "source/pt/capture/tracepoints.h"

#include <stdlib.h>

#include "kernel/tracefs.h"

static uint64_t find(const char *dir, const char *name)
{
	struct fargs_tracefs_event event = { .system = (char *)"module", .name = (char *)name };
	size_t size;
	char *text = fargs_tracefs_read(dir, &event, "id", &size);
	uint64_t id = text ? strtoull(text, NULL, 10) : 0;

	free(text);
	return id;
}

void fargs_pt_tracepoints_find(struct fargs_pt_tracepoints *tracepoints)
{
	const char *dir = fargs_tracefs_dir(NULL);

	*tracepoints = (struct fargs_pt_tracepoints){ .nr = 0 };
	if (!dir)
		return;
	tracepoints->load_id = find(dir, "module_load");
	tracepoints->free_id = find(dir, "module_free");
	if (tracepoints->load_id)
		tracepoints->ids[tracepoints->nr++] = tracepoints->load_id;
	if (tracepoints->free_id)
		tracepoints->ids[tracepoints->nr++] = tracepoints->free_id;
}
