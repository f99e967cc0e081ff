/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Converts values of events to fields of trace.dat (sink/export/tep_format.h).
 *
 * Integers, enums and pointers become numbers. A struct becomes one field for each member, and an
 * array of numbers becomes a single field. A struct with too many members, and data of unknown
 * type, become arrays of bytes.
 */
#ifndef FARGS_SINK_EXPORT_TEP_VALUES_H
#define FARGS_SINK_EXPORT_TEP_VALUES_H

#include "base/buf.h"
#include "model/event.h"
#include "sink/export/tep_format.h"

/* Adds the fields of a value, whose names begin with @name. */
void fargs_tep_values_add(struct fargs_tep_format *f, const struct fargs_arg *arg,
			  const char *name);
/* Appends a key: values with equal keys have the same fields, except for their names. */
void fargs_tep_values_put_key(struct fargs_buf *key, const struct fargs_arg *arg);

#endif
