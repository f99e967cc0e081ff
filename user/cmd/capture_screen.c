// SPDX-License-Identifier: GPL-2.0-only
#include "cmd/capture_screen.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/plural.h"
#include "base/size.h"
#include "cmd/options/request.h"
#include "cmd/screen/selection.h"
#include "cmd/screen/cmd.h"
#include "cmd/screen/losses.h"
#include "cmd/screen/status_line.h"
#include "session/nspid.h"

/*
 * Returns the mount point of a procfs whose pids equal those in records; NULL if this process is
 * not in the initial pid namespace.
 */
static const char *initial_proc(void)
{
	return fargs_nspid_is_initial() ? "/proc" : NULL;
}

static int describe(void *arg, struct fargs_meta *meta, struct fargs_error_text *err)
{
	const struct fargs_capture_screen *screen = arg;

	/* The output begins next, which may use the terminal. */
	fargs_status_line_hide();
	if (fargs_guest_options_read(&screen->options->guests, initial_proc(), &meta->guests))
		return fargs_fail(err, ENOMEM, "no memory for symbols of guests");
	return 0;
}

static void print_functions(void *arg, const struct fargs_select *sel, size_t nr_traced)
{
	const struct fargs_capture_screen *screen = arg;

	fargs_status_line_hide();
	fargs_selection_print_functions(sel, nr_traced, screen->options->is_verbose);
}

static void print_tpoints(void *arg, const struct fargs_select *sel)
{
	const struct fargs_capture_screen *screen = arg;

	fargs_status_line_hide();
	fargs_selection_print_tpoints(sel, screen->options->is_verbose);
}

static void print_deferred(void *arg, const struct fargs_deferred *deferred, bool is_tpoint)
{
	const struct fargs_capture_screen *screen = arg;

	fargs_status_line_hide();
	fargs_selection_print_deferred(deferred, is_tpoint, screen->options->is_verbose);
}

/*
 * Should a status line be shown? It would conflict with a traced command, which may write to the
 * terminal, too, and with a full-screen display.
 */
static bool is_status_wanted(const struct fargs_capture_screen *screen)
{
	return !screen->options->request.command && !screen->is_taken;
}

static void print_phase(void *arg, enum fargs_capture_phase phase, size_t nr_functions)
{
	const struct fargs_capture_screen *screen = arg;

	/*
	 * A traced command is not started until all probes are attached, so its output cannot
	 * conflict with the status line yet.
	 */
	if (phase == FARGS_CAPTURE_READING)
		fargs_progress_tell_reading();
	else if (phase == FARGS_CAPTURE_WAITING)
		fargs_progress_tell_waiting();
	else if (phase == FARGS_CAPTURE_ATTACHING)
		fargs_progress_tell("attaching to", nr_functions);
	else if (phase != FARGS_CAPTURE_DETACHING)
		fargs_status_line_hide();
	else if (is_status_wanted(screen))
		fargs_progress_tell("detaching from", nr_functions);
}

static void print_note(void *arg, const struct fargs_capture_note *note)
{
	const struct fargs_capture_screen *screen = arg;
	const char *kept = fargs_capture_request_has_calls(&screen->options->request) ?
			   "calls" : "Intel PT";
	char size[32], wanted[32];

	if (note->kind == FARGS_NOTE_LOADED_REFUSED && !screen->options->is_verbose)
		return;
	fargs_status_line_hide();
	switch (note->kind) {
	case FARGS_NOTE_WARNING:
		cmd_fail("warning: %s", note->name);
		break;
	case FARGS_NOTE_SMALL_BUFFER:
		fprintf(stderr, "fargs: buffers of %s instead of %s for each CPU, because of "
			"RLIMIT_MEMLOCK ('ulimit -l')\n",
			fargs_size_exact(note->nr, size, sizeof(size)),
			fargs_size_exact(note->of, wanted, sizeof(wanted)));
		break;
	case FARGS_NOTE_STALE_MODULE:
		cmd_fail("warning: module '%s' was loaded, but as a different build from the "
			 "selected one: it is not traced", note->name);
		break;
	case FARGS_NOTE_LOADED_REFUSED:
		fprintf(stderr, "fargs: %" PRIu64 " function%s of newly loaded modules cannot be "
			"traced\n", note->nr, fargs_plural(note->nr));
		break;
	case FARGS_NOTE_ALL_UNLOADED:
		fprintf(stderr, "fargs: no function or tracepoint is traced any more, because "
			"their modules were unloaded\n");
		break;
	case FARGS_NOTE_EVENTS_REFUSED:
		fprintf(stderr, "fargs: recording %" PRIu64 " event%s; perf cannot record %" PRIu64
			" more that match\n", note->of - note->nr,
			fargs_plural(note->of - note->nr), note->nr);
		break;
	case FARGS_NOTE_CPU_ONLINE:
		fprintf(stderr, "fargs: CPU %" PRIu64 " is online: its events are recorded from "
			"now on\n", note->nr);
		break;
	case FARGS_NOTE_CPU_OFFLINE:
		fprintf(stderr, "fargs: CPU %" PRIu64 " is offline: its events are no longer "
			"recorded\n", note->nr);
		break;
	case FARGS_NOTE_KEPT:
		fprintf(stderr, "fargs: trigger %" PRIu64, note->nr);
		if (note->of)
			fprintf(stderr, " of %" PRIu64, note->of);
		fprintf(stderr, ": kept the last %s\n", kept);
		break;
	case FARGS_NOTE_KEPT_LAST:
		fprintf(stderr, "fargs: kept the last %s; '%s' is no longer traced\n", kept,
			note->name);
		break;
	case FARGS_NOTE_PT_FILTER:
	case FARGS_NOTE_LINE:
		fprintf(stderr, "fargs: %s\n", note->name);
		break;
	case FARGS_NOTE_COMMAND_LEFT:
		fprintf(stderr, "fargs: '%s' (pid %" PRIu64 ") is still running, but is no longer "
			"traced\n",
			note->name, note->nr);
		break;
	}
}

static bool show_progress(void *arg, const struct fargs_capture_progress *progress)
{
	struct fargs_capture_screen *screen = arg;

	if (!is_status_wanted(screen) ||
	    !fargs_progress_is_due(&screen->progress, progress->now_ms))
		return false;
	if (progress->is_flight)
		fargs_progress_show_flight(progress->nr_kept);
	else
		fargs_progress_show(&screen->progress, progress);
	return true;
}

static void print_failed(void *arg, const struct fargs_capture_error *err)
{
	const struct fargs_capture_screen *screen = arg;
	struct fargs_error_text text;

	fargs_request_error_text(&screen->options->request, err, &text);
	cmd_fail("%s", text.text);
}

static void print_missing(const struct fargs_missing *missing)
{
	char *names = missing->nr ? fargs_missing_text(missing) : NULL;

	if (names)
		fprintf(stderr, "fargs: skipped, because this kernel has nothing traceable for "
			"%s: %s\n", missing->nr > 1 ? "them" : "it", names);
	free(names);
}

static void print_ended(void *arg, const struct fargs_capture_outcome *outcome)
{
	const struct fargs_capture_screen *screen = arg;

	fargs_losses_tell(outcome->meta, outcome->stats);
	fargs_losses_tell_events(outcome->meta);
	if (outcome->pt)
		fargs_losses_tell_pt(outcome->pt);
	print_missing(outcome->missing);
	if (fargs_capture_request_has_trigger(&screen->options->request) &&
	    !outcome->stats->nr_triggers)
		fprintf(stderr, "fargs: no call matched '--trigger' or '--trigger-tracepoint'\n");
}

struct fargs_capture_hooks fargs_capture_screen_hooks(struct fargs_capture_screen *screen)
{
	return (struct fargs_capture_hooks){
		.arg = screen,
		.describe = describe,
		.functions = print_functions,
		.tpoints = print_tpoints,
		.deferred = print_deferred,
		.phase = print_phase,
		.note = print_note,
		.progress = show_progress,
		.failed = print_failed,
		.ended = print_ended,
	};
}
