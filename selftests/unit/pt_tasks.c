// SPDX-License-Identifier: GPL-2.0-only
/*
 * Tests which tasks of a request are recorded with Intel PT: with this process and a child of it.
 */
#include "ktap.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "capture/pt_tasks.h"

#define COMMAND	4711	/* the pid of the command */

static char *command[] = { (char *)"true", NULL };
static struct fargs_pt_task_choice choice;
static struct fargs_error_text err;

static int choose(const struct fargs_capture_request *r)
{
	fargs_pt_tasks_deinit(&choice);
	err.text[0] = '\0';
	return fargs_pt_tasks_choose(&choice, r, COMMAND, &err);
}

#define CHOOSE(...) \
	choose(&(const struct fargs_capture_request){ .is_pt_tasks = true, __VA_ARGS__ })
#define WORD(word)	{ (const char *[]){ word }, 1 }

static bool has(pid_t id)
{
	size_t i;

	for (i = 0; i < choice.tasks.nr; i++)
		if (choice.tasks.ids[i] == id)
			return true;
	return false;
}

static void of_command(void)
{
	CHECK_INT(CHOOSE(.command = command), 0);
	CHECK_INT(choice.tasks.nr, 1);
	CHECK(has(COMMAND) && choice.tasks.is_on_exec);
	CHECK_INT(choice.tasks.inherit, FARGS_PT_CHILDREN);
	/* Among the calls of a command, those of a user are selected. */
	CHECK_INT(CHOOSE(.command = command, .uids = WORD("0")), 0);
	CHECK(choice.tasks.nr == 1 && has(COMMAND));
	CHECK_INT(CHOOSE(.command = command, .has_exec = true), 0);
	CHECK(!choice.tasks.is_on_exec);
}

static void of_processes(void)
{
	char pid[32];

	snprintf(pid, sizeof(pid), "%d", getpid());
	CHECK_INT(CHOOSE(.has_all = true, .pids = WORD(pid)), 0);
	CHECK(choice.tasks.nr == 1 && has(getpid()) && !choice.tasks.is_on_exec);
	CHECK_INT(choice.tasks.inherit, FARGS_PT_THREADS);
	CHECK_INT(CHOOSE(.has_all = true, .tids = WORD(pid)), 0);
	CHECK_INT(choice.tasks.inherit, FARGS_PT_ALONE);
	CHECK_INT(CHOOSE(.is_follow = true, .tids = WORD(pid)), 0);
	CHECK_INT(choice.tasks.inherit, FARGS_PT_CHILDREN);
	CHECK_INT(CHOOSE(.has_all = true, .pids = WORD("2147483647")), -ESRCH);
}

/* The child has another user, if this process may change it. */
static void of_users(void)
{
	const uid_t other = geteuid() ? geteuid() : 12345;
	char own[32], list[64];
	int ends[2];
	pid_t child;
	char byte;

	if (pipe(ends))
		abort();
	child = fork();
	if (!child) {
		if (setresuid(other, other, other) || write(ends[1], "x", 1) != 1)
			_exit(1);
		pause();
		_exit(0);
	}
	close(ends[1]);
	CHECK_INT(read(ends[0], &byte, 1), 1);
	snprintf(own, sizeof(own), "%u", geteuid());
	CHECK_INT(CHOOSE(.has_all = true, .uids = WORD(own)), 0);
	CHECK(has(getpid()));
	CHECK_INT(has(child), other == geteuid());
	CHECK_INT(choice.tasks.inherit, FARGS_PT_CHILDREN);
	snprintf(list, sizeof(list), "%u-%u", other, other + 1);
	CHECK_INT(CHOOSE(.has_all = true, .command = command, .uids = WORD(list)), 0);
	CHECK(has(child) && !has(COMMAND));
	CHECK_INT(has(getpid()), other == geteuid());
	kill(child, SIGKILL);
	waitpid(child, NULL, 0);
	close(ends[0]);
	CHECK_INT(CHOOSE(.has_all = true, .uids = WORD("4294967290")), -ESRCH);
	CHECK_STR(err.text, "'--uid': there is no task of these users to trace with Intel PT");
}

static void of_cgroups(void)
{
	CHECK(CHOOSE(.has_all = true, .cgroups = WORD("/")) < 0);
	CHECK(!choice.tasks.nr && !choice.tasks.is_cgroup);
}

static void of_all(void)
{
	CHECK_INT(choose(&(const struct fargs_capture_request){ .has_all = true }), 0);
	CHECK_INT(choice.tasks.nr, 0);
	fargs_pt_tasks_deinit(&choice);
}

int main(void)
{
	static const struct ktap_test tests[] = {
		{ "a command is traced from exec() on", of_command },
		{ "processes and threads are found", of_processes },
		{ "the tasks of users are found", of_users },
		{ "what is no cgroup is refused", of_cgroups },
		{ "without --pt-tasks, all is traced", of_all },
	};

	puts("# row A37\n# row A38\n# row A39");
	return KTAP_RUN(tests);
}
