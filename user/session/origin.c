// SPDX-License-Identifier: GPL-2.0-only
#include "session/origin.h"

#include <fcntl.h>
#include <sched.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "abi/machine.h"

/* The task may be preempted between the clocks: of so many readings, the narrowest is used. */
#define READINGS	8

/* Reads an id: the first line of a file, of @size - 1 hexadecimal digits and '-'. */
static void read_id(const char *path, char *id, size_t size)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	ssize_t n;

	if (fd < 0)
		return;
	n = read(fd, id, size);
	close(fd);
	/* The id is followed by a newline. */
	if (n != (ssize_t)size || id[size - 1] != '\n')
		n = 0;
	id[n ? size - 1 : 0] = '\0';
	if (strspn(id, "0123456789abcdef-") != strlen(id))
		id[0] = '\0';
}

static void read_clock(struct fargs_origin *o)
{
	uint64_t before, after;
	struct timespec now;
	unsigned int i;
	int cpu;

	for (i = 0; i < READINGS; i++) {
		cpu = sched_getcpu();
		before = fargs_machine_clock();
		if (clock_gettime(CLOCK_REALTIME, &now) || now.tv_sec < 0)
			return;
		after = fargs_machine_clock();
		if (cpu < 0 || sched_getcpu() != cpu ||
		    (o->real_ns && after - before >= o->real_width))
			continue;
		o->real_ns = now.tv_sec * 1000000000ull + now.tv_nsec;
		o->real_tsc = before;
		o->real_width = after - before;
		o->real_cpu = cpu;
	}
}

void fargs_session_origin(struct fargs_origin *o)
{
	read_id("/etc/machine-id", o->machine_id, sizeof(o->machine_id));
	read_id("/proc/sys/kernel/random/boot_id", o->boot_id, sizeof(o->boot_id));
	read_clock(o);
}
