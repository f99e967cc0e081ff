/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The chunks of a trace file (fargs.dat(5)) that hold an Intel PT recording; kinds 16 to 21
 * of file/format.h, from version 4 on. In the order of writing: PT_CONFIG; PT_TEXT of all text
 * there is; then PT_AUX, PT_SIDEBAND, PT_TEXT, PT_SYMBOLS and PT_MODULES as they come; PT_STATS.
 *
 * PT_AUX and PT_SIDEBAND of a CPU are each in order, and chunk.cpu is that CPU. Between
 * the two, and between CPUs, there is no order: what happened at a time may come in a
 * sideband chunk behind the AUX data of that time. PT_AUX and PT_SIDEBAND may be zstd
 * frames (FARGS_CHUNK_ZSTD); PT_TEXT never is, so that its bytes can be mapped where they are.
 */
#ifndef FARGS_PT_PT_FILE_H
#define FARGS_PT_PT_FILE_H

#include <stdint.h>

#include "file/format.h"

/* Which ring records come from; the index in struct fargs_file_pt_config.events. */
enum fargs_pt_ring {
	FARGS_PT_RING_PT = 0,		/* of the PT event: AUX, ITRACE_START, LOST … */
	FARGS_PT_RING_SIDE = 1,		/* of what else is to be known: all others */
	FARGS_PT_RINGS = 2,
};

/* What of an event's attr is needed to read its records. All have sample_id_all. */
struct fargs_file_pt_event {
	uint64_t sample_type;		/* PERF_SAMPLE_…: the tail of each record */
	uint64_t reserved;		/* 0 */
};

enum fargs_file_pt_flags {
	FARGS_PT_KERNEL = 1,		/* the kernel is traced */
	FARGS_PT_USER = 2,		/* programs are traced */
	FARGS_PT_SNAPSHOT = 4,		/* the buffers were overwritten until a trigger */
	FARGS_PT_HAS_TIME = 8,		/* the kernel told time_mult, time_shift, time_zero */
};

/**
 * struct fargs_file_pt_config - how was recorded, and on what
 * @bytes:	of this struct as the writer knew it; terms follow at once
 * @flags:	enum fargs_file_pt_flags
 * @config:	attr.config, in which terms have the places of IA32_RTIT_CTL: TSCEn is bit 10,
 *		MTCFreq 17:14, CycThresh 22:19, PSBFreq 27:24, DisRETC 11, BranchEn 13,
 *		CYCEn 1, MTCEn 9, PTWEn 12, FUPonPTW 5, PwrEvtEn 4
 * @aux_bytes:	of the AUX buffer of each CPU
 * @events:	by enum fargs_pt_ring
 * @time_zero:	perf time in ns of a TSC: time_zero + (tsc * time_mult >> time_shift), in
 *		128 bits; see linux/perf_event.h
 * @cpuid_0x15_eax, @cpuid_0x15_ebx, @cpuid_0x15_ecx: TSC to crystal clock, its Hz; 0: not told
 * @nom_freq:	maximum non-turbo ratio (PMU's max_nonturbo_ratio), libipt's nom_freq; 0: not told
 * @family, @model, @stepping: of the CPU, as libipt's struct pt_cpu has them (display values)
 * @nr_address_ranges: CPUID 14H.1:EAX[2:0], for libipt; no filters are set
 * @terms_bytes: of the terms as they were understood, "cyc,mtc_period=3/k", with a NUL
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
	uint8_t is_intel;		/* GenuineIntel: errata by family, model, stepping */
	uint8_t nr_address_ranges;
	uint16_t reserved;		/* 0 */
	uint32_t terms_bytes;
	uint32_t reserved2;		/* 0 */
};

/**
 * struct fargs_file_pt_text - code as it was in memory (read from /proc/kcore)
 * @bytes:	of this struct and the name, a multiple of 8; the code follows up to the
 *		end of the payload
 * @name_bytes:	of the name behind this struct, with its NUL and without the filling zeroes:
 *		"[kernel]", or a module's, "bpf", "__builtin__ftrace" … as /proc/kallsyms has it
 *		in brackets
 * @addr:	of the first byte
 * @begin_tsc:	before the first byte was read
 * @end_tsc:	after the last one was read: a change in between may or may not be in it
 *
 * Without code: what was copied of it at the same time had gone meanwhile.
 * It is changed by TEXT_POKE records in the order of their times: of these it may have some
 * already, which tell old and new bytes. When it holds: pt/lifetimes.h.
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
	 * What comes does not continue what the chunk before held: packets were lost in between,
	 * one may be cut in two (TRUNCATED), or it is the first chunk, or a snapshot before which
	 * some was overwritten. What was before ends there; what comes is decoded from its
	 * first PSB.
	 */
	FARGS_PT_AUX_BEGINS = 1,
	/* The trace in front of this was lost for want of room; only with BEGINS. */
	FARGS_PT_AUX_AFTER_LOSS = 2,
};

/**
 * struct fargs_file_pt_aux - Intel PT packets of a CPU; they follow up to the payload's end
 * @offset:	of the first byte in all that the CPU's buffer was ever given, as PERF_RECORD_AUX
 *		counts (but for a CPU that was offline meanwhile); without BEGINS, the end of the
 *		chunk of the CPU before. Never less than that.
 * @flags:	enum fargs_file_pt_aux_flags
 * @reserved:	0
 *
 * Chunks are cut anywhere, in the middle of packets, too.
 */
struct fargs_file_pt_aux {
	uint64_t offset;
	uint32_t flags;
	uint32_t reserved;
};

/**
 * struct fargs_file_pt_sideband - whole perf records follow, struct perf_event_header first
 * @ring:	enum fargs_pt_ring: says the sample_type
 * @reserved:	0
 *
 * Of the PT ring: AUX, ITRACE_START, LOST. Of the other: MMAP2, COMM, FORK, EXIT,
 * SWITCH_CPU_WIDE, KSYMBOL, BPF_EVENT, TEXT_POKE, LOST.
 */
struct fargs_file_pt_sideband {
	uint32_t ring;
	uint32_t reserved;
};

/* Lines as of /proc/kallsyms follow, of what came since the last such chunk or KALLSYMS. */
struct fargs_file_pt_symbols {
	uint64_t from_tsc;		/* they are there since then, or a little longer */
};

/* A module that came or went, as the tracepoints module_load and module_free tell. */
struct fargs_file_pt_module {
	uint64_t ns;		/* on the perf clock: executed before it went, after it came */
	uint32_t is_gone;
	uint32_t reserved;		/* 0 */
	char name[64];			/* with a NUL */
};

/* What of a CPU there is, and what was lost. Later versions may have longer ones. */
struct fargs_file_pt_stats {
	uint64_t aux_bytes;		/* in all its PT_AUX, without the headers */
	uint64_t nr_truncated;		/* AUX records that say: TRUNCATED */
	uint64_t nr_partial;		/* the same: PARTIAL */
	uint64_t nr_collisions;		/* the same: COLLISION */
	uint64_t nr_lost[FARGS_PT_RINGS];	/* records, as LOST records tell */
};

_Static_assert(sizeof(struct fargs_file_pt_config) == 104, "in files");
_Static_assert(sizeof(struct fargs_file_pt_text) == 32, "in files");
_Static_assert(sizeof(struct fargs_file_pt_aux) == 16, "in files");
_Static_assert(sizeof(struct fargs_file_pt_sideband) == 8, "in files");
_Static_assert(sizeof(struct fargs_file_pt_module) == 80, "in files");
_Static_assert(sizeof(struct fargs_file_pt_symbols) == 8, "in files");
_Static_assert(sizeof(struct fargs_file_pt_stats) == 48, "in files");

#endif
