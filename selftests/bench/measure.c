// SPDX-License-Identifier: GPL-2.0-only
/*
 * Measures the cost of a command that writes lines. Prints
 *
 *	LINES BYTES WALL_MS CPU_MS PEAK_KB CHECKSUM
 *
 *	measure COMMAND...	its output goes to /dev/null: lines, bytes and checksum are 0
 *	measure -l COMMAND...	reads its output, which takes time
 *
 * The exit status is that of the command.
 */
#include <fcntl.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/crc32c.h"

static double now_ms(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return ts.tv_sec * 1e3 + ts.tv_nsec / 1e6;
}

static double ms_of(struct timeval t)
{
	return t.tv_sec * 1e3 + t.tv_usec / 1e3;
}

int main(int argc, char **argv)
{
	static char buf[1 << 20];
	unsigned long long lines = 0, bytes = 0;
	const char *p, *end;
	double from = now_ms();
	struct rusage usage;
	uint32_t crc = 0;
	bool is_read = argc > 1 && !strcmp(argv[1], "-l");
	int fds[2], status;
	pid_t pid;
	ssize_t n;

	argv += is_read;
	if (!argv[1] || pipe(fds))
		return 125;
	pid = fork();
	if (!pid) {
		dup2(is_read ? fds[1] : open("/dev/null", O_WRONLY), STDOUT_FILENO);
		close(fds[0]);
		close(fds[1]);
		execvp(argv[1], argv + 1);
		perror(argv[1]);
		_exit(127);
	}
	close(fds[1]);
	while ((n = read(fds[0], buf, sizeof(buf))) > 0) {
		for (p = buf, end = buf + n; (p = memchr(p, '\n', end - p)); p++)
			lines++;
		bytes += n;
		crc = fargs_crc32c(crc, buf, n);
	}
	if (pid < 0 || wait4(pid, &status, 0, &usage) != pid)
		return 125;
	printf("%llu %llu %.0f %.0f %ld %08x\n", lines, bytes, now_ms() - from,
	       ms_of(usage.ru_utime) + ms_of(usage.ru_stime), usage.ru_maxrss, crc);
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}
