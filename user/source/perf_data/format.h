/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The format of perf.data, from perf's tools/perf/Documentation/perf.data-file-format.txt,
 * util/event.h and util/intel-pt.h (Linux 6.1 to 7.2). Records of types below 64 are the
 * kernel's: linux/perf_event.h.
 */
#ifndef FARGS_SOURCE_PERF_DATA_FORMAT_H
#define FARGS_SOURCE_PERF_DATA_FORMAT_H

#include <linux/perf_event.h>
#include <stdint.h>

#define FARGS_PERF_MAGIC		"PERFILE2"
/* The same, in the other byte order. */
#define FARGS_PERF_MAGIC_SWAPPED	"2ELIFREP"
#define FARGS_PERF_MAGIC_LEN		8

struct fargs_perf_section {
	uint64_t at;
	uint64_t bytes;
};

/* File header; through a pipe, only magic and size (16) are written. */
struct fargs_perf_header {
	char magic[FARGS_PERF_MAGIC_LEN];
	uint64_t size;
	uint64_t attr_bytes;		/* size of an entry of attrs: attr, section of its ids */
	struct fargs_perf_section attrs;
	struct fargs_perf_section data;
	struct fargs_perf_section event_types;	/* no longer used */
	uint64_t features[4];		/* bitmap by enum fargs_perf_feature */
};

#define FARGS_PERF_PIPE_HEADER_BYTES	16

/* Features used here. Each has a section after the data, in this order. */
enum fargs_perf_feature {
	FARGS_PERF_FEATURE_HOSTNAME = 3,
	FARGS_PERF_FEATURE_OSRELEASE = 4,
	FARGS_PERF_FEATURE_CPUID = 9,
	FARGS_PERF_FEATURE_CMDLINE = 11,
	FARGS_PERF_FEATURE_EVENT_DESC = 12,
	FARGS_PERF_FEATURES = 256,
};

/* perf's own record types used here. They have no sample id. */
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

/* Followed by its data, which is not counted in head.size, and up to 7 zero bytes of padding. */
struct fargs_perf_auxtrace {
	struct perf_event_header head;
	uint64_t bytes;
	uint64_t offset;		/* of the first byte, counted over everything written to
					 * the buffer
					 */
	uint64_t reference;
	uint32_t index;			/* buffer index */
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
	uint64_t values[];		/* indexed by enum fargs_perf_intel_pt */
};

/* Values that perf records about an intel_pt event; older versions have fewer. */
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
