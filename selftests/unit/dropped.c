// SPDX-License-Identifier: GPL-2.0-only
/* Tests messages at the end of a recording: unloaded modules, and losses of Intel PT. */
#include <stdlib.h>
#include <unistd.h>

#include "cmd/screen/losses.h"
#include "uapi/fargs_layout.h"
#include "unit/ktap.h"

static char text[1024];		/* what was printed on stderr since quiet() */
static FILE *file;
static int saved;

static void quiet(void)
{
	saved = dup(STDERR_FILENO);
	file = tmpfile();
	fflush(stderr);
	dup2(fileno(file), STDERR_FILENO);
}

static const char *loud(void)
{
	size_t len;

	fflush(stderr);
	dup2(saved, STDERR_FILENO);
	close(saved);
	rewind(file);
	len = fread(text, 1, sizeof(text) - 1, file);
	text[len] = '\0';
	fclose(file);
	return text;
}

/*
 * Returns the message of fargs_losses_tell() for @nr_dropped of @nr layouts, of which @nr_tpoints
 * are tracepoints.
 */
static const char *told(unsigned int nr_dropped, size_t nr, size_t nr_tpoints)
{
	const struct fargs_stats stats = { .nr_dropped = nr_dropped };
	struct fargs_func funcs[4] = { };
	struct fargs_meta meta = { .funcs = funcs, .nr_funcs = nr };
	size_t i;

	for (i = 0; i < nr_tpoints; i++)
		funcs[i].layout_flags = FARGS_LAYOUT_TPOINT;
	quiet();
	fargs_losses_tell(&meta, &stats);
	return loud();
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

static const char *told_pt(struct fargs_pt_outcome pt)
{
	pt.terms = "tsc/k";
	quiet();
	fargs_losses_tell_pt(&pt);
	/* The first line has the amount. */
	return strchr(loud(), '\n') + 1;
}

/* Each flag of an AUX record (linux/perf_event.h) has a line of its own. */
static void pt_losses(void)
{
	CHECK_STR(told_pt((struct fargs_pt_outcome){ }), "");
	CHECK_STR(told_pt((struct fargs_pt_outcome){ .nr_truncated = 1 }),
		  "fargs: lost Intel PT at 1 place, because buffers were full (TRUNCATED): give "
		  "larger ones with '-m ,SIZE', or record fewer CPUs\n");
	CHECK_STR(told_pt((struct fargs_pt_outcome){ .nr_partial = 2 }),
		  "fargs: Intel PT has gaps at 2 places, for instance because KVM ran a guest "
		  "(PARTIAL)\n");
	CHECK_STR(told_pt((struct fargs_pt_outcome){ .nr_collisions = 3 }),
		  "fargs: lost Intel PT at 3 places by a collision (COLLISION)\n");
	CHECK_STR(told_pt((struct fargs_pt_outcome){ .nr_truncated = 4, .nr_collisions = 1 }),
		  "fargs: lost Intel PT at 4 places, because buffers were full (TRUNCATED): give "
		  "larger ones with '-m ,SIZE', or record fewer CPUs\n"
		  "fargs: lost Intel PT at 1 place by a collision (COLLISION)\n");
}

static const struct ktap_test tests[] = {
	{ "functions and tracepoints of unloaded modules are named as such", dropped },
	{ "each flag of an AUX record has a line", pt_losses },
};

int main(void)
{
	return KTAP_RUN(tests);
}
