// SPDX-License-Identifier: GPL-2.0-only
/* Tests structs and unions by value, with BTF and bytes written by hand, some of them malicious. */
#include "sink/text/aggregate.h"

#include <locale.h>
#include <stdlib.h>

#include "model/types.h"
#include "unit/bytes.h"
#include "unit/ktap.h"

static struct btf *btf;
static uint32_t t_int, t_u8, t_u16, t_u32, t_u64, t_char, t_bool;

static const char *text_of(uint32_t id, const void *data, uint32_t bytes)
{
	static char text[FARGS_SPAN_MAX + 1];
	struct fargs_arg arg = {
		.val = { .name = "x", .type = FARGS_TYPE_BYTES, .bytes = bytes },
		.btf = btf,
		.btf_id = id,
		.base_id = fargs_types_base(btf, id),
	};
	struct fargs_span span;
	/* of exact size, so that a sanitizer detects accesses beyond the end */
	void *copy = malloc(bytes ? bytes : 1);

	memcpy(copy, data, bytes);
	arg.val.data = copy;
	arg.shape = fargs_types_shape(btf, arg.base_id);
	fargs_aggregate_text(&span, NULL, &arg);
	free(copy);
	memcpy(text, span.text, span.n);
	text[span.n] = 0;
	return text;
}

#define TEXT(id, ...) text_of(id, (const uint8_t[]){ __VA_ARGS__ }, \
			      sizeof((const uint8_t[]){ __VA_ARGS__ }))

static uint32_t struct_of(uint32_t bytes)
{
	return btf__add_struct(btf, NULL, bytes);
}

static void field(const char *name, uint32_t type, uint32_t bit)
{
	btf__add_field(btf, name, type, bit, 0);
}

static void bitfield(const char *name, uint32_t type, uint32_t bit, uint32_t bits)
{
	btf__add_field(btf, name, type, bit, bits);
}

/* Makes a struct whose only member is "a", at offset 0. */
static uint32_t struct_around(uint32_t type, uint32_t bytes)
{
	uint32_t id = struct_of(bytes);

	field("a", type, 0);
	return id;
}

static void prints_members(void)
{
	uint32_t inner, outer, id;

	inner = struct_of(4);
	field("x", t_u16, 0);
	field("y", t_u8, 16);
	id = btf__add_volatile(btf, btf__add_const(btf, t_int));
	outer = struct_of(16);
	field("a", id, 0);
	field("b", inner, 32);
	field("c", t_u64, 64);
	CHECK_STR(TEXT(outer, B32(-2), B16(0xfffe), 3, 0xaa, B64(-1)),
		  "{.a=-2, .b={.x=65534, .y=3}, .c=18446744073709551615}");
	CHECK_STR(TEXT(btf__add_typedef(btf, "o_t", btf__add_const(btf, outer)), B32(1), B32(2),
		       B64(3)), "{.a=1, .b={.x=2, .y=0}, .c=3}");
}

static void prints_all_members_of_unions(void)
{
	uint32_t both = btf__add_union(btf, "both", 4), outer;

	field("i", t_int, 0);
	field("u", t_u8, 0);
	CHECK_STR(TEXT(both, B32(-1)), "{.i=-1, .u=255}");
	outer = struct_of(8);
	field("n", t_int, 0);
	field("b", both, 32);
	CHECK_STR(TEXT(outer, B32(7), B32(258)), "{.n=7, .b={.i=258, .u=2}}");
}

static void flattens_anonymous_members(void)
{
	uint32_t deep, deep_t, mid, outer;

	deep = struct_of(4);
	field("p", t_u16, 0);
	field("q", t_u16, 16);
	deep_t = btf__add_typedef(btf, "deep_t", deep);
	mid = btf__add_union(btf, NULL, 4);
	field(NULL, deep, 0);
	field("all", t_u32, 0);
	outer = struct_of(12);
	field(NULL, mid, 0);
	field("z", t_int, 32);
	field(NULL, deep_t, 64);
	CHECK_STR(TEXT(outer, B16(1), B16(2), B32(3), B16(4), B16(5)),
		  "{.p=1, .q=2, .all=131073, .z=3, .p=4, .q=5}");
}

static void prints_bitfields(void)
{
	uint32_t id = struct_of(8);

	field("whole", t_u8, 0);
	bitfield("lo", t_u32, 8, 3);
	bitfield("s", t_int, 11, 5);
	bitfield(NULL, t_int, 16, 2);
	bitfield("wide", t_u32, 18, 31);
	bitfield("flag", t_bool, 49, 1);
	/*
	 * The bytes: 0xfe; 3 bits 101, 5 bits 10000; 2 bits of padding, 31 bits 0x40000001, one bit
	 * 1.
	 */
	CHECK_STR(TEXT(id, 0xfe, 0x85, B32(3 | 0x40000001ull << 2),
		       (uint8_t)(0x40000001ull << 2 >> 32) | 2, 0),
		  "{.whole=254, .lo=5, .s=-16, .wide=1073741825, .flag=true}");
}

static void prints_bitfields_of_integer_types(void)
{
	uint32_t bits3, bits5, id;
	struct btf_type *t;

	/* Without kflag, the integer type has the width of the bitfield, and may have an offset. */
	bits3 = btf__add_int(btf, "int", 4, BTF_INT_SIGNED);
	t = (struct btf_type *)btf__type_by_id(btf, bits3);
	*(uint32_t *)(t + 1) = BTF_INT_SIGNED << 24 | 3;
	bits5 = btf__add_int(btf, "unsigned int", 4, 0);
	t = (struct btf_type *)btf__type_by_id(btf, bits5);
	*(uint32_t *)(t + 1) = 3 << 16 | 5;
	id = struct_of(4);
	field("a", bits3, 0);
	field("b", bits5, 0);
	field("c", t_u8, 8);
	CHECK_STR(TEXT(id, 0x8e, 9, 0, 0), "{.a=-2, .b=17, .c=9}");
}

static void prints_arrays(void)
{
	uint32_t two = btf__add_array(btf, t_int, t_u16, 2);

	CHECK_STR(TEXT(struct_around(btf__add_array(btf, t_int, t_int, 3), 12), B32(1), B32(-2),
		       B32(3)), "{.a={1, -2, 3}}");
	CHECK_STR(TEXT(struct_around(btf__add_array(btf, t_int, two, 2), 8), B16(1), B16(2),
		       B16(3), B16(4)), "{.a={{1, 2}, {3, 4}}}");
	CHECK_STR(TEXT(struct_around(btf__add_array(btf, t_int, t_int, 0), 1), 0), "{.a={}}");
}

static void prints_char_arrays_as_strings(void)
{
	uint32_t id = struct_around(btf__add_array(btf, t_int, t_char, 6), 6);

	CHECK_STR(TEXT(id, 'a', '"', '\\', 'b', 0, 1), "{.a=\"a\\\"\\\\b\"}");
	CHECK_STR(TEXT(id, 'a', 'b', 'c', 'd', 'e', 'f'), "{.a=\"abcdef\"}");
	CHECK_STR(TEXT(id, 0, 'b', 'c', 'd', 'e', 'f'), "{.a=\"\"}");
	CHECK_STR(TEXT(id, 'a', 1, 0xff, 0, 0, 0), "{.a={97, 1, -1, 0, 0, 0}}");
	id = struct_around(btf__add_array(btf, t_int, t_u8, 2), 2);
	CHECK_STR(TEXT(id, 'a', 'b'), "{.a={97, 98}}");
}

static void prints_scalars(void)
{
	uint32_t s128 = btf__add_int(btf, "__int128", 16, BTF_INT_SIGNED);
	uint32_t u128 = btf__add_int(btf, "unsigned __int128", 16, 0);
	uint32_t ptr = btf__add_ptr(btf, t_int);
	uint32_t func = btf__add_ptr(btf, btf__add_func_proto(btf, 0));
	uint32_t real = btf__add_float(btf, "float", 4);
	uint32_t id = struct_of(40);

	field("p", ptr, 0);
	field("f", func, 64);
	field("c", t_char, 128);
	field("d", t_char, 136);
	field("t", t_bool, 144);
	field("e", t_bool, 152);
	field("r", real, 160);
	field("u", u128, 192);
	CHECK_STR(TEXT(id, B64(0xffff888000001000), B64(0), '\'', 0x80, 2, 0, 0, 0, 0x80, 0x3f,
		       B64(-1), B64(-1)),
		  "{.p=0xffff888000001000, .f=0x0, .c='\\'', .d=-128, .t=true, .e=false, .r={00 00 80 3f}, .u=340282366920938463463374607431768211455}");
	id = struct_around(s128, 16);
	CHECK_STR(TEXT(id, B64(0), B64(1ull << 63)),
		  "{.a=-170141183460469231731687303715884105728}");
	CHECK_STR(TEXT(id, B64(-5), B64(-1)), "{.a=-5}");
	id = struct_of(16);
	bitfield("b", u128, 4, 100);
	CHECK_STR(TEXT(id, B64(-1), B64(-1)), "{.b=1267650600228229401496703205375}");
}

static void prints_enums(void)
{
	uint32_t color, mode, wide, id;

	color = btf__add_enum(btf, "color", 4);
	btf__add_enum_value(btf, "RED", 0);
	btf__add_enum_value(btf, "BLUE", -2);
	mode = btf__add_enum(btf, "mode", 4);
	btf__add_enum_value(btf, "READ", 1);
	btf__add_enum_value(btf, "WRITE", 2);
	btf__add_enum_value(btf, "BOTH", 3);
	btf__add_enum_value(btf, "EXEC", 8);
	wide = btf__add_enum64(btf, "wide", 8, false);
	btf__add_enum64_value(btf, "TOP", 1ull << 63);
	id = struct_of(16);
	field("c", color, 0);
	field("m", mode, 32);
	field("w", wide, 64);
	CHECK_STR(TEXT(id, B32(-2), B32(3), B64(1ull << 63)), "{.c=BLUE, .m=BOTH, .w=TOP}");
	CHECK_STR(TEXT(id, B32(-3), B32(9), B64(-1)),
		  "{.c=-3, .m=READ|EXEC, .w=18446744073709551615}");
	CHECK_STR(TEXT(id, B32(0), B32(0x42), B64(0)), "{.c=RED, .m=WRITE|0x40, .w=0}");
	CHECK_STR(TEXT(id, B32(0), B32(0x40), B64(0)), "{.c=RED, .m=0x40, .w=0}");
	CHECK_STR(TEXT(id, B32(0), B32(0), B64(0)), "{.c=RED, .m=0, .w=0}");
	id = struct_of(1);
	bitfield("m", mode, 0, 4);
	bitfield("c", color, 4, 2);
	CHECK_STR(TEXT(id, 0x2b), "{.m=READ|WRITE|EXEC, .c=BLUE}");
}

static void prints_empty_structs(void)
{
	CHECK_STR(text_of(struct_of(0), "", 0), "{}");
	CHECK_STR(TEXT(struct_around(struct_of(0), 1), 0), "{.a={}}");
}

static void prints_other_sizes_as_bytes(void)
{
	uint32_t id = struct_around(t_int, 4);

	CHECK_STR(TEXT(id, 1, 2, 0xff), "{01 02 ff}");
	CHECK_STR(TEXT(id, 1, 0, 0, 0, 0), "{01 00 00 00 00}");
	CHECK_STR(TEXT(t_int, 1, 0, 0, 0), "{01 00 00 00}");
	CHECK_STR(TEXT(0, 1), "{01}");
}

static void cuts_long_texts(void)
{
	static const uint8_t zeros[1024];
	uint32_t inner = struct_around(btf__add_array(btf, t_int, t_u8, 1000), 1000), id;
	const char *text, *at;
	char want[300];
	size_t n;

	id = struct_around(inner, 1000);
	text = text_of(id, zeros, 1000);
	n = strlen(text);
	CHECK(n > 252 && n <= 256);
	CHECK(!strncmp(text, "{.a={.a={0, 0, 0, ", 18));
	CHECK_STR(text + n - 11, ", 0, …}}}");

	/* Test a string that just fits, and one that is a byte longer. */
	n = 256 - strlen("{.a=\"\"}");
	memset(want, 'y', sizeof(want));
	CHECK_INT(strlen(text_of(struct_around(btf__add_array(btf, t_int, t_char, n), n), want,
				 n)), 256);
	n++;
	text = text_of(struct_around(btf__add_array(btf, t_int, t_char, n), n), want, n);
	CHECK_INT(strlen(text), 256);
	at = strchr(text, '"');
	CHECK_STR(strchr(at + 1, '"'), "\"…}");

	memset(want, 'n', sizeof(want));
	want[260] = 0;
	id = struct_of(4);
	field(want, t_int, 0);
	CHECK_STR(TEXT(id, B32(1)), "{…}");
}

static void cuts_long_bytes(void)
{
	static const uint8_t zeros[100];
	const char *text;

	CHECK_INT(strlen(text_of(0, zeros, 85)), 256);
	text = text_of(0, zeros, 86);
	CHECK_INT(strlen(text), 254);
	CHECK_STR(text + 240, " 00 00 00 …}");
}

static void cuts_between_characters(void)
{
	char data[300];
	const char *text;
	size_t i;

	if (!setlocale(LC_CTYPE, "C.UTF-8")) {
		ktap_skip("there is no locale C.UTF-8");
		return;
	}
	for (i = 0; i < sizeof(data); i += 3)
		memcpy(data + i, "€", 3);
	text = text_of(struct_around(btf__add_array(btf, t_int, t_char, 300), 300), data, 300);
	CHECK(!strncmp(text, "{.a=\"€€€", 14));
	CHECK_STR(text + strlen(text) - 11, "€€\"…}");
	CHECK_INT((strlen(text) - strlen("{.a=\"\"…}")) % 3, 0);
	CHECK(mbstowcs(NULL, text, 0) != (size_t)-1);
	setlocale(LC_CTYPE, "C");
}

static void escapes_names(void)
{
	uint32_t id = btf__add_struct(btf, NULL, 1);

	field("a\033[2J\n", t_u8, 0);
	CHECK(!strpbrk(TEXT(id, 1), "\033\n"));
}

static void refuses_members_outside(void)
{
	uint32_t big = struct_around(t_u64, 8), id;

	id = struct_of(4);
	field("a", t_int, 8);
	CHECK_STR(TEXT(id, 1, 2, 3, 4), "{01 02 03 04}");
	id = struct_of(4);
	field("a", big, 0);
	CHECK_STR(TEXT(id, 1, 2, 3, 4), "{01 02 03 04}");
	id = struct_of(4);
	field(NULL, big, 0);
	CHECK_STR(TEXT(id, 1, 2, 3, 4), "{01 02 03 04}");
	id = struct_of(4);
	bitfield("a", t_u32, 31, 2);
	CHECK_STR(TEXT(id, 1, 2, 3, 4), "{01 02 03 04}");
	id = struct_of(4);
	field("a", t_u8, 0xfffffff8);
	CHECK_STR(TEXT(id, 1, 2, 3, 4), "{01 02 03 04}");
	id = struct_of(4);
	bitfield("a", t_u8, 0, 9);
	CHECK_STR(TEXT(id, 1, 2, 3, 4), "{01 02 03 04}");
	/* The member is inside the whole value, but outside its own struct. */
	big = struct_of(1);
	field("b", t_u16, 0);
	CHECK_STR(TEXT(struct_around(big, 4), 1, 2, 3, 4), "{01 02 03 04}");
}

static void refuses_huge_arrays(void)
{
	uint32_t huge = btf__add_array(btf, t_int, t_int, UINT32_MAX);
	uint32_t nothings = btf__add_array(btf, t_int, struct_of(0), UINT32_MAX);
	const char *text;

	CHECK_STR(TEXT(struct_around(huge, 4), 1, 2, 3, 4), "{01 02 03 04}");
	huge = btf__add_array(btf, t_int, huge, UINT32_MAX);
	CHECK_STR(TEXT(struct_around(huge, 4), 1, 2, 3, 4), "{01 02 03 04}");
	huge = btf__add_array(btf, t_int, t_char, 5);
	CHECK_STR(TEXT(struct_around(huge, 4), 1, 2, 3, 4), "{01 02 03 04}");
	/* Elements of size 0 fit, but the text is cut. */
	text = TEXT(struct_around(nothings, 4), 1, 2, 3, 4);
	CHECK_STR(text + strlen(text) - 11, "{}, {…}}}");
}

static void refuses_loops(void)
{
	uint32_t next = btf__type_cnt(btf), i;

	btf__add_typedef(btf, "a_t", next + 1);
	btf__add_typedef(btf, "b_t", next);
	CHECK_STR(TEXT(struct_around(next, 1), 1), "{01}");

	next = struct_of(1);
	field("a", next, 0);
	CHECK_STR(TEXT(next, 1), "{01}");

	/* Nest anonymous members: they produce no text, but there are too many paths to visit. */
	next = struct_of(1);
	for (i = 0; i < 1000; i++)
		field(NULL, next, 0);
	CHECK_STR(TEXT(next, 1), "{01}");
	next = struct_of(0);
	for (i = 0; i < 4; i++) {
		uint32_t outer = struct_of(0), j;

		for (j = 0; j < 1000; j++)
			field(NULL, next, 0);
		next = outer;
	}
	CHECK_STR(TEXT(struct_around(next, 1), 1), "{01}");
}

static void refuses_types_without_value(void)
{
	uint32_t proto = btf__add_func_proto(btf, 0), ptr, id;
	struct btf_type *t;

	CHECK_STR(TEXT(struct_around(0, 1), 1), "{01}");
	CHECK_STR(TEXT(struct_around(proto, 1), 1), "{01}");
	CHECK_STR(TEXT(struct_around(btf__add_fwd(btf, "fwd", BTF_FWD_STRUCT), 1), 1), "{01}");
	CHECK_STR(TEXT(struct_around(1234567, 1), 1), "{01}");
	id = btf__add_enum(btf, NULL, 4);
	t = (struct btf_type *)btf__type_by_id(btf, id);
	t->size = 0x20000001;
	CHECK_STR(TEXT(struct_around(id, 1), 1), "{01}");
	t->size = 0;
	CHECK_STR(TEXT(struct_around(id, 1), 1), "{01}");
	id = btf__add_int(btf, "odd", 1, 0);
	t = (struct btf_type *)btf__type_by_id(btf, id);
	*(uint32_t *)(t + 1) = 255 << 16 | 255;
	t = (struct btf_type *)btf__type_by_id(btf, id);
	CHECK_STR(TEXT(struct_around(id, 1), 1), "{01}");
	ptr = btf__add_ptr(btf, t_int);
	id = struct_of(8);
	bitfield("p", ptr, 0, 8);
	CHECK_STR(TEXT(id, B64(1)), "{01 00 00 00 00 00 00 00}");
}

static const struct ktap_test tests[] = {
	{ "prints members", prints_members },
	{ "prints all members of unions", prints_all_members_of_unions },
	{ "flattens anonymous members", flattens_anonymous_members },
	{ "prints bitfields", prints_bitfields },
	{ "prints bitfields of integer types", prints_bitfields_of_integer_types },
	{ "prints arrays", prints_arrays },
	{ "prints char arrays as strings", prints_char_arrays_as_strings },
	{ "prints scalars", prints_scalars },
	{ "prints enums", prints_enums },
	{ "prints empty structs", prints_empty_structs },
	{ "prints other sizes as bytes", prints_other_sizes_as_bytes },
	{ "cuts long texts", cuts_long_texts },
	{ "cuts long bytes", cuts_long_bytes },
	{ "cuts between characters", cuts_between_characters },
	{ "escapes names", escapes_names },
	{ "refuses members outside of their struct", refuses_members_outside },
	{ "refuses huge arrays", refuses_huge_arrays },
	{ "refuses types that contain themselves", refuses_loops },
	{ "refuses types without value", refuses_types_without_value },
};

int main(void)
{
	int ret;

	btf = btf__new_empty();
	if (!btf) {
		printf("Bail out! no memory\n");
		return 1;
	}
	t_int = btf__add_int(btf, "int", 4, BTF_INT_SIGNED);
	t_u8 = btf__add_int(btf, "unsigned char", 1, 0);
	t_u16 = btf__add_int(btf, "unsigned short", 2, 0);
	t_u32 = btf__add_int(btf, "unsigned int", 4, 0);
	t_u64 = btf__add_int(btf, "unsigned long", 8, 0);
	t_char = btf__add_int(btf, "char", 1, BTF_INT_SIGNED);
	t_bool = btf__add_int(btf, "_Bool", 1, BTF_INT_BOOL);
	ret = KTAP_RUN(tests);
	btf__free(btf);
	return ret;
}
