/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A record's body as the arguments of an event, in the order of a line.
 */
#ifndef FARGS_DECODE_ARGS_H
#define FARGS_DECODE_ARGS_H

#include "model/event.h"
#include "model/func_types.h"

/* What events point to: large, and used again for the next one. */
struct fargs_args {
	struct fargs_arg found[FARGS_RECORD_VALUES];
	struct fargs_arg ordered[FARGS_RECORD_VALUES];
};

/*
 * Fills @ev's arguments, what was returned and fetched, the stack and entry_tsc from
 * the body of @rec. @types: of its function, or NULL. 0, -EIO if it makes no sense,
 * -ENOMEM.
 */
int fargs_args_decode(struct fargs_args *args, struct fargs_func_types *types,
		      const struct fargs_record *rec, struct fargs_event *ev);

#endif
