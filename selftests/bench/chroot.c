// SPDX-License-Identifier: GPL-2.0-only
/*
 * To be preloaded: before main() of fargs or flow, changes the root to the directory $BENCH_ROOT.
 * The program and its libraries need not be there, but the files that it opens. Others that are
 * started in between, such as valgrind, keep their root.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

__attribute__((constructor)) static void change_root(void)
{
	const char *root = getenv("BENCH_ROOT");

	if (!root || (strcmp(program_invocation_short_name, "fargs") &&
		      strcmp(program_invocation_short_name, "flow")))
		return;
	if (!chroot(root) && !chdir("/"))
		return;
	perror(root);
	_exit(2);
}
