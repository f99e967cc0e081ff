// SPDX-License-Identifier: GPL-2.0-only
#include "sink/export/proto.h"

#include <string.h>

#include "sink/json/json.h"

/* Wire types of the protobuf encoding. */
#define VARINT		0
#define LEN		2

/*
 * The length of a message is a padded varint of fixed size: when the length becomes known, the
 * message need not be moved.
 */
#define LENGTH_BYTES	4
#define LENGTH_BITS	7

static void put_varint(struct fargs_buf *out, uint64_t v)
{
	for (; v >= 0x80; v >>= 7)
		fargs_buf_add_char(out, (char)(v | 0x80));
	fargs_buf_add_char(out, (char)v);
}

static void put_tag(struct fargs_buf *out, unsigned int field, unsigned int type)
{
	put_varint(out, field << 3 | type);
}

void fargs_proto_put_u64(struct fargs_buf *out, unsigned int field, uint64_t v)
{
	put_tag(out, field, VARINT);
	put_varint(out, v);
}

void fargs_proto_put_s64(struct fargs_buf *out, unsigned int field, int64_t v)
{
	fargs_proto_put_u64(out, field, (uint64_t)v);
}

void fargs_proto_put_bytes(struct fargs_buf *out, unsigned int field, const void *data,
			   size_t bytes)
{
	put_tag(out, field, LEN);
	put_varint(out, bytes);
	fargs_buf_add(out, data, bytes);
}

void fargs_proto_put_string(struct fargs_buf *out, unsigned int field, const char *text, size_t len)
{
	size_t begin;

	if (fargs_json_is_utf8(text, len)) {
		fargs_proto_put_bytes(out, field, text, len);
		return;
	}
	begin = fargs_proto_begin(out, field);
	fargs_json_put_utf8(out, text, len);
	fargs_proto_end(out, begin);
}

size_t fargs_proto_begin(struct fargs_buf *out, unsigned int field)
{
	put_tag(out, field, LEN);
	fargs_buf_fill(out, 0, LENGTH_BYTES);
	return out->n;
}

void fargs_proto_end(struct fargs_buf *out, size_t begin)
{
	size_t n = out->n - begin;
	unsigned int i;

	/* Out of memory, or the message is too long: the caller checks is_short. */
	if (out->is_short || n >= 1u << LENGTH_BITS * LENGTH_BYTES) {
		out->is_short = true;
		return;
	}
	for (i = 0; i < LENGTH_BYTES; i++)
		out->text[begin - LENGTH_BYTES + i] =
			(char)((n >> LENGTH_BITS * i & 0x7f) |
			       (i + 1 < LENGTH_BYTES ? 0x80 : 0));
}
