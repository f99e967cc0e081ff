// SPDX-License-Identifier: GPL-2.0-only
#include "source/pt/decode/flow.h"

#include <stdlib.h>
#include <string.h>

/* Initial size of the array of items. */
#define ITEMS_MIN	256
/* Initial size of the array of sizes. */
#define SIZES_MIN	4096
/* Initial size of the array of words. */
#define WORDS_MIN	256
/* Maximum error of times, in MTC periods. */
#define ERROR_PERIODS	4

void fargs_pt_flow_deinit(struct fargs_pt_flow *flow)
{
	free(flow->items);
	free(flow->cycles);
	free(flow->sizes);
	free(flow->words);
	*flow = (struct fargs_pt_flow){ };
}

uint64_t fargs_pt_flow_tick(const struct fargs_pt_config *config)
{
	if (!config->has_mtc || !config->cpuid_0x15_eax || !config->cpuid_0x15_ebx)
		return 0;
	return ((uint64_t)config->cpuid_0x15_ebx << config->mtc_freq) / config->cpuid_0x15_eax + 1;
}

uint64_t fargs_pt_flow_error(const struct fargs_pt_config *config)
{
	uint64_t ticks = fargs_pt_flow_tick(config);

	if (!config->has_tsc || (!ticks && (config->has_cyc || config->has_mtc)))
		return UINT64_MAX;
	return ERROR_PERIODS * ticks;
}

uint64_t fargs_pt_flow_lag(const struct fargs_pt_config *config)
{
	return config->has_mtc || config->has_cyc ? fargs_pt_flow_error(config) : UINT64_MAX;
}

bool fargs_pt_flow_grow(struct fargs_pt_flow *flow)
{
	size_t room = flow->room ? 2 * flow->room : ITEMS_MIN;
	struct fargs_pt_item *larger = realloc(flow->items, room * sizeof(*larger));

	if (!larger)
		return false;
	flow->items = larger;
	flow->room = room;
	return true;
}

size_t fargs_pt_flow_keep_sizes(struct fargs_pt_flow *flow, const uint8_t *sizes, size_t nr)
{
	size_t room = flow->sizes_room ? flow->sizes_room : SIZES_MIN, at = flow->nr_sizes;
	uint8_t *larger;

	while (room - at < nr)
		room *= 2;
	if (room != flow->sizes_room) {
		larger = realloc(flow->sizes, room);
		if (!larger)
			return SIZE_MAX;
		flow->sizes = larger;
		flow->sizes_room = room;
	}
	memcpy(flow->sizes + at, sizes, nr);
	flow->nr_sizes += nr;
	return at;
}

size_t fargs_pt_flow_keep_words(struct fargs_pt_flow *flow, const uint64_t *words, size_t nr)
{
	size_t room = flow->words_room ? flow->words_room : WORDS_MIN, at = flow->nr_words;
	uint64_t *larger;

	while (room - at < nr)
		room *= 2;
	if (room != flow->words_room) {
		larger = realloc(flow->words, room * sizeof(*larger));
		if (!larger)
			return SIZE_MAX;
		flow->words = larger;
		flow->words_room = room;
	}
	memcpy(flow->words + at, words, nr * sizeof(*words));
	flow->nr_words += nr;
	return at;
}
