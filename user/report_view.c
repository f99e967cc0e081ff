// SPDX-License-Identifier: GPL-2.0-only
#include "report_view.h"

#include "out/json_event.h"

static int show_json(void *arg, struct fargs_buf *out, struct fargs_decoder *d,
		     const struct fargs_event *ev)
{
	const struct fargs_view *v = arg;

	return v->is_raw ? fargs_json_event_raw(out, d, ev) : fargs_json_event(out, d, ev);
}

const struct fargs_report_view *fargs_view_begin(struct fargs_view *v, bool is_raw)
{
	v->is_raw = is_raw;
	if (!v->is_json)
		return NULL;
	v->view = (struct fargs_report_view){ .event = show_json, .arg = v };
	return &v->view;
}
