/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Switches of tasks that the kernel recorded in two halves (PERF_RECORD_SWITCH): one for the events
 * of the old task, one for the events of the new one. perf record asks for these where it traces
 * tasks and not CPUs, as for users without privileges.
 */
#ifndef FARGS_PT_SWITCH_HALVES_H
#define FARGS_PT_SWITCH_HALVES_H

#include "source/pt/input/input.h"

/*
 * Makes one switch of two halves in in->switches, which are in their order. Where records of the
 * CPU's own events (PERF_RECORD_SWITCH_CPU_WIDE) are there, too, only these are kept.
 */
void fargs_pt_switch_halves_join(struct fargs_pt_input *in);

#endif
