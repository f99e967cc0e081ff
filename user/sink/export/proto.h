/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Protocol buffers (protobuf.dev, "Encoding"), as far as it takes to write them.
 */
#ifndef FARGS_EXPORT_PROTO_H
#define FARGS_EXPORT_PROTO_H

#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"

void fargs_proto_put_u64(struct fargs_buf *out, unsigned int field, uint64_t v);
/* int64, int32 and enums: of those below 0 all 64 bits. */
void fargs_proto_put_s64(struct fargs_buf *out, unsigned int field, int64_t v);
void fargs_proto_put_bytes(struct fargs_buf *out, unsigned int field, const void *data,
			   size_t bytes);
/* Text, of which protobuf wants that it is UTF-8: what is not becomes U+FFFD. */
void fargs_proto_put_string(struct fargs_buf *out, unsigned int field, const char *text,
			    size_t len);

/* A message inside: what is written between begin and end, which gets what begin gave. */
size_t fargs_proto_begin(struct fargs_buf *out, unsigned int field);
void fargs_proto_end(struct fargs_buf *out, size_t begin);

#endif
