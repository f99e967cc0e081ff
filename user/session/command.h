/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The traced command, given after "--". The child is forked before tracing starts, so that it can
 * be followed from its first instruction, and waits for fargs_command_go() before exec.
 */
#ifndef FARGS_SESSION_COMMAND_H
#define FARGS_SESSION_COMMAND_H

#include <stdbool.h>
#include <sys/types.h>

#include "base/error.h"
#include "session/signals.h"

struct fargs_command {
	pid_t pid;		/* 0: none */
	int go_fd;		/* closing it without writing to it ends the child */
	int exec_fd;		/* carries the errno of a failed exec */
	const char *name;
	int status;		/* wait status from waitpid(2) */
	bool has_ended;
};

/*
 * Forks a child that waits for fargs_command_go(). Its program runs with the signal state that
 * @signals has saved. Returns 0 or -errno.
 */
int fargs_command_init(struct fargs_command *cmd, char *const *words,
		       const struct fargs_signals *signals, struct fargs_error_text *err);
/* Ends a child that still waits for fargs_command_go(). A running program continues. */
void fargs_command_deinit(struct fargs_command *cmd);

/*
 * Lets the child exec. Returns 0. If exec fails, returns -errno with "cannot run ..." in @err; the
 * child has then exited.
 */
int fargs_command_go(struct fargs_command *cmd, struct fargs_error_text *err);

/* Has the program ended? Does not wait. */
bool fargs_command_poll(struct fargs_command *cmd);
/*
 * Waits up to @timeout_ms (negative: forever) for the program to end. Returns false if it is still
 * running.
 */
bool fargs_command_wait(struct fargs_command *cmd, int timeout_ms);
/* Returns the exit status of a program that has ended, as the shell's $? shows it. */
int fargs_command_exit_code(const struct fargs_command *cmd);

#endif
