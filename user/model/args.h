/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Decodes the body of a record into the arguments of an event, in the order in which a line shows
 * them.
 */
#ifndef FARGS_MODEL_ARGS_H
#define FARGS_MODEL_ARGS_H

#include "model/event.h"
#include "model/func_types.h"

/* Storage that events point to: large, and reused for the next event. */
struct fargs_args {
	struct fargs_arg found[FARGS_RECORD_VALUES];
	struct fargs_arg ordered[FARGS_RECORD_VALUES];
};

/*
 * Fills @ev's arguments, its returned and fetched values, its stack and entry_tsc from the body
 * of @rec. @types: of its function, or NULL. 0, -EIO if the body is corrupt, -ENOMEM.
 */
int fargs_args_decode(struct fargs_args *args, struct fargs_func_types *types,
		      const struct fargs_record *rec, struct fargs_event *ev);

#endif
