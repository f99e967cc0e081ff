/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The program behind "--": forked at once, so that it can be followed from its
 * first instruction, but run only when told.
 */
#ifndef FARGS_CTL_COMMAND_H
#define FARGS_CTL_COMMAND_H

#include <stdbool.h>
#include <sys/types.h>

#include "session/signals.h"
#include "base/error.h"

struct fargs_command {
	pid_t pid;		/* 0: none */
	int go_fd;		/* closing it unwritten ends the child */
	int exec_fd;		/* what exec failed with, if it did */
	const char *name;
	int status;		/* as waitpid(2) gives it */
	bool has_ended;
};

/*
 * Forks a child that waits; its program will have its signals as they were
 * before @signals. -errno.
 */
int fargs_command_init(struct fargs_command *cmd, char *const *words,
		       const struct fargs_signals *signals, struct fargs_error_text *err);
/* Ends a child that was never told to go; leaves a running one alone. */
void fargs_command_deinit(struct fargs_command *cmd);

/* Lets it exec. -errno of exec, with "cannot run ..." in @err; the child is gone then. */
int fargs_command_go(struct fargs_command *cmd, struct fargs_error_text *err);

/* Has it ended? Does not wait. */
bool fargs_command_poll(struct fargs_command *cmd);
/* Waits up to @timeout_ms (< 0: for ever). False: it still runs. */
bool fargs_command_wait(struct fargs_command *cmd, int timeout_ms);
/* What a shell's $? would be, of a command that has ended. */
int fargs_command_exit_code(const struct fargs_command *cmd);

#endif
