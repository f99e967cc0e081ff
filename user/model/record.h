/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Parser of one record (include/uapi/fargs_record.h). Pure: bytes in, values
 * out, no I/O and no memory of its own, so that it is tested and fuzzed alone.
 */
#ifndef FARGS_DECODE_RECORD_H
#define FARGS_DECODE_RECORD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "uapi/fargs_record.h"

/* The most values a record can hold: an empty string without a name takes 4 bytes. */
#define FARGS_RECORD_VALUES	((FARGS_RECORD_MAX - sizeof(struct fargs_record)) / 4)

/* One value of a body; pointers lead into the record. */
struct fargs_value {
	const char *name;	/* NUL-terminated */
	uint8_t type;		/* enum fargs_type, without FAULT and CUT */
	bool is_fault;
	bool is_cut;		/* str and bytes: there was more in memory */
	const void *data;	/* not aligned */
	uint32_t bytes;		/* at @data; for str and bytes the n of the record */
};

/* Where an iteration stands. */
struct fargs_values {
	const uint8_t *at;
	const uint8_t *end;
};

/*
 * Checks the header only: that @p has the @avail bytes it says, and that
 * length and kind are possible. Returns the record's length in bytes, or
 * -EIO with *@why (if @why) set to a few constant words.
 */
int fargs_record_check_header(const void *p, size_t avail, const char **why);

/* Checks header and body: after it, iteration cannot fail. Same results. */
int fargs_record_check(const void *p, size_t avail, const char **why);

/* Starts to iterate over the body of a record whose header was checked. */
void fargs_record_values(const struct fargs_record *rec, struct fargs_values *it);

/*
 * The next value: 1 and *@val, 0 at the end of the list, or -EIO with *@why.
 * Safe also on a body that was not checked.
 */
int fargs_record_next(struct fargs_values *it, struct fargs_value *val, const char **why);

/* The value named @name, with type @type and no fault: true and *@val. */
bool fargs_record_find(const struct fargs_record *rec, const char *name, uint8_t type,
		       struct fargs_value *val);

/* Bytes that count of a type up to 128 bits; 0 for str, bytes, end and unknown ones. */
unsigned int fargs_type_width(uint8_t type);
bool fargs_type_is_signed(uint8_t type);
/* "u8", "s32", …; "?" if unknown. */
const char *fargs_type_name(uint8_t type);

/*
 * The integer a value holds, cut to the type's width and extended by its sign
 * to 64 bits (128 bits: the low half). BOOL gives 0 or 1. 0 for str and bytes;
 * for a fault the address that could not be read.
 */
uint64_t fargs_value_u64(const struct fargs_value *val);
/* The same as a signed number. */
int64_t fargs_value_s64(const struct fargs_value *val);
/* Both halves of a 128-bit value, extended by sign for narrower types. */
unsigned __int128 fargs_value_u128(const struct fargs_value *val);

#endif
