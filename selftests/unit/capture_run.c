// SPDX-License-Identifier: GPL-2.0-only
/*
 * Tests the recording engine from the request to the end. The requests need no module, so this
 * tests the engine's own work: the command, signals, the duration, the sink, and their order.
 */
#include "capture/capture.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "kernel/sym/ksyms.h"
#include "unit/capture_world.h"

/* Do not load the symbols of this machine, because that takes long and they are not needed. */
struct fargs_ksyms *__wrap_fargs_ksyms_load(struct fargs_error_text *err);

struct fargs_ksyms *__wrap_fargs_ksyms_load(struct fargs_error_text *err)
{
	return NULL;
}

/* Behaviour of the simulated sink, and the number of its calls. */
static struct {
	int begin, drained, end;	/* return values of the sink's callbacks: 0 or -errno */
	unsigned int nr_turns;		/* done after this many calls of drained(); 0: never */
	int signal;			/* raised after the first call of drained(); 0: none */
	unsigned int nr_drained;
} sink;

static int status;

static int fail_as(int ret, struct fargs_error_text *err)
{
	return ret ? fargs_fail(err, -ret, "the sink: %d", ret) : 0;
}

static int sink_begin(void *arg, struct fargs_meta *meta, struct fargs_error_text *err)
{
	world_add("begin ");
	return fail_as(sink.begin, err);
}

static int drained(void *arg, uint64_t now_tsc, uint64_t held_ns, struct fargs_error_text *err)
{
	if (now_tsc == FARGS_CAPTURE_END)
		world_add("last ");
	sink.nr_drained++;
	return fail_as(sink.drained, err);
}

static void tell(void *arg, struct fargs_capture_taken *taken, bool *is_done)
{
	if (sink.signal && sink.nr_drained == 1)
		raise(sink.signal);
	*is_done = sink.nr_drained == sink.nr_turns;
}

static int sink_end(void *arg, struct fargs_error_text *err)
{
	world_add("end ");
	return fail_as(sink.end, err);
}

static void sink_cancel(void *arg)
{
	world_add("cancel ");
}

/*
 * Runs a recording for at most @ms milliseconds (0: unlimited). @script: command for sh; NULL: no
 * command.
 */
static int run(const char *script, unsigned int ms)
{
	static const struct fargs_capture_output ops = {
		.begin = sink_begin, .drained = drained, .tell = tell, .end = sink_end,
		.cancel = sink_cancel,
	};
	char *const words[] = { "sh", "-c", (char *)script, NULL };
	char *const argv[] = { "test", NULL };
	const struct fargs_capture_request r = {
		.has_all = true, .argv = argv, .command = script ? words : NULL,
		.duration_ns = ms * 1000000ull,
	};

	return fargs_capture_run(&r, &ops, NULL, &world_hooks, &status);
}

static void reset(void)
{
	world_reset();
	memset(&sink, 0, sizeof(sink));
	status = -1;
}

static uint64_t now_ms(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return ts.tv_sec * 1000ull + ts.tv_nsec / 1000000;
}

static bool has_child(void)
{
	return waitpid(-1, NULL, WNOHANG) != -1 || errno != ECHILD;
}

static void in_order(void)
{
	reset();
	CHECK(!run("exit 3", 0));
	CHECK_INT(status, 3);
	CHECK_STR(world_log, "describe begin ending detached last end ended ");
	CHECK(!has_child());
}

/* Tests that a command killed by a signal has the same status as in a shell. */
static void killed_command(void)
{
	reset();
	CHECK(!run("kill -KILL $$", 0));
	CHECK_INT(status, 128 + SIGKILL);
}

static void no_such_command(void)
{
	static const struct fargs_capture_output ops = {
		.begin = sink_begin, .cancel = sink_cancel,
	};
	char *const words[] = { "/no/such/program", NULL };
	const struct fargs_capture_request r = {
		.has_all = true, .argv = words, .command = words,
	};

	reset();
	CHECK_INT(fargs_capture_run(&r, &ops, NULL, &world_hooks, &status), -ENOENT);
	CHECK_INT(status, 127);
	CHECK_STR(world_log, "describe begin failed cancel ");
	CHECK(strstr(world_error.text.text, "/no/such/program"));
	CHECK(!has_child());
}

static void sink_that_cannot_begin(void)
{
	reset();
	sink.begin = -EACCES;
	CHECK_INT(run("exit 3", 0), -EACCES);
	CHECK_INT(status, 0);
	CHECK_STR(world_log, "describe begin failed cancel ");
	CHECK_STR(world_error.text.text, "the sink: -13");
	CHECK(!has_child());
}

static void caller_that_cannot_describe(void)
{
	reset();
	world_cannot_describe = true;
	CHECK_INT(run("exit 3", 0), -ENOMEM);
	CHECK_STR(world_log, "describe failed cancel ");
	CHECK(!has_child());
}

/*
 * Tests a sink that fails: neither the end of the output nor losses are reported, and the command
 * does not continue.
 */
static void sink_that_fails(void)
{
	uint64_t began = now_ms();

	reset();
	sink.drained = -EIO;
	CHECK_INT(run("exec sleep 100", 0), -EIO);
	CHECK_INT(status, 0);
	CHECK_STR(world_log, "describe begin ending failed ");
	CHECK_STR(world_error.text.text, "the sink: -5");
	CHECK(now_ms() - began < 50000);
	CHECK(!has_child());
}

static void output_that_cannot_end(void)
{
	reset();
	sink.end = -ENOSPC;
	CHECK_INT(run("exit 3", 0), -ENOSPC);
	CHECK_INT(status, 0);
	CHECK_STR(world_log, "describe begin ending detached last end failed ");
}

/* Tests a sink without a reader: this is not a failure, and the command runs until it ends. */
static void sink_that_nobody_reads(void)
{
	reset();
	sink.drained = -EPIPE;
	CHECK(!run("sleep 0.3; exit 4", 0));
	CHECK_INT(status, 4);
	CHECK_STR(world_log, "describe begin ending ");
	CHECK(!has_child());
}

static void sink_that_has_enough(void)
{
	reset();
	sink.nr_turns = 2;
	CHECK(!run("sleep 0.5; exit 5", 0));
	CHECK_INT(status, 5);
	/* The sink is called once more at the end. */
	CHECK_INT(sink.nr_drained, 3);
	CHECK_STR(world_log, "describe begin ending detached last end ended ");
}

static void some_time(void)
{
	uint64_t began = now_ms(), took;

	reset();
	CHECK(!run(NULL, 120));
	took = now_ms() - began;
	CHECK_INT(status, 0);
	CHECK(took >= 120);
	CHECK_STR(world_log, "describe begin ending detached last end ended ");
	/* The end of the requested duration does not end the command. */
	reset();
	CHECK(!run("sleep 0.4; exit 6", 100));
	CHECK_INT(status, 6);
}

static void signals_end_it(void)
{
	reset();
	sink.signal = SIGTERM;
	CHECK(!run(NULL, 60000));
	CHECK_INT(sink.nr_drained, 2);
	CHECK_STR(world_log, "describe begin ending detached last end ended ");
	reset();
	/* In background jobs of a shell, SIGINT is ignored, and would be ignored in the command. */
	signal(SIGINT, SIG_DFL);
	sink.signal = SIGINT;
	CHECK(!run("exec sleep 100", 0));
	CHECK_INT(status, 128 + SIGINT);
	CHECK(!has_child());
}

/* Tests SIGUSR2: without a flight recorder, it ends the recording. */
static void sigusr2_ends_it(void)
{
	reset();
	sink.signal = SIGUSR2;
	CHECK(!run(NULL, 60000));
	CHECK_INT(sink.nr_drained, 2);
}

static void signals_are_restored(void)
{
	sigset_t before, after;
	int sig;

	reset();
	sigprocmask(SIG_BLOCK, NULL, &before);
	CHECK(!run("true", 0));
	sigprocmask(SIG_BLOCK, NULL, &after);
	for (sig = 1; sig < SIGRTMIN; sig++)
		CHECK_INT(sigismember(&after, sig), sigismember(&before, sig));
}

static void selectors_first(void)
{
	static const char *word = "vfs_read(";
	char *const words[] = { "true", NULL };
	static const struct fargs_capture_output ops = {
		.begin = sink_begin, .cancel = sink_cancel,
	};
	const struct fargs_capture_request r = {
		.wanted = { &word, 1 }, .argv = words, .command = words,
	};

	reset();
	CHECK_INT(fargs_capture_run(&r, &ops, NULL, &world_hooks, &status), -EINVAL);
	CHECK_INT(status, 0);
	CHECK_STR(world_log, "failed ");
	CHECK(strstr(world_error.text.text, "'vfs_read(', column 10"));
	CHECK(!has_child());
}

static const struct ktap_test tests[] = {
	{ "hooks and sink are called in order, and the command's status is returned", in_order },
	{ "a killed command's status is 128 plus the signal", killed_command },
	{ "a command that cannot be run is a failure", no_such_command },
	{ "the command does not run if the output cannot begin", sink_that_cannot_begin },
	{ "a failing hook is a failure", caller_that_cannot_describe },
	{ "a failing sink ends the capture and the command", sink_that_fails },
	{ "output that cannot be finished is a failure", output_that_cannot_end },
	{ "a closed pipe ends the capture, but not the command", sink_that_nobody_reads },
	{ "a sink that has enough ends the capture, but not the command", sink_that_has_enough },
	{ "the duration ends the capture, but not the command", some_time },
	{ "signals end the capture, and are forwarded to the command", signals_end_it },
	{ "SIGUSR2 ends a recording without flight recorder", sigusr2_ends_it },
	{ "signal handlers are restored", signals_are_restored },
	{ "selectors are parsed before anything starts", selectors_first },
};

int main(void)
{
	return KTAP_RUN(tests);
}
