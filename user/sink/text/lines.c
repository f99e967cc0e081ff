// SPDX-License-Identifier: GPL-2.0-only
#include "sink/text/lines.h"

#include <errno.h>

#include "sink/text/text.h"

static int begin(void *arg, struct fargs_buf *out, struct fargs_decoder *d)
{
	struct fargs_lines *lines = arg;

	lines->graph = fargs_graph_create(d);
	return lines->graph ? 0 : -ENOMEM;
}

static int put_line(void *arg, struct fargs_buf *out, struct fargs_decoder *d,
		    const struct fargs_event *ev)
{
	return fargs_text_event(out, d, ev);
}

static int put_raw_line(void *arg, struct fargs_buf *out, struct fargs_decoder *d,
			const struct fargs_event *ev)
{
	return fargs_text_event_raw(out, d, ev);
}

static int put_nested(void *arg, struct fargs_buf *out, struct fargs_decoder *d,
		      const struct fargs_event *ev)
{
	const struct fargs_lines *lines = arg;

	return lines->graph ? fargs_graph_event(lines->graph, out, ev) :
			      fargs_text_event(out, d, ev);
}

/* Writes the call that the graph holds, if any, before losses without a time. */
static int flush(void *arg, struct fargs_buf *out, struct fargs_decoder *d)
{
	struct fargs_lines *lines = arg;
	int ret = fargs_graph_flush(lines->graph, out, true);

	fargs_lines_deinit(lines);
	return ret;
}

/* Writes the held call if it was already held at the previous pause. */
static int pause_lines(void *arg, struct fargs_buf *out, struct fargs_decoder *d)
{
	const struct fargs_lines *lines = arg;

	return lines->graph ? fargs_graph_flush(lines->graph, out, false) : 0;
}

void fargs_lines_init(struct fargs_lines *lines, bool is_raw, bool is_nested, bool is_coloured)
{
	*lines = (struct fargs_lines){
		.sink = { .event = is_raw ? put_raw_line : put_line, .arg = lines,
			  .is_coloured = is_coloured },
	};
	if (!is_nested || is_raw)
		return;
	lines->sink.begin = begin;
	lines->sink.event = put_nested;
	lines->sink.pause = pause_lines;
	lines->sink.flush = flush;
	lines->sink.is_in_order = true;
}

void fargs_lines_deinit(struct fargs_lines *lines)
{
	fargs_graph_destroy(lines->graph);
	lines->graph = NULL;
}
