// SPDX-License-Identifier: GPL-2.0-only
/*
 * Tests that BTF that would cause a crash or an endless loop is refused with a reason, and that
 * valid C is accepted.
 */
#include <errno.h>
#include <stdlib.h>

#include "kernel/btf/btfs.h"
#include "unit/ktap.h"

/* Parses a copy of @btf as if it were from a file, and frees @btf. Returns "" or the error. */
static const char *read_back(struct btf *btf)
{
	static struct fargs_error_text err;
	struct fargs_btfs *btfs = fargs_btfs_create();
	const void *data;
	uint32_t size;

	data = btf__raw_data(btf, &size);
	err.text[0] = '\0';
	fargs_btfs_add(btfs, "vmlinux", data, size, &err);
	fargs_btfs_destroy(btfs);
	btf__free(btf);
	return err.text;
}

#define REFUSED(why) "BTF of vmlinux is invalid: type " why

/* Returns BTF with one type: [1] int. */
static struct btf *begin(void)
{
	struct btf *b = btf__new_empty();

	btf__add_int(b, "int", 4, BTF_INT_SIGNED);
	return b;
}

static struct btf_type *type(struct btf *b, uint32_t id)
{
	return (struct btf_type *)btf__type_by_id(b, id);
}

static void lists(void)
{
	struct btf *b = begin();

	/* Add struct list { struct list *next; int (*show)(const list *); struct { int a; }; }. */
	btf__add_struct(b, "list", 24);
	btf__add_field(b, "next", 3, 0, 0);
	btf__add_field(b, "show", 7, 64, 0);
	btf__add_field(b, "", 8, 128, 0);
	btf__add_ptr(b, 2);
	btf__add_const(b, 2);
	btf__add_ptr(b, 4);
	btf__add_func_proto(b, 1);
	btf__add_func_param(b, "list", 5);
	btf__add_ptr(b, 6);
	btf__add_struct(b, NULL, 4);
	btf__add_field(b, "a", 1, 0, 0);
	CHECK_STR(read_back(b), "");
}

static void absent_types(void)
{
	struct btf *b = begin();

	btf__add_ptr(b, 3);
	CHECK_STR(read_back(b), REFUSED("2 refers to a type that does not exist"));
	b = begin();
	btf__add_func_proto(b, 0);
	btf__add_func_param(b, "a", 1);
	btf__add_func_param(b, "b", 1000000);
	CHECK_STR(read_back(b), REFUSED("2 refers to a type that does not exist"));
	b = begin();
	btf__add_array(b, 7, 1, 1);
	CHECK_STR(read_back(b), REFUSED("2 refers to a type that does not exist"));
}

static void absent_names(void)
{
	struct btf *b = begin();

	type(b, 1)->name_off = 5;	/* after the strings "\0int\0" */
	CHECK_STR(read_back(b), REFUSED("1 has a name outside the string section"));
	b = begin();
	btf__add_enum(b, "e", 4);
	btf__add_enum_value(b, "E", 0);
	btf_enum(type(b, 2))->name_off = 0xffffffff;
	CHECK_STR(read_back(b), REFUSED("2 lists a name outside the string section"));
}

static void circles(void)
{
	struct btf *b = begin();

	btf__add_const(b, 3);
	btf__add_volatile(b, 2);
	CHECK_STR(read_back(b), REFUSED("2 contains itself"));
	b = begin();
	btf__add_struct(b, "s", 4);
	btf__add_field(b, "again", 2, 0, 0);
	CHECK_STR(read_back(b), REFUSED("2 contains itself"));
	b = begin();
	btf__add_struct(b, "s", 4);
	btf__add_field(b, "again", 3, 0, 0);
	btf__add_array(b, 1, 2, 1);
	CHECK_STR(read_back(b), REFUSED("2 contains itself"));
	/* Written as C, the following types would be infinitely long. */
	b = begin();
	btf__add_ptr(b, 2);
	CHECK_STR(read_back(b), REFUSED("2 contains itself"));
	b = begin();
	btf__add_func_proto(b, 0);
	btf__add_func_param(b, "self", 3);
	btf__add_ptr(b, 2);
	CHECK_STR(read_back(b), REFUSED("2 contains itself"));
	b = begin();
	btf__add_struct(b, NULL, 8);
	btf__add_field(b, "next", 3, 0, 0);
	btf__add_ptr(b, 2);
	CHECK_STR(read_back(b), REFUSED("2 contains itself"));
}

/* Returns nested structs, each of which contains two of the previous one. */
static struct btf *doubling(const char *name, int levels)
{
	struct btf *b = begin();
	int i;

	for (i = 1; i <= levels; i++) {
		btf__add_struct(b, name, 0);
		btf__add_field(b, "a", i, 0, 0);
		btf__add_field(b, "b", i, 0, 0);
	}
	return b;
}

static void sizes(void)
{
	struct btf *b;
	int i;

	/* The structs contain 3, 7, 15 and so on types. */
	CHECK_STR(read_back(doubling("s", 21)), "");
	CHECK_STR(read_back(doubling("s", 22)), REFUSED("23 contains too many types"));
	b = begin();
	for (i = 1; i <= 128; i++)
		btf__add_ptr(b, i);
	CHECK_STR(read_back(b), "");
	b = begin();
	for (i = 1; i <= 129; i++)
		btf__add_ptr(b, i);
	CHECK_STR(read_back(b), REFUSED("130 is nested too deeply"));
	/* libbpf would write one member for every 8 bytes of padding. */
	b = begin();
	btf__add_struct(b, NULL, 0x7fffffff);
	CHECK_STR(read_back(b), REFUSED("2 contains too many types"));
	b = begin();
	btf__add_struct(b, "known", 0x7fffffff);
	CHECK_STR(read_back(b), "");
}

static void members(void)
{
	struct btf *b = begin();

	btf__add_fwd(b, "f", BTF_FWD_STRUCT);
	btf__add_struct(b, NULL, 4);
	btf__add_field(b, "f", 2, 0, 0);
	CHECK_STR(read_back(b), REFUSED("3 has a member without a size"));
	b = begin();
	type(b, 1)->size = 0;
	btf__add_struct(b, NULL, 4);
	btf__add_field(b, "a", 1, 0, 0);
	CHECK_STR(read_back(b), REFUSED("2 has a member without a size"));
	b = begin();
	btf__add_struct(b, NULL, 4);
	btf__add_field(b, "a", 1, 8, 0);
	CHECK_STR(read_back(b), REFUSED("2 has a member that extends past its end"));
	b = begin();
	btf__add_struct(b, NULL, 4);
	btf__add_field(b, "a", 1, 31, 1);
	CHECK_STR(read_back(b), "");
}

static void headers(void)
{
	struct btf *b = begin();
	struct btf_header *header;
	uint32_t size;

	btf__set_endianness(b, BTF_BIG_ENDIAN);
	CHECK_STR(read_back(b), "BTF of vmlinux has the wrong byte order");
	b = begin();
	header = (struct btf_header *)btf__raw_data(b, &size);
	header->version = 2;
	CHECK_STR(read_back(b), "BTF of vmlinux has an unknown header");
}

static int add_pointer(struct fargs_btfs *btfs, struct btf *base, const char *name, uint32_t to,
		       struct fargs_error_text *err)
{
	struct btf *b = btf__new_empty_split(base);
	const void *data;
	uint32_t size;
	int ret;

	btf__add_ptr(b, to);
	data = btf__raw_data(b, &size);
	ret = fargs_btfs_add(btfs, name, data, size, err);
	btf__free(b);
	return ret;
}

static void split(void)
{
	struct fargs_btfs *btfs = fargs_btfs_create();
	struct fargs_error_text err = { "" };
	struct btf *base = begin();
	const void *data;
	uint32_t size;

	data = btf__raw_data(base, &size);
	CHECK_INT(fargs_btfs_add(btfs, "vmlinux", data, size, &err), 0);
	CHECK_INT(add_pointer(btfs, base, "good", 1, &err), 0);
	CHECK_INT(add_pointer(btfs, base, "bad", 3, &err), -EINVAL);
	CHECK_STR(err.text, "BTF of bad is invalid: type 2 refers to a type that does not exist");
	btf__free(base);
	fargs_btfs_destroy(btfs);
}

static const struct ktap_test tests[] = {
	{ "structs that point to themselves are accepted", lists },
	{ "references to missing types are refused", absent_types },
	{ "references to missing names are refused", absent_names },
	{ "types that contain or name themselves are refused", circles },
	{ "types that take exponential time to print are refused", sizes },
	{ "unnamed structs must have members that fit", members },
	{ "headers of other machines and versions are refused", headers },
	{ "split BTF refers to its base", split },
};

int main(void)
{
	return KTAP_RUN(tests);
}
