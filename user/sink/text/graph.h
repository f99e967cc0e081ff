/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Nested calls and returns, in the format of ftrace's function_graph:
 *
 *	cat-12  [000] .....   123.456789:             | vfs_open(path=0x…) {
 *	cat-12  [000] .....   123.456790:    1.250 us |   do_dentry_open(f=0x…) = 0
 *	cat-12  [000] .....   123.456800:   12.345 us | } = 0 <vfs_open>
 *
 * Calls are nested per task; each CPU's idle task counts as a separate task. Interrupts are nested
 * in the task that they interrupt. A return is matched to its call by function and entry time, so
 * that lost records, and calls that never return, do not change the nesting of other calls.
 */
#ifndef FARGS_SINK_TEXT_GRAPH_H
#define FARGS_SINK_TEXT_GRAPH_H

#include <stdbool.h>
#include <stdint.h>

#include "base/buf.h"
#include "model/decoder.h"

struct fargs_graph;

/* Returns NULL if out of memory. @d must outlive the returned object. */
struct fargs_graph *fargs_graph_create(struct fargs_decoder *d);
void fargs_graph_destroy(struct fargs_graph *g);

/*
 * Processes an event; called in time order. Writes all lines that later events cannot change. A
 * call is held until the next event shows whether the call contains others. Returns 0 or -ENOMEM.
 */
int fargs_graph_event(struct fargs_graph *g, struct fargs_buf *out, const struct fargs_event *ev);
/*
 * Writes the held call, if any. If @is_last is false, because more events may follow, writes it
 * only if it was already held at the previous flush. Returns 0 or -ENOMEM.
 */
int fargs_graph_flush(struct fargs_graph *g, struct fargs_buf *out, bool is_last);

/*
 * Return the number of returns without a call, and of calls dropped without a return, so far.
 */
uint64_t fargs_graph_nr_orphans(const struct fargs_graph *g);
uint64_t fargs_graph_nr_unreturned(const struct fargs_graph *g);

#endif
