/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Formats names and values of events as text. Foreign text is escaped. @d resolves symbols and
 * allows the use of types; NULL: raw output.
 */
#ifndef FARGS_SINK_TEXT_VALUE_H
#define FARGS_SINK_TEXT_VALUE_H

#include <stdbool.h>

#include "base/buf.h"
#include "model/decoder.h"

void fargs_value_put_name(struct fargs_buf *out, const char *name);
/* " [module]", or nothing for NULL. */
void fargs_value_put_module(struct fargs_buf *out, const char *module);
/* "name+0x8 [module]", or the address if there is no symbol. */
void fargs_value_put_symbol(struct fargs_buf *out, struct fargs_decoder *d, uint64_t addr,
			    bool with_offset);

/* The value of an argument, or "(fault ADDRESS)". */
void fargs_value_put(struct fargs_buf *out, struct fargs_decoder *d, const struct fargs_arg *arg);
/*
 * The same for a return value. A negative int may be an error or just a number, so both are shown:
 * "-2 (ENOENT)". A pointer in the error range is shown as an ERR_PTR.
 */
void fargs_value_put_return(struct fargs_buf *out, struct fargs_decoder *d,
			    const struct fargs_arg *arg);

/* Returns the negative error if the return value is one, as far as its type shows; else 0. */
int fargs_value_error(const struct fargs_arg *arg);

/* Is it a char beyond ASCII, in a kernel whose char is unsigned? */
bool fargs_value_is_high_char(const struct fargs_arg *arg);

#endif
