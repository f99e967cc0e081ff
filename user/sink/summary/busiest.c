// SPDX-License-Identifier: GPL-2.0-only
#include "sink/summary/busiest.h"

#include <stdio.h>
#include <string.h>

#include "base/glob.h"
#include "base/put.h"
#include "kernel/sym/ksyms.h"
#include "sink/text/found.h"

#define NAME_COLUMNS	28
#define TIME_COLUMNS	12

static bool has_times(const struct fargs_summary *s)
{
	size_t i;

	for (i = 0; i < s->nr; i++)
		if (s->rows[i].ns.nr)
			return true;
	return false;
}

bool fargs_busiest_wants(const char *filter, const char *name)
{
	const char *module = strstr(name, " [");
	char function[FARGS_KSYM_NAME_LEN];

	if (!*filter)
		return true;
	if (!fargs_glob_is_pattern(filter))
		return strstr(name, filter);
	/* As in selectors, globs match the name of the function without that of its module. */
	snprintf(function, sizeof(function), "%.*s",
		 (int)(module ? (size_t)(module - name) : strlen(name)), name);
	return fargs_glob_match(filter, function);
}

void fargs_busiest_put_head(struct fargs_buf *out, const struct fargs_summary *s)
{
	fargs_put(out, "   count/s     count  errors");
	if (has_times(s))
		fargs_put(out, "         p50         p99         max");
	fargs_put(out, "  function                      most frequent value");
}

static void put_time(struct fargs_buf *out, const struct fargs_quantiles *ns, uint64_t v)
{
	struct fargs_buf text = { };

	if (ns->nr)
		fargs_found_put_ns(&text, v);
	else
		fargs_put_char(&text, '-');
	if (text.n < TIME_COLUMNS)
		fargs_buf_fill(out, ' ', TIME_COLUMNS - text.n);
	fargs_buf_add(out, text.text, text.n);
	out->is_short |= text.is_short;
	fargs_buf_deinit(&text);
}

/*
 * Writes the most frequent value and its share: "count=4096 (75%)". The share is of all calls or,
 * if @s->top is set, of the calls that have the requested value.
 */
static void put_most_frequent(struct fargs_buf *out, const struct fargs_summary *s,
			      const struct fargs_summary_row *row)
{
	const struct fargs_top_entry *e = row->top.entries;
	uint64_t of = s->top ? row->top.total : row->nr;

	if (!row->top.nr)
		return;
	if (s->top) {
		fargs_put_escaped(out, fargs_wanted_name(s->top),
				  strlen(fargs_wanted_name(s->top)), NULL);
		fargs_put_char(out, '=');
	}
	fargs_buf_add(out, e->text, e->len);
	fargs_put(out, " (");
	/* The count is an estimate that may include other values: limit the share to 100%. */
	fargs_put_u64(out, of ? (e->nr > of ? 100 : e->nr * 100 / of) : 0, 0, 0);
	fargs_put(out, "%)");
}

static void put_row(struct fargs_buf *out, const struct fargs_summary *s,
		    const struct fargs_summary_row *row, uint64_t ms, bool has_times)
{
	size_t from;

	fargs_put_u64(out, ms ? (row->nr * 1000 + ms / 2) / ms : 0, 10, ' ');
	fargs_put_u64(out, row->nr, 10, ' ');
	fargs_put_u64(out, row->nr_errors, 8, ' ');
	if (has_times) {
		put_time(out, &row->ns, fargs_quantiles_at(&row->ns, 500));
		put_time(out, &row->ns, fargs_quantiles_at(&row->ns, 990));
		put_time(out, &row->ns, row->ns.max);
	}
	fargs_put(out, "  ");
	from = out->n;
	fargs_put_escaped(out, row->name, strlen(row->name), NULL);
	if (out->n - from < NAME_COLUMNS)
		fargs_buf_fill(out, ' ', NAME_COLUMNS - (out->n - from));
	fargs_put(out, "  ");
	put_most_frequent(out, s, row);
	while (out->n > from && out->text[out->n - 1] == ' ')
		out->n--;
	fargs_put_char(out, '\n');
}

void fargs_busiest_put(struct fargs_buf *out, const struct fargs_summary *s, uint64_t ms,
		       const char *filter, size_t most)
{
	bool times = has_times(s);
	size_t i;

	for (i = 0; i < s->nr && most; i++) {
		if (!fargs_busiest_wants(filter, s->rows[i].name))
			continue;
		put_row(out, s, &s->rows[i], ms, times);
		most--;
	}
}
