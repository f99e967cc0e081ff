/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Builds the template of a record's body, as layouts contain it: with zeroed data.
 */
#ifndef FARGS_SELECT_CODEGEN_BODY_H
#define FARGS_SELECT_CODEGEN_BODY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "uapi/fargs_record.h"

#define FARGS_BODY_MAX	(FARGS_RECORD_MAX - sizeof(struct fargs_record))

/* Initialize len with 0. */
struct fargs_body {
	unsigned char data[FARGS_BODY_MAX];
	size_t len;
};

/*
 * Adds a value with @bytes of data. Returns the offset of the data in the body, or -1 if the value
 * does not fit.
 */
int fargs_body_add(struct fargs_body *body, const char *name, uint8_t type, uint16_t bytes);
/*
 * Ends the body with an empty name, type 0, and zeroes up to a multiple of 8. Returns false if
 * these do not fit.
 */
bool fargs_body_end(struct fargs_body *body);

#endif
