/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * fargs.dat(5): the bytes of a trace file. A little-endian ELF64 file:
 *
 *	Elf64_Ehdr		its section table is set when the recording ends
 *	INFO			struct fargs_chunk_v1, payload, zeroes
 *	chunks			one behind the other: struct fargs_chunk, payload,
 *				zeroes up to a multiple of 8
 *	section names, section table
 *
 * All that is needed to decode the records comes in chunks in front of them,
 * so that a file that was cut off still has it. Sections are views of the
 * chunks' payloads, for readelf, bpftool and random access.
 *
 * Order of the chunks: INFO, BTF (vmlinux, then modules), FUNCS, KALLSYMS,
 * TASKS, NSPIDS; then RECORDS and CLOCK as they come (.fargs.stream), among them FUNCS of
 * modules that were loaded meanwhile, NSPIDS of tasks that were forked, and NAMES, each in
 * front of the records that need them; at the end
 * CLOCKS, STATS, MISSED, EVENT_STATS, END. Where there are events, FORMATS, and GUEST and
 * GUEST_MODULES for each guest, stand behind KALLSYMS, and EVENTS among the RECORDS. Where
 * Intel PT was recorded, PT_CONFIG, PT_TEXT and PT_SYMBOLS stand in front of the RECORDS;
 * PT_AUX, PT_SIDEBAND, PT_TEXT, PT_SYMBOLS and PT_MODULES are among them, and PT_STATS in front
 * of STATS.
 *
 * Version 1 had struct fargs_chunk_v1 in front of every chunk. INFO keeps it, so
 * that any reader can tell any version. Version 2 had no FARGS_CHUNK_ELF_ZSTD, version 3
 * no EVENTS.
 */
#ifndef FARGS_FILE_FORMAT_H
#define FARGS_FILE_FORMAT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/crc32c.h"

/* Changes when an older reader would go wrong; it refuses the file then. */
#define FARGS_FILE_VERSION	4

#define FARGS_CHUNK_V1_MAGIC	0x6b6e6863u	/* "chnk" */
#define FARGS_CHUNK_MAGIC	0x326e6863u	/* "chn2" */
#define FARGS_CHUNK_ALIGN	8

enum fargs_chunk_kind {
	FARGS_CHUNK_INFO = 1,		/* text: "version=N" and further lines */
	FARGS_CHUNK_BTF = 2,		/* struct fargs_file_btf, raw BTF */
	FARGS_CHUNK_FUNCS = 3,		/* struct fargs_file_funcs, functions, strings */
	FARGS_CHUNK_KALLSYMS = 4,	/* text, as in /proc/kallsyms */
	FARGS_CHUNK_TASKS = 5,		/* struct fargs_file_task, any number */
	FARGS_CHUNK_RECORDS = 6,	/* whole records of one CPU, in order */
	FARGS_CHUNK_CLOCK = 7,		/* struct fargs_clock_sample for each CPU: one round */
	FARGS_CHUNK_CLOCKS = 8,		/* all rounds; stands for the CLOCK chunks */
	FARGS_CHUNK_STATS = 9,		/* struct fargs_cpu_stats for each CPU */
	FARGS_CHUNK_END = 10,		/* nothing: the last chunk */
	FARGS_CHUNK_NSPIDS = 11,	/* struct fargs_file_nspid, any number */
	FARGS_CHUNK_FORMATS = 12,	/* struct fargs_file_format, name, text; any number */
	FARGS_CHUNK_EVENTS = 13,	/* as RECORDS, of the CPU's stream of events */
	FARGS_CHUNK_EVENT_STATS = 14,	/* struct fargs_event_stats for each CPU */
	FARGS_CHUNK_NAMES = 15,		/* struct fargs_file_name, any number */
	/* Intel PT: pt/pt_file.h. */
	FARGS_CHUNK_PT_CONFIG = 16,	/* struct fargs_file_pt_config, terms */
	FARGS_CHUNK_PT_TEXT = 17,	/* struct fargs_file_pt_text, code */
	FARGS_CHUNK_PT_AUX = 18,	/* struct fargs_file_pt_aux, packets of one CPU */
	FARGS_CHUNK_PT_SIDEBAND = 19,	/* struct fargs_file_pt_sideband, perf records of one CPU */
	FARGS_CHUNK_PT_SYMBOLS = 20,	/* struct fargs_file_pt_symbols, text */
	FARGS_CHUNK_PT_STATS = 21,	/* struct fargs_file_pt_stats for each CPU */
	FARGS_CHUNK_GUEST = 22,		/* struct fargs_file_guest, name, text as of KALLSYMS */
	FARGS_CHUNK_GUEST_MODULES = 23,	/* the same, but text as in /proc/modules */
	FARGS_CHUNK_PT_MODULES = 24,	/* struct fargs_file_pt_module, any number */
	FARGS_CHUNK_MISSED = 25,	/* struct fargs_file_missed, functions */
};

enum fargs_chunk_flags {
	FARGS_CHUNK_ZSTD = 1,		/* the payload is one zstd frame */
	FARGS_CHUNK_HAS_TASK = 2,	/* there are TASK records among these RECORDS or EVENTS */
	/*
	 * The payload is an Elf64_Chdr and one zstd frame, as a section has it that is
	 * SHF_COMPRESSED: readelf and objcopy unpack it.
	 */
	FARGS_CHUNK_ELF_ZSTD = 4,
};

#define FARGS_CHUNK_FLAGS	(FARGS_CHUNK_ZSTD | FARGS_CHUNK_HAS_TASK | FARGS_CHUNK_ELF_ZSTD)
#define FARGS_CHUNK_PACKED	(FARGS_CHUNK_ZSTD | FARGS_CHUNK_ELF_ZSTD)

/* Elf64_Chdr.ch_type (System V gABI), which elf.h of older C libraries does not know. */
#define FARGS_ELFCOMPRESS_ZSTD	2

/* @cpu of chunks that belong to none. */
#define FARGS_CHUNK_NO_CPU	0xffffffffu

/* Most bytes of a payload, unpacked: records are checked whole before any is used. */
#define FARGS_CHUNK_RECORDS_MAX	(1u << 20)
#define FARGS_CHUNK_OTHER_MAX	(1u << 30)

/*
 * Packed symbols may take at most this many bytes, unpacked: their parsed form takes some ten times
 * as much again, which a small file must not be able to ask for. Symbols of real kernels
 * (50,000, each with an address of its own) unpack to 4 times their size, at level 19 to 5.5 times.
 */
#define FARGS_CHUNK_SYMBOLS_RATIO	16
#define FARGS_CHUNK_SYMBOLS_FREE	(64u << 10)

/**
 * struct fargs_chunk - header of a chunk, 64 bytes, at a multiple of 8
 * @magic:	FARGS_CHUNK_MAGIC
 * @kind:	enum fargs_chunk_kind; a reader passes over kinds it does not know
 * @flags:	enum fargs_chunk_flags; a reader refuses a chunk with others
 * @cpu:	of RECORDS, EVENTS, PT_AUX and PT_SIDEBAND; else FARGS_CHUNK_NO_CPU
 * @head_crc:	CRC-32C of this header with @head_crc being 0
 * @bytes:	of the payload as it is in the file, without the zeroes behind it
 * @crc:	CRC-32C of the payload as it is in the file
 * @raw_bytes:	of the payload, unpacked
 * @at:		where in the file this header is
 * @first_tsc:	of RECORDS and EVENTS: the smallest time among them, of EVENTS in ns of
 *		the perf clock; else 0
 * @last_tsc:	the same: the largest
 * @file:	the number of the file that INFO tells
 * @reserved:	0
 *
 * @at and @file are there for files that broke: what a file system or a record
 * brought along of another file, or of another place, is not taken for a chunk.
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

/* In front of INFO, and of all chunks of version 1; 32 bytes. */
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

/* In front of raw BTF; a multiple of 8, so that the section is aligned. */
struct fargs_file_btf {
	char name[64];			/* "vmlinux" or a module's, NUL-padded */
};

struct fargs_file_funcs {
	uint32_t nr;
	uint32_t func_bytes;		/* of one struct fargs_file_func, as the writer knew it */
	uint64_t strings_bytes;		/* behind them; begins and ends with a NUL */
};

struct fargs_file_func {
	uint64_t ip;
	uint64_t addr;
	uint32_t name;			/* offsets in the strings */
	uint32_t module;		/* 0: vmlinux */
	uint32_t btf_id;
	uint32_t layout_flags;		/* enum fargs_layout_flags */
	uint64_t from_tsc;		/* it is there since; 0: from the begin on */
};

/* Before it had from_tsc. */
#define FARGS_FILE_FUNC_MIN	32

struct fargs_file_task {
	int32_t tid;
	int32_t tgid;
	char comm[16];
};

/* A number in a task's own pid namespace, where that is another one. */
struct fargs_file_nspid {
	int32_t tid;
	int32_t ns_tid;			/* -1: it ended before that could be asked */
	uint64_t from_tsc;		/* of the record of its fork; 0: there at the start */
};

/*
 * Of a flight recorder, in front of the records of each trigger: what their tasks were called,
 * from when on. Takes the place of TASKS, NSPIDS and TASK records.
 */
struct fargs_file_name {
	uint64_t from_tsc;
	int32_t tid;
	int32_t tgid;
	int32_t ns_tid;			/* as in struct fargs_file_nspid; 0: it is tid */
	uint32_t is_known;		/* 0: from then on nothing but tid is known */
	char comm[16];
};

_Static_assert(sizeof(struct fargs_file_name) == 40, "in files");
enum fargs_file_format_what {
	FARGS_FORMAT_EVENT = 1,		/* name: of its system; text: the file "format" */
	FARGS_FORMAT_PRINTK = 2,	/* text: the file "printk_formats" */
};

/* Then the name with its NUL, the text, and zeroes up to a multiple of 8. */
struct fargs_file_format {
	uint32_t what;			/* enum fargs_file_format_what; others are passed over */
	uint32_t name_bytes;
	uint64_t text_bytes;
};

/* Symbols or modules of a guest of KVM. Then the name with its NUL, and to the end the text. */
struct fargs_file_guest {
	int32_t pid;			/* of its process; 0: it goes by the name */
	uint32_t name_bytes;		/* without a pid of its process; "": of all others */
};

/* Calls whose return could not be waited for. Then the functions. */
struct fargs_file_missed {
	uint64_t any;			/* missed by the kernel, of any task */
	uint32_t maxactive;		/* calls that could wait for their return; 0: none did */
	uint32_t func_bytes;		/* of one struct fargs_file_missed_func of the writer */
};

/* Those of which calls were missed, in any order. */
struct fargs_file_missed_func {
	uint64_t ip;			/* as in struct fargs_file_func, like from_tsc */
	uint64_t from_tsc;
	uint64_t missed;		/* of traced tasks */
	uint64_t missed_any;		/* of fargs_file_missed.any */
	uint64_t too_deep;		/* made inside calls of it */
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

/* What head_crc has to be. */
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

/* @packed bytes of a chunk of symbols, @raw when they are unpacked. */
static inline bool fargs_chunk_symbols_fit(uint64_t packed, uint64_t raw)
{
	return raw <= FARGS_CHUNK_SYMBOLS_FREE || raw / FARGS_CHUNK_SYMBOLS_RATIO <= packed;
}

/* Bytes from the start of a payload to the next chunk. */
static inline uint64_t fargs_chunk_room(uint64_t bytes)
{
	return (bytes + FARGS_CHUNK_ALIGN - 1) & ~(uint64_t)(FARGS_CHUNK_ALIGN - 1);
}

#endif
