/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The verbs of the fargs program. Each gets its own words only (argv[0] is the
 * verb), prints what it has to say and returns the exit status of the program.
 */
#ifndef FARGS_CMD_H
#define FARGS_CMD_H

#include <stdbool.h>
#include <stdio.h>

#include "kernel/btf/btfs.h"

int cmd_list(int argc, char **argv);
int cmd_trace(int argc, char **argv);
int cmd_top(int argc, char **argv);
int cmd_record(int argc, char **argv);
int cmd_report(int argc, char **argv);
int cmd_export(int argc, char **argv);
int cmd_dump(int argc, char **argv);
int cmd_info(int argc, char **argv);
int cmd_recover(int argc, char **argv);
int cmd_check(int argc, char **argv);

/*
 * Prints "fargs: ..." on stderr: one line, but all of them on a terminal. Returns 1,
 * the exit status.
 */
int cmd_fail(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
/* The same with "fargs VERB: " and a hint at the verb's help, for usage mistakes. */
int cmd_usage_fail(const char *verb, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
/* Prints why BTF that is there was not used. */
void cmd_complain(const struct fargs_btfs *btfs);
/* -C: the number of a CPU, out of @text. 0, or 1 if it is none, which it says. */
int cmd_take_cpu(const char *verb, const char *text, unsigned int *cpu);
/* Writes all of @text to stdout, past what stdio has buffered. 0 or -errno. */
int cmd_write(const char *text, size_t bytes);
/* The same through stdio, in its place among what others in this process print. */
int cmd_print(const char *text, size_t bytes);
/* Are both there, and one file? */
bool cmd_is_same_file(const char *a, const char *b);
/*
 * For getopt_long's '?' and ':' with opterr = 0 and an optstring that begins
 * with ':' (behind '+', if any): names the word that was wrong. Returns 1.
 */
int cmd_bad_option(const char *verb, int opt, char **argv);

#endif
