/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * JSON (RFC 8259), in pieces. The caller looks at is_short of the buffer when the line is done.
 *
 * A number that a double does not hold is a string of its digits, so that no reader changes it
 * without a word.
 */
#ifndef FARGS_OUT_JSON_H
#define FARGS_OUT_JSON_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model/decoder.h"
#include "base/buf.h"

/* The largest number of which all smaller ones are doubles, too. */
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
 * Foreign text, quoted. What is no UTF-8 becomes U+FFFD; control characters are escaped, also
 * those that are so to a terminal alone.
 */
void fargs_json_put_string(struct fargs_buf *out, const void *text, size_t bytes);
/* The same without the quotes. */
void fargs_json_put_inside(struct fargs_buf *out, const void *text, size_t bytes);
/* The text alone, with U+FFFD for what is no UTF-8, and nothing escaped. */
void fargs_json_put_utf8(struct fargs_buf *out, const void *text, size_t bytes);
/* Is it all UTF-8? */
bool fargs_json_is_utf8(const void *text, size_t bytes);
/* "key": with nothing in front; @key is ours. */
void fargs_json_put_key(struct fargs_buf *out, const char *key);

/*
 * What an argument holds (Documentation/fargs-event.schema.json). The decoder @d finds symbols
 * and says that types may be used; NULL: raw output.
 */
void fargs_json_put_value(struct fargs_buf *out, struct fargs_decoder *d,
			  const struct fargs_arg *arg);
/* Text that may be none: {"string": …, "bytes": …} then. */
void fargs_json_put_text(struct fargs_buf *out, const void *text, size_t bytes);
/* {"address": …, "symbol": …, "offset": …, "module": …}, as far as that is known. */
void fargs_json_put_symbol(struct fargs_buf *out, struct fargs_decoder *d, uint64_t addr);

#endif
