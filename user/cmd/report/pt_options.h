/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The options of Intel PT: what of a trace is shown or exported.
 */
#ifndef FARGS_CMD_REPORT_PT_OPTIONS_H
#define FARGS_CMD_REPORT_PT_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "base/id_set.h"
#include "base/time_window.h"
#include "cmd/options/parse.h"
#include "source/pt/events/branches.h"
#include "source/pt/input/input.h"
#include "source/pt/trace/decoder.h"
#include "source/pt/trace/itrace.h"

struct fargs_dlfilters;
struct fargs_guest_options;

struct fargs_pt_report_options {
	bool has_itrace;		/* --itrace was given, without --no-itrace */
	struct fargs_itrace itrace;	/* its value */
	bool has_no_itrace;		/* --no-itrace was given */
	const char *default_itrace;	/* used without these options; NULL: perf script's */
	/* Recorded samples and switches are shown, too, also without letters G and L. */
	bool has_recorded;
	bool has_calls;			/* --call-trace or --call-ret-trace was given */
	bool has_returns;		/* --call-ret-trace was given */
	bool has_tracer;		/* --show-tracer was given */
	const char **graph_functions;	/* values of --graph-function */
	size_t nr_graph_functions;
	uint32_t depth_max;		/* value of --max-graph-depth; 0: unlimited */
	const char *with;		/* value of --with; NULL: not given */
	const char *with_guest;		/* value of --with-guest; NULL: not given */
	bool has_guest_tsc;		/* --guest-tsc was given */
	uint64_t guest_tsc_offset, guest_tsc_ratio;	/* its value (struct fargs_pt_vmcs) */
	const char *kcore;		/* value of --kcore; NULL: not given */
	const char *symfs;		/* value of --symfs; NULL: not given */
	/* Values of --guestkallsyms, --guestmodules and --guestvmlinux; NULL: not given */
	const char *guest_kallsyms, *guest_modules, *guest_vmlinux;
	bool has_guest_code;		/* --guest-code was given */
	const struct fargs_guest_options *guests;	/* --guest etc.; NULL: none */
	const struct fargs_id_set *cpus;
	struct fargs_time_window window;
	unsigned int nr_threads;
	enum fargs_pt_engine engine;	/* value of --decoder */
	struct fargs_dlfilters *filters;	/* filters that were started; NULL: no filters */
};

/* Which branches, instructions and errors did --itrace select? */
struct fargs_pt_which fargs_pt_report_which(const struct fargs_pt_report_options *o);
/* Returns which errors --itrace=e omits because of its flags. */
struct fargs_pt_error_flags fargs_pt_report_error_flags(const struct fargs_itrace *itrace);

/*
 * Does --itrace select something that only the event source of a trace has? Lines of text are then
 * made of its events, and not by the threads that decode.
 */
bool fargs_pt_report_needs_events(const struct fargs_pt_report_options *o);

/* Does --itrace select a log, and nothing to show? */
bool fargs_pt_report_is_log(const struct fargs_pt_report_options *o);

/* Does @itrace select events of the trace, or its errors? */
bool fargs_pt_report_selects(const struct fargs_itrace *itrace);

/* Do letters of --itrace add something to recorded samples, which are shown then? */
static inline bool fargs_pt_report_adds(const struct fargs_pt_report_options *o)
{
	return o->has_itrace && (o->itrace.adds_chain || o->itrace.adds_last_branches);
}

/* Checks the options against each other. Returns 0, or -EINVAL with @err. */
int fargs_pt_report_check(const struct fargs_pt_report_options *o, struct fargs_error_text *err);

/*
 * Selects what perf script shows without an option, or @o->default_itrace, for a file that has a
 * trace and no samples, unless an option excludes it. Returns whether it did.
 */
bool fargs_pt_report_use_default(struct fargs_pt_report_options *o);

/* Parses --itrace. Returns 0, or -EINVAL with @err. */
int fargs_pt_report_set_itrace(struct fargs_pt_report_options *o, const char *value,
			       struct fargs_error_text *err);

/*
 * Reads the trace of @path into @in, which was initialized, as the options say, and perf's
 * configuration. Prints messages about the recording. Returns 0 or a negative errno with @err.
 */
int fargs_pt_report_read(const struct fargs_pt_report_options *o, struct fargs_pt_input *in,
			 const char *path, struct fargs_error_text *err);

/* Adds the value @glob of --graph-function. Returns 0 or -ENOMEM. */
int fargs_pt_report_add_function(struct fargs_pt_report_options *o, const char *glob);
void fargs_pt_report_options_deinit(struct fargs_pt_report_options *o);

/*
 * Options that set members of struct fargs_pt_report_options: --itrace; what else is shown; and how
 * the trace is decoded.
 */
extern const struct fargs_option fargs_pt_itrace_option[], fargs_pt_what_options[],
				 fargs_pt_how_options[];

#endif
