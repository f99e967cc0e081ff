// SPDX-License-Identifier: GPL-2.0-only
/*
 * callers FIRST SECOND: two threads make fargs_target call the functions FIRST and SECOND until the
 * process is killed. Prints the tids of both threads first.
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
		errx(1, "cannot create a thread");
	call_for_ever(argv[1]);
}
