// SPDX-License-Identifier: GPL-2.0-only
#include "source/pt/input/address_filter.h"

#include <stdlib.h>
#include <string.h>

/* Parses the filter at *@text, and moves to the next one. Returns false if it has no range. */
static bool parse_range(const char **text, struct fargs_pt_range *range)
{
	const char *at = *text + strlen("filter ");
	char *end;
	uint64_t size;

	if (strncmp(*text, "filter ", strlen("filter ")))
		return false;
	range->first = strtoull(at, &end, 0);
	if (end == at || *end != '/')
		return false;
	at = end + 1;
	size = strtoull(at, &end, 0);
	range->last = range->first + size - 1;
	if (end == at || !size || range->last < range->first || (*end && *end != ','))
		return false;
	*text = *end ? end + 1 : end;
	return true;
}

void fargs_pt_address_filter_parse(struct fargs_pt_config *config, const char *text)
{
	config->nr_ranges = 0;
	while (*text) {
		if (config->nr_ranges == FARGS_PT_RANGES ||
		    !parse_range(&text, &config->ranges[config->nr_ranges])) {
			config->nr_ranges = 0;
			return;
		}
		config->nr_ranges++;
	}
}
