/* SPDX-License-Identifier: GPL-2.0-only */
/* Decodes a synthetic stream with libipt, and compares the result with the truth. */
#ifndef SYNTH_LIBIPT_H
#define SYNTH_LIBIPT_H

#include "machine.h"

struct libipt_result {
	uint64_t nr_insns, nr_events, nr_errors;
	/* The largest differences between libipt's times and the truth's, in ticks of the TSC. */
	uint64_t event_off, insn_off;
	bool is_same;
};

/* Whether the library that runs is at least 2.1. */
bool libipt_is_2_1(void);
/* Decodes @bytes. Returns libipt's error, or 0 at the end of the stream. */
int libipt_decode(const struct machine *m, const uint8_t *bytes, size_t size,
		  struct records *records);
/* Compares what libipt decodes from @bytes with the machine's truth, and prints the difference. */
struct libipt_result libipt_compare(const struct machine *m, const uint8_t *bytes, size_t size);

#endif
