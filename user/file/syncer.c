// SPDX-License-Identifier: GPL-2.0-only
#include "file/syncer.h"

#include <errno.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

struct fargs_syncer {
	int fd;
	unsigned int ms;
	pthread_t thread;
	pthread_mutex_t lock;		/* protects @is_over */
	pthread_cond_t changed;
	bool is_over;
	int code;			/* errno of a failed fdatasync(); accessed with __atomic */
};

static void add_ms(struct timespec *ts, unsigned int ms)
{
	ts->tv_sec += ms / 1000;
	ts->tv_nsec += ms % 1000 * 1000000l;
	if (ts->tv_nsec >= 1000000000) {
		ts->tv_sec++;
		ts->tv_nsec -= 1000000000;
	}
}

/* Waits for the next period. Returns false if the thread must end. */
static bool wait_turn(struct fargs_syncer *s)
{
	struct timespec until;
	bool is_over;

	clock_gettime(CLOCK_MONOTONIC, &until);
	add_ms(&until, s->ms);
	pthread_mutex_lock(&s->lock);
	while (!s->is_over && !pthread_cond_timedwait(&s->changed, &s->lock, &until))
		;
	is_over = s->is_over;
	pthread_mutex_unlock(&s->lock);
	return !is_over;
}

static void *run(void *arg)
{
	struct fargs_syncer *s = arg;

	while (wait_turn(s)) {
		if (!fdatasync(s->fd))
			continue;
		/* Not an error: devices and pseudo files do not support fdatasync(). */
		if (errno == EINVAL || errno == EROFS)
			break;
		__atomic_store_n(&s->code, errno, __ATOMIC_RELAXED);
		break;
	}
	return NULL;
}

struct fargs_syncer *fargs_syncer_create(int fd, unsigned int ms)
{
	struct fargs_syncer *s = calloc(1, sizeof(*s));
	pthread_condattr_t attr;

	if (!s)
		return NULL;
	s->fd = fd;
	s->ms = ms;
	pthread_mutex_init(&s->lock, NULL);
	pthread_condattr_init(&attr);
	pthread_condattr_setclock(&attr, CLOCK_MONOTONIC);
	pthread_cond_init(&s->changed, &attr);
	pthread_condattr_destroy(&attr);
	if (pthread_create(&s->thread, NULL, run, s)) {
		pthread_cond_destroy(&s->changed);
		pthread_mutex_destroy(&s->lock);
		free(s);
		return NULL;
	}
	return s;
}

void fargs_syncer_destroy(struct fargs_syncer *s)
{
	if (!s)
		return;
	pthread_mutex_lock(&s->lock);
	s->is_over = true;
	pthread_cond_signal(&s->changed);
	pthread_mutex_unlock(&s->lock);
	pthread_join(s->thread, NULL);
	pthread_cond_destroy(&s->changed);
	pthread_mutex_destroy(&s->lock);
	free(s);
}

int fargs_syncer_error(const struct fargs_syncer *s)
{
	return __atomic_load_n(&s->code, __ATOMIC_RELAXED);
}
