// SPDX-License-Identifier: GPL-2.0-only
#include "source/pt/events/describe.h"

#include <linux/perf_event.h>
#include <string.h>

#include "model/facts.h"

uint32_t fargs_pt_facts(const struct fargs_pt_input *in, unsigned int *nr_cpus)
{
	uint32_t facts = FARGS_FACT_CPUS;
	size_t i;

	if (in->config.has_time)
		facts |= FARGS_FACT_TIMES | (in->first_ns ? FARGS_FACT_SPAN : 0);

	*nr_cpus = 1;
	for (i = 0; i < in->nr_streams; i++) {
		if (in->streams[i].cpu == UINT32_MAX)
			facts &= ~(uint32_t)FARGS_FACT_CPUS;
		else if (in->streams[i].cpu >= *nr_cpus)
			*nr_cpus = in->streams[i].cpu + 1;
	}
	return facts;
}

void fargs_pt_span(const struct fargs_pt_input *in, uint64_t *first_ns, uint64_t *last_ns)
{
	*first_ns = in->first_ns;
	*last_ns = in->last_ns;
}

void fargs_pt_events_describe(struct fargs_meta *meta, unsigned int nr_cpus)
{
	meta->info.nr_cpus = nr_cpus;
	/* Times are in ns. With this TSC frequency, in kHz, a tick is one ns. */
	meta->info.tsc_khz = 1000000;
	meta->is_bare = true;
}

void fargs_pt_describe_event(struct fargs_perf_meta *perf, const struct fargs_pt_input *in,
			     unsigned int type, const char *name)
{
	unsigned int nr_cpus;
	uint32_t facts = fargs_pt_facts(in, &nr_cpus);
	size_t n = strlen(name);

	if (n > perf->name_width)
		perf->name_width = n;
	if (!perf->names[type])
		perf->names[type] = name;
	perf->sample_types[type] = PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_ADDR |
				   PERF_SAMPLE_PERIOD |
				   (facts & FARGS_FACT_TIMES ? PERF_SAMPLE_TIME : 0) |
				   (facts & FARGS_FACT_CPUS ? PERF_SAMPLE_CPU : 0);
}
