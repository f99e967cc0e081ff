// SPDX-License-Identifier: GPL-2.0-only
/*
 * The layout compiler against the C compiler. A generated C file defines
 * functions with many signatures, and calls each with known bytes; but instead
 * of the function a stub gets the call, which keeps the registers and the stack.
 * Layouts from the file's BTF, made by pahole, must find the bytes there.
 *
 * A layout that is refused says nothing wrong; how many are is checked, too.
 */
#include <dlfcn.h>
#include <stdlib.h>
#include <unistd.h>

#include <bpf/btf.h>

#include "decode/record.h"
#include "layout/compile.h"
#include "uapi/fargs_layout.h"
#include "unit/ktap.h"

#define SLOTS		40
#define ARGS_MAX	12
#define RANDOM		250
#define STR_(x)		#x
#define STR(x)		STR_(x)

/* As in the generated file. */
struct arg {
	const unsigned char *bytes;
	const unsigned char *mask;	/* the bits that are values, not padding */
	unsigned int size;
};

struct call {
	const char *name;
	void (*call)(void);
	unsigned int nr;
	struct arg args[ARGS_MAX];
};

/* @leaves: what a value consists of, to be set to all ones; NULL: all of it. */
struct type {
	const char *name;
	const char *definition;
	const char *leaves;
};

#define T(name) { name, NULL, NULL }

static const struct type scalars[] = {
	T("char"), T("signed char"), T("unsigned char"), T("short"), T("unsigned short"),
	T("int"), T("unsigned int"), T("long"), T("unsigned long"), T("long long"),
	{ "_Bool", NULL, "m = 1;" }, T("void *"), T("callback *"), T("enum small"),
	T("enum large"), T("__int128"), T("unsigned __int128"),
};

#define S(tag, members, attribute, leaves) \
	{ "struct " #tag, "struct " #tag " " members " " attribute ";", leaves }

static const struct type structs[] = {
	S(c1, "{ char c; }", "", NULL),
	S(c3, "{ char c[3]; }", "", NULL),
	S(s5, "{ short s[5]; }", "", NULL),
	S(l8, "{ long a; }", "", NULL),
	S(i12, "{ int a, b, c; }", "", NULL),
	S(ic, "{ int a; char b; }", "", "m.a = -1; m.b = -1;"),
	S(lc, "{ long a; char b; }", "", "m.a = -1; m.b = -1;"),
	S(cl, "{ char b; long a; }", "", "m.a = -1; m.b = -1;"),
	S(l16, "{ long a, b; }", "", NULL),
	S(p16, "{ void *a; callback *b; }", "", NULL),
	S(c17, "{ char c[17]; }", "", NULL),
	S(l24, "{ long a, b, c; }", "", NULL),
	S(l32, "{ long a[4]; }", "", NULL),
	S(l40, "{ long a[5]; }", "", NULL),
	S(l48, "{ struct l24 a[2]; }", "", NULL),
	S(packed9, "{ char c; long a; }", "__attribute__((packed))", NULL),
	S(packed12, "{ int i; void *p; }", "__attribute__((packed))", NULL),
	S(packed5, "{ int i; char c; }", "__attribute__((packed))", NULL),
	S(packed16, "{ long a; int b; int c; }", "__attribute__((packed))", NULL),
	S(packed_in, "{ char c; struct ic in; }", "__attribute__((packed))",
	  "m.c = -1; m.in.a = -1; m.in.b = -1;"),
	S(holds_packed, "{ struct packed5 a; char b; }", "", NULL),
	S(nested, "{ struct l8 a; struct { int x; short y; }; }", "",
	  "m.a.a = -1; m.x = -1; m.y = -1;"),
	S(anon, "{ union { int i; char c; }; short s; }", "", "m.i = -1; m.s = -1;"),
	S(array, "{ struct ic a[2]; }", "",
	  "m.a[0].a = -1; m.a[0].b = -1; m.a[1].a = -1; m.a[1].b = -1;"),
	S(bits, "{ long a:30; long b:33; }", "", "m.a = -1; m.b = -1;"),
	S(bits16, "{ unsigned int a:3, b:20; unsigned long c:40; short d; }", "",
	  "m.a = -1; m.b = -1; m.c = -1; m.d = -1;"),
	S(bits_packed, "{ char c; int a:20; long b:50; }", "__attribute__((packed))",
	  "m.c = -1; m.a = -1; m.b = -1;"),
	S(bits_full, "{ int a:32; char b:8; short c:16; }", "", "m.a = -1; m.b = -1; m.c = -1;"),
	S(wide, "{ __int128 w; }", "", NULL),
	S(wide32, "{ __int128 w; char c; }", "", "m.w = -1; m.c = -1;"),
	S(wide_packed, "{ char c; __int128 w; }", "__attribute__((packed))", NULL),
	S(wide_tight, "{ __int128 w; }", "__attribute__((packed))", NULL),
	S(empty, "{ }", "", NULL),
	S(key, "{ struct empty a; int none[0]; }", "", NULL),
	S(with_empty, "{ struct empty a; int i; struct empty b; }", "", NULL),
	S(flex, "{ long n; int v[]; }", "", NULL),
	S(flex0, "{ long n; int i; char v[0]; }", "", "m.n = -1; m.i = -1;"),
	S(aligned16, "{ long a, b; }", "__attribute__((aligned(16)))", NULL),
	S(aligned_in, "{ long a __attribute__((aligned(16))), b; }", "", NULL),
	S(aligned32, "{ long a, b, c, d; }", "__attribute__((aligned(32)))", NULL),
	S(padded16, "{ long a; }", "__attribute__((aligned(16)))", "m.a = -1;"),
	S(padded32, "{ long a, b, c; }", "__attribute__((aligned(32)))",
	  "m.a = -1; m.b = -1; m.c = -1;"),
	S(unnamed, "{ long a; long :64; }", "", "m.a = -1;"),
	S(less_aligned, "{ int i; long2 l; }", "", NULL),
	{ "union u4", "union u4 { int i; char c; };", NULL },
	{ "union u16", "union u16 { char c; struct l16 l; int i[3]; };", NULL },
	{ "union u24", "union u24 { char c; struct l24 l; };", NULL },
	{ "union upacked", "union upacked { struct packed9 p; int i; };",
	  "m.p.c = -1; m.p.a = -1;" },
	{ "typed", "typedef struct l16 typed;", NULL },
};

#define NR(array)	(sizeof(array) / sizeof((array)[0]))
#define INT		(&scalars[5])

static const char head[] =
"typedef int callback(int);\n"
"typedef long long2 __attribute__((aligned(4)));\n"
"enum small { SMALL = 1 };\n"
"enum large { LARGE = 1ul << 40 };\n"
"struct arg { const unsigned char *bytes, *mask; unsigned int size; };\n"
"struct call { const char *name; void (*call)(void); unsigned int nr;"
" struct arg args[" STR(ARGS_MAX) "]; };\n"
"unsigned long dump[6 + " STR(SLOTS) "];\n"
"void stub(void);\n"
"void *volatile target = (void *)stub;\n"
"__asm__(\".text\\n.globl stub\\nstub:\\n\"\n"
"\"	mov dump@GOTPCREL(%rip), %rax\\n\"\n"
"\"	mov %rdi, 0(%rax)\\n	mov %rsi, 8(%rax)\\n	mov %rdx, 16(%rax)\\n\"\n"
"\"	mov %rcx, 24(%rax)\\n	mov %r8, 32(%rax)\\n	mov %r9, 40(%rax)\\n\"\n"
"\"	xor %r10, %r10\\n\"\n"
"\"1:	mov 8(%rsp, %r10, 8), %r11\\n	mov %r11, 48(%rax, %r10, 8)\\n\"\n"
"\"	inc %r10\\n	cmp $" STR(SLOTS) ", %r10\\n	jb 1b\\n\"\n"
/* A caller that gets a struct through memory looks for its address there. */
"\"	mov %rdi, %rax\\n	ret\\n\");\n"
"static void fill(void *to, unsigned long n, unsigned int salt)\n"
"{\n"
"	unsigned char *p = to;\n"
"	unsigned long i;\n"
"	for (i = 0; i < n; i++)\n"
"		p[i] = 17 + salt * 41 + i * 7;\n"
"}\n"
"static void ones(void *to, unsigned long n)\n"
"{\n"
"	unsigned char *p = to;\n"
"	unsigned long i;\n"
"	for (i = 0; i < n; i++)\n"
"		p[i] = 255;\n"
"}\n";

static unsigned int nr_calls;

/* One function, its call, and its row of the table. */
static void put_function(FILE *out, FILE *table, const struct type **types, unsigned int nr)
{
	/* Some return a struct through memory, some one in registers. */
	const char *ret = nr_calls % 7 == 3 ? "struct l24" : nr_calls % 7 == 5 ? "struct l16" :
			  nr_calls % 7 == 6 ? "struct packed9" : "int";
	unsigned int id = nr_calls++, i;

	fprintf(out, "__attribute__((noipa)) %s f%u(", ret, id);
	for (i = 0; i < nr; i++)
		fprintf(out, "%s%s a%u", i ? ", " : "", types[i]->name, i);
	if (!strcmp(ret, "int"))
		fprintf(out, ")\n{\n	return 1;\n}\n");
	else
		fprintf(out, ")\n{\n	%s r = { 1 };\n	return r;\n}\n", ret);
	fprintf(table, "	{ \"f%u\", call%u, %u, {", id, id, nr);
	for (i = 0; i < nr; i++) {
		fprintf(out, "static __typeof__(%s) v%u_%u, m%u_%u;\n", types[i]->name, id, i, id,
			i);
		fprintf(table, " { (void *)&v%u_%u, (void *)&m%u_%u, sizeof(v%u_%u) },", id, i, id,
			i, id, i);
	}
	fprintf(table, " } },\n");
	fprintf(out, "static void call%u(void)\n{\n	__typeof__(f%u) *f = target;\n", id, id);
	for (i = 0; i < nr; i++) {
		fprintf(out, "	fill((void *)&v%u_%u, sizeof(v%u_%u), %u);\n", id, i, id, i,
			id * 5 + i);
		if (!strcmp(types[i]->name, "_Bool"))
			fprintf(out, "	*(char *)&v%u_%u = %u;\n", id, i, (id + i) & 1);
		if (types[i]->leaves)
			fprintf(out, "#define m m%u_%u\n	%s\n#undef m\n", id, i,
				types[i]->leaves);
		else
			fprintf(out, "	ones((void *)&m%u_%u, sizeof(m%u_%u));\n", id, i, id, i);
	}
	fprintf(out, "	f(");
	for (i = 0; i < nr; i++)
		fprintf(out, "%sv%u_%u", i ? ", " : "", id, i);
	fprintf(out, ");\n}\n");
}

/* @type between @before and @after ints. */
static void put_between(FILE *out, FILE *table, const struct type *type, unsigned int before,
			unsigned int after)
{
	const struct type *types[ARGS_MAX];
	unsigned int i;

	for (i = 0; i <= before + after; i++)
		types[i] = i == before ? type : INT;
	put_function(out, table, types, i);
}

/* The same numbers in every run. */
static unsigned int state;

static unsigned int next_random(void)
{
	state = state * 1103515245 + 12345;
	return state >> 16 & 0x7fff;
}

static void put_all(FILE *out, FILE *table)
{
	static const unsigned int around[][2] = {
		{ 0, 1 }, { 1, 1 }, { 2, 0 }, { 4, 2 }, { 5, 2 }, { 6, 1 }, { 7, 2 }, { 9, 1 },
	};
	const struct type *types[ARGS_MAX];
	unsigned int i, k, nr;

	for (i = 0; i < NR(structs); i++)
		for (k = 0; k < NR(around); k++)
			put_between(out, table, &structs[i], around[k][0], around[k][1]);
	for (i = 0; i < NR(scalars); i++)
		for (k = i % 3; k < ARGS_MAX; k += i < NR(scalars) - 2 ? 3 : 1)
			put_between(out, table, &scalars[i], k, ARGS_MAX - 1 - k);
	for (i = 0; i < RANDOM; i++) {
		nr = 2 + next_random() % (ARGS_MAX - 1);
		for (k = 0; k < nr; k++)
			types[k] = next_random() % 2 ? &structs[next_random() % NR(structs)]
						     : &scalars[next_random() % NR(scalars)];
		put_function(out, table, types, nr);
	}
}

static bool generate(const char *path)
{
	FILE *out = fopen(path, "w"), *table;
	char *rows = NULL;
	size_t i, size;

	if (!out)
		return false;
	table = open_memstream(&rows, &size);
	if (!table) {
		fclose(out);
		return false;
	}
	nr_calls = 0;
	state = 12345;
	fputs(head, out);
	for (i = 0; i < NR(structs); i++)
		fprintf(out, "%s\n", structs[i].definition);
	put_all(out, table);
	fclose(table);
	fprintf(out, "const struct call calls[] = {\n%s};\n", rows);
	free(rows);
	return !fclose(out);
}

static int find_func(const struct btf *btf, const char *name)
{
	return btf__find_by_name_kind(btf, name, BTF_KIND_FUNC);
}

/* The body of the layout at @data, filled as the module would. */
static void apply(const unsigned char *data, unsigned char *body, const unsigned long *dump)
{
	const unsigned char *stores = data + sizeof(struct fargs_layout);
	struct fargs_layout layout;
	struct fargs_store store;
	unsigned int i;

	memcpy(&layout, data, sizeof(layout));
	memcpy(body, stores + layout.nr_stores * sizeof(store), layout.body_len);
	for (i = 0; i < layout.nr_stores; i++) {
		memcpy(&store, stores + i * sizeof(store), sizeof(store));
		memcpy(body + store.offset,
		       &dump[store.source == FARGS_SOURCE_REG ? store.index : 6 + store.index], 8);
	}
}

static bool is_value(const struct fargs_value *val, const struct arg *arg)
{
	const unsigned char *data = val->data;
	unsigned int i;

	if (val->bytes < arg->size)
		return false;
	for (i = 0; i < arg->size; i++)
		if ((data[i] ^ arg->bytes[i]) & arg->mask[i])
			return false;
	return true;
}

/* Does @body hold the arguments of @call? Empty ones are not in it. */
static bool check_values(const struct call *call, const unsigned char *body, size_t bytes)
{
	struct fargs_values it = { .at = body, .end = body + bytes };
	struct fargs_value val;
	unsigned int i;

	for (i = 0; i < call->nr; i++) {
		if (!call->args[i].size)
			continue;
		if (fargs_record_next(&it, &val, NULL) != 1 || !is_value(&val, &call->args[i])) {
			ktap_fail(__FILE__, __LINE__, "%s: argument %u is not where it was looked "
				  "for", call->name, i + 1);
			return false;
		}
	}
	if (fargs_record_next(&it, &val, NULL)) {
		ktap_fail(__FILE__, __LINE__, "%s has too many values", call->name);
		return false;
	}
	return true;
}

static void check_calls(const struct btf *btf, const struct call *calls, const unsigned long *dump)
{
	static unsigned char body[FARGS_RECORD_MAX];
	unsigned int counts[FARGS_REFUSALS] = { };
	struct fargs_layouts layouts = { };
	unsigned int i, nr_wrong = 0;
	enum fargs_refusal why;

	for (i = 0; i < nr_calls && nr_wrong < 20; i++) {
		int id = find_func(btf, calls[i].name);
		struct fargs_layout layout;

		layouts.bytes = 0;
		fargs_layout_compile(&layouts, btf, id < 0 ? 0 : id, 1, &why);
		counts[why]++;
		if (why)
			continue;
		memcpy(&layout, layouts.data, sizeof(layout));
		calls[i].call();
		apply(layouts.data, body, dump);
		nr_wrong += !check_values(&calls[i], body, layout.body_len);
	}
	fargs_layouts_deinit(&layouts);
	printf("# %u signatures, %u right, %u wrong; refused:", nr_calls,
	       counts[FARGS_REFUSAL_NONE] - nr_wrong, nr_wrong);
	for (i = 1; i < FARGS_REFUSALS; i++)
		if (counts[i])
			printf(" %s %u", fargs_refusal_word(i), counts[i]);
	putchar('\n');
	CHECK(counts[FARGS_REFUSAL_NONE] - nr_wrong >= 500);
	/* More stack than a layout can have, and attributes that BTF does not tell. */
	CHECK_INT(counts[FARGS_REFUSAL_NONE] + counts[FARGS_REFUSAL_MANY] +
		  counts[FARGS_REFUSAL_ALIGNMENT] + counts[FARGS_REFUSAL_AGGREGATE], nr_calls);
}

static void load_and_check(const char *dir)
{
	char path[128];
	struct btf *btf;
	void *so;

	snprintf(path, sizeof(path), "%s/oracle.btf", dir);
	btf = btf__parse(path, NULL);
	snprintf(path, sizeof(path), "%s/oracle.so", dir);
	so = dlopen(path, RTLD_NOW);
	CHECK(btf);
	CHECK(so);
	if (btf && so)
		check_calls(btf, dlsym(so, "calls"), dlsym(so, "dump"));
	if (so)
		dlclose(so);
	btf__free(btf);
}

static bool has_command(const char *name)
{
	char command[64];

	snprintf(command, sizeof(command), "command -v %s >/dev/null", name);
	return !system(command);
}

static void run_oracle(const char *flags)
{
	char dir[] = "/tmp/fargs-oracle-XXXXXX", path[64], command[512];
	bool is_made;

	if (!has_command("gcc") || !has_command("pahole")) {
		ktap_skip("gcc and pahole are needed");
		return;
	}
	REQUIRE(mkdtemp(dir));
	snprintf(path, sizeof(path), "%s/oracle.c", dir);
	snprintf(command, sizeof(command), "cd %s && gcc -O2 -g -fno-var-tracking -w -Wno-psabi "
		 "-fPIC %s -shared -o oracle.so oracle.c && "
		 "pahole --btf_encode_detached=oracle.btf oracle.so", dir, flags);
	is_made = generate(path) && !system(command);
	CHECK(is_made);
	if (is_made)
		load_and_check(dir);
	if (!getenv("FARGS_KEEP")) {
		snprintf(command, sizeof(command), "rm -r %s", dir);
		CHECK(!system(command));
	}
}

static void as_usual(void)
{
	run_oracle("");
}

static void as_the_kernel(void)
{
	run_oracle("-mno-sse -mno-mmx -mno-sse2 -mno-3dnow -mno-avx -mno-80387 "
		   "-mpreferred-stack-boundary=3 -mskip-rax-setup -fno-strict-aliasing");
}

static const struct ktap_test tests[] = {
	{ "arguments lie where GCC puts them", as_usual },
	{ "also with the kernel's flags", as_the_kernel },
};

int main(void)
{
	return KTAP_RUN(tests);
}
