/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Formats structs, unions and arrays as C initialisers: "{.a=1, .b={.x=2}}". For values fetched
 * from memory, members that are all zeroes are omitted, unless the decoder is set to show them.
 *
 * Neither BTF nor the record is trusted. A value is shown as bytes, "{de ad be ef}", if its size
 * differs from that of its type, if a member extends beyond the end of its struct, or if its type
 * has no values or is endlessly nested.
 *
 * Text longer than FARGS_SPAN_MAX bytes is truncated after the last member or element that can be
 * followed by ", …" ("…" alone after an opening brace) and the closing braces. A string is
 * truncated after a whole character, and followed by a quote, "…" and the closing braces. Bytes
 * are truncated in the same way, and end in " …}".
 */
#ifndef FARGS_SINK_TEXT_AGGREGATE_H
#define FARGS_SINK_TEXT_AGGREGATE_H

#include <stdbool.h>

#include "base/span.h"
#include "model/decoder.h"

/*
 * Formats an FARGS_TYPE_BYTES value that is not a fault: by its BTF type if the shape is
 * FARGS_SHAPE_AGGREGATE or the value is a range, otherwise as bytes. @d provides symbols; NULL: no
 * symbols. Returns whether the text has the name of a number, such as flags, or of a pointer's
 * target.
 */
bool fargs_aggregate_text(struct fargs_span *text, struct fargs_decoder *d,
			  const struct fargs_arg *arg);

#endif
