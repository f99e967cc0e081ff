/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Writes all events into one self-contained HTML page. user/sink/html/page/ contains its layout and
 * scripts; sink/html/rows.h describes how events are encoded.
 *
 * A browser holds the whole page in memory. A trace that is too large is refused, which also bounds
 * the memory needed to create the page.
 */
#ifndef FARGS_SINK_HTML_PAGE_H
#define FARGS_SINK_HTML_PAGE_H

#include <stdbool.h>

#include "base/error.h"
#include "pipeline/sink.h"

#define FARGS_PAGE_EVENTS_MAX	1000000
#define FARGS_PAGE_BYTES_MAX	(256ull << 20)	/* total size of the encoded events */

struct fargs_page;

/*
 * Returns NULL if out of memory. @meta must outlive the page; @title is the title of the page.
 * @is_raw: show only what the records contain, without BTF and symbols.
 */
struct fargs_page *fargs_page_create(const struct fargs_meta *meta, const char *title, bool is_raw);
void fargs_page_destroy(struct fargs_page *page);

/* Returns the sink that writes the page. It lives as long as @page. */
const struct fargs_sink *fargs_page_sink(const struct fargs_page *page);
/* Returns why the sink failed; empty if it did not fail. */
const char *fargs_page_error(const struct fargs_page *page);

#endif
