// SPDX-License-Identifier: GPL-2.0-only
#include "cmd/report/part.h"

#include <errno.h>
#include <stdint.h>
#include <stdlib.h>

#include "base/row.h"
#include "pipeline/pipeline.h"

static int take_cpu(void *to, const char *value, struct fargs_error_text *err)
{
	struct fargs_pipeline_options *o = to;

	if (!fargs_row(B27))
		return 0;
	return fargs_id_set_add(&o->cpus, value, UINT16_MAX, "a CPU", err);
}

static int take_pid(void *to, const char *value, struct fargs_error_text *err)
{
	struct fargs_pipeline_options *o = to;

	return fargs_id_set_add(&o->pids, value, INT32_MAX, "a process", err);
}

static int take_tid(void *to, const char *value, struct fargs_error_text *err)
{
	struct fargs_pipeline_options *o = to;

	return fargs_id_set_add(&o->tids, value, INT32_MAX, "a thread", err);
}

static int take_time(void *to, const char *value, struct fargs_error_text *err)
{
	struct fargs_pipeline_options *o = to;

	if (!fargs_row(B27))
		return 0;
	return fargs_time_window_parse(&o->window, value, err);
}

const struct fargs_option fargs_part_options[] = {
	{ 'C', "cpu", "LIST", "only events of these CPUs, like 0-3,8", FARGS_OPTION_UNNAMED,
	  .offer = FARGS_OFFER_CPUS, .take = take_cpu },
	{ 0, "comm", "NAME,...", "only events of tasks with these names, which may be globs",
	  FARGS_OPTION_KEEPS(struct fargs_pipeline_options, comms) },
	{ 0, "pid", "LIST", "only events of these processes", .take = take_pid },
	{ 0, "tid", "LIST", "only events of these threads", .take = take_tid },
	{ 0, "time", "FROM,TO", "only events in this range of times, in seconds as printed; FROM "
	  "or TO can be omitted; or a part of the recording, like 10%-20%", .take = take_time },
	{ 0, "filter", "EXPR", "only events for which this condition holds, like 'count > 4k && "
	  "ret < 0 && $func == \"vfs_*\"'",
	  FARGS_OPTION_KEEPS(struct fargs_pipeline_options, filter) },
	FARGS_OPTION_END
};
