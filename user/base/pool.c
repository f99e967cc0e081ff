// SPDX-License-Identifier: GPL-2.0-only
#include "base/pool.h"

#include <pthread.h>
#include <stdlib.h>

struct worker {
	struct fargs_pool *pool;
	pthread_t thread;
	unsigned int nr;	/* number of the thread, from 1; 0 is the caller's thread */
};

struct fargs_pool {
	/* Protects the queue, is_over, and the fields of jobs that are private to the pool. */
	pthread_mutex_t lock;
	pthread_cond_t submitted;	/* signalled when a job is queued, or @is_over is set */
	pthread_cond_t done;
	struct fargs_job *first, *last;	/* FIFO queue */
	bool is_over;
	unsigned int nr_workers;
	struct worker workers[FARGS_POOL_MAX - 1];
};

/* Removes @job from any position of the queue. */
static void dequeue(struct fargs_pool *pool, struct fargs_job *job)
{
	struct fargs_job **at = &pool->first, *before = NULL;

	for (; *at != job; at = &(*at)->next)
		before = *at;
	*at = job->next;
	if (pool->last == job)
		pool->last = before;
	job->is_queued = false;
}

/* Runs @job. Called with the lock held; drops it while the job runs. */
static void do_job(struct fargs_pool *pool, struct fargs_job *job, unsigned int thread)
{
	dequeue(pool, job);
	pthread_mutex_unlock(&pool->lock);
	job->fn(job, thread);
	pthread_mutex_lock(&pool->lock);
	job->is_done = true;
	pthread_cond_broadcast(&pool->done);
}

static void *work(void *arg)
{
	struct worker *worker = arg;
	struct fargs_pool *pool = worker->pool;

	pthread_mutex_lock(&pool->lock);
	while (!pool->is_over) {
		if (pool->first)
			do_job(pool, pool->first, worker->nr);
		else
			pthread_cond_wait(&pool->submitted, &pool->lock);
	}
	pthread_mutex_unlock(&pool->lock);
	return NULL;
}

struct fargs_pool *fargs_pool_create(unsigned int nr_threads)
{
	struct fargs_pool *pool;
	struct worker *worker;

	if (!nr_threads || nr_threads > FARGS_POOL_MAX)
		return NULL;
	pool = calloc(1, sizeof(*pool));
	if (!pool)
		return NULL;
	pthread_mutex_init(&pool->lock, NULL);
	pthread_cond_init(&pool->submitted, NULL);
	pthread_cond_init(&pool->done, NULL);
	while (pool->nr_workers + 1 < nr_threads) {
		worker = &pool->workers[pool->nr_workers];
		worker->pool = pool;
		worker->nr = pool->nr_workers + 1;
		if (pthread_create(&worker->thread, NULL, work, worker))
			break;
		pool->nr_workers++;
	}
	return pool;
}

void fargs_pool_destroy(struct fargs_pool *pool)
{
	unsigned int i;

	if (!pool)
		return;
	pthread_mutex_lock(&pool->lock);
	pool->is_over = true;
	pthread_cond_broadcast(&pool->submitted);
	pthread_mutex_unlock(&pool->lock);
	for (i = 0; i < pool->nr_workers; i++)
		pthread_join(pool->workers[i].thread, NULL);
	pthread_cond_destroy(&pool->done);
	pthread_cond_destroy(&pool->submitted);
	pthread_mutex_destroy(&pool->lock);
	free(pool);
}

void fargs_pool_submit(struct fargs_pool *pool, struct fargs_job *job)
{
	pthread_mutex_lock(&pool->lock);
	job->next = NULL;
	job->is_queued = true;
	job->is_done = false;
	if (pool->last)
		pool->last->next = job;
	else
		pool->first = job;
	pool->last = job;
	pthread_cond_signal(&pool->submitted);
	pthread_mutex_unlock(&pool->lock);
}

void fargs_pool_wait(struct fargs_pool *pool, struct fargs_job *job)
{
	pthread_mutex_lock(&pool->lock);
	while (!job->is_done) {
		/* Run @job first if it is still queued, otherwise any queued job. */
		if (job->is_queued)
			do_job(pool, job, 0);
		else if (pool->first)
			do_job(pool, pool->first, 0);
		else
			pthread_cond_wait(&pool->done, &pool->lock);
	}
	pthread_mutex_unlock(&pool->lock);
}

unsigned int fargs_pool_nr_threads(const struct fargs_pool *pool)
{
	return pool->nr_workers + 1;
}
