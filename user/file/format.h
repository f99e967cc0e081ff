/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * fargs.dat(5): the bytes of a trace file. An ELF64 file, little endian:
 *
 *	Elf64_Ehdr		its section table is set when the recording ends
 *	chunks			one behind the other: struct fargs_chunk, payload,
 *				zero padding to a multiple of 8
 *	section names, section table
 *
 * What is needed to decode the records comes as chunks in front of them, so
 * that a file that was cut off can still be read from its front.
 */
#ifndef FARGS_FILE_FORMAT_H
#define FARGS_FILE_FORMAT_H

#include <stdint.h>

/* In e_ident: vendor's OS ABI is not ours to take, so name and version are in .fargs.info. */
#define FARGS_FILE_VERSION	1

/* Value of e_machine, e_type: x86-64, none. */

#define FARGS_CHUNK_MAGIC	0x6b6e6863u	/* "chnk" */

enum fargs_chunk_kind {
	FARGS_CHUNK_INFO = 1,		/* first: struct fargs_file_info, "key=value" lines */
	FARGS_CHUNK_BTF = 2,		/* name, NUL, padding to 8, raw BTF */
	FARGS_CHUNK_FUNCS = 3,		/* struct fargs_file_func, then strings */
	FARGS_CHUNK_KALLSYMS = 4,	/* text */
	FARGS_CHUNK_TASKS = 5,		/* struct fargs_file_task */
	FARGS_CHUNK_RECORDS = 6,	/* records of one CPU, in order */
	FARGS_CHUNK_CLOCK = 7,		/* one round: struct fargs_clock_sample per CPU */
	FARGS_CHUNK_STATS = 8,		/* struct fargs_cpu_stats per CPU */
	FARGS_CHUNK_END = 9,		/* nothing: the stream is complete */
};

/* @cpu of chunks that belong to none. */
#define FARGS_CHUNK_NO_CPU	0xffffffffu

/**
 * struct fargs_chunk - header of a chunk, 32 bytes, at a multiple of 8
 * @magic:	FARGS_CHUNK_MAGIC
 * @kind:	enum fargs_chunk_kind; a reader passes over kinds it does not know
 * @flags:	0; a reader refuses a chunk with others
 * @cpu:	or FARGS_CHUNK_NO_CPU
 * @head_crc:	CRC-32C of this header with @head_crc 0
 * @bytes:	of the payload, without padding
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

#endif
