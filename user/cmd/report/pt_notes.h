/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Messages about an Intel PT recording, such as that code of a program is missing.
 */
#ifndef FARGS_CMD_REPORT_PT_NOTES_H
#define FARGS_CMD_REPORT_PT_NOTES_H

#include <stdbool.h>

#include "source/pt/input/input.h"
#include "source/pt/trace/itrace.h"

/* Exit status: all was shown, but parts of the trace cannot be decoded. */
#define FARGS_PT_STATUS_UNDECODED	2

/* Prints the messages that were added while @in was read to stderr. */
void fargs_pt_print_notes(const struct fargs_pt_input *in);
/*
 * Prints a line to stderr for each letter of --itrace that needs what the recording of @path does
 * not have. @is_libipt: libipt decodes, which does not report all that packets do.
 */
void fargs_pt_print_missing(const struct fargs_pt_input *in, const char *path,
			    const struct fargs_itrace *itrace, bool is_libipt);

/*
 * Prints a line to stderr with the numbers of errors in the trace, if there are some. Returns the
 * exit status: 0, or FARGS_PT_STATUS_UNDECODED. Call after all events were shown.
 */
int fargs_pt_print_errors(const struct fargs_pt_error_counts *errors,
			  const struct fargs_itrace *itrace);

#endif
