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
 */
struct fargs_ring_head {
	__u64 data_head;
	__u64 size;
	__u32 version;
	__u32 reserved;
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
