// SPDX-License-Identifier: GPL-2.0-only
/* Tests the record parser: each type, and each kind of error. */
#include "model/record.h"

#include <errno.h>
#include <stdlib.h>

#include "unit/bytes.h"
#include "unit/ktap.h"

/*
 * The record is copied to memory of the exact size, so that a sanitizer detects accesses beyond its
 * end.
 */
static int check(const uint8_t *bytes, size_t size, const char **why)
{
	uint8_t *copy = malloc(size ? size : 1);
	int ret;

	memcpy(copy, bytes, size);
	*why = "";
	ret = fargs_record_check(copy, size, why);
	free(copy);
	return ret;
}

static const uint8_t two_args[] __attribute__((aligned(8))) = {
	HEAD(80, FARGS_KIND_ENTRY, 1234, 0x1122334455667788, 0xffffffff81000004,
	     0xffffffff82000000, 7),
	'f', 'd', 0, FARGS_TYPE_U32, 0x03, 0, 0, 0, 0xde, 0xad, 0xbe, 0xef,
	'n', 0, FARGS_TYPE_S32, 0x9c, 0xff, 0xff, 0xff, 0, 0, 0, 0,
	0, 0, 0, 0, 0, 0, 0, 0, 0,
};

static void takes_a_record(void)
{
	const struct fargs_record *rec = (const void *)two_args;
	struct fargs_values it;
	struct fargs_value val;
	const char *why;

	CHECK_INT(sizeof(two_args), 80);
	CHECK_INT(check(two_args, sizeof(two_args), &why), 80);
	CHECK_INT(rec->tid, 1234);
	CHECK_INT(rec->seq, 7);
	CHECK(rec->parent_ip == 0xffffffff82000000);
	fargs_record_values(rec, &it);
	REQUIRE(fargs_record_next(&it, &val, NULL) == 1);
	CHECK_STR(val.name, "fd");
	CHECK_INT(val.type, FARGS_TYPE_U32);
	CHECK_INT(val.bytes, 8);
	CHECK(!val.is_fault);
	CHECK_INT(fargs_value_u64(&val), 3);
	REQUIRE(fargs_record_next(&it, &val, NULL) == 1);
	CHECK_STR(val.name, "n");
	CHECK_INT(fargs_value_s64(&val), -100);
	CHECK_INT(fargs_record_next(&it, &val, NULL), 0);
}

static void refuses_every_cut(void)
{
	const char *why;
	size_t size;

	for (size = 0; size < sizeof(two_args); size++)
		if (check(two_args, size, &why) != -EIO || !*why)
			ktap_fail(__FILE__, __LINE__, "%zu bytes are accepted", size);
}

static void refuses_bad_headers(void)
{
	uint8_t rec[sizeof(two_args)];
	const char *why;

	memcpy(rec, two_args, sizeof(rec));
	rec[0] = 40;	/* length 40: shorter than the header */
	CHECK_INT(check(rec, sizeof(rec), &why), -EIO);
	CHECK_STR(why, "is shorter than its header");
	rec[0] = 79;
	CHECK_INT(check(rec, sizeof(rec), &why), -EIO);
	CHECK_STR(why, "has a length that is not a multiple of 8");
	rec[0] = 0;
	rec[1] = 0x10;	/* length 4096 */
	CHECK_INT(check(rec, sizeof(rec), &why), -EIO);
	CHECK_STR(why, "is longer than a record can be");
	rec[0] = 88;
	rec[1] = 0;
	CHECK_INT(check(rec, sizeof(rec), &why), -EIO);
	CHECK_STR(why, "is truncated");
	rec[0] = 80;
	rec[2] = 0;
	CHECK_INT(check(rec, sizeof(rec), &why), -EIO);
	rec[2] = 7;
	CHECK_INT(check(rec, sizeof(rec), &why), -EIO);
	CHECK_STR(why, "is of an unknown kind");
}

/*
 * Checks a record with the body @body of 24 bytes. Returns the reason why it is refused, or NULL.
 */
static const char *reason(const char *body)
{
	uint8_t rec[72] = { HEAD(72, FARGS_KIND_ENTRY, 0, 0, 0, 0, 0) };
	const char *why;

	memcpy(rec + 48, body, 24);
	return check(rec, sizeof(rec), &why) == -EIO ? why : NULL;
}

static void refuses_hostile_bodies(void)
{
	CHECK_STR(reason("aaaaaaaaaaaaaaaaaaaaaaaa"), "has a name that is not terminated");
	CHECK_STR(reason("aaaaaaaaaaaaaaaaaaaaaaa\0"), "ends after a name");
	CHECK_STR(reason("a\0\0aaaaaaaaaaaaaaaaaaaaa"), "has a value without a type");
	CHECK_STR(reason("a\0\x10xxxxxxxxxxxxxxxxxxxxx"), "has a value of an unknown type");
	CHECK_STR(reason("a\0\x80xxxxxxxxxxxxxxxxxxxxx"), "has a value of an unknown type");
	CHECK_STR(reason("a\0\0141234567890123456xxxxx"), "has a name that is not terminated");
	CHECK_STR(reason("aaaaaaaaaaaaaaa\0\0011234567"), "ends within the data of a value");
	/* A value of type bytes whose length is 65535; only 19 bytes are left. */
	CHECK_STR(reason("a\0\x0f\377\3771234567890123456789"), "ends within the data of a value");
	/* The length is 17, which is padded to 24. */
	CHECK_STR(reason("a\0\x0e\021\00012345678901234567\0\0"),
		  "ends within the data of a value");
	CHECK_STR(reason("aaaaaaaaaaaaaaaaaaaaa\0\x0e\x01"), "ends within the length of a value");
	/*
	 * A fault of length 0 has no room for the address; a fault of length 7 has, due to its
	 * padding.
	 */
	CHECK_STR(reason("a\0\x8f\000\00012345678xxxxxxxxxxx"),
		  "has a fault with no room for its address");
	CHECK_STR(reason("a\0\x8f\007\00012345678\0\0xxxxxxxxx"), NULL);
	/* The two zero bytes at the end are missing. */
	CHECK_STR(reason("aaaaa\0\00112345678aaaaaaa\0\x01"), "ends within the data of a value");
	/* A body without values is valid. */
	CHECK_STR(reason("\0\0aaaaaaaaaaaaaaaaaaaaaa"), NULL);
}

static uint64_t value(uint8_t type, uint64_t raw)
{
	struct fargs_value val = { .type = type, .data = &raw, .bytes = 8 };

	return fargs_value_u64(&val);
}

static void cuts_to_the_width_of_the_type(void)
{
	const uint64_t garbage = 0xdeadbeefcafe80ff;

	CHECK_INT(value(FARGS_TYPE_U8, garbage), 0xff);
	CHECK_INT(value(FARGS_TYPE_S8, garbage), -1);
	CHECK_INT(value(FARGS_TYPE_S8, 0xffffffffffffff7f), 127);
	CHECK_INT(value(FARGS_TYPE_U16, garbage), 0x80ff);
	CHECK_INT(value(FARGS_TYPE_S16, garbage), -32513);
	CHECK_INT(value(FARGS_TYPE_U32, garbage), 0xcafe80ff);
	CHECK_INT(value(FARGS_TYPE_S32, garbage), (int32_t)0xcafe80ff);
	CHECK_INT(value(FARGS_TYPE_S32, 0x00000001ffffff9c), -100);
	CHECK_INT(value(FARGS_TYPE_U64, garbage), garbage);
	CHECK_INT(value(FARGS_TYPE_S64, garbage), garbage);
	CHECK_INT(value(FARGS_TYPE_PTR, garbage), garbage);
	CHECK_INT(value(FARGS_TYPE_BOOL, 0xffffffffffffff00), 0);
	CHECK_INT(value(FARGS_TYPE_BOOL, 0xffffffffffffff80), 1);
	CHECK_INT(value(FARGS_TYPE_CHAR, 0x12345678123456e4), -28);
	CHECK_INT(value(FARGS_TYPE_STR, garbage), 0);
}

static void reads_wide_values(void)
{
	static const uint8_t rec[] __attribute__((aligned(8))) = {
		HEAD(72, FARGS_KIND_ENTRY, 0, 0, 0, 0, 0),
		'w', 0, FARGS_TYPE_S128, B64(-5), B64(-1),
		0, 0, 0, 0, 0,
	};
	struct fargs_value val;

	CHECK_INT(sizeof(rec), 72);
	REQUIRE(fargs_record_find((const void *)rec, "w", FARGS_TYPE_S128, &val));
	CHECK_INT(val.bytes, 16);
	CHECK((__int128)fargs_value_u128(&val) == -5);
	CHECK_INT(fargs_value_s64(&val), -5);
}

static void reads_strings_and_faults(void)
{
	static const uint8_t rec[] __attribute__((aligned(8))) = {
		HEAD(96, FARGS_KIND_ENTRY, 0, 0, 0, 0, 0),
		's', 0, FARGS_TYPE_STR, B16(3), 'a', 'b', 'c', 0xff, 0xff, 0xff, 0xff, 0xff,
		'p', 0, FARGS_TYPE_PTR | FARGS_TYPE_FAULT, B64(0xdead0000),
		'q', 0, FARGS_TYPE_STR | FARGS_TYPE_FAULT, B16(9), B64(0xbeef0000), B64(0),
		0, 0, 0,
	};
	struct fargs_values it;
	struct fargs_value val;
	const char *why;

	CHECK_INT(check(rec, sizeof(rec), &why), 96);
	CHECK_STR(why, "");
	fargs_record_values((const void *)rec, &it);
	REQUIRE(fargs_record_next(&it, &val, NULL) == 1);
	CHECK_INT(val.bytes, 3);
	CHECK(!memcmp(val.data, "abc", 3));
	REQUIRE(fargs_record_next(&it, &val, NULL) == 1);
	CHECK(val.is_fault);
	CHECK_INT(val.type, FARGS_TYPE_PTR);
	CHECK_INT(fargs_value_u64(&val), 0xdead0000);
	CHECK(!fargs_record_find((const void *)rec, "p", FARGS_TYPE_PTR, &val));
	fargs_record_next(&it, &val, NULL);
	CHECK(val.is_fault);
	CHECK_INT(val.bytes, 9);
	CHECK_INT(fargs_value_u64(&val), 0xbeef0000);
	CHECK_INT(fargs_record_next(&it, &val, NULL), 0);
}

static void holds_no_more_values_than_it_says(void)
{
	static uint8_t rec[FARGS_RECORD_MAX] __attribute__((aligned(8))) = {
		HEAD(FARGS_RECORD_MAX, FARGS_KIND_ENTRY, 0, 0, 0, 0, 0)
	};
	struct fargs_values it;
	struct fargs_value val;
	size_t at = 48, n = 0;

	/* The smallest values: an empty name, a type, and a length of 0. */
	for (; at + 4 + 2 <= sizeof(rec); at += 4)
		rec[at + 1] = FARGS_TYPE_STR;
	fargs_record_values((const void *)rec, &it);
	while (fargs_record_next(&it, &val, NULL) == 1)
		n++;
	CHECK_INT(n, 755);
	CHECK(n <= FARGS_RECORD_VALUES);
}

static const struct ktap_test tests[] = {
	{ "accepts a record of two arguments", takes_a_record },
	{ "refuses a record cut at any byte", refuses_every_cut },
	{ "refuses impossible headers", refuses_bad_headers },
	{ "refuses malicious bodies", refuses_hostile_bodies },
	{ "truncates to the type's width and extends its sign", cuts_to_the_width_of_the_type },
	{ "reads 128 bits", reads_wide_values },
	{ "reads strings and faults", reads_strings_and_faults },
	{ "bounds the number of values", holds_no_more_values_than_it_says },
};

int main(void)
{
	return KTAP_RUN(tests);
}
