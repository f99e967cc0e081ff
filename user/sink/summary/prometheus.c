// SPDX-License-Identifier: GPL-2.0-only
#include "sink/summary/prometheus.h"

#include <errno.h>
#include <string.h>

#include "base/outfile.h"
#include "base/put.h"
#include "model/event_record.h"

#define NS	1000000000u

/*
 * Bounds of the durations: a factor of four apart, from 256 ns to 17 s. Quantiles know exactly how
 * many durations are below a power of two; "le" includes its bound, which is one ns less.
 */
#define FIRST_BITS	8
#define LAST_BITS	34
#define STEP_BITS	2

enum what { CALLS, TRACEPOINTS, FORMATTED, NR_KINDS };

/* Where a row without metrics of its own belongs. */
struct others {
	struct fargs_summary_row rows[NR_KINDS];
};

static enum what what_of(const struct fargs_summary_row *row)
{
	switch (row->kind) {
	case FARGS_KIND_ENTRY:
	case FARGS_KIND_RETURN:
		return CALLS;
	case FARGS_KIND_TPOINT:
		return TRACEPOINTS;
	default:
		return FORMATTED;
	}
}

static void put_seconds(struct fargs_buf *out, unsigned __int128 ns)
{
	fargs_put_u128(out, ns / NS);
	fargs_put_char(out, '.');
	fargs_put_u64(out, ns % NS, 9, '0');
}

static void put_label_text(struct fargs_buf *out, const char *text, size_t bytes)
{
	for (; bytes; text++, bytes--) {
		if (*text == '\\' || *text == '"')
			fargs_put_char(out, '\\');
		if (*text == '\n')
			fargs_put(out, "\\n");
		else
			fargs_put_char(out, *text);
	}
}

/* Puts 'METRIC{function="NAME",module="MODULE"', without the brace that ends it. */
static void put_series(struct fargs_buf *out, const char *metric,
		       const struct fargs_summary_row *row)
{
	static const char *const labels[NR_KINDS] = { "function", "tracepoint", "event" };
	const char *module = strstr(row->name, " [");
	size_t n = strlen(row->name);
	/* "NAME [MODULE]" */
	size_t name_bytes = module && row->name[n - 1] == ']' ? (size_t)(module - row->name) : n;

	fargs_put(out, metric);
	fargs_put_char(out, '{');
	fargs_put(out, labels[what_of(row)]);
	fargs_put(out, "=\"");
	put_label_text(out, row->name, name_bytes);
	fargs_put_char(out, '"');
	if (name_bytes == n)
		return;
	fargs_put(out, ",module=\"");
	put_label_text(out, module + 2, n - name_bytes - 3);
	fargs_put_char(out, '"');
}

static void put_value(struct fargs_buf *out, uint64_t v)
{
	fargs_put(out, "} ");
	fargs_put_u64(out, v, 0, ' ');
	fargs_put_char(out, '\n');
}

static void put_count(struct fargs_buf *out, const char *metric,
		      const struct fargs_summary_row *row)
{
	put_series(out, metric, row);
	put_value(out, row->nr);
}

static void put_errors(struct fargs_buf *out, const char *metric,
		       const struct fargs_summary_row *row)
{
	put_series(out, metric, row);
	put_value(out, row->nr_errors);
}

static void put_durations(struct fargs_buf *out, const char *metric,
			  const struct fargs_summary_row *row)
{
	unsigned int bits;

	for (bits = FIRST_BITS; bits <= LAST_BITS; bits += STEP_BITS) {
		put_series(out, "fargs_call_duration_seconds_bucket", row);
		fargs_put(out, ",le=\"");
		put_seconds(out, (1ull << bits) - 1);
		fargs_put_char(out, '"');
		put_value(out, fargs_quantiles_below(&row->ns, bits));
	}
	put_series(out, "fargs_call_duration_seconds_bucket", row);
	fargs_put(out, ",le=\"+Inf\"");
	put_value(out, row->ns.nr);
	put_series(out, "fargs_call_duration_seconds_sum", row);
	fargs_put(out, "} ");
	put_seconds(out, row->ns.sum);
	fargs_put_char(out, '\n');
	put_series(out, "fargs_call_duration_seconds_count", row);
	put_value(out, row->ns.nr);
}

static const struct metric {
	enum what what;
	/* Only calls that were recorded at their return have a duration, or an error. */
	bool is_of_returns;
	const char *name, *type, *help;
	void (*put)(struct fargs_buf *out, const char *metric, const struct fargs_summary_row *row);
} metrics[] = {
	{ CALLS, false, "fargs_calls_total", "counter", "Calls that were recorded.", put_count },
	{ CALLS, true, "fargs_call_errors_total", "counter", "Calls that returned an error.",
	  put_errors },
	{ CALLS, true, "fargs_call_duration_seconds", "histogram", "Durations of the calls.",
	  put_durations },
	{ TRACEPOINTS, false, "fargs_tracepoint_hits_total", "counter",
	  "Hits of tracepoints that were recorded.", put_count },
	{ FORMATTED, false, "fargs_events_total", "counter",
	  "Formatted events that were recorded.", put_count },
};

static void put_head(struct fargs_buf *out, const char *name, const char *type, const char *help)
{
	fargs_put(out, "# HELP ");
	fargs_put(out, name);
	fargs_put_char(out, ' ');
	fargs_put(out, help);
	fargs_put(out, "\n# TYPE ");
	fargs_put(out, name);
	fargs_put_char(out, ' ');
	fargs_put(out, type);
	fargs_put_char(out, '\n');
}

static void put_metric(struct fargs_buf *out, const struct metric *m,
		       const struct fargs_summary *s, const struct others *others)
{
	bool has_head = false;
	size_t i;

	for (i = 0; i <= s->nr && i <= FARGS_PROMETHEUS_ROWS; i++) {
		const struct fargs_summary_row *row = i < s->nr && i < FARGS_PROMETHEUS_ROWS ?
						      &s->rows[i] : &others->rows[m->what];

		if (!row->nr || what_of(row) != m->what || (m->is_of_returns && !row->ns.nr))
			continue;
		if (!has_head)
			put_head(out, m->name, m->type, m->help);
		has_head = true;
		m->put(out, m->name, row);
	}
}

static void put_one(struct fargs_buf *out, const char *name, const char *type, const char *help,
		    uint64_t v)
{
	put_head(out, name, type, help);
	fargs_put(out, name);
	fargs_put_char(out, ' ');
	fargs_put_u64(out, v, 0, ' ');
	fargs_put_char(out, '\n');
}

static int add_others(struct others *others, const struct fargs_summary *s)
{
	static const uint8_t kinds[NR_KINDS] = {
		FARGS_KIND_ENTRY, FARGS_KIND_TPOINT, FARGS_KIND_EVENT,
	};
	struct fargs_summary_row *to;
	size_t i;

	for (i = 0; i < NR_KINDS; i++) {
		others->rows[i].name = (char *)"(others)";
		others->rows[i].kind = kinds[i];
	}
	for (i = FARGS_PROMETHEUS_ROWS; i < s->nr; i++) {
		to = &others->rows[what_of(&s->rows[i])];
		to->nr += s->rows[i].nr;
		to->nr_errors += s->rows[i].nr_errors;
		if (fargs_quantiles_merge(&to->ns, &s->rows[i].ns))
			return -ENOMEM;
	}
	return 0;
}

int fargs_prometheus_put(struct fargs_buf *out, const struct fargs_summary *s, uint64_t began_s)
{
	struct others others = { };
	int ret = add_others(&others, s);
	size_t i;

	for (i = 0; !ret && i < sizeof(metrics) / sizeof(metrics[0]); i++)
		put_metric(out, &metrics[i], s, &others);
	put_one(out, "fargs_lost_total", "counter",
		"Calls and events that were lost, because a buffer was full.", s->nr_lost);
	put_one(out, "fargs_start_time_seconds", "gauge",
		"When counting began, in seconds since 1970.", began_s);
	for (i = 0; i < NR_KINDS; i++)
		fargs_quantiles_deinit(&others.rows[i].ns);
	return ret || out->is_short ? -ENOMEM : 0;
}

int fargs_prometheus_write(const char *path, const struct fargs_summary *s, uint64_t began_s,
			   struct fargs_error_text *err)
{
	struct fargs_outfile file = FARGS_OUTFILE_NONE;
	struct fargs_buf out = { };
	int ret = fargs_prometheus_put(&out, s, began_s);

	if (ret) {
		fargs_fail(err, -ret, "no memory for metrics");
		goto out;
	}
	ret = fargs_outfile_open(&file, path, FARGS_OUTFILE_PUBLIC, err);
	if (ret)
		goto out;
	ret = fargs_outfile_stream(&file);
	if (!ret && fwrite(out.text, 1, out.n, file.file) != out.n)
		ret = -errno;
	if (!ret)
		ret = fargs_outfile_finish(&file);
	if (ret)
		fargs_fail(err, -ret, "cannot write '%s': %s", path, strerror(-ret));
out:
	fargs_outfile_deinit(&file);
	fargs_buf_deinit(&out);
	return ret;
}
