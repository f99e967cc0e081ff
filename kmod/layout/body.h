/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The bodies of a layout (include/uapi/fargs_record.h), while it is verified and
 * made into a template.
 */
#ifndef FARGS_KMOD_LAYOUT_BODY_H
#define FARGS_KMOD_LAYOUT_BODY_H

#include <linux/types.h>

#include "uapi/fargs_record.h"

struct fargs_body {
	const u8 *bytes;
	u32 len;
};

/* One value; offsets in bytes from the body's start. */
struct fargs_body_value {
	u32 type_offset;
	u32 data_offset;
	u32 data_len;	/* a multiple of 8 */
	u32 bytes;	/* n of FARGS_TYPE_BYTES, else data_len */
	u8 type;
};

/**
 * fargs_body_next() - find the next value of a body
 * @body: well-formed or not
 * @at: where the value begins, 0 for the first; moved behind it
 * @value: what is there
 *
 * Context: Any context.
 * Return: 1; 0 at the body's end, where *@at then is; -EINVAL if the body is not well-formed.
 */
int fargs_body_next(const struct fargs_body *body, u32 *at, struct fargs_body_value *value);

/**
 * fargs_body_find() - find the value whose data holds a byte
 * @body: well-formed
 * @offset: of the byte
 * @value: what is there
 *
 * Context: Any context.
 * Return: Whether there is one.
 */
bool fargs_body_find(const struct fargs_body *body, u32 offset, struct fargs_body_value *value);

/**
 * fargs_body_values_len() - how long the values of a body are
 * @body: well-formed
 *
 * Context: Any context.
 * Return: Bytes, without those that end it.
 */
u32 fargs_body_values_len(const struct fargs_body *body);

#endif
