// SPDX-License-Identifier: GPL-2.0-only
#include "ctl/caps.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "util/file.h"

bool fargs_caps_has(unsigned int cap)
{
	static const char field[] = "\nCapEff:";
	size_t size;
	char *text = fargs_file_read("/proc/self/status", &size);
	const char *found = text ? strstr(text, field) : NULL;
	uint64_t caps = found ? strtoull(found + strlen(field), NULL, 16) : 0;

	free(text);
	return caps >> cap & 1;
}
