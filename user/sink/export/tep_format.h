/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Builds an event of trace.dat: its data, and the text that describes them in the form of tracefs'
 * events/SYSTEM/EVENT/format.
 *
 * The data begin with the common fields, which all events have. Arrays of variable length are at
 * the end of the data; the field of each is a 32-bit word with the array's offset and size.
 */
#ifndef FARGS_SINK_EXPORT_TEP_FORMAT_H
#define FARGS_SINK_EXPORT_TEP_FORMAT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"

/* Initialise with zeroes. */
struct fargs_tep_format {
	struct fargs_buf data;		/* the event, complete after fargs_tep_format_end() */
	struct fargs_buf arrays;	/* contents of the arrays of variable length */
	struct fargs_buf locs;		/* array of size_t: offset in @data of each array's word */
	unsigned int nr_fields;
	bool is_described;		/* also build the text */
	struct fargs_buf fields;	/* text: a line for each field */
	struct fargs_buf print;		/* text: the print format, without quotes */
	struct fargs_buf args;		/* text: the arguments of the print format */
	struct fargs_buf names;		/* names of the fields, each between newlines */
	struct fargs_buf reserved;	/* names that no field may have, as in @names */
	struct fargs_buf name;		/* name of the current field */
};

/* How a number is printed. */
enum fargs_tep_shown {
	FARGS_TEP_DECIMAL,
	FARGS_TEP_HEX,
	FARGS_TEP_SYMBOL,	/* as the symbol at that address */
};

struct fargs_tep_number {
	const char *type;	/* C type; replaced if it cannot be part of a format */
	unsigned int width;	/* size in bytes: 1, 2, 4 or 8 */
	bool is_signed;
	uint8_t shown;		/* enum fargs_tep_shown */
	/*
	 * Names of values, as arguments of @function (__print_symbolic or __print_flags) in the
	 * format; NULL: none.
	 */
	const char *function, *names;
};

/* A state to which the event can be reset. */
struct fargs_tep_mark {
	size_t data, arrays, locs, fields, print, args, names;
	unsigned int nr_fields;
};

void fargs_tep_format_deinit(struct fargs_tep_format *f);
/* Begins an event. */
void fargs_tep_format_begin(struct fargs_tep_format *f, bool is_described);
/*
 * Reserves @names, an array that ends with NULL: until fargs_tep_format_release(), no field gets
 * one of these names.
 */
void fargs_tep_format_reserve(struct fargs_tep_format *f, const char *const *names);
void fargs_tep_format_release(struct fargs_tep_format *f);
/*
 * The following functions add a field. @name may be any text: characters that are invalid in a name
 * become underscores, and a number is appended if there already is a field of that name.
 */
void fargs_tep_format_number(struct fargs_tep_format *f, const char *name,
			     const struct fargs_tep_number *n, uint64_t v);
/* @text ends at its first NUL, if it has any. */
void fargs_tep_format_string(struct fargs_tep_format *f, const char *name, const void *text,
			     size_t len);
/* Adds an array of numbers of @bytes in total; @n describes its elements. */
void fargs_tep_format_array(struct fargs_tep_format *f, const char *name,
			    const struct fargs_tep_number *n, const void *data, size_t bytes);
void fargs_tep_format_bytes(struct fargs_tep_format *f, const char *name, const void *data,
			    size_t bytes);
/* Completes @data. Returns 0 or -ENOMEM. */
int fargs_tep_format_end(struct fargs_tep_format *f);

void fargs_tep_format_mark(const struct fargs_tep_format *f, struct fargs_tep_mark *mark);
/* Removes the fields that were added since @mark was set. */
void fargs_tep_format_reset(struct fargs_tep_format *f, const struct fargs_tep_mark *mark);

/* Appends @text as a C identifier. */
void fargs_tep_format_put_name(struct fargs_buf *out, const char *text);

#endif
