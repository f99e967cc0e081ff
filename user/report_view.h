/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What fargs report makes of events other than lines of text: its options, and the view.
 */
#ifndef FARGS_REPORT_VIEW_H
#define FARGS_REPORT_VIEW_H

#include <stdbool.h>

#include "report/report.h"
#include "util/error.h"

/* Begin with zeroes. */
struct fargs_view {
	bool is_json;
	bool is_raw;
	struct fargs_report_view view;
};

/* The view that was asked for, for fargs_report_options; NULL: lines of text. */
const struct fargs_report_view *fargs_view_begin(struct fargs_view *v, bool is_raw);

#endif
