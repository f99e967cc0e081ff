// SPDX-License-Identifier: GPL-2.0-only
#include "source/pt/capture/copy_events.h"

static int write_modules(const struct fargs_pt_code_events *events,
			 const struct fargs_pt_sink *sink, struct fargs_error_text *err)
{
	struct iovec iov[2] = {
		{ events->modules, events->nr_modules * sizeof(*events->modules) },
	};

	return events->nr_modules ? sink->chunk(sink->arg, FARGS_CHUNK_PT_MODULES,
						FARGS_CHUNK_NO_CPU, iov, false, err) : 0;
}

static int handle(struct fargs_pt_copy *copy, const struct fargs_pt_code_events *events,
		  const struct fargs_pt_sink *sink, struct fargs_error_text *err)
{
	int ret = write_modules(events, sink, err);
	size_t i;

	for (i = 0; i < events->nr_modules; i++)
		if (events->modules[i].is_removed)
			fargs_pt_copy_unloaded(copy, events->modules[i].name);
	for (i = 0; !ret && i < events->nr_bpf; i++)
		ret = fargs_pt_copy_at(copy, sink, events->bpf[i].addr, events->bpf[i].bytes,
				       "bpf", err);
	return ret || !events->has_loaded ? ret : fargs_pt_copy_all(copy, sink, err);
}

int fargs_pt_copy_code_events(struct fargs_pt_copy *copy, struct fargs_pt_code_events *code_events,
			      const struct fargs_pt_sink *sink, struct fargs_error_text *err)
{
	struct fargs_pt_code_events events;
	int ret = 0;

	fargs_pt_code_events_move(code_events, &events);
	if (copy)
		ret = handle(copy, &events, sink, err);
	fargs_pt_code_events_deinit(&events);
	return ret;
}
