// SPDX-License-Identifier: GPL-2.0-only
#include "select/codegen/body.h"

#include <string.h>

int fargs_body_add(struct fargs_body *body, const char *name, uint8_t type, uint16_t bytes)
{
	bool has_length = type == FARGS_TYPE_BYTES;
	size_t name_len = strlen(name), data_len = (bytes + 7u) & -8u;
	size_t need = name_len + 2 + (has_length ? sizeof(bytes) : 0) + data_len;
	unsigned char *p = body->data + body->len;

	if (need > FARGS_BODY_MAX - body->len)
		return -1;
	memcpy(p, name, name_len + 1);
	p += name_len + 1;
	*p++ = type;
	if (has_length) {
		memcpy(p, &bytes, sizeof(bytes));
		p += sizeof(bytes);
	}
	memset(p, 0, data_len);
	body->len += need;
	return p - body->data;
}

bool fargs_body_end(struct fargs_body *body)
{
	size_t end = (body->len + 2 + FARGS_RECORD_ALIGN - 1) & -(size_t)FARGS_RECORD_ALIGN;

	if (end > FARGS_BODY_MAX)
		return false;
	memset(body->data + body->len, 0, end - body->len);
	body->len = end;
	return true;
}
