/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Names and values of an event as text. Everything foreign is escaped. The
 * decoder @d finds symbols and says that types may be used; NULL: raw output.
 */
#ifndef FARGS_OUT_VALUE_H
#define FARGS_OUT_VALUE_H

#include <stdbool.h>

#include "model/decoder.h"
#include "base/buf.h"

void fargs_value_put_name(struct fargs_buf *out, const char *name);
/* " [module]", or nothing for NULL. */
void fargs_value_put_module(struct fargs_buf *out, const char *module);
/* "name+0x8 [module]", or the address where no symbol is. */
void fargs_value_put_symbol(struct fargs_buf *out, struct fargs_decoder *d, uint64_t addr,
			    bool with_offset);

/* What an argument holds, or "(fault ADDRESS)". */
void fargs_value_put(struct fargs_buf *out, struct fargs_decoder *d, const struct fargs_arg *arg);
/*
 * The same for what a function returned. A negative int may be an error or just a
 * number: both are shown, "-2 (ENOENT)". A pointer among the last page's is an
 * ERR_PTR to whoever returns it.
 */
void fargs_value_put_return(struct fargs_buf *out, struct fargs_decoder *d,
			    const struct fargs_arg *arg);

/*
 * Is what a function returned an error, as far as its type can tell? The number, which is
 * negative; 0: no.
 */
int fargs_value_error(const struct fargs_arg *arg);

/* A char that is no character of ASCII, in a kernel whose char has no sign. */
bool fargs_value_is_high_char(const struct fargs_arg *arg);

#endif
