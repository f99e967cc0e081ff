// SPDX-License-Identifier: GPL-2.0-only
/* Tests the message about functions and tracepoints whose module was unloaded. */
#include <stdlib.h>
#include <unistd.h>

#include "cmd/screen/losses.h"
#include "uapi/fargs_layout.h"
#include "unit/ktap.h"

/*
 * Returns the message of fargs_losses_tell() for @nr_dropped of @nr layouts, of which @nr_tpoints
 * are tracepoints.
 */
static const char *told(unsigned int nr_dropped, size_t nr, size_t nr_tpoints)
{
	const struct fargs_stats stats = { .nr_dropped = nr_dropped };
	struct fargs_func funcs[4] = { };
	struct fargs_meta meta = { .funcs = funcs, .nr_funcs = nr };
	static char text[512];
	int saved = dup(STDERR_FILENO);
	FILE *file = tmpfile();
	size_t i, len;

	for (i = 0; i < nr_tpoints; i++)
		funcs[i].layout_flags = FARGS_LAYOUT_TPOINT;
	fflush(stderr);
	dup2(fileno(file), STDERR_FILENO);
	fargs_losses_tell(&meta, &stats);
	fflush(stderr);
	dup2(saved, STDERR_FILENO);
	close(saved);
	rewind(file);
	len = fread(text, 1, sizeof(text) - 1, file);
	text[len] = '\0';
	fclose(file);
	return text;
}

static void dropped(void)
{
#define UNLOADED " no longer traced, because of unloaded modules\n"
	CHECK_STR(told(1, 3, 0), "fargs: 1 function is" UNLOADED);
	CHECK_STR(told(2, 3, 0), "fargs: 2 functions are" UNLOADED);
	CHECK_STR(told(1, 3, 3), "fargs: 1 tracepoint is" UNLOADED);
	CHECK_STR(told(3, 3, 3), "fargs: 3 tracepoints are" UNLOADED);
	CHECK_STR(told(1, 3, 2), "fargs: 1 function or tracepoint is" UNLOADED);
	CHECK_STR(told(2, 3, 2), "fargs: 2 functions or tracepoints are" UNLOADED);
	CHECK_STR(told(0, 3, 2), "");
}

static const struct ktap_test tests[] = {
	{ "functions and tracepoints of unloaded modules are named as such", dropped },
};

int main(void)
{
	return KTAP_RUN(tests);
}
