/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Runs a part of a command in a child process, because a library that it uses may crash.
 */
#ifndef FARGS_CMD_REPORT_CHILD_H
#define FARGS_CMD_REPORT_CHILD_H

/*
 * Calls @fn in a child process, which dies with this process and writes no core dump. Returns the
 * result of @fn, an exit status; 1 after printing that the child has crashed, while it read @path.
 */
int fargs_child_run(int (*fn)(void *arg), void *arg, const char *path);

#endif
