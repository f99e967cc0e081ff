/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What the header of a RECORDS or EVENTS chunk says of the records behind it.
 */
#ifndef FARGS_FILE_RECORDS_H
#define FARGS_FILE_RECORDS_H

#include <stddef.h>

#include "file/format.h"

/*
 * How many of the @bytes at @records are whole records that fit into @max
 * together; 0: not even the first. Sets @head's kind to @kind, times and HAS_TASK
 * accordingly, and all else to 0.
 */
size_t fargs_records_measure(unsigned int kind, const void *records, size_t bytes, size_t max,
			     struct fargs_chunk *head);

#endif
