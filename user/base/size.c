// SPDX-License-Identifier: GPL-2.0-only
#include "base/size.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* expand_number(3) of libbsd is not used: it ignores text after the suffix, and overflows. */
int fargs_size_parse(const char *text, uint64_t *bytes, struct fargs_error_text *err)
{
	static const char suffixes[] = "KMGTPE";
	unsigned int shift = 0;
	const char *suffix;
	uint64_t number;
	char *end;

	errno = 0;
	number = strtoull(text, &end, 10);
	/* Require a digit first: strtoull() would accept a sign and leading blanks. */
	if (!isdigit((unsigned char)text[0]))
		goto err_text;
	if (*end) {
		suffix = strchr(suffixes, toupper((unsigned char)*end));
		if (!suffix || end[1])
			goto err_text;
		shift = 10 * (suffix - suffixes + 1);
	}
	if (errno == ERANGE || number << shift >> shift != number)
		return fargs_fail(err, EINVAL, "'%s' is too large", text);
	*bytes = number << shift;
	return 0;

err_text:
	return fargs_fail(err, EINVAL, "'%s' is not a size: write it like 512K or 4M", text);
}

int fargs_size_parse_mapped(const char *text, uint64_t page, uint64_t *bytes,
			    struct fargs_error_text *err)
{
	size_t length = strlen(text);
	char number[32];
	int ret;

	if (length > 1 && length < sizeof(number) &&
	    toupper((unsigned char)text[length - 1]) == 'B' &&
	    isalnum((unsigned char)text[length - 2])) {
		snprintf(number, sizeof(number), "%.*s", (int)length - 1, text);
		return fargs_size_parse(number, bytes, err);
	}
	ret = fargs_size_parse(text, bytes, err);
	if (ret || !isdigit((unsigned char)text[length - 1]))
		return ret;
	if (*bytes > UINT64_MAX / page)
		return fargs_fail(err, EINVAL, "'%s' is too large", text);
	*bytes *= page;
	return 0;
}

static int parse_buffer(const char *text, uint64_t page, uint64_t *bytes,
			struct fargs_error_text *err)
{
	int ret = fargs_size_parse_mapped(text, page, bytes, err);

	return ret || *bytes ? ret : fargs_fail(err, EINVAL, "a buffer of 0 is invalid: give a "
						"size like 4M");
}

int fargs_size_parse_pair(const char *text, uint64_t page, uint64_t *first, uint64_t *second,
			  struct fargs_error_text *err)
{
	const char *comma = strchr(text, ',');
	char *size;
	int ret;

	if (!comma)
		return parse_buffer(text, page, first, err);
	ret = parse_buffer(comma + 1, page, second, err);
	if (ret || comma == text)
		return ret;
	size = strndup(text, comma - text);
	ret = size ? parse_buffer(size, page, first, err) :
		     fargs_fail(err, ENOMEM, "out of memory");
	free(size);
	return ret;
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
