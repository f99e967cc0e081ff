/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Functions that verbs use to print output and error messages.
 */
#ifndef FARGS_CMD_SCREEN_CMD_H
#define FARGS_CMD_SCREEN_CMD_H

#include <stdbool.h>
#include <stdio.h>

#include "kernel/btf/btfs.h"

/*
 * Prints "fargs: ..." on stderr: all lines on a terminal, otherwise the first one. Returns the exit
 * status 1.
 */
int cmd_fail(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
/*
 * Reports a usage error: like cmd_fail(), with the prefix "fargs VERB: " and a reference to the
 * help of the verb.
 */
int cmd_usage_fail(const char *verb, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
/* Prints on stderr that no event was recorded or shown. */
void cmd_tell_none(void);
/* Prints why available BTF was not used. */
void cmd_complain(const struct fargs_btfs *btfs);
/* Writes all of @text to stdout, bypassing stdio. Returns 0 or -errno. */
int cmd_write(const char *text, size_t bytes);
/* Writes all of @text to stdout through stdio, in order with other output. Returns 0 or -errno. */
int cmd_print(const char *text, size_t bytes);
/* Do both paths exist and refer to the same file? */
bool cmd_is_same_file(const char *a, const char *b);

#endif
