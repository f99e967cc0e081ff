/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Structs, unions and arrays, as C initialisers: "{.a=1, .b={.x=2}}". Of what was
 * fetched from memory, members of nothing but zeroes are left out, unless the decoder
 * says that they are to be shown.
 *
 * Neither BTF nor the record is trusted. What does not fit together is shown as
 * bytes, "{de ad be ef}": a value of another size than its type, a member that
 * reaches out of its struct, types that have no value or no end.
 *
 * A text of more than FARGS_SPAN_MAX bytes is cut behind the last member or
 * element that leaves room for the end, which is then ", …" and the braces that
 * are open ("…" alone behind an opening brace); or inside a string, behind a
 * whole character, where the end is a quote, "…" and the braces. Bytes are cut
 * in the same way, with " …}".
 */
#ifndef FARGS_OUT_AGGREGATE_H
#define FARGS_OUT_AGGREGATE_H

#include "model/decoder.h"
#include "base/span.h"

/*
 * The text of an FARGS_TYPE_BYTES value that is no fault, by its BTF if its
 * shape is FARGS_SHAPE_AGGREGATE or it is a range, else as bytes. @d finds symbols; NULL: none.
 */
void fargs_aggregate_text(struct fargs_span *text, struct fargs_decoder *d,
			  const struct fargs_arg *arg);

#endif
