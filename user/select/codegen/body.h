/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The body of a record with its data empty, as layouts have it.
 */
#ifndef FARGS_LAYOUT_BODY_H
#define FARGS_LAYOUT_BODY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "uapi/fargs_record.h"

#define FARGS_BODY_MAX	(FARGS_RECORD_MAX - sizeof(struct fargs_record))

/* Begin with a len of 0. */
struct fargs_body {
	unsigned char data[FARGS_BODY_MAX];
	size_t len;
};

/*
 * Adds a value with @bytes of data (FARGS_TYPE_BYTES: n). Returns where its data
 * begins, or -1: there is no room.
 */
int fargs_body_add(struct fargs_body *body, const char *name, uint8_t type, uint16_t bytes);
/* The empty name and type 0, and zeroes up to a multiple of 8. False: there is no room. */
bool fargs_body_end(struct fargs_body *body);

#endif
