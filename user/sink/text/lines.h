/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The sink that shows events as lines of text, with calls nested if their calls and returns are two
 * events.
 */
#ifndef FARGS_SINK_TEXT_LINES_H
#define FARGS_SINK_TEXT_LINES_H

#include "pipeline/sink.h"
#include "sink/text/graph.h"

struct fargs_lines {
	struct fargs_sink sink;
	bool is_raw;
	bool is_nested;
	struct fargs_graph *graph;	/* set while calls are shown nested; otherwise NULL */
};

/* @is_raw: lines show only what records contain; then @is_nested has no effect. */
void fargs_lines_init(struct fargs_lines *lines, bool is_raw, bool is_nested, bool is_coloured);
void fargs_lines_deinit(struct fargs_lines *lines);

#endif
