/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Threads that do jobs. Who waits for a job does jobs meanwhile, so that a pool of one
 * thread is the caller's own, and starts none.
 */
#ifndef FARGS_UTIL_POOL_H
#define FARGS_UTIL_POOL_H

#include <stdbool.h>

/* The most threads of a pool. */
#define FARGS_POOL_MAX	64

struct fargs_pool;

/*
 * Part of what it is about; free to be used again once it was waited for. @fn knows by
 * @thread, from 0 on, whose memory to use: no two jobs run with the same one.
 */
struct fargs_job {
	void (*fn)(struct fargs_job *job, unsigned int thread);
	/* The pool's, under its lock: */
	struct fargs_job *next;
	bool is_queued;
	bool is_done;
};

/*
 * NULL: no memory, or @nr_threads is 0 or above FARGS_POOL_MAX. Where fewer threads can
 * be had, there are fewer.
 */
struct fargs_pool *fargs_pool_create(unsigned int nr_threads);
/* Jobs that are not done yet will not be, other than those that run. NULL is fine. */
void fargs_pool_destroy(struct fargs_pool *pool);

/* Those of them that submit and wait are one thread. */
void fargs_pool_submit(struct fargs_pool *pool, struct fargs_job *job);
/* Until @job, which was submitted, is done. */
void fargs_pool_wait(struct fargs_pool *pool, struct fargs_job *job);

/* How many there are, the caller's included. */
unsigned int fargs_pool_nr_threads(const struct fargs_pool *pool);

#endif
