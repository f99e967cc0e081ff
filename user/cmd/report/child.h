/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Runs a part of a command in a child process, because a library that it uses may crash.
 */
#ifndef FARGS_CMD_REPORT_CHILD_H
#define FARGS_CMD_REPORT_CHILD_H

/*
 * Calls @fn in a child process, which is killed when this process dies, and writes no core dump.
 * Returns the exit status that @fn returned. If the child crashes, prints an error that names
 * @path, and returns 1.
 */
int fargs_child_run(int (*fn)(void *arg), void *arg, const char *path);

#endif
