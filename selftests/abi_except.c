// SPDX-License-Identifier: GPL-2.0-only
/*
 * Tests FARGS_START_EXCEPT: the given tasks are not traced, and neither are threads created after
 * START by these tasks or by such threads. Processes forked by these tasks are traced.
 */
#include <pthread.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#include "lib/returns.h"

#define RING_BYTES	(1u << 20)
#define RECORDS_MAX	16384
#define THREADS		100
#define CALLS		5	/* number of calls that each task makes */

static const struct fargs_record *records[RECORDS_MAX];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static bool has_started;
static int32_t older_tid;
static int32_t own[1024];	/* tids of this process's threads that made calls */
static uint32_t nr_own;
/* tid of the child's second thread, in memory shared with the child */
static int32_t *child_tid;

static void make_calls(void)
{
	int i;

	own[__atomic_fetch_add(&nr_own, 1, __ATOMIC_RELAXED)] = syscall(SYS_gettid);
	for (i = 0; i < CALLS; i++)
		syscall(SYS_getppid);
}

static void *run_last(void *unused)
{
	make_calls();
	return NULL;
}

static void *run_in_child(void *unused)
{
	*child_tid = syscall(SYS_gettid);
	make_calls();
	return NULL;
}

static void run_thread(void *(*run)(void *))
{
	pthread_t thread;

	must(-pthread_create(&thread, NULL, run, NULL), "thread");
	pthread_join(thread, NULL);
}

static void *run(void *unused)
{
	make_calls();
	run_thread(run_last);
	return NULL;
}

/* Runs in a thread that exists before START. */
static void *run_older(void *unused)
{
	int i;

	pthread_mutex_lock(&lock);
	older_tid = syscall(SYS_gettid);
	pthread_cond_broadcast(&changed);
	while (!has_started)
		pthread_cond_wait(&changed, &lock);
	pthread_mutex_unlock(&lock);
	make_calls();
	for (i = 0; i < THREADS; i++)
		run_thread(run);
	return NULL;
}

/* Forks a child with a second thread; both make calls. Returns the child's pid. */
static pid_t run_child(void)
{
	pid_t pid = fork();

	must(pid < 0 ? -errno : 0, "fork");
	if (!pid) {
		make_calls();
		run_thread(run_in_child);
		_exit(0);
	}
	must(waitpid(pid, NULL, 0) == pid ? 0 : -errno, "wait");
	return pid;
}

static bool is_own(uint32_t tid)
{
	uint32_t i;

	for (i = 0; i < nr_own; i++)
		if ((uint32_t)own[i] == tid)
			return true;
	return false;
}

int main(void)
{
	uint32_t i, nr, nr_first = 0, nr_second = 0, nr_wrong = 0;
	int32_t tids[2];
	struct fargs_start start = {
		.flags = FARGS_START_EXCEPT, .nr_tids = 2, .tids = (uintptr_t)tids,
	};
	pthread_t older;
	struct reader r;
	struct maker m;
	pid_t child;

	ktap_begin("abi_except");
	need_session_test();
	child_tid = mmap(NULL, sizeof(*child_tid), PROT_READ | PROT_WRITE,
			 MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	must(child_tid == MAP_FAILED ? -errno : 0, "mmap");
	reader_open(&r, RING_BYTES);
	maker_init(&m, symbol_address("__x64_sys_getppid"), 0);
	maker_reg(&m, "regs", FARGS_TYPE_PTR, 0);
	must(maker_add(r.fd, &m), "__x64_sys_getppid");
	must(-pthread_create(&older, NULL, run_older, NULL), "thread");
	pthread_mutex_lock(&lock);
	while (!older_tid)
		pthread_cond_wait(&changed, &lock);
	tids[0] = getpid();
	tids[1] = older_tid;
	must(call(r.fd, FARGS_IOC_START, &start), "START");
	has_started = true;
	pthread_cond_broadcast(&changed);
	pthread_mutex_unlock(&lock);

	make_calls();
	for (i = 0; i < THREADS; i++)
		run_thread(run);
	child = run_child();
	pthread_join(older, NULL);
	must(session_stop(r.fd), "STOP");

	nr = reader_peek(&r, records, RECORDS_MAX);
	for (i = 0; i < nr; i++) {
		nr_first += records[i]->tid == (uint32_t)child;
		nr_second += records[i]->tid == (uint32_t)*child_tid;
		nr_wrong += is_own(records[i]->tid);
	}
	ktap_ok(nr_first == CALLS && nr_second == CALLS,
		"a process forked by an excluded task is traced, with its threads");
	if (!ktap_ok(!nr_wrong && nr_own == 4 * THREADS + 2,
		     "none of %u excluded threads is traced",
		     nr_own))
		ktap_note("%u calls of excluded threads were recorded", nr_wrong);
	reader_close(&r);
	return ktap_end();
}
