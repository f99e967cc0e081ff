// SPDX-License-Identifier: GPL-2.0-only
/*
 * thread_exec CALLS COMMAND [ARG...]: a thread that is not the main thread makes fargs_target make
 * calls, and then executes COMMAND. The thread thereby gets the main thread's tid.
 *
 * The program maps a lot of memory, in single pages. The kernel unmaps this memory in the middle of
 * exec, so the main thread is freed before the EXEC record is written.
 */
#include <err.h>
#include <fcntl.h>
#include <pthread.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define MEMORY_BYTES	(128 << 20)

static void *run(void *arg)
{
	char **argv = arg;
	int fd = open("/proc/fargs_target", O_WRONLY | O_CLOEXEC);

	if (fd < 0 || write(fd, argv[1], strlen(argv[1])) < 0)
		err(1, "/proc/fargs_target");
	execvp(argv[2], argv + 2);
	err(1, "%s", argv[2]);
}

static void take_memory(void)
{
	char *memory = mmap(NULL, MEMORY_BYTES, PROT_READ | PROT_WRITE,
			    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	size_t at;

	if (memory == MAP_FAILED)
		err(1, "no memory");
	madvise(memory, MEMORY_BYTES, MADV_NOHUGEPAGE);
	for (at = 0; at < MEMORY_BYTES; at += 4096)
		memory[at] = 1;
}

int main(int argc, char **argv)
{
	pthread_t thread;

	if (argc < 3)
		errx(2, "usage: thread_exec CALLS COMMAND [ARG...]");
	take_memory();
	if (pthread_create(&thread, NULL, run, argv))
		errx(1, "cannot create a thread");
	pthread_join(thread, NULL);
	return 1;
}
