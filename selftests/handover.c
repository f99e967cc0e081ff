// SPDX-License-Identifier: GPL-2.0-only
/*
 * handover N CPU CPU: two processes on two CPUs pass a byte to each other. The process that has the
 * byte calls lseek(2), N times in all, with offsets 0, 1, 2 ... So each call happens after the
 * previous one. Occasionally, both processes sleep, so that their CPUs are idle.
 */
#include <err.h>
#include <sched.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#define CALLS_BETWEEN_SLEEPS	5
#define SLEEP_US		10000

static void run_on(int cpu)
{
	cpu_set_t cpus;

	CPU_ZERO(&cpus);
	CPU_SET(cpu, &cpus);
	if (sched_setaffinity(0, sizeof(cpus), &cpus))
		err(1, "CPU %d", cpu);
}

/*
 * Makes every second call, from call @i on. Reads the byte from @in before a call, and writes it to
 * @out after the call.
 */
static void call(int i, int nr, int fd, int in, int out)
{
	char byte = 0;

	for (; i < nr; i += 2) {
		if (read(in, &byte, 1) != 1)
			errx(1, "no byte was passed");
		if (i % CALLS_BETWEEN_SLEEPS == 0)
			usleep(SLEEP_US);
		if (lseek(fd, i, SEEK_SET) != i)
			err(1, "lseek");
		if (write(out, &byte, 1) != 1)
			err(1, "handing over");
	}
}

int main(int argc, char **argv)
{
	int nr, fd, to_child[2], to_parent[2], status;
	char byte = 0;
	pid_t child;

	if (argc != 4)
		errx(2, "usage: handover N CPU CPU");
	nr = atoi(argv[1]) / 2 * 2;
	/*
	 * Use a file in memory: it accepts any offset, which is an argument of shmem_file_llseek().
	 */
	fd = memfd_create("handover", MFD_CLOEXEC);
	if (fd < 0 || pipe(to_child) || pipe(to_parent))
		err(1, "memfd_create or pipe");
	child = fork();
	if (child < 0)
		err(1, "fork");
	run_on(atoi(argv[child ? 2 : 3]));
	/*
	 * Close unused ends of pipes, so that if one process fails, the other reads the end of its
	 * pipe.
	 */
	close(child ? to_child[0] : to_child[1]);
	if (!child) {
		close(to_parent[0]);
		call(1, nr, fd, to_child[0], to_parent[1]);
		return 0;
	}
	if (write(to_parent[1], &byte, 1) != 1)
		err(1, "handing over");
	close(to_parent[1]);
	call(0, nr, fd, to_parent[0], to_child[1]);
	if (waitpid(child, &status, 0) != child || status)
		errx(1, "the child failed");
	return 0;
}
