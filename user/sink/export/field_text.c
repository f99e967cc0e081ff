// SPDX-License-Identifier: GPL-2.0-only
#include "sink/export/field_text.h"

#include "base/put.h"

static void put_digits(struct fargs_buf *out, const struct fargs_field *field)
{
	static const char digits[] = "0123456789abcdef";
	size_t i;

	for (i = 0; i < field->bytes; i++) {
		fargs_put_char(out, digits[field->data[i] >> 4]);
		fargs_put_char(out, digits[field->data[i] & 15]);
	}
}

void fargs_field_text_put(struct fargs_buf *out, const struct fargs_field *field)
{
	unsigned int i;
	uint64_t v;

	if (field->kind == FARGS_FIELD_STRING) {
		fargs_put_escaped(out, field->data, field->bytes, NULL);
		return;
	}
	if (field->kind == FARGS_FIELD_BYTES) {
		put_digits(out, field);
		return;
	}
	for (i = 0; i < field->nr; i++) {
		v = fargs_field_number(field, i);
		if (i)
			fargs_put_char(out, ' ');
		if (field->kind == FARGS_FIELD_PTR)
			fargs_put_hex(out, v);
		else if (field->kind == FARGS_FIELD_SIGNED)
			fargs_put_s64(out, v);
		else
			fargs_put_u64(out, v, 0, 0);
	}
}
