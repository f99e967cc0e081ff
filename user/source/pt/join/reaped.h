/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Finds the tids of tasks that were reaped before their last switch. perf has no tid for such a
 * task, and reports -1 when a CPU switches to the task. fargs's records of the task have its tid.
 */
#ifndef FARGS_SOURCE_PT_JOIN_REAPED_H
#define FARGS_SOURCE_PT_JOIN_REAPED_H

#include "source/pt/input/input.h"
#include "source/pt/join/seq_records.h"

/*
 * Sets the unknown tids in the switches of @in if the records in @n leave no doubt: apart from the
 * outgoing task, only one task wrote records on the CPU until the next switch. Returns 0 or
 * -ENOMEM.
 */
int fargs_pt_reaped_name(struct fargs_pt_input *in, const struct fargs_pt_seq_records *n);

#endif
