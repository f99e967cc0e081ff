/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Computes when timing packets are due. The machine's crystal clock (CTC) ticks once every
 * CLOCK_RATIO ticks of the TSC, and cores run at the rate of the TSC: a cycle is one tick.
 */
#ifndef PTEMU_CLOCK_H
#define PTEMU_CLOCK_H

#include <stdbool.h>
#include <stdint.h>

#include "packet.h"

/*
 * TSC/CTC = CPUID 15H EBX/EAX. The crystal clock is slow, because much emulated time passes between
 * two instructions; but a TMA packet can contain at most 511 ticks.
 */
#define CLOCK_CPUID_EAX	2
#define CLOCK_CPUID_EBX	1000
#define CLOCK_RATIO	(CLOCK_CPUID_EBX / CLOCK_CPUID_EAX)
/* Core:bus ratio in CBR packets, for the rate of the TSC, which is also that of the core. */
#define CLOCK_CBR	24

struct clock {
	bool has_tsc, has_mtc, has_cyc;
	unsigned int mtc_period;	/* an MTC is due when this bit of the CTC changes */
	uint64_t cyc_threshold;		/* a CYC for fewer cycles is omitted */
	uint64_t last_mtc;		/* CTC >> mtc_period at the last MTC */
	uint64_t last_cyc;		/* TSC at the last CYC */
};

/* Starts the clock with the options in RTIT_CTL. */
void clock_start(struct clock *clock, uint64_t control, uint64_t tsc);
/* Writes a TSC and a TMA packet, if they are enabled. */
void clock_tsc(struct clock *clock, struct packet_out *out, uint64_t tsc);
/*
 * Like clock_tsc(), but also writes CBR, as a CPU does when the trace is enabled or the CPU wakes
 * up. Counting of cycles must restart, because the number of cycles since the last CYC is unknown.
 */
void clock_wake(struct clock *clock, struct packet_out *out, uint64_t tsc);
/* Returns whether an MTC was due by @tsc. Sets *@due to its time. */
bool clock_is_mtc_due(const struct clock *clock, uint64_t tsc, uint64_t *due);
/* Writes an MTC or, after a long time without MTCs, the packets of a CPU that wakes up. */
void clock_mtc(struct clock *clock, struct packet_out *out, uint64_t tsc);
/* Writes the CYC that precedes another packet. */
void clock_cyc(struct clock *clock, struct packet_out *out, uint64_t tsc);

#endif
