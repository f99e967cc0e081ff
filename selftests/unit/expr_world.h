/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Functions and types for tests of expressions: BTF made for structs of this program, so that the
 * compiler computes the offsets of members.
 */
#ifndef UNIT_EXPR_WORLD_H
#define UNIT_EXPR_WORLD_H

#include <stddef.h>
#include <stdlib.h>

#include <bpf/btf.h>

#include "abi/signature.h"
#include "lib/machine.h"
#include "lib/verifier.h"
#include "select/codegen/bind.h"
#include "select/codegen/compile.h"
#include "select/syntax/selector.h"
#include "unit/expr_model.h"
#include "unit/ktap.h"

enum colour { RED = 1, GREEN = 2, BAD = -5 };
enum mode { MODE_READ = 1, MODE_WRITE = 2, MODE_EXEC = 4 };

struct dentry {
	char pad[3];
	const char *name;
	struct dentry *parent;
	char iname[8];
};

struct inner {
	int x;
	long y;
};

struct pair {
	int a;
	unsigned short b;
	signed char c;
	unsigned char d;
	struct dentry *to;
};

struct large {
	long v[3];
	struct dentry *to;
};

struct file {
	unsigned int f_flags;
	int f_err;
	struct inner in;
	union {
		struct {
			unsigned char b;
			signed char c;
		};
		unsigned int both;
	};
	struct dentry *dentry;
	unsigned int lo : 3;
	int hi : 5;
	unsigned int mid : 20;
	unsigned short arr[4];
	long long big;
	enum colour col;
	enum mode mode;
	_Bool ok;
	char comm[8];
	unsigned long wide;
	int *ptr;
	void *raw;
	struct fwd *fwd;
	__int128 huge;
	struct file *next;
	unsigned char raw8[4];
	struct inner two[2];
	unsigned long addr;
	double real;
	char letter;
	int flex[];
};

struct task_struct {
	unsigned int flags;
	char comm[8];
	struct inner in;
	struct dentry *dentry;
};

struct world {
	struct btf *btf;
	int task;
	int file, dentry, inner, pair, large;
	int f, g, v, mk, rp, rl;	/* BTF ids of functions */
	struct fargs_constants constants;
	struct fargs_bind_options options;
	struct fargs_bound *bound;
	struct fargs_diagnostic diagnostic;
	struct fargs_selector sel;
	struct fargs_selector filter;
	struct model m;
	struct fargs_layouts layouts;	/* layout of the last bound function */
	bool is_taken;			/* the module's verifier accepted the layout */
};

#define FIELD(b, type, member, id)						\
	btf__add_field(b, #member, id, 8 * offsetof(struct type, member), 0)

static int world_func(struct btf *b, const char *name, int ret, ...)
{
	int proto = btf__add_func_proto(b, ret);
	const char *param;
	va_list ap;

	va_start(ap, ret);
	while ((param = va_arg(ap, const char *)))
		btf__add_func_param(b, param, va_arg(ap, int));
	va_end(ap);
	return btf__add_func(b, name, BTF_FUNC_STATIC, proto);
}

/* Returns the offset of the first set bit, to find where the compiler has put a bitfield. */
static int world_first_bit(const void *data, size_t bytes)
{
	size_t i;

	for (i = 0; i < 8 * bytes; i++)
		if (((const unsigned char *)data)[i / 8] >> i % 8 & 1)
			return i;
	return -1;
}

#define BIT_FIELD(b, member, id, bits)						\
	do {									\
		struct file probe_ = { };					\
										\
		probe_.member = 1;						\
		btf__add_field(b, #member, id,					\
			       world_first_bit(&probe_, sizeof(probe_)), bits);	\
	} while (0)

static void world_add_file(struct world *w, int dentry_ptr)
{
	struct btf *b = w->btf;
	int s32 = btf__find_by_name(b, "int"), u32 = btf__find_by_name(b, "unsigned int");
	int u8 = btf__find_by_name(b, "unsigned char"), s8 = btf__find_by_name(b, "signed char");
	int u16 = btf__find_by_name(b, "unsigned short");
	int u64 = btf__find_by_name(b, "unsigned long");
	int c = btf__find_by_name(b, "char"), in_struct, in_union, colour, mode, fwd;
	int huge = btf__add_int(b, "__int128", 16, BTF_INT_SIGNED);
	int s64 = btf__find_by_name(b, "long");

	colour = btf__add_enum(b, "colour", 4);
	btf__add_enum_value(b, "RED", 1);
	btf__add_enum_value(b, "GREEN", 2);
	btf__add_enum_value(b, "BAD", -5);
	mode = btf__add_enum(b, "mode", 4);
	btf__add_enum_value(b, "MODE_READ", 1);
	btf__add_enum_value(b, "MODE_WRITE", 2);
	btf__add_enum_value(b, "MODE_EXEC", 4);
	btf__add_enum(b, "other", 4);
	btf__add_enum_value(b, "ELSEWHERE", 77);
	btf__add_enum_value(b, "GREEN", 9);
	btf__add_enum_value(b, "TWICE", 1);
	btf__add_enum(b, "third", 4);
	btf__add_enum_value(b, "TWICE", 2);
	in_struct = btf__add_struct(b, NULL, 2);
	btf__add_field(b, "b", u8, 0, 0);
	btf__add_field(b, "c", s8, 8, 0);
	in_union = btf__add_union(b, NULL, 4);
	btf__add_field(b, NULL, in_struct, 0, 0);
	btf__add_field(b, "both", u32, 0, 0);
	fwd = btf__add_fwd(b, "fwd", BTF_FWD_STRUCT);
	w->file = btf__type_cnt(b) + 13;
	{
		int arr = btf__add_array(b, s32, u16, 4), comm = btf__add_array(b, s32, c, 8);
		int raw8 = btf__add_array(b, s32, u8, 4), two = btf__add_array(b, s32, w->inner, 2);
		int flex = btf__add_array(b, s32, s32, 0);
		int ok = btf__add_int(b, "_Bool", 1, BTF_INT_BOOL);
		int int_ptr = btf__add_ptr(b, s32), raw = btf__add_ptr(b, 0);
		int fwd_ptr = btf__add_ptr(b, fwd), next = btf__add_ptr(b, w->file);
		int flags = btf__add_typedef(b, "fmode_t", u32);
		int real = btf__add_float(b, "double", 8);
		int mode_t = btf__add_const(b, mode);

		if (btf__add_struct(b, "file", sizeof(struct file)) != w->file)
			ktap_fail(__FILE__, __LINE__, "struct file has another id");
		FIELD(b, file, f_flags, flags);
		FIELD(b, file, f_err, s32);
		FIELD(b, file, in, w->inner);
		btf__add_field(b, NULL, in_union, 8 * offsetof(struct file, both), 0);
		FIELD(b, file, dentry, dentry_ptr);
		BIT_FIELD(b, lo, u32, 3);
		BIT_FIELD(b, hi, s32, 5);
		BIT_FIELD(b, mid, u32, 20);
		FIELD(b, file, arr, arr);
		FIELD(b, file, big, s64);
		FIELD(b, file, col, colour);
		FIELD(b, file, mode, mode_t);
		FIELD(b, file, ok, ok);
		FIELD(b, file, comm, comm);
		FIELD(b, file, wide, u64);
		FIELD(b, file, ptr, int_ptr);
		FIELD(b, file, raw, raw);
		FIELD(b, file, fwd, fwd_ptr);
		FIELD(b, file, huge, huge);
		FIELD(b, file, next, next);
		FIELD(b, file, raw8, raw8);
		FIELD(b, file, two, two);
		FIELD(b, file, addr, u64);
		FIELD(b, file, real, real);
		FIELD(b, file, letter, c);
		FIELD(b, file, flex, flex);
	}
}

static void world_add_types(struct world *w)
{
	struct btf *b = w->btf = btf__new_empty();
	int s32 = btf__add_int(b, "int", 4, BTF_INT_SIGNED);
	int c = btf__add_int(b, "char", 1, BTF_INT_SIGNED);
	int s8 = btf__add_int(b, "signed char", 1, BTF_INT_SIGNED);
	int u8 = btf__add_int(b, "unsigned char", 1, 0);
	int u16 = btf__add_int(b, "unsigned short", 2, 0);
	int u32 = btf__add_int(b, "unsigned int", 4, 0);
	int s16 = btf__add_int(b, "short", 2, BTF_INT_SIGNED);
	int s64 = btf__add_int(b, "long", 8, BTF_INT_SIGNED);
	int u64 = btf__add_int(b, "unsigned long", 8, 0);
	int str = btf__add_ptr(b, btf__add_const(b, c));
	int pad = btf__add_array(b, s32, c, 3), iname = btf__add_array(b, s32, c, 8);
	int longs = btf__add_array(b, s32, s64, 3);
	int dentry_ptr = btf__type_cnt(b), file_ptr, out;

	w->dentry = dentry_ptr + 1;
	btf__add_ptr(b, w->dentry);
	btf__add_struct(b, "dentry", sizeof(struct dentry));
	FIELD(b, dentry, pad, pad);
	FIELD(b, dentry, name, str);
	FIELD(b, dentry, parent, dentry_ptr);
	FIELD(b, dentry, iname, iname);
	w->inner = btf__add_struct(b, "inner", sizeof(struct inner));
	FIELD(b, inner, x, s32);
	FIELD(b, inner, y, s64);
	w->pair = btf__add_struct(b, "pair", sizeof(struct pair));
	FIELD(b, pair, a, s32);
	FIELD(b, pair, b, u16);
	FIELD(b, pair, c, s8);
	FIELD(b, pair, d, u8);
	FIELD(b, pair, to, dentry_ptr);
	w->large = btf__add_struct(b, "large", sizeof(struct large));
	FIELD(b, large, v, longs);
	FIELD(b, large, to, dentry_ptr);
	world_add_file(w, dentry_ptr);
	file_ptr = btf__add_ptr(b, w->file);
	out = btf__add_ptr(b, s32);
	/* The arguments are in rdi to r8, two stack slots (pair), r9 and a third stack slot. */
	w->f = world_func(b, "f", s64, "file", file_ptr, "count", u64, "fd", s32, "small", u8,
			  "name", str, "pair", w->pair, "tiny", s8, "seventh", s64, NULL);
	/* The arguments are in rdi and rsi (pair), rdx (flags) and rcx (out). */
	w->g = world_func(b, "g", s32, "pair", w->pair, "flags", u32, "out", out, NULL);
	w->v = world_func(b, "v", 0, "ret", s32, "x", u64, NULL);
	w->mk = world_func(b, "mk", file_ptr, NULL);
	w->rp = world_func(b, "rp", w->pair, NULL);
	w->rl = world_func(b, "rl", w->large, "x", s32, NULL);
	w->task = btf__add_struct(b, "task_struct", sizeof(struct task_struct));
	FIELD(b, task_struct, flags, u32);
	FIELD(b, task_struct, comm, iname);
	FIELD(b, task_struct, in, w->inner);
	FIELD(b, task_struct, dentry, dentry_ptr);
	btf__add_ptr(b, w->task);
	btf__add_typedef(b, "offset_t", s64);
	btf__add_typedef(b, "small_t", s16);
}

static void world_init(struct world *w)
{
	memset(w, 0, sizeof(*w));
	world_add_types(w);
	w->bound = calloc(1, sizeof(*w->bound));
	w->options = (struct fargs_bind_options){
		.str_cap = FARGS_BIND_CAP, .mem_cap = FARGS_BIND_CAP, .tsc_khz = 2000000,
	};
}

static void world_deinit(struct world *w)
{
	fargs_selector_deinit(&w->sel);
	fargs_selector_deinit(&w->filter);
	fargs_constants_deinit(&w->constants);
	fargs_layouts_deinit(&w->layouts);
	free(w->bound);
	btf__free(w->btf);
}

/* Compiles w->bound to a layout in w->layouts, which the module's verifier must accept. */
static void world_compile(struct world *w, const struct fargs_signature *func, const char *text)
{
	enum fargs_refusal why = FARGS_REFUSAL_NONE;
	const char *objection;

	w->layouts.bytes = 0;
	w->layouts.nr = 0;
	if (fargs_layout_compile_bound(&w->layouts, func, w->bound, 1, &why) || why) {
		ktap_fail(__FILE__, __LINE__, "%s: %s", text, fargs_refusal_text(why));
		return;
	}
	objection = verifier_check(w->layouts.data, w->layouts.bytes);
	if (objection)
		ktap_fail(__FILE__, __LINE__, "%s: the module refuses it: %s", text, objection);
	w->is_taken = !objection;
}

/* Returns whether a slot has the value that means "unreadable" in lib/machine.h. */
static bool world_has_odd_slot(const struct world *w)
{
	size_t i;

	for (i = 0; i < sizeof(w->m.slots) / sizeof(w->m.slots[0]); i++)
		if (w->m.slots[i] == UINT64_MAX)
			return true;
	return false;
}

/*
 * Runs the entry programs with the module's interpreter. Returns whether the predicate accepts, and
 * fills @result.
 */
static bool world_run_module(struct world *w, struct machine_result *result)
{
	struct machine_memory memory[MODEL_REGIONS];
	struct machine m = { .memory = memory, .nr_memory = w->m.nr_regions };
	unsigned int i;

	for (i = 0; i < w->m.nr_regions; i++)
		memory[i] = (struct machine_memory){
			.addr = (uintptr_t)w->m.regions[i].data, .bytes = w->m.regions[i].data,
			.len = w->m.regions[i].bytes, .is_user = w->m.regions[i].is_user,
		};
	memcpy(m.args, w->m.args, sizeof(m.args));
	memcpy(m.slots, w->m.slots, sizeof(m.slots));
	memcpy(m.ctx, w->m.ctx, sizeof(m.ctx));
	return w->is_taken && machine_run(&m, w->layouts.data, result);
}

/* Binds @text to @func_id. Returns 0, or a negative value with the diagnostic in w->diagnostic. */
static int world_bind(struct world *w, int func_id, const char *text)
{
	struct fargs_signature func;
	int ret;

	fargs_selector_deinit(&w->sel);
	w->diagnostic = (struct fargs_diagnostic){ };
	if (fargs_signature_init(&func, w->btf, func_id)) {
		ktap_fail(__FILE__, __LINE__, "function %d cannot be traced", func_id);
		return -1;
	}
	ret = fargs_selector_init(&w->sel, text, &w->diagnostic);
	if (!ret)
		ret = fargs_bind(w->bound, &w->sel, &func, &w->options, &w->constants,
				 &w->diagnostic);
	if (!ret)
		world_compile(w, &func, text);
	return ret;
}

/* Returns the diagnostic for @text as "COLUMN: TEXT"; "": no error. */
__attribute__((unused))
static const char *world_diagnostic(struct world *w, int func_id, const char *text)
{
	static char buf[400];

	buf[0] = '\0';
	if (world_bind(w, func_id, text))
		snprintf(buf, sizeof(buf), "%u: %s", w->diagnostic.column, w->diagnostic.text);
	return buf;
}

static int world_run(struct world *w, enum fargs_prog program)
{
	const struct fargs_code *code = &w->bound->programs[program];

	w->m.nr_values = 0;
	return model_run(&w->m, code->insns, code->nr, w->bound->pool.data);
}

/* Runs both predicates of @text on @func_id. Returns 1, 0, or -1 if @text is invalid. */
__attribute__((unused))
static int world_accepts(struct world *w, int func_id, const char *text)
{
	static struct machine_result result;
	int is_accepted;

	if (world_bind(w, func_id, text)) {
		ktap_fail(__FILE__, __LINE__, "%s: %u: %s", text, w->diagnostic.column,
			  w->diagnostic.text);
		return -1;
	}
	is_accepted = world_run(w, FARGS_PROG_ENTRY_PREDICATE);
	if (world_has_odd_slot(w))
		return is_accepted && world_run(w, FARGS_PROG_RETURN_PREDICATE);
	if (!world_run_module(w, &result) || result.is_accepted != is_accepted ||
	    (!is_accepted && result.is_unreadable != w->m.has_unreadable))
		ktap_fail(__FILE__, __LINE__, "%s: the module's machine says %d, not %d", text,
			  result.is_accepted, is_accepted);
	return is_accepted && world_run(w, FARGS_PROG_RETURN_PREDICATE);
}

#endif
