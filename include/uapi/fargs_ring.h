/* SPDX-License-Identifier: GPL-2.0 WITH Linux-syscall-note */
/*
 * fargs rings: one for each possible CPU, shared between the module (the only writer of data and
 * head) and one reader (the only writer of the tail).
 *
 * Each CPU has two mappings of /dev/fargs, after FARGS_IOC_BUFFER:
 *
 *	FARGS_MMAP_DATA(cpu)	PROT_READ, page_size + 2 * size bytes: a page with struct
 *				fargs_ring_head, then the data mapped twice in a row, so that no
 *				record wraps
 *	FARGS_MMAP_TAIL(cpu)	PROT_READ | PROT_WRITE, page_size bytes: struct fargs_ring_tail
 *
 * Both must be MAP_SHARED. Positions never wrap; the byte at position p is data[p & (size - 1)].
 *
 *	CPU A (the module)			CPU B (the reader)
 *	load_acquire(data_tail)			head = load_acquire(data_head)
 *	write records into free space		read records in [tail, head)
 *	store_release(data_head)		store_release(data_tail, new tail)
 *
 * The reader's acquire of data_head pairs with the module's release: all records below the head
 * are complete. The module's acquire of data_tail pairs with the reader's release: the reader
 * has finished with the space below the tail before the module writes there. The module does
 * not trust the tail: a ring whose tail is above the head, or more than size below it, counts as
 * full.
 *
 * A ring of FARGS_MODE_OVERWRITE (fargs.h) does not use the tail: new records overwrite the
 * oldest. The ring consists of sub-buffers of sub_bytes, and no record straddles two of them; a
 * record length (__le16) of 0 means that the rest of the sub-buffer is empty. The ring can be
 * read only while it is frozen (FARGS_IOC_FREEZE) or the session is stopped. A reader reads
 *
 *	from max(data_start, end of the previous reading) up to data_head,
 *	and skips to the next multiple of sub_bytes where a record length is 0
 */
#ifndef _UAPI_FARGS_RING_H
#define _UAPI_FARGS_RING_H

#include <linux/types.h>

#define FARGS_MMAP_DATA(cpu)	((__u64)(cpu) << 32)
#define FARGS_MMAP_TAIL(cpu)	(((__u64)(cpu) << 32) | (1ull << 31))

/**
 * struct fargs_ring_head - written by the module
 * @data_head:	position of the end of the last complete record
 * @size:	bytes of data, a power of two; constant
 * @version:	FARGS_RING_VERSION
 * @sub_bytes:	FARGS_MODE_OVERWRITE: bytes of a sub-buffer, a power of two; else 0
 * @data_start:	FARGS_MODE_OVERWRITE: position of the oldest record, as of the last FREEZE
 *		or STOP; a multiple of @sub_bytes
 */
struct fargs_ring_head {
	__u64 data_head;
	__u64 size;
	__u32 version;
	__u32 sub_bytes;
	__u64 data_start;
};

/**
 * struct fargs_ring_tail - written by the reader
 * @data_tail:	position before which everything has been read
 */
struct fargs_ring_tail {
	__u64 data_tail;
};

#define FARGS_RING_VERSION	1

#endif
