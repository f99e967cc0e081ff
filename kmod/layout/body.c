// SPDX-License-Identifier: GPL-2.0-only
#include "layout/body.h"

#include <linux/errno.h>
#include <linux/kernel.h>
#include <linux/string.h>

int fargs_body_next(const struct fargs_body *body, u32 *at, struct fargs_body_value *value)
{
	const u8 *bytes = body->bytes;
	u32 name = *at, len = body->len, pos;
	u16 n;

	pos = name + strnlen(bytes + name, len - name);
	if (len - pos < 2)	/* no room for the name's NUL and the type */
		return -EINVAL;
	value->type_offset = pos + 1;
	value->type = bytes[pos + 1];
	pos += 2;
	if (value->type == FARGS_TYPE_END)
		return value->type_offset == name + 1 ? 0 : -EINVAL;
	if (value->type_offset == name + 1)
		return -EINVAL;

	switch (value->type) {
	case FARGS_TYPE_U8 ... FARGS_TYPE_PTR:
		value->bytes = 8;
		break;
	case FARGS_TYPE_U128:
	case FARGS_TYPE_S128:
		value->bytes = 16;
		break;
	case FARGS_TYPE_BYTES:
		if (len - pos < sizeof(n))
			return -EINVAL;
		memcpy(&n, bytes + pos, sizeof(n));
		pos += sizeof(n);
		if (!n)
			return -EINVAL;
		value->bytes = n;
		break;
	default:
		return -EINVAL;
	}
	value->data_len = round_up(value->bytes, 8);
	if (len - pos < value->data_len)
		return -EINVAL;
	value->data_offset = pos;
	*at = pos + value->data_len;
	return 1;
}

bool fargs_body_find(const struct fargs_body *body, u32 offset, struct fargs_body_value *value)
{
	u32 at = 0;

	while (fargs_body_next(body, &at, value) == 1) {
		if (offset >= value->data_offset && offset - value->data_offset < value->data_len)
			return true;
	}
	return false;
}

u32 fargs_body_values_len(const struct fargs_body *body)
{
	struct fargs_body_value value;
	u32 at = 0;

	while (fargs_body_next(body, &at, &value) == 1)
		;
	return at;
}
