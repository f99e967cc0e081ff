/* SPDX-License-Identifier: GPL-2.0-only */
/* A temporary file that exists while the tests run, for tests that write different bytes to it. */
#ifndef SELFTESTS_TEMP_FILE_H
#define SELFTESTS_TEMP_FILE_H

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "unit/ktap.h"

static char temp_path[32];

/*
 * Replaces the file's contents. Returns false, after failing the test, if the file cannot be
 * written.
 */
__attribute__((unused)) static bool temp_write(const void *bytes, size_t n)
{
	FILE *file = fopen(temp_path, "we");

	if (file && fwrite(bytes, 1, n, file) == n && !fclose(file))
		return true;
	ktap_fail(__FILE__, __LINE__, "cannot write %s", temp_path);
	return false;
}

/* Runs the tests like KTAP_RUN(), while the file exists. */
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
