/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * All events in one page of HTML that needs nothing else: user/report/page/ is what it looks
 * like and does, and report/rows.h how events are in it.
 *
 * A browser has all of it in memory. What is too much is refused, so that making it takes no
 * more than that either.
 */
#ifndef FARGS_REPORT_PAGE_H
#define FARGS_REPORT_PAGE_H

#include <stdbool.h>

#include "cmd/report/records.h"
#include "base/error.h"

#define FARGS_PAGE_EVENTS_MAX	1000000
#define FARGS_PAGE_BYTES_MAX	(256ull << 20)	/* of what stands for events */

struct fargs_page;

/*
 * @meta must outlive it; @title is what the page is called. @is_raw: events with no more than
 * the records say. NULL: no memory.
 */
struct fargs_page *fargs_page_create(const struct fargs_meta *meta, const char *title, bool is_raw);
void fargs_page_destroy(struct fargs_page *page);

/* What makes the page of events; it lives as long as @page. */
const struct fargs_report_view *fargs_page_view(const struct fargs_page *page);
/* Why the view ended the report, if it did; else it is empty. */
const char *fargs_page_error(const struct fargs_page *page);

#endif
