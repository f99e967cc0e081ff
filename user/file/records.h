/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Derives the header of a RECORDS or EVENTS chunk from the records in it.
 */
#ifndef FARGS_FILE_RECORDS_H
#define FARGS_FILE_RECORDS_H

#include <stddef.h>

#include "file/format.h"

/*
 * Returns the size of the whole records at @records that fit into @max bytes, or 0 if the first one
 * does not fit or one is malformed. Sets @head's kind to @kind, its times and HAS_TASK according to
 * the records, and all other fields to 0.
 */
size_t fargs_records_measure(unsigned int kind, const void *records, size_t bytes, size_t max,
			     struct fargs_chunk *head);

#endif
