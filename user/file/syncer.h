/* SPDX-License-Identifier: GPL-2.0-only */
/* Calls fdatasync(2) periodically in a separate thread. */
#ifndef FARGS_FILE_SYNCER_H
#define FARGS_FILE_SYNCER_H

struct fargs_syncer;

/*
 * Starts a thread that calls fdatasync(@fd) every @ms milliseconds. Returns NULL if there is no
 * memory or no thread can be started.
 */
struct fargs_syncer *fargs_syncer_create(int fd, unsigned int ms);
/* Stops the thread. @fd stays open. */
void fargs_syncer_destroy(struct fargs_syncer *s);

/*
 * Returns 0, or the errno of a failed fdatasync(). After such an error, the data are not on disk,
 * although later calls succeed: the kernel reports an error only once.
 */
int fargs_syncer_error(const struct fargs_syncer *s);

#endif
