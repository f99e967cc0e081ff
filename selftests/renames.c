// SPDX-License-Identifier: GPL-2.0-only
/*
 * renames DIR: tasks with changing names make fargs_target call fargs_n_number(), each time with
 * another number. They log the expected line of each call to DIR/log:
 *
 *	NUMBER TID-OUTSIDE TID-INSIDE NAME
 *
 * First, some long-lived tasks make calls. Then many short-lived tasks rename themselves, exec and
 * reuse one tid, if the kernel allows choosing it. Then enough calls are made to overwrite all
 * records. Then some tasks make calls again (between the lines "window" and "over" of the log), and
 * one call triggers. All of this happens twice: the program waits for the file DIR/go1 before the
 * first time, for DIR/go2 before the second time, and for DIR/end before it exits.
 */
#include <err.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

/* Arguments of calls that are not in the log. */
#define FLOOD	1000000000u
#define TRIGGER	900000000u
/* Number of calls that overwrite a ring of 64 KiB: a record has at least 64 bytes. */
#define FLOOD_CALLS	1100
/* Number of short-lived tasks. Their TASK records must fit in one CPU's ring. */
#define SHORT_LIVES	24

/* Descriptors that stay open across exec. */
enum { TARGET_FD = 10, LOG_FD, COUNT_FD };

static _Atomic uint32_t *count;

static void __attribute__((format(printf, 2, 3))) put(int fd, const char *fmt, ...)
{
	char text[128];
	va_list args;
	int n;

	va_start(args, fmt);
	n = vsnprintf(text, sizeof(text), fmt, args);
	va_end(args);
	if (write(fd, text, n) != n)
		err(1, "write: %s", text);
}

static void name_self(const char *name)
{
	if (prctl(PR_SET_NAME, name))
		err(1, "PR_SET_NAME");
}

/*
 * Makes a call as the task named @name. @outside: the task's tid in the initial pid namespace; 0:
 * the same as its own tid.
 */
static void call_as(const char *name, pid_t outside)
{
	uint32_t number = ++*count;

	put(LOG_FD, "%u %d %d %s\n", number, outside ? outside : gettid(), gettid(), name);
	put(TARGET_FD, "number %u 1", number);
}

static void open_all(const char *dir)
{
	char path[256];
	int fds[3];

	fds[0] = open("/proc/fargs_target", O_WRONLY);
	snprintf(path, sizeof(path), "%s/log", dir);
	fds[1] = open(path, O_WRONLY | O_CREAT | O_APPEND, 0600);
	fds[2] = memfd_create("count", 0);
	if (fds[0] < 0 || fds[1] < 0 || fds[2] < 0 || ftruncate(fds[2], 4096))
		err(1, "%s", path);
	if (dup2(fds[0], TARGET_FD) < 0 || dup2(fds[1], LOG_FD) < 0 || dup2(fds[2], COUNT_FD) < 0)
		err(1, "dup2");
}

static void map_count(void)
{
	count = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, COUNT_FD, 0);
	if (count == MAP_FAILED)
		err(1, "mmap");
}

/* A task that executes orders, which it reads from a pipe. */
struct worker {
	pid_t tid;		/* tid in the initial pid namespace */
	int to, from;
};

struct order {
	char name[16];		/* new name of the task; empty: keep the name */
	/* positive: make a call with this TID-OUTSIDE; otherwise a value of the next enum */
	pid_t outside;
};

enum { IS_RENAMED = -1, END = -2 };

static void *obey(void *arg)
{
	struct worker *w = arg;
	struct order order;
	char name[16] = "";

	while (read(w->from, &order, sizeof(order)) == sizeof(order) && order.outside != END) {
		if (order.name[0]) {
			memcpy(name, order.name, sizeof(name));
			if (order.outside != IS_RENAMED)
				name_self(name);
		}
		if (order.outside > 0)
			call_as(name, order.outside);
		put(w->to, "%c", 0);
	}
	_exit(0);
}

static void tell(struct worker *w, const char *name, pid_t outside)
{
	struct order order = { .outside = outside };
	char done;

	strcpy(order.name, name);
	if (write(w->to, &order, sizeof(order)) != sizeof(order) || read(w->from, &done, 1) != 1)
		errx(1, "a task has ended");
}

static void connect_pair(struct worker *ours, struct worker *theirs)
{
	int there[2], back[2];

	if (pipe2(there, O_CLOEXEC) || pipe2(back, O_CLOEXEC))
		err(1, "pipe");
	*ours = (struct worker){ .to = there[1], .from = back[0] };
	*theirs = (struct worker){ .to = back[1], .from = there[0] };
}

/* Makes the next new task get the tid @tid if it is free; 0: any tid. */
static void choose_tid(pid_t tid)
{
	int fd;

	if (!tid)
		return;
	/* Some kernels do not support choosing a tid. */
	fd = open("/proc/sys/kernel/ns_last_pid", O_WRONLY | O_CLOEXEC);
	if (fd < 0)
		return;
	put(fd, "%d", tid - 1);
	close(fd);
}

/* @flags: additional flags for clone(2). */
static void start_worker_in(struct worker *w, const char *name, pid_t tid, unsigned long flags)
{
	struct worker theirs;

	connect_pair(w, &theirs);
	choose_tid(tid);
	w->tid = syscall(SYS_clone, SIGCHLD | flags, NULL, NULL, NULL, NULL);
	if (w->tid < 0)
		err(1, "clone");
	if (!w->tid) {
		close(w->to);
		close(w->from);
		obey(&theirs);
	}
	close(theirs.to);
	close(theirs.from);
	tell(w, name, 0);
}

static void start_worker(struct worker *w, const char *name, pid_t tid)
{
	start_worker_in(w, name, tid, 0);
}

/*
 * Ends the task by an order: closing the pipe does not suffice, because other tasks have inherited
 * it.
 */
static void end_worker(struct worker *w)
{
	const struct order order = { .outside = END };

	if (write(w->to, &order, sizeof(order)) != sizeof(order))
		err(1, "write");
	close(w->to);
	close(w->from);
	if (waitpid(w->tid, NULL, 0) != w->tid)
		err(1, "waitpid");
}

static _Atomic pid_t thread_tid;

static void *obey_in_thread(void *arg)
{
	thread_tid = gettid();
	return obey(arg);
}

static void start_thread(struct worker *w)
{
	static struct worker theirs;
	pthread_t thread;

	connect_pair(w, &theirs);
	if (pthread_create(&thread, NULL, obey_in_thread, &theirs))
		errx(1, "cannot create a thread");
	while (!thread_tid)
		sched_yield();
	w->tid = thread_tid;
}

/* Renames the task @w from this thread. */
static void rename_thread(struct worker *w, const char *name)
{
	char path[64];
	int fd;

	snprintf(path, sizeof(path), "/proc/self/task/%d/comm", w->tid);
	fd = open(path, O_WRONLY | O_CLOEXEC);
	if (fd < 0)
		err(1, "%s", path);
	put(fd, "%s", name);
	close(fd);
	tell(w, name, IS_RENAMED);
}

/* Forks a child that renames itself twice, execs and exits. The next child reuses the same tid. */
static void live_shortly(const char *dir, char letter, int i, pid_t *tid)
{
	char name[16], path[256];
	pid_t child;

	choose_tid(*tid);
	child = fork();
	if (child < 0)
		err(1, "fork");
	if (!child) {
		snprintf(name, sizeof(name), "%c one %d", letter, i);
		name_self(name);
		call_as(name, 0);
		snprintf(name, sizeof(name), "%c two %d", letter, i);
		name_self(name);
		call_as(name, 0);
		snprintf(path, sizeof(path), "%s/%c-exec-%d", dir, letter, i % 3);
		execl(path, path, "exec", (char *)NULL);
		err(1, "%s", path);
	}
	if (waitpid(child, NULL, 0) != child)
		err(1, "waitpid");
	*tid = child;
}

static void live_many(const char *dir, char letter)
{
	pid_t tid = 0;
	int i;

	for (i = 0; i < SHORT_LIVES; i++)
		live_shortly(dir, letter, i, &tid);
}

/* Overwrites all earlier records on every CPU. */
static void flood(void)
{
	int cpu, nr = sysconf(_SC_NPROCESSORS_CONF);
	cpu_set_t all, one;

	name_self("flood");
	if (sched_getaffinity(0, sizeof(all), &all))
		err(1, "sched_getaffinity");
	for (cpu = 0; cpu < nr; cpu++) {
		CPU_ZERO(&one);
		CPU_SET(cpu, &one);
		if (!sched_setaffinity(0, sizeof(one), &one))
			put(TARGET_FD, "number %u %u", FLOOD, FLOOD_CALLS);
	}
	sched_setaffinity(0, sizeof(all), &all);
	name_self("renames");
}

static void wait_for(const char *dir, const char *name)
{
	char path[256];
	struct stat st;

	snprintf(path, sizeof(path), "%s/%s", dir, name);
	while (stat(path, &st))
		usleep(20000);
}

static void call_workers(struct worker *workers, size_t nr)
{
	size_t i;

	for (i = 0; i < nr; i++)
		tell(&workers[i], "", workers[i].tid);
}

static void make_links(const char *dir)
{
	static const char letters[] = "abcd";
	char path[256];
	size_t i;

	for (i = 0; i < 3 * strlen(letters); i++) {
		snprintf(path, sizeof(path), "%s/%c-exec-%zu", dir, letters[i / 3], i % 3);
		if (symlink("/proc/self/exe", path) && errno != EEXIST)
			err(1, "%s", path);
	}
}

int main(int argc, char **argv)
{
	enum { OLD, RENAMED, THREAD, LATE, INSIDE, WORKERS };
	struct worker workers[WORKERS];
	const char *dir = argv[1];

	if (argc != 2)
		errx(2, "usage: renames DIR");
	if (!strcmp(dir, "exec")) {
		map_count();
		/* exec has set the task's name to that of the file. */
		call_as(strrchr(argv[0], '/') + 1, 0);
		return 0;
	}
	make_links(dir);
	open_all(dir);
	map_count();
	start_worker(&workers[OLD], "there before", 0);
	start_worker(&workers[RENAMED], "before", 0);
	start_thread(&workers[THREAD]);
	tell(&workers[THREAD], "thread", 0);
	put(LOG_FD, "ready\n");

	wait_for(dir, "go1");
	tell(&workers[RENAMED], "renamed", 0);
	rename_thread(&workers[THREAD], "other's thread");
	start_worker(&workers[LATE], "late", 0);
	start_worker_in(&workers[INSIDE], "inside", 0, CLONE_NEWPID);
	call_workers(workers, WORKERS);
	live_many(dir, 'a');
	flood();
	put(LOG_FD, "window\n");
	live_many(dir, 'b');
	call_workers(workers, WORKERS);
	put(LOG_FD, "over\n");
	put(TARGET_FD, "number %u 1", TRIGGER);

	wait_for(dir, "go2");
	tell(&workers[RENAMED], "again", 0);
	end_worker(&workers[OLD]);
	start_worker(&workers[OLD], "its successor", workers[OLD].tid);
	live_many(dir, 'c');
	flood();
	put(LOG_FD, "window\n");
	live_many(dir, 'd');
	call_workers(workers, WORKERS);
	put(LOG_FD, "over\n");
	put(TARGET_FD, "number %u 1", TRIGGER);
	wait_for(dir, "end");
	return 0;
}
