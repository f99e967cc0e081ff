/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Writes parts of perf script's lines: a field, or several that belong together. Private to
 * sink/text/perf_*.c.
 */
#ifndef FARGS_SINK_TEXT_PERF_PARTS_H
#define FARGS_SINK_TEXT_PERF_PARTS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/buf.h"
#include "model/decoder.h"
#include "sink/text/perf_fields.h"

struct fargs_perf_lines;
struct fargs_perf_source;

struct fargs_perf_writer {
	struct fargs_buf *out;
	struct fargs_perf_lines *lines;
	struct fargs_perf_source *source;
	struct fargs_decoder *d;
	const struct fargs_event *ev;
	const struct fargs_event_sample *sample;
	uint32_t fields;
};

void fargs_perf_put(struct fargs_perf_writer *w, const char *format, ...)
	__attribute__((format(printf, 2, 3)));
/* Escapes @text. */
void fargs_perf_put_text(struct fargs_perf_writer *w, const char *text);

/* Is there a call chain, which replaces the address? */
static inline bool fargs_perf_has_chain(const struct fargs_perf_writer *w)
{
	return w->ev->stack;
}

void fargs_perf_put_flags(struct fargs_perf_writer *w);
/* Writes "(file)". */
void fargs_perf_put_file(struct fargs_perf_writer *w, const struct fargs_event_place *place);
/* Symbol and file of an address, as far as they are fields. */
void fargs_perf_put_names(struct fargs_perf_writer *w, const struct fargs_event_place *place);
/* Writes the source line after @before, if it is a field. */
void fargs_perf_put_source_line(struct fargs_perf_writer *w, const struct fargs_event_place *place,
				const char *before);
/* The sampled address, or the chain that begins with it. @has_line: followed by the source line. */
void fargs_perf_put_place(struct fargs_perf_writer *w, bool has_line);
void fargs_perf_put_ipc(struct fargs_perf_writer *w);
/* Size, bytes and text of the instruction. */
void fargs_perf_put_insn(struct fargs_perf_writer *w);
void fargs_perf_put_last_branches(struct fargs_perf_writer *w);

#endif
