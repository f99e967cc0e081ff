// SPDX-License-Identifier: GPL-2.0-only
#include "session/command.h"

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* Exit codes of a child that cannot run its program, the same as those of env(1) and shells. */
#define EXIT_CANNOT_RUN		126
#define EXIT_NOT_FOUND		127

static int close_on_exec_pipe(int fds[2])
{
	return pipe2(fds, O_CLOEXEC) ? -errno : 0;
}

/* Runs in the child, which has one end of each pipe: reads @go_fd, writes to @exec_fd. */
static void __attribute__((noreturn)) child(char *const *words,
					    const struct fargs_signals *signals, int go_fd,
					    int exec_fd)
{
	ssize_t n;
	char c;
	int why;

	do {
		n = read(go_fd, &c, 1);
	} while (n < 0 && errno == EINTR);
	/* End of file: the parent aborted or was killed. */
	if (n != 1)
		_exit(EXIT_CANNOT_RUN);
	fargs_signals_restore(signals);
	execvp(words[0], words);
	why = errno;
	if (write(exec_fd, &why, sizeof(why)) < 0)
		_exit(EXIT_CANNOT_RUN);
	_exit(why == ENOENT ? EXIT_NOT_FOUND : EXIT_CANNOT_RUN);
}

int fargs_command_init(struct fargs_command *cmd, char *const *words,
		       const struct fargs_signals *signals, struct fargs_error_text *err)
{
	int go[2], exec[2];
	int ret;

	memset(cmd, 0, sizeof(*cmd));
	cmd->go_fd = -1;
	cmd->exec_fd = -1;
	cmd->name = words[0];
	ret = close_on_exec_pipe(go);
	if (ret)
		return fargs_fail(err, -ret, "cannot create a pipe: %s", strerror(-ret));
	ret = close_on_exec_pipe(exec);
	if (ret)
		goto err_go;
	cmd->pid = fork();
	if (cmd->pid < 0) {
		ret = -errno;
		cmd->pid = 0;
		goto err_exec;
	}
	if (!cmd->pid) {
		close(go[1]);
		close(exec[0]);
		child(words, signals, go[0], exec[1]);
	}
	close(go[0]);
	close(exec[1]);
	cmd->go_fd = go[1];
	cmd->exec_fd = exec[0];
	return 0;

err_exec:
	close(exec[0]);
	close(exec[1]);
err_go:
	close(go[0]);
	close(go[1]);
	return fargs_fail(err, -ret, "cannot start '%s': %s", words[0], strerror(-ret));
}

static void close_fd(int *fd)
{
	if (*fd >= 0)
		close(*fd);
	*fd = -1;
}

void fargs_command_deinit(struct fargs_command *cmd)
{
	bool is_waiting = cmd->pid && cmd->go_fd >= 0;

	if (!cmd->pid)
		return;
	close_fd(&cmd->go_fd);
	close_fd(&cmd->exec_fd);
	if (is_waiting && !cmd->has_ended)
		fargs_command_wait(cmd, -1);
	cmd->pid = 0;
}

int fargs_command_go(struct fargs_command *cmd, struct fargs_error_text *err)
{
	int why = 0;
	ssize_t n;

	if (write(cmd->go_fd, "g", 1) != 1)
		return fargs_fail(err, errno, "cannot start '%s': %s", cmd->name, strerror(errno));
	close_fd(&cmd->go_fd);
	/* End of file: a successful exec closed the child's end. */
	do {
		n = read(cmd->exec_fd, &why, sizeof(why));
	} while (n < 0 && errno == EINTR);
	close_fd(&cmd->exec_fd);
	if (n != sizeof(why))
		return 0;
	fargs_command_wait(cmd, -1);
	return fargs_fail(err, why, "cannot run '%s': %s", cmd->name, strerror(why));
}

bool fargs_command_poll(struct fargs_command *cmd)
{
	return fargs_command_wait(cmd, 0);
}

static uint64_t now_ms(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return ts.tv_sec * 1000ull + ts.tv_nsec / 1000000;
}

bool fargs_command_wait(struct fargs_command *cmd, int timeout_ms)
{
	uint64_t end_ms = timeout_ms > 0 ? now_ms() + timeout_ms : 0;

	while (cmd->pid && !cmd->has_ended) {
		pid_t pid = waitpid(cmd->pid, &cmd->status, timeout_ms < 0 ? 0 : WNOHANG);

		if (pid == cmd->pid || (pid < 0 && errno != EINTR)) {
			cmd->has_ended = true;
			break;
		}
		if (timeout_ms >= 0 && (!end_ms || now_ms() >= end_ms))
			break;
		if (timeout_ms > 0)
			usleep(5000);
	}
	return cmd->has_ended;
}

int fargs_command_exit_code(const struct fargs_command *cmd)
{
	if (WIFSIGNALED(cmd->status))
		return 128 + WTERMSIG(cmd->status);
	return WEXITSTATUS(cmd->status);
}
