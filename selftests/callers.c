// SPDX-License-Identifier: GPL-2.0-only
/*
 * callers FIRST SECOND: two threads have fargs_target make calls, each those of its
 * function, until it is killed. Prints the ids of both first.
 */
#include <err.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static void call_for_ever(const char *function)
{
	const struct timespec pause = { .tv_nsec = 20000000 };
	int fd = open("/proc/fargs_target", O_WRONLY | O_CLOEXEC);

	if (fd < 0)
		err(1, "/proc/fargs_target");
	for (;;) {
		if (write(fd, function, strlen(function)) < 0)
			err(1, "%s", function);
		nanosleep(&pause, NULL);
	}
}

static void *second(void *function)
{
	printf("%d %d\n", getpid(), gettid());
	fflush(stdout);
	call_for_ever(function);
	return NULL;
}

int main(int argc, char **argv)
{
	pthread_t thread;

	if (argc != 3)
		errx(2, "usage: callers FIRST SECOND");
	if (pthread_create(&thread, NULL, second, argv[2]))
		errx(1, "no thread");
	call_for_ever(argv[1]);
}
