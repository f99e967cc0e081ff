// SPDX-License-Identifier: GPL-2.0-only
#include "kernel/cpus.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"

#define ONLINE	"/sys/devices/system/cpu/online"

int fargs_cpus_parse(const char *text, bool *cpus, unsigned int nr)
{
	unsigned long from, to;
	char *end;

	while (*text) {
		if (!isdigit((unsigned char)*text))
			return -EINVAL;
		from = strtoul(text, &end, 10);
		to = from;
		if (*end == '-')
			to = strtoul(end + 1, &end, 10);
		for (; from <= to && from < nr; from++)
			cpus[from] = true;
		if (*end && *end != ',')
			return -EINVAL;
		text = *end ? end + 1 : end;
	}
	return 0;
}

int fargs_cpus_online(bool *cpus, unsigned int nr)
{
	char text[4096];
	int ret = fargs_file_line(ONLINE, text, sizeof(text));

	memset(cpus, 0, nr * sizeof(*cpus));
	return ret ? ret : fargs_cpus_parse(text, cpus, nr);
}
