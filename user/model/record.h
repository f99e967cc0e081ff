/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Parses one record (include/uapi/fargs_record.h). Pure: no I/O and no memory of its own, so that
 * it is tested and fuzzed alone.
 */
#ifndef FARGS_MODEL_RECORD_H
#define FARGS_MODEL_RECORD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "uapi/fargs_record.h"

/* Most values of a record: an empty string without a name takes 4 bytes. */
#define FARGS_RECORD_VALUES	((FARGS_RECORD_MAX - sizeof(struct fargs_record)) / 4)

/* One value of a body; its pointers point into the record. */
struct fargs_value {
	const char *name;	/* NUL-terminated */
	uint8_t type;		/* enum fargs_type, without FAULT and CUT */
	bool is_fault;
	bool is_cut;		/* STR and BYTES: memory held more */
	const void *data;	/* not aligned */
	uint32_t bytes;		/* bytes at @data; STR and BYTES: the n of the record */
};

/* Position of an iterator. */
struct fargs_values {
	const uint8_t *at;
	const uint8_t *end;
};

/*
 * Checks the header only: that its length and kind are valid, and that @avail bytes at @p hold
 * the whole record. Returns the record's length in bytes, or -EIO with *@why (if @why) set to a
 * few constant words.
 */
int fargs_record_check_header(const void *p, size_t avail, const char **why);

/* Checks header and body: iterating over the values cannot fail afterwards. Same results. */
int fargs_record_check(const void *p, size_t avail, const char **why);

/* Starts to iterate over the body of a record whose header was checked. */
void fargs_record_values(const struct fargs_record *rec, struct fargs_values *it);

/*
 * The next value: 1 and *@val, 0 at the end of the list, or -EIO with *@why. Safe on an unchecked
 * body, too.
 */
int fargs_record_next(struct fargs_values *it, struct fargs_value *val, const char **why);

/* Finds the value @name of type @type that is no fault: true and *@val. */
bool fargs_record_find(const struct fargs_record *rec, const char *name, uint8_t type,
		       struct fargs_value *val);

/* Significant bytes of an integer type; 0 for STR, BYTES, END and unknown types. */
unsigned int fargs_type_width(uint8_t type);
bool fargs_type_is_signed(uint8_t type);
/* "u8", "s32", …; "?" if unknown. */
const char *fargs_type_name(uint8_t type);

/*
 * The integer of a value, truncated to the type's width and extended by its sign to 64 bits
 * (128-bit types: the low half). BOOL: 0 or 1. STR and BYTES: 0. Fault: the address that could
 * not be read.
 */
uint64_t fargs_value_u64(const struct fargs_value *val);
/* The same as a signed number. */
int64_t fargs_value_s64(const struct fargs_value *val);
/* All 128 bits of a value; narrower types are extended by their sign. */
unsigned __int128 fargs_value_u128(const struct fargs_value *val);

#endif
