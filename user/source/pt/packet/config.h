/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * How a trace was recorded: what its packets mean depends on it.
 */
#ifndef FARGS_SOURCE_PT_PACKET_CONFIG_H
#define FARGS_SOURCE_PT_PACKET_CONFIG_H

#include <stdbool.h>
#include <stdint.h>

/* Number of address ranges that a CPU can have (SDM 3, IA32_RTIT_ADDRn_A). */
#define FARGS_PT_RANGES	4

struct fargs_pt_range {
	uint64_t first, last;
};

/* How the recording was made, and on which CPU. */
struct fargs_pt_config {
	bool is_intel;			/* GenuineIntel: errata depend on family, model, stepping */
	uint16_t family;
	uint8_t model, stepping;
	uint32_t cpuid_0x15_eax, cpuid_0x15_ebx;
	/* As in struct pt_config of libipt; @nom_freq: highest core to bus ratio without turbo. */
	uint8_t mtc_freq, nom_freq;
	bool has_tsc, has_mtc, has_cyc;
	bool has_cyc_thresh;		/* CycThresh is set: some CYC packets are omitted */
	bool has_no_tnt;		/* DisTNT is set: the trace has no TNT packets */
	/* What else was recorded: branches, PTWRITE, power events, and interrupts and the like. */
	bool has_branches, has_ptwrite, has_power, has_event_trace;
	bool has_pebs;			/* an event writes its PEBS records into the trace */
	bool has_ptwrite_ip;		/* with the address of each PTWRITE */
	bool has_kernel, has_user;	/* the kernel is traced; user space is traced */
	/* The perf time of a TSC, in ns, is time_zero + (tsc * time_mult >> time_shift). */
	bool has_time;
	uint16_t time_shift;
	uint32_t time_mult;
	uint64_t time_zero;
	/* Only these addresses are traced; without any: all, or they are not known. */
	struct fargs_pt_range ranges[FARGS_PT_RANGES];
	uint8_t nr_ranges;
};

#endif
