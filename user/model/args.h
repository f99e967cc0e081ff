/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Decodes the body of a record into the arguments of an event, in output order.
 */
#ifndef FARGS_MODEL_ARGS_H
#define FARGS_MODEL_ARGS_H

#include "model/event.h"
#include "model/func_types.h"
#include "model/printed.h"

/* Storage that events point to. It is large, so it is reused for each event. */
struct fargs_args {
	struct fargs_arg found[FARGS_RECORD_VALUES];
	struct fargs_arg ordered[FARGS_RECORD_VALUES];
	/* for each of @found, its text if its format makes it one (model/printed.h) */
	char printed[FARGS_RECORD_VALUES][FARGS_PRINTED_MAX];
	uint16_t sources[FARGS_RECORD_VALUES];	/* for each fetched value, index of its parameter */
};

/*
 * Fills in @ev's arguments, its returned and fetched values, its stack and entry_tsc from the body
 * of @rec. @types: types of the record's function, or NULL. Returns 0, -EIO if the body is corrupt,
 * or -ENOMEM.
 */
int fargs_args_decode(struct fargs_args *args, struct fargs_func_types *types,
		      const struct fargs_record *rec, struct fargs_event *ev);

#endif
