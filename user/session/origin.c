// SPDX-License-Identifier: GPL-2.0-only
#include "session/origin.h"

#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "abi/clock_pair.h"

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

void fargs_session_origin(struct fargs_origin *o)
{
	struct fargs_clock_pair pair;

	read_id("/etc/machine-id", o->machine_id, sizeof(o->machine_id));
	read_id("/proc/sys/kernel/random/boot_id", o->boot_id, sizeof(o->boot_id));
	if (!fargs_clock_pair_read(CLOCK_REALTIME, &pair))
		return;
	o->real_ns = pair.ns;
	o->real_tsc = pair.tsc;
	o->real_width = pair.width;
	o->real_cpu = pair.cpu;
}
