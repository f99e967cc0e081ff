// SPDX-License-Identifier: GPL-2.0-only
/*
 * Tests the conversion of the kernel's perf records to fargs's records, and their order. The
 * kernel's records are written by hand, according to perf_event_open(2).
 */
#include "ktap.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "model/event_record.h"
#include "model/record.h"
#include "model/tasks.h"
#include "source/perf_event/selection.h"
#include "source/perf_event/perf.h"
#include "source/perf_event/queue.h"
#include "source/perf_event/sample.h"

static uint64_t room[FARGS_EVENT_RECORD_MAX / 8 + 1];
static struct fargs_record *const rec = (void *)room;
static uint64_t lost;

/* A perf record under construction: little-endian, without padding. */
static uint8_t raw[256];
static size_t nr_raw;

static void put(uint64_t value, size_t bytes)
{
	memcpy(raw + nr_raw, &value, bytes);
	nr_raw += bytes;
}

static void begin(uint32_t type)
{
	nr_raw = 0;
	put(type, 4);
	put(0, 2);
	put(0, 2);
}

static int end(void)
{
	uint16_t size = nr_raw;

	memcpy(raw + 6, &size, sizeof(size));
	memset(room, 0x55, sizeof(room));
	return fargs_sample_read(raw, nr_raw, rec, &lost);
}

/* Writes the sample id that follows all records except samples: pid, tid, time, cpu. */
static void put_id(uint32_t pid, uint32_t tid, uint64_t ns)
{
	put(pid, 4);
	put(tid, 4);
	put(ns, 8);
	put(1, 4);
	put(0, 4);
}

static void begin_sample(uint32_t bytes)
{
	begin(PERF_RECORD_SAMPLE);
	put_id(7, 8, 123456789);
	put(1, 8);
	put(bytes, 4);
}

static void reads_samples(void)
{
	static const uint8_t event[12] = { 0x34, 0x12, 1, 2, 99, 0, 0, 0, 'a', 'b', 'c', 0 };
	struct fargs_event_body body;

	begin_sample(sizeof(event));
	memcpy(raw + nr_raw, event, sizeof(event));
	nr_raw += sizeof(event);
	CHECK_INT(end(), 48 + 8 + 16);
	CHECK_INT(rec->kind, FARGS_KIND_EVENT);
	CHECK_INT(rec->flags, FARGS_RECORD_NS);
	CHECK_INT(rec->len, 72);
	/*
	 * The tid is that in the event's data: the sample's tid may be from another pid namespace.
	 */
	CHECK_INT(rec->tid, 99);
	CHECK_INT(rec->tsc, 123456789);
	memcpy(&body, rec + 1, sizeof(body));
	CHECK_INT(body.bytes, 12);
	CHECK(!memcmp((uint8_t *)(rec + 1) + 8, event, sizeof(event)));
	CHECK_INT(fargs_record_check(rec, rec->len, NULL), 72);
}

static void reads_losses(void)
{
	struct fargs_value val;

	lost = 5;
	begin(PERF_RECORD_LOST);
	put(77, 8);
	put(42, 8);
	put_id(7, 8, 1000);
	CHECK(end() > 0);
	CHECK_INT(rec->kind, FARGS_KIND_LOST);
	CHECK_INT(rec->flags, FARGS_RECORD_NS);
	CHECK_INT(rec->tsc, 1000);
	CHECK(fargs_record_find(rec, "lost", FARGS_TYPE_U64, &val));
	CHECK_INT(fargs_value_u64(&val), 42);
	CHECK_INT(lost, 47);
}

static void follows_tasks(void)
{
	struct fargs_tasks *tasks = fargs_tasks_create();
	const struct fargs_task *task;

	CHECK(!fargs_tasks_set(tasks, 10, 10, "parent", 6));
	begin(PERF_RECORD_FORK);
	put(20, 4);
	put(10, 4);
	put(21, 4);
	put(10, 4);
	put(500, 8);
	put_id(10, 10, 500);
	CHECK(end() > 0);
	CHECK(!fargs_tasks_record(tasks, rec));
	task = fargs_tasks_get(tasks, 21);
	CHECK(task);
	CHECK_INT(task->tgid, 20);
	CHECK_STR(task->comm, "parent");

	begin(PERF_RECORD_COMM);
	put(20, 4);
	put(21, 4);
	memcpy(raw + nr_raw, "child\0\0\0", 8);
	nr_raw += 8;
	put_id(20, 21, 600);
	CHECK(end() > 0);
	CHECK_INT(rec->tid, 21);
	CHECK(!fargs_tasks_record(tasks, rec));
	CHECK_STR(fargs_tasks_get(tasks, 21)->comm, "child");
	CHECK_STR(fargs_tasks_get(tasks, 10)->comm, "parent");
	fargs_tasks_destroy(tasks);
}

static void passes_over_others(void)
{
	begin(PERF_RECORD_THROTTLE);
	put(1, 8);
	put_id(1, 1, 1);
	CHECK_INT(end(), 0);
}

static void refuses_nonsense(void)
{
	/* The raw data claim to be longer than the sample. */
	begin_sample(13);
	put(0, 8);
	put(0, 4);
	CHECK_INT(end(), -EIO);
	/* The raw data are too short to contain the event's id. */
	begin_sample(4);
	put(0, 4);
	CHECK_INT(end(), -EIO);
	begin_sample(FARGS_EVENT_RAW_MAX + 1);
	CHECK_INT(end(), -EIO);
	begin(PERF_RECORD_LOST);
	put(1, 8);
	put_id(1, 1, 1);
	CHECK_INT(end(), -EIO);
	begin(PERF_RECORD_COMM);
	put_id(1, 1, 1);
	CHECK_INT(end(), -EIO);
	begin(PERF_RECORD_FORK);
	CHECK_INT(end(), -EIO);
	begin(PERF_RECORD_SAMPLE);
	CHECK_INT(end(), -EIO);
	CHECK_INT(fargs_sample_read(raw, 4, rec, &lost), -EIO);
}

static int add(struct fargs_event_queue *q, uint64_t ns, uint32_t tid)
{
	const struct fargs_record one = { .len = sizeof(one), .tsc = ns, .tid = tid };

	return fargs_event_queue_add(q, &one);
}

/* Takes records from the queue. Returns whether they have exactly these times. */
static bool gives(struct fargs_event_queue *q, bool is_last, const uint64_t *ns, size_t nr)
{
	const struct fargs_record *out;
	const void *records;
	size_t bytes, i;

	if (fargs_event_queue_take(q, is_last, &records, &bytes) || bytes != nr * sizeof(*out))
		return false;
	for (i = 0, out = records; i < nr; i++)
		if (out[i].tsc != ns[i])
			return false;
	return true;
}

static void orders_by_time(void)
{
	static const uint64_t first[] = { 10, 20, 25, 30 }, then[] = { 35, 40 };
	struct fargs_event_queue q = { };

	CHECK(!add(&q, 10, 1) && !add(&q, 30, 2) && !add(&q, 20, 3));
	/* An earlier record may still arrive. */
	CHECK(gives(&q, false, NULL, 0));
	CHECK(!add(&q, 25, 4) && !add(&q, 40, 5));
	CHECK(gives(&q, false, first, 4));
	CHECK(!add(&q, 35, 6));
	CHECK(gives(&q, true, then, 2));
	CHECK(gives(&q, true, NULL, 0));
	fargs_event_queue_deinit(&q);
}

static void reads_rules(void)
{
	static const char *const wrong[] = { "sched", "sched:", ":sched_switch", "a:b:c", "" };
	struct fargs_event_rules w = { };
	struct fargs_error_text err;
	size_t i;

	for (i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++)
		CHECK_INT(fargs_event_rules_add(&w, wrong[i], &err), -EINVAL);
	CHECK_INT(fargs_event_rules_filter(&w, "a == 1", &err), -EINVAL);
	CHECK(!fargs_event_rules_add(&w, "sched:*", &err));
	CHECK_INT(fargs_event_rules_filter(&w, "  ", &err), -EINVAL);
	CHECK(!fargs_event_rules_filter(&w, "a == 1 || b", &err));
	CHECK_STR(w.rules[0].filter, "a == 1 || b");
	CHECK(!fargs_event_rules_filter(&w, "c", &err));
	CHECK_STR(w.rules[0].filter, "(a == 1 || b) && (c)");
	CHECK(!fargs_event_rules_add(&w, "irq:*", &err));
	CHECK(!w.rules[1].filter);
	fargs_event_rules_deinit(&w);
}

static pid_t start_task(void)
{
	pid_t pid = fork();

	while (!pid)
		pause();
	return pid;
}

static void end_task(pid_t pid)
{
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
}

/* Polls the buffer of the only CPU. Returns its revents; -1: it is not polled. */
static int poll_now(struct fargs_perf *p)
{
	struct pollfd fd;
	size_t nr = fargs_perf_poll(p, &fd, 1);

	if (!nr)
		return -1;
	poll(&fd, 1, 0);
	fargs_perf_polled(p, &fd, 1);
	return fd.revents;
}

static void polls_no_task_that_ended(void)
{
	struct fargs_perf_task tasks[] = {
		{ start_task(), FARGS_PERF_ALONE }, { start_task(), FARGS_PERF_ALONE },
		{ start_task(), FARGS_PERF_CHILDREN },
	};
	const struct fargs_event_selection none = { };
	const struct fargs_perf_options options = {
		.tasks = tasks, .nr_tasks = 3, .nr_cpus = 1, .ring_bytes = 1 << 16,
		.has_names = true,
	};
	struct fargs_error_text why;
	struct fargs_perf *p;
	size_t refused;

	p = fargs_perf_open(&none, &options, &refused, &why);
	if (p) {
		CHECK(!fargs_perf_start(p, &why));
		CHECK_INT(poll_now(p), 0);
		end_task(tasks[0].tid);
		end_task(tasks[1].tid);
		CHECK_INT(poll_now(p), POLLHUP);
		/* The third task's descriptor is now polled. */
		CHECK_INT(poll_now(p), 0);
		end_task(tasks[2].tid);
		CHECK_INT(poll_now(p), POLLHUP);
		CHECK_INT(poll_now(p), -1);
		fargs_perf_close(p);
		return;
	}
	if (strstr(why.text, "not permitted") || strstr(why.text, strerror(ENOSYS)))
		ktap_skip("%s", why.text);
	else
		ktap_fail(__FILE__, __LINE__, "%s", why.text);
	end_task(tasks[0].tid);
	end_task(tasks[1].tid);
	end_task(tasks[2].tid);
}

static const struct ktap_test tests[] = {
	{ "reads samples", reads_samples },
	{ "reads losses", reads_losses },
	{ "follows tasks", follows_tasks },
	{ "skips other records", passes_over_others },
	{ "refuses invalid records", refuses_nonsense },
	{ "sorts records by time", orders_by_time },
	{ "reads -e and --filter", reads_rules },
	{ "does not poll a task that has exited", polls_no_task_that_ended },
};

int main(void)
{
	return KTAP_RUN(tests);
}
