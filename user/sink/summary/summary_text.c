// SPDX-License-Identifier: GPL-2.0-only
#include "sink/summary/summary_text.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/put.h"
#include "sink/text/found.h"

/* Length of the longest bar of a histogram, in columns. */
#define BAR_COLUMNS	40
/* Width of the label of a bar, in columns. */
#define RANGE_COLUMNS	28
/* Maximum number of consecutive empty bars that are drawn. */
#define GAP_ROWS	3
/* Maximum number of values listed: most frequent values, and values that are not numbers. */
#define TOP_ROWS	5
#define NAME_ROWS	20

/* Writes @text, which is ASCII, right-aligned in @width columns. */
static void put_right(struct fargs_buf *out, const char *text, size_t n, size_t width)
{
	if (n < width)
		fargs_buf_fill(out, ' ', width - n);
	fargs_buf_add(out, text, n);
}

static void put_ns(struct fargs_buf *out, unsigned __int128 ns, size_t width)
{
	struct fargs_buf text = { };

	fargs_found_put_ns(&text, ns > UINT64_MAX ? UINT64_MAX : (uint64_t)ns);
	put_right(out, text.text, text.n, width);
	fargs_buf_deinit(&text);
}

/*
 * Returns the width of the column of names. Each byte counts as one column: escaped names have no
 * control characters, and UTF-8 is rare.
 */
static size_t name_width(const struct fargs_summary *s)
{
	size_t i, n, width = strlen("function");

	for (i = 0; i < s->nr; i++) {
		n = strlen(s->rows[i].name);
		if (n > width)
			width = n;
	}
	return width > 48 ? 48 : width;
}

static void put_name(struct fargs_buf *out, const char *name, size_t width)
{
	size_t from = out->n;

	fargs_put_escaped(out, name, strlen(name), NULL);
	if (out->n - from < width)
		fargs_buf_fill(out, ' ', width - (out->n - from));
}

/* Writes a share as a percentage, such as "25%"; "<1%" if it would be rounded to 0. */
static void put_share(struct fargs_buf *out, uint64_t nr, uint64_t total)
{
	/* A double is precise enough for a percentage. */
	unsigned int percent = total ? 100.0 * nr / total + 0.5 : 0;

	if (!percent && nr) {
		fargs_put(out, "<1%");
		return;
	}
	fargs_put_u64(out, percent, 0, 0);
	fargs_put_char(out, '%');
}

static void put_top(struct fargs_buf *out, const char *name, const struct fargs_top *top,
		    size_t most)
{
	const struct fargs_top_entry *e;
	uint64_t rest = top->total;
	size_t i;

	for (i = 0; i < top->nr && i < most; i++) {
		e = &top->entries[i];
		fargs_put(out, "    ");
		fargs_put_u64(out, e->nr, 10, ' ');
		/* A "-" marks a count that may be too high. */
		fargs_put(out, e->too_many ? "- " : "  ");
		fargs_put_escaped(out, name, strlen(name), NULL);
		fargs_put(out, " = ");
		fargs_buf_add(out, e->text, e->len);
		fargs_put(out, " (");
		put_share(out, e->nr, top->total);
		fargs_put(out, ")\n");
		rest -= e->nr < rest ? e->nr : rest;
	}
	if (top->nr > most && rest) {
		fargs_put(out, "    ");
		fargs_put_u64(out, rest, 10, ' ');
		fargs_put(out, "  others\n");
	}
}

void fargs_summary_put_table(struct fargs_buf *out, const struct fargs_summary *s)
{
	static const unsigned int quantiles[] = { 500, 900, 990 };
	const struct fargs_summary_row *row;
	size_t i, j, width = name_width(s);
	bool has_times = false;

	for (i = 0; i < s->nr; i++)
		has_times |= s->rows[i].ns.nr;
	put_name(out, "function", width);
	fargs_put(out, "      count   errors        bytes");
	if (has_times)
		fargs_put(out, "       total        mean         p50         p90         p99"
			  "         max");
	fargs_put_char(out, '\n');
	for (i = 0; i < s->nr; i++) {
		row = &s->rows[i];
		put_name(out, row->name, width);
		fargs_put_u64(out, row->nr, 11, ' ');
		fargs_put_u64(out, row->nr_errors, 9, ' ');
		fargs_put_u64(out, row->bytes, 13, ' ');
		if (row->ns.nr) {
			put_ns(out, row->ns.sum, 12);
			put_ns(out, fargs_quantiles_mean(&row->ns), 12);
			for (j = 0; j < 3; j++)
				put_ns(out, fargs_quantiles_at(&row->ns, quantiles[j]), 12);
			put_ns(out, row->ns.max, 12);
		}
		fargs_put_char(out, '\n');
		if (s->top)
			put_top(out, fargs_wanted_name(s->top), &row->top, TOP_ROWS);
	}
}

static void put_bar(struct fargs_buf *out, uint64_t nr, uint64_t most)
{
	unsigned int n = most ? 1.0 * BAR_COLUMNS * nr / most : 0;

	/* Draw at least one character for a count that is not 0. */
	n += !n && nr;
	fargs_put(out, " |");
	fargs_buf_fill(out, '@', n);
	fargs_buf_fill(out, ' ', BAR_COLUMNS - n);
	fargs_put(out, "|\n");
}

static void put_s128(struct fargs_buf *out, __int128 v)
{
	unsigned __int128 size = v;

	if (v < 0)
		fargs_put_char(out, '-');
	fargs_put_u128(out, v < 0 ? -size : size);
}

/* Replaces the contents of @text by the range of numbers counted in bar @i. */
static void put_range(struct fargs_buf *text, const struct fargs_summary_row *row, unsigned int i)
{
	__int128 from, to;

	text->n = 0;
	fargs_histogram_range(i, &from, &to);
	if (row->is_duration) {
		fargs_found_put_ns(text, from);
		fargs_put(text, " to ");
		fargs_found_put_ns(text, to);
		return;
	}
	put_s128(text, from);
	if (to != from) {
		fargs_put(text, " to ");
		put_s128(text, to);
	}
}

static void put_bars(struct fargs_buf *out, const struct fargs_summary_row *row)
{
	const struct fargs_histogram *h = row->histogram;
	unsigned int i, j, first = FARGS_HISTOGRAM_BARS, last = 0;
	size_t width = RANGE_COLUMNS;
	struct fargs_buf text = { };
	uint64_t most = 0;

	for (i = 0; i < FARGS_HISTOGRAM_BARS; i++) {
		if (!h->bars[i])
			continue;
		put_range(&text, row, i);
		if (text.n > width)
			width = text.n;
		if (first == FARGS_HISTOGRAM_BARS)
			first = i;
		last = i;
		if (h->bars[i] > most)
			most = h->bars[i];
	}
	for (i = first; i <= last; i++) {
		for (j = i; !h->bars[j]; j++)
			;
		/* Abbreviate long runs of empty bars. */
		if (j - i > GAP_ROWS) {
			put_right(out, "...", 3, width);
			fargs_put_char(out, '\n');
			i = j;
		}
		put_range(&text, row, i);
		put_right(out, text.text, text.n, width);
		fargs_put_u64(out, h->bars[i], 11, ' ');
		put_bar(out, h->bars[i], most);
	}
	out->is_short |= text.is_short;
	fargs_buf_deinit(&text);
}

static void put_named_bars(struct fargs_buf *out, const struct fargs_summary_row *row)
{
	const struct fargs_top_entry *e;
	size_t i;

	for (i = 0; i < row->names.nr && i < NAME_ROWS; i++) {
		e = &row->names.entries[i];
		put_right(out, e->text, e->len, RANGE_COLUMNS);
		fargs_put_u64(out, e->nr, 11, ' ');
		put_bar(out, e->nr, row->names.entries[0].nr);
	}
	if (row->names.nr > NAME_ROWS) {
		put_right(out, "...", 3, RANGE_COLUMNS);
		fargs_put_char(out, '\n');
	}
}

void fargs_summary_put_histograms(struct fargs_buf *out, const struct fargs_summary *s)
{
	const struct fargs_summary_row *row;
	bool is_first = true;
	size_t i;

	for (i = 0; i < s->nr; i++) {
		row = &s->rows[i];
		if (!row->histogram && !row->names.nr)
			continue;
		if (!is_first)
			fargs_put_char(out, '\n');
		is_first = false;
		put_name(out, row->name, 0);
		fargs_put(out, ": ");
		put_name(out, fargs_wanted_name(s->hist), 0);
		fargs_put(out, ", ");
		fargs_put_u64(out, (row->histogram ? row->histogram->nr : 0) + row->names.total, 0,
			      0);
		fargs_put(out, " times\n");
		if (row->histogram)
			put_bars(out, row);
		put_named_bars(out, row);
	}
}

/* The rows of a function in both summaries; NULL: the function is not in that summary. */
struct pair {
	const struct fargs_summary_row *before, *after;
};

static const char *pair_name(const struct pair *p)
{
	return p->before ? p->before->name : p->after->name;
}

static __int128 change(const struct pair *p)
{
	__int128 total = (__int128)(p->after ? p->after->ns.sum : 0) -
			 (__int128)(p->before ? p->before->ns.sum : 0);

	return total < 0 ? -total : total;
}

static int64_t change_of_nr(const struct pair *p)
{
	int64_t nr = (p->after ? p->after->nr : 0) - (p->before ? p->before->nr : 0);

	return nr < 0 ? -nr : nr;
}

static int compare_pairs(const void *a, const void *b)
{
	const struct pair *x = a, *y = b;

	if (change(x) != change(y))
		return change(x) < change(y) ? 1 : -1;
	if (change_of_nr(x) != change_of_nr(y))
		return change_of_nr(x) < change_of_nr(y) ? 1 : -1;
	return strcmp(pair_name(x), pair_name(y));
}

static int compare_names(const void *a, const void *b)
{
	const struct fargs_summary_row *const *x = a, *const *y = b;

	return strcmp((*x)->name, (*y)->name);
}

/* Returns the rows sorted by name and terminated by NULL; returns NULL if out of memory. */
static const struct fargs_summary_row **sort_names(const struct fargs_summary *s)
{
	const struct fargs_summary_row **rows = calloc(s->nr + 1, sizeof(*rows));
	size_t i;

	for (i = 0; rows && i < s->nr; i++)
		rows[i] = &s->rows[i];
	if (rows)
		qsort(rows, s->nr, sizeof(*rows), compare_names);
	return rows;
}

static size_t join(struct pair *pairs, const struct fargs_summary_row **before,
		   const struct fargs_summary_row **after)
{
	size_t n = 0;
	int order;

	/* Both arrays are NULL-terminated. */
	while (*before || *after) {
		order = !*before ? 1 : !*after ? -1 : strcmp((*before)->name, (*after)->name);
		pairs[n].before = order <= 0 ? *before++ : NULL;
		pairs[n].after = order >= 0 ? *after++ : NULL;
		n++;
	}
	return n;
}

/* Writes a relative change, such as "+12.5%"; "new" or "gone" if one of the values is 0. */
static void put_change(struct fargs_buf *out, unsigned __int128 before, unsigned __int128 after)
{
	unsigned __int128 size = after > before ? after - before : before - after, permille;
	struct fargs_buf text = { };

	if (!before && !after) {
		fargs_put_char(&text, '-');
	} else if (!before) {
		fargs_put(&text, "new");
	} else if (!after) {
		fargs_put(&text, "gone");
	} else {
		permille = (size * 2000 / before + 1) / 2;
		fargs_put_char(&text, after < before ? '-' : '+');
		fargs_put_u128(&text, permille / 10);
		fargs_put_char(&text, '.');
		fargs_put_u64(&text, permille % 10, 0, 0);
		fargs_put_char(&text, '%');
	}
	put_right(out, text.text, text.n, 10);
	fargs_buf_deinit(&text);
}

static void put_pair(struct fargs_buf *out, const struct pair *p, size_t width)
{
	static const struct fargs_summary_row none = { };
	const struct fargs_summary_row *before = p->before ? p->before : &none;
	const struct fargs_summary_row *after = p->after ? p->after : &none;

	put_name(out, pair_name(p), width);
	fargs_put_u64(out, before->nr, 11, ' ');
	fargs_put_u64(out, after->nr, 11, ' ');
	put_change(out, before->nr, after->nr);
	if (before->ns.nr || after->ns.nr) {
		put_ns(out, before->ns.sum, 13);
		put_ns(out, after->ns.sum, 13);
		put_change(out, before->ns.sum, after->ns.sum);
		put_ns(out, fargs_quantiles_at(&before->ns, 500), 13);
		put_ns(out, fargs_quantiles_at(&after->ns, 500), 13);
		put_change(out, fargs_quantiles_at(&before->ns, 500),
			   fargs_quantiles_at(&after->ns, 500));
	}
	fargs_put_char(out, '\n');
}

int fargs_summary_put_diff(struct fargs_buf *out, const struct fargs_summary *before,
			   const struct fargs_summary *after)
{
	const struct fargs_summary_row **old = sort_names(before), **new = sort_names(after);
	struct pair *pairs = calloc(before->nr + after->nr + 1, sizeof(*pairs));
	size_t i, n, width = name_width(before);
	bool has_times = false;

	if (!old || !new || !pairs) {
		free(old);
		free(new);
		free(pairs);
		return -ENOMEM;
	}
	if (name_width(after) > width)
		width = name_width(after);
	n = join(pairs, old, new);
	qsort(pairs, n, sizeof(*pairs), compare_pairs);
	for (i = 0; i < n; i++)
		has_times |= (pairs[i].before && pairs[i].before->ns.nr) ||
			     (pairs[i].after && pairs[i].after->ns.nr);
	put_name(out, "function", width);
	fargs_put(out, "      count        now    change");
	if (has_times)
		fargs_put(out, "        total          now    change          p50          now"
			  "    change");
	fargs_put_char(out, '\n');
	for (i = 0; i < n; i++)
		put_pair(out, &pairs[i], width);
	free(old);
	free(new);
	free(pairs);
	return 0;
}
