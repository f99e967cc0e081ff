// SPDX-License-Identifier: GPL-2.0-only
/*
 * Tests what the flight recorder writes, and when. Rings are files in memory; the session and the
 * names of tasks are simulated.
 */
#include "capture/flight.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "session/task_watch.h"
#include "session/tid_set.h"
#include "uapi/fargs_record.h"
#include "uapi/fargs_ring.h"
#include "unit/capture_world.h"

#define SIZE	8192
#define PAGE	4096
#define ROUNDS	64

static const struct fargs_info info = { .nr_cpus = 2, .page_size = PAGE };
static struct fargs_session session;
static struct fargs_error_text err;
static uint64_t heads[2];
static int fd;

/* Operations that must fail with -EIO. */
static bool fails_freeze, fails_clock, fails_names;
static unsigned int nr_clocks;		/* number of rounds of clock samples that were read */
static unsigned int nr_handed;	/* number of rounds passed to the sink */
static uint64_t first_clock, last_clock;
static uint64_t from_tsc;
static pid_t tids[8];			/* tids whose names were requested */
static size_t nr_tids;

int __wrap_fargs_session_freeze(struct fargs_session *s, bool is_frozen,
				struct fargs_error_text *why);
int __wrap_fargs_session_clock(struct fargs_session *s, struct fargs_clock_sample **samples,
			       struct fargs_error_text *why);
struct fargs_task_watch *__wrap_fargs_task_watch_create(const pid_t *of, size_t nr,
							struct fargs_error_text *why);
void __wrap_fargs_task_watch_destroy(struct fargs_task_watch *w);
int __wrap_fargs_task_watch_read(struct fargs_task_watch *w, struct fargs_error_text *why);
struct fargs_task_history *__wrap_fargs_task_watch_history(struct fargs_task_watch *w);
int __wrap_fargs_task_history_take(struct fargs_task_history *h, uint64_t from,
				   const struct fargs_tid_set *of, struct fargs_task_name **names,
				   size_t *nr);

int __wrap_fargs_session_freeze(struct fargs_session *s, bool is_frozen,
				struct fargs_error_text *why)
{
	world_add("%s ", is_frozen ? "freeze" : "thaw");
	return fails_freeze ? fargs_fail(why, EIO, "no ice") : 0;
}

int __wrap_fargs_session_clock(struct fargs_session *s, struct fargs_clock_sample **samples,
			       struct fargs_error_text *why)
{
	if (fails_clock)
		return fargs_fail(why, EIO, "no clock");
	*samples = calloc(info.nr_cpus, sizeof(**samples));
	(*samples)->tsc = ++nr_clocks;
	return 0;
}

struct fargs_task_watch *__wrap_fargs_task_watch_create(const pid_t *of, size_t nr,
							struct fargs_error_text *why)
{
	return (void *)&session;
}

void __wrap_fargs_task_watch_destroy(struct fargs_task_watch *w)
{
}

int __wrap_fargs_task_watch_read(struct fargs_task_watch *w, struct fargs_error_text *why)
{
	world_add("follow ");
	return 0;
}

struct fargs_task_history *__wrap_fargs_task_watch_history(struct fargs_task_watch *w)
{
	return NULL;
}

int __wrap_fargs_task_history_take(struct fargs_task_history *h, uint64_t from,
				   const struct fargs_tid_set *of, struct fargs_task_name **names,
				   size_t *nr)
{
	pid_t tid = -1;

	from_tsc = from;
	for (nr_tids = 0; (tid = fargs_tid_set_next(of, tid + 1)) >= 0; nr_tids++)
		tids[nr_tids] = tid;
	*nr = nr_tids;
	*names = calloc(nr_tids + 1, sizeof(**names));
	return *names ? 0 : -ENOMEM;
}

static int take_clock(void *arg, const struct fargs_clock_sample *samples,
		      struct fargs_error_text *why)
{
	if (!nr_handed++) {
		first_clock = samples->tsc;
		world_add("clocks ");
	}
	last_clock = samples->tsc;
	return 0;
}

static int take_names(void *arg, const struct fargs_task_name *names, size_t nr,
		      struct fargs_error_text *why)
{
	world_add("names=%zu ", nr);
	return fails_names ? fargs_fail(why, EIO, "no names") : 0;
}

static int take_records(void *arg, unsigned int cpu, const void *records, size_t bytes)
{
	world_add("cpu%u=%zu ", cpu, bytes / sizeof(struct fargs_record));
	return 0;
}

static const struct fargs_capture_output sink = { .clock = take_clock, .names = take_names };

static void put(uint64_t at, const void *p, size_t bytes)
{
	if (pwrite(fd, p, bytes, (off_t)at) != (ssize_t)bytes)
		ktap_fail(__FILE__, __LINE__, "cannot write into the memory file");
}

/* Adds a record without values to a ring. */
static void add_record(unsigned int cpu, pid_t tid, uint64_t tsc)
{
	const struct fargs_record rec = {
		.len = sizeof(rec), .kind = FARGS_KIND_ENTRY, .tid = (uint32_t)tid, .tsc = tsc,
	};
	struct fargs_ring_head head = {
		.size = SIZE, .version = FARGS_RING_VERSION, .sub_bytes = PAGE,
	};
	uint64_t at = FARGS_MMAP_DATA(cpu) + PAGE + heads[cpu];

	/* The data are mapped twice. */
	put(at, &rec, sizeof(rec));
	put(at + SIZE, &rec, sizeof(rec));
	heads[cpu] += sizeof(rec);
	head.data_head = heads[cpu];
	put(FARGS_MMAP_DATA(cpu), &head, sizeof(head));
}

struct world {
	struct fargs_rings *rings;
	struct fargs_flight *flight;
};

static bool init(struct world *w)
{
	struct fargs_ring_head head = {
		.size = SIZE, .version = FARGS_RING_VERSION, .sub_bytes = PAGE,
	};
	unsigned int cpu;

	world_reset();
	session = (struct fargs_session){ .fd = -1, .is_running = true };
	fd = memfd_create("rings", MFD_CLOEXEC);
	for (cpu = 0; cpu < 2; cpu++) {
		heads[cpu] = 0;
		put(FARGS_MMAP_DATA(cpu), &head, sizeof(head));
	}
	if (ftruncate(fd, (off_t)FARGS_MMAP_TAIL(1) + PAGE))
		return false;
	err.text[0] = '\0';
	fails_freeze = false;
	fails_clock = false;
	fails_names = false;
	nr_clocks = 0;
	nr_handed = 0;
	w->rings = fargs_rings_map(fd, &info, SIZE, &err);
	w->flight = w->rings ? fargs_flight_create(&session, w->rings, &sink, NULL, take_records,
						   NULL) : NULL;
	return w->flight && !fargs_flight_watch(w->flight, NULL, 0, &err);
}

static void deinit(struct world *w)
{
	fargs_flight_destroy(w->flight);
	fargs_rings_destroy(w->rings);
	close(fd);
}

static void stands_still(void)
{
	struct world w;

	REQUIRE(init(&w));
	add_record(0, 7, 100);
	add_record(0, 7, 110);
	add_record(1, 3, 90);
	CHECK(!fargs_flight_keep(w.flight, &err));
	/* After the rings are frozen, the remaining changes of names are read. */
	CHECK_STR(world_log,
		  "follow freeze clocks follow names=2 cpu0=2 cpu1=1 thaw ");
	deinit(&w);
}

static void names_of_those_with_records(void)
{
	struct world w;

	REQUIRE(init(&w));
	add_record(0, 7, 100);
	add_record(1, 3, 90);
	add_record(1, 7, 95);
	CHECK(!fargs_flight_keep(w.flight, &err));
	CHECK_INT(nr_tids, 2);
	CHECK_INT(tids[0], 3);
	CHECK_INT(tids[1], 7);
	CHECK_INT(from_tsc, 90);
	deinit(&w);
}

static void only_what_came_since(void)
{
	struct world w;

	REQUIRE(init(&w));
	add_record(0, 7, 100);
	CHECK(!fargs_flight_keep(w.flight, &err));
	world_reset();
	nr_handed = 0;
	add_record(0, 8, 200);
	add_record(1, 9, 210);
	CHECK(!fargs_flight_keep(w.flight, &err));
	CHECK_STR(world_log,
		  "follow freeze clocks follow names=2 cpu0=1 cpu1=1 thaw ");
	CHECK_INT(nr_handed, 1);
	CHECK_INT(tids[0], 8);
	CHECK_INT(from_tsc, 200);
	world_reset();
	CHECK(!fargs_flight_keep(w.flight, &err));
	CHECK_STR(strstr(world_log, "names"), "names=0 thaw ");
	deinit(&w);
}

/* Tests that one more round of clock samples is read after the rings are frozen. */
static void last_clocks(void)
{
	struct world w;
	int i;

	REQUIRE(init(&w));
	for (i = 0; i < 3; i++)
		CHECK(!fargs_flight_clock(w.flight, &err));
	CHECK(!fargs_flight_keep(w.flight, &err));
	CHECK_INT(nr_handed, 4);
	CHECK_INT(first_clock, 1);
	CHECK_INT(last_clock, 4);
	nr_handed = 0;
	for (i = 0; i < 3 * ROUNDS; i++)
		CHECK(!fargs_flight_clock(w.flight, &err));
	CHECK(!fargs_flight_keep(w.flight, &err));
	CHECK_INT(nr_handed, ROUNDS);
	CHECK_INT(last_clock, 4 + 3 * ROUNDS + 1);
	CHECK_INT(first_clock, last_clock - ROUNDS + 1);
	deinit(&w);
}

static void stopped_session(void)
{
	struct world w;

	REQUIRE(init(&w));
	session.is_running = false;
	add_record(0, 7, 100);
	CHECK(!fargs_flight_keep(w.flight, &err));
	CHECK_STR(world_log, "follow clocks follow names=1 cpu0=1 ");
	deinit(&w);
}

static void failures(void)
{
	struct world w;

	REQUIRE(init(&w));
	add_record(0, 7, 100);
	fails_freeze = true;
	CHECK_INT(fargs_flight_keep(w.flight, &err), -EIO);
	CHECK_STR(err.text, "no ice");
	CHECK_STR(world_log, "follow freeze ");
	fails_freeze = false;
	world_reset();
	fails_names = true;
	CHECK_INT(fargs_flight_keep(w.flight, &err), -EIO);
	CHECK_STR(err.text, "no names");
	CHECK_STR(world_log, "follow freeze clocks follow names=1 ");
	fails_names = false;
	fails_clock = true;
	CHECK_INT(fargs_flight_keep(w.flight, &err), -EIO);
	CHECK_STR(err.text, "no clock");
	deinit(&w);
}

static const struct ktap_test tests[] = {
	{ "rings are frozen while they are written", stands_still },
	{ "names of tasks with records are written", names_of_those_with_records },
	{ "each time only new records are written", only_what_came_since },
	{ "the last clocks are written, the oldest first", last_clocks },
	{ "a session that has stopped is not frozen", stopped_session },
	{ "a failure ends the recording", failures },
};

int main(void)
{
	return KTAP_RUN(tests);
}
