// SPDX-License-Identifier: GPL-2.0-only
#include "cmd/report/pt_notes.h"

#include <stdio.h>

#include "base/put.h"
#include "base/row.h"

void fargs_pt_print_notes(const struct fargs_pt_input *in)
{
	size_t i;

	for (i = 0; i < in->nr_notes; i++) {
		fprintf(stderr, "fargs: ");
		fargs_print_escaped(stderr, in->notes[i]);
		fprintf(stderr, "\n");
	}
}

static void print_shown(const char *path, const char *letters, const char *what, const char *why)
{
	fprintf(stderr, "fargs: '");
	fargs_print_escaped(stderr, path);
	fprintf(stderr, "': '--itrace=%s' shows %s: %s\n", letters, what, why);
}

static void print_letters(const char *path, const char *letters, const char *why)
{
	if (*letters)
		print_shown(path, letters, "nothing", why);
}

/* Reports that PEBS records of several events cannot be told apart. */
static void print_pebs_events(const struct fargs_pt_input *in, const char *path,
			      const struct fargs_itrace *itrace)
{
	if (!itrace->has_others || in->nr_pebs_events < 2 || in->nr_pebs_counters)
		return;
	fprintf(stderr, "fargs: '");
	fargs_print_escaped(stderr, path);
	fprintf(stderr, "': PEBS records may be of %zu events, but the kernel did not report which "
		"counter is that of which event (Linux 5.16 and newer do): all are shown as '",
		in->nr_pebs_events);
	fargs_print_escaped(stderr, in->pebs_events[0].name);
	fprintf(stderr, "'\n");
}

void fargs_pt_print_missing(const struct fargs_pt_input *in, const char *path,
			    const struct fargs_itrace *itrace, bool is_libipt)
{
	const struct fargs_pt_config *config = &in->config;
	char letters[8], *to = letters;

	print_pebs_events(in, path, itrace);
	if (itrace->is_default)
		return;
	if (itrace->has_branches || itrace->has_calls || itrace->has_returns)
		*to++ = itrace->has_branches ? 'b' : itrace->has_calls ? 'c' : 'r';
	if (itrace->has_insns)
		*to++ = 'i';
	if (itrace->has_transactions)
		*to++ = 'x';
	*to = '\0';
	if (!config->has_branches && fargs_row(B24))
		print_letters(path, letters, "branches were not recorded ('branch=0')");
	if (!config->has_ptwrite && itrace->has_ptwrites)
		print_shown(path, "w", is_libipt ? "nothing" : "only emulated PTWRITEs",
			    "PTWRITE was not recorded: record with 'ptw'");
	if (!config->has_event_trace || is_libipt)
		print_letters(path, itrace->has_interrupts ? "I" : "", config->has_event_trace ?
			      "use '--decoder=fargs'" :
			      "events were not recorded: record with 'event'");
	if (!config->has_pebs || is_libipt)
		print_letters(path, itrace->has_others ? "o" : "", config->has_pebs ?
			      "use '--decoder=fargs'" :
			      "no PEBS records are in the trace: record an event with "
			      "'aux-output'");
	if (itrace->has_power && is_libipt)
		fprintf(stderr, "fargs: '--itrace=p' shows no PSBs with '--decoder=libipt'\n");
}

int fargs_pt_print_errors(const struct fargs_pt_error_counts *errors,
			  const struct fargs_itrace *itrace)
{
	uint64_t nr_undecoded = errors->nr_undecoded;

	if (!errors->nr || !fargs_row(B13))
		return 0;
	fprintf(stderr, "fargs: places where the trace does not show what was executed: %llu",
		(unsigned long long)errors->nr);
	if (nr_undecoded)
		fprintf(stderr, ", of which %llu cannot be decoded",
			(unsigned long long)nr_undecoded);
	fprintf(stderr, "%s\n", itrace->has_errors ? "" : " ('--itrace=e' lists them)");
	return nr_undecoded ? FARGS_PT_STATUS_UNDECODED : 0;
}
