/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Calls fdatasync(2) periodically in a thread of its own.
 */
#ifndef FARGS_FILE_SYNCER_H
#define FARGS_FILE_SYNCER_H

struct fargs_syncer;

/* Syncs @fd every @ms milliseconds. NULL: no memory or no thread. */
struct fargs_syncer *fargs_syncer_create(int fd, unsigned int ms);
/* Stops the thread; @fd stays open. */
void fargs_syncer_destroy(struct fargs_syncer *s);

/*
 * Returns 0, or the errno of a failed sync. The kernel reports such an error only once: the data is
 * not on disk, and later syncs succeed.
 */
int fargs_syncer_error(const struct fargs_syncer *s);

#endif
