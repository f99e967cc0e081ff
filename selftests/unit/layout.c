// SPDX-License-Identifier: GPL-2.0-only
/* Tests the layout compiler with generated BTF and expected bytes that were computed by hand. */
#include <stdio.h>
#include <stdlib.h>

#include <bpf/btf.h>

#include "select/codegen/compile.h"
#include "uapi/fargs_layout.h"
#include "uapi/fargs_record.h"
#include "unit/ktap.h"

#define ADDR	0xffffffff81234560ull

/* Types that many tests use. */
struct types {
	struct btf *btf;
	int int_, uint, char_, uchar, schar, bool_, s16, u16, s64, u64, void_ptr;
};

static void types_init(struct types *t)
{
	struct btf *b = t->btf = btf__new_empty();

	t->int_ = btf__add_int(b, "int", 4, BTF_INT_SIGNED);
	t->uint = btf__add_int(b, "unsigned int", 4, 0);
	t->char_ = btf__add_int(b, "char", 1, BTF_INT_SIGNED);
	t->uchar = btf__add_int(b, "unsigned char", 1, 0);
	t->schar = btf__add_int(b, "signed char", 1, BTF_INT_SIGNED);
	t->bool_ = btf__add_int(b, "_Bool", 1, BTF_INT_BOOL);
	t->s16 = btf__add_int(b, "short", 2, BTF_INT_SIGNED);
	t->u16 = btf__add_int(b, "unsigned short", 2, 0);
	t->s64 = btf__add_int(b, "long", 8, BTF_INT_SIGNED);
	t->u64 = btf__add_int(b, "unsigned long", 8, 0);
	t->void_ptr = btf__add_ptr(b, 0);
}

/*
 * Adds a function that returns @ret and has @nr parameters named a, b, c and so on. Returns its BTF
 * id.
 */
static int add_func(struct btf *b, int ret, const int *types, int nr)
{
	char name[2] = "a";
	int i, proto = btf__add_func_proto(b, ret);

	for (i = 0; i < nr; i++, name[0]++)
		btf__add_func_param(b, name, types[i]);
	return btf__add_func(b, "f", BTF_FUNC_STATIC, proto);
}

static enum fargs_refusal why_of(struct btf *b, int func)
{
	struct fargs_layouts layouts = { };
	enum fargs_refusal why;

	if (fargs_layout_compile(&layouts, b, func, ADDR, &why))
		ktap_fail(__FILE__, __LINE__, "no memory");
	if (why && layouts.bytes)
		ktap_fail(__FILE__, __LINE__, "a refused function has left bytes");
	fargs_layouts_deinit(&layouts);
	return why;
}

/* Returns the enum fargs_type of a single parameter of type @id; 0: the function is refused. */
static int type_of(struct btf *b, int id)
{
	struct fargs_layouts layouts = { };
	enum fargs_refusal why;
	int type;

	fargs_layout_compile(&layouts, b, add_func(b, 0, &id, 1), ADDR, &why);
	/* The type follows the header, the stores, and "a" with its NUL. */
	type = why ? 0 : layouts.data[64 + 8 * layouts.data[6] + 2];
	fargs_layouts_deinit(&layouts);
	return type;
}

static void two_arguments(void)
{
	/* "fds" takes 4 + 1 + 8 bytes, "file" 5 + 1 + 8, and the end 2: 29 bytes, padded to 32. */
	static const unsigned char want[] = {
		/* size, body_len, nr_stores, flags, status, addr, ip */
		112, 0, 0, 0, 32, 0, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0,
		0x60, 0x45, 0x23, 0x81, 0xff, 0xff, 0xff, 0xff, 0, 0, 0, 0, 0, 0, 0, 0,
		0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
		0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
		/* stores: rdi at offset 4 + 1, rsi at offset 13 + 5 + 1 */
		5, 0, 1, 0, 0, 0, 0, 0,
		19, 0, 1, 1, 0, 0, 0, 0,
		'f', 'd', 's', 0, 6, 0, 0, 0, 0, 0, 0, 0, 0,
		'f', 'i', 'l', 'e', 0, 11, 0, 0, 0, 0, 0, 0, 0, 0,
		0, 0, 0, 0, 0,
	};
	struct fargs_layouts layouts = { };
	enum fargs_refusal why;
	struct types t;
	int proto, func;

	types_init(&t);
	proto = btf__add_func_proto(t.btf, t.int_);
	btf__add_func_param(t.btf, "fds", t.int_);
	btf__add_func_param(t.btf, "file", t.void_ptr);
	func = btf__add_func(t.btf, "f", BTF_FUNC_STATIC, proto);
	CHECK_INT(fargs_layout_compile(&layouts, t.btf, func, ADDR, &why), 0);
	CHECK_INT(why, FARGS_REFUSAL_NONE);
	CHECK_INT(layouts.nr, 1);
	CHECK_INT(layouts.bytes, sizeof(want));
	REQUIRE(layouts.bytes == sizeof(want));
	CHECK(!memcmp(layouts.data, want, sizeof(want)));
	fargs_layouts_deinit(&layouts);
	btf__free(t.btf);
}

static void no_arguments(void)
{
	struct fargs_layouts layouts = { };
	enum fargs_refusal why;
	struct types t;

	types_init(&t);
	fargs_layout_compile(&layouts, t.btf, add_func(t.btf, 0, NULL, 0), ADDR, &why);
	CHECK_INT(why, FARGS_REFUSAL_NONE);
	REQUIRE(layouts.bytes == 64 + 8);
	CHECK_INT(layouts.data[0], 72);
	CHECK_INT(layouts.data[4], 8);
	CHECK_INT(layouts.data[6], 0);
	fargs_layouts_deinit(&layouts);
	btf__free(t.btf);
}

static void body_is_padded(void)
{
	/*
	 * "a", NUL, type and data take 11 bytes; five such values and the end take 57 bytes, padded
	 * to 64.
	 */
	struct fargs_layouts layouts = { };
	enum fargs_refusal why;
	struct types t;
	int types[5], i;

	types_init(&t);
	for (i = 0; i < 5; i++)
		types[i] = t.int_;
	fargs_layout_compile(&layouts, t.btf, add_func(t.btf, 0, types, 5), ADDR, &why);
	REQUIRE(layouts.bytes == 64 + 5 * 8 + 64);
	for (i = 5 * 11; i < 64; i++)
		CHECK_INT(layouts.data[64 + 5 * 8 + i], 0);
	fargs_layouts_deinit(&layouts);
	btf__free(t.btf);
}

static void layouts_follow_each_other(void)
{
	struct fargs_layouts layouts = { };
	enum fargs_refusal why;
	struct types t;

	types_init(&t);
	fargs_layout_compile(&layouts, t.btf, add_func(t.btf, 0, &t.int_, 1), 1, &why);
	fargs_layout_compile(&layouts, t.btf, add_func(t.btf, 0, NULL, 0), 2, &why);
	CHECK_INT(layouts.nr, 2);
	/* The body of 11 + 2 bytes is padded to 16. */
	REQUIRE(layouts.bytes == 64 + 8 + 16 + 64 + 8);
	CHECK_INT(layouts.data[16], 1);
	CHECK_INT(layouts.data[64 + 8 + 16 + 16], 2);
	fargs_layouts_deinit(&layouts);
	btf__free(t.btf);
}

static void registers_in_order(void)
{
	struct fargs_layouts layouts = { };
	enum fargs_refusal why;
	struct types t;
	int types[6], i;

	types_init(&t);
	for (i = 0; i < 6; i++)
		types[i] = t.u64;
	fargs_layout_compile(&layouts, t.btf, add_func(t.btf, 0, types, 6), ADDR, &why);
	CHECK_INT(why, FARGS_REFUSAL_NONE);
	for (i = 0; i < 6 && !why; i++) {
		CHECK_INT(layouts.data[64 + 8 * i], 11 * i + 3);
		CHECK_INT(layouts.data[64 + 8 * i + 2], FARGS_SOURCE_REG);
		CHECK_INT(layouts.data[64 + 8 * i + 3], i);
	}
	fargs_layouts_deinit(&layouts);
	btf__free(t.btf);
}

static void integers_by_size_and_sign(void)
{
	struct types t;

	types_init(&t);
	CHECK_INT(type_of(t.btf, t.schar), FARGS_TYPE_S8);
	CHECK_INT(type_of(t.btf, t.uchar), FARGS_TYPE_U8);
	CHECK_INT(type_of(t.btf, t.s16), FARGS_TYPE_S16);
	CHECK_INT(type_of(t.btf, t.u16), FARGS_TYPE_U16);
	CHECK_INT(type_of(t.btf, t.int_), FARGS_TYPE_S32);
	CHECK_INT(type_of(t.btf, t.uint), FARGS_TYPE_U32);
	CHECK_INT(type_of(t.btf, t.s64), FARGS_TYPE_S64);
	CHECK_INT(type_of(t.btf, t.u64), FARGS_TYPE_U64);
	btf__free(t.btf);
}

static void bool_and_char(void)
{
	struct types t;

	types_init(&t);
	CHECK_INT(type_of(t.btf, t.bool_), FARGS_TYPE_BOOL);
	CHECK_INT(type_of(t.btf, t.char_), FARGS_TYPE_CHAR);
	CHECK_INT(type_of(t.btf, btf__add_int(t.btf, "letter", 1, BTF_INT_CHAR)), FARGS_TYPE_CHAR);
	btf__free(t.btf);
}

static void enums_by_size_and_sign(void)
{
	struct types t;
	int id;

	types_init(&t);
	id = btf__add_enum(t.btf, "colour", 4);
	btf__add_enum_value(t.btf, "RED", 1);
	CHECK_INT(type_of(t.btf, id), FARGS_TYPE_U32);
	id = btf__add_enum(t.btf, "result", 4);
	btf__add_enum_value(t.btf, "BAD", -1);
	CHECK_INT(type_of(t.btf, id), FARGS_TYPE_S32);
	id = btf__add_enum(t.btf, "packed", 1);
	btf__add_enum_value(t.btf, "ONE", 1);
	CHECK_INT(type_of(t.btf, id), FARGS_TYPE_U8);
	id = btf__add_enum64(t.btf, "wide", 8, false);
	btf__add_enum64_value(t.btf, "HIGH", 1ull << 40);
	CHECK_INT(type_of(t.btf, id), FARGS_TYPE_U64);
	id = btf__add_enum64(t.btf, "signed_wide", 8, true);
	CHECK_INT(type_of(t.btf, id), FARGS_TYPE_S64);
	btf__free(t.btf);
}

static void names_and_qualifiers_come_off(void)
{
	struct types t;
	int id;

	types_init(&t);
	id = btf__add_typedef(t.btf, "s32", t.int_);
	id = btf__add_const(t.btf, id);
	id = btf__add_volatile(t.btf, id);
	id = btf__add_typedef(t.btf, "mine", id);
	CHECK_INT(type_of(t.btf, id), FARGS_TYPE_S32);
	id = btf__add_ptr(t.btf, btf__add_type_tag(t.btf, "user", t.char_));
	id = btf__add_restrict(t.btf, id);
	CHECK_INT(type_of(t.btf, id), FARGS_TYPE_PTR);
	btf__free(t.btf);
}

static void typedef_of_char_is_char(void)
{
	struct types t;

	types_init(&t);
	CHECK_INT(type_of(t.btf, btf__add_typedef(t.btf, "letter", t.char_)), FARGS_TYPE_CHAR);
	btf__free(t.btf);
}

static void unnamed_get_numbers(void)
{
	struct fargs_layouts layouts = { };
	enum fargs_refusal why;
	struct types t;
	int proto;

	types_init(&t);
	proto = btf__add_func_proto(t.btf, 0);
	btf__add_func_param(t.btf, "x", t.int_);
	btf__add_func_param(t.btf, "", t.int_);
	fargs_layout_compile(&layouts, t.btf, btf__add_func(t.btf, "f", BTF_FUNC_STATIC, proto),
			     ADDR, &why);
	REQUIRE(!why);
	CHECK_STR((char *)layouts.data + 64 + 16 + 11, "arg2");
	fargs_layouts_deinit(&layouts);
	btf__free(t.btf);
}

/*
 * Returns where the function's arguments come from, in the order of its stores: r0 is rdi, and s0
 * is the slot above the return address. Returns the reason if the function is refused.
 */
static const char *places_of(struct btf *b, int func)
{
	static char text[512];
	struct fargs_layouts layouts = { };
	struct fargs_layout layout;
	enum fargs_refusal why;
	char *to = text;
	int i;

	fargs_layout_compile(&layouts, b, func, ADDR, &why);
	if (why)
		return fargs_refusal_word(why);
	memcpy(&layout, layouts.data, sizeof(layout));
	*to = '\0';
	for (i = 0; i < layout.nr_stores; i++) {
		const unsigned char *store = layouts.data + sizeof(layout) + 8 * i;

		to += sprintf(to, "%s%c%d", i ? " " : "",
			      store[2] == FARGS_SOURCE_REG ? 'r' : 's', store[3]);
	}
	fargs_layouts_deinit(&layouts);
	return text;
}

#define PLACES(t, ...)								\
	places_of((t)->btf, add_func((t)->btf, 0, (const int []) { __VA_ARGS__ },	\
				     sizeof((const int []) { __VA_ARGS__ }) / sizeof(int)))

/* Makes a struct of @nr longs. */
static int add_longs(struct types *t, int nr)
{
	int i, id = btf__add_struct(t->btf, "longs", 8 * nr);

	for (i = 0; i < nr; i++)
		btf__add_field(t->btf, "", t->s64, 64 * i, 0);
	return id;
}

static int add_s128(struct types *t)
{
	return btf__add_int(t->btf, "__int128", 16, BTF_INT_SIGNED);
}

static void seventh_is_on_the_stack(void)
{
	struct types t;
	int types[40], i;

	types_init(&t);
	for (i = 0; i < 40; i++)
		types[i] = t.int_;
	CHECK_STR(places_of(t.btf, add_func(t.btf, 0, types, 7)), "r0 r1 r2 r3 r4 r5 s0");
	CHECK_STR(places_of(t.btf, add_func(t.btf, 0, types, 12)),
		  "r0 r1 r2 r3 r4 r5 s0 s1 s2 s3 s4 s5");
	/* A layout can have 6 registers and 32 stack slots. */
	CHECK_INT(why_of(t.btf, add_func(t.btf, 0, types, 38)), FARGS_REFUSAL_NONE);
	CHECK_INT(why_of(t.btf, add_func(t.btf, 0, types, 39)), FARGS_REFUSAL_MANY);
	CHECK_INT(why_of(t.btf, add_func(t.btf, 0, types, 40)), FARGS_REFUSAL_MANY);
	btf__free(t.btf);
}

static void struct_bytes(void)
{
	/*
	 * A struct of 12 bytes as "a": name 2, type 1, length 2, data 16, end 2; 23 bytes, padded
	 * to 24.
	 */
	static const unsigned char want[] = {
		5, 0, 1, 0, 0, 0, 0, 0,
		13, 0, 1, 1, 0, 0, 0, 0,
		'a', 0, 15, 12, 0,
		0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
		0, 0, 0,
	};
	struct fargs_layouts layouts = { };
	enum fargs_refusal why;
	struct types t;
	int id;

	types_init(&t);
	id = btf__add_struct(t.btf, "s", 12);
	btf__add_field(t.btf, "x", t.int_, 0, 0);
	btf__add_field(t.btf, "y", t.int_, 32, 0);
	btf__add_field(t.btf, "z", t.int_, 64, 0);
	fargs_layout_compile(&layouts, t.btf, add_func(t.btf, 0, &id, 1), ADDR, &why);
	REQUIRE(!why && layouts.bytes == 64 + sizeof(want));
	CHECK(!memcmp(layouts.data + 64, want, sizeof(want)));
	fargs_layouts_deinit(&layouts);
	btf__free(t.btf);
}

static void small_structs_take_registers(void)
{
	struct types t;
	int one, two, three, chars;

	types_init(&t);
	chars = btf__add_array(t.btf, t.int_, t.char_, 3);
	one = add_longs(&t, 1);
	two = btf__add_typedef(t.btf, "two_t", btf__add_const(t.btf, add_longs(&t, 2)));
	three = btf__add_struct(t.btf, "three", 3);
	btf__add_field(t.btf, "c", chars, 0, 0);
	/* A struct takes one register for every eight bytes, at any position. */
	CHECK_STR(PLACES(&t, two, t.int_), "r0 r1 r2");
	CHECK_STR(PLACES(&t, t.int_, two, one, three, t.int_), "r0 r1 r2 r3 r4 r5");
	CHECK_STR(PLACES(&t, t.int_, t.int_, t.int_, t.int_, two), "r0 r1 r2 r3 r4 r5");
	btf__free(t.btf);
}

static void structs_fit_whole_or_not_at_all(void)
{
	struct types t;
	int two;

	types_init(&t);
	two = add_longs(&t, 2);
	/*
	 * r5 alone cannot hold both longs: they are on the stack, and the next argument is in r5.
	 */
	CHECK_STR(PLACES(&t, t.int_, t.int_, t.int_, t.int_, t.int_, two, t.int_, t.int_),
		  "r0 r1 r2 r3 r4 s0 s1 r5 s2");
	btf__free(t.btf);
}

static void large_structs_are_on_the_stack(void)
{
	struct types t;
	int three, odd, chars;

	types_init(&t);
	three = add_longs(&t, 3);
	chars = btf__add_array(t.btf, t.int_, t.char_, 17);
	odd = btf__add_struct(t.btf, "odd", 17);
	btf__add_field(t.btf, "c", chars, 0, 0);
	/* 17 bytes take three slots. The other arguments are in registers. */
	CHECK_STR(PLACES(&t, t.int_, three, t.int_, odd, t.int_), "r0 s0 s1 s2 r1 s3 s4 s5 r2");
	/* Structs of 31 longs and 17 bytes, or of 33 longs, take too many slots. */
	CHECK_INT(why_of(t.btf, add_func(t.btf, 0,
					 (const int []) { add_longs(&t, 31), odd }, 2)),
		  FARGS_REFUSAL_MANY);
	three = add_longs(&t, 33);
	CHECK_INT(why_of(t.btf, add_func(t.btf, 0, &three, 1)), FARGS_REFUSAL_MANY);
	three = btf__add_struct(t.btf, "vast", 0xffffffff);
	CHECK_INT(why_of(t.btf, add_func(t.btf, 0, &three, 1)), FARGS_REFUSAL_MANY);
	btf__free(t.btf);
}

static void packed_structs_are_on_the_stack(void)
{
	struct types t;
	int packed, nested, tight, one;

	types_init(&t);
	one = add_longs(&t, 1);
	/* Test a long at byte 1, directly and in a nested struct. */
	packed = btf__add_struct(t.btf, "packed", 9);
	btf__add_field(t.btf, "c", t.char_, 0, 0);
	btf__add_field(t.btf, "l", t.s64, 8, 0);
	nested = btf__add_struct(t.btf, "nested", 9);
	btf__add_field(t.btf, "c", t.char_, 64, 0);
	btf__add_field(t.btf, "in", one, 0, 0);
	/* A packed struct without misaligned members: 5 bytes in one register. */
	tight = btf__add_struct(t.btf, "tight", 5);
	btf__add_field(t.btf, "i", t.int_, 0, 0);
	btf__add_field(t.btf, "c", t.char_, 32, 0);
	CHECK_STR(PLACES(&t, t.int_, packed, t.int_), "r0 s0 s1 r1");
	CHECK_STR(PLACES(&t, nested, tight), "r0 r1 r2");
	nested = btf__add_struct(t.btf, "moved", 9);
	btf__add_field(t.btf, "c", t.char_, 0, 0);
	btf__add_field(t.btf, "in", one, 8, 0);
	CHECK_STR(PLACES(&t, nested, tight), "s0 s1 r0");
	btf__free(t.btf);
}

static void unions_and_bitfields_are_integers(void)
{
	struct types t;
	int both, bits, in, outer, two;

	types_init(&t);
	two = add_longs(&t, 2);
	both = btf__add_union(t.btf, "both", 16);
	btf__add_field(t.btf, "c", t.char_, 0, 0);
	btf__add_field(t.btf, "two", two, 0, 0);
	/* Test two bitfields of 30 and 33 bits in one long. */
	bits = btf__add_struct(t.btf, "bits", 8);
	btf__add_field(t.btf, "low", t.s64, 0, 30);
	btf__add_field(t.btf, "high", t.s64, 30, 33);
	/* Test an anonymous member, and a separate bitfield of 7 bits. */
	in = btf__add_struct(t.btf, NULL, 8);
	btf__add_field(t.btf, "l", t.s64, 0, 0);
	outer = btf__add_struct(t.btf, "outer", 16);
	btf__add_field(t.btf, NULL, in, 0, 0);
	btf__add_field(t.btf, "i", t.int_, 64, 7);
	CHECK_STR(PLACES(&t, both, bits, outer), "r0 r1 r2 r3 r4");
	btf__free(t.btf);
}

static void int128_takes_two_registers(void)
{
	struct types t;
	int wide, unwide, two;

	types_init(&t);
	wide = add_s128(&t);
	unwide = btf__add_int(t.btf, "__int128 unsigned", 16, 0);
	two = add_longs(&t, 2);
	CHECK_INT(type_of(t.btf, wide), FARGS_TYPE_S128);
	CHECK_INT(type_of(t.btf, unwide), FARGS_TYPE_U128);
	/* A 128-bit integer can use any two adjacent registers. */
	CHECK_STR(PLACES(&t, t.int_, wide, t.int_), "r0 r1 r2 r3");
	/*
	 * r5 alone cannot hold 128 bits. On the stack, the first slot must be even: s0, then s4
	 * after a struct in between.
	 */
	CHECK_STR(PLACES(&t, t.int_, wide, two, wide, t.int_, t.int_, wide),
		  "r0 r1 r2 r3 r4 s0 s1 r5 s2 s4 s5");
	btf__free(t.btf);
}

static void struct_of_int128_is_aligned(void)
{
	struct types t;
	int s128, wide, tight, packed;

	types_init(&t);
	s128 = add_s128(&t);
	wide = btf__add_struct(t.btf, "wide", 32);
	btf__add_field(t.btf, "w", s128, 0, 0);
	btf__add_field(t.btf, "x", t.char_, 128, 0);
	/* After three slots, one is left free for an alignment of 16. */
	CHECK_STR(PLACES(&t, add_longs(&t, 3), wide), "s0 s1 s2 s4 s5 s6 s7");
	/*
	 * A struct with 15 bytes of padding is not packed. A struct of 16 bytes may be packed, so
	 * its slot could be s3 or s4.
	 */
	tight = btf__add_struct(t.btf, "tight", 16);
	btf__add_field(t.btf, "w", s128, 0, 0);
	CHECK_INT(why_of(t.btf, add_func(t.btf, 0, (const int []) {
			add_longs(&t, 3), t.int_, t.int_, t.int_, t.int_, t.int_, tight }, 7)),
		  FARGS_REFUSAL_ALIGNMENT);
	/* A struct of 24 bytes cannot be aligned to 16, so it must be packed. */
	packed = btf__add_struct(t.btf, "wide_packed", 24);
	btf__add_field(t.btf, "w", s128, 0, 0);
	btf__add_field(t.btf, "x", t.s64, 128, 0);
	CHECK_STR(PLACES(&t, add_longs(&t, 3), packed), "s0 s1 s2 s3 s4 s5");
	btf__free(t.btf);
}

static void unknown_alignment_is_refused(void)
{
	struct types t;
	int three, four, six;

	types_init(&t);
	three = add_longs(&t, 3);
	four = add_longs(&t, 4);
	six = add_longs(&t, 6);
	/*
	 * BTF does not describe aligned(N), but the size is a multiple of N: a struct of 24 bytes
	 * can have an alignment of 8; of 48 bytes 8 or 16; of 32 bytes 8, 16 or 32. If all of them
	 * lead to the same slot, the slot is certain.
	 */
	CHECK_STR(PLACES(&t, three, three), "s0 s1 s2 s3 s4 s5");
	CHECK_STR(PLACES(&t, four, six), "s0 s1 s2 s3 s4 s5 s6 s7 s8 s9");
	CHECK_INT(why_of(t.btf, add_func(t.btf, 0, (const int []) { three, six }, 2)),
		  FARGS_REFUSAL_ALIGNMENT);
	CHECK_INT(why_of(t.btf, add_func(t.btf, 0, (const int []) { six, four }, 2)),
		  FARGS_REFUSAL_ALIGNMENT);
	/* A struct in two registers needs no alignment. */
	CHECK_STR(PLACES(&t, three, add_longs(&t, 2), three), "s0 s1 s2 r0 r1 s3 s4 s5");
	btf__free(t.btf);
}

static void unknown_bytes_are_refused(void)
{
	struct types t;
	int id, none;

	types_init(&t);
	none = btf__add_array(t.btf, t.int_, t.int_, 0);
	/* Padding due to aligned(16) takes no register, but an unnamed bitfield does. */
	id = btf__add_struct(t.btf, "hole", 16);
	btf__add_field(t.btf, "x", t.s64, 0, 0);
	CHECK_INT(why_of(t.btf, add_func(t.btf, 0, &id, 1)), FARGS_REFUSAL_AGGREGATE);
	id = btf__add_union(t.btf, "transparent", 8);
	CHECK_INT(why_of(t.btf, add_func(t.btf, 0, &id, 1)), FARGS_REFUSAL_AGGREGATE);
	/* int y[0] at byte 2 would move the struct to memory, but int y[] would not. */
	id = btf__add_struct(t.btf, "tail", 2);
	btf__add_field(t.btf, "x", t.s16, 0, 0);
	btf__add_field(t.btf, "y", none, 16, 0);
	CHECK_INT(why_of(t.btf, add_func(t.btf, 0, &id, 1)), FARGS_REFUSAL_AGGREGATE);
	btf__free(t.btf);
}

static void empty_structs_take_no_place(void)
{
	struct types t;
	int empty, key, flex, none;

	types_init(&t);
	none = btf__add_array(t.btf, t.int_, t.s64, 0);
	empty = btf__add_struct(t.btf, "empty", 0);
	key = btf__add_struct(t.btf, "key", 0);
	btf__add_field(t.btf, "none", none, 0, 0);
	flex = btf__add_struct(t.btf, "flex", 8);
	btf__add_field(t.btf, "n", t.s64, 0, 0);
	btf__add_field(t.btf, "v", none, 64, 0);
	CHECK_STR(PLACES(&t, empty, t.int_, key, flex, t.int_), "r0 r1 r2");
	btf__free(t.btf);
}

static void arrays_and_functions_are_pointers(void)
{
	struct types t;
	int id;

	types_init(&t);
	id = btf__add_array(t.btf, t.int_, t.int_, 4);
	CHECK_INT(type_of(t.btf, id), FARGS_TYPE_PTR);
	CHECK_STR(PLACES(&t, id, t.int_), "r0 r1");
	id = btf__add_ptr(t.btf, btf__add_func_proto(t.btf, t.int_));
	CHECK_INT(type_of(t.btf, id), FARGS_TYPE_PTR);
	btf__free(t.btf);
}

static void varargs_have_their_fixed_part(void)
{
	struct types t;
	int proto;

	types_init(&t);
	proto = btf__add_func_proto(t.btf, t.int_);
	btf__add_func_param(t.btf, "level", t.int_);
	btf__add_func_param(t.btf, "fmt", t.void_ptr);
	btf__add_func_param(t.btf, NULL, 0);
	CHECK_STR(places_of(t.btf, btf__add_func(t.btf, "printk", BTF_FUNC_GLOBAL, proto)),
		  "r0 r1");
	btf__free(t.btf);
}

static void floats_are_refused(void)
{
	struct types t;
	int id, f;

	types_init(&t);
	f = btf__add_float(t.btf, "double", 8);
	CHECK_INT(why_of(t.btf, add_func(t.btf, 0, (const int []) { t.int_, f }, 2)),
		  FARGS_REFUSAL_FLOAT);
	id = btf__add_struct(t.btf, "point", 16);
	btf__add_field(t.btf, "x", t.s64, 0, 0);
	btf__add_field(t.btf, "y", f, 64, 0);
	CHECK_INT(why_of(t.btf, add_func(t.btf, 0, &id, 1)), FARGS_REFUSAL_FLOAT);
	/* Old encoders, which had no BTF_KIND_FLOAT, described floating-point types as integers. */
	id = btf__add_int(t.btf, "double", 8, 0);
	CHECK_INT(why_of(t.btf, add_func(t.btf, 0, &id, 1)), FARGS_REFUSAL_FLOAT);
	btf__free(t.btf);
}

static int first_register(struct btf *b, int ret)
{
	struct fargs_layouts layouts = { };
	enum fargs_refusal why;
	int param = btf__add_ptr(b, 0);
	int reg;

	fargs_layout_compile(&layouts, b, add_func(b, ret, &param, 1), ADDR, &why);
	reg = why ? -1 : layouts.data[64 + 3];
	fargs_layouts_deinit(&layouts);
	return reg;
}

static void large_return_takes_rdi(void)
{
	struct types t;
	int large, fits, packed, array, ints;

	types_init(&t);
	ints = btf__add_array(t.btf, t.int_, t.int_, 3);
	large = add_longs(&t, 3);
	fits = btf__add_struct(t.btf, "fits", 16);
	btf__add_field(t.btf, "a", t.s64, 0, 0);
	btf__add_field(t.btf, "b", t.int_, 64, 0);
	packed = btf__add_struct(t.btf, "packed", 9);
	btf__add_field(t.btf, "a", t.char_, 0, 0);
	btf__add_field(t.btf, "b", t.s64, 8, 0);
	array = btf__add_struct(t.btf, "array", 12);
	btf__add_field(t.btf, "a", ints, 0, 0);
	CHECK_INT(first_register(t.btf, 0), 0);
	CHECK_INT(first_register(t.btf, t.s64), 0);
	CHECK_INT(first_register(t.btf, add_s128(&t)), 0);
	CHECK_INT(first_register(t.btf, large), 1);
	CHECK_INT(first_register(t.btf, btf__add_typedef(t.btf, "large_t", large)), 1);
	CHECK_INT(first_register(t.btf, fits), 0);
	CHECK_INT(first_register(t.btf, packed), 1);
	CHECK_INT(first_register(t.btf, array), 0);
	btf__free(t.btf);
}

static void sixth_behind_a_large_return_is_on_the_stack(void)
{
	struct types t;
	int types[6], i;

	types_init(&t);
	for (i = 0; i < 6; i++)
		types[i] = t.int_;
	CHECK_STR(places_of(t.btf, add_func(t.btf, add_longs(&t, 3), types, 6)),
		  "r1 r2 r3 r4 r5 s0");
	btf__free(t.btf);
}

static void structs_that_contain_themselves_are_refused(void)
{
	struct types t;
	int id, i;

	types_init(&t);
	id = btf__add_struct(t.btf, "self", 16);
	for (i = 0; i < 1000; i++)
		btf__add_field(t.btf, "x", id, 0, 0);
	CHECK_INT(why_of(t.btf, add_func(t.btf, 0, &id, 1)), FARGS_REFUSAL_MALFORMED);
	/* Nested structs with 1000 members each: the compiler must not visit all members. */
	id = t.char_;
	for (i = 0; i < 20; i++) {
		int in = id, j;

		id = btf__add_struct(t.btf, "many", 16);
		for (j = 0; j < 1000; j++)
			btf__add_field(t.btf, "x", in, 0, 0);
	}
	CHECK_INT(why_of(t.btf, add_func(t.btf, 0, &id, 1)), FARGS_REFUSAL_MALFORMED);
	id = btf__add_array(t.btf, t.int_, btf__type_cnt(t.btf), 3);
	i = btf__add_struct(t.btf, "round", 16);
	btf__add_field(t.btf, "x", id, 0, 0);
	CHECK_INT(why_of(t.btf, add_func(t.btf, 0, &i, 1)), FARGS_REFUSAL_MALFORMED);
	btf__free(t.btf);
}

static void nonsense_is_refused(void)
{
	struct types t;
	int id;

	types_init(&t);
	/*
	 * Test malformed functions: a type that is not a function, a type that does not exist, a
	 * cyclic type, a forward declaration, a function by value.
	 */
	CHECK_INT(why_of(t.btf, t.int_), FARGS_REFUSAL_MALFORMED);
	CHECK_INT(why_of(t.btf, 100000), FARGS_REFUSAL_MALFORMED);
	id = btf__add_typedef(t.btf, "round", btf__type_cnt(t.btf));
	CHECK_INT(why_of(t.btf, add_func(t.btf, 0, &id, 1)), FARGS_REFUSAL_MALFORMED);
	id = btf__add_fwd(t.btf, "opaque", BTF_FWD_STRUCT);
	CHECK_INT(why_of(t.btf, add_func(t.btf, 0, &id, 1)), FARGS_REFUSAL_MALFORMED);
	id = btf__add_func_proto(t.btf, 0);
	CHECK_INT(why_of(t.btf, add_func(t.btf, 0, &id, 1)), FARGS_REFUSAL_MALFORMED);
	btf__free(t.btf);
}

static void overlong_names_are_refused(void)
{
	struct types t;
	char name[4000];
	int proto;

	types_init(&t);
	memset(name, 'x', sizeof(name) - 1);
	name[sizeof(name) - 1] = '\0';
	proto = btf__add_func_proto(t.btf, 0);
	btf__add_func_param(t.btf, name, t.int_);
	CHECK_INT(why_of(t.btf, btf__add_func(t.btf, "f", BTF_FUNC_STATIC, proto)),
		  FARGS_REFUSAL_TOO_LONG);
	btf__free(t.btf);
}

static const struct ktap_test tests[] = {
	{ "two arguments have the expected layout", two_arguments },
	{ "no arguments give an empty body", no_arguments },
	{ "the body is padded to a multiple of 8 with zeroes", body_is_padded },
	{ "layouts follow each other without a gap", layouts_follow_each_other },
	{ "six arguments come from six registers in order", registers_in_order },
	{ "types of integers follow from size and sign", integers_by_size_and_sign },
	{ "bool and char have their own types", bool_and_char },
	{ "types of enums follow from size and sign", enums_by_size_and_sign },
	{ "typedefs, qualifiers and tags are skipped", names_and_qualifiers_come_off },
	{ "a typedef of char is a char", typedef_of_char_is_char },
	{ "unnamed arguments are numbered", unnamed_get_numbers },
	{ "a seventh argument is on the stack, a 39th is refused", seventh_is_on_the_stack },
	{ "a struct by value has the expected layout", struct_bytes },
	{ "structs up to 16 bytes take registers", small_structs_take_registers },
	{ "a struct is in registers as a whole or not at all", structs_fit_whole_or_not_at_all },
	{ "structs above 16 bytes are on the stack", large_structs_are_on_the_stack },
	{ "structs with misaligned members are on the stack", packed_structs_are_on_the_stack },
	{ "unions, bitfields and anonymous members take registers",
	  unions_and_bitfields_are_integers },
	{ "128 bits take two registers or two aligned slots", int128_takes_two_registers },
	{ "a struct with 128 bits is aligned like them", struct_of_int128_is_aligned },
	{ "an offset that depends on an unknown alignment is refused",
	  unknown_alignment_is_refused },
	{ "structs with eight unknown bytes are refused", unknown_bytes_are_refused },
	{ "empty structs take no place", empty_structs_take_no_place },
	{ "arrays and functions are pointers", arrays_and_functions_are_pointers },
	{ "variadic functions have their fixed arguments", varargs_have_their_fixed_part },
	{ "floats are refused, also in structs", floats_are_refused },
	{ "a struct returned in memory takes rdi", large_return_takes_rdi },
	{ "the sixth argument is on the stack if rdi is the return buffer",
	  sixth_behind_a_large_return_is_on_the_stack },
	{ "structs that contain themselves or are too deep are refused",
	  structs_that_contain_themselves_are_refused },
	{ "invalid BTF is refused", nonsense_is_refused },
	{ "a record that would be too long is refused", overlong_names_are_refused },
};

int main(void)
{
	return KTAP_RUN(tests);
}
