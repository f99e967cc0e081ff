/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * perf.data, as perf's tools/perf/Documentation/perf.data-file-format.txt describes it and
 * its util/event.h and util/intel-pt.h (Linux 6.1 to 7.2) lay it out. Records of types below
 * 64 are the kernel's: linux/perf_event.h.
 */
#ifndef FARGS_PT_PERF_FORMAT_H
#define FARGS_PT_PERF_FORMAT_H

#include <linux/perf_event.h>
#include <stdint.h>

#define FARGS_PERF_MAGIC		"PERFILE2"
/* The same, written by a machine of the other byte order. */
#define FARGS_PERF_MAGIC_SWAPPED	"2ELIFREP"
#define FARGS_PERF_MAGIC_LEN		8

struct fargs_perf_section {
	uint64_t at;
	uint64_t bytes;
};

/* How a file begins; what comes through a pipe has magic and size (16) only. */
struct fargs_perf_header {
	char magic[FARGS_PERF_MAGIC_LEN];
	uint64_t size;
	uint64_t attr_bytes;		/* of an entry of attrs: attr, section of its ids */
	struct fargs_perf_section attrs;
	struct fargs_perf_section data;
	struct fargs_perf_section event_types;	/* no longer used */
	uint64_t features[4];		/* bit by enum fargs_perf_feature */
};

#define FARGS_PERF_PIPE_HEADER_BYTES	16

/* Each has a section behind the data, in this order; those used here. */
enum fargs_perf_feature {
	FARGS_PERF_FEATURE_HOSTNAME = 3,
	FARGS_PERF_FEATURE_OSRELEASE = 4,
	FARGS_PERF_FEATURE_CPUID = 9,
	FARGS_PERF_FEATURE_CMDLINE = 11,
	FARGS_PERF_FEATURE_EVENT_DESC = 12,
	FARGS_PERF_FEATURES = 256,
};

/* perf's own types of records, those used here. They end with no sample id. */
enum fargs_perf_type {
	FARGS_PERF_HEADER_ATTR = 64,
	FARGS_PERF_HEADER_TRACING_DATA = 66,
	FARGS_PERF_AUXTRACE_INFO = 70,
	FARGS_PERF_AUXTRACE = 71,
	FARGS_PERF_EVENT_UPDATE = 78,
	FARGS_PERF_TIME_CONV = 79,
	FARGS_PERF_HEADER_FEATURE = 80,
	FARGS_PERF_COMPRESSED = 81,
	FARGS_PERF_COMPRESSED2 = 83,
};

/* Its data follows it, and is not in its size; with up to 7 zeros that fill it up. */
struct fargs_perf_auxtrace {
	struct perf_event_header head;
	uint64_t bytes;
	uint64_t offset;		/* of the first byte in all that the buffer was given */
	uint64_t reference;
	uint32_t index;			/* of the buffer */
	uint32_t tid;			/* -1: of a CPU */
	uint32_t cpu;			/* -1: of a thread */
	uint32_t reserved;
};

enum fargs_perf_auxtrace_type {
	FARGS_PERF_AUXTRACE_INTEL_PT = 1,
};

struct fargs_perf_auxtrace_info {
	struct perf_event_header head;
	uint32_t type;			/* enum fargs_perf_auxtrace_type */
	uint32_t reserved;
	uint64_t values[];		/* by enum fargs_perf_intel_pt */
};

/* What perf notes of an intel_pt event; older versions know fewer of them. */
enum fargs_perf_intel_pt {
	FARGS_PERF_PT_PMU_TYPE,
	FARGS_PERF_PT_TIME_SHIFT,
	FARGS_PERF_PT_TIME_MULT,
	FARGS_PERF_PT_TIME_ZERO,
	FARGS_PERF_PT_HAS_TIME,
	FARGS_PERF_PT_TSC_BIT,		/* a mask in attr.config, as are all these */
	FARGS_PERF_PT_NORETCOMP_BIT,
	FARGS_PERF_PT_HAVE_SCHED_SWITCH,
	FARGS_PERF_PT_SNAPSHOT_MODE,
	FARGS_PERF_PT_PER_CPU_MMAPS,
	FARGS_PERF_PT_MTC_BIT,
	FARGS_PERF_PT_MTC_FREQ_BITS,
	FARGS_PERF_PT_TSC_CTC_N,	/* CPUID 15H: EBX */
	FARGS_PERF_PT_TSC_CTC_D,	/* EAX */
	FARGS_PERF_PT_CYC_BIT,
	FARGS_PERF_PT_MAX_NONTURBO_RATIO,
	FARGS_PERF_PT_VALUES,
};

#endif
