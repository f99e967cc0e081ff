// SPDX-License-Identifier: GPL-2.0-only
/*
 * thread_exec CALLS COMMAND [ARG...]: from a thread that is not the first one,
 * has fargs_target make calls, and then becomes COMMAND. With that the thread
 * takes over the id of the first one.
 */
#include <err.h>
#include <fcntl.h>
#include <pthread.h>
#include <string.h>
#include <unistd.h>

static void *run(void *arg)
{
	char **argv = arg;
	int fd = open("/proc/fargs_target", O_WRONLY | O_CLOEXEC);

	if (fd < 0 || write(fd, argv[1], strlen(argv[1])) < 0)
		err(1, "/proc/fargs_target");
	execvp(argv[2], argv + 2);
	err(1, "%s", argv[2]);
}

int main(int argc, char **argv)
{
	pthread_t thread;

	if (argc < 3)
		errx(2, "usage: thread_exec CALLS COMMAND [ARG...]");
	if (pthread_create(&thread, NULL, run, argv))
		errx(1, "no thread");
	pthread_join(thread, NULL);
	return 1;
}
