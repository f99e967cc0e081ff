/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Writes JSON (RFC 8259) piece by piece. The caller checks is_short of the buffer when the line is
 * complete.
 *
 * Numbers that a double cannot hold exactly are written as strings of digits, so that no reader
 * silently changes them.
 */
#ifndef FARGS_SINK_JSON_JSON_H
#define FARGS_SINK_JSON_JSON_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "model/decoder.h"

/* The largest integer up to which all integers are exact doubles. */
#define FARGS_JSON_EXACT	((1ull << 53) - 1)

void fargs_json_put_u64(struct fargs_buf *out, uint64_t v);
void fargs_json_put_s64(struct fargs_buf *out, int64_t v);
void fargs_json_put_u128(struct fargs_buf *out, unsigned __int128 v);
void fargs_json_put_s128(struct fargs_buf *out, __int128 v);
/* "0x1f", with the quotes. */
void fargs_json_put_hex(struct fargs_buf *out, uint64_t v);
/* "1f00", with the quotes. */
void fargs_json_put_bytes(struct fargs_buf *out, const void *data, size_t bytes);
/*
 * Foreign text, quoted. Invalid UTF-8 becomes U+FFFD; control characters are escaped, including
 * those that only terminals interpret.
 */
void fargs_json_put_string(struct fargs_buf *out, const void *text, size_t bytes);
/* The same, without quotes. */
void fargs_json_put_inside(struct fargs_buf *out, const void *text, size_t bytes);
/* The text without quotes or escapes; invalid UTF-8 becomes U+FFFD. */
void fargs_json_put_utf8(struct fargs_buf *out, const void *text, size_t bytes);
/* Is the text valid UTF-8? */
bool fargs_json_is_utf8(const void *text, size_t bytes);
/* Writes "key": without a separator before it. @key is trusted. */
void fargs_json_put_key(struct fargs_buf *out, const char *key);

/*
 * Writes the value of an argument (Documentation/fargs-event.schema.json). @d resolves symbols and
 * allows the use of types; NULL: raw output.
 */
void fargs_json_put_value(struct fargs_buf *out, struct fargs_decoder *d,
			  const struct fargs_arg *arg);
/* Writes a string; if it is not valid UTF-8, {"string": …, "bytes": …}. */
void fargs_json_put_text(struct fargs_buf *out, const void *text, size_t bytes);
/* Writes {"address": …, "symbol": …, "offset": …, "module": …}, without unknown members. */
void fargs_json_put_symbol(struct fargs_buf *out, struct fargs_decoder *d, uint64_t addr);

#endif
