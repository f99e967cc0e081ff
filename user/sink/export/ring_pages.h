/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Pages of ftrace's ring buffer (include/linux/ring_buffer.h of the kernel), as trace.dat files
 * contain them.
 *
 * A page contains the time of its first event, the size of its data, and events, each with the time
 * since the previous event. For each CPU, only the page that is being filled is in memory. Full
 * pages of all CPUs are appended to the same file; an array holds the CPU of each page in the file.
 */
#ifndef FARGS_SINK_EXPORT_RING_PAGES_H
#define FARGS_SINK_EXPORT_RING_PAGES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* An event must fit into a page. 64 KiB is a multiple of the page size of all machines. */
#define FARGS_RING_PAGE_BYTES	65536
/* Size of the header that precedes the data of a page. */
#define FARGS_RING_PAGE_HEAD	16
/* Maximum size of an event. */
#define FARGS_RING_EVENT_MAX	65000

struct fargs_ring_pages;

/* Takes ownership of @fd, an empty file, even on failure. Returns NULL if out of memory. */
struct fargs_ring_pages *fargs_ring_pages_create(int fd);
void fargs_ring_pages_destroy(struct fargs_ring_pages *p);

/* Adds an event of @cpu, of at most FARGS_RING_EVENT_MAX bytes. Returns 0 or -errno. */
int fargs_ring_pages_add(struct fargs_ring_pages *p, unsigned int cpu, uint64_t ns,
			 const void *data, size_t bytes);
/*
 * Counts @nr events of @cpu that were lost before the next event; 0: an unknown number. Returns 0
 * or -ENOMEM.
 */
int fargs_ring_pages_lose(struct fargs_ring_pages *p, unsigned int cpu, uint64_t nr);
/* Were events of @cpu lost after its last event? Sets *@nr to their number; 0: unknown. */
bool fargs_ring_pages_has_lost(const struct fargs_ring_pages *p, unsigned int cpu, uint64_t *nr);

/* To be called after the last event, before the functions below. Returns 0 or -errno. */
int fargs_ring_pages_finish(struct fargs_ring_pages *p);
/* Returns one more than the highest CPU that has events or losses. */
unsigned int fargs_ring_pages_nr_cpus(const struct fargs_ring_pages *p);
/* Returns the size of all pages of @cpu. */
uint64_t fargs_ring_pages_bytes(const struct fargs_ring_pages *p, unsigned int cpu);
/* Writes the pages of @cpu to @to. Returns 0 or -errno. */
int fargs_ring_pages_write(struct fargs_ring_pages *p, unsigned int cpu, FILE *to);

#endif
