// SPDX-License-Identifier: GPL-2.0-only
#include "unit/oracle/signatures.h"

#include <stddef.h>
#include <string.h>

#define RANDOM		250
#define NR(array)	(sizeof(array) / sizeof((array)[0]))
#define INT		(&scalars[5])

#define T(name) { name, NULL, NULL }

static const struct oracle_type scalars[] = {
	T("char"), T("signed char"), T("unsigned char"), T("short"), T("unsigned short"),
	T("int"), T("unsigned int"), T("long"), T("unsigned long"), T("long long"),
	{ "_Bool", NULL, "m = 1;" }, T("void *"), T("callback *"), T("enum small"),
	T("enum large"), T("__int128"), T("unsigned __int128"),
};

#define S(tag, members, attribute, leaves) \
	{ "struct " #tag, "struct " #tag " " members " " attribute ";", leaves }

static const struct oracle_type structs[] = {
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

void oracle_put_types(FILE *out)
{
	size_t i;

	fputs("typedef int callback(int);\n"
	      "typedef long long2 __attribute__((aligned(4)));\n"
	      "enum small { SMALL = 1 };\n"
	      "enum large { LARGE = 1ul << 40 };\n", out);
	for (i = 0; i < NR(structs); i++)
		fprintf(out, "%s\n", structs[i].definition);
}

void oracle_put_function(FILE *out, const struct oracle_signature *sig)
{
	/* Return types: some structs are returned in memory, and some in registers. */
	static const char *const ret[7] = {
		[3] = "struct l24", [5] = "struct l16", [6] = "struct packed9",
	};
	const char *type = ret[sig->id % NR(ret)];
	unsigned int i;

	fprintf(out, "__attribute__((noipa)) %s f%u(", type ? type : "int", sig->id);
	for (i = 0; i < sig->nr; i++)
		fprintf(out, "%s%s a%u", i ? ", " : "", sig->types[i]->name, i);
	if (type)
		fprintf(out, ")\n{\n	%s r = { 1 };\n	return r;\n}\n", type);
	else
		fprintf(out, ")\n{\n	return 1;\n}\n");
}

/* Makes a signature with @before ints, @type, and @after ints. */
static void set_between(struct oracle_signature *sig, const struct oracle_type *type,
			unsigned int before, unsigned int after)
{
	for (sig->nr = 0; sig->nr <= before + after; sig->nr++)
		sig->types[sig->nr] = sig->nr == before ? type : INT;
}

/* Returns the next number of a sequence that is the same in every run. */
static unsigned int next_random(unsigned int *state)
{
	*state = *state * 1103515245 + 12345;
	return *state >> 16 & 0x7fff;
}

static void set_random(struct oracle_signature *sig, unsigned int *state)
{
	unsigned int i;

	sig->nr = 2 + next_random(state) % (ORACLE_ARGS_MAX - 1);
	for (i = 0; i < sig->nr; i++)
		sig->types[i] = next_random(state) % 2
			? &structs[next_random(state) % NR(structs)]
			: &scalars[next_random(state) % NR(scalars)];
}

unsigned int oracle_each_signature(oracle_signature_fn *each, void *arg)
{
	static const unsigned int around[][2] = {
		{ 0, 1 }, { 1, 1 }, { 2, 0 }, { 4, 2 }, { 5, 2 }, { 6, 1 }, { 7, 2 }, { 9, 1 },
	};
	struct oracle_signature sig = { };
	unsigned int i, k, state = 12345;

	for (i = 0; i < NR(structs); i++) {
		for (k = 0; k < NR(around); k++, sig.id++) {
			set_between(&sig, &structs[i], around[k][0], around[k][1]);
			each(&sig, arg);
		}
	}
	for (i = 0; i < NR(scalars); i++) {
		/*
		 * Place 128-bit types at every position, and types that take one register at every
		 * third position.
		 */
		unsigned int step = i < NR(scalars) - 2 ? 3 : 1;

		for (k = i % 3; k < ORACLE_ARGS_MAX; k += step, sig.id++) {
			set_between(&sig, &scalars[i], k, ORACLE_ARGS_MAX - 1 - k);
			each(&sig, arg);
		}
	}
	for (i = 0; i < RANDOM; i++, sig.id++) {
		set_random(&sig, &state);
		each(&sig, arg);
	}
	return sig.id;
}
