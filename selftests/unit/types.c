// SPDX-License-Identifier: GPL-2.0-only
/* Tests types of valid and invalid BTF. */
#include "model/types.h"

#include <stdlib.h>

#include "model/event.h"
#include "unit/ktap.h"

static struct btf *btf;

/* Makes an enum of the @nr values, whose enumerators are named A, B, C and so on. */
static uint32_t enum_of(int nr, const int *values)
{
	char name[] = "A";
	uint32_t id = btf__add_enum(btf, NULL, 4);
	int i;

	for (i = 0; i < nr; i++, name[0]++)
		btf__add_enum_value(btf, name, values[i]);
	return id;
}

/*
 * Returns the names of the flags and the rest, as "A|C+0x40"; "none" if the enum is not flags. The
 * string is valid until the next call.
 */
static const char *flags(uint32_t id, uint64_t value)
{
	const char *names[FARGS_TYPES_FLAGS];
	static char text[1024];
	uint64_t rest;
	int i, n = fargs_types_flags(btf, id, value, names, &rest);

	if (n < 0)
		return "none";
	text[0] = 0;
	for (i = 0; i < n; i++) {
		strcat(text, i ? "|" : "");
		strcat(text, names[i]);
	}
	if (rest)
		sprintf(text + strlen(text), "+0x%" PRIx64, rest);
	return text;
}

#define ENUM(...) enum_of(sizeof((int[]){ __VA_ARGS__ }) / sizeof(int), (int[]){ __VA_ARGS__ })

static void takes_flags_apart(void)
{
	uint32_t id = ENUM(0, 1, 2, 4, 0x80000000);

	CHECK_STR(flags(id, 3), "B|C");
	CHECK_STR(flags(id, 0x45), "B|D+0x40");
	CHECK_STR(flags(id, 0x40), "+0x40");
	CHECK_STR(flags(id, 0), "");
	/* A sign-extended value has the same flags. */
	CHECK_STR(flags(id, 0xffffffff80000001), "B|E");
}

static void knows_flags_from_numbers(void)
{
	CHECK_STR(flags(ENUM(1, 2), 3), "A|B");
	CHECK_STR(flags(ENUM(4, 1, 5), 5), "B|A");
	CHECK_STR(flags(ENUM(1, 2, 4, 8, 15), 12), "C|D");
	CHECK_STR(flags(ENUM(1, 2, 2), 3), "A|B");
	CHECK_STR(flags(ENUM(0, 1), 1), "none");
	CHECK_STR(flags(ENUM(0, 1, 2, 3), 3), "none");
	CHECK_STR(flags(ENUM(1, 2, 3), 5), "none");
	CHECK_STR(flags(ENUM(0, 1, 2, 3, 4, 5, 6, 7, 8), 9), "none");
	CHECK_STR(flags(ENUM(1, 2, 12), 1), "none");
	CHECK_STR(flags(ENUM(1, 2, -1), 1), "none");
	CHECK_STR(flags(ENUM(1, 2, 4, 3, 5, 6, 7, 0x10), 1), "A");
	CHECK_STR(flags(ENUM(1, 2, 8, 3, 9, 10, 11), 1), "none");
	CHECK_STR(flags(btf__add_enum(btf, "none", 4), 1), "none");
	CHECK_STR(flags(0, 1), "none");
	CHECK_STR(flags(12345, 1), "none");
}

static void reads_enum64(void)
{
	uint32_t id = btf__add_enum64(btf, "wide", 8, false);

	btf__add_enum64_value(btf, "LOW", 1);
	btf__add_enum64_value(btf, "HIGH", 1ull << 63);
	CHECK_STR(flags(id, 1ull << 63 | 1), "LOW|HIGH");
	CHECK_STR(flags(id, 1ull << 62 | 1), "LOW+0x4000000000000000");
	CHECK_STR(fargs_types_enumerator(btf, id, 1ull << 63), "HIGH");
	CHECK_STR(fargs_types_enumerator(btf, id, 0), NULL);
}

static void sizes_types(void)
{
	uint32_t i32 = btf__add_int(btf, "int", 4, BTF_INT_SIGNED);
	uint32_t pair = btf__add_array(btf, i32, i32, 2);
	uint32_t proto = btf__add_func_proto(btf, 0);

	CHECK_INT(fargs_types_size(btf, i32), 4);
	CHECK_INT(fargs_types_size(btf, btf__add_const(btf, i32)), 4);
	CHECK_INT(fargs_types_size(btf, btf__add_array(btf, i32, pair, 3)), 24);
	CHECK_INT(fargs_types_size(btf, btf__add_ptr(btf, 0)), 8);
	CHECK_INT(fargs_types_size(btf, btf__add_struct(btf, "s", 17)), 17);
	CHECK_INT(fargs_types_size(btf, btf__add_array(btf, i32, i32, 0)), 0);
	CHECK_INT(fargs_types_size(btf, 0), -1);
	CHECK_INT(fargs_types_size(btf, proto), -1);
	CHECK_INT(fargs_types_size(btf, btf__add_fwd(btf, "fwd", BTF_FWD_STRUCT)), -1);
	CHECK_INT(fargs_types_size(btf, 12345), -1);
}

static void ends_loops(void)
{
	uint32_t next = btf__type_cnt(btf), typedefs = next, arrays = next + 2;

	btf__add_typedef(btf, "a_t", next + 1);
	btf__add_typedef(btf, "b_t", next);
	btf__add_array(btf, arrays, arrays, 1);
	CHECK_INT(fargs_types_base(btf, typedefs), 0);
	CHECK_INT(fargs_types_size(btf, typedefs), -1);
	CHECK_INT(fargs_types_size(btf, arrays), -1);
	CHECK_INT(fargs_types_shape(btf, 0), FARGS_SHAPE_PLAIN);
}

static void refuses_sizes_that_overflow(void)
{
	uint32_t i32 = btf__add_int(btf, "int", 4, BTF_INT_SIGNED);
	uint32_t id = btf__add_array(btf, i32, i32, UINT32_MAX);

	CHECK_INT(fargs_types_size(btf, id), -1);
	id = btf__add_array(btf, i32, id, UINT32_MAX);
	CHECK_INT(fargs_types_size(btf, btf__add_array(btf, i32, id, 4)), -1);
}

static void knows_chars(void)
{
	CHECK(fargs_types_is_char(btf, btf__add_int(btf, "char", 1, BTF_INT_SIGNED)));
	CHECK(fargs_types_is_char(btf, btf__add_int(btf, "letter", 1, BTF_INT_CHAR)));
	CHECK(!fargs_types_is_char(btf, btf__add_int(btf, "unsigned char", 1, 0)));
	CHECK(!fargs_types_is_char(btf, btf__add_int(btf, "_Bool", 1, BTF_INT_BOOL)));
	CHECK(!fargs_types_is_char(btf, btf__add_int(btf, "int", 4, BTF_INT_SIGNED)));
	CHECK(!fargs_types_is_char(btf, 0));
}

static const struct ktap_test tests[] = {
	{ "splits flags", takes_flags_apart },
	{ "distinguishes flags from numbers", knows_flags_from_numbers },
	{ "reads enum64", reads_enum64 },
	{ "computes sizes of types", sizes_types },
	{ "detects types that contain themselves", ends_loops },
	{ "refuses sizes that overflow", refuses_sizes_that_overflow },
	{ "recognises char types", knows_chars },
};

int main(void)
{
	int ret;

	btf = btf__new_empty();
	if (!btf) {
		printf("Bail out! no memory\n");
		return 1;
	}
	ret = KTAP_RUN(tests);
	btf__free(btf);
	return ret;
}
