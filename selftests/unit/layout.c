// SPDX-License-Identifier: GPL-2.0-only
/*
 * The layout compiler against BTF built here, with bytes worked out by hand.
 */
#include <stdlib.h>

#include <bpf/btf.h>

#include "layout/compile.h"
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

/* A function returning @ret with @nr parameters named a, b, c …; its id. */
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

/* The fargs_type that a single parameter of type @id gets; 0: it was refused. */
static int type_of(struct btf *b, int id)
{
	struct fargs_layouts layouts = { };
	enum fargs_refusal why;
	int type;

	fargs_layout_compile(&layouts, b, add_func(b, 0, &id, 1), ADDR, &why);
	/* Header, one store, "a", NUL. */
	type = why ? 0 : layouts.data[64 + 8 + 2];
	fargs_layouts_deinit(&layouts);
	return type;
}

static void two_arguments(void)
{
	/* "fds" takes 4 + 1 + 8 bytes, "file" 5 + 1 + 8, the end 2: 29, padded to 32 */
	static const unsigned char want[] = {
		/* size, body_len, nr_stores, flags, status, addr, ip */
		112, 0, 0, 0, 32, 0, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0,
		0x60, 0x45, 0x23, 0x81, 0xff, 0xff, 0xff, 0xff, 0, 0, 0, 0, 0, 0, 0, 0,
		0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
		0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
		/* rdi at 4 + 1, rsi at 13 + 5 + 1 */
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
	/* "a" \0 type data: 11 bytes; 5 of them and the end are 57, padded to 64. */
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
	/* 11 + 2 bytes of body, padded to 16 */
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

static void seven_are_refused(void)
{
	struct types t;
	int types[7], i;

	types_init(&t);
	for (i = 0; i < 7; i++)
		types[i] = t.int_;
	CHECK_INT(why_of(t.btf, add_func(t.btf, 0, types, 7)), FARGS_REFUSAL_MANY);
	btf__free(t.btf);
}

static void aggregates_are_refused(void)
{
	struct types t;
	int id;

	types_init(&t);
	id = btf__add_struct(t.btf, "s", 8);
	btf__add_field(t.btf, "x", t.s64, 0, 0);
	id = btf__add_typedef(t.btf, "s_t", id);
	CHECK_INT(why_of(t.btf, add_func(t.btf, 0, &id, 1)), FARGS_REFUSAL_AGGREGATE);
	id = btf__add_union(t.btf, "u", 8);
	btf__add_field(t.btf, "x", t.s64, 0, 0);
	CHECK_INT(why_of(t.btf, add_func(t.btf, 0, &id, 1)), FARGS_REFUSAL_AGGREGATE);
	btf__free(t.btf);
}

static void wide_float_and_variable_are_refused(void)
{
	struct types t;
	int id, proto;

	types_init(&t);
	id = btf__add_int(t.btf, "__int128", 16, BTF_INT_SIGNED);
	CHECK_INT(why_of(t.btf, add_func(t.btf, 0, &id, 1)), FARGS_REFUSAL_INT128);
	id = btf__add_float(t.btf, "double", 8);
	CHECK_INT(why_of(t.btf, add_func(t.btf, 0, &id, 1)), FARGS_REFUSAL_FLOAT);
	proto = btf__add_func_proto(t.btf, t.int_);
	btf__add_func_param(t.btf, "fmt", t.void_ptr);
	btf__add_func_param(t.btf, NULL, 0);
	CHECK_INT(why_of(t.btf, btf__add_func(t.btf, "printk", BTF_FUNC_GLOBAL, proto)),
		  FARGS_REFUSAL_VARARGS);
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
	int large, fits, packed, array;

	types_init(&t);
	large = btf__add_struct(t.btf, "large", 24);
	btf__add_field(t.btf, "a", t.s64, 0, 0);
	btf__add_field(t.btf, "b", t.s64, 64, 0);
	btf__add_field(t.btf, "c", t.s64, 128, 0);
	fits = btf__add_struct(t.btf, "fits", 16);
	btf__add_field(t.btf, "a", t.s64, 0, 0);
	btf__add_field(t.btf, "b", t.int_, 64, 0);
	packed = btf__add_struct(t.btf, "packed", 9);
	btf__add_field(t.btf, "a", t.char_, 0, 0);
	btf__add_field(t.btf, "b", t.s64, 8, 0);
	array = btf__add_struct(t.btf, "array", 12);
	btf__add_field(t.btf, "a", btf__add_array(t.btf, t.int_, t.int_, 3), 0, 0);
	CHECK_INT(first_register(t.btf, 0), 0);
	CHECK_INT(first_register(t.btf, t.s64), 0);
	CHECK_INT(first_register(t.btf, large), 1);
	CHECK_INT(first_register(t.btf, btf__add_typedef(t.btf, "large_t", large)), 1);
	CHECK_INT(first_register(t.btf, fits), 0);
	CHECK_INT(first_register(t.btf, packed), 1);
	CHECK_INT(first_register(t.btf, array), 0);
	btf__free(t.btf);
}

static void six_behind_a_large_return_are_refused(void)
{
	struct types t;
	int types[6], i, large;

	types_init(&t);
	large = btf__add_struct(t.btf, "large", 24);
	for (i = 0; i < 6; i++)
		types[i] = t.int_;
	CHECK_INT(why_of(t.btf, add_func(t.btf, large, types, 6)), FARGS_REFUSAL_MANY);
	btf__free(t.btf);
}

static void nonsense_is_refused(void)
{
	struct types t;
	int id;

	types_init(&t);
	/* Not a function; no such type; a circle; nothing but a name; a function by value. */
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
	{ "two arguments give these bytes", two_arguments },
	{ "no arguments give an empty body", no_arguments },
	{ "the body is padded to a multiple of 8 with zeroes", body_is_padded },
	{ "layouts follow each other without a gap", layouts_follow_each_other },
	{ "six arguments come from six registers in order", registers_in_order },
	{ "integers go by size and sign", integers_by_size_and_sign },
	{ "bool and char have types of their own", bool_and_char },
	{ "enums go by size and sign", enums_by_size_and_sign },
	{ "typedefs, qualifiers and tags come off", names_and_qualifiers_come_off },
	{ "a typedef of char is a char", typedef_of_char_is_char },
	{ "unnamed arguments are numbered", unnamed_get_numbers },
	{ "a seventh argument is refused", seven_are_refused },
	{ "structs and unions by value are refused", aggregates_are_refused },
	{ "128 bits, floats and varargs are refused", wide_float_and_variable_are_refused },
	{ "a struct returned in memory takes rdi", large_return_takes_rdi },
	{ "six arguments behind such a struct are refused", six_behind_a_large_return_are_refused },
	{ "BTF that makes no sense is refused", nonsense_is_refused },
	{ "a record that would be too long is refused", overlong_names_are_refused },
};

int main(void)
{
	return KTAP_RUN(tests);
}
