/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The options that trace and record share.
 */
#ifndef FARGS_CAPTURE_OPTIONS_H
#define FARGS_CAPTURE_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>

#include "call_options.h"
#include "util/list.h"

struct fargs_capture_options {
	const char *verb;
	char *const *argv;		/* all words, the verb first */
	struct fargs_list wanted;	/* -f */
	struct fargs_list unwanted;	/* -n */
	struct fargs_list btf;		/* --btf */
	struct fargs_call_options calls;	/* --comm and so on, -s, -D */
	bool has_all;			/* -a */
	bool is_verbose;		/* -v */
	bool is_help;			/* -h; the rest may be incomplete then */
	uint64_t ring_bytes;		/* -m; 0: not given */
	uint32_t maxactive;		/* --maxactive; 0: not given */
	const char *output;		/* -o; NULL: not given */
	char *const *command;		/* what is behind "--"; NULL: nothing */
};

/*
 * Reads them. Returns 0; or 1, when it has told which word is wrong. To be
 * deinitialised in either case.
 */
int fargs_capture_options_init(struct fargs_capture_options *o, int argc, char **argv);
void fargs_capture_options_deinit(struct fargs_capture_options *o);

#endif
