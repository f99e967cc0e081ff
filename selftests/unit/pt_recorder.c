// SPDX-License-Identifier: GPL-2.0-only
/*
 * Tests CPU hotplug while Intel PT is recorded. The kernel's part (source/pt/capture/cpu.h) is
 * simulated, since no real CPU goes offline exactly between reading which CPUs are online and
 * opening its events.
 */
#include <errno.h>
#include <stdlib.h>

#include "kernel/cpus.h"
#include "source/pt/capture/copy.h"
#include "source/pt/capture/cpu.h"
#include "source/pt/capture/recorder.h"
#include "unit/ktap.h"

#define CPUS	3

static struct fake {
	bool is_online;		/* the kernel reports the CPU as online */
	int refusal;		/* errno for opening its events; 0: they can be opened */
	unsigned int nr_opened, nr_closed;
	bool is_open, has_side, is_on;
} fakes[CPUS];

static char buffer;
static struct fargs_error_text err;

int fargs_cpus_online(bool *cpus, unsigned int nr)
{
	unsigned int i;

	for (i = 0; i < nr; i++)
		cpus[i] = fakes[i].is_online;
	return 0;
}

/* A CPU that is refused still has its first event open, as if only its last event had failed. */
int fargs_pt_cpu_open(struct fargs_pt_cpu *cpu, unsigned int nr,
		      const struct fargs_pt_request *request, struct fargs_error_text *e)
{
	*cpu = (struct fargs_pt_cpu){ .nr = nr, .request = request, .fds = { 100 + nr, -1 } };
	fakes[nr].nr_opened++;
	fakes[nr].is_open = true;
	if (fakes[nr].refusal)
		return fargs_fail(e, fakes[nr].refusal, "refused");
	cpu->fds[1] = 200 + nr;
	cpu->aux = &buffer;
	return 0;
}

void fargs_pt_cpu_close(struct fargs_pt_cpu *cpu)
{
	/* A CPU that was never opened has no events. */
	if (cpu->fds[0] >= 0) {
		fakes[cpu->nr].nr_closed++;
		fakes[cpu->nr].is_open = false;
		fakes[cpu->nr].has_side = false;
		fakes[cpu->nr].is_on = false;
	}
	cpu->fds[0] = -1;
	cpu->fds[1] = -1;
	cpu->aux = NULL;
}

int fargs_pt_cpu_switch_side(struct fargs_pt_cpu *cpu, bool is_on, struct fargs_error_text *e)
{
	(void)e;
	if (cpu->aux)
		fakes[cpu->nr].has_side = is_on;
	return 0;
}

int fargs_pt_cpu_switch(struct fargs_pt_cpu *cpu, bool is_on, struct fargs_error_text *e)
{
	(void)e;
	if (cpu->aux)
		fakes[cpu->nr].is_on = is_on;
	return 0;
}

int fargs_pt_cpu_read(struct fargs_pt_cpu *cpu, const struct fargs_pt_sink *sink,
		      struct fargs_pt_code_events *code_events, struct fargs_error_text *e)
{
	(void)cpu;
	(void)sink;
	(void)code_events;
	(void)e;
	return 0;
}

int fargs_pt_cpu_keep(struct fargs_pt_cpu *cpu, bool is_first, const struct fargs_pt_sink *sink,
		      struct fargs_error_text *e)
{
	(void)cpu;
	(void)is_first;
	(void)sink;
	(void)e;
	return 0;
}

void fargs_pt_cpu_count(struct fargs_pt_cpu *cpu)
{
	(void)cpu;
}

void fargs_pt_cpu_time(const struct fargs_pt_cpu *cpu, struct fargs_file_pt_config *config)
{
	(void)cpu;
	(void)config;
}

/* Do not copy the code of this machine. */
struct fargs_pt_copy *fargs_pt_copy_create(const struct fargs_ksyms *known,
					   const struct fargs_pt_meanwhile *meanwhile,
					   struct fargs_error_text *e)
{
	(void)known;
	(void)meanwhile;
	(void)e;
	return (struct fargs_pt_copy *)&buffer;
}

void fargs_pt_copy_destroy(struct fargs_pt_copy *c)
{
	(void)c;
}

void fargs_pt_copy_unloaded(struct fargs_pt_copy *c, const char *module)
{
	(void)c;
	(void)module;
}

int fargs_pt_copy_all(struct fargs_pt_copy *c, const struct fargs_pt_sink *sink,
		      struct fargs_error_text *e)
{
	(void)c;
	(void)sink;
	(void)e;
	return 0;
}

int fargs_pt_copy_at(struct fargs_pt_copy *c, const struct fargs_pt_sink *sink,
		     uint64_t addr, size_t bytes, const char *name, struct fargs_error_text *e)
{
	(void)c;
	(void)sink;
	(void)addr;
	(void)bytes;
	(void)name;
	(void)e;
	return 0;
}

void fargs_pt_copy_forget(struct fargs_pt_copy *c)
{
	(void)c;
}

uint64_t fargs_pt_copy_bytes(const struct fargs_pt_copy *c)
{
	(void)c;
	return 0;
}

static int drop(void *arg, unsigned int kind, unsigned int cpu, const struct iovec iov[2],
		bool is_lagging, struct fargs_error_text *e)
{
	(void)arg;
	(void)kind;
	(void)cpu;
	(void)iov;
	(void)is_lagging;
	(void)e;
	return 0;
}

static const struct fargs_pt_pmu pmu;
static const struct fargs_pt_terms terms;

static const struct fargs_pt_options options = {
	.pmu = &pmu, .terms = &terms, .aux_bytes = 4096, .nr_cpus = CPUS,
	.has_code = true,
};

static const struct fargs_pt_sink sink = { .chunk = drop };

/* Opens a recorder with CPUs 0 and 1 online. */
static struct fargs_pt_recorder *begin(void)
{
	memset(fakes, 0, sizeof(fakes));
	fakes[0].is_online = true;
	fakes[1].is_online = true;
	return fargs_pt_recorder_open(&options, &sink, &err);
}

static void end(struct fargs_pt_recorder *r)
{
	size_t i;

	fargs_pt_recorder_close(r);
	for (i = 0; i < CPUS; i++)
		CHECK_INT(fakes[i].nr_closed, fakes[i].nr_opened);
}

static bool is_polled(const struct fargs_pt_recorder *r, unsigned int cpu)
{
	struct pollfd fds[2 * CPUS];
	size_t nr = fargs_pt_recorder_poll(r, fds, 2 * CPUS), i, found = 0;

	for (i = 0; i < nr; i++) {
		CHECK(fds[i].fd >= 0);
		found += fds[i].fd == 100 + (int)cpu || fds[i].fd == 200 + (int)cpu;
	}
	CHECK(found == 0 || found == 2);
	return found;
}

static void takes_in_what_comes(void)
{
	struct fargs_pt_recorder *r = begin();

	REQUIRE(r);
	CHECK(!fargs_pt_recorder_start(r, &err));
	CHECK(is_polled(r, 1) && !is_polled(r, 2));
	fakes[2].is_online = true;
	CHECK(!fargs_pt_recorder_read(r, &err));
	CHECK(is_polled(r, 2) && fakes[2].has_side && fakes[2].is_on);
	end(r);
}

/* Tests a CPU that is reported as online, but goes offline before its events are opened. */
static void goes_on_without_what_goes(void)
{
	struct fargs_pt_recorder *r = begin();

	REQUIRE(r);
	CHECK(!fargs_pt_recorder_start(r, &err));
	fakes[2].is_online = true;
	fakes[2].refusal = ENODEV;
	CHECK(!fargs_pt_recorder_read(r, &err));
	CHECK_INT(fakes[2].nr_opened, 1);
	CHECK(!fakes[2].is_open && !is_polled(r, 2));
	CHECK(is_polled(r, 0) && fakes[0].is_on && is_polled(r, 1) && fakes[1].is_on);
	/* The CPU is reported as offline, and later as online. */
	fakes[2].is_online = false;
	CHECK(!fargs_pt_recorder_read(r, &err));
	CHECK_INT(fakes[2].nr_opened, 1);
	fakes[2].is_online = true;
	fakes[2].refusal = 0;
	CHECK(!fargs_pt_recorder_read(r, &err));
	CHECK(is_polled(r, 2) && fakes[2].has_side && fakes[2].is_on);
	CHECK(!fargs_pt_recorder_stop(r, &err));
	end(r);
}

/* Tests a CPU that was offline only while its events were opened: the next read opens them. */
static void tries_again(void)
{
	struct fargs_pt_recorder *r = begin();

	REQUIRE(r);
	CHECK(!fargs_pt_recorder_start(r, &err));
	fakes[2].is_online = true;
	fakes[2].refusal = ENODEV;
	CHECK(!fargs_pt_recorder_read(r, &err));
	fakes[2].refusal = 0;
	CHECK(!fargs_pt_recorder_read(r, &err));
	CHECK_INT(fakes[2].nr_opened, 2);
	CHECK(is_polled(r, 2) && fakes[2].is_on);
	end(r);
}

static void begins_without_what_goes(void)
{
	struct fargs_pt_recorder *r;

	memset(fakes, 0, sizeof(fakes));
	fakes[0].is_online = true;
	fakes[1].is_online = true;
	fakes[1].refusal = ENODEV;
	r = fargs_pt_recorder_open(&options, &sink, &err);
	REQUIRE(r);
	CHECK(!fargs_pt_recorder_start(r, &err));
	CHECK(is_polled(r, 0) && !is_polled(r, 1));
	fakes[1].refusal = 0;
	CHECK(!fargs_pt_recorder_read(r, &err));
	CHECK(is_polled(r, 1) && fakes[1].has_side && fakes[1].is_on);
	end(r);

	memset(fakes, 0, sizeof(fakes));
	fakes[1].is_online = true;
	fakes[1].refusal = ENODEV;
	CHECK(!fargs_pt_recorder_open(&options, &sink, &err));
	CHECK(strstr(err.text, "online"));
	CHECK_INT(fakes[1].nr_closed, 1);
}

static void tells_other_errors(void)
{
	struct fargs_pt_recorder *r = begin();

	REQUIRE(r);
	CHECK(!fargs_pt_recorder_start(r, &err));
	fakes[2].is_online = true;
	fakes[2].refusal = EBUSY;
	CHECK_INT(fargs_pt_recorder_read(r, &err), -EBUSY);
	CHECK(strstr(err.text, "refused"));
	end(r);
}

int main(void)
{
	static const struct ktap_test tests[] = {
		{ "a CPU that comes online is recorded", takes_in_what_comes },
		{ "a CPU that goes offline too early does not affect others",
		  goes_on_without_what_goes },
		{ "a CPU that comes back is tried again", tries_again },
		{ "a CPU may go offline at the beginning", begins_without_what_goes },
		{ "other errors are reported", tells_other_errors },
	};

	return KTAP_RUN(tests);
}
