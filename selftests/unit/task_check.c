// SPDX-License-Identifier: GPL-2.0-only
/* Tests the check of the tasks of --pid and --tid. */
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "session/nspid.h"
#include "session/task_check.h"
#include "unit/ktap.h"

static int check_words(const char *pids, const char *tids, struct fargs_error_text *err)
{
	const struct fargs_list p = { .words = &pids, .nr = !!pids };
	const struct fargs_list t = { .words = &tids, .nr = !!tids };

	err->text[0] = '\0';
	return fargs_task_check(&p, &t, err);
}

/* Returns the id of a process that has ended, and has been waited for. */
static pid_t make_dead(void)
{
	pid_t pid = fork();

	if (!pid)
		_exit(0);
	waitpid(pid, NULL, 0);
	return pid;
}

static bool is_elsewhere(void)
{
	if (fargs_nspid_is_initial())
		return false;
	ktap_skip("this is not the initial pid namespace");
	return true;
}

static void accepts_existing(void)
{
	struct fargs_error_text err;
	char text[64];

	snprintf(text, sizeof(text), "0,%d", getpid());
	CHECK(!check_words(text, text, &err));
	CHECK(!check_words(NULL, NULL, &err));
}

static void refuses_dead(void)
{
	struct fargs_error_text err;
	char text[64], wanted[128];
	pid_t dead = make_dead();

	if (is_elsewhere())
		return;
	snprintf(text, sizeof(text), "%d,%d", getpid(), dead);
	CHECK_INT(check_words(text, NULL, &err), -ESRCH);
	snprintf(wanted, sizeof(wanted), "'--pid': there is no process %d", dead);
	CHECK_STR(err.text, wanted);
	CHECK_INT(check_words(NULL, text, &err), -ESRCH);
	snprintf(wanted, sizeof(wanted), "'--tid': there is no thread %d", dead);
	CHECK_STR(err.text, wanted);
}

/* The kernel would take the lower 32 bits, here those of this process. */
static void refuses_large(void)
{
	struct fargs_error_text err;
	char text[64], wanted[128];
	unsigned long large = (1ul << 32) + getpid();

	if (is_elsewhere())
		return;
	snprintf(text, sizeof(text), "%lu", large);
	CHECK_INT(check_words(text, NULL, &err), -ESRCH);
	snprintf(wanted, sizeof(wanted), "'--pid': there is no process %lu", large);
	CHECK_STR(err.text, wanted);
	CHECK_INT(check_words(NULL, text, &err), -ESRCH);
	snprintf(wanted, sizeof(wanted), "'--tid': there is no thread %lu", large);
	CHECK_STR(err.text, wanted);
	CHECK_INT(check_words("2147483648", NULL, &err), -ESRCH);
	CHECK_INT(check_words(NULL, "2147483648", &err), -ESRCH);
}

static void accepts_ranges(void)
{
	struct fargs_error_text err;
	char text[64];
	pid_t dead = make_dead();

	snprintf(text, sizeof(text), "%d-%d,%d", dead, dead, getpid());
	CHECK(!check_words(text, text, &err));
}

static void *run_thread(void *unused)
{
	struct fargs_error_text err;
	char text[64];

	snprintf(text, sizeof(text), "%ld", syscall(SYS_gettid));
	CHECK(!check_words(NULL, text, &err));
	CHECK_INT(check_words(text, NULL, &err), -ESRCH);
	CHECK(strstr(err.text, "give it with '--tid'"));
	return NULL;
}

static void distinguishes_threads(void)
{
	pthread_t thread;

	if (is_elsewhere())
		return;
	REQUIRE(!pthread_create(&thread, NULL, run_thread, NULL));
	pthread_join(thread, NULL);
}

static const struct ktap_test tests[] = {
	{ "existing tasks are accepted", accepts_existing },
	{ "a task that does not exist is refused", refuses_dead },
	{ "a number that no task can have is refused", refuses_large },
	{ "a range may be meant for future tasks", accepts_ranges },
	{ "a thread is not a process", distinguishes_threads },
};

int main(void)
{
	return KTAP_RUN(tests);
}
