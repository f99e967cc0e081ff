/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The truth log: what a vCPU executed while it was traced, in order. It is made from the
 * execution, not from the packets, and is what a decoder's result is compared with.
 *
 * DIR/log.N has the records of vCPU N, DIR/pt.N every byte of its trace in the order of
 * generation, whether or not the guest's buffer had room for it.
 */
#ifndef PTEMU_TRUTH_H
#define PTEMU_TRUTH_H

#include <stdint.h>
#include <stdio.h>

enum truth_kind {
	/*
	 * nr instructions executed one after the other from ip on; the next record
	 * says what came then. A run ends where a branch was taken, and at each of
	 * the marks below.
	 */
	TRUTH_RUN = 1,
	TRUTH_ENABLE,	/* tracing goes on at ip; value: TSC */
	TRUTH_DISABLE,	/* it ends; value: 1 where software turned it off */
	TRUTH_ASYNC,	/* interrupt or exception: from ip to value */
	TRUTH_PSB,	/* a PSB at offset, with TSC value; ip: the next instruction, or 0 */
	TRUTH_LOSING,	/* from here on packets are lost */
	TRUTH_OVF,	/* OVF; the trace goes on at ip, or 0: at the next ENABLE */
	TRUTH_PTW,	/* PTWRITE of value at ip; nr: operand size in bytes */
	TRUTH_FULL,	/* the buffer was full: nothing is stored any more */
	TRUTH_CONTROL,	/* RTIT_CTL became value */
	TRUTH_FAULT,	/* MSR ip was written with value: a CPU would not have allowed it */
	TRUTH_ODD,	/* from the instruction at ip to value, which was not foreseen */
	TRUTH_PMI,	/* a region with INT set was filled */
};

struct truth_record {
	uint64_t ip;
	uint64_t value;
	uint64_t offset;	/* bytes of trace generated before this, flushed or not */
	uint32_t nr;
	uint32_t kind;		/* enum truth_kind */
};

struct truth {
	FILE *log;
	FILE *packets;
};

/* 0, or -1 with errno set. */
int truth_open(struct truth *truth, const char *dir, unsigned int vcpu);
void truth_close(struct truth *truth);
/* For whoever reads while the guest still runs. */
void truth_flush(struct truth *truth);
void truth_write(struct truth *truth, const struct truth_record *record);
void truth_packets(struct truth *truth, const void *bytes, size_t size);

#endif
