/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The log of everything that a vCPU executed while it was traced, in order. The log is derived from
 * the execution, not from the packets, and a decoder's result is compared with the log.
 *
 * DIR/log.N contains the records of vCPU N, and DIR/pt.N contains every byte of its trace in the
 * order of generation, including bytes for which the guest's buffer had no room.
 */
#ifndef PTEMU_TRUTH_H
#define PTEMU_TRUTH_H

#include <stdint.h>
#include <stdio.h>

enum truth_kind {
	/*
	 * @nr consecutive instructions from @ip on were executed; the next record describes what
	 * happened then. A run ends at a branch that was taken, and at each record of another kind.
	 */
	TRUTH_RUN = 1,
	TRUTH_ENABLE,	/* tracing begins at ip; value: TSC */
	TRUTH_DISABLE,	/* tracing ends; value: 1 if software disabled it */
	TRUTH_ASYNC,	/* interrupt or exception: from ip to value */
	TRUTH_PSB,	/* a PSB at offset, with TSC value; ip: the next instruction, or 0 */
	TRUTH_LOSING,	/* packets are lost from here on */
	TRUTH_OVF,	/* OVF; the trace continues at ip; 0: at the next ENABLE */
	TRUTH_PTW,	/* PTWRITE of value at ip; nr: operand size in bytes */
	TRUTH_FULL,	/* the buffer is full: no more bytes are stored */
	TRUTH_CONTROL,	/* value was written to RTIT_CTL */
	TRUTH_FAULT,	/* value was written to MSR ip, which a CPU would not allow */
	TRUTH_ODD,	/* unexpected transfer from the instruction at ip to value */
	TRUTH_PMI,	/* a region with INT set was filled */
};

struct truth_record {
	uint64_t ip;
	uint64_t value;
	uint64_t offset;	/* bytes of trace generated before this record, flushed or not */
	uint32_t nr;
	uint32_t kind;		/* enum truth_kind */
};

struct truth {
	FILE *log;
	FILE *packets;
};

/* Returns 0, or -1 with errno. */
int truth_open(struct truth *truth, const char *dir, unsigned int vcpu);
void truth_close(struct truth *truth);
/* Flushes the log, for readers while the guest still runs. */
void truth_flush(struct truth *truth);
void truth_write(struct truth *truth, const struct truth_record *record);
void truth_packets(struct truth *truth, const void *bytes, size_t size);

#endif
