/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A thread pool. A thread that waits for a job runs queued jobs meanwhile; a pool of one thread
 * therefore uses only the caller's thread and starts none.
 */
#ifndef FARGS_BASE_POOL_H
#define FARGS_BASE_POOL_H

#include <stdbool.h>

/* Maximum number of threads in a pool. */
#define FARGS_POOL_MAX	64

struct fargs_pool;

/*
 * Embedded in the caller's job. It may be reused after fargs_pool_wait(). @thread, from 0 on,
 * selects per-thread memory for @fn: no two jobs run at the same time with the same @thread.
 */
struct fargs_job {
	void (*fn)(struct fargs_job *job, unsigned int thread);
	/* Private to the pool, protected by its lock: */
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

/* All calls of fargs_pool_submit() and fargs_pool_wait() must come from one thread. */
void fargs_pool_submit(struct fargs_pool *pool, struct fargs_job *job);
/* Returns when @job, which must have been submitted, is done. */
void fargs_pool_wait(struct fargs_pool *pool, struct fargs_job *job);

/* Number of threads, including the caller's. */
unsigned int fargs_pool_nr_threads(const struct fargs_pool *pool);

#endif
