// SPDX-License-Identifier: GPL-2.0-only
#include "source/perf_data/event_name.h"

#include <stdio.h>
#include <string.h>

#include "model/event.h"

static const char *const hardware[] = {
	[PERF_COUNT_HW_CPU_CYCLES] = "cycles",
	[PERF_COUNT_HW_INSTRUCTIONS] = "instructions",
	[PERF_COUNT_HW_CACHE_REFERENCES] = "cache-references",
	[PERF_COUNT_HW_CACHE_MISSES] = "cache-misses",
	[PERF_COUNT_HW_BRANCH_INSTRUCTIONS] = "branches",
	[PERF_COUNT_HW_BRANCH_MISSES] = "branch-misses",
	[PERF_COUNT_HW_BUS_CYCLES] = "bus-cycles",
	[PERF_COUNT_HW_STALLED_CYCLES_FRONTEND] = "stalled-cycles-frontend",
	[PERF_COUNT_HW_STALLED_CYCLES_BACKEND] = "stalled-cycles-backend",
	[PERF_COUNT_HW_REF_CPU_CYCLES] = "ref-cycles",
};

static const char *const software[] = {
	[PERF_COUNT_SW_CPU_CLOCK] = "cpu-clock",
	[PERF_COUNT_SW_TASK_CLOCK] = "task-clock",
	[PERF_COUNT_SW_PAGE_FAULTS] = "page-faults",
	[PERF_COUNT_SW_CONTEXT_SWITCHES] = "context-switches",
	[PERF_COUNT_SW_CPU_MIGRATIONS] = "cpu-migrations",
	[PERF_COUNT_SW_PAGE_FAULTS_MIN] = "minor-faults",
	[PERF_COUNT_SW_PAGE_FAULTS_MAJ] = "major-faults",
	[PERF_COUNT_SW_ALIGNMENT_FAULTS] = "alignment-faults",
	[PERF_COUNT_SW_EMULATION_FAULTS] = "emulation-faults",
	[PERF_COUNT_SW_DUMMY] = "dummy",
	[PERF_COUNT_SW_BPF_OUTPUT] = "bpf-output",
	[PERF_COUNT_SW_CGROUP_SWITCHES] = "cgroup-switches",
};

/* Other names of the same events. */
static const struct {
	const char *alias, *name;
} aliases[] = {
	{ "cpu-cycles", "cycles" },
	{ "branch-instructions", "branches" },
	{ "idle-cycles-frontend", "stalled-cycles-frontend" },
	{ "idle-cycles-backend", "stalled-cycles-backend" },
	{ "faults", "page-faults" },
	{ "cs", "context-switches" },
	{ "migrations", "cpu-migrations" },
};

static const char *known_name(const struct perf_event_attr *attr)
{
	if (attr->type == PERF_TYPE_HARDWARE &&
	    attr->config < sizeof(hardware) / sizeof(hardware[0]))
		return hardware[attr->config];
	if (attr->type == PERF_TYPE_SOFTWARE &&
	    attr->config < sizeof(software) / sizeof(software[0]))
		return software[attr->config];
	return NULL;
}

/*
 * Writes modifiers as perf does up to 6.11: if any mode is excluded, a letter for each mode that is
 * counted.
 */
static void put_modifiers(char *to, const struct perf_event_attr *attr)
{
	bool is_guest_left_out = false;
	char *at = to + 1;
	unsigned int i;

	if (attr->exclude_kernel || attr->exclude_user || attr->exclude_hv) {
		if (!attr->exclude_kernel)
			*at++ = 'k';
		if (!attr->exclude_user)
			*at++ = 'u';
		if (!attr->exclude_hv)
			*at++ = 'h';
		is_guest_left_out = true;
	}
	for (i = 0; i < attr->precise_ip; i++) {
		*at++ = 'p';
		is_guest_left_out = true;
	}
	if (attr->exclude_host || attr->exclude_guest == is_guest_left_out) {
		if (!attr->exclude_host)
			*at++ = 'H';
		if (!attr->exclude_guest)
			*at++ = 'G';
	}
	if (at != to + 1)
		*to = ':';
	*at = '\0';
}

char *fargs_perf_event_name(const struct perf_event_attr *attr)
{
	const char *name = known_name(attr);
	char modifiers[16] = "", *text;

	put_modifiers(modifiers, attr);
	if (name)
		return asprintf(&text, "%s%s", name, modifiers) < 0 ? NULL : text;
	if (attr->type == PERF_TYPE_RAW)
		return asprintf(&text, "raw 0x%llx%s", (unsigned long long)attr->config,
				modifiers) < 0 ? NULL : text;
	/* perf does not know PMUs of other machines. */
	if (attr->type > PERF_TYPE_BREAKPOINT)
		return asprintf(&text, "unknown attr type: %u", attr->type) < 0 ? NULL : text;
	return asprintf(&text, "type %u config 0x%llx%s", attr->type,
			(unsigned long long)attr->config, modifiers) < 0 ? NULL : text;
}

static bool find(const char *const *names, size_t nr, const char *name, uint64_t *config)
{
	size_t i;

	for (i = 0; i < nr; i++) {
		if (!names[i] || strcmp(names[i], name))
			continue;
		*config = i;
		return true;
	}
	return false;
}

bool fargs_perf_event_find(const char *name, uint32_t *type, uint64_t *config)
{
	size_t i;

	for (i = 0; i < sizeof(aliases) / sizeof(aliases[0]); i++)
		if (!strcmp(aliases[i].alias, name))
			name = aliases[i].name;
	*type = PERF_TYPE_HARDWARE;
	if (find(hardware, sizeof(hardware) / sizeof(hardware[0]), name, config))
		return true;
	*type = PERF_TYPE_SOFTWARE;
	return find(software, sizeof(software) / sizeof(software[0]), name, config);
}

uint8_t fargs_perf_event_type(const struct perf_event_attr *attr)
{
	_Static_assert(FARGS_PERF_BREAKPOINT == (int)PERF_TYPE_BREAKPOINT, "perf's order");
	return attr->type <= PERF_TYPE_BREAKPOINT ? attr->type : FARGS_PERF_OTHER;
}

bool fargs_perf_event_has_code_addr(const struct perf_event_attr *attr)
{
	if (!(attr->sample_type & PERF_SAMPLE_ADDR))
		return false;
	if (attr->type == PERF_TYPE_SOFTWARE)
		return attr->config == PERF_COUNT_SW_PAGE_FAULTS ||
		       attr->config == PERF_COUNT_SW_PAGE_FAULTS_MIN ||
		       attr->config == PERF_COUNT_SW_PAGE_FAULTS_MAJ;
	return attr->type == PERF_TYPE_HARDWARE && attr->sample_period == 1 &&
	       attr->config & PERF_COUNT_HW_BRANCH_INSTRUCTIONS;
}
