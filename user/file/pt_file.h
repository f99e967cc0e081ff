/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Chunks of a trace file (fargs.dat(5)) that hold an Intel PT recording: kinds 16 to 21, 24, and 26
 * to 28 of file/format.h, since version 4. They are in this order: PT_CONFIG; PT_SAMPLERS if events
 * are sampled; PT_TEXT of all code present at the start; PT_AUX, PT_SIDEBAND, PT_TEXT, PT_SYMBOLS,
 * PT_MODULES, PT_CLOCK and PT_SAMPLES as they are produced; PT_STATS.
 *
 * chunk.cpu is the CPU of PT_AUX, PT_SIDEBAND and PT_SAMPLES. The chunks of a CPU and of one of
 * these kinds are in order of time. There is no order between kinds or between CPUs: a sideband
 * record can follow AUX data of a later time. These three may be compressed (FARGS_CHUNK_ZSTD).
 * PT_TEXT never is, so that its code can be mapped from the file.
 */
#ifndef FARGS_FILE_PT_FILE_H
#define FARGS_FILE_PT_FILE_H

#include <stdint.h>

#include "file/format.h"

/* The perf ring that a sideband record is from; index into struct fargs_file_pt_config.events. */
enum fargs_pt_ring {
	FARGS_PT_RING_PT = 0,		/* PT event's: AUX, AUX_OUTPUT_HW_ID, ITRACE_START, LOST */
	FARGS_PT_RING_SIDE = 1,		/* ring of the sideband event: LOST, all other records */
	FARGS_PT_RINGS = 2,
};

/*
 * Those fields of an event's perf_event_attr that are needed to parse its records. sample_id_all is
 * always set.
 */
struct fargs_file_pt_event {
	uint64_t sample_type;		/* PERF_SAMPLE_*: layout of the sample id of each record */
	uint64_t reserved;		/* 0 */
};

enum fargs_file_pt_flags {
	FARGS_PT_KERNEL = 1,		/* the kernel is traced */
	FARGS_PT_USER = 2,		/* user space is traced */
	/* Snapshot mode: until a trigger, new data overwrote the oldest data in the buffers. */
	FARGS_PT_SNAPSHOT = 4,
	FARGS_PT_HAS_TIME = 8,		/* time_mult, time_shift and time_zero are valid */
	/* There is no PT_AUX: the trace is in samples, as copies of the end of the buffers. */
	FARGS_PT_SAMPLED = 16,
};

/**
 * struct fargs_file_pt_config - parameters of the recording and the CPU
 * @bytes:	size of this struct in the writer's version; the terms follow it
 * @flags:	enum fargs_file_pt_flags
 * @config:	attr.config, whose bits are those of IA32_RTIT_CTL: TSCEn is bit 10, MTCFreq 17:14,
 *		CycThresh 22:19, PSBFreq 27:24, DisRETC 11, BranchEn 13, CYCEn 1, MTCEn 9,
 *		PTWEn 12, FUPonPTW 5, PwrEvtEn 4
 * @aux_bytes:	size of each CPU's AUX buffer
 * @events:	indexed by enum fargs_pt_ring
 * @time_zero:	converts a TSC value to perf time in ns, as time_zero + (tsc * time_mult >>
 *		time_shift), computed with 128 bits; see linux/perf_event.h
 * @cpuid_0x15_eax, @cpuid_0x15_ebx, @cpuid_0x15_ecx: ratio of TSC to crystal clock, crystal
 *		frequency in Hz; 0: unknown
 * @nom_freq:	maximum non-turbo ratio (PMU's max_nonturbo_ratio), libipt's nom_freq; 0: unknown
 * @family, @model, @stepping: identify the CPU, by display values, as in libipt's struct pt_cpu
 * @nr_address_ranges: number of the CPU's address filters (CPUID 14H.1:EAX[2:0]), which libipt
 *		needs to know even if the recording uses none
 * @terms_bytes: size, with the NUL, of the PT event's terms, such as "cyc,mtc_period=3/k"
 * @filter_bytes: size, with the NUL, of the address filters after the terms, such as "filter
 *		0xffffffff81000000/0x10", in the format of PERF_EVENT_IOC_SET_FILTER; 0: none
 */
struct fargs_file_pt_config {
	uint32_t bytes;
	uint32_t flags;
	uint64_t config;
	uint64_t aux_bytes;
	struct fargs_file_pt_event events[FARGS_PT_RINGS];
	uint64_t time_zero;
	uint32_t time_mult;
	uint32_t time_shift;
	uint32_t cpuid_0x15_eax;
	uint32_t cpuid_0x15_ebx;
	uint32_t cpuid_0x15_ecx;
	uint32_t nom_freq;
	uint16_t family;
	uint8_t model;
	uint8_t stepping;
	uint8_t is_intel;		/* the CPU's vendor is GenuineIntel: Intel's errata apply */
	uint8_t nr_address_ranges;
	uint16_t reserved;		/* 0 */
	uint32_t terms_bytes;
	uint32_t filter_bytes;
};

/**
 * struct fargs_file_pt_text - code as it was in memory (read from /proc/kcore)
 * @bytes:	size of this struct and the name, a multiple of 8; the rest of the payload is code
 * @name_bytes:	size of the name after this struct, with its NUL, without padding. The name is
 *		"[kernel]", or one that /proc/kallsyms shows in brackets: that of a module,
 *		"bpf", "__builtin__ftrace" …
 * @addr:	address of the first byte of code
 * @begin_tsc:	a time before the first byte was read
 * @end_tsc:	a time after the last byte was read; a change of the code between these times may
 *		or may not be included
 *
 * A chunk without code revokes the code of chunks with the same name and @begin_tsc, from @addr on,
 * because that code was freed before it had been read completely. TEXT_POKE records modify the
 * code, in the order of their times. The code may already include the changes of some TEXT_POKE
 * records; the records contain both old and new bytes.
 * source/pt/input/lifetimes.h determines when code is valid.
 */
struct fargs_file_pt_text {
	uint32_t bytes;
	uint32_t name_bytes;
	uint64_t addr;
	uint64_t begin_tsc;
	uint64_t end_tsc;
};

enum fargs_file_pt_aux_flags {
	/*
	 * The chunk does not continue the previous chunk of this CPU: it is the first chunk of the
	 * CPU or of a snapshot whose earlier part was overwritten, packets were lost in between, or
	 * a packet may be cut in two (TRUNCATED). Decoding of the previous chunks ends, and
	 * restarts at the first PSB of this chunk.
	 */
	FARGS_PT_AUX_BEGINS = 1,
	/*
	 * The trace before this chunk was lost because the buffer was full. Set only together with
	 * FARGS_PT_AUX_BEGINS.
	 */
	FARGS_PT_AUX_AFTER_LOSS = 2,
};

/**
 * struct fargs_file_pt_aux - Intel PT packets of a CPU, up to the end of the payload
 * @offset:	offset of the first byte among all bytes ever written to the CPU's AUX buffer. It
 *		is the offset in PERF_RECORD_AUX, except that it does not restart at 0 after the
 *		CPU was offline. It is the end of the CPU's previous chunk or, if
 *		FARGS_PT_AUX_BEGINS is set, that end or greater.
 * @flags:	enum fargs_file_pt_aux_flags
 * @reserved:	0
 *
 * A packet may span two chunks.
 */
struct fargs_file_pt_aux {
	uint64_t offset;
	uint32_t flags;
	uint32_t reserved;
};

/**
 * struct fargs_file_pt_sideband - followed by whole perf records (struct perf_event_header …)
 * @ring:	perf ring of the records (enum fargs_pt_ring), which determines their sample_type
 * @reserved:	0
 *
 * The PT ring has records of the types AUX, ITRACE_START and LOST. The sideband ring has records of
 * the types MMAP2, COMM, FORK, EXIT, SWITCH_CPU_WIDE, KSYMBOL, BPF_EVENT, TEXT_POKE and LOST.
 */
struct fargs_file_pt_sideband {
	uint32_t ring;
	uint32_t reserved;
};

/**
 * struct fargs_file_pt_sampler - an event whose samples have trace, or are PEBS records in it
 *				  (attr.aux_output), in PT_SAMPLERS
 * @attr_bytes:	size of the struct perf_event_attr that follows, a multiple of 8
 * @name_bytes:	size, with the NUL, of the name after it; then zeroes up to a multiple of 8
 *
 * PT_SAMPLES has whole perf records of the type SAMPLE, in order of time. Their layout is that of
 * the sample_type of their event, and begins with its index in PT_SAMPLERS, in place of the
 * kernel's id (PERF_SAMPLE_IDENTIFIER). So does the id of AUX_OUTPUT_HW_ID records, which report
 * the counter of an event with attr.aux_output.
 */
struct fargs_file_pt_sampler {
	uint32_t attr_bytes;
	uint32_t name_bytes;
};

/*
 * Header of PT_SYMBOLS. The struct is followed by lines in the format of /proc/kallsyms: symbols
 * added since the previous PT_SYMBOLS chunk or, for the first one, since KALLSYMS.
 */
struct fargs_file_pt_symbols {
	/* The symbols exist from this time on; they may have existed slightly earlier. */
	uint64_t from_tsc;
};

/* Loading or unloading of a module, from the tracepoints module_load and module_free. */
struct fargs_file_pt_module {
	/*
	 * Time of the perf clock: before the module's code first ran or, if @is_removed, after it
	 * last ran.
	 */
	uint64_t ns;
	uint32_t is_removed;
	uint32_t reserved;		/* 0 */
	char name[64];			/* NUL-terminated */
};

/*
 * A moment on two clocks: JIT compilers write times of CLOCK_MONOTONIC to their dumps. Read about
 * once per second, since the kernel adjusts the speed of that clock. Newer versions may append
 * fields.
 */
struct fargs_file_pt_clock {
	uint64_t tsc;
	uint64_t mono_ns;		/* CLOCK_MONOTONIC */
};

/* Totals of a CPU. Newer versions may append fields. */
struct fargs_file_pt_stats {
	/* size of all its PT_AUX payloads, without their headers, or of the trace in PT_SAMPLES */
	uint64_t aux_bytes;
	uint64_t nr_truncated;		/* AUX records flagged TRUNCATED */
	uint64_t nr_partial;		/* AUX records flagged PARTIAL */
	uint64_t nr_collisions;		/* AUX records flagged COLLISION */
	uint64_t nr_lost[FARGS_PT_RINGS];	/* records lost, as counted by LOST records */
	/* The following members are not in older files. */
	uint64_t nr_samples;
	uint64_t nr_lost_samples;	/* because the ring was full */
};

/* Size of struct fargs_file_pt_stats in older files. */
#define FARGS_FILE_PT_STATS_MIN	48

_Static_assert(sizeof(struct fargs_file_pt_config) == 104, "in files");
_Static_assert(sizeof(struct fargs_file_pt_text) == 32, "in files");
_Static_assert(sizeof(struct fargs_file_pt_aux) == 16, "in files");
_Static_assert(sizeof(struct fargs_file_pt_sideband) == 8, "in files");
_Static_assert(sizeof(struct fargs_file_pt_module) == 80, "in files");
_Static_assert(sizeof(struct fargs_file_pt_symbols) == 8, "in files");
_Static_assert(sizeof(struct fargs_file_pt_clock) == 16, "in files");
_Static_assert(sizeof(struct fargs_file_pt_sampler) == 8, "in files");
_Static_assert(sizeof(struct fargs_file_pt_stats) == 64, "in files");

#endif
