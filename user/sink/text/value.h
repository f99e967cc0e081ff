/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Formats names and values of events as text. Text that is not trusted is escaped. @d provides
 * symbols and types; NULL: raw output, without symbols and types.
 */
#ifndef FARGS_SINK_TEXT_VALUE_H
#define FARGS_SINK_TEXT_VALUE_H

#include <stdbool.h>

#include "base/buf.h"
#include "model/decoder.h"

void fargs_value_put_name(struct fargs_buf *out, const char *name);
/* Writes " [module]"; nothing if @module is NULL. */
void fargs_value_put_module(struct fargs_buf *out, const char *module);
/* Writes "name+0x8 [module]", or the address if there is no symbol. */
void fargs_value_put_symbol(struct fargs_buf *out, struct fargs_decoder *d, uint64_t addr,
			    bool with_offset);

/*
 * Writes the symbol of a pointer's target, such as "ext4_file_operations [ext4]". Returns false,
 * and writes nothing, if there is none.
 */
bool fargs_value_put_target(struct fargs_buf *out, struct fargs_decoder *d, uint64_t addr);

/* Writes the value of an argument, or "(fault ADDRESS)". */
void fargs_value_put(struct fargs_buf *out, struct fargs_decoder *d, const struct fargs_arg *arg);
/*
 * Writes a return value. A negative int may be an error or just a number, so both are shown: "-2
 * (ENOENT)". A pointer in the error range is shown as an ERR_PTR.
 */
void fargs_value_put_return(struct fargs_buf *out, struct fargs_decoder *d,
			    const struct fargs_arg *arg);

/*
 * Writes the number @v of @bytes bytes as @naming says. Returns false, and writes nothing, if it
 * has no name.
 */
bool fargs_value_put_named(struct fargs_buf *out, struct fargs_decoder *d,
			   const struct fargs_naming *naming, uint64_t v, unsigned int bytes);

/*
 * Writes what fargs_value_put() shows of @arg beside numbers and addresses: the name of a number
 * that is not an enum, such as flags, or of a pointer's target, or all of an aggregate that has one
 * of these; and, if @is_result, what fargs_value_put_return() shows of an error. Returns false, and
 * writes nothing, if there is nothing.
 */
bool fargs_value_put_symbolic(struct fargs_buf *out, struct fargs_decoder *d,
			      const struct fargs_arg *arg, bool is_result);

/*
 * Returns the negative errno if the return value is in the range of errors and its type can be that
 * of an error: a pointer, or a plain signed integer other than char and __int128. Otherwise returns
 * 0.
 */
int fargs_value_error(const struct fargs_arg *arg);

/* Is the value a char above 127, in a kernel where char is unsigned? */
bool fargs_value_is_high_char(const struct fargs_arg *arg);

#endif
