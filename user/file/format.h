/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * fargs.dat(5): the bytes of a trace file. A little-endian ELF64 file:
 *
 *	Elf64_Ehdr		its section table is set when the recording ends
 *	chunks			one behind the other: struct fargs_chunk, payload,
 *				zeroes up to a multiple of 8
 *	section names, section table
 *
 * All that is needed to decode the records comes in chunks in front of them,
 * so that a file that was cut off still has it. Sections are views of the
 * chunks' payloads, for readelf, bpftool and random access.
 *
 * Order of the chunks: INFO, BTF (vmlinux, then modules), FUNCS, KALLSYMS,
 * TASKS; then RECORDS and CLOCK as they come (.fargs.stream); at the end
 * CLOCKS, STATS, END.
 */
#ifndef FARGS_FILE_FORMAT_H
#define FARGS_FILE_FORMAT_H

#include <stddef.h>
#include <stdint.h>

#include "file/crc32c.h"

/* Changes when an older reader would go wrong; it refuses the file then. */
#define FARGS_FILE_VERSION	1

#define FARGS_CHUNK_MAGIC	0x6b6e6863u	/* "chnk" */
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
};

/* @cpu of chunks that belong to none. */
#define FARGS_CHUNK_NO_CPU	0xffffffffu

/* Most bytes of a payload: records are checked whole before any is used. */
#define FARGS_CHUNK_RECORDS_MAX	(1u << 20)
#define FARGS_CHUNK_OTHER_MAX	(1u << 30)

/**
 * struct fargs_chunk - header of a chunk, 32 bytes, at a multiple of 8
 * @magic:	FARGS_CHUNK_MAGIC
 * @kind:	enum fargs_chunk_kind; a reader passes over kinds it does not know
 * @flags:	0; a reader refuses a chunk with others
 * @cpu:	of RECORDS; else FARGS_CHUNK_NO_CPU
 * @head_crc:	CRC-32C of this header with @head_crc being 0
 * @bytes:	of the payload, without the zeroes behind it
 * @crc:	CRC-32C of the payload
 * @reserved:	0
 */
struct fargs_chunk {
	uint32_t magic;
	uint16_t kind;
	uint16_t flags;
	uint32_t cpu;
	uint32_t head_crc;
	uint64_t bytes;
	uint32_t crc;
	uint32_t reserved;
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
};

struct fargs_file_task {
	int32_t tid;
	int32_t tgid;
	char comm[16];
};

_Static_assert(sizeof(struct fargs_chunk) == 32, "in files");
_Static_assert(sizeof(struct fargs_file_btf) == 64, "in files");
_Static_assert(sizeof(struct fargs_file_funcs) == 16, "in files");
_Static_assert(sizeof(struct fargs_file_func) == 32, "in files");
_Static_assert(sizeof(struct fargs_file_task) == 24, "in files");

/* What struct fargs_chunk.head_crc has to be. */
static inline uint32_t fargs_chunk_head_crc(const struct fargs_chunk *chunk)
{
	struct fargs_chunk c = *chunk;

	c.head_crc = 0;
	return fargs_crc32c(0, &c, sizeof(c));
}

/* Bytes from the start of a payload to the next chunk. */
static inline uint64_t fargs_chunk_room(uint64_t bytes)
{
	return (bytes + FARGS_CHUNK_ALIGN - 1) & ~(uint64_t)(FARGS_CHUNK_ALIGN - 1);
}

#endif
