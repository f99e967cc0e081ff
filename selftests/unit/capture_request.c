// SPDX-License-Identifier: GPL-2.0-only
/* Tests which requests the recording engine accepts, and their consequences. */
#include "capture/request.h"

#include "capture/pt.h"
#include "cmd/options/request.h"
#include "uapi/fargs.h"
#include "unit/ktap.h"

static const char *words[1] = { "x" };
static char *const command[] = { "true", NULL };
static struct fargs_event_rule rule = { .text = "sched:*" };

#define SOME	{ words, 1 }
#define EVENTS	{ &rule, 1 }

#define CHECK_FAULT(fault, ...)							\
	do {									\
		const struct fargs_capture_request request_ = { __VA_ARGS__ };	\
										\
		CHECK_INT(fargs_capture_request_check(&request_), fault);	\
	} while (0)

static void good_requests(void)
{
	CHECK_FAULT(FARGS_REQUEST_IS_GOOD, .wanted = SOME, .has_all = true);
	CHECK_FAULT(FARGS_REQUEST_IS_GOOD, .tpoints = SOME, .command = command);
	CHECK_FAULT(FARGS_REQUEST_IS_GOOD, .events = EVENTS, .command = command);
	CHECK_FAULT(FARGS_REQUEST_IS_GOOD, .has_pt = true, .aux_bytes = 8192, .has_all = true);
	CHECK_FAULT(FARGS_REQUEST_IS_GOOD, .wanted = SOME, .under = SOME, .trigger = SOME,
		    .trigger_tpoints = SOME, .has_switches = true, .bind = { .is_graph = true },
		    .has_all = true);
	CHECK_FAULT(FARGS_REQUEST_IS_GOOD, .wanted = SOME, .is_follow = true, .pids = SOME);
	CHECK_FAULT(FARGS_REQUEST_IS_GOOD, .wanted = SOME, .flight = { .is_on = true },
		    .has_pt = true, .has_all = true);
	/* Calls can be selected by user and cgroup. */
	CHECK_FAULT(FARGS_REQUEST_IS_GOOD, .wanted = SOME, .uids = SOME, .cgroups = SOME,
		    .has_all = true);
}

static void something_is_recorded(void)
{
	CHECK_FAULT(FARGS_REQUEST_IS_EMPTY, .has_all = true);
	/*
	 * There is nothing to record: this fault takes precedence over missing functions for
	 * --under and --trigger.
	 */
	CHECK_FAULT(FARGS_REQUEST_IS_EMPTY, .under = SOME, .trigger = SOME, .has_all = true);
}

static void calls_are_needed(void)
{
	CHECK_FAULT(FARGS_REQUEST_UNDER_ALONE, .events = EVENTS, .under = SOME, .trigger = SOME,
		    .has_all = true);
	CHECK_FAULT(FARGS_REQUEST_TRIGGER_ALONE, .events = EVENTS, .trigger = SOME,
		    .trigger_tpoints = SOME, .has_all = true);
	CHECK_FAULT(FARGS_REQUEST_TRIGGER_TPOINT_ALONE, .has_pt = true, .trigger_tpoints = SOME,
		    .has_switches = true, .has_all = true);
	CHECK_FAULT(FARGS_REQUEST_SWITCHES_ALONE, .has_pt = true, .has_switches = true,
		    .bind = { .is_graph = true }, .has_all = true);
	CHECK_FAULT(FARGS_REQUEST_GRAPH_ALONE, .events = EVENTS, .bind = { .is_graph = true },
		    .has_all = true);
	CHECK_FAULT(FARGS_REQUEST_IS_GOOD, .has_pt = true,
		    .flight = { .is_on = true, .snapshot_bytes = 5000 }, .has_all = true);
}

static void tracepoints_return_nothing(void)
{
	CHECK_FAULT(FARGS_REQUEST_TPOINT_ERRORS, .tpoints = SOME,
		    .bind = { .is_only_errors = true }, .has_all = true);
	CHECK_FAULT(FARGS_REQUEST_TPOINT_ERRORS, .wanted = SOME, .trigger_tpoints = SOME,
		    .bind = { .is_only_errors = true }, .has_all = true);
	CHECK_FAULT(FARGS_REQUEST_IS_GOOD, .wanted = SOME, .bind = { .is_only_errors = true },
		    .has_all = true);
}

static void events_have_limits(void)
{
	CHECK_FAULT(FARGS_REQUEST_FLIGHT_EVENTS, .wanted = SOME, .events = EVENTS,
		    .flight = { .is_on = true }, .has_all = true);
	CHECK_FAULT(FARGS_REQUEST_UID_EVENTS, .events = EVENTS, .uids = SOME,
		    .cgroups = SOME, .has_all = true);
	CHECK_FAULT(FARGS_REQUEST_CGROUP_EVENTS, .events = EVENTS, .cgroups = SOME,
		    .has_all = true);
	CHECK_FAULT(FARGS_REQUEST_EVENTS_OF_BOTH, .events = EVENTS, .command = command,
		    .tids = SOME);
	CHECK_FAULT(FARGS_REQUEST_IS_GOOD, .events = EVENTS, .command = command, .tids = SOME,
		    .is_follow = true);
	CHECK_FAULT(FARGS_REQUEST_IS_GOOD, .events = EVENTS, .command = command, .tids = SOME,
		    .has_all = true);
}

static void buffers_have_a_use(void)
{
	CHECK_FAULT(FARGS_REQUEST_AUX_ALONE, .wanted = SOME, .aux_bytes = 8192, .has_all = true);
	CHECK_FAULT(FARGS_REQUEST_ACTION_ALONE, .wanted = SOME, .has_all = true,
		    .pt_pause = EVENTS);
	CHECK_FAULT(FARGS_REQUEST_ACTION_ALONE, .wanted = SOME, .has_all = true,
		    .pt_resume = EVENTS);
	CHECK_FAULT(FARGS_REQUEST_IS_GOOD, .has_pt = true, .has_all = true, .pt_resume = EVENTS);
	CHECK_FAULT(FARGS_REQUEST_SNAPSHOT_ALONE, .wanted = SOME, .has_all = true,
		    .flight = { .is_on = true, .snapshot_bytes = 8192 });
}

static void somebody_is_recorded(void)
{
	CHECK_FAULT(FARGS_REQUEST_NO_TASKS, .wanted = SOME);
	CHECK_FAULT(FARGS_REQUEST_NO_TASKS, .wanted = SOME, .pids = SOME);
	CHECK_FAULT(FARGS_REQUEST_FOLLOW_NOBODY, .wanted = SOME, .is_follow = true,
		    .command = command);
	CHECK_FAULT(FARGS_REQUEST_FOLLOW_ALL, .wanted = SOME, .is_follow = true, .tids = SOME,
		    .has_all = true);
}

/* Tests that each fault has a text, and that all texts differ. */
static void faults_have_words(void)
{
	const char *a, *b;
	int i, j;

	for (i = FARGS_REQUEST_IS_GOOD + 1; i < FARGS_REQUEST_FAULTS; i++) {
		a = fargs_request_fault_text(i);
		if (!a) {
			ktap_fail(__FILE__, __LINE__, "no text of fault %d", i);
			continue;
		}
		for (j = i + 1; j < FARGS_REQUEST_FAULTS; j++) {
			b = fargs_request_fault_text(j);
			CHECK(!b || strcmp(a, b));
		}
	}
}

static const char *worded(enum fargs_capture_fault fault)
{
	const struct fargs_capture_request r = { .aux_bytes = 3 << 20 };
	const struct fargs_capture_error err = { fault, { "the reason" } };
	static struct fargs_error_text text;

	fargs_request_error_text(&r, &err, &text);
	return text.text;
}

static void errors_name_their_option(void)
{
	CHECK_STR(worded(FARGS_FAULT_OTHER), "the reason");
	CHECK_STR(worded(FARGS_FAULT_REALTIME), "'--realtime': the reason");
	CHECK_STR(worded(FARGS_FAULT_COMMS), "'--comm': the reason");
	CHECK_STR(worded(FARGS_FAULT_PT), "'--pt': the reason");
	CHECK_STR(worded(FARGS_FAULT_CONTROL), "'--control': the reason");
	CHECK_STR(worded(FARGS_FAULT_TASKS), "no thread of '--tid' belongs to a process of "
		  "'--pid'");
	CHECK_STR(worded(FARGS_FAULT_AUX_BYTES), "'-m': the reason");
}

static void flight_ends(void)
{
	CHECK_INT(fargs_flight_request_count(&(struct fargs_flight_request){ }), 1);
	CHECK_INT(fargs_flight_request_count(&(struct fargs_flight_request){ .count = 7 }), 7);
	CHECK_INT(fargs_flight_request_count(&(struct fargs_flight_request){ .is_split = true }),
		  UINT32_MAX);
	CHECK_INT(fargs_flight_request_count(&(struct fargs_flight_request){ .is_split = true,
									     .count = 2 }), 2);
}

static uint32_t flags_of(bool is_on, bool has_trigger, uint64_t after_ns)
{
	const struct fargs_capture_request r = {
		.flight = { .is_on = is_on, .after_ns = after_ns },
		.trigger_tpoints = { words, has_trigger },
	};

	return fargs_capture_request_start_flags(&r);
}

static void triggers_freeze(void)
{
	const struct fargs_capture_request r = { .has_switches = true };

	CHECK_INT(flags_of(true, true, 0), FARGS_START_FREEZE);
	/*
	 * A trigger freezes the rings only in flight mode, if there are triggers and no records
	 * after them are requested.
	 */
	CHECK_INT(flags_of(true, true, 1), 0);
	CHECK_INT(flags_of(true, false, 0), 0);
	CHECK_INT(flags_of(false, true, 0), 0);
	CHECK_INT(fargs_capture_request_start_flags(&r), FARGS_START_SWITCHES);
}

static void ring_bytes(void)
{
	struct fargs_capture_request r = { .ring_bytes = 1 << 20 };

	CHECK_INT(fargs_capture_request_ring_bytes(&r), 1 << 20);
	r.flight.ring_bytes = 1 << 24;
	CHECK_INT(fargs_capture_request_ring_bytes(&r), 1 << 24);
}

static struct fargs_capture_error size_error;
static uint64_t snapshot;	/* size that fargs_pt_sizes() has set */

static uint64_t sizes(const struct fargs_capture_request *r, unsigned int nr_cpus)
{
	uint64_t bytes = 0;

	size_error = (struct fargs_capture_error){ };
	snapshot = 0;
	CHECK_INT(fargs_pt_sizes(r, nr_cpus, &bytes, &snapshot, &size_error) < 0, !bytes);
	return bytes;
}

static uint64_t aux(uint64_t asked, unsigned int nr_cpus)
{
	const struct fargs_capture_request r = { .aux_bytes = asked };
	uint64_t bytes = sizes(&r, nr_cpus);

	CHECK_INT(size_error.fault, bytes ? FARGS_FAULT_OTHER : FARGS_FAULT_AUX_BYTES);
	return bytes;
}

static uint64_t flight(uint64_t asked, uint64_t snapshot_bytes)
{
	const struct fargs_capture_request r = {
		.aux_bytes = asked,
		.flight = { .is_on = true, .snapshot_bytes = snapshot_bytes },
	};

	return sizes(&r, 1);
}

/* Tests perf's rules for snapshots: intel_pt_recording_options() of its document's section. */
static void snapshot_bytes(void)
{
	CHECK_INT(flight(4096, 0), 4096);
	CHECK_INT(snapshot, 4096);
	CHECK_INT(flight(65536, 5000), 65536);
	CHECK_INT(snapshot, 5000);
	/* The buffer is as large as the snapshot needs. */
	CHECK_INT(flight(0, 131072), 131072);
	CHECK_INT(flight(0, 131073), 262144);
	CHECK_INT(flight(0, 1), 4096);
	CHECK_INT(snapshot, 1);
	CHECK_INT(flight(65536, 65537), 0);
	CHECK_STR(size_error.text.text, "'--flight': a snapshot of 65537 does not fit into a "
		  "buffer of 64K for '--pt': give a larger one with '-m ,SIZE', up to 1G");
	CHECK_INT(flight(0, (1ull << 30) + 1), 0);
	CHECK_INT(flight(0, UINT64_MAX), 0);
	CHECK_INT(flight(2048, 0), 0);
	CHECK_STR(size_error.text.text, "a buffer of 2K for '--pt' is invalid: give a power of two "
		  "from 4K to 1G");
}

static uint64_t sampled(uint64_t asked, uint32_t usual, uint32_t of_one, unsigned int nr_cpus)
{
	struct fargs_pt_sample_rule rules[] = { { .aux_bytes = of_one }, { .aux_bytes = 512 } };
	const struct fargs_capture_request r = {
		.aux_bytes = asked, .aux_sample_bytes = usual, .pt_samples = rules,
		.nr_pt_samples = of_one ? 2 : 0,
	};

	return sizes(&r, nr_cpus);
}

static void sample_bytes(void)
{
	CHECK_INT(sampled(4096, 4096, 0, 1), 4096);
	CHECK_INT(sampled(4096, 4097, 0, 1), 0);
	CHECK_STR(size_error.text.text, "'--aux-sample': a sample of 4097 does not fit into a "
		  "buffer of 4K for '--pt': give a larger one with '-m ,SIZE'");
	/* The size of an event replaces that for all, and the largest one counts. */
	CHECK_INT(sampled(8192, 16384, 8192, 1), 8192);
	CHECK_INT(sampled(4096, 0, 8192, 1), 0);
	/* The default is at least as large as a sample. */
	CHECK_INT(sampled(0, 61440, 0, 1 << 20), 65536);
	CHECK_INT(sampled(2048, 1, 0, 1), 0);
}

static void aux_bytes(void)
{
	uint64_t usual = aux(0, 1);

	CHECK_INT(aux(8192, 1), 8192);
	CHECK_INT(aux(1ull << 30, 1), 1ull << 30);
	CHECK_INT(aux(4096, 1), 0);
	CHECK_INT(aux(12288, 1), 0);
	CHECK_INT(aux(1ull << 31, 1), 0);
	CHECK(usual && usual <= 4 << 20 && !(usual & (usual - 1)));
	/*
	 * With a very large number of CPUs, the default size is smaller, but still a valid buffer
	 * size.
	 */
	CHECK(aux(0, 1 << 20) < usual || usual <= 16384);
	CHECK(aux(0, 1 << 20) >= 8192);
}

static const struct ktap_test tests[] = {
	{ "valid requests have no fault", good_requests },
	{ "nothing to record is a fault", something_is_recorded },
	{ "options for calls are a fault without calls", calls_are_needed },
	{ "selecting errors is a fault with tracepoints", tracepoints_return_nothing },
	{ "a flight recorder, users or cgroups are a fault with events", events_have_limits },
	{ "a buffer for Intel PT alone is a fault", buffers_have_a_use },
	{ "no task to record is a fault", somebody_is_recorded },
	{ "each fault has its own message", faults_have_words },
	{ "messages name the options", errors_name_their_option },
	{ "the flight recorder ends after the requested number of triggers", flight_ends },
	{ "a trigger without delay freezes the rings", triggers_freeze },
	{ "the flight recorder has its own buffer size", ring_bytes },
	{ "buffer sizes of Intel PT are powers of two", aux_bytes },
	{ "samples fit into the buffers of Intel PT", sample_bytes },
	{ "snapshots fit into the buffers of Intel PT", snapshot_bytes },
};

int main(void)
{
	return KTAP_RUN(tests);
}
