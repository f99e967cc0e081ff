/* SPDX-License-Identifier: GPL-2.0-only */
/* What happens to the CPU besides the flow of control: power states, PEBS records, time. */
#ifndef SYNTH_EXTRA_H
#define SYNTH_EXTRA_H

#include "machine.h"

struct extra_sleep {
	bool is_mwait, is_hw;
	uint32_t hints, extensions;
	uint8_t state, sub_state, last, deepest;
	enum packet_wake reason;
	uint64_t ticks;			/* of the TSC, until the CPU wakes */
};

/* The CPU sleeps at the next instruction: by it, if it is MWAIT. */
const char *extra_sleep(struct machine *m, const struct extra_sleep *sleep);
/* The frequency of the core changes. */
const char *extra_ratio(struct machine *m, unsigned int cbr);
const char *extra_mnt(struct machine *m, uint64_t payload);
const char *extra_wait(struct machine *m, uint64_t cycles);

/* A PEBS record before the next instruction: blocks of items, then its end. */
const char *extra_pebs_block(struct machine *m, uint8_t type, unsigned int size);
const char *extra_pebs_item(struct machine *m, uint8_t id, uint64_t value);
const char *extra_pebs_end(struct machine *m);

#endif
