/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Parses the bodies of a layout (include/uapi/fargs_record.h), to verify the layout and to make a
 * template from it.
 */
#ifndef FARGS_KMOD_LAYOUT_BODY_H
#define FARGS_KMOD_LAYOUT_BODY_H

#include <linux/types.h>

#include "uapi/fargs_record.h"

struct fargs_body {
	const u8 *bytes;
	u32 len;
};

/* One value; offsets are in bytes from the start of the body. */
struct fargs_body_value {
	u32 type_offset;
	u32 data_offset;
	u32 data_len;	/* a multiple of 8 */
	u32 bytes;	/* FARGS_TYPE_BYTES: length of the data without padding; else @data_len */
	u8 type;
};

/**
 * fargs_body_next() - find the next value of a body
 * @body: the body, well-formed or not
 * @at: offset of the value, 0 for the first one; set to the offset after it
 * @value: set to the value
 *
 * Context: Any context.
 * Return: 1 if there is a value, 0 if *@at is the end of the body, -EINVAL if the body is not
 *	well-formed.
 */
int fargs_body_next(const struct fargs_body *body, u32 *at, struct fargs_body_value *value);

/**
 * fargs_body_find() - find the value whose data includes the byte at an offset
 * @body: a well-formed body
 * @offset: offset of the byte
 * @value: set to the value
 *
 * Context: Any context.
 * Return: True if there is such a value.
 */
bool fargs_body_find(const struct fargs_body *body, u32 offset, struct fargs_body_value *value);

/**
 * fargs_body_values_len() - get the length of the values of a body
 * @body: a well-formed body
 *
 * Context: Any context.
 * Return: The length in bytes, without the FARGS_TYPE_END that ends the body.
 */
u32 fargs_body_values_len(const struct fargs_body *body);

#endif
