// SPDX-License-Identifier: GPL-2.0-only
/* Tests fetches, compiled and run on values of this program. */
#include <limits.h>

#include "select/typing/member.h"
#include "select/typing/type.h"
#include "unit/expr_world.h"

static struct dentry top = { .name = "/" };
static struct dentry eth = { .name = "eth0", .parent = &top, .iname = "name-of8" };
static int numbers[200] = { -7, 8, 9 };
static struct file file = {
	.f_flags = 0x8000, .f_err = -2, .in = { -3, 1l << 40 }, .both = 0x80ff,
	.dentry = &eth, .lo = 5, .hi = -9, .mid = 0xabcde, .arr = { 1, 2, 3, 65535 },
	.big = LLONG_MIN, .col = BAD, .ok = true, .comm = "cat", .wide = ULONG_MAX,
	.ptr = numbers, .raw = numbers, .huge = -2, .raw8 = { 'a', 'b', 0, 'd' },
	.two = { { 1, 2 }, { 3, -4 } }, .addr = (uintptr_t)"user", .letter = 'q',
};

static struct pair pair = { -70000, 40000, -7, 250, &eth };
static struct world w;

static void set_up(void)
{
	world_init(&w);
	model_allow(&w.m, &file, sizeof(file), false);
	model_allow(&w.m, &eth, sizeof(eth), false);
	model_allow(&w.m, eth.name, 5, false);
	model_allow(&w.m, numbers, sizeof(numbers), false);
	model_allow(&w.m, (void *)file.addr, 5, true);
	w.m.args[0] = (uintptr_t)&file;
	w.m.args[1] = 3;
	w.m.args[2] = 0xdead0000fffffffe;
	w.m.args[4] = (uintptr_t)eth.name;
	memcpy(w.m.slots, &pair, sizeof(pair));
}

/*
 * Runs the selector that @format makes of @text, such as "f(@text)" or "f -> @text". Returns the
 * only value that it fetches, with *@value set; NULL: none or several.
 */
static const struct model_value *only_value(const char *format, const char *text,
					      const struct fargs_bound_value **value)
{
	enum fargs_prog program = *format == 'e' ? FARGS_PROG_ENTRY_FETCH :
						   FARGS_PROG_RETURN_FETCH;
	char selector[256];

	snprintf(selector, sizeof(selector), *format == 'e' ? "f(%s)" : "f -> %s", text);
	*value = NULL;
	if (world_bind(&w, w.f, selector)) {
		ktap_fail(__FILE__, __LINE__, "%s: %u: %s", selector, w.diagnostic.column,
			  w.diagnostic.text);
		return NULL;
	}
	CHECK_INT(world_run(&w, program), 1);
	if (w.m.nr_values != 1) {
		ktap_fail(__FILE__, __LINE__, "%s gives %u values", text, w.m.nr_values);
		return NULL;
	}
	if (w.bound->nr_values == 1) {
		*value = &w.bound->values[0];
		CHECK_INT((*value)->insn, w.m.values[0].insn);
		CHECK_INT((*value)->program, program);
	}
	return &w.m.values[0];
}

/*
 * Checks that @text fetches a number of record type @type, extended to 64 bits, whose name is
 * @text.
 */
static void check_number(const char *text, int type, uint64_t want, int line)
{
	const struct fargs_bound_value *value;
	const struct model_value *got = only_value("entry", text, &value);

	if (!got || !value || got->is_fault || got->type || value->type != type ||
	    value->bytes != 8 || got->v != want || strcmp(value->name, text))
		ktap_fail(__FILE__, line, "%s: type %d, value %llx, name %s", text,
			  value ? value->type : -1, got ? (unsigned long long)got->v : 0,
			  value ? value->name : "");
}

#define NUMBER(text, type, want) check_number(text, FARGS_TYPE_##type, (uint64_t)(want), __LINE__)

static void numbers_of_memory(void)
{
	set_up();
	NUMBER("file->f_flags", U32, 0x8000);
	NUMBER("file->f_err", S32, -2);
	NUMBER("file->in.y", S64, 1l << 40);
	NUMBER("file->b", U8, 255);
	NUMBER("file->c", S8, -128);
	NUMBER("file->both", U32, 0x80ff);
	NUMBER("file->arr[3]", U16, 65535);
	NUMBER("file->wide", U64, ULONG_MAX);
	NUMBER("file->big", S64, LLONG_MIN);
	NUMBER("file->col", S32, BAD);
	NUMBER("file->ok", BOOL, 1);
	NUMBER("file->letter", CHAR, 'q');
	NUMBER("file->raw", PTR, numbers);
	NUMBER("file->dentry->parent", PTR, &top);
	NUMBER("*file->ptr", S32, -7);
	NUMBER("file->ptr[2]", S32, 9);
	NUMBER("file->two[1].y", S64, -4);
	NUMBER("pair.b", U16, 40000);
	NUMBER("pair.to->parent", PTR, &top);
	NUMBER("file->flex[0]", S32, 0);
	NUMBER("file->f_flags:x", U32, 0x8000);
	NUMBER("fd:x", S32, -2);
	world_deinit(&w);
}

static void bitfields(void)
{
	set_up();
	NUMBER("file->lo", U32, 5);
	NUMBER("file->hi", S32, -9);
	NUMBER("file->mid", U32, 0xabcde);
	world_deinit(&w);
}

/*
 * Adds an integer type of @bits, which old BTF used for bitfields instead of members with widths.
 */
static int add_old_int(const char *name, unsigned int bytes, unsigned int bits, bool is_signed)
{
	int id = btf__add_int(w.btf, name, bytes, is_signed ? BTF_INT_SIGNED : 0);
	struct btf_type *t = (struct btf_type *)btf__type_by_id(w.btf, id);

	*(uint32_t *)(t + 1) = (is_signed ? BTF_INT_SIGNED << 24 : 0) | bits;
	return id;
}

static void old_bitfields(void)
{
	static const struct { unsigned int lo : 3; int hi : 5; unsigned int mid : 20; } old = {
		5, -9, 0xabcde,
	};
	int u3, s5, u20, s, ptr, proto;

	set_up();
	u3 = add_old_int("u3", 1, 3, false);
	s5 = add_old_int("s5", 1, 5, true);
	u20 = add_old_int("u20", 4, 20, false);
	s = btf__add_struct(w.btf, "old", sizeof(old));
	btf__add_field(w.btf, "lo", u3, 0, 0);
	btf__add_field(w.btf, "hi", s5, 0, 0);
	btf__add_field(w.btf, "mid", u20, 8, 0);
	/* libbpf refuses the offset of 3 bits, so set it directly. */
	((struct btf_member *)btf_members(btf__type_by_id(w.btf, s)))[1].offset = 3;
	ptr = btf__add_ptr(w.btf, s);
	proto = btf__add_func_proto(w.btf, 0);
	btf__add_func_param(w.btf, "p", ptr);
	model_allow(&w.m, &old, sizeof(old), false);
	w.m.args[0] = (uintptr_t)&old;
	CHECK_STR(world_diagnostic(&w, btf__add_func(w.btf, "o", BTF_FUNC_STATIC, proto),
				   "o(p->lo, p->hi, p->mid)"), "");
	world_run(&w, FARGS_PROG_ENTRY_FETCH);
	REQUIRE(w.m.nr_values == 3 && w.bound->nr_values == 3);
	CHECK_INT(w.m.values[0].v, 5);
	CHECK_INT(w.m.values[1].v, -9);
	CHECK_INT(w.m.values[2].v, 0xabcde);
	CHECK_INT(w.bound->values[0].type, FARGS_TYPE_U8);
	CHECK_INT(w.bound->values[1].type, FARGS_TYPE_S8);
	CHECK_INT(w.bound->values[2].type, FARGS_TYPE_U32);
	world_deinit(&w);
}

static void contexts(void)
{
	set_up();
	w.m.ctx[FARGS_CTX_CPU] = 3;
	w.m.ctx[FARGS_CTX_CALLER] = 0xffffffff81234567;
	NUMBER("$cpu", U32, 3);
	NUMBER("$caller", PTR, 0xffffffff81234567);
	world_deinit(&w);
}

/* Tests that all spellings of an expression have the same name. */
static void names(void)
{
	static const struct {
		const char *text, *name;
	} forms[] = {
		{ " file ->\tin . x ", "file->in.x" }, { "(*file).in.x", "file->in.x" },
		{ "((file)->in).x", "file->in.x" }, { "file->arr[0x1]", "file->arr[1]" },
		{ "*(file->ptr)", "*file->ptr" }, { "(*file->ptr):x", "*file->ptr:x" },
		{ "file->two [ 1 ] .x", "file->two[1].x" },
	};
	const struct fargs_bound_value *value;
	size_t i;

	set_up();
	for (i = 0; i < sizeof(forms) / sizeof(forms[0]); i++)
		if (only_value("entry", forms[i].text, &value) && value)
			CHECK_STR(value->name, forms[i].name);
	world_deinit(&w);
}

static void check_string(const char *text, const char *want, bool is_cut, int line)
{
	const struct fargs_bound_value *value;
	const struct model_value *got = only_value("entry", text, &value);

	if (!got || value || got->is_fault || strcmp(got->name, text) ||
	    got->type != (FARGS_TYPE_STR | (is_cut ? FARGS_TYPE_CUT : 0)) ||
	    got->bytes != strlen(want) || memcmp(got->data, want, got->bytes))
		ktap_fail(__FILE__, line, "%s is %.*s", text, got ? (int)got->bytes : 0,
			  got ? (char *)got->data : "");
	CHECK_INT(w.bound->append_max,
		  strlen(text) + 1 + 1 + 2 + (w.bound->programs[1].insns
			[w.bound->programs[1].nr - 1].imm + 7) / 8 * 8);
}

#define STRING(text, want, is_cut) check_string(text, want, is_cut, __LINE__)

static void strings(void)
{
	set_up();
	STRING("name:str", "eth0", false);
	STRING("file->dentry->name:str", "eth0", false);
	STRING("file->comm", "cat", false);
	STRING("file->comm:str", "cat", false);
	STRING("file->raw8:str", "ab", false);
	STRING("file->addr:ustr", "user", false);
	w.options.str_cap = 8;
	w.m.ctx[FARGS_CTX_COMM] = (uintptr_t)file.comm;
	STRING("$comm", "cat", false);
	w.options.str_cap = 3;
	STRING("name:str", "eth", true);
	world_deinit(&w);
}

static void check_bytes(const char *text, const void *want, unsigned int bytes, int line)
{
	const struct fargs_bound_value *value;
	const struct model_value *got = only_value("entry", text, &value);

	if (!got || got->is_fault || got->bytes != bytes || memcmp(got->data, want, bytes) ||
	    (value ? value->type != FARGS_TYPE_BYTES || value->bytes != bytes ||
	     strcmp(value->name, text) : strcmp(got->name, text)))
		ktap_fail(__FILE__, line, "%s: %u bytes", text, got ? got->bytes : 0);
}

#define BYTES(text, want, bytes) check_bytes(text, want, bytes, __LINE__)

static void objects(void)
{
	set_up();
	w.options.mem_cap = 1024;
	BYTES("*file", &file, sizeof(file));
	BYTES("file->in", &file.in, sizeof(file.in));
	BYTES("file->arr", file.arr, sizeof(file.arr));
	BYTES("file->two", file.two, sizeof(file.two));
	BYTES("file->raw8", file.raw8, 4);
	BYTES("file->comm:x", file.comm, sizeof(file.comm));
	BYTES("*file->dentry", &eth, sizeof(eth));
	/* A large object is truncated and marked as cut. */
	w.options.mem_cap = 16;
	BYTES("*file", &file, 16);
	CHECK_INT(w.m.values[0].type, FARGS_TYPE_BYTES | FARGS_TYPE_CUT);
	world_deinit(&w);
}

static void wide_integers(void)
{
	const struct fargs_bound_value *value;
	const struct model_value *got;

	set_up();
	got = only_value("entry", "file->huge", &value);
	REQUIRE(got && value);
	CHECK_INT(value->type, FARGS_TYPE_S128);
	CHECK_INT(value->bytes, 16);
	CHECK_INT(got->bytes, 16);
	CHECK(!memcmp(got->data, &file.huge, 16));
	world_deinit(&w);
}

static void ranges(void)
{
	set_up();
	BYTES("file->ptr[0..3]", numbers, 12);
	BYTES("file->ptr[1..3]", numbers + 1, 8);
	BYTES("file->raw[0..5]", numbers, 5);
	BYTES("file->arr[1..3]", file.arr + 1, 4);
	BYTES("name[0..count]", "eth", 3);
	BYTES("file->ptr[0..count]", numbers, 12);
	BYTES("file->ptr[1..count]", numbers + 1, 8);
	BYTES("file->ptr[0..file->lo]", numbers, 20);
	/* A range with a negative end is empty. */
	BYTES("file->ptr[0..fd]", numbers, 0);
	CHECK_INT(w.m.values[0].type, FARGS_TYPE_BYTES);
	w.options.mem_cap = 10;
	BYTES("file->ptr[0..3]", numbers, 10);
	CHECK_INT(w.m.values[0].type, FARGS_TYPE_BYTES | FARGS_TYPE_CUT);
	BYTES("file->ptr[0..count]", numbers, 10);
	CHECK_INT(w.m.values[0].type, FARGS_TYPE_BYTES | FARGS_TYPE_CUT);
	/* Test an overflow: the number of elements times 4 is small modulo 2^64. */
	w.m.args[1] = (1ul << 62) + 1;
	BYTES("file->ptr[0..count]", numbers, 10);
	CHECK_INT(w.m.values[0].type, FARGS_TYPE_BYTES | FARGS_TYPE_CUT);
	w.m.args[1] = ULONG_MAX;
	BYTES("file->ptr[1..count]", numbers + 1, 10);
	CHECK_INT(w.m.values[0].type, FARGS_TYPE_BYTES | FARGS_TYPE_CUT);
	world_deinit(&w);
}

static void check_fault(const char *text, uint64_t addr, int line)
{
	const struct fargs_bound_value *value;
	const struct model_value *got = only_value("entry", text, &value);

	if (!got || !got->is_fault || got->v != addr)
		ktap_fail(__FILE__, line, "%s: %llx", text, got ? (unsigned long long)got->v : 0);
}

#define FAULT(text, addr) check_fault(text, addr, __LINE__)

static void faults(void)
{
	set_up();
	w.m.args[4] = 8;
	FAULT("name:str", 8);
	w.m.args[0] = 4096;
	FAULT("file->f_err", 4096 + offsetof(struct file, f_err));
	FAULT("file->dentry->parent", 4096 + offsetof(struct file, dentry));
	FAULT("*file", 4096);
	FAULT("file->ptr[0..2]", 4096 + offsetof(struct file, ptr));
	FAULT("name[0..count]", 8);
	w.m.args[0] = (uintptr_t)&file;
	/* The end of the range cannot be read. */
	FAULT("file->ptr[0..file->next->f_flags]", offsetof(struct file, f_flags));
	world_deinit(&w);
}

static void what_is_there_anyway(void)
{
	set_up();
	REQUIRE(!world_bind(&w, w.f, "f(count, fd, file) -> ret, $ret, $duration, count"));
	CHECK_INT(w.bound->nr_values, 0);
	CHECK_INT(w.bound->programs[FARGS_PROG_ENTRY_FETCH].nr, 0);
	CHECK_INT(w.bound->programs[FARGS_PROG_RETURN_FETCH].nr, 0);
	CHECK_INT(w.bound->has_return, 1);
	world_deinit(&w);
}

static void returns(void)
{
	set_up();
	w.m.ctx[FARGS_CTX_RETURN] = (uintptr_t)&file;
	REQUIRE(!world_bind(&w, w.mk, "mk -> ret->f_err, ret->comm, *ret->ptr"));
	world_run(&w, FARGS_PROG_RETURN_FETCH);
	CHECK_INT(w.m.nr_values, 3);
	CHECK_INT(w.bound->nr_values, 2);
	CHECK_STR(w.bound->values[0].name, "ret->f_err");
	CHECK_INT(w.m.values[0].v, -2);
	CHECK_STR(w.m.values[1].name, "ret->comm");
	CHECK_STR(w.bound->values[1].name, "*ret->ptr");
	CHECK_INT(w.m.values[2].v, -7);
	/* "ret->comm", NUL, type, length, 8 bytes */
	CHECK_INT(w.bound->append_max, 0);
	CHECK_INT(w.bound->return_append_max, 10 + 1 + 2 + 8);
	world_deinit(&w);
}

static void dereferenced_arguments(void)
{
	set_up();
	w.options.has_derefs = true;
	w.options.mem_cap = 1024;
	REQUIRE(!world_bind(&w, w.f, "f"));
	/* Only file is dereferenced: name does not point to a struct. */
	world_run(&w, FARGS_PROG_ENTRY_FETCH);
	REQUIRE(w.m.nr_values == 1 && w.bound->nr_values == 1);
	CHECK_STR(w.bound->values[0].name, "*file");
	CHECK(!memcmp(w.m.values[0].data, &file, sizeof(file)));
	world_deinit(&w);
}

/*
 * Returns "$order" of the layout that was compiled, such as "1 0", from its body or its return
 * body.
 */
static const char *order_of(bool is_return)
{
	static const char name[] = FARGS_NAME_ORDER;
	const struct fargs_layout *layout = (const void *)w.layouts.data;
	const unsigned char *end = w.layouts.data + layout->size - layout->const_len, *p;
	static char text[64];
	unsigned int i;

	p = end - layout->return_body_len;
	if (!is_return) {
		end = p;
		p -= layout->body_len;
	}
	p = memmem(p, end - p, name, sizeof(name));
	text[0] = '\0';
	for (i = 0; p && i < p[sizeof(name) + 1]; i++)
		sprintf(text + strlen(text), i ? " %u" : "%u", p[sizeof(name) + 3 + i]);
	return text;
}

static void the_task(void)
{
	static struct task_struct task = {
		.flags = 77, .comm = "kworker", .in = { 5, -6 }, .dentry = &eth,
	};
	struct fargs_expr_type type;

	set_up();
	model_allow(&w.m, &task, sizeof(task), false);
	w.m.ctx[FARGS_CTX_TASK] = (uintptr_t)&task;
	NUMBER("$task", PTR, &task);
	NUMBER("$task->flags", U32, 77);
	NUMBER("$task->in.y", S64, -6);
	NUMBER("$task->dentry->parent", PTR, &top);
	BYTES("$task->in", &task.in, sizeof(task.in));
	BYTES("*$task", &task, sizeof(task));
	STRING("$task->comm", "kworker", false);
	REQUIRE(fargs_expr_type(&type, &w.constants, w.btf, w.f, "$task->in"));
	CHECK_INT(type.type_id, w.inner);
	REQUIRE(fargs_expr_type(&type, &w.constants, w.btf, w.f, "*$task"));
	CHECK_INT(type.type_id, w.task);
	world_deinit(&w);
}

static void caps_of_records(void)
{
	set_up();
	/* Names, NULs, types and lengths take 12 and 14 bytes; data take 256 and 8. */
	w.options.str_cap = 256;
	w.options.record_cap = 289;
	CHECK_STR(world_diagnostic(&w, w.f, "f(name:str, file->comm)"),
		  "19: the record would be longer than 289 bytes: fetch less, or limit the size "
		  "with '-s'");
	w.options.str_cap = 8;
	CHECK_STR(world_diagnostic(&w, w.g, "g($comm)"), "");
	world_deinit(&w);
}

static void order_of_values(void)
{
	set_up();
	REQUIRE(!world_bind(&w, w.f, "f(file->lo, file->f_flags, name:str)"));
	CHECK_STR(order_of(false), "");
	REQUIRE(!world_bind(&w, w.f, "f(file->lo, name:str, file->f_flags)"));
	CHECK_STR(order_of(false), "1");
	w.options.nr_stack = 2;
	REQUIRE(!world_bind(&w, w.f, "f(name:str, file->lo, file->comm, fd, "
				     "file->dentry->name:str, file->in) -> *file, file->comm"));
	CHECK_STR(order_of(false), "0 1 1");
	CHECK_STR(order_of(true), "");
	REQUIRE(!world_bind(&w, w.mk, "mk -> ret->comm, ret->lo, ret->hi, *ret->dentry"));
	CHECK_STR(order_of(false), "");
	CHECK_STR(order_of(true), "0");
	world_deinit(&w);
}

static void types_by_name(void)
{
	struct fargs_expr_type type;

	set_up();
	REQUIRE(fargs_expr_type(&type, &w.constants, w.btf, w.f, "file->in"));
	CHECK_INT(type.type_id, w.inner);
	CHECK_INT(type.format, FARGS_FORMAT_NONE);
	REQUIRE(fargs_expr_type(&type, &w.constants, w.btf, w.f, "*file"));
	CHECK_INT(type.type_id, w.file);
	REQUIRE(fargs_expr_type(&type, &w.constants, w.btf, w.f, "file->hi:x"));
	CHECK_INT(type.type_id, btf__find_by_name(w.btf, "int"));
	CHECK_INT(type.bitfield_bits, 5);
	CHECK_INT(type.format, FARGS_FORMAT_HEX);
	REQUIRE(fargs_expr_type(&type, &w.constants, w.btf, w.f, "file->ptr[0..count]"));
	CHECK_INT(type.type_id, btf__find_by_name(w.btf, "int"));
	CHECK_INT(type.is_range, 1);
	REQUIRE(fargs_expr_type(&type, &w.constants, w.btf, w.f, "file->raw[0..count]"));
	CHECK_INT(type.type_id, 0);
	REQUIRE(fargs_expr_type(&type, &w.constants, w.btf, w.f, "$cpu"));
	CHECK_INT(type.type_id, 0);
	REQUIRE(fargs_expr_type(&type, &w.constants, w.btf, w.f, "fd"));
	CHECK_INT(type.type_id, btf__find_by_name(w.btf, "int"));
	REQUIRE(fargs_expr_type(&type, &w.constants, w.btf, w.mk, "ret->in"));
	CHECK_INT(type.type_id, w.inner);
	REQUIRE(fargs_expr_type(&type, &w.constants, w.btf, w.rp, "$ret"));
	CHECK_INT(type.type_id, w.pair);
	CHECK(!fargs_expr_type(&type, &w.constants, w.btf, w.f, "file->nothing"));
	CHECK(!fargs_expr_type(&type, &w.constants, w.btf, w.f, "fd == 1"));
	CHECK(!fargs_expr_type(&type, &w.constants, w.btf, w.f, "fd, count"));
	CHECK(!fargs_expr_type(&type, &w.constants, w.btf, w.f, "fd)"));
	CHECK(!fargs_expr_type(&type, &w.constants, w.btf, w.f, ""));
	CHECK(!fargs_expr_type(&type, &w.constants, w.btf, w.file, "fd"));
	world_deinit(&w);
}

static int put_member(void *arg, const char *name, uint32_t type_id, uint32_t bitfield_bits)
{
	char *text = arg;
	size_t n = strlen(text);

	CHECK(type_id);
	snprintf(text + n, 256 - n, bitfield_bits ? "%s:%u " : "%s ", name, bitfield_bits);
	return strcmp(name, "next") ? 0 : -7;
}

static void all_members(void)
{
	char text[256] = "";

	world_init(&w);
	/*
	 * put_member() ends the iteration at the member "next". The members are those of struct
	 * file above.
	 */
	CHECK_INT(fargs_member_each(w.btf, w.file, put_member, text), -7);
	CHECK_STR(text, "f_flags f_err in b c both dentry lo:3 hi:5 mid:20 arr big col mode ok "
			"comm wide ptr raw fwd huge next ");
	text[0] = '\0';
	CHECK_INT(fargs_member_each(w.btf, w.inner, put_member, text), 0);
	CHECK_STR(text, "x y ");
	text[0] = '\0';
	CHECK_INT(fargs_member_each(w.btf, btf__find_by_name(w.btf, "int"), put_member, text),
		  0);
	CHECK_STR(text, "");
	world_deinit(&w);
}

static void keeps_constants_apart(void)
{
	struct fargs_pool pool = { };
	unsigned int name = fargs_pool_add(&pool, "(", 1);
	unsigned int a = fargs_pool_add(&pool, "(\0\1\0\0\0", 6);
	unsigned int b = fargs_pool_add(&pool, "(\0\1\0\2\0", 6);

	CHECK_INT(memcmp(pool.data + a, "(\0\1\0\0\0", 7), 0);
	CHECK_INT(memcmp(pool.data + b, "(\0\1\0\2\0", 7), 0);
	CHECK_INT(fargs_pool_add(&pool, "(", 1), name);
	CHECK_INT(pool.is_over, 0);
}

static const struct ktap_test tests[] = {
	{ "numbers keep their width, sign and name", numbers_of_memory },
	{ "bitfields are extracted", bitfields },
	{ "bitfields of old BTF are extracted", old_bitfields },
	{ "variables of the call, like $comm, can be fetched", contexts },
	{ "all spellings of a value have one name", names },
	{ "strings in arrays and behind pointers can be fetched", strings },
	{ "structs and arrays are fetched whole or cut", objects },
	{ "128-bit values can be fetched", wide_integers },
	{ "ranges of constant and of variable length can be fetched", ranges },
	{ "an unreadable value is a fault with its address", faults },
	{ "arguments and the return value are not fetched twice", what_is_there_anyway },
	{ "values can be fetched at the return", returns },
	{ "one level of every pointer to a struct can be fetched", dereferenced_arguments },
	{ "members of $task can be fetched", the_task },
	{ "a record does not exceed its maximum length", caps_of_records },
	{ "appended values come after the others in order", order_of_values },
	{ "a value's type is found by its name", types_by_name },
	{ "members of a struct are listed, including those of unnamed ones", all_members },
	{ "constants may contain NULs", keeps_constants_apart },
};

int main(void)
{
	return KTAP_RUN(tests);
}
