/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Names tasks that were reaped before they had ended: perf no longer has a tid for such a task, and
 * reports -1 when a CPU switches to it. Its own records have its tid.
 */
#ifndef FARGS_SOURCE_PT_JOIN_REAPED_H
#define FARGS_SOURCE_PT_JOIN_REAPED_H

#include "source/pt/input/input.h"
#include "source/pt/join/seq_records.h"

/*
 * Sets the task of those switches of @in for which @n leaves no doubt: all records on the CPU
 * until its next switch are of that task or of the one before it. Returns 0 or -ENOMEM.
 */
int fargs_pt_reaped_name(struct fargs_pt_input *in, const struct fargs_pt_seq_records *n);

#endif
