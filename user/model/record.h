/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Parses one record (include/uapi/fargs_record.h), without I/O and memory allocation, so that it
 * can be tested and fuzzed separately.
 */
#ifndef FARGS_MODEL_RECORD_H
#define FARGS_MODEL_RECORD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "uapi/fargs_record.h"

/*
 * Maximum number of values in a record: the smallest value, an empty string without a name, has 4
 * bytes.
 */
#define FARGS_RECORD_VALUES	((FARGS_RECORD_MAX - sizeof(struct fargs_record)) / 4)

/* One value of a record's body. Its pointers point into the record. */
struct fargs_value {
	const char *name;	/* the value's name, NUL-terminated */
	uint8_t type;		/* enum fargs_type, without FARGS_TYPE_FAULT and FARGS_TYPE_CUT */
	bool is_fault;
	bool is_cut;		/* only the beginning of the string or bytes was recorded */
	const void *data;	/* the value; may be unaligned */
	uint32_t bytes;		/* size of @data, as recorded */
};

/* Iterator over the values of a record's body. */
struct fargs_values {
	const uint8_t *at;
	const uint8_t *end;
};

/*
 * Checks only the header: whether its length and kind are valid, and the @avail bytes at @p contain
 * the whole record. Returns the record's length in bytes; or -EIO, with *@why (if @why is not NULL)
 * set to a string constant.
 */
int fargs_record_check_header(const void *p, size_t avail, const char **why);

/*
 * Checks header and body, after which iterating over the values cannot fail. Returns the same as
 * fargs_record_check_header().
 */
int fargs_record_check(const void *p, size_t avail, const char **why);

/* Starts iterating over the body of a record whose header was checked. */
void fargs_record_values(const struct fargs_record *rec, struct fargs_values *it);

/*
 * Returns 1 with the next value in *@val, 0 at the end of the body, or -EIO with *@why. Safe even
 * if the body was not checked.
 */
int fargs_record_next(struct fargs_values *it, struct fargs_value *val, const char **why);

/*
 * Finds the value with name @name and type @type; ignores faults. Returns true with the value in
 * *@val.
 */
bool fargs_record_find(const struct fargs_record *rec, const char *name, uint8_t type,
		       struct fargs_value *val);

/* Returns the size of an integer type in bytes; 0 for STR, BYTES, END and unknown types. */
unsigned int fargs_type_width(uint8_t type);
bool fargs_type_is_signed(uint8_t type);
/* Returns the type's name, such as "u8" or "s32"; "?" if it is unknown. */
const char *fargs_type_name(uint8_t type);

/*
 * Returns the integer of a value, truncated to the type's width and extended to 64 bits according
 * to its sign. 128-bit types: the low half. BOOL: 0 or 1. STR and BYTES: 0. Fault: the address that
 * could not be read.
 */
uint64_t fargs_value_u64(const struct fargs_value *val);
/* Returns fargs_value_u64() as a signed number. */
int64_t fargs_value_s64(const struct fargs_value *val);
/* Returns all 128 bits of a value; narrower types are extended according to their sign. */
unsigned __int128 fargs_value_u128(const struct fargs_value *val);

#endif
