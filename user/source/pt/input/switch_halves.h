/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Joins switches that the kernel recorded in two halves (PERF_RECORD_SWITCH): one record for the
 * events of the old task, one for the events of the new task. perf.data contains such halves if
 * perf record traced tasks rather than CPUs, as it does for unprivileged users.
 */
#ifndef FARGS_SOURCE_PT_INPUT_SWITCH_HALVES_H
#define FARGS_SOURCE_PT_INPUT_SWITCH_HALVES_H

#include "source/pt/input/input.h"

/*
 * Joins the halves in in->switches, which must be sorted, to whole switches. If a CPU also has
 * whole switches, from PERF_RECORD_SWITCH_CPU_WIDE, its halves are dropped, and so are beginnings
 * of the trace in the task from which the previous switch switches.
 */
void fargs_pt_switch_halves_join(struct fargs_pt_input *in);

#endif
