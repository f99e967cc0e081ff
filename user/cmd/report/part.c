// SPDX-License-Identifier: GPL-2.0-only
#include "cmd/report/part.h"

#include <errno.h>
#include <stdint.h>
#include <stdlib.h>

#include "pipeline/pipeline.h"

int fargs_cpu_parse(unsigned int *cpu, const char *text, struct fargs_error_text *err)
{
	unsigned long value;
	char *end;

	errno = 0;
	value = strtoul(text, &end, 10);
	if (*text < '0' || *text > '9' || *end || errno || value > UINT16_MAX)
		return fargs_fail(err, EINVAL, "'%s' is not the number of a CPU", text);
	*cpu = value;
	return 0;
}

static int take_cpu(void *to, const char *value, struct fargs_error_text *err)
{
	struct fargs_pipeline_options *o = to;

	o->is_one_cpu = true;
	return fargs_cpu_parse(&o->cpu, value, err);
}

static int take_time(void *to, const char *value, struct fargs_error_text *err)
{
	struct fargs_pipeline_options *o = to;

	o->has_window = true;
	return fargs_time_window_parse(&o->window, value, err);
}

const struct fargs_option fargs_part_options[] = {
	{ 'C', "cpu", "CPU", "only events of this CPU", FARGS_OPTION_UNNAMED,
	  .offer = FARGS_OFFER_CPUS, .take = take_cpu },
	{ 0, "time", "FROM,TO", "only events in this range of times, in seconds as printed; FROM "
	  "or TO can be omitted", .take = take_time },
	{ 0, "filter", "EXPR", "only events for which this condition holds, like 'count > 4k && "
	  "ret < 0 && $func == \"vfs_*\"'",
	  FARGS_OPTION_KEEPS(struct fargs_pipeline_options, filter) },
	FARGS_OPTION_END
};
