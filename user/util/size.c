// SPDX-License-Identifier: GPL-2.0-only
#include "util/size.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>

#include <bsd/libutil.h>

int fargs_size_parse(const char *text, uint64_t *bytes, struct fargs_error_text *err)
{
	/* expand_number() would take a sign and blanks too. */
	if (!isdigit((unsigned char)text[0]))
		return fargs_fail(err, EINVAL, "'%s' is not a size: write it like 512K or 4M", text);
	if (expand_number(text, bytes)) {
		if (errno == ERANGE)
			return fargs_fail(err, EINVAL, "'%s' is too large", text);
		return fargs_fail(err, EINVAL, "'%s' is not a size: write it like 512K or 4M", text);
	}
	return 0;
}

char *fargs_size_exact(uint64_t bytes, char *buf, size_t size)
{
	static const char units[] = "KMGTPE";
	int i;

	for (i = -1; bytes && !(bytes % 1024) && i < 5; i++)
		bytes /= 1024;
	if (i < 0)
		snprintf(buf, size, "%" PRIu64, bytes);
	else
		snprintf(buf, size, "%" PRIu64 "%c", bytes, units[i]);
	return buf;
}
