/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Tasks that were reaped before they had ended: perf has no number for such a task any more, and
 * says -1 when a CPU goes to it. The records that it makes have its number.
 */
#ifndef FARGS_PT_DEAD_H
#define FARGS_PT_DEAD_H

#include "source/pt/input/input.h"
#include "source/pt/join/numbers.h"

/*
 * Names those of @in's switches whose task @n tells beyond doubt: all that was recorded on the CPU
 * until its next switch is of that task, or of the one before it. -ENOMEM.
 */
int fargs_pt_dead_name(struct fargs_pt_input *in, const struct fargs_pt_numbers *n);

#endif
