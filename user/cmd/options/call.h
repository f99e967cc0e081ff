/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Options that select calls and limit the data recorded for each: conditions on all functions,
 * which become expressions, and size limits.
 */
#ifndef FARGS_CMD_OPTIONS_CALL_H
#define FARGS_CMD_OPTIONS_CALL_H

#include <stdbool.h>

#include "base/error.h"
#include "select/codegen/bind.h"
#include "select/syntax/selector.h"

enum fargs_call_filter {
	FARGS_CALL_COMM,
	FARGS_CALL_CPU,
	FARGS_CALL_PID,
	FARGS_CALL_TID,
	FARGS_CALL_UID,
	FARGS_CALL_CGROUP,
	FARGS_CALL_MIN_DURATION,
	FARGS_CALL_FILTERS,
};

/* Initialize with zeroes. */
struct fargs_call_options {
	char *texts[FARGS_CALL_FILTERS];	/* NULL: the option was not given */
	struct fargs_selector filters[FARGS_CALL_FILTERS];
	size_t nr_filters;
	/* --follow is given: --pid and --tid name tasks to follow, and add nothing to @filters. */
	bool is_follow;
	uint16_t bytes;				/* value of -s; 0: not given */
	uint16_t record_bytes;			/* value of --record-size; 0: not given */
	bool has_derefs;			/* -D was given */
	bool is_graph;				/* -g was given */
	bool is_only_errors;			/* --only-errors was given */
	uint8_t nr_stack;			/* value of --stack; 0: not given */
};

/*
 * Adds an option's value: a glob for COMM, a path for CGROUP, a duration for MIN_DURATION, numbers
 * and ranges ("0-3,7") for the others. The values of a repeated option are combined with "or".
 * Returns 0, or -errno with the reason.
 */
int fargs_call_options_add(struct fargs_call_options *o, enum fargs_call_filter filter,
			   const char *value, struct fargs_error_text *err);
/*
 * Set the values of --record-size, -s, -D and --stack. @value: argument of the option; may be NULL
 * only for --stack, and then requests the default. Return 0, or -errno with the reason.
 */
int fargs_call_options_set_record_bytes(struct fargs_call_options *o, const char *value,
					struct fargs_error_text *err);
int fargs_call_options_set_bytes(struct fargs_call_options *o, const char *value,
				 struct fargs_error_text *err);
int fargs_call_options_set_deref(struct fargs_call_options *o, const char *value,
				 struct fargs_error_text *err);
int fargs_call_options_set_stack(struct fargs_call_options *o, const char *value,
				 struct fargs_error_text *err);
/* Compiles the added conditions into filters. Returns 0, or -errno with the reason. */
int fargs_call_options_finish(struct fargs_call_options *o, struct fargs_error_text *err);
void fargs_call_options_deinit(struct fargs_call_options *o);

/* Returns the options for fargs_bind(). They contain pointers into @o. */
struct fargs_bind_options fargs_call_options_bind(const struct fargs_call_options *o,
						  uint32_t tsc_khz);

#endif
