/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The format of perf.data files, as in tools/perf/Documentation/perf.data-file-format.txt,
 * util/event.h and util/intel-pt.h (Linux 6.1 to 7.2). Records of types below 64 are written by the
 * kernel and described in linux/perf_event.h.
 */
#ifndef FARGS_SOURCE_PERF_DATA_FORMAT_H
#define FARGS_SOURCE_PERF_DATA_FORMAT_H

#include <linux/perf_event.h>
#include <stdint.h>

#define FARGS_PERF_MAGIC		"PERFILE2"
/* Magic of a file in the other byte order. */
#define FARGS_PERF_MAGIC_SWAPPED	"2ELIFREP"
#define FARGS_PERF_MAGIC_LEN		8

struct fargs_perf_section {
	uint64_t at;
	uint64_t bytes;
};

/* File header. In output to a pipe, perf writes only magic and size, which is 16. */
struct fargs_perf_header {
	char magic[FARGS_PERF_MAGIC_LEN];
	uint64_t size;
	/* Size of an element of @attrs: a struct perf_event_attr, and the section of its ids. */
	uint64_t attr_bytes;
	struct fargs_perf_section attrs;
	struct fargs_perf_section data;
	struct fargs_perf_section event_types;	/* no longer used */
	uint64_t features[4];		/* bitmap, indexed by enum fargs_perf_feature */
};

#define FARGS_PERF_PIPE_HEADER_BYTES	16

/* Features used here. Their sections follow the data, in this order. */
enum fargs_perf_feature {
	FARGS_PERF_FEATURE_BUILD_ID = 2,
	FARGS_PERF_FEATURE_HOSTNAME = 3,
	FARGS_PERF_FEATURE_OSRELEASE = 4,
	FARGS_PERF_FEATURE_CPUID = 9,
	FARGS_PERF_FEATURE_CMDLINE = 11,
	FARGS_PERF_FEATURE_EVENT_DESC = 12,
	FARGS_PERF_FEATURE_BRANCH_STACK = 15,
	FARGS_PERF_FEATURE_GROUP_DESC = 17,
	FARGS_PERF_FEATURE_AUXTRACE = 18,
	FARGS_PERF_FEATURE_SAMPLE_TIME = 21,
	FARGS_PERF_FEATURE_DIR_FORMAT = 24,
	FARGS_PERF_FEATURES = 256,
};

/* Record types that are defined by perf and used here. These records have no sample id. */
enum fargs_perf_type {
	FARGS_PERF_HEADER_ATTR = 64,
	FARGS_PERF_HEADER_TRACING_DATA = 66,
	FARGS_PERF_HEADER_BUILD_ID = 67,
	FARGS_PERF_FINISHED_ROUND = 68,
	FARGS_PERF_ID_INDEX = 69,
	FARGS_PERF_AUXTRACE_INFO = 70,
	FARGS_PERF_AUXTRACE = 71,
	FARGS_PERF_AUXTRACE_ERROR = 72,
	FARGS_PERF_EVENT_UPDATE = 78,
	FARGS_PERF_TIME_CONV = 79,
	FARGS_PERF_HEADER_FEATURE = 80,
	FARGS_PERF_COMPRESSED = 81,
	FARGS_PERF_FINISHED_INIT = 82,
	FARGS_PERF_COMPRESSED2 = 83,
};

/* Where an event with this id is counted. */
struct fargs_perf_id_index_entry {
	uint64_t id;
	uint64_t index;
	uint64_t cpu;			/* -1: any */
	uint64_t tid;			/* -1: any */
};

/* An ID_INDEX record. Since 5.19, further data may follow the entries. */
struct fargs_perf_id_index {
	struct perf_event_header head;
	uint64_t nr;
	struct fargs_perf_id_index_entry entries[];
};

/* Of an event of a guest; follows the entries, in their order (Linux 5.19). */
struct fargs_perf_id_index_guest {
	uint64_t pid;			/* of the hypervisor */
	uint64_t vcpu;
};

/* How times of the perf clock are made of the TSC. */
struct fargs_perf_time_conv {
	struct perf_event_header head;
	uint64_t shift, mult, zero;
	/* Linux 5.10: */
	uint64_t cycles, mask;
	uint8_t has_zero, is_short;	/* @zero is valid; @cycles and @mask are used */
	uint8_t reserved[6];
};

/* In head.misc of struct fargs_perf_build_id: @bytes is valid. */
#define FARGS_PERF_MISC_BUILD_ID_SIZE	(1 << 15)

/* The build ID of a file, followed by its path. */
struct fargs_perf_build_id {
	struct perf_event_header head;
	int32_t pid;
	uint8_t id[20];
	uint8_t bytes;			/* number of bytes of @id */
	uint8_t reserved[3];
};

/*
 * An AUXTRACE record. It is followed by its data, which is not included in head.size, and up to 7
 * zero bytes of padding.
 */
struct fargs_perf_auxtrace {
	struct perf_event_header head;
	uint64_t bytes;
	/* Offset of the first byte in the stream of all bytes ever written to the buffer. */
	uint64_t offset;
	uint64_t reference;
	uint32_t index;			/* index of the AUX buffer */
	uint32_t tid;			/* -1: the buffer belongs to a CPU */
	uint32_t cpu;			/* -1: the buffer belongs to a thread */
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

/* Values that perf records about an intel_pt event; older versions record fewer values. */
enum fargs_perf_intel_pt {
	FARGS_PERF_PT_PMU_TYPE,
	FARGS_PERF_PT_TIME_SHIFT,
	FARGS_PERF_PT_TIME_MULT,
	FARGS_PERF_PT_TIME_ZERO,
	FARGS_PERF_PT_HAS_TIME,
	FARGS_PERF_PT_TSC_BIT,		/* values named *_BIT or *_BITS are masks for attr.config */
	FARGS_PERF_PT_NORETCOMP_BIT,
	FARGS_PERF_PT_HAVE_SCHED_SWITCH,
	FARGS_PERF_PT_SNAPSHOT_MODE,
	FARGS_PERF_PT_PER_CPU_MMAPS,
	FARGS_PERF_PT_MTC_BIT,
	FARGS_PERF_PT_MTC_FREQ_BITS,
	FARGS_PERF_PT_TSC_CTC_N,	/* register EBX of CPUID leaf 15H */
	FARGS_PERF_PT_TSC_CTC_D,	/* register EAX of CPUID leaf 15H */
	FARGS_PERF_PT_CYC_BIT,
	FARGS_PERF_PT_MAX_NONTURBO_RATIO,
	FARGS_PERF_PT_FILTER_BYTES,	/* of the address filter, which follows the values */
	FARGS_PERF_PT_VALUES,
};

#endif
