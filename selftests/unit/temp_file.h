/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Tests that need one file of their own, whose bytes they write again and again: it is there while
 * they run.
 */
#ifndef SELFTESTS_TEMP_FILE_H
#define SELFTESTS_TEMP_FILE_H

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "unit/ktap.h"

static char temp_path[32];

/* Its bytes are these now. False, and the test fails: it cannot be written. */
__attribute__((unused)) static bool temp_write(const void *bytes, size_t n)
{
	FILE *file = fopen(temp_path, "we");

	if (file && fwrite(bytes, 1, n, file) == n && !fclose(file))
		return true;
	ktap_fail(__FILE__, __LINE__, "cannot write %s", temp_path);
	return false;
}

/* KTAP_RUN() while the file is there. */
#define TEMP_RUN(tests) temp_run(tests, sizeof(tests) / sizeof((tests)[0]))

static int temp_run(const struct ktap_test *tests, size_t nr)
{
	int status, fd;

	strcpy(temp_path, "/tmp/fargs-unit-XXXXXX");
	fd = mkstemp(temp_path);
	if (fd < 0)
		return 1;
	close(fd);
	status = ktap_run(tests, nr);
	unlink(temp_path);
	return status;
}

#endif
