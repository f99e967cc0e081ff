/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Writes Protocol Buffers (protobuf.dev, "Encoding").
 */
#ifndef FARGS_SINK_EXPORT_PROTO_H
#define FARGS_SINK_EXPORT_PROTO_H

#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"

void fargs_proto_put_u64(struct fargs_buf *out, unsigned int field, uint64_t v);
/* Writes an int64, int32 or enum: a negative number is sign-extended to 64 bits. */
void fargs_proto_put_s64(struct fargs_buf *out, unsigned int field, int64_t v);
void fargs_proto_put_bytes(struct fargs_buf *out, unsigned int field, const void *data,
			   size_t bytes);
/* Writes text. Protobuf requires text to be UTF-8: invalid bytes become U+FFFD. */
void fargs_proto_put_string(struct fargs_buf *out, unsigned int field, const char *text,
			    size_t len);

/*
 * Begin and end a nested message, to which everything written in between belongs. The return value
 * of fargs_proto_begin() is passed to fargs_proto_end().
 */
size_t fargs_proto_begin(struct fargs_buf *out, unsigned int field);
void fargs_proto_end(struct fargs_buf *out, size_t begin);

#endif
