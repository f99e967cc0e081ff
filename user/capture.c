// SPDX-License-Identifier: GPL-2.0-only
#include "capture.h"

#include <errno.h>
#include <inttypes.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <x86intrin.h>

#include "cmd.h"
#include "ctl/command.h"
#include "ctl/kernel.h"
#include "ctl/session.h"
#include "ctl/signals.h"
#include "layout/select.h"
#include "losses.h"
#include "ring/rings.h"

/* Rings are read when the module says that one is filling, and at least this often. */
#define READ_MS		100
#define CLOCK_MS	1000
/*
 * A record is dated before it can be read: an interrupt may come between, and on
 * a virtual machine the CPU itself may be away for a time slice.
 */
#define LATE_MS		20
/* How long a command that was asked to end may take before we leave without it. */
#define COMMAND_END_MS	2000

struct capture {
	const struct fargs_capture_options *options;
	const struct fargs_sink *sink;
	void *arg;
	struct fargs_signals signals;
	struct fargs_command command;
	struct fargs_session session;
	struct fargs_rings *rings;
	struct fargs_error_text err;
	uint64_t next_clock_ms;
	int end_signal;		/* that asked us to end; 0: none */
	bool is_pipe_closed;	/* nobody reads what we write */
};

static uint64_t now_ms(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return ts.tv_sec * 1000ull + ts.tv_nsec / 1000000;
}

static void print_refused(const struct fargs_pick *picks, size_t nr)
{
	size_t i;

	for (i = 0; i < nr; i++) {
		const char *module = picks[i].sym->module;

		if (picks[i].why)
			fprintf(stderr, "fargs: not traced: %s%s%s: %s\n", module ? module : "",
				module ? ":" : "", picks[i].sym->name,
				fargs_refusal_text(picks[i].why));
	}
}

static void tell_refused(const struct capture *c, const struct fargs_select *sel)
{
	size_t i, nr = sel->nr_refused;

	for (i = 0; i < sel->nr_picks; i++)
		nr += sel->picks[i].why != FARGS_REFUSAL_NONE;
	if (c->options->is_verbose) {
		print_refused(sel->refused, sel->nr_refused);
		print_refused(sel->picks, sel->nr_picks);
		fprintf(stderr, "fargs: tracing %zu functions, %zu left out\n",
			c->session.meta.nr_funcs, nr);
	} else if (nr) {
		fprintf(stderr, "fargs: tracing %zu functions; "
			"%zu more match but cannot be traced (-v lists them)\n",
			c->session.meta.nr_funcs, nr);
	}
}

static int add_functions(struct capture *c)
{
	const struct fargs_capture_options *o = c->options;
	const struct fargs_bind_options bind =
		fargs_call_options_bind(&o->calls, c->session.meta.info.tsc_khz);
	const struct fargs_patterns patterns = {
		.wanted = o->wanted.words, .nr_wanted = o->wanted.nr,
		.unwanted = o->unwanted.words, .nr_unwanted = o->unwanted.nr,
		.options = &bind,
	};
	struct fargs_kernel kernel;
	struct fargs_select *sel = NULL;
	int ret;

	ret = fargs_kernel_init(&kernel, &o->btf, &c->err);
	if (!ret) {
		sel = fargs_select_create(&patterns, kernel.ksyms, kernel.btfs, kernel.avail,
					  &c->err);
		ret = sel ? 0 : -EINVAL;
		cmd_complain(kernel.btfs);
	}
	if (!ret)
		ret = fargs_session_add(&c->session, &kernel, sel, &c->err);
	if (!ret)
		tell_refused(c, sel);
	fargs_select_destroy(sel);
	fargs_kernel_deinit(&kernel);
	return ret;
}

static int on_records(void *arg, unsigned int cpu, const void *records, size_t bytes)
{
	struct capture *c = arg;

	return c->sink->records(c->arg, cpu, records, bytes, &c->err);
}

/* Reads every ring once. */
static int drain(struct capture *c, bool is_last)
{
	uint64_t safe_tsc = __rdtsc() - (uint64_t)LATE_MS * c->session.meta.info.tsc_khz;
	unsigned int cpu;
	int ret;

	for (cpu = 0; cpu < fargs_rings_count(c->rings); cpu++) {
		ret = fargs_rings_read(c->rings, cpu, on_records, c);
		if (ret) {
			if (ret == -EIO)
				fargs_fail(&c->err, EIO, "the ring of CPU %u makes no sense", cpu);
			return ret;
		}
	}
	return c->sink->drained(c->arg, is_last ? FARGS_CAPTURE_END : safe_tsc, &c->err);
}

static int take_clock(struct capture *c)
{
	struct fargs_clock_sample *samples;
	int ret = fargs_session_clock(&c->session, &samples, &c->err);

	if (ret)
		return ret;
	ret = c->sink->clock(c->arg, samples, &c->err);
	free(samples);
	c->next_clock_ms = now_ms() + CLOCK_MS;
	return ret;
}

/* Is there a reason to end? */
static bool is_over(struct capture *c)
{
	int sig;

	while ((sig = fargs_signals_next(&c->signals)))
		if (sig != SIGCHLD)
			c->end_signal = sig;
	return c->end_signal || (c->options->command && fargs_command_poll(&c->command));
}

static int run(struct capture *c)
{
	struct pollfd fds[] = {
		{ .fd = c->signals.fd, .events = POLLIN },
		{ .fd = c->session.fd, .events = POLLIN },
	};
	int ret;

	c->next_clock_ms = now_ms() + CLOCK_MS;
	while (!is_over(c)) {
		poll(fds, 2, READ_MS);
		ret = drain(c, false);
		if (!ret && now_ms() >= c->next_clock_ms)
			ret = take_clock(c);
		if (ret)
			return ret;
	}
	return 0;
}

/* What the rings still hold, the counters, and the end of the output. */
static int finish(struct capture *c, struct fargs_stats *stats)
{
	int ret = fargs_session_stop(&c->session, &c->err);

	if (!ret)
		ret = take_clock(c);
	if (!ret)
		ret = drain(c, true);
	if (!ret)
		ret = fargs_session_stats(&c->session, stats, &c->err);
	if (!ret)
		ret = c->sink->end(c->arg, &c->err);
	return ret;
}

/* Sees to it that the command does not outlive us unnoticed. */
static int end_command(struct capture *c)
{
	struct pollfd fd = { .fd = c->signals.fd, .events = POLLIN };
	struct fargs_command *command = &c->command;

	if (!c->options->command)
		return 0;
	/* Nobody reads any more, but that is not the command's business. */
	while (c->is_pipe_closed && !is_over(c))
		poll(&fd, 1, -1);
	if (!command->has_ended) {
		/* A terminal has told it already; then this does no harm. */
		kill(command->pid, c->end_signal ? c->end_signal : SIGTERM);
		if (!fargs_command_wait(command, COMMAND_END_MS)) {
			fprintf(stderr, "fargs: '%s' (pid %d) goes on, no longer traced\n",
				command->name, command->pid);
			return 0;
		}
	}
	return fargs_command_exit_code(command);
}

/* From the open session to the end; the command waits. */
static int trace(struct capture *c)
{
	struct fargs_stats stats = { };
	int ret;

	ret = add_functions(c);
	if (!ret)
		ret = fargs_session_buffer(&c->session, c->options->ring_bytes, &c->err);
	if (!ret) {
		c->rings = fargs_rings_map(c->session.fd, &c->session.meta.info,
					   c->session.meta.ring_bytes, &c->err);
		ret = c->rings ? 0 : -EINVAL;
	}
	if (!ret)
		ret = fargs_session_describe(&c->session, c->options->argv, &c->err);
	if (!ret)
		ret = c->sink->begin(c->arg, c->options, &c->session.meta, &c->err);
	if (!ret)
		ret = fargs_session_start(&c->session, c->options->has_all ? 0 : c->command.pid,
					  c->options->maxactive, &c->err);
	if (!ret && c->options->command)
		ret = fargs_command_go(&c->command, &c->err);
	if (ret) {
		cmd_fail("%s", c->err.text);
		c->sink->cancel(c->arg);
		return c->command.has_ended ? fargs_command_exit_code(&c->command) : 1;
	}
	ret = run(c);
	if (!ret)
		ret = finish(c, &stats);
	if (ret == -EPIPE)
		c->is_pipe_closed = true;
	else if (ret)
		cmd_fail("%s", c->err.text);
	/* Whatever happened, the probes go now. */
	if (c->session.is_running)
		fargs_session_stop(&c->session, NULL);
	if (!ret)
		fargs_losses_tell(&c->session.meta, &stats);
	return ret && ret != -EPIPE ? (end_command(c), 1) : end_command(c);
}

int fargs_capture_run(const struct fargs_capture_options *options, const struct fargs_sink *sink,
		      void *arg)
{
	struct capture c = { .options = options, .sink = sink, .arg = arg };
	int status;

	if (fargs_signals_init(&c.signals, &c.err))
		return cmd_fail("%s", c.err.text);
	/* Before there is anything for the child to inherit. */
	if (options->command &&
	    fargs_command_init(&c.command, options->command, &c.signals, &c.err)) {
		status = cmd_fail("%s", c.err.text);
		goto out_signals;
	}
	if (fargs_session_init(&c.session, &c.err)) {
		status = cmd_fail("%s", c.err.text);
		goto out_command;
	}
	status = trace(&c);
	fargs_rings_destroy(c.rings);
	fargs_session_deinit(&c.session);
out_command:
	fargs_command_deinit(&c.command);
out_signals:
	fargs_signals_deinit(&c.signals);
	return status;
}
