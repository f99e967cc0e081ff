/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Calls and returns inside each other, in the shape of ftrace's function_graph:
 *
 *	cat-12  [000] .....   123.456789:             | vfs_open(path=0x…) {
 *	cat-12  [000] .....   123.456790:    1.250 us |   do_dentry_open(f=0x…) = 0
 *	cat-12  [000] .....   123.456800:   12.345 us | } = 0 <vfs_open>
 *
 * Each task has a nesting of its own, and each CPU's idle task; what interrupts a
 * task is inside what it did. A return belongs to the call of the same function
 * with the time that it names, so that neither a lost record nor a call that
 * never returns shifts the others.
 */
#ifndef FARGS_OUT_GRAPH_H
#define FARGS_OUT_GRAPH_H

#include <stdbool.h>
#include <stdint.h>

#include "model/decoder.h"
#include "base/buf.h"

struct fargs_graph;

/* NULL: no memory. @d must outlive it. */
struct fargs_graph *fargs_graph_create(struct fargs_decoder *d);
void fargs_graph_destroy(struct fargs_graph *g);

/*
 * Takes the next event, in the order of time, and writes what is certain. A call
 * is held back until it is known whether it has something inside. Returns 0 or -ENOMEM.
 */
int fargs_graph_event(struct fargs_graph *g, struct fargs_buf *out, const struct fargs_event *ev);
/*
 * Writes what is held back: at the end, or (@is_last false) now and then while
 * events are awaited, when what was held at the last time still is.
 */
int fargs_graph_flush(struct fargs_graph *g, struct fargs_buf *out, bool is_last);

/* Returns without their calls, and calls that were left behind without a return, so far. */
uint64_t fargs_graph_nr_orphans(const struct fargs_graph *g);
uint64_t fargs_graph_nr_unreturned(const struct fargs_graph *g);

#endif
