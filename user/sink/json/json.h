/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Writes JSON (RFC 8259) piece by piece. The caller checks the buffer's is_short when the line is
 * complete.
 *
 * Numbers that a double cannot hold exactly are written as strings of digits; otherwise some
 * readers would silently change them.
 */
#ifndef FARGS_SINK_JSON_JSON_H
#define FARGS_SINK_JSON_JSON_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "model/decoder.h"

/* The largest integer up to which a double can hold all integers exactly. */
#define FARGS_JSON_EXACT	((1ull << 53) - 1)

void fargs_json_put_u64(struct fargs_buf *out, uint64_t v);
void fargs_json_put_s64(struct fargs_buf *out, int64_t v);
void fargs_json_put_u128(struct fargs_buf *out, unsigned __int128 v);
void fargs_json_put_s128(struct fargs_buf *out, __int128 v);
/* Writes a number in hexadecimal as a string: "0x1f", with the quotes. */
void fargs_json_put_hex(struct fargs_buf *out, uint64_t v);
/* Writes bytes in hexadecimal as a string: "1f00", with the quotes. */
void fargs_json_put_bytes(struct fargs_buf *out, const void *data, size_t bytes);
/*
 * Writes untrusted text as a string, with quotes. Invalid UTF-8 becomes U+FFFD. Control characters
 * are escaped, including those that only terminals interpret.
 */
void fargs_json_put_string(struct fargs_buf *out, const void *text, size_t bytes);
/* Writes untrusted text like fargs_json_put_string(), but without quotes. */
void fargs_json_put_inside(struct fargs_buf *out, const void *text, size_t bytes);
/* Writes text without quotes or escapes; invalid UTF-8 becomes U+FFFD. */
void fargs_json_put_utf8(struct fargs_buf *out, const void *text, size_t bytes);
/* Is @text valid UTF-8? */
bool fargs_json_is_utf8(const void *text, size_t bytes);
/* Writes @key, which is trusted, in quotes and followed by a colon; writes no comma before it. */
void fargs_json_put_key(struct fargs_buf *out, const char *key);

/*
 * Writes the value of an argument (Documentation/fargs-event.schema.json). @d provides symbols and
 * types; NULL: raw output, without symbols and types.
 */
void fargs_json_put_value(struct fargs_buf *out, struct fargs_decoder *d,
			  const struct fargs_arg *arg);
/* Writes a string; if it is not valid UTF-8, writes {"string": …, "bytes": …} instead. */
void fargs_json_put_text(struct fargs_buf *out, const void *text, size_t bytes);
/*
 * Writes {"address": …, "symbol": …, "offset": …, "module": …}; unknown members are
 * omitted.
 */
void fargs_json_put_symbol(struct fargs_buf *out, struct fargs_decoder *d, uint64_t addr);

#endif
