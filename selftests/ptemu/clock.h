/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * When timing packets are due. The machine's crystal clock (CTC) ticks once in
 * CLOCK_RATIO TSC ticks, and its cores run at the TSC's rate: a cycle is a tick.
 */
#ifndef PTEMU_CLOCK_H
#define PTEMU_CLOCK_H

#include <stdbool.h>
#include <stdint.h>

#include "packet.h"

/*
 * TSC/CTC = CPUID 15H EBX/EAX. A slow crystal, for much time passes here between two
 * instructions; yet a TMA can hold no more than 511 ticks.
 */
#define CLOCK_CPUID_EAX	2
#define CLOCK_CPUID_EBX	1000
#define CLOCK_RATIO	(CLOCK_CPUID_EBX / CLOCK_CPUID_EAX)
/* The bus ratio of the TSC's rate, which is the core's, too. */
#define CLOCK_CBR	24

struct clock {
	bool has_tsc, has_mtc, has_cyc;
	unsigned int mtc_period;	/* an MTC when this bit of the CTC changes */
	uint64_t cyc_threshold;		/* no CYC for fewer cycles */
	uint64_t last_mtc;		/* CTC >> mtc_period of the last one */
	uint64_t last_cyc;		/* TSC of the last one */
};

/* By RTIT_CTL. */
void clock_start(struct clock *clock, uint64_t control, uint64_t tsc);
/* TSC, and TMA with it, where they are enabled. */
void clock_tsc(struct clock *clock, struct packet_out *out, uint64_t tsc);
/*
 * The same, and CBR: as a CPU tells when it is turned on, or wakes. Who reckons by cycles must
 * begin anew, for nobody knows how many there were meanwhile.
 */
void clock_wake(struct clock *clock, struct packet_out *out, uint64_t tsc);
/* Was an MTC due by @tsc? Sets when. */
bool clock_is_mtc_due(const struct clock *clock, uint64_t tsc, uint64_t *due);
/* Writes it; or, after a long time without, what a CPU tells that wakes. */
void clock_mtc(struct clock *clock, struct packet_out *out, uint64_t tsc);
/* The CYC in front of another packet. */
void clock_cyc(struct clock *clock, struct packet_out *out, uint64_t tsc);

#endif
