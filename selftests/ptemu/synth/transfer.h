/* SPDX-License-Identifier: GPL-2.0-only */
/* A transfer of control: what it changes in the CPU, its records, and its packets. */
#ifndef SYNTH_TRANSFER_H
#define SYNTH_TRANSFER_H

#include "machine.h"

/* Changes what @target sets in the CPU, and notes in @t which packets that causes. */
void transfer_apply(struct machine *m, const struct machine_target *target, struct transfer *t);
/* Goes to t->to: computes the enables afterwards, then makes the records and packets. */
const char *transfer_run(struct machine *m, struct transfer *t);
/* With event trace, packets show each change of IF; the first value, too. */
void transfer_note_if(struct machine *m, const struct order_state *state, uint64_t ip);
/* SKD010: the first packet with an IP after an OVF without FUP shows where the trace goes on. */
void transfer_see_again(struct machine *m, uint64_t ip);

#endif
