/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * fdatasync(2) every so often, in a thread of its own.
 */
#ifndef FARGS_FILE_SYNCER_H
#define FARGS_FILE_SYNCER_H

struct fargs_syncer;

/* For @fd, every @ms milliseconds. NULL: no memory or no thread. */
struct fargs_syncer *fargs_syncer_create(int fd, unsigned int ms);
/* Ends the thread; @fd stays open. */
void fargs_syncer_destroy(struct fargs_syncer *s);

/*
 * 0, or the errno of a sync that failed: the kernel has told, and forgets, that
 * what was written is not on the disk.
 */
int fargs_syncer_error(const struct fargs_syncer *s);

#endif
