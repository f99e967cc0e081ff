/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The options that trace, top and record share.
 */
#ifndef FARGS_CMD_OPTIONS_CAPTURE_H
#define FARGS_CMD_OPTIONS_CAPTURE_H

#include <stdbool.h>
#include <stdint.h>

#include "capture/request.h"
#include "cmd/options/call.h"
#include "cmd/options/guest.h"
#include "cmd/options/live.h"
#include "cmd/options/parse.h"
#include "file/writer.h"
#include "model/origin.h"

struct fargs_capture_options {
	const char *verb;
	struct fargs_capture_request request;
	/* Values of --comm etc., -s and -D, from which request.bind is set. */
	struct fargs_call_options calls;
	/* Values of --guest, --guest-kallsyms and --guestmount. */
	struct fargs_guest_options guests;
	bool has_zeros;			/* --zeros was given */
	struct fargs_live_options live;	/* values of --json etc.: trace and top only */
	bool is_verbose;		/* -v was given */
	const char *output;		/* value of -o; NULL: not given */
	struct fargs_writer_options file;	/* values of --compress and --sync: record only */
	struct fargs_origin labels;	/* values of --label: record only; the rest is unused */
};

/* The following tables have options that set members of struct fargs_capture_options. */
extern const struct fargs_option fargs_capture_what_options[];	/* options -f, -t, -e etc. */
extern const struct fargs_option fargs_capture_whose_options[];	/* options -a, --pid etc. */
extern const struct fargs_option fargs_capture_which_options[];	/* option --under etc. */
extern const struct fargs_option fargs_capture_more_options[];	/* options -g, --stack etc. */
extern const struct fargs_option fargs_capture_buffer_options[];	/* option -m */
extern const struct fargs_option fargs_capture_run_options[];	/* option --duration etc. */
extern const struct fargs_option fargs_capture_output_options[];	/* options -o and --zeros */

/*
 * Option groups of each verb that captures; @buffer: the table that contains the verb's -m option.
 */
#define FARGS_CAPTURE_GROUPS(buffer) \
	{ "What is traced", .options = fargs_capture_what_options }, \
	{ "Which tasks", .options = fargs_capture_whose_options }, \
	{ "Which calls", .options = fargs_capture_which_options }, \
	{ "What is recorded", .options = fargs_capture_more_options }, \
	{ "KVM guests", fargs_guest_option_table, \
	  .at = offsetof(struct fargs_capture_options, guests) }, \
	{ "How it runs", .options = buffer }, \
	{ "How it runs", .options = fargs_capture_run_options }

/*
 * Parses the value of -m: "SIZE", "SIZE,SIZE" or ",SIZE", where the second size is for Intel PT. A
 * number without a unit counts pages.
 * Called through take() of struct fargs_option.
 */
int fargs_capture_options_take_buffer(void *to, const char *value, struct fargs_error_text *err);
#define FARGS_CAPTURE_BUFFER_WORDS	"256K 1M 4M 16M 64M"

/*
 * Parses the arguments of @verb. If the result is not FARGS_PARSED, an error or the help was
 * printed. @o must be deinitialised in any case.
 */
enum fargs_parsed fargs_capture_options_init(struct fargs_capture_options *o,
					     const struct fargs_verb *verb, int argc, char **argv);
void fargs_capture_options_deinit(struct fargs_capture_options *o);

#endif
