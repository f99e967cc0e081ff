/* SPDX-License-Identifier: GPL-2.0-only */
/* Hooks of the recording engine that log their calls in order, with their arguments. */
#ifndef SELFTESTS_CAPTURE_WORLD_H
#define SELFTESTS_CAPTURE_WORLD_H

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>

#include "capture/capture.h"
#include "unit/ktap.h"

/* The log: a word for each call. */
static char world_log[2048];
static struct fargs_capture_error world_error;	/* error that was passed to failed() */
static bool world_cannot_describe;

__attribute__((format(printf, 1, 2), unused)) static void world_add(const char *fmt, ...)
{
	size_t used = strlen(world_log);
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(world_log + used, sizeof(world_log) - used, fmt, ap);
	va_end(ap);
}

__attribute__((unused)) static int world_describe(void *arg, struct fargs_meta *meta,
						  struct fargs_error_text *err)
{
	world_add("describe ");
	return world_cannot_describe ? fargs_fail(err, ENOMEM, "no room in this world") : 0;
}

__attribute__((unused)) static void world_functions(void *arg, const struct fargs_select *sel,
						    size_t nr_traced)
{
	world_add("functions=%zu/%zu ", nr_traced, sel->nr_matches);
}

__attribute__((unused)) static void world_tpoints(void *arg, const struct fargs_select *sel)
{
	world_add("tpoints=%zu ", sel->nr_matches);
}

__attribute__((unused)) static void world_deferred(void *arg, const struct fargs_deferred *deferred,
						   bool is_tpoint)
{
	world_add("deferred-%s=%zu ", is_tpoint ? "tpoints" : "functions", deferred->nr_modules);
}

__attribute__((unused)) static void world_phase(void *arg, enum fargs_capture_phase phase,
						size_t nr_functions)
{
	static const char *const names[] = {
		[FARGS_CAPTURE_ATTACHING] = "attaching", [FARGS_CAPTURE_RECORDING] = "recording",
		[FARGS_CAPTURE_ENDING] = "ending", [FARGS_CAPTURE_DETACHING] = "detaching",
		[FARGS_CAPTURE_DETACHED] = "detached",
	};

	world_add("%s ", names[phase]);
}

__attribute__((unused)) static void world_note(void *arg, const struct fargs_capture_note *note)
{
	world_add("note%d:%s:%llu/%llu ", note->kind, note->name ? note->name : "",
		  (unsigned long long)note->nr, (unsigned long long)note->of);
}

__attribute__((unused)) static bool world_progress(void *arg,
						   const struct fargs_capture_progress *progress)
{
	return true;
}

__attribute__((unused)) static void world_failed(void *arg, const struct fargs_capture_error *err)
{
	world_error = *err;
	world_add("failed ");
}

__attribute__((unused)) static void world_ended(void *arg,
						const struct fargs_capture_outcome *outcome)
{
	world_add("ended ");
}

__attribute__((unused)) static const struct fargs_capture_hooks world_hooks = {
	.describe = world_describe,
	.functions = world_functions,
	.tpoints = world_tpoints,
	.deferred = world_deferred,
	.phase = world_phase,
	.note = world_note,
	.progress = world_progress,
	.failed = world_failed,
	.ended = world_ended,
};

__attribute__((unused)) static void world_reset(void)
{
	world_log[0] = '\0';
	world_error = (struct fargs_capture_error){ };
	world_cannot_describe = false;
}

#endif
