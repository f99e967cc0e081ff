/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The log of everything that a vCPU executed while it was traced, in order. The log is derived from
 * the execution, not from the packets, and a decoder's result is compared with the log.
 *
 * DIR/log.N contains the records of vCPU N, compressed by zstd, and DIR/pt.N contains every byte of
 * its trace in the order of generation, including bytes for which the guest's buffer had no room.
 */
#ifndef PTEMU_TRUTH_H
#define PTEMU_TRUTH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

enum truth_kind {
	/*
	 * The path of execution. RUN: @nr consecutive instructions from @ip on were executed; the
	 * next record describes what happened then. A run ends at a branch that was taken, and at
	 * each record of another kind.
	 */
	TRUTH_RUN = 1,
	TRUTH_ENABLE,	/* tracing begins at ip; value: TSC */
	TRUTH_DISABLE,	/* tracing ends; value: 1 if software disabled it */
	TRUTH_ASYNC,	/* interrupt or exception: from ip to value */
	TRUTH_LOSING,	/* packets are lost from here on */
	TRUTH_OVF,	/* OVF; the trace continues at ip; 0: at the next ENABLE */
	TRUTH_FAULT,	/* value was written to MSR ip, which a CPU would not allow */
	TRUTH_ODD,	/* unexpected transfer from the instruction at ip to value */

	/* Everything else that happened in between. */
	TRUTH_ASIDE = 16,
	/* A PSB at offset, with TSC value; ip: the next instruction, or 0. */
	TRUTH_PSB = TRUTH_ASIDE,
	TRUTH_PTW,	/* PTWRITE of value at ip; nr: operand size in bytes */
	TRUTH_FULL,	/* the buffer is full: no more bytes are stored */
	TRUTH_CONTROL,	/* value was written to RTIT_CTL */
	TRUTH_PMI,	/* a region with INT set was filled */
	/*
	 * The task that runs from here on, if the guest has told where the kernel keeps it
	 * (MSR_TASKS): nr is its PID in the sense of gettid(), and the bytes of ip and value are
	 * its name.
	 */
	TRUTH_TASK,
	/* The address space from here on: CR3 is value; nr: the privilege level and TRUTH_32BIT. */
	TRUTH_SPACE,
	TRUTH_CYC,	/* a CYC at offset; value: the TSC */
	TRUTH_STOP,	/* a range at ip stops the trace */
	/*
	 * HLT or MWAIT at ip (0: not traced); value: the sleep that MWAIT requests, ECX in the
	 * upper half and EAX in the lower; nr: TRUTH_MWAIT for MWAIT.
	 */
	TRUTH_IDLE,
	TRUTH_WAKE,	/* the end of the sleep; value: TSC */
	/*
	 * Event trace: what the CPU did, of the type in the upper bytes of nr, with the vector in
	 * the lowest one, at ip (0: not traced); data that belongs to the next event, of type nr.
	 */
	TRUTH_EVENT,
	TRUTH_DATA,
	TRUTH_FLAGS,	/* nr: whether interrupts are enabled from ip on */
};

#define TRUTH_32BIT	4
#define TRUTH_MWAIT	1

struct truth_record {
	uint64_t ip;
	uint64_t value;
	uint64_t offset;	/* bytes of trace generated before this record, flushed or not */
	uint32_t nr;
	uint32_t kind;		/* enum truth_kind */
};

/* Does @record not concern the path of execution? */
static inline bool truth_is_aside(const struct truth_record *record)
{
	return record->kind >= TRUTH_ASIDE;
}

struct truth_stream;

struct truth {
	struct truth_stream *log;
	FILE *packets;
	struct truth_record last;
};

/* Returns 0, or -1 with errno. */
int truth_open(struct truth *truth, const char *dir, unsigned int vcpu);
void truth_close(struct truth *truth);
/* Flushes the log, for readers while the guest still runs. */
void truth_flush(struct truth *truth);
void truth_write(struct truth *truth, const struct truth_record *record);
void truth_packets(struct truth *truth, const void *bytes, size_t size);

/*
 * Reads the log of a vCPU, which the caller frees, and sets *@nr. An unfinished log is read up to
 * where it was flushed. Returns NULL after printing why.
 */
struct truth_record *truth_read(const char *dir, unsigned int vcpu, size_t *nr);

#endif
