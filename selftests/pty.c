// SPDX-License-Identifier: GPL-2.0-only
/*
 * Runs a command on a new terminal, and prints the text that a user would see: each line when the
 * cursor leaves it, without text that was erased or overwritten.
 *
 *	pty [-e] [-w COLUMNS] [-r FILE] COMMAND...
 *
 * -e: standard output is not the terminal; -r: writes every byte of output to FILE. Standard input
 * is typed on the terminal. The exit status is that of the command, or 128 plus the number of the
 * signal that ended it.
 */
#include <err.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pty.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <unistd.h>

#define LINE_MAX_BYTES	65536

/* The line with the cursor, and the escape sequence that is not complete yet. */
static struct {
	char text[LINE_MAX_BYTES];
	size_t n, at;
	char sequence[32];
	size_t nr_sequence;	/* length of @sequence; 0: none has begun */
} line;

static void put(char c)
{
	if (line.at + 1 >= sizeof(line.text))
		return;
	while (line.n < line.at)
		line.text[line.n++] = ' ';
	line.text[line.at++] = c;
	if (line.n < line.at)
		line.n = line.at;
}

static void end_line(void)
{
	fwrite(line.text, 1, line.n, stdout);
	putchar('\n');
	line.n = 0;
	line.at = 0;
}

/* Processes a byte of an escape sequence: "ESC [ PARAMETERS LETTER", or "ESC LETTER". */
static void take_sequence(char c)
{
	bool is_first = line.nr_sequence == 1;

	if (line.nr_sequence < sizeof(line.sequence))
		line.sequence[line.nr_sequence++] = c;
	if ((is_first && c == '[') || c < '@')
		return;
	/* "ESC [ K" erases from the cursor to the end of the line. */
	if (c == 'K' && line.nr_sequence == 3 && line.n > line.at)
		line.n = line.at;
	line.nr_sequence = 0;
}

static void take(char c)
{
	if (line.nr_sequence)
		take_sequence(c);
	else if (c == '\033')
		line.sequence[line.nr_sequence++] = c;
	else if (c == '\r')
		line.at = 0;
	else if (c == '\n')
		end_line();
	else if (c == '\b')
		line.at -= !!line.at;
	else
		put(c);
}

static pid_t start(char **command, bool has_stdout, int columns, int *master)
{
	const struct winsize size = { .ws_row = 24, .ws_col = columns };
	int slave;
	pid_t pid;

	if (openpty(master, &slave, NULL, NULL, &size))
		err(2, "openpty");
	pid = fork();
	if (pid < 0)
		err(2, "fork");
	if (pid) {
		close(slave);
		return pid;
	}
	close(*master);
	setsid();
	if (ioctl(slave, TIOCSCTTY, 0))
		err(2, "TIOCSCTTY");
	dup2(slave, STDIN_FILENO);
	if (has_stdout)
		dup2(slave, STDOUT_FILENO);
	dup2(slave, STDERR_FILENO);
	if (slave > STDERR_FILENO)
		close(slave);
	setenv("TERM", "xterm", 1);
	execvp(command[0], command);
	err(127, "%s", command[0]);
}

/* Types standard input on the terminal until EOF. */
static void type(int master, struct pollfd *from)
{
	char keys[256];
	ssize_t n = read(from->fd, keys, sizeof(keys));

	if (n <= 0)
		from->fd = -1;
	else if (write(master, keys, n) != n)
		err(2, "write");
}

/* Prints output of the terminal. Returns false if the command has closed the terminal. */
static bool show(int master, int raw)
{
	char text[4096];
	ssize_t n = read(master, text, sizeof(text)), i;

	if (n < 0 && errno == EINTR)
		return true;
	if (n <= 0)
		return false;
	if (raw >= 0 && write(raw, text, n) != n)
		err(2, "write");
	for (i = 0; i < n; i++)
		take(text[i]);
	fflush(stdout);
	return true;
}

int main(int argc, char **argv)
{
	int opt, master, status, raw = -1, columns = 80;
	bool has_stdout = true;
	struct pollfd fds[2];
	pid_t pid;

	while ((opt = getopt(argc, argv, "+ew:r:")) != -1) {
		if (opt == 'e')
			has_stdout = false;
		else if (opt == 'w')
			columns = atoi(optarg);
		else if (opt == 'r')
			raw = open(optarg, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
		else
			errx(2, "usage: pty [-e] [-w COLUMNS] [-r FILE] COMMAND...");
		if (opt == 'r' && raw < 0)
			err(2, "%s", optarg);
	}
	if (optind == argc)
		errx(2, "no command");
	pid = start(argv + optind, has_stdout, columns, &master);
	fds[0] = (struct pollfd){ .fd = master, .events = POLLIN };
	fds[1] = (struct pollfd){ .fd = STDIN_FILENO, .events = POLLIN };
	for (;;) {
		if (poll(fds, 2, -1) < 0 && errno != EINTR)
			err(2, "poll");
		if (fds[1].revents)
			type(master, &fds[1]);
		if (fds[0].revents && !show(master, raw))
			break;
	}
	if (line.n)
		end_line();
	while (waitpid(pid, &status, 0) < 0)
		if (errno != EINTR)
			err(2, "waitpid");
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}
