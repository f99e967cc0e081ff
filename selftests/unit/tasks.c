// SPDX-License-Identifier: GPL-2.0-only
/* Tests current names of tasks. */
#include "model/tasks.h"

#include <errno.h>

#include "unit/bytes.h"
#include "unit/ktap.h"

/* A TASK record: name of the first value, tid, tgid, and the comm of 16 bytes. */
#define NAME(...) __VA_ARGS__
#define TASK(name, header_tid, tid, tgid, ...)				\
	HEAD(128, FARGS_KIND_TASK, header_tid, 0, 0, 0, 0),		\
	name, 0, FARGS_TYPE_S32, B64(tid),				\
	't', 'g', 'i', 'd', 0, FARGS_TYPE_S32, B64(tgid),		\
	'c', 'o', 'm', 'm', 0, FARGS_TYPE_BYTES, B16(16), __VA_ARGS__

static const char *comm(struct fargs_tasks *tasks, pid_t tid)
{
	const struct fargs_task *task = fargs_tasks_get(tasks, tid);

	return task ? task->comm : NULL;
}

static void follows_fork_exec_rename(void)
{
	/* The values have the type s32, so garbage in their upper halves must be ignored. */
	static const uint8_t fork[128] __attribute__((aligned(8))) = {
		TASK(NAME('f', 'o', 'r', 'k'), 100, 0xdead000000000065, 0xdead000000000065,
		     's', 'h')
	};
	static const uint8_t exec[128] __attribute__((aligned(8))) = {
		TASK(NAME('e', 'x', 'e', 'c'), 101, 0x66, 101, 'c', 'a', 't')
	};
	static const uint8_t rename[128] __attribute__((aligned(8))) = {
		TASK(NAME('r', 'e', 'n', 'a', 'm', 'e'), 7, 101, 101, '0', '1', '2', '3', '4', '5',
		     '6', '7', '8', '9', 'a', 'b', 'c', 'd', 'e', 'f')
	};
	struct fargs_tasks *tasks = fargs_tasks_create();

	CHECK(!fargs_tasks_get(tasks, 101));
	CHECK_INT(fargs_tasks_record(tasks, (const void *)fork), 0);
	CHECK_STR(comm(tasks, 101), "sh");
	CHECK(!fargs_tasks_get(tasks, 100));
	CHECK_INT(fargs_tasks_record(tasks, (const void *)exec), 0);
	CHECK_STR(comm(tasks, 101), "cat");
	CHECK(!fargs_tasks_get(tasks, 0x66));
	CHECK_INT(fargs_tasks_record(tasks, (const void *)rename), 0);
	CHECK_STR(comm(tasks, 101), "0123456789abcdef");
	CHECK_INT(fargs_tasks_get(tasks, 101)->tgid, 101);
	fargs_tasks_destroy(tasks);
}

static void refuses_what_says_nothing(void)
{
	static const uint8_t other[128] __attribute__((aligned(8))) = {
		TASK(NAME('k', 'i', 'l', 'l'), 100, 1, 1, 's', 'h')
	};
	static const uint8_t empty[56] __attribute__((aligned(8))) = {
		HEAD(56, FARGS_KIND_TASK, 1, 0, 0, 0, 0)
	};
	struct fargs_tasks *tasks = fargs_tasks_create();

	CHECK_INT(fargs_tasks_record(tasks, (const void *)other), -EIO);
	CHECK_INT(fargs_tasks_record(tasks, (const void *)empty), -EIO);
	fargs_tasks_destroy(tasks);
}

static void holds_many(void)
{
	struct fargs_tasks *tasks = fargs_tasks_create();
	char name[16];
	pid_t tid;

	for (tid = 0; tid < 20000; tid++) {
		snprintf(name, sizeof(name), "t%d", tid);
		fargs_tasks_set(tasks, tid * 1024, tid, name, sizeof(name));
	}
	for (tid = 0; tid < 20000; tid++) {
		snprintf(name, sizeof(name), "t%d", tid);
		if (!ktap_is_same(comm(tasks, tid * 1024), name))
			break;
	}
	CHECK_INT(tid, 20000);
	CHECK(!fargs_tasks_get(tasks, 5));
	fargs_tasks_destroy(tasks);
}

static const struct ktap_test tests[] = {
	{ "follows fork, exec and rename", follows_fork_exec_rename },
	{ "ignores a record of an unknown kind", refuses_what_says_nothing },
	{ "holds many tasks", holds_many },
};

int main(void)
{
	return KTAP_RUN(tests);
}
