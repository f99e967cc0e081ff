/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A thread pool. While the caller waits for a job, it runs queued jobs itself. A pool of one thread
 * therefore starts no thread, and runs all jobs in the calling thread.
 */
#ifndef FARGS_BASE_POOL_H
#define FARGS_BASE_POOL_H

#include <stdbool.h>

/* Maximum number of threads in a pool. */
#define FARGS_POOL_MAX	64

struct fargs_pool;

/*
 * A job, embedded in a struct of the caller, who may reuse it after fargs_pool_wait(). @thread,
 * numbered from 0, selects per-thread memory for @fn: no two jobs run at the same time with the
 * same @thread.
 */
struct fargs_job {
	void (*fn)(struct fargs_job *job, unsigned int thread);
	/* The following members are private to the pool, and are protected by its lock. */
	struct fargs_job *next;
	bool is_queued;
	bool is_done;
};

/*
 * Creates a pool of @nr_threads threads, or of fewer if not all can be started. Returns NULL if out
 * of memory, or if @nr_threads is 0 or above FARGS_POOL_MAX.
 */
struct fargs_pool *fargs_pool_create(unsigned int nr_threads);
/* Waits for running jobs; jobs still queued are dropped. @pool may be NULL. */
void fargs_pool_destroy(struct fargs_pool *pool);

/* All calls to fargs_pool_submit() and fargs_pool_wait() must be made by the same thread. */
void fargs_pool_submit(struct fargs_pool *pool, struct fargs_job *job);
/* Returns when @job, which must have been submitted, is done. */
void fargs_pool_wait(struct fargs_pool *pool, struct fargs_job *job);

/* Number of threads, including the caller's. */
unsigned int fargs_pool_nr_threads(const struct fargs_pool *pool);

#endif
