// SPDX-License-Identifier: GPL-2.0-only
/* Tests names of tasks over time. */
#include "session/task_history.h"

#include <stdlib.h>
#include <string.h>

#include "unit/ktap.h"

static struct fargs_task_history *h;

static bool is_even(pid_t tid)
{
	return tid % 2 == 0;
}

static void begin(size_t max)
{
	h = fargs_task_history_create(max, is_even);
}

static void end(void)
{
	fargs_task_history_destroy(h);
	h = NULL;
}

static void forked(uint64_t tsc, pid_t tid, const char *comm, pid_t ns_tid, uint64_t asked_tsc)
{
	struct fargs_task_change change = { .task = { .tid = tid, .tgid = tid }, .new_tid = tid };

	strcpy(change.task.comm, comm);
	CHECK_INT(fargs_task_history_record(h, &change, tsc, ns_tid, asked_tsc), 0);
}

static void renamed(uint64_t tsc, pid_t tid, const char *comm)
{
	struct fargs_task_change change = { .task = { .tid = tid, .tgid = tid } };

	strcpy(change.task.comm, comm);
	CHECK_INT(fargs_task_history_record(h, &change, tsc, 0, 0), 0);
}

static void found(uint64_t begin_tsc, uint64_t end_tsc, pid_t tid, const char *comm, pid_t ns_tid)
{
	struct fargs_task task = { .tid = tid, .tgid = tid, .ns_tid = ns_tid };

	strcpy(task.comm, comm);
	CHECK_INT(fargs_task_history_found(h, &task, begin_tsc, end_tsc), 0);
}

/* Returns the names of @tids from @from_tsc on, as "TID@TIME=NAME/NS-TID ...". */
static const char *said(uint64_t from_tsc, const pid_t *tids, size_t nr_tids)
{
	struct fargs_tid_set *set = fargs_tid_set_create();
	static char text[1024];
	struct fargs_task_name *names;
	size_t nr, i, at = 0;

	for (i = 0; i < nr_tids; i++)
		fargs_tid_set_add(set, tids[i]);
	CHECK_INT(fargs_task_history_take(h, from_tsc, set, &names, &nr), 0);
	text[0] = 0;
	for (i = 0; i < nr; i++) {
		at += snprintf(text + at, sizeof(text) - at, "%s%d@%d=", i ? " " : "",
			       names[i].task.tid, (int)names[i].from_tsc);
		if (names[i].is_known)
			at += snprintf(text + at, sizeof(text) - at, "%s/%d", names[i].task.comm,
				       names[i].task.ns_tid);
		else
			at += snprintf(text + at, sizeof(text) - at, "?");
	}
	free(names);
	fargs_tid_set_destroy(set);
	return text;
}

#define SAID(from_tsc, ...) \
	said(from_tsc, (const pid_t[]){ __VA_ARGS__ }, \
	     sizeof((const pid_t[]){ __VA_ARGS__ }) / sizeof(pid_t))

static void knows_from_when_on(void)
{
	begin(100);
	forked(10, 7, "sh", 0, 11);
	renamed(20, 7, "cat");
	CHECK_STR(SAID(5, 7), "7@5=? 7@10=sh/0 7@20=cat/0");
	CHECK_STR(SAID(10, 7), "7@10=sh/0 7@20=cat/0");
	CHECK_STR(SAID(19, 7), "7@10=sh/0 7@20=cat/0");
	CHECK_STR(SAID(20, 7), "7@20=cat/0");
	CHECK_STR(SAID(99, 7), "7@20=cat/0");
	CHECK_STR(SAID(99, 6, 7, 8), "6@99=? 7@20=cat/0 8@99=?");
	end();
}

static void takes_records_in_any_order(void)
{
	begin(100);
	renamed(40, 7, "d");
	renamed(20, 7, "b");
	CHECK_STR(SAID(30, 7), "7@20=b/-1 7@40=d/-1");
	renamed(30, 7, "c");
	forked(10, 7, "a", 0, 15);
	CHECK_STR(SAID(10, 7), "7@10=a/0 7@20=b/0 7@30=c/0 7@40=d/0");
	end();
}

/* Tests a tid that is reused by another task. */
static void tells_lives_apart(void)
{
	begin(100);
	forked(10, 7, "first", 1, 12);
	renamed(20, 7, "its end");
	forked(30, 7, "second", 2, 32);
	renamed(40, 7, "also");
	CHECK_STR(SAID(10, 7), "7@10=first/1 7@20=its end/1 7@30=second/2 7@40=also/2");
	end();
	/*
	 * The ns_tid of the first task was read when the second task existed already, so it may be
	 * that of the second.
	 */
	begin(100);
	forked(10, 7, "first", 2, 32);
	renamed(20, 7, "its end");
	forked(30, 7, "second", 2, 32);
	CHECK_STR(SAID(10, 7), "7@10=first/-1 7@20=its end/-1 7@30=second/2");
	end();
}

static void prefers_records_to_what_is_found(void)
{
	begin(100);
	renamed(20, 7, "newer");
	renamed(5, 8, "older");
	found(10, 30, 7, "old or new", 0);
	found(10, 30, 8, "as it is", 3);
	found(10, 30, 9, "never changed", 0);
	renamed(40, 9, "does");
	CHECK_STR(SAID(0, 7, 8, 9), "7@0=? 7@20=newer/-1 8@0=? 8@5=older/-1 8@30=as it is/3 "
		  "9@0=? 9@30=never changed/0 9@40=does/0");
	end();
}

static void forgets_when_records_are_missing(void)
{
	begin(100);
	found(1, 2, 7, "seven", 0);
	renamed(10, 8, "eight");
	fargs_task_history_forget(h, 20);
	renamed(15, 8, "late");
	renamed(20, 8, "late");
	CHECK_STR(SAID(0, 7, 8), "7@0=? 8@0=?");
	renamed(21, 8, "new");
	found(22, 25, 7, "seven", 0);
	CHECK_STR(SAID(23, 7, 8), "7@23=? 7@25=seven/0 8@21=new/-1");
	end();
}

/*
 * Tests the limit on the number of names. Tasks with even tids exist; those with odd tids have
 * exited.
 */
static void is_bounded(void)
{
	char name[16];
	int i;

	begin(64);
	found(0, 1, 2, "there since long", 0);
	renamed(2, 4, "a");
	renamed(3, 4, "b");
	forked(4, 5, "gone since long", 0, 5);
	for (i = 0; i < 1000; i++) {
		snprintf(name, sizeof(name), "n%d", i);
		forked(10 + i, 101 + 2 * i, name, 0, 11 + i);
	}
	CHECK_STR(SAID(5000, 2, 4, 5), "2@1=there since long/0 4@3=b/-1 5@5000=?");
	/* The name in between was dropped: it is unknown, and no older name takes its place. */
	CHECK_STR(SAID(2, 4), "4@2=? 4@3=b/-1");
	CHECK_STR(SAID(5000, 101 + 2 * 999), "2099@1009=n999/0");
	CHECK_STR(SAID(5000, 101), "101@5000=?");
	/* The tasks added here all exist, so their names are kept even beyond the limit. */
	for (i = 0; i < 1000; i++)
		forked(2000 + i, 10000 + 2 * i, "x", 0, 2001 + i);
	CHECK_STR(SAID(5000, 10000), "10000@2000=x/0");
	CHECK_STR(SAID(5000, 2), "2@1=there since long/0");
	end();
}

static void holds_sets_of_tids(void)
{
	struct fargs_tid_set *set = fargs_tid_set_create();

	CHECK_INT(fargs_tid_set_next(set, 0), -1);
	fargs_tid_set_add(set, 0);
	fargs_tid_set_add(set, 63);
	fargs_tid_set_add(set, 64);
	fargs_tid_set_add(set, 64);
	fargs_tid_set_add(set, (4 << 20) - 1);
	fargs_tid_set_add(set, 4 << 20);
	fargs_tid_set_add(set, -1);
	CHECK_INT(fargs_tid_set_count(set), 4);
	CHECK_INT(fargs_tid_set_next(set, 0), 0);
	CHECK_INT(fargs_tid_set_next(set, 1), 63);
	CHECK_INT(fargs_tid_set_next(set, 64), 64);
	CHECK_INT(fargs_tid_set_next(set, 65), (4 << 20) - 1);
	CHECK_INT(fargs_tid_set_next(set, 4 << 20), -1);
	fargs_tid_set_clear(set);
	CHECK_INT(fargs_tid_set_count(set), 0);
	CHECK_INT(fargs_tid_set_next(set, 0), -1);
	fargs_tid_set_destroy(set);
}

static const struct ktap_test tests[] = {
	{ "returns a task's name and since when it has it", knows_from_when_on },
	{ "accepts records in any order", takes_records_in_any_order },
	{ "distinguishes tasks with the same number", tells_lives_apart },
	{ "prefers records to /proc", prefers_records_to_what_is_found },
	{ "drops all names if records are missing", forgets_when_records_are_missing },
	{ "is bounded, and first drops tasks that have exited", is_bounded },
	{ "holds sets of task IDs", holds_sets_of_tids },
};

int main(void)
{
	return KTAP_RUN(tests);
}
