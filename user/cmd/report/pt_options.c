// SPDX-License-Identifier: GPL-2.0-only
#include "cmd/report/pt_options.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/array.h"
#include "base/row.h"
#include "base/size.h"
#include "cmd/options/tsc_offset.h"

#define PT_SETS(field)	FARGS_OPTION_SETS(struct fargs_pt_report_options, field)

bool fargs_pt_report_selects(const struct fargs_itrace *itrace)
{
	return itrace->has_branches || itrace->has_calls || itrace->has_returns ||
	       itrace->has_insns || itrace->has_transactions || itrace->has_ptwrites ||
	       itrace->has_power || itrace->has_others || itrace->has_interrupts ||
	       itrace->has_cycles || itrace->has_errors;
}

int fargs_pt_report_check(const struct fargs_pt_report_options *o, struct fargs_error_text *err)
{
	if (fargs_pt_report_adds(o) && o->itrace.has_log)
		return fargs_fail(err, EINVAL, "'--itrace': 'd' (a log) cannot be used with 'G' "
				  "and 'L'");
	if (o->has_no_itrace && o->has_calls)
		return fargs_fail(err, EINVAL, "'--no-itrace' cannot be used with '--call-trace' "
				  "or '--call-ret-trace'");
	if (o->has_itrace && o->has_calls)
		return fargs_fail(err, EINVAL, "'--itrace' cannot be used with '--call-trace' or "
				  "'--call-ret-trace'");
	if ((o->nr_graph_functions || o->depth_max) && !o->has_calls)
		return fargs_fail(err, EINVAL, "'--graph-function' and '--max-graph-depth' need "
				  "'--call-trace' or '--call-ret-trace'");
	if (o->with && !o->has_calls)
		return fargs_fail(err, EINVAL, "'--with' shows records on calls: give "
				  "'--call-trace' or '--call-ret-trace', too");
	if (o->with_guest && !o->with)
		return fargs_fail(err, EINVAL, "'--with-guest' says whose records those of "
				  "'--with' are: give '--with', too");
	if (o->has_guest_tsc && !o->with_guest)
		return fargs_fail(err, EINVAL, "'--guest-tsc' is for records of a guest: give "
				  "'--with-guest', too");
	return 0;
}

int fargs_pt_report_set_itrace(struct fargs_pt_report_options *o, const char *value,
			       struct fargs_error_text *err)
{
	return fargs_itrace_parse(&o->itrace, value, err);
}

struct fargs_pt_which fargs_pt_report_which(const struct fargs_pt_report_options *o)
{
	const struct fargs_itrace *itrace = &o->itrace;

	return (struct fargs_pt_which){
		/* As in perf, b with c or r selects only calls or returns, not all branches. */
		.has_branches = itrace->has_branches && !itrace->has_calls && !itrace->has_returns,
		.has_calls = itrace->has_calls, .has_returns = itrace->has_returns,
		.insn_period = itrace->has_insns || itrace->has_cycles ? itrace->period : 0,
		.insn_unit = itrace->unit, .omits_insns = !itrace->has_insns,
		.has_cycles = itrace->has_cycles, .has_vague_ipc = itrace->has_vague_ipc,
		.has_errors = itrace->has_errors,
		.chain_max = itrace->has_chain ? itrace->chain_max : 0,
		.branches_max = itrace->has_last_branches ? itrace->branches_max : 0,
		.nr_skipped = itrace->nr_skipped,
		.quick = itrace->quick > 1 ? FARGS_PT_QUICK_PSBS :
			 itrace->quick ? FARGS_PT_QUICK_ADDRESSES : FARGS_PT_QUICK_NOT,
		.error_flags = fargs_pt_report_error_flags(itrace),
		.has_ptwrites = itrace->has_ptwrites,
		.wants = (itrace->has_power ? FARGS_PT_WANTS_POWER : 0) |
			 (itrace->has_transactions ? FARGS_PT_WANTS_TSX : 0) |
			 (itrace->has_interrupts ? FARGS_PT_WANTS_EVENTS : 0) |
			 (itrace->has_others ? FARGS_PT_WANTS_PEBS : 0),
		.engine = o->engine,
	};
}

bool fargs_pt_report_use_default(struct fargs_pt_report_options *o)
{
	if (o->has_itrace || o->has_no_itrace || o->has_calls)
		return false;
	o->has_itrace = true;
	if (!o->default_itrace || fargs_itrace_parse(&o->itrace, o->default_itrace, NULL))
		fargs_itrace_set_default(&o->itrace);
	o->itrace.is_default = true;
	return true;
}

struct fargs_pt_error_flags fargs_pt_report_error_flags(const struct fargs_itrace *itrace)
{
	return (struct fargs_pt_error_flags){
		.omits_overflows = fargs_itrace_has_minus(itrace->error_flags, 'o'),
		.omits_lost = fargs_itrace_has_minus(itrace->error_flags, 'l'),
	};
}

bool fargs_pt_report_is_log(const struct fargs_pt_report_options *o)
{
	return o->has_itrace && o->itrace.has_log && !fargs_pt_report_selects(&o->itrace);
}

bool fargs_pt_report_needs_events(const struct fargs_pt_report_options *o)
{
	const struct fargs_itrace *itrace = &o->itrace;

	return (itrace->has_insns && itrace->unit != FARGS_ITRACE_INSNS) || itrace->has_chain ||
	       itrace->has_last_branches || itrace->nr_skipped || itrace->quick ||
	       itrace->has_ptwrites || itrace->has_power || itrace->has_transactions ||
	       itrace->has_interrupts || itrace->has_others || itrace->has_cycles ||
	       itrace->has_vague_ipc;
}

int fargs_pt_report_add_function(struct fargs_pt_report_options *o, const char *glob)
{
	const char **to = fargs_array_add(o->graph_functions, o->nr_graph_functions);

	if (!to)
		return -ENOMEM;
	*to = glob;
	return 0;
}

void fargs_pt_report_options_deinit(struct fargs_pt_report_options *o)
{
	free(o->graph_functions);
	o->graph_functions = NULL;
	o->nr_graph_functions = 0;
}

static int take_itrace(void *to, const char *value, struct fargs_error_text *err)
{
	struct fargs_pt_report_options *o = to;

	/* As in perf, --no-itrace counts wherever it is. */
	o->has_itrace = !o->has_no_itrace;
	if (value)
		return fargs_pt_report_set_itrace(o, value, err);
	fargs_itrace_set_default(&o->itrace);
	return 0;
}

static int take_no_itrace(void *to, const char *value, struct fargs_error_text *err)
{
	struct fargs_pt_report_options *o = to;

	o->has_itrace = o->has_itrace && !fargs_row(B3);
	o->has_no_itrace = fargs_row(B3);
	return 0;
}

static int take_call_ret_trace(void *to, const char *value, struct fargs_error_text *err)
{
	struct fargs_pt_report_options *o = to;

	o->has_calls = true;
	o->has_returns = true;
	return 0;
}

static int take_guest_tsc(void *to, const char *value, struct fargs_error_text *err)
{
	struct fargs_pt_report_options *o = to;
	const char *at = fargs_tsc_skip_blanks(value);
	int ret = fargs_tsc_offset_take(&at, &o->guest_tsc_offset, &o->guest_tsc_ratio, err);

	o->has_guest_tsc = true;
	return ret || !*at ? ret : fargs_fail(err, EINVAL, "'%s' is not OFFSET[*RATIO]", value);
}

static int take_function(void *to, const char *value, struct fargs_error_text *err)
{
	struct fargs_pt_report_options *o = to;

	return fargs_pt_report_add_function(o, value);
}

static int take_depth(void *to, const char *value, struct fargs_error_text *err)
{
	struct fargs_pt_report_options *o = to;
	uint64_t nr;

	if (fargs_size_parse(value, &nr, err) || !nr || nr > UINT32_MAX)
		return fargs_fail(err, EINVAL, "'%s' is not a number of calls", value);
	o->depth_max = nr;
	return 0;
}

static int take_symfs(void *to, const char *value, struct fargs_error_text *err)
{
	struct fargs_pt_report_options *o = to;
	struct stat st;

	if (stat(value, &st))
		return fargs_fail(err, errno, "cannot find '%s': %s", value, strerror(errno));
	if (!S_ISDIR(st.st_mode))
		return fargs_fail(err, ENOTDIR, "'%s' is not a directory", value);
	o->symfs = value;
	return 0;
}

static int take_decoder(void *to, const char *value, struct fargs_error_text *err)
{
	struct fargs_pt_report_options *o = to;

	if (!strcmp(value, "libipt"))
		o->engine = FARGS_PT_ENGINE_LIBIPT;
	else if (strcmp(value, "fargs"))
		return fargs_fail(err, EINVAL, "'%s' is not a decoder: fargs, libipt", value);
	else
		o->engine = FARGS_PT_ENGINE_FARGS;
	return 0;
}

const struct fargs_option fargs_pt_itrace_option[] = {
	{ 0, "itrace", "WHAT", "print a line for each event that these letters of perf's select: b "
	  "branches, or only c calls and r returns; i instructions, i10us, i1000i; g with call "
	  "chains; x transactions; w PTWRITE; p power; I interrupts; e errors; others are in the "
	  "manual page (default: cepwx)",
	  FARGS_OPTION_OPTIONAL, .offer = FARGS_OFFER_WORDS,
	  .words = "b c r cr i i1000i i10us ig e be ie bq w p x cepwx", .take = take_itrace },
	FARGS_OPTION_END
};

const struct fargs_option fargs_pt_what_options[] = {
	{ 0, "no-itrace", NULL, "show only the recorded samples of a perf.data file, and nothing "
	  "of its trace", .take = take_no_itrace },
	{ 0, "call-trace", NULL, "show every call, indented", PT_SETS(has_calls) },
	{ 0, "call-ret-trace", NULL, "show every call and return, "
	  "indented", .take = take_call_ret_trace },
	{ 0, "graph-function", "FUNC", "show only these functions and what they call: a glob, or "
	  "MODULE:GLOB; can be repeated", FARGS_OPTION_REPEATS,
	  .offer = FARGS_OFFER_FUNCTIONS, .take = take_function },
	{ 0, "max-graph-depth", "N", "show only calls less than N levels deep",
	  .take = take_depth },
	{ 0, "with", "FILE", "show the records of this fargs file on the calls of a perf.data "
	  "file, recorded meanwhile", .offer = FARGS_OFFER_FILES,
	  FARGS_OPTION_KEEPS(struct fargs_pt_report_options, with) },
	{ 0, "with-guest", "NAME|PID", "with --with: the records are those of the guest that "
	  "this process runs", FARGS_OPTION_KEEPS(struct fargs_pt_report_options, with_guest) },
	{ 0, "guest-tsc", "OFFSET[*RATIO]", "with --with-guest: the guest's TSC is the host's "
	  "times RATIO plus OFFSET", .take = take_guest_tsc },
	{ 0, "show-tracer", NULL, "also show calls that fargs itself makes",
	  PT_SETS(has_tracer) },
	FARGS_OPTION_END
};

const struct fargs_option fargs_pt_how_options[] = {
	{ 0, "decoder", "NAME", "what decodes Intel PT: fargs (default) or libipt",
	  .offer = FARGS_OFFER_WORDS, .words = "fargs libipt", .take = take_decoder },
	{ 0, "kcore", "FILE", "read the kernel's code from this ELF file",
	  .offer = FARGS_OFFER_FILES,
	  FARGS_OPTION_KEEPS(struct fargs_pt_report_options, kcore) },
	{ 0, "guestkallsyms", "FILE", "of virtual machines, read the kernel's symbols from this "
	  "copy of a guest's /proc/kallsyms, and its code from a file kcore beside it",
	  .offer = FARGS_OFFER_FILES,
	  FARGS_OPTION_KEEPS(struct fargs_pt_report_options, guest_kallsyms) },
	{ 0, "guestmodules", "FILE", "a copy of /proc/modules of this guest",
	  .offer = FARGS_OFFER_FILES,
	  FARGS_OPTION_KEEPS(struct fargs_pt_report_options, guest_modules) },
	{ 0, "guestvmlinux", "FILE", "read the code, and without --guestkallsyms the symbols, of "
	  "this guest's kernel from its vmlinux", .offer = FARGS_OFFER_FILES,
	  FARGS_OPTION_KEEPS(struct fargs_pt_report_options, guest_vmlinux) },
	{ 0, "guest-code", NULL, "the code of virtual machines is in the process that runs them",
	  PT_SETS(has_guest_code) },
	{ 0, "symfs", "DIR", "look for the programs and libraries of the recorded machine below "
	  "this directory", .offer = FARGS_OFFER_DIRECTORIES, .take = take_symfs },
	FARGS_OPTION_END
};
