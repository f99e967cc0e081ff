/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The layout of a trace file, fargs.dat(5): a little-endian ELF64 file.
 *
 *	Elf64_Ehdr		e_shoff stays 0 until the recording ends
 *	INFO			struct fargs_chunk_v1, payload, zeroes
 *	chunks			in sequence: struct fargs_chunk, payload, zeroes
 *				up to a multiple of 8
 *	section names, section table
 *
 * All metadata that a record needs is written before the record, so a file that was cut off can
 * still be decoded. Sections are views of chunk payloads, for readelf, bpftool and random access.
 *
 * Order of the chunks:
 *
 *	INFO, BTF (vmlinux, then modules), FUNCS, KALLSYMS
 *	FORMATS					if events are recorded
 *	GUEST, GUEST_MODULES			for each guest
 *	TASKS, NSPIDS
 *	PT_CONFIG, PT_SAMPLERS, PT_TEXT, PT_SYMBOLS	if Intel PT is recorded
 *	RECORDS, EVENTS, CLOCK, PT_AUX, PT_SIDEBAND, PT_TEXT, PT_SYMBOLS, PT_MODULES,
 *	PT_CLOCK, PT_SAMPLES, as they are produced (.fargs.stream), and among them, before the
 *	first record that needs them:
 *		FUNCS				of modules loaded during the recording
 *		NSPIDS				of tasks forked during the recording
 *		NAMES				in a flight recording
 *	PT_STATS, CLOCKS, STATS, MISSED, EVENT_STATS, END
 *
 * Version 1 used struct fargs_chunk_v1 for all chunks. INFO still does, so that every reader can
 * identify every version. Version 2 had no FARGS_CHUNK_ELF_ZSTD, version 3 no EVENTS.
 */
#ifndef FARGS_FILE_FORMAT_H
#define FARGS_FILE_FORMAT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/crc32c.h"

/*
 * Version of the format. It is increased when older readers would misread the file. Readers reject
 * higher versions than their own.
 */
#define FARGS_FILE_VERSION	4

#define FARGS_CHUNK_V1_MAGIC	0x6b6e6863u	/* "chnk" */
#define FARGS_CHUNK_MAGIC	0x326e6863u	/* "chn2" */
#define FARGS_CHUNK_ALIGN	8

enum fargs_chunk_kind {
	FARGS_CHUNK_INFO = 1,		/* text: "version=N" and further lines */
	FARGS_CHUNK_BTF = 2,		/* struct fargs_file_btf, raw BTF */
	FARGS_CHUNK_FUNCS = 3,		/* struct fargs_file_funcs, functions, strings */
	FARGS_CHUNK_KALLSYMS = 4,	/* text, as in /proc/kallsyms */
	FARGS_CHUNK_TASKS = 5,		/* array of struct fargs_file_task */
	FARGS_CHUNK_RECORDS = 6,	/* whole records of one CPU, in order */
	FARGS_CHUNK_CLOCK = 7,		/* one round: struct fargs_clock_sample for each CPU */
	FARGS_CHUNK_CLOCKS = 8,		/* contents of all CLOCK chunks, which it replaces */
	FARGS_CHUNK_STATS = 9,		/* struct fargs_cpu_stats for each CPU */
	FARGS_CHUNK_END = 10,		/* empty; the last chunk */
	FARGS_CHUNK_NSPIDS = 11,	/* array of struct fargs_file_nspid */
	FARGS_CHUNK_FORMATS = 12,	/* sequence of struct fargs_file_format, name, text */
	FARGS_CHUNK_EVENTS = 13,	/* like RECORDS, but of the CPU's event stream */
	FARGS_CHUNK_EVENT_STATS = 14,	/* struct fargs_event_stats for each CPU */
	FARGS_CHUNK_NAMES = 15,		/* array of struct fargs_file_name */
	/* Chunks of Intel PT: see file/pt_file.h. */
	FARGS_CHUNK_PT_CONFIG = 16,	/* struct fargs_file_pt_config, terms */
	FARGS_CHUNK_PT_TEXT = 17,	/* struct fargs_file_pt_text, code */
	FARGS_CHUNK_PT_AUX = 18,	/* struct fargs_file_pt_aux, packets of one CPU */
	FARGS_CHUNK_PT_SIDEBAND = 19,	/* struct fargs_file_pt_sideband, perf records of one CPU */
	FARGS_CHUNK_PT_SYMBOLS = 20,	/* struct fargs_file_pt_symbols, text */
	FARGS_CHUNK_PT_STATS = 21,	/* struct fargs_file_pt_stats for each CPU */
	FARGS_CHUNK_GUEST = 22,		/* struct fargs_file_guest, name, text as in KALLSYMS */
	FARGS_CHUNK_GUEST_MODULES = 23,	/* like GUEST, but with text as in /proc/modules */
	FARGS_CHUNK_PT_MODULES = 24,	/* array of struct fargs_file_pt_module */
	FARGS_CHUNK_MISSED = 25,	/* struct fargs_file_missed, functions */
	FARGS_CHUNK_PT_CLOCK = 26,	/* struct fargs_file_pt_clock */
	FARGS_CHUNK_PT_SAMPLERS = 27,	/* sequence of struct fargs_file_pt_sampler, attr, name */
	FARGS_CHUNK_PT_SAMPLES = 28,	/* perf samples of one CPU */
};

enum fargs_chunk_flags {
	FARGS_CHUNK_ZSTD = 1,		/* the payload is one zstd frame */
	FARGS_CHUNK_HAS_TASK = 2,	/* these RECORDS or EVENTS include TASK records */
	/*
	 * The payload is an Elf64_Chdr and one zstd frame, the form of an SHF_COMPRESSED section,
	 * so that readelf and objcopy can decompress it.
	 */
	FARGS_CHUNK_ELF_ZSTD = 4,
};

#define FARGS_CHUNK_FLAGS	(FARGS_CHUNK_ZSTD | FARGS_CHUNK_HAS_TASK | FARGS_CHUNK_ELF_ZSTD)
#define FARGS_CHUNK_PACKED	(FARGS_CHUNK_ZSTD | FARGS_CHUNK_ELF_ZSTD)

/* Elf64_Chdr.ch_type (System V gABI), missing from elf.h of older C libraries. */
#define FARGS_ELFCOMPRESS_ZSTD	2

/* Value of chunk.cpu if a chunk belongs to no CPU. */
#define FARGS_CHUNK_NO_CPU	0xffffffffu

/*
 * Maximum size of an uncompressed payload. The limit for records is low, because a reader holds and
 * checks a whole chunk before it uses any record.
 */
#define FARGS_CHUNK_RECORDS_MAX	(1u << 20)
#define FARGS_CHUNK_OTHER_MAX	(1u << 30)

/*
 * A compressed KALLSYMS may expand to at most FARGS_CHUNK_SYMBOLS_RATIO times its compressed size,
 * or FARGS_CHUNK_SYMBOLS_FREE bytes, whichever is larger. The limit exists because parsed symbols
 * take about ten times as much memory as their text: a small file must not be able to allocate that
 * much. The symbols of a real kernel, 50,000 with distinct addresses, expand to 4 times their
 * compressed size, or to 5.5 times at zstd level 19.
 */
#define FARGS_CHUNK_SYMBOLS_RATIO	16
#define FARGS_CHUNK_SYMBOLS_FREE	(64u << 10)

/**
 * struct fargs_chunk - header of a chunk, 64 bytes, aligned to 8
 * @magic:	FARGS_CHUNK_MAGIC
 * @kind:	enum fargs_chunk_kind; a reader skips unknown kinds
 * @flags:	enum fargs_chunk_flags; a reader rejects a chunk with unknown flags
 * @cpu:	CPU of RECORDS, EVENTS, PT_AUX, PT_SIDEBAND and PT_SAMPLES; otherwise
 *		FARGS_CHUNK_NO_CPU
 * @head_crc:	CRC-32C of this header, computed while @head_crc is 0
 * @bytes:	size of the payload as stored, without the zeroes after it
 * @crc:	CRC-32C of the payload as stored
 * @raw_bytes:	size of the uncompressed payload
 * @at:		offset of this header in the file
 * @first_tsc:	smallest time in RECORDS (TSC) or EVENTS (ns of the perf clock); otherwise 0
 * @last_tsc:	largest time in RECORDS (TSC) or EVENTS (ns of the perf clock); otherwise 0
 * @file:	id of the file, from INFO
 * @reserved:	0
 *
 * @at and @file protect the salvage of damaged files: stale disk blocks of another file, or chunk
 * headers copied into a record, are not mistaken for chunks of this file.
 */
struct fargs_chunk {
	uint32_t magic;
	uint16_t kind;
	uint16_t flags;
	uint32_t cpu;
	uint32_t head_crc;
	uint64_t bytes;
	uint32_t crc;
	uint32_t raw_bytes;
	uint64_t at;
	uint64_t first_tsc;
	uint64_t last_tsc;
	uint32_t file;
	uint32_t reserved;
};

/* Header of INFO in all versions, and of all chunks in version 1; 32 bytes. */
struct fargs_chunk_v1 {
	uint32_t magic;			/* FARGS_CHUNK_V1_MAGIC */
	uint16_t kind;
	uint16_t flags;			/* 0 */
	uint32_t cpu;
	uint32_t head_crc;
	uint64_t bytes;
	uint32_t crc;
	uint32_t reserved;		/* 0 */
};

/*
 * Precedes the raw BTF in a BTF chunk. Its size is a multiple of 8, so that the section with the
 * BTF is aligned.
 */
struct fargs_file_btf {
	char name[64];			/* "vmlinux" or the module's name, NUL-padded */
};

struct fargs_file_funcs {
	uint32_t nr;
	uint32_t func_bytes;		/* size of struct fargs_file_func in the writer's version */
	/* Size of the strings after the functions; first and last byte are NUL. */
	uint64_t strings_bytes;
};

struct fargs_file_func {
	uint64_t ip;
	uint64_t addr;
	uint32_t name;			/* offset of the name in the strings */
	uint32_t module;		/* offset of the module's name in the strings; 0: vmlinux */
	uint32_t btf_id;
	uint32_t layout_flags;		/* as in struct fargs_func */
	uint64_t from_tsc;	/* valid from this TSC on; 0: from the start of the recording */
};

/* Size of struct fargs_file_func in older files, which lack from_tsc. */
#define FARGS_FILE_FUNC_MIN	32

struct fargs_file_task {
	int32_t tid;
	int32_t tgid;
	char comm[16];
};

/* Thread id in the task's own pid namespace, if it differs from the global one. */
struct fargs_file_nspid {
	int32_t tid;
	int32_t ns_tid;			/* -1: unknown, since the task exited before it was read */
	/* TSC of the fork record; 0: the task existed when the recording began */
	uint64_t from_tsc;
};

/*
 * Name of a task, valid from @from_tsc on. A flight recorder writes names before the records of
 * each trigger. They replace the chunks TASKS and NSPIDS, and TASK records.
 */
struct fargs_file_name {
	uint64_t from_tsc;
	int32_t tid;
	int32_t tgid;
	/* Thread id in the task's own pid namespace; 0: the same as @tid; -1: unknown. */
	int32_t ns_tid;
	uint32_t is_known;		/* 0: from @from_tsc on, only @tid is known */
	char comm[16];
};

_Static_assert(sizeof(struct fargs_file_name) == 40, "in files");
enum fargs_file_format_what {
	FARGS_FORMAT_EVENT = 1,		/* name: system of the event; text: its file "format" */
	FARGS_FORMAT_PRINTK = 2,	/* text: the file "printk_formats" */
	FARGS_FORMAT_FLAGS = 3,		/* like FARGS_FORMAT_EVENT, of an event not recorded */
};

/*
 * A format. The struct is followed by the NUL-terminated name, the text, and zeroes up to a
 * multiple of 8.
 */
struct fargs_file_format {
	uint32_t what;			/* enum fargs_file_format_what; readers skip unknown ones */
	uint32_t name_bytes;
	uint64_t text_bytes;
};

/*
 * Symbols or modules of a KVM guest. The struct is followed by the NUL-terminated name; the rest of
 * the payload is text.
 */
struct fargs_file_guest {
	/* Pid of the guest's process; 0: the guest is identified by name. */
	int32_t pid;
	/*
	 * Size of the name. If @pid is 0, it is the name of the guest's process, or "", which
	 * matches any process.
	 */
	uint32_t name_bytes;
};

/*
 * Calls missed because their return could not be traced. The struct is followed by an array of
 * struct fargs_file_missed_func.
 */
struct fargs_file_missed {
	/* Calls missed by the kernel's return probes, in all tasks. */
	uint64_t any;
	/*
	 * Maximum number of calls that could wait for their return at the same time; 0: there were
	 * no return probes.
	 */
	uint32_t maxactive;
	uint32_t func_bytes;	/* size of struct fargs_file_missed_func in the writer's version */
};

/* A function with missed calls. Functions may be in any order. */
struct fargs_file_missed_func {
	uint64_t ip;			/* with @from_tsc, identifies the struct fargs_file_func */
	uint64_t from_tsc;
	uint64_t missed;		/* missed calls of traced tasks */
	uint64_t missed_any;		/* this function's share of struct fargs_file_missed.any */
	uint64_t too_deep;		/* calls inside this function, nested too deeply to trace */
};

_Static_assert(sizeof(struct fargs_file_missed) == 16, "in files");
_Static_assert(sizeof(struct fargs_file_missed_func) == 40, "in files");
_Static_assert(sizeof(struct fargs_file_guest) == 8, "in files");
_Static_assert(sizeof(struct fargs_file_format) == 16, "in files");
_Static_assert(sizeof(struct fargs_file_nspid) == 16, "in files");
_Static_assert(sizeof(struct fargs_chunk) == 64, "in files");
_Static_assert(sizeof(struct fargs_chunk_v1) == 32, "in files");
_Static_assert(sizeof(struct fargs_file_btf) == 64, "in files");
_Static_assert(sizeof(struct fargs_file_funcs) == 16, "in files");
_Static_assert(sizeof(struct fargs_file_func) == 40, "in files");
_Static_assert(sizeof(struct fargs_file_task) == 24, "in files");

/* Returns the correct value for @chunk's head_crc. */
static inline uint32_t fargs_chunk_head_crc(const struct fargs_chunk *chunk)
{
	struct fargs_chunk c = *chunk;

	c.head_crc = 0;
	return fargs_crc32c(0, &c, sizeof(c));
}

static inline uint32_t fargs_chunk_v1_head_crc(const struct fargs_chunk_v1 *chunk)
{
	struct fargs_chunk_v1 c = *chunk;

	c.head_crc = 0;
	return fargs_crc32c(0, &c, sizeof(c));
}

/* May a compressed KALLSYMS payload of @packed bytes expand to @raw bytes? */
static inline bool fargs_chunk_symbols_fit(uint64_t packed, uint64_t raw)
{
	return raw <= FARGS_CHUNK_SYMBOLS_FREE || raw / FARGS_CHUNK_SYMBOLS_RATIO <= packed;
}

/* Returns the size of a payload of @bytes with its padding, which aligns the next chunk. */
static inline uint64_t fargs_chunk_room(uint64_t bytes)
{
	return (bytes + FARGS_CHUNK_ALIGN - 1) & ~(uint64_t)(FARGS_CHUNK_ALIGN - 1);
}

#endif
