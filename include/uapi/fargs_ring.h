/* SPDX-License-Identifier: GPL-2.0 WITH Linux-syscall-note */
/*
 * fargs rings: one for each possible CPU, shared between the module (the only
 * writer of data and head) and a reader (the only writer of the tail).
 *
 * Two mappings of /dev/fargs per CPU, after FARGS_IOC_BUFFER:
 *
 *	FARGS_MMAP_DATA(cpu)	PROT_READ, page_size + 2 * size bytes:
 *				a page with struct fargs_ring_head, the data,
 *				and the same data once more, so that a record
 *				never wraps.
 *	FARGS_MMAP_TAIL(cpu)	PROT_READ | PROT_WRITE, page_size bytes:
 *				struct fargs_ring_tail.
 *
 * Both must be MAP_SHARED. Positions only grow; the byte at position p lies at
 * data[p & (size - 1)]. A reader does
 *
 *	head = load_acquire(&ring->head)
 *	read records in [tail, head)
 *	store_release(&ring->tail, new tail)
 *
 * The acquire pairs with the writer's release after the records are complete.
 * The release keeps the reads before the space is given back. The module takes
 * no tail on trust: one that is ahead of the head, or more than size behind,
 * counts as a full ring.
 *
 * A ring of FARGS_MODE_OVERWRITE (fargs.h) has no use for the tail: what is new
 * takes the place of what is oldest. It consists of sub-buffers of sub_bytes, which
 * no record straddles: a record length (__le16) of 0 says that the rest of its
 * sub-buffer is empty. It can be read while it is frozen (FARGS_IOC_FREEZE) or the
 * session is stopped, not while it is written:
 *
 *	from max(data_start, what was read the last time) up to data_head,
 *	going on at the next multiple of sub_bytes where a length is 0
 */
#ifndef _UAPI_FARGS_RING_H
#define _UAPI_FARGS_RING_H

#include <linux/types.h>

#define FARGS_MMAP_DATA(cpu)	((__u64)(cpu) << 32)
#define FARGS_MMAP_TAIL(cpu)	(((__u64)(cpu) << 32) | (1ull << 31))

/**
 * struct fargs_ring_head - written by the module
 * @data_head:	position behind the last complete record
 * @size:	bytes of data, a power of two; does not change
 * @version:	FARGS_RING_VERSION
 * @sub_bytes:	FARGS_MODE_OVERWRITE: of a sub-buffer, a power of two; else 0
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
 * @data_tail:	position up to which everything has been read
 */
struct fargs_ring_tail {
	__u64 data_tail;
};

#define FARGS_RING_VERSION	1

#endif
