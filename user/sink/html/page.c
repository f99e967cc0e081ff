// SPDX-License-Identifier: GPL-2.0-only
#include "sink/html/page.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/put.h"
#include "sink/html/page_files.h"
#include "sink/html/rows.h"
#include "sink/json/json.h"
#include "sink/json/json_event.h"
#include "sink/json/json_missed.h"

/*
 * Rows per <script> element. The text of an element is parsed as one string, and browsers limit the
 * length of a string.
 */
#define ELEMENT_ROWS	16384

#define DATA_BEGIN	"<script type=\"application/json\" class=\""
#define DATA_END	"</script>\n"

struct fargs_page {
	const struct fargs_meta *meta;
	const char *title;
	bool is_raw;
	struct fargs_sink sink;
	struct fargs_error_text err;
	struct fargs_rows rows;
	struct fargs_buf line;	/* JSON of the current event */
	uint64_t nr;
	uint64_t bytes;		/* total size of the rows */
};

static int check_room(struct fargs_page *page)
{
	uint64_t bytes = page->bytes + fargs_rows_bytes(&page->rows);

	if (page->nr < FARGS_PAGE_EVENTS_MAX && bytes < FARGS_PAGE_BYTES_MAX)
		return 0;
	return fargs_fail(&page->err, EFBIG, "a page can hold at most %u events and %llu MB: limit "
			  "them with '--time', '--filter' or '--cpu'",
			  FARGS_PAGE_EVENTS_MAX, FARGS_PAGE_BYTES_MAX >> 20);
}

/* Ends the previous row, and starts a new <script> element if the current one is full. */
static void begin_row(struct fargs_page *page, struct fargs_buf *out)
{
	if (page->nr % ELEMENT_ROWS) {
		fargs_put(out, ",\n");
		return;
	}
	if (page->nr)
		fargs_put(out, "]" DATA_END);
	fargs_put(out, DATA_BEGIN "rows\">[\n");
}

static int add(void *arg, struct fargs_buf *out, struct fargs_decoder *d,
	       const struct fargs_event *ev)
{
	struct fargs_page *page = arg;
	struct fargs_buf *line = &page->line;
	size_t at;
	int ret;

	/*
	 * As in text output, TASK events are not shown: the next event of the task shows its new
	 * name.
	 */
	if (ev->kind == FARGS_KIND_TASK)
		return 0;
	ret = check_room(page);
	if (ret)
		return ret;
	line->n = 0;
	ret = page->is_raw ? fargs_json_event_raw(line, d, ev) : fargs_json_event(line, d, ev);
	if (ret)
		return ret;
	begin_row(page, out);
	at = out->n;
	/* Do not include the newline at the end of the line. */
	ret = fargs_rows_add(&page->rows, out, line->text, line->n - 1);
	page->nr++;
	page->bytes += out->n - at;
	return ret == -EINVAL ? fargs_fail(&page->err, EINVAL, "cannot convert an event for the "
					   "page (a bug in fargs): %.*s",
					   line->n < 300 ? (int)line->n : 300, line->text) : ret;
}

static void put_string(struct fargs_buf *out, const char *key, const char *text)
{
	struct fargs_buf json = { };

	fargs_json_put_string(&json, text, strlen(text));
	fargs_json_put_key(out, key);
	fargs_rows_put_html(out, json.text, json.n);
	out->is_short |= json.is_short;
	fargs_buf_deinit(&json);
}

static void put_missed(const struct fargs_page *page, struct fargs_buf *out)
{
	struct fargs_buf json = { };

	fargs_json_missed(&json, page->meta, page->is_raw, ",", false);
	fargs_rows_put_html(out, json.text, json.n);
	out->is_short |= json.is_short;
	fargs_buf_deinit(&json);
}

/* Writes the properties of the whole trace. */
static void put_about(const struct fargs_page *page, struct fargs_buf *out)
{
	const struct fargs_meta *meta = page->meta;

	fargs_put_char(out, '{');
	put_string(out, "title", page->title);
	fargs_put_char(out, ',');
	put_string(out, "hostname", meta->hostname ? meta->hostname : "");
	fargs_put_char(out, ',');
	put_string(out, "release", meta->info.release);
	fargs_put_char(out, ',');
	put_string(out, "command", meta->command ? meta->command : "");
	fargs_put_char(out, ',');
	put_string(out, "fargs", FARGS_VERSION);
	fargs_put(out, ",\"cpus\":");
	fargs_put_u64(out, meta->info.nr_cpus, 0, 0);
	fargs_put(out, ",\"maxactive\":");
	fargs_put_u64(out, meta->missed.maxactive, 0, 0);
	fargs_put(out, ",\"missed\":[");
	put_missed(page, out);
	fargs_put_char(out, ']');
	fargs_put_char(out, '}');
}

static int begin(void *arg, struct fargs_buf *out, struct fargs_decoder *d)
{
	struct fargs_page *page = arg;

	fargs_page_put_head(out);
	fargs_put(out, DATA_BEGIN "about\">");
	put_about(page, out);
	fargs_put(out, DATA_END);
	return out->is_short ? -ENOMEM : 0;
}

static int end(void *arg, struct fargs_buf *out, struct fargs_decoder *d)
{
	struct fargs_page *page = arg;

	if (page->nr)
		fargs_put(out, "]" DATA_END);
	fargs_put(out, DATA_BEGIN "tables\">");
	fargs_rows_put_tables(&page->rows, out);
	fargs_put(out, DATA_END);
	fargs_page_put_foot(out);
	return out->is_short ? -ENOMEM : 0;
}

struct fargs_page *fargs_page_create(const struct fargs_meta *meta, const char *title, bool is_raw)
{
	struct fargs_page *page = calloc(1, sizeof(*page));

	if (!page)
		return NULL;
	page->meta = meta;
	page->title = title;
	page->is_raw = is_raw;
	page->sink = (struct fargs_sink){
		.begin = begin, .event = add, .end = end, .arg = page, .is_in_order = true,
	};
	return page;
}

void fargs_page_destroy(struct fargs_page *page)
{
	if (!page)
		return;
	fargs_rows_deinit(&page->rows);
	fargs_buf_deinit(&page->line);
	free(page);
}

const struct fargs_sink *fargs_page_sink(const struct fargs_page *page)
{
	return &page->sink;
}

const char *fargs_page_error(const struct fargs_page *page)
{
	return page->err.text;
}
