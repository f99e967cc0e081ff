// SPDX-License-Identifier: GPL-2.0-only
#include "source/pt/capture/filter.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"

#define BLANKS	" \t\n"

static int no_memory(struct fargs_error_text *err)
{
	return fargs_fail(err, ENOMEM, "out of memory");
}

static void skip_blanks(const char **at)
{
	*at += strspn(*at, BLANKS);
}

/* Returns the number of characters up to the next blank or comma. */
static int word_length(const char *at)
{
	return strcspn(at, BLANKS ",");
}

static int parse_number(const char **at, uint64_t *value, struct fargs_error_text *err)
{
	char *end;

	errno = 0;
	*value = strtoull(*at, &end, 0);
	if (errno || (*end && !strchr(BLANKS ",/@", *end)))
		return fargs_fail(err, EINVAL, "'%.*s' is not a number", word_length(*at), *at);
	*at = end;
	return 0;
}

/* Parses "#2" or "#g" after a symbol. */
static int parse_nth(const char **at, int *nth, struct fargs_error_text *err)
{
	unsigned long value;
	const char *begin;
	char *end;

	*nth = FARGS_PT_FILTER_ANY;
	skip_blanks(at);
	if (**at != '#')
		return 0;
	begin = *at + 1;
	if (*begin == 'g' || *begin == 'G') {
		*nth = FARGS_PT_FILTER_GLOBAL;
		end = (char *)begin + 1;
	} else {
		value = isdigit(*begin) ? strtoul(begin, &end, 0) : ULONG_MAX;
		if (value > INT_MAX)
			return fargs_fail(err, EINVAL, "'%.*s' is not the number of a symbol: "
					  "give '#1' for the first, '#g' for a global one",
					  word_length(*at), *at);
		*nth = value;
	}
	*at = end;
	return 0;
}

/* @what: what is missing if there is neither a number nor a symbol. */
static int parse_place(const char **at, uint64_t *value, struct fargs_pt_filter_symbol *symbol,
		       const char *what, struct fargs_error_text *err)
{
	int n;

	skip_blanks(at);
	if (isdigit(**at))
		return parse_number(at, value, err);
	n = word_length(*at);
	if (!n || strchr("/@#", **at))
		return fargs_fail(err, EINVAL, "%s is missing", what);
	symbol->name = strndup(*at, n);
	if (!symbol->name)
		return no_memory(err);
	*at += n;
	return parse_nth(at, &symbol->nth, err);
}

static int parse_action(const char **at, struct fargs_pt_filter *filter,
			struct fargs_error_text *err)
{
	static const struct {
		const char *name, *action;
		bool is_range;
	} actions[] = {
		{ "filter", "filter", true }, { "start", "start", false },
		{ "stop", "stop", false }, { "tracestop", "stop", true },
	};
	size_t i, n;

	n = word_length(*at);
	for (i = 0; i < sizeof(actions) / sizeof(actions[0]); i++) {
		if (strlen(actions[i].name) != n || strncmp(actions[i].name, *at, n))
			continue;
		filter->action = actions[i].action;
		filter->is_range = actions[i].is_range;
		*at += n;
		return 0;
	}
	return fargs_fail(err, EINVAL, "'%.*s' is none of 'filter', 'start', 'stop' and "
			  "'tracestop'", (int)n, *at);
}

static int parse_object(const char **at, struct fargs_pt_filter *filter,
			struct fargs_error_text *err)
{
	int n;

	skip_blanks(at);
	n = word_length(*at);
	if (!n)
		return fargs_fail(err, EINVAL, "the file after '@' is missing");
	filter->object = strndup(*at, n);
	*at += n;
	return filter->object ? 0 : no_memory(err);
}

static int parse_filter(const char **at, struct fargs_pt_filter *filter,
			struct fargs_error_text *err)
{
	int ret = parse_action(at, filter, err);

	if (!ret)
		ret = parse_place(at, &filter->addr, &filter->from,
				  "the address or the symbol after the action", err);
	if (ret)
		return ret;
	skip_blanks(at);
	if (**at == '/') {
		++*at;
		filter->is_range = true;
		ret = parse_place(at, &filter->bytes, &filter->to,
				  "the size or the symbol after '/'", err);
		skip_blanks(at);
	}
	if (!ret && **at == '@') {
		++*at;
		ret = parse_object(at, filter, err);
	}
	if (!ret && filter->is_range && !filter->from.name && !filter->to.name && !filter->bytes)
		ret = fargs_fail(err, EINVAL, "the range at 0x%" PRIx64 " has no size: give it "
				 "after '/'", filter->addr);
	*at += strspn(*at, BLANKS ",");
	return ret;
}

int fargs_pt_filters_parse(struct fargs_pt_filters *filters, const char *text,
			   struct fargs_error_text *err)
{
	struct fargs_pt_filter *filter;
	int ret = 0;

	skip_blanks(&text);
	if (!*text)
		return fargs_fail(err, EINVAL, "it is empty: give a filter like 'filter "
				  "vfs_read'");
	while (!ret && *text) {
		filter = fargs_array_add(filters->all, filters->nr);
		if (!filter)
			return no_memory(err);
		*filter = (struct fargs_pt_filter){
			.from.nth = FARGS_PT_FILTER_ANY, .to.nth = FARGS_PT_FILTER_ANY,
		};
		ret = parse_filter(&text, filter, err);
	}
	return ret;
}

static int compare_filters(const void *a, const void *b)
{
	const struct fargs_pt_filter *x = a, *y = b;

	return x->addr < y->addr ? -1 : x->addr > y->addr;
}

static uint64_t end_of(const struct fargs_pt_filter *filter)
{
	return filter->addr + filter->bytes;
}

/* Makes one range of the range @i and the next one. */
static void join(struct fargs_pt_filters *ranges, size_t i)
{
	struct fargs_pt_filter *at = &ranges->all[i];
	uint64_t end = end_of(at) > end_of(at + 1) ? end_of(at) : end_of(at + 1);

	at->bytes = end - at->addr;
	memmove(at + 1, at + 2, (ranges->nr - i - 2) * sizeof(*at));
	ranges->nr--;
}

/* Returns the range that is nearest to the one after it. */
static size_t find_nearest(const struct fargs_pt_filters *ranges)
{
	uint64_t gap, least = UINT64_MAX;
	size_t i, best = 0;

	for (i = 0; i + 1 < ranges->nr; i++) {
		gap = ranges->all[i + 1].addr - end_of(&ranges->all[i]);
		if (gap < least) {
			least = gap;
			best = i;
		}
	}
	return best;
}

static void merge(struct fargs_pt_filters *ranges, size_t max)
{
	size_t i = 0;

	qsort(ranges->all, ranges->nr, sizeof(*ranges->all), compare_filters);
	while (i + 1 < ranges->nr) {
		if (ranges->all[i + 1].addr <= end_of(&ranges->all[i]))
			join(ranges, i);
		else
			i++;
	}
	while (ranges->nr > max)
		join(ranges, find_nearest(ranges));
}

int fargs_pt_filters_add_functions(struct fargs_pt_filters *filters, const uint64_t *addrs,
				   size_t nr, size_t max, const struct fargs_ksyms *ks,
				   uint64_t *nr_bytes, struct fargs_error_text *err)
{
	const struct fargs_ksym *sym;
	struct fargs_pt_filter *to;
	size_t i;

	for (i = 0; i < nr; i++) {
		sym = ks ? fargs_ksyms_find_addr(ks, addrs[i]) : NULL;
		if (!sym)
			return fargs_fail(err, ENOENT, "no function is known at 0x%" PRIx64,
					  addrs[i]);
		to = fargs_array_add(filters->all, filters->nr);
		if (!to)
			return no_memory(err);
		*to = (struct fargs_pt_filter){
			.action = "filter", .is_range = true, .addr = sym->addr,
			.bytes = fargs_ksyms_end(ks, sym) - sym->addr,
		};
	}
	merge(filters, max);
	*nr_bytes = 0;
	for (i = 0; i < filters->nr; i++)
		*nr_bytes += filters->all[i].bytes;
	return 0;
}

char *fargs_pt_filters_text(const struct fargs_pt_filters *filters)
{
	const struct fargs_pt_filter *filter;
	size_t i, size;
	char *text;
	FILE *out = open_memstream(&text, &size);

	for (i = 0; out && i < filters->nr; i++) {
		filter = &filters->all[i];
		fprintf(out, "%s%s 0x%" PRIx64, i ? "," : "", filter->action, filter->addr);
		if (filter->is_range)
			fprintf(out, "/0x%" PRIx64, filter->bytes);
		if (filter->object)
			fprintf(out, "@%s", filter->object);
	}
	if (!out)
		return NULL;
	if (fclose(out)) {
		free(text);
		return NULL;
	}
	return text;
}

void fargs_pt_filters_deinit(struct fargs_pt_filters *filters)
{
	size_t i;

	for (i = 0; i < filters->nr; i++) {
		free(filters->all[i].from.name);
		free(filters->all[i].to.name);
		free(filters->all[i].object);
	}
	free(filters->all);
	*filters = (struct fargs_pt_filters){ };
}
